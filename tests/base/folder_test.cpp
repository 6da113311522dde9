// What file_path of a column chunk can reach: regular files below the folder, and nothing else.
#include "codec/base/folder.hpp"

#include <sys/stat.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>

#include "tests/support/process.hpp"

namespace parqproof {
namespace {

namespace fs = std::filesystem;

/// A folder with a file `in`, a folder `sub` with a file, and entries that must not be opened; a secret is
/// next to it.
class Place {
 public:
  Place() {
    write("secret", "secret");
    write("data/in", "inside");
    write("data/sub/deep", "deeper");
    fs::create_symlink("../secret", root_ / "data/out");
    fs::create_symlink("in", root_ / "data/link");
    fs::create_directory_symlink("..", root_ / "data/up");
    fs::create_directory_symlink("sub", root_ / "data/sublink");
    REQUIRE(::mkfifo((root_ / "data/fifo").c_str(), 0600) == 0);
    folder_ = Folder::of((root_ / "data/_metadata").string(), why_);
    REQUIRE(folder_ != nullptr);
  }

  /// The content of the file at `path`, or a dash and the reason why it is not opened.
  std::string open(std::string_view path) {
    why_.clear();
    const std::unique_ptr<FileSource> source = folder_->open(path, why_);
    if (source == nullptr) return "- " + why_;
    std::string text(static_cast<std::size_t>(source->size()), ' ');
    CHECK(source->read(0, {reinterpret_cast<std::uint8_t*>(text.data()), text.size()}));
    return text;
  }
  void write(const std::string& name, const std::string& text) const { (void)files_.write(name, text); }

  support::TemporaryFolder files_;
  fs::path root_{files_.path()};
  std::string why_;
  std::unique_ptr<Folder> folder_;
};

TEST_CASE("names below the folder are opened", "[unit]") {
  Place place;
  CHECK(place.open("in") == "inside");
  CHECK(place.open("sub/deep") == "deeper");
  CHECK(place.open("./in") == "inside");
  CHECK(place.open("sub/./deep") == "deeper");
  CHECK(place.folder_->own_name() == "_metadata");
  CHECK(place.folder_->sibling_path("in") == (place.root_ / "data/in").string());
  place.write("data/a\nb\x1b[31m..c", "unusual");
  CHECK(place.open("a\nb\x1b[31m..c") == "unusual");
}

TEST_CASE("paths that lead out of the folder are rejected without opening anything", "[unit]") {
  Place place;
  CHECK(place.open((place.root_ / "secret").string()) == "- it is absolute");
  CHECK(place.open("../secret") == "- it leads out of the folder");
  CHECK(place.open("sub/../in") == "- it leads out of the folder");
  CHECK(place.open("sub/..") == "- it leads out of the folder");
  CHECK(place.open("..") == "- it leads out of the folder");
  CHECK(place.open("sub//deep") == "- one of its names is empty");
  CHECK(place.open("sub/") == "- one of its names is empty");
  CHECK(place.open("") == "- one of its names is empty");
  CHECK(place.open(".") == "- it is the folder itself");
  CHECK(place.open("..\\secret") == "- it holds a backslash");
  CHECK(place.open("file:///etc/passwd") == "- it is a URI");
  CHECK(place.open(std::string_view("in\0", 3)) == "- it holds a NUL byte");
}

TEST_CASE("symbolic links are never followed", "[unit]") {
  Place place;
  const std::string link = "- it is a link, or leads through one";
  CHECK(place.open("out") == link);
  CHECK(place.open("link") == link);
  CHECK(place.open("up/secret") == link);
  CHECK(place.open("sublink/deep") == link);
}

TEST_CASE("only regular files are opened", "[unit]") {
  Place place;
  CHECK(place.open("sub") == "- is a directory");
  CHECK(place.open("fifo").starts_with("- is a FIFO"));
  CHECK(place.open("missing") == "- No such file or directory");
  CHECK(place.open("in/deep") == "- Not a directory");
  CHECK(place.open(std::string(5000, 'a')) == "- File name too long");
  std::string deep;
  for (int i = 0; i < 3000; ++i) deep += "a/";
  CHECK(place.open(deep + "a") == "- No such file or directory");
}

TEST_CASE("a file can be opened by one path only", "[unit]") {
  CHECK(normal_path("./a/./b") == "a/b");
  CHECK(normal_path("a/../b") == "a/../b");
  CHECK(normal_path("/a") == "/a");
  CHECK(normal_path("a//b") == "a//b");
  CHECK(normal_path(".hidden/..x") == ".hidden/..x");
}

TEST_CASE("a shared file is reopened after many others were read, unless it was replaced", "[unit]") {
  Place place;
  constexpr int kFiles = 200;
  for (int i = 0; i < kFiles; ++i) place.write("data/" + std::to_string(i), "file " + std::to_string(i));
  const auto descriptors = [] {
    return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
  };
  const auto before = descriptors();
  std::string why;
  std::vector<const Source*> sources;
  for (int i = 0; i < kFiles; ++i) sources.push_back(place.folder_->share(std::to_string(i), why));
  CHECK(descriptors() <= before + static_cast<std::ptrdiff_t>(Folder::kOpen));
  CHECK(place.folder_->share("7", why) == sources[7]);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    REQUIRE(sources[i] != nullptr);
    std::string text(sources[i]->size(), ' ');
    CHECK(sources[i]->read(0, {reinterpret_cast<std::uint8_t*>(text.data()), text.size()}));
    CHECK(text == "file " + std::to_string(i));
  }
  CHECK(descriptors() <= before + static_cast<std::ptrdiff_t>(Folder::kOpen));
  fs::rename(place.root_ / "data/1", place.root_ / "data/0");
  std::uint8_t byte = 0;
  CHECK_FALSE(sources[0]->read(0, {&byte, 1}));
  CHECK(place.folder_->share("missing", why) == nullptr);
}

TEST_CASE("a missing folder is reported", "[unit]") {
  std::string why;
  CHECK(Folder::of("/no such folder/_metadata", why) == nullptr);
  CHECK(why == "No such file or directory");
  CHECK(Folder::of("_metadata", why)->own_name() == "_metadata");
}

}  // namespace
}  // namespace parqproof
