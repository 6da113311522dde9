#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "codec/encoding/values.hpp"
#include "codec/schema/value_text.hpp"
#include "conformance/report/json_writer.hpp"

/// Values as JSON: value_text() with its literals as they are, -0.0 for a negative zero, words and text as
/// strings, bytes as a string of hex.
namespace parqproof {

/// Appends a value, its PLAIN bytes without length word. Text that is no UTF-8 becomes {"hex": ...}. `buffer`
/// is overwritten.
void append_value(std::string& out, std::span<const std::uint8_t> value, const ValueStyle& style,
                  std::string& buffer);

/// Writes the values of a batch into the open array as they are stored; levels and indices as numbers.
void write_values(const ValueBatch& batch, Type type, std::uint32_t type_length, JsonWriter& out);

}  // namespace parqproof
