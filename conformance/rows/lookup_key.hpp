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

/// What rows are looked up by: a value of a leaf.
struct LookupKey {
  std::size_t leaf = 0;
  std::string column;               ///< dotted path of the leaf
  std::vector<std::uint8_t> value;  ///< as in PLAIN, without length word
};

/// Reads "COLUMN=VALUE": the dotted path of a leaf, and a value as rows show it in that view, without the
/// quotes of JSON. Fractions of a second and of a decimal may be shorter. The error says what is wrong.
[[nodiscard]] std::expected<LookupKey, std::string> lookup_key(const Schema& schema, std::string_view text,
                                                               RowView view);

}  // namespace parqproof
