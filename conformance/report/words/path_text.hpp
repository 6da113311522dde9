#pragma once

#include <string>

/// Paths in reports.
namespace parqproof {

/// Normalized path, so that spellings of a path compare equal; relative paths start at the working directory.
[[nodiscard]] std::string plain_path(const std::string& path);

/// A path as services compare it with the paths of a repository: relative to the working directory and
/// without "." if it is inside, else as given, like a URL.
[[nodiscard]] std::string repository_path(const std::string& path);

}  // namespace parqproof
