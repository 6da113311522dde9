#pragma once

#include <string>

#include "conformance/options/key_files.hpp"

/// The files of --keys and `rewrite --encryption`. No message has any part of a key.
namespace parqproof::cli {

/// Reads the file at `path`, or calls refuse(). Writes a warning to stderr if others can read it.
[[nodiscard]] Keys read_keys(const std::string& path);
[[nodiscard]] RewriteEncryption read_encryption(const std::string& path);

}  // namespace parqproof::cli
