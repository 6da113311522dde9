#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "codec/schema/schema.hpp"

namespace parqproof {

/// The value of the entry `geo` of key_value_metadata for a file that has columns left out: without those
/// that are not fields of the root of `schema`. If the primary column is among them, the first one that is
/// left takes its place. The text stays as it is if it describes none of them. Nullopt if it describes no
/// other column, or cannot be read.
[[nodiscard]] std::optional<std::string> without_lost_columns(std::string_view geo, const Schema& schema);

}  // namespace parqproof
