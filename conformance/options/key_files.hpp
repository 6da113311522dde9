#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "codec/encryption/key_ring.hpp"
#include "conformance/rewrite/rewrite.hpp"

/// Keys as JSON objects. `name` is the option or file in complaints, which name a member, and never have any
/// part of a key. In no object may a member occur twice.
namespace parqproof {

/// The keys of --keys; null without the option.
using Keys = std::shared_ptr<const encryption::KeyRing>;

/// Reads the JSON of --keys, or calls refuse().
[[nodiscard]] Keys keys_of_json(std::string_view text, const std::string& name);

/// Reads the JSON of `rewrite --encryption`, or calls refuse().
[[nodiscard]] RewriteEncryption encryption_of_json(std::string_view text, const std::string& name);

/// The keys for the file at `path`: `keys` with the key material that key tools stored next to the file.
[[nodiscard]] Keys keys_for_file(const std::string& path, const Keys& keys);

}  // namespace parqproof
