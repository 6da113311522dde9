#include "conformance/cli/input/file_search.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "conformance/cli/input/glob.hpp"
#include "conformance/cli/input/input.hpp"

namespace parqproof::cli {
namespace {

namespace fs = std::filesystem;

bool begins_with_magic(const fs::path& path) {
  std::array<char, 4> bytes{};
  std::ifstream file(path, std::ios::binary);
  return file.read(bytes.data(), bytes.size()) && std::string_view(bytes.data(), bytes.size()) == "PAR1";
}

/// Search of one directory.
class Directory {
 public:
  Directory(const std::string& path, FileSearch& search)
      : search_(search), folder_(path.ends_with('/') ? path : path + "/") {}

  std::vector<FoundFile> files() {
    const std::size_t complaints_before = search_.complaints.size();
    std::vector<fs::path> folders{folder_};
    while (!folders.empty()) {
      const fs::path folder = std::move(folders.back());
      folders.pop_back();
      look_into(folder, folders);
    }
    if (found_.empty() && search_.complaints.size() == complaints_before)
      search_.complaints.push_back(folder_ + ": no " + wanted() + " file in this directory or below it");
    if (others_ != 0) {
      search_.hints.push_back(folder_ + ": " + std::to_string(others_) + (others_ == 1 ? " file" : " files") +
                              " other than " + wanted() + (others_ == 1 ? " begins" : " begin") +
                              " with PAR1 (--glob PATTERN selects them)");
    }
    std::ranges::sort(found_, {}, &FoundFile::path);  // std::string compares bytes as unsigned
    return std::move(found_);
  }

 private:
  [[nodiscard]] std::string wanted() const {
    std::string text;
    for (const std::string& glob : search_.globs) text += (text.empty() ? "" : " or ") + glob;
    return text;
  }

  void look_into(const fs::path& folder, std::vector<fs::path>& folders) {
    std::error_code error;
    fs::directory_iterator entry(folder, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      if (entry->path().filename().string().starts_with('.')) continue;
      std::error_code unknown;  // a broken link is no directory; opening it reports the error
      if (entry->is_directory(unknown)) {
        if (!entry->is_symlink(unknown)) folders.push_back(entry->path());
        continue;
      }
      const std::string path = entry->path().string();
      const std::string relative = path.substr(folder_.size());
      const auto fits = [&relative](const std::string& glob) { return path_fits(glob, relative); };
      if (std::ranges::any_of(search_.globs, fits)) {
        found_.push_back({path, folder_});
      } else if (search_.hint && entry->is_regular_file(unknown) && begins_with_magic(entry->path())) {
        ++others_;
      }
    }
    if (error) search_.complaints.push_back(folder.string() + ": " + error.message());
  }

  FileSearch& search_;
  std::string folder_;
  std::vector<FoundFile> found_;
  std::uint64_t others_ = 0;
};

}  // namespace

std::vector<FoundFile> expand(const std::vector<std::string>& paths, FileSearch& search) {
  std::vector<FoundFile> files;
  for (const std::string& path : paths) {
    std::error_code unknown;
    if (path == kStandardInput || !fs::is_directory(path, unknown)) {
      files.push_back({path, {}});
    } else {
      std::ranges::move(Directory(path, search).files(), std::back_inserter(files));
    }
  }
  return files;
}

}  // namespace parqproof::cli
