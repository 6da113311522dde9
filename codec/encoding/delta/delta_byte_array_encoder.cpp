#include <algorithm>
#include <array>
#include <bit>

#include "codec/base/bits.hpp"
#include "codec/encoding/delta/delta_byte_array.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kAtOnce = 256;  // values

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

// Returns value `i` of a batch.
ByteArray DeltaByteArrayEncoder::value_of(const ValueBatch& batch, std::uint64_t i) const noexcept {
  return fixed_ ? ByteArray{batch.fixed + i * type_length_, type_length_} : batch.byte_arrays[i];
}

EncodeStatus DeltaByteArrayEncoder::add(const ValueBatch& batch) {
  if (batch.count == 0) return {};
  std::array<std::uint32_t, kAtOnce> prefixes;
  std::array<ByteArray, kAtOnce> suffixes;
  ByteArray previous{previous_.data(), static_cast<std::uint32_t>(previous_.size())};
  for (std::uint64_t done = 0; done < batch.count;) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(batch.count - done, kAtOnce));
    for (std::size_t i = 0; i < count; ++i) {
      const ByteArray value = value_of(batch, done + i);
      if (value.size > INT32_MAX) return std::unexpected("a byte array is longer than 2147483647 bytes");
      const std::uint32_t most = std::min({value.size, previous.size, longest_prefix_});
      prefixes[i] = common_prefix(value.data, previous.data, most);
      suffixes[i] = {value.data + prefixes[i], value.size - prefixes[i]};
      previous = value;
    }
    prefixes_.add(std::span<const std::uint32_t>(prefixes).first(count));
    ValueBatch rest;
    rest.form = ValueBatch::Form::byte_arrays;
    rest.count = count;
    rest.byte_arrays = suffixes.data();
    if (const EncodeStatus added = suffixes_.add(rest); !added) return added;
    done += count;
  }
  previous_.assign(previous.data, previous.data + previous.size);
  return {};
}

EncodeStatus DeltaByteArrayEncoder::add_run(const ValueBatch& value, std::uint64_t count) {
  ValueBatch first = value;
  first.count = 1;
  if (const EncodeStatus added = add(first); !added) return added;
  const ByteArray array = value_of(value, 0);
  const std::uint32_t prefix = std::min(array.size, longest_prefix_);
  prefixes_.add_run(prefix, count - 1);
  return suffixes_.add_run(ByteArray{array.data + prefix, array.size - prefix}, count - 1);
}

EncodeStatus DeltaByteArrayEncoder::finish() {
  if (const EncodeStatus prefixes = prefixes_.finish(*out_); !prefixes) return prefixes;
  return suffixes_.finish();
}

}  // namespace parqproof
