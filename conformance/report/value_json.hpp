#pragma once

#include <cstdint>

#include "codec/encoding/values.hpp"
#include "conformance/report/json_writer.hpp"

/// Stored values as JSON: integers signed, levels and indices as numbers, booleans as such, BYTE_ARRAY,
/// FIXED_LEN_BYTE_ARRAY and INT96 as hex, FLOAT and DOUBLE as the shortest number that reads back to the same
/// value; NaN and infinities as strings.
namespace parqproof {

/// Writes the values of a batch into the open array.
void write_values(const ValueBatch& batch, Type type, std::uint32_t type_length, JsonWriter& out);

}  // namespace parqproof
