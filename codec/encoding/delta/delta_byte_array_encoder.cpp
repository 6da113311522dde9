#include <algorithm>
#include <bit>

#include "codec/base/bits.hpp"
#include "codec/encoding/delta/delta_byte_array.hpp"

namespace parqproof {
namespace {

// Returns the length of the common prefix within the first `most` bytes.
std::uint32_t common_prefix(const std::uint8_t* a, const std::uint8_t* b, std::uint32_t most) noexcept {
  std::uint32_t at = 0;
  for (; most - at >= 8; at += 8) {
    const std::uint64_t differing = load_le<std::uint64_t>(a + at) ^ load_le<std::uint64_t>(b + at);
    if (differing != 0) return at + static_cast<std::uint32_t>(std::countr_zero(differing)) / 8;
  }
  while (at < most && a[at] == b[at]) ++at;
  return at;
}

}  // namespace

EncodeStatus DeltaByteArrayEncoder::open(const NewSection& section) {
  const EncodeOptions& options = section.options;
  out_ = &section.out;
  type_length_ = section.type_length;
  fixed_ = section.type == Type::FIXED_LEN_BYTE_ARRAY;
  longest_prefix_ = options.prefixes == EncodeOptions::Prefixes::none ? 0 : options.longest_prefix;
  previous_.clear();
  suffix_options_ = options;
  if (options.suffix_block_size) suffix_options_.block_size = options.suffix_block_size;
  if (options.suffix_miniblocks) suffix_options_.miniblocks = options.suffix_miniblocks;
  if (const EncodeStatus prefixes = prefixes_.open(options); !prefixes) return prefixes;
  return suffixes_.open(suffix_options_, section.out);
}

// Adds a value `count` times; its first `prefix` bytes are those of the previous value.
EncodeStatus DeltaByteArrayEncoder::append(const ByteArray& value, std::uint32_t prefix,
                                           std::uint64_t count) {
  prefix = std::min(prefix, longest_prefix_);
  prefixes_.add_run(prefix, count);
  return suffixes_.add_run(ByteArray{value.data + prefix, value.size - prefix}, count);
}

EncodeStatus DeltaByteArrayEncoder::add(const ByteArray& value) {
  if (value.size > INT32_MAX) return std::unexpected("a byte array is longer than 2147483647 bytes");
  const auto most = static_cast<std::uint32_t>(std::min<std::size_t>(value.size, previous_.size()));
  const std::uint32_t prefix = common_prefix(value.data, previous_.data(), most);
  previous_.assign(value.data, value.data + value.size);
  return append(value, prefix, 1);
}

// Returns value `i` of a batch.
ByteArray DeltaByteArrayEncoder::value_of(const ValueBatch& batch, std::uint64_t i) const noexcept {
  return fixed_ ? ByteArray{batch.fixed + i * type_length_, type_length_} : batch.byte_arrays[i];
}

EncodeStatus DeltaByteArrayEncoder::add(const ValueBatch& batch) {
  for (std::uint64_t i = 0; i < batch.count; ++i) {
    if (const EncodeStatus added = add(value_of(batch, i)); !added) return added;
  }
  return {};
}

EncodeStatus DeltaByteArrayEncoder::add_run(const ValueBatch& value, std::uint64_t count) {
  const ByteArray array = value_of(value, 0);
  if (const EncodeStatus first = add(array); !first) return first;
  return append(array, array.size, count - 1);
}

EncodeStatus DeltaByteArrayEncoder::finish() {
  if (const EncodeStatus prefixes = prefixes_.finish(*out_); !prefixes) return prefixes;
  return suffixes_.finish();
}

}  // namespace parqproof
