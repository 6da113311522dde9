#include "conformance/report/words/path_text.hpp"

#include <filesystem>
#include <system_error>

namespace parqproof {

namespace fs = std::filesystem;

std::string plain_path(const std::string& path) {
  std::error_code none;
  return fs::absolute(path, none).lexically_normal().string();
}

std::string repository_path(const std::string& path) {
  std::error_code none;
  const fs::path plain(plain_path(path));
  // The working directory has no links.
  const fs::path folder = fs::weakly_canonical(plain.parent_path(), none);
  const fs::path inside =
      (folder.empty() ? plain : folder / plain.filename()).lexically_relative(fs::current_path(none));
  return path.contains("://") || inside.empty() || *inside.begin() == ".." ? path : inside.string();
}

}  // namespace parqproof
