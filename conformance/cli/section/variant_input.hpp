#pragma once

#include <cstdint>
#include <expected>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace parqproof::cli {

/// The name of the encoding and the type of a Variant without columns: metadata, directly followed by the
/// value.
inline constexpr std::string_view kVariant = "VARIANT";

/// Encodes a value from JSON with type tags, as VariantForm::tagged writes it: sorted names, minimal widths.
/// The error is the message.
[[nodiscard]] std::expected<std::vector<std::uint8_t>, std::string> encode_variant(
    const nlohmann::json& document);

}  // namespace parqproof::cli
