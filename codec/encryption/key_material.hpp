#pragma once

#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "codec/encryption/module.hpp"

/// Key material of parquet-java's key tools, which Arrow C++ writes too: a flat JSON object in key_metadata,
/// or, with a reference in key_metadata, in a file next to it. A data key is wrapped by a master key, or by a
/// key encryption key that a master key wraps (double wrapping).
namespace parqproof::encryption {

/// The members of a JSON object whose values are no objects or arrays: texts without quotes, other values as
/// JSON has them.
using FlatObject = std::map<std::string, std::string, std::less<>>;

/// Parses such an object; nothing if `json` is anything else, or a member occurs twice.
[[nodiscard]] std::optional<FlatObject> parse_flat_json(std::string_view json);

/// Decodes base64 with padding; nothing if it is anything else.
[[nodiscard]] std::optional<Bytes> decode_base64(std::string_view text);

using MasterKeys = std::map<std::string, Bytes, std::less<>>;
using ExternalMaterial = FlatObject;  ///< key material by its reference

/// A key, or why there is none: a clause for messages.
using FoundKey = std::expected<Bytes, std::string>;

/// Returns the data key of `material`. None if it is no key material, its master key is not in `master_keys`,
/// or does not unwrap the key.
[[nodiscard]] FoundKey unwrap_key(std::string_view material, const MasterKeys& master_keys,
                                  const ExternalMaterial& external);

}  // namespace parqproof::encryption
