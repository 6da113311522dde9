#pragma once

#include <string>

#include "conformance/cli/input/input.hpp"

/// The file of --keys: a JSON object of keys. No message has any part of a key.
namespace parqproof::cli {

/// Reads the file at `path`, or calls refuse(). Writes a warning to stderr if others can read it.
[[nodiscard]] Keys read_keys(const std::string& path);

/// The keys for the file at `path`: `keys` with the key material that key tools stored next to the file.
[[nodiscard]] Keys keys_of(const std::string& path, const Keys& keys);

}  // namespace parqproof::cli
