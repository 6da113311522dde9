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
  const fs::path inside = fs::path(plain_path(path)).lexically_relative(fs::current_path(none));
  return path.contains("://") || inside.empty() || *inside.begin() == ".." ? path : inside.string();
}

}  // namespace parqproof
