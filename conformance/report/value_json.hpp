#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "codec/encoding/values.hpp"
#include "codec/schema/value_text.hpp"
#include "conformance/report/json_writer.hpp"

/// Values as JSON: numbers of value_text() unchanged, -0.0 for a negative zero, words and text as strings,
/// bytes as a hex string.
namespace parqproof {

/// Appends a value, given by its PLAIN bytes without length prefix. Text that is not UTF-8 becomes {"hex":
/// ...}. `buffer` is overwritten.
void append_value(std::string& out, std::span<const std::uint8_t> value, const ValueStyle& style,
                  std::string& buffer);

/// Returns true if `more` bytes fit into a text of at most `most` bytes. The buffer of a long text gets all
/// of its room at once, so that it does not double beyond that.
[[nodiscard]] bool has_room_for(std::string& text, std::size_t more, std::size_t most);

/// Writes the stored values of a batch into the open array; levels and indices as numbers.
void write_values(const ValueBatch& batch, Type type, std::uint32_t type_length, JsonWriter& out);

}  // namespace parqproof
