#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "codec/base/append.hpp"
#include "codec/base/bits.hpp"
#include "codec/encoding/values.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {

/// Copies `bytes` bytes to `out` and returns the end of the copy; `from` may be null for 0 bytes.
[[nodiscard]] inline std::uint8_t* copy_bytes(std::uint8_t* out, const std::uint8_t* from,
                                              std::size_t bytes) noexcept {
  // Short arrays are copied as two parts that may overlap, which is cheaper than a call of memcpy().
  if (bytes > 16) {
    std::memcpy(out, from, bytes);
  } else if (bytes >= 8) {
    const auto last = load_le<std::uint64_t>(from + bytes - 8);
    std::memcpy(out, from, 8);
    std::memcpy(out + bytes - 8, &last, 8);
  } else if (bytes >= 4) {
    const auto last = load_le<std::uint32_t>(from + bytes - 4);
    std::memcpy(out, from, 4);
    std::memcpy(out + bytes - 4, &last, 4);
  } else {
    for (std::size_t i = 0; i < bytes; ++i) out[i] = from[i];
  }
  return out + bytes;
}

/// Appends the bytes of `value` `count` times.
inline void append_copies(std::vector<std::uint8_t>& out, std::span<const std::uint8_t> value,
                          std::uint64_t count) {
  if (value.empty()) return;
  std::uint8_t* to = append_room(out, value.size() * static_cast<std::size_t>(count));
  for (; count != 0; --count) to = copy_bytes(to, value.data(), value.size());
}

/// Returns true if each byte array of the batch follows its length prefix, and the prefix the byte array
/// before.
[[nodiscard]] inline bool is_plain(const ValueBatch& batch) noexcept { return batch.size_bits != UINT32_MAX; }

/// Returns the total size of the byte arrays of a batch. If they are contiguous, or separated by length
/// prefixes only, it follows from the first and the last.
[[nodiscard]] inline std::uint64_t total_size(const ValueBatch& batch) noexcept {
  if (batch.count == 0) return 0;
  if (is_plain(batch) || batch.back_to_back) {
    const ByteArray& first = batch.byte_arrays[0];
    const ByteArray& last = batch.byte_arrays[batch.count - 1];
    const auto span = static_cast<std::uint64_t>(last.data - first.data) + last.size;
    return span - (is_plain(batch) ? sizeof last.size * (batch.count - 1) : 0);
  }
  std::uint64_t bytes = 0;
  for (std::uint64_t i = 0; i < batch.count; ++i) bytes += batch.byte_arrays[i].size;
  return bytes;
}

/// Appends `slots` values of `width` bits: the lowest bits of values[i] - base, least significant bit first,
/// followed by bits of `padding`.
template <std::unsigned_integral U>
void append_packed(std::vector<std::uint8_t>& out, std::span<const U> values, unsigned width,
                   std::uint64_t slots, std::uint8_t padding, U base = 0) {
  const std::size_t start = out.size();
  out.resize(start + static_cast<std::size_t>(ceil_div(slots * width, 8)), padding);
  if constexpr (sizeof(U) == 4) {
    kernels().pack32(values.data(), base, width, values.size(), out.data() + start);
  } else {
    kernels().pack64(values.data(), base, width, values.size(), out.data() + start);
  }
  const std::size_t bits = values.size() * width;
  const auto used = static_cast<std::uint8_t>(low_bits(static_cast<unsigned>(bits % 8)));
  if (used != 0) out[start + bits / 8] |= static_cast<std::uint8_t>(padding & ~used);
}

}  // namespace parqproof
