#include "tests/encoding/decode.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "tests/support/exact.hpp"

namespace parqproof {

void for_each_codec(const std::function<void(const EncodingInfo&, Type)>& use) {
  for (const EncodingInfo& row : all_encodings()) {
    for (const thrift::EnumValue& type : kTypeEnum.values) {
      if (!row.codec(static_cast<Type>(type.value)).exists()) continue;
      INFO(row.name() << " of " << type.name);
      use(row, static_cast<Type>(type.value));
    }
  }
}

std::uint64_t Decoded::times(Rule rule) const {
  for (const Notes::Note& note : notes.all()) {
    if (note.error.rule == rule) return note.times;
  }
  return 0;
}

namespace {

void collect(Decoded& into, const ValueBatch& batch, const std::uint8_t* section, std::uint32_t width,
             std::uint64_t most) {
  const auto count = static_cast<std::size_t>(std::min(batch.count, most - std::min(most, into.count)));
  using Form = ValueBatch::Form;
  switch (batch.form) {
    case Form::fixed:
      into.fixed.insert(into.fixed.end(), batch.fixed, batch.fixed + count * width);
      break;
    case Form::byte_arrays:
      for (std::size_t i = 0; i < count; ++i) {
        const ByteArray& value = batch.byte_arrays[i];
        into.byte_arrays.emplace_back(reinterpret_cast<const char*>(value.data), value.size);
        if (batch.stored == nullptr) continue;
        const std::uint8_t* const place = batch.stored[i];
        into.places.push_back(place == nullptr ? std::nullopt
                                               : std::optional(static_cast<std::uint64_t>(place - section)));
      }
      break;
    case Form::booleans:
      into.booleans.insert(into.booleans.end(), batch.booleans, batch.booleans + count);
      break;
    case Form::boolean_run:
      into.booleans.insert(into.booleans.end(), count, static_cast<std::uint8_t>(batch.run));
      break;
    case Form::indices:
      into.indices.insert(into.indices.end(), batch.indices, batch.indices + count);
      break;
    case Form::index_run:
      into.indices.insert(into.indices.end(), count, batch.run);
      break;
  }
  into.batches.push_back({into.count, batch.offset});
  into.count += batch.count;
}

}  // namespace

Decoded decode(const Bytes& section, const ValueSpec& spec, std::uint64_t most) {
  const support::Exact<std::uint8_t> exact(section);
  const Limits limits;
  Budget budget;
  budget.earn(section.size());
  Decoded decoded;
  // One decoder for all sections, as a reader has one for all pages: no state leaks into the next section.
  static ValueDecoder decoder;
  const Status opened =
      decoder.open({{exact.data(), exact.size()}, kBase, Space::page}, spec, limits, budget, decoded.notes);
  if (!opened) {
    decoded.error = opened.error();
    return decoded;
  }
  for (;;) {
    const Result<ValueBatch> batch = decoder.next();
    if (!batch) {
      decoded.error = batch.error();
      return decoded;
    }
    if (batch->count == 0) break;
    collect(decoded, *batch, exact.data(), fixed_width(spec.type, spec.type_length), most);
  }
  if (const Status end = decoder.end(); !end) decoded.error = end.error();
  return decoded;
}

ValueSpec spec_of(Encoding encoding, Type type, std::uint64_t count, std::uint32_t type_length) {
  return {.encoding = encoding, .type = type, .type_length = type_length, .count = count};
}

void append_hybrid(std::span<const std::uint32_t> values, unsigned bit_width, const EncodeOptions& options,
                   std::vector<std::uint8_t>& out) {
  HybridEncoder encoder;
  encoder.open(bit_width, options, out);
  encoder.add(values);
  encoder.finish();
}

void append_bit_packed(std::span<const std::uint32_t> levels, unsigned bit_width,
                       std::vector<std::uint8_t>& out) {
  const EncodeOptions options;
  BitPackedEncoder encoder;
  encoder.open(bit_width, options, out);
  encoder.add(levels);
  encoder.finish();
}

Bytes delta_stream(const std::vector<std::uint32_t>& numbers) {
  return encode(Encoding::DELTA_BINARY_PACKED, plain_numbers(Type::INT32, numbers));
}

ValueBatch PlainValues::batch(Encoding encoding) const {
  ValueBatch batch{.count = count,
                   .fixed = fixed.data(),
                   .byte_arrays = byte_arrays.data(),
                   .booleans = booleans.data(),
                   .indices = indices.data()};
  if (encoding == Encoding::RLE_DICTIONARY || encoding == Encoding::PLAIN_DICTIONARY) {
    batch.form = ValueBatch::Form::indices;
  } else if (type == Type::BOOLEAN) {
    batch.form = ValueBatch::Form::booleans;
  } else if (type == Type::BYTE_ARRAY) {
    batch.form = ValueBatch::Form::byte_arrays;
  }
  return batch;
}

EncodeStatus try_encode(Encoding encoding, const PlainValues& values, const EncodeOptions& options,
                        Bytes& out) {
  return encode_values(encoding, {values.type, values.type_length, options, out}, values.batch(encoding));
}

Bytes encode(Encoding encoding, const PlainValues& values, const EncodeOptions& options) {
  Bytes out;
  const EncodeStatus status = try_encode(encoding, values, options, out);
  INFO((status ? std::string_view{} : status.error()));
  REQUIRE(status.has_value());
  return out;
}

std::vector<ByteArray> windows_of(const std::vector<std::string>& strings) {
  std::vector<ByteArray> windows;
  for (const std::string& string : strings)
    windows.push_back(
        {reinterpret_cast<const std::uint8_t*>(string.data()), static_cast<std::uint32_t>(string.size())});
  return windows;
}

}  // namespace parqproof
