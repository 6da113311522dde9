#include "conformance/report/value_json.hpp"

#include <bit>

#include "codec/base/bits.hpp"
#include "conformance/report/escape.hpp"

namespace parqproof {
namespace {

using Form = ValueBatch::Form;

void write_fixed(const std::uint8_t* value, Type type, std::uint32_t width, JsonWriter& out) {
  switch (type) {
    case Type::INT32:
      return out.integer(load_le<std::int32_t>(value));
    case Type::INT64:
      return out.integer(load_le<std::int64_t>(value));
    case Type::FLOAT:
      return out.real(std::bit_cast<float>(load_le<std::uint32_t>(value)));
    case Type::DOUBLE:
      return out.real(std::bit_cast<double>(load_le<std::uint64_t>(value)));
    default:
      return out.string(hex({value, width}));
  }
}

}  // namespace

void write_values(const ValueBatch& batch, Type type, std::uint32_t type_length, JsonWriter& out) {
  const std::uint32_t width = fixed_width(type, type_length);
  for (std::uint64_t i = 0; i < batch.count; ++i) {
    switch (batch.form) {
      case Form::fixed:
        write_fixed(batch.fixed + i * width, type, width, out);
        break;
      case Form::byte_arrays:
        out.string(hex({batch.byte_arrays[i].data, batch.byte_arrays[i].size}));
        break;
      case Form::booleans:
        out.boolean(batch.booleans[i] != 0);
        break;
      case Form::boolean_run:
        out.boolean(batch.run != 0);
        break;
      case Form::indices:
        out.integer(batch.indices[i]);
        break;
      case Form::index_run:
        out.integer(batch.run);
        break;
    }
  }
}

}  // namespace parqproof
