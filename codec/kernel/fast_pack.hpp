#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/kernel/fast.hpp"

/// Code shared by the fast sets for packing, and for values with the most significant bit first.
namespace parqproof::kernel {

/// Unpacks values [first, count) with the most significant bit first, one at a time.
inline void unpack_msb_tail(const std::uint8_t* in, std::size_t readable, unsigned width, std::size_t first,
                            std::size_t count, std::uint32_t* out) noexcept {
  for (std::size_t i = first; i < count; ++i) {
    const std::size_t bit = i * width;
    const std::size_t left = readable - bit / 8;
    std::uint64_t word = 0;
    std::memcpy(&word, in + bit / 8, left < sizeof word ? left : sizeof word);
    out[i] = static_cast<std::uint32_t>(std::byteswap(word) << (bit % 8) >> (64 - width));
  }
}

/// Packs eight values into W bytes via 64-bit words.
template <unsigned W, typename T>
inline void pack_eight(const T* values, T base, std::uint8_t* out) noexcept {
  std::uint64_t word = 0;
#pragma GCC unroll 8
  for (unsigned k = 0; k < 8; ++k) {
    const std::uint64_t value = static_cast<T>(values[k] - base) & low_bits(W);
    const unsigned at = k * W % 64;
    word |= value << at;
    if (at + W >= 64) {
      std::memcpy(out, &word, sizeof word);
      out += sizeof word;
      word = at + W == 64 ? 0 : value >> ((64 - at) % 64);
    }
  }
  std::memcpy(out, &word, W % 8);
}

/// Packs fewer than eight values at the end of the output.
template <unsigned W, typename T>
inline void pack_last(const T* values, T base, std::size_t count, std::uint8_t* out) noexcept {
  if (count == 0) return;
  T filled[8]{};
  std::uint8_t bytes[W + 1];
  for (std::size_t i = 0; i < 8; ++i) filled[i] = i < count ? values[i] : base;
  pack_eight<W>(filled, base, bytes);
  std::memcpy(out, bytes, (count * W + 7) / 8);
}

template <typename T>
struct PortablePack {
  template <unsigned W>
  static void pack(const T* values, T base, std::size_t count, std::uint8_t* out) noexcept {
    if constexpr (W != 0) {
      for (; count >= 8; values += 8, count -= 8, out += W) pack_eight<W>(values, base, out);
      pack_last<W>(values, base, count, out);
    }
  }
};

/// Table of the functions Set::pack<W> for all widths of T.
template <typename T, typename Set>
inline constexpr auto kPackers = []<unsigned... W>(std::integer_sequence<unsigned, W...>) consteval {
  return std::array<void (*)(const T*, T, std::size_t, std::uint8_t*) noexcept, sizeof...(W)>{
      &Set::template pack<W>...};
}(std::make_integer_sequence<unsigned, sizeof(T) * 8 + 1>{});

template <typename T, typename Set>
void pack_any(const T* values, T base, unsigned width, std::size_t count, std::uint8_t* out) noexcept {
  kPackers<T, Set>[width](values, base, count, out);
}

}  // namespace parqproof::kernel
