#include "codec/kernel/fast.hpp"

#include <algorithm>

#include "codec/kernel/bloom_bits.hpp"
#include "codec/kernel/fast_pack.hpp"
#include "codec/kernel/loops.hpp"

namespace parqproof::kernel {
namespace {

constexpr unsigned kGroup = 8;  // values; the packed bits of a group fill complete bytes

/// Unpacks groups of eight values with one 64-bit load for each value.
template <typename T>
struct Portable {
  template <unsigned W>
  static void unpack(const std::uint8_t* in, std::size_t readable, std::size_t count, T* out) noexcept {
    std::size_t i = 0;
    if constexpr (W == 0) {
      std::fill_n(out, count, T{0});
      return;
    } else if constexpr (W <= 57) {  // with up to seven bits before it, a value still fits the load
      constexpr std::size_t kReach = 7 * W / 8 + 8;
      for (std::size_t at = 0; i + kGroup <= count && at + kReach <= readable; i += kGroup, at += W) {
        for (unsigned k = 0; k < kGroup; ++k) {
          const auto bits = load_le<std::uint64_t>(in + at + k * W / 8);
          out[i + k] = static_cast<T>(bits >> (k * W % 8) & low_bits(W));
        }
      }
    }
    unpack_tail(in, readable, W, i, count, out);
  }
};

/// The same for values with the most significant bit first.
struct PortableMsb {
  template <unsigned W>
  static void unpack(const std::uint8_t* in, std::size_t readable, std::size_t count,
                     std::uint32_t* out) noexcept {
    std::size_t i = 0;
    if constexpr (W != 0) {
      constexpr std::size_t kReach = 7 * W / 8 + 8;
      for (std::size_t at = 0; i + kGroup <= count && at + kReach <= readable; i += kGroup, at += W) {
        for (unsigned k = 0; k < kGroup; ++k) {
          const std::uint64_t word = std::byteswap(load_le<std::uint64_t>(in + at + k * W / 8));
          out[i + k] = static_cast<std::uint32_t>(word << (k * W % 8) >> (64 - W));
        }
      }
      unpack_msb_tail(in, readable, W, i, count, out);
    }
  }

  template <unsigned W>
  static void pack(const std::uint32_t* values, std::uint32_t /*base*/, std::size_t count,
                   std::uint8_t* out) noexcept {
    std::uint64_t bits = 0;
    unsigned waiting = 0;
    for (std::size_t i = 0; i < count; ++i) {
      bits = bits << W | (values[i] & low_bits(W));
      waiting += W;
      if (waiting < 32) continue;
      waiting -= 32;
      const auto word = std::byteswap(static_cast<std::uint32_t>(bits >> waiting));
      std::memcpy(out, &word, sizeof word);
      out += sizeof word;
    }
    for (; waiting >= 8; waiting -= 8) *out++ = static_cast<std::uint8_t>(bits >> (waiting - 8));
    if (waiting != 0) *out = static_cast<std::uint8_t>(bits << (8 - waiting));
  }
};
void pack_msb(const std::uint32_t* values, unsigned width, std::size_t count, std::uint8_t* out) noexcept {
  pack_any<std::uint32_t, PortableMsb>(values, 0, width, count, out);
}

template <typename T, typename S>
void difference(T* values, std::size_t count, KeyRange<S>* ranges) noexcept {
  loops::difference(values, count, ranges);
}
template <typename F, typename T>
void alp_decode(const T* integers, std::size_t count, T reference, const AlpScale<F>& scale,
                F* out) noexcept {
  loops::alp_decode(integers, count, reference, scale, out);
}
template <typename F>
AlpFit<AlpInteger<F>> alp_encode(const F* values, std::size_t count, const AlpScale<F>& scale,
                                 AlpInteger<F>* integers, std::uint8_t* exact) noexcept {
  return loops::alp_encode(values, count, scale, integers, exact);
}

template <typename T>
Survey<T> survey(const T* values, std::size_t count) noexcept {
  return loops::survey(values, count);
}
template <typename T>
Survey<T> undelta(const std::uint8_t* in, std::size_t readable, unsigned width, std::size_t count, T base,
                  T last, T* out) noexcept {
  unpack_any<T, Portable<T>>(in, readable, width, count, out);
  const Survey<T> deltas = loops::survey(out, count);
  accumulate_by_four(out, count, base, last);
  return deltas;
}
LevelTally tally_levels(const std::uint32_t* repetition, const std::uint32_t* definition, std::size_t count,
                        std::uint32_t previous, const LevelBounds& bounds) noexcept {
  return loops::tally_levels(repetition, definition, count, previous, bounds);
}
SizeSurvey lay_out(const std::uint32_t* sizes, std::size_t count, const std::uint8_t* data,
                   ByteArray* out) noexcept {
  return reference_kernels().text.lay_out(sizes, count, data, out);
}
std::size_t find_outside(const ByteArray* values, std::size_t count, const std::uint8_t* readable,
                         const PrefixRange& range) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [data, size] = values[i];
    if (readable - data < 8 || !range.holds(prefix_key_at(data, size))) return i;
  }
  return count;
}
template <typename T>
KeyRange<T> key_range(const std::uint8_t* values, std::size_t count, NumberKey key) noexcept {
  return loops::key_range<T>(values, count, key);
}

// A block of values stays in the first-level cache while one stream after the other is read.
void unsplit(const std::uint8_t* streams, std::size_t stride, std::uint32_t width, std::size_t count,
             std::uint8_t* out) noexcept {
  constexpr std::size_t kBlock = 128;
  for (std::size_t first = 0; first < count; first += kBlock) {
    const std::size_t block = std::min(kBlock, count - first);
    for (std::size_t k = 0; k < width; ++k) {
      const std::uint8_t* const stream = streams + k * stride + first;
      std::uint8_t* const to = out + first * width + k;
      for (std::size_t i = 0; i < block; ++i) to[i * width] = stream[i];
    }
  }
}

void split(const std::uint8_t* values, std::uint32_t width, std::size_t count, std::size_t stride,
           std::uint8_t* streams) noexcept {
  constexpr std::size_t kBlock = 128;
  for (std::size_t first = 0; first < count; first += kBlock) {
    const std::size_t block = std::min(kBlock, count - first);
    for (std::size_t k = 0; k < width; ++k) {
      const std::uint8_t* const from = values + first * width + k;
      std::uint8_t* const stream = streams + k * stride + first;
      for (std::size_t i = 0; i < block; ++i) stream[i] = from[i * width];
    }
  }
}

void print(const std::uint32_t* repetition, const std::uint32_t* definition, std::size_t count,
           const LevelProjection& ancestor, LevelPrint& print) noexcept {
  loops::print(repetition, definition, count, ancestor, print);
}

void hash_arrays(const ByteArray* values, std::size_t count, std::uint64_t* out) noexcept {
  reference_kernels().bloom.hash_arrays(values, count, out);
}
void hash32(const std::uint8_t* values, std::size_t count, std::uint64_t* out) noexcept {
  loops::hash<std::uint32_t>(values, count, out);
}
void hash64(const std::uint8_t* values, std::size_t count, std::uint64_t* out) noexcept {
  loops::hash<std::uint64_t>(values, count, out);
}

// Several blocks are loaded at once. Lookups are branch-free, because nearly all values are found.
std::uint64_t bloom_missing(const std::uint8_t* bitset, std::uint64_t blocks, const std::uint64_t* hashes,
                            std::size_t count) noexcept {
  const auto block = [&](std::size_t i) {
    return bitset + bloom_block(hashes[i], blocks) * BloomBlock::kBytes;
  };
  for (std::size_t i = 0; i < count; ++i) __builtin_prefetch(block(i));
  std::uint64_t missing = 0;
  for (std::size_t i = 0; i < count; ++i) {
    BloomBlock have;
    std::memcpy(have.words.data(), block(i), BloomBlock::kBytes);
    std::uint32_t found = 1;
    for (std::size_t word = 0; word < BloomBlock::kWords; ++word)
      found &= have.words[word] >> bloom_bit(hashes[i], word);
    missing |= std::uint64_t{found ^ 1} << i;
  }
  return missing;
}

Charset charset(const std::uint8_t* bytes, std::size_t count) noexcept {
  return reference_kernels().text.charset(bytes, count);
}

}  // namespace

const Kernels kPortable{
    .name = "portable",
    .unpack32 = unpack_any<std::uint32_t, Portable<std::uint32_t>>,
    .unpack64 = unpack_any<std::uint64_t, Portable<std::uint64_t>>,
    .unpack32_msb = unpack_any<std::uint32_t, PortableMsb>,
    .pack32 = pack_any<std::uint32_t, PortablePack<std::uint32_t>>,
    .pack64 = pack_any<std::uint64_t, PortablePack<std::uint64_t>>,
    .pack32_msb = pack_msb,
    .undelta32 = undelta<std::uint32_t>,
    .undelta64 = undelta<std::uint64_t>,
    .difference32 = difference<std::uint32_t, std::int32_t>,
    .difference64 = difference<std::uint64_t, std::int64_t>,
    .survey32 = survey<std::uint32_t>,
    .survey64 = survey<std::uint64_t>,
    .unsplit = unsplit,
    .split = split,
    .alp_decode32 = alp_decode<float, std::uint32_t>,
    .alp_decode64 = alp_decode<double, std::uint64_t>,
    .alp_encode32 = alp_encode<float>,
    .alp_encode64 = alp_encode<double>,
    .key_range32 = key_range<std::int32_t>,
    .key_range64 = key_range<std::int64_t>,
    .levels = {.tally = tally_levels, .print = print},
    .text = {.lay_out = lay_out, .find_outside = find_outside, .charset = charset},
    .bloom = {.hash32 = hash32, .hash64 = hash64, .hash_arrays = hash_arrays, .missing = bloom_missing},
};

}  // namespace parqproof::kernel
