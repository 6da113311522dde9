#pragma once

#include <string>

#include "conformance/rewrite/rewrite.hpp"

/// The file of `rewrite --encryption`: a JSON object. No message has any part of a key.
namespace parqproof::cli {

/// Reads the file at `path`, or calls refuse(). Writes a warning to stderr if others can read it.
[[nodiscard]] RewriteEncryption read_encryption(const std::string& path);

}  // namespace parqproof::cli
