#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "codec/schema/schema.hpp"
#include "conformance/rows/fields.hpp"

namespace parqproof {

/// Value of a leaf by which rows are looked up.
struct LookupKey {
  std::size_t leaf = 0;
  std::string column;               ///< dotted path of the leaf
  std::vector<std::uint8_t> value;  ///< as in PLAIN, without length prefix
};

/// Parses "COLUMN=VALUE": the dotted path of a leaf, and a value as rows show it in that view, without JSON
/// quotes. Fractions of a second and of a decimal may be shorter. The error is the message.
[[nodiscard]] std::expected<LookupKey, std::string> lookup_key(const Schema& schema, std::string_view text,
                                                               RowView view);

}  // namespace parqproof
