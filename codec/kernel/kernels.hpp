#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "codec/base/bytes.hpp"
#include "codec/kernel/alp_scale.hpp"
#include "codec/kernel/level_print.hpp"
#include "codec/kernel/prefix_key.hpp"

namespace parqproof {

/// Union of the bits of some numbers, and the smallest of them.
template <typename T>
struct Survey {
  T bits = 0;
  T min = 0;
};

/// Conversion of the stored bits of a number to a key: a signed integer with the same order as the numbers.
/// Each conversion is its own inverse.
enum class NumberKey : std::uint8_t {
  signed_int,    ///< the number itself
  unsigned_int,  ///< the highest bit inverted
  floating,      ///< IEEE 754 totalOrder: for negative numbers all bits except the sign are inverted
};

template <NumberKey kKey, typename T>
[[nodiscard]] constexpr T number_key(T bits) noexcept {
  constexpr T kSign = std::numeric_limits<T>::min();
  if constexpr (kKey == NumberKey::unsigned_int) return static_cast<T>(bits ^ kSign);
  if constexpr (kKey == NumberKey::floating) return static_cast<T>(bits < 0 ? bits ^ ~kSign : bits);
  return bits;
}

/// Min and max of some keys.
template <typename T>
struct KeyRange {
  T min = std::numeric_limits<T>::max();
  T max = std::numeric_limits<T>::min();

  friend bool operator==(const KeyRange&, const KeyRange&) = default;
};

/// Bounds with which pairs of levels are compared (README.md#nested-encoding).
struct LevelBounds {
  std::uint32_t max_definition = 0;
  std::uint32_t element = 0;  ///< definition level of an element of the innermost list
  /// Min definition level of an entry with this repetition level, and of the previous entry.
  std::span<const std::uint32_t> reached;
};

/// Counts over some pairs of levels.
struct LevelTally {
  std::uint64_t rows = 0;         ///< entries with repetition level 0
  std::uint64_t stored = 0;       ///< entries with the max definition level
  std::uint64_t null_leaves = 0;  ///< entries with a definition level one below the max
  std::uint64_t elements = 0;     ///< entries with at least the definition level of an element
  bool legal = true;              ///< each pair and its predecessor reach the min definition level

  friend bool operator==(const LevelTally&, const LevelTally&) = default;
};

/// Number of consecutive differences that share a range.
inline constexpr std::size_t kDifferences = 32;

/// Statistics of the ALP encoding of some numbers.
template <typename T>
struct AlpFit {
  std::size_t exact = 0;  ///< numbers that an integer represents exactly
  KeyRange<T> range;      ///< range of these integers

  friend bool operator==(const AlpFit&, const AlpFit&) = default;
};

/// Kernels over pairs of levels; see Kernels.
struct LevelKernels {
  /// Counts and checks `count` < 2^32 pairs of levels, each at most its max; null `repetition` means that all
  /// repetition levels are 0. `previous` is the definition level before the first pair.
  LevelTally (*tally)(const std::uint32_t* repetition, const std::uint32_t* definition, std::size_t count,
                      std::uint32_t previous, const LevelBounds& bounds) noexcept;

  /// Adds pairs of levels, projected to a shared ancestor, to `print`.
  void (*print)(const std::uint32_t* repetition, const std::uint32_t* definition, std::size_t count,
                const LevelProjection& ancestor, LevelPrint& print) noexcept;
};

/// Union of the bits of the sizes of some byte arrays, and their sum.
struct SizeSurvey {
  std::uint32_t bits = 0;
  std::uint64_t sum = 0;

  friend bool operator==(const SizeSurvey&, const SizeSurvey&) = default;
};

/// Character set of some bytes.
enum class Charset : std::uint8_t {
  none,   ///< not well-formed UTF-8, see utf8_error()
  utf8,   ///< with non-ASCII characters
  ascii,  ///< ASCII only, or no bytes
};

/// Kernels over byte arrays; see Kernels.
struct TextKernels {
  /// Makes `count` < 2^32 byte arrays of these sizes, contiguous from `data` on. Does not access the bytes,
  /// which need not exist.
  SizeSurvey (*lay_out)(const std::uint32_t* sizes, std::size_t count, const std::uint8_t* data,
                        ByteArray* out) noexcept;

  /// Returns the index of the first of `count` byte arrays whose key is outside of `range`, or that has fewer
  /// than 8 bytes between its beginning and `readable`; `count` if there is none.
  std::size_t (*find_outside)(const ByteArray* values, std::size_t count, const std::uint8_t* readable,
                              const PrefixRange& range) noexcept;

  /// Classifies `count` bytes.
  Charset (*charset)(const std::uint8_t* bytes, std::size_t count) noexcept;
};

/// Kernels over the values of a Bloom filter and their hashes; see Kernels.
struct BloomKernels {
  /// Computes XXH64 with seed 0 of each of `count` values of 4 bytes (BloomFilter.md).
  void (*hash32)(const std::uint8_t* values, std::size_t count, std::uint64_t* out) noexcept;
  /// Same as hash32() for values of 8 bytes.
  void (*hash64)(const std::uint8_t* values, std::size_t count, std::uint64_t* out) noexcept;
  /// Same as hash32() for byte arrays.
  void (*hash_arrays)(const ByteArray* values, std::size_t count, std::uint64_t* out) noexcept;

  /// Returns which of `count` <= 64 hashes are not in a Bloom filter of `blocks` blocks: bit i for hashes[i].
  std::uint64_t (*missing)(const std::uint8_t* bitset, std::uint64_t blocks, const std::uint64_t* hashes,
                           std::size_t count) noexcept;
};

/// The hot loops of decoding and encoding, as one set of functions; all sets give the same results. Kernels
/// check nothing: the caller has validated sizes and widths.
struct Kernels {
  std::string_view name;

  /// Unpacks `count` values of `width` (0 to 32) bits each, least significant bit first (Encodings.md#RLE).
  /// The packed bytes are the first ceil(count * width / 8) of the `readable` bytes at `in`; the others may
  /// be read but have no effect.
  void (*unpack32)(const std::uint8_t* in, std::size_t readable, unsigned width, std::size_t count,
                   std::uint32_t* out) noexcept;

  /// Same as unpack32() for widths of 0 to 64 bits (Encodings.md#DELTAENC).
  void (*unpack64)(const std::uint8_t* in, std::size_t readable, unsigned width, std::size_t count,
                   std::uint64_t* out) noexcept;

  /// Unpacks `count` values of `width` (1 to 32) bits each, most significant bit first
  /// (Encodings.md#BITPACKED).
  void (*unpack32_msb)(const std::uint8_t* in, std::size_t readable, unsigned width, std::size_t count,
                       std::uint32_t* out) noexcept;

  /// Packs the lowest `width` (0 to 32) bits of each of the `count` numbers values[i] - base, modulo 2^32,
  /// least significant bit first. Writes ceil(count * width / 8) bytes; unused bits of the last one are 0.
  void (*pack32)(const std::uint32_t* values, std::uint32_t base, unsigned width, std::size_t count,
                 std::uint8_t* out) noexcept;

  /// Same as pack32() for widths of 0 to 64 bits, modulo 2^64.
  void (*pack64)(const std::uint64_t* values, std::uint64_t base, unsigned width, std::size_t count,
                 std::uint8_t* out) noexcept;

  /// Packs the lowest `width` (1 to 32) bits of each of `count` values, most significant bit first. Writes
  /// ceil(count * width / 8) bytes; unused bits of the last one are 0.
  void (*pack32_msb)(const std::uint32_t* values, unsigned width, std::size_t count,
                     std::uint8_t* out) noexcept;

  /// Unpacks `count` > 0 deltas like unpack32(), surveys them, and accumulates: out[i] = out[i - 1] + base +
  /// deltas[i], modulo 2^32, beginning with `last` (Encodings.md#DELTAENC).
  Survey<std::uint32_t> (*undelta32)(const std::uint8_t* in, std::size_t readable, unsigned width,
                                     std::size_t count, std::uint32_t base, std::uint32_t last,
                                     std::uint32_t* out) noexcept;

  /// Same as undelta32() for widths of 0 to 64 bits, modulo 2^64.
  Survey<std::uint64_t> (*undelta64)(const std::uint8_t* in, std::size_t readable, unsigned width,
                                     std::size_t count, std::uint64_t base, std::uint64_t last,
                                     std::uint64_t* out) noexcept;

  /// Replaces `count` + 1 values by `count` differences in place, modulo 2^32: values[i + 1] - values[i].
  /// ranges[j] is the range of the differences [32 * j, min(32 * j + 32, count)).
  void (*difference32)(std::uint32_t* values, std::size_t count, KeyRange<std::int32_t>* ranges) noexcept;

  /// Same as difference32() modulo 2^64.
  void (*difference64)(std::uint64_t* values, std::size_t count, KeyRange<std::int64_t>* ranges) noexcept;

  /// Surveys `count` > 0 numbers.
  Survey<std::uint32_t> (*survey32)(const std::uint32_t* values, std::size_t count) noexcept;
  Survey<std::uint64_t> (*survey64)(const std::uint64_t* values, std::size_t count) noexcept;

  /// Assembles `count` values of `width` bytes: byte k of value i is at streams[k * stride + i]
  /// (Encodings.md#BYTESTREAMSPLIT). Reads no other bytes.
  void (*unsplit)(const std::uint8_t* streams, std::size_t stride, std::uint32_t width, std::size_t count,
                  std::uint8_t* out) noexcept;

  /// Splits `count` values of `width` bytes: byte k of value i goes to streams[k * stride + i].
  void (*split)(const std::uint8_t* values, std::uint32_t width, std::size_t count, std::size_t stride,
                std::uint8_t* streams) noexcept;

  /// Decodes `count` ALP integers: integers[i] + reference, modulo 2^32.
  void (*alp_decode32)(const std::uint32_t* integers, std::size_t count, std::uint32_t reference,
                       const AlpScale<float>& scale, float* out) noexcept;
  /// Same as alp_decode32() modulo 2^64.
  void (*alp_decode64)(const std::uint64_t* integers, std::size_t count, std::uint64_t reference,
                       const AlpScale<double>& scale, double* out) noexcept;

  /// Finds the integers of `count` numbers like AlpScale; exact[i] is 1 if there is one, else 0.
  AlpFit<std::int32_t> (*alp_encode32)(const float* values, std::size_t count, const AlpScale<float>& scale,
                                       std::int32_t* integers, std::uint8_t* exact) noexcept;
  AlpFit<std::int64_t> (*alp_encode64)(const double* values, std::size_t count, const AlpScale<double>& scale,
                                       std::int64_t* integers, std::uint8_t* exact) noexcept;

  /// Returns the range of the keys of `count` little-endian numbers at `values`, which need not be aligned.
  KeyRange<std::int32_t> (*key_range32)(const std::uint8_t* values, std::size_t count,
                                        NumberKey key) noexcept;
  KeyRange<std::int64_t> (*key_range64)(const std::uint8_t* values, std::size_t count,
                                        NumberKey key) noexcept;

  LevelKernels levels;
  TextKernels text;
  BloomKernels bloom;
};

/// Returns the max of `count` numbers; 0 if there are none.
[[nodiscard]] inline std::uint32_t max32(const Kernels& set, const std::uint32_t* values,
                                         std::size_t count) noexcept {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(values);
  const std::int32_t key = set.key_range32(bytes, count, NumberKey::unsigned_int).max;
  return static_cast<std::uint32_t>(number_key<NumberKey::unsigned_int>(key));
}

/// One bit, byte or value at a time: the reference with which the other sets are compared.
[[nodiscard]] const Kernels& reference_kernels() noexcept;

/// Returns the sets that this processor can run, from the slowest (reference) to the fastest.
[[nodiscard]] std::span<const Kernels* const> all_kernels() noexcept;

/// Set chosen by use_kernels(); null if none was chosen.
extern std::atomic<const Kernels*> chosen_kernels;

/// Returns the set that decoders and encoders use: the fastest, unless use_kernels() has chosen another one.
[[nodiscard]] inline const Kernels& kernels() noexcept {
  const Kernels* const chosen = chosen_kernels.load(std::memory_order_relaxed);
  return chosen != nullptr ? *chosen : *all_kernels().back();
}

/// Makes all decoders and encoders of the process use this set from now on. Call it at the start of a program
/// (--kernels).
void use_kernels(const Kernels& set) noexcept;

}  // namespace parqproof
