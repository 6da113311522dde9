#include "conformance/cli/input/keys_file.hpp"

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "conformance/cli/input/input.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/options/refuse.hpp"

namespace parqproof::cli {
namespace {

constexpr std::uint64_t kMaxKeysBytes = std::uint64_t{16} << 20;

/// A file with keys, and the words for it in messages.
class KeyFile {
 public:
  KeyFile(const std::string& option, const std::string& path) : name_(option + ": " + path) {
    struct stat status{};
    const bool is_there = ::stat(path.c_str(), &status) == 0;
    std::string why;
    std::optional<std::vector<std::uint8_t>> bytes = read_input(path, kMaxKeysBytes, why);
    // What names no file may be a key, or JSON with keys.
    if (!bytes) refuse((is_there ? name_ : option + ": the file with the keys") + ": " + why);
    bytes_ = std::move(*bytes);
    if (is_there && S_ISREG(status.st_mode) && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
      complain(name_ + ": other users can read the keys; use chmod 600");
  }

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::string_view text() const noexcept { return text_of(bytes_); }

 private:
  std::string name_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace

Keys read_keys(const std::string& path) {
  const KeyFile file("--keys", path);
  auto ring = std::make_shared<encryption::KeyRing>(*keys_of_json(file.text(), file.name()));
  ring->origin = path;
  return ring;
}

RewriteEncryption read_encryption(const std::string& path) {
  const KeyFile file("--encryption", path);
  return encryption_of_json(file.text(), file.name());
}

}  // namespace parqproof::cli
