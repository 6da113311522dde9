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

/// All bits that occur in some numbers, and the smallest of them.
template <typename T>
struct Survey {
  T bits = 0;
  T min = 0;
};

/// How the stored bits of a number become a key: a signed integer that compares as the number does. Each of
/// them is its own inverse.
enum class NumberKey : std::uint8_t {
  signed_int,    ///< the number itself
  unsigned_int,  ///< the highest bit inverted
  floating,      ///< IEEE 754 totalOrder: below zero all bits but the sign inverted
};

template <NumberKey kKey, typename T>
[[nodiscard]] constexpr T number_key(T bits) noexcept {
  constexpr T kSign = std::numeric_limits<T>::min();
  if constexpr (kKey == NumberKey::unsigned_int) return static_cast<T>(bits ^ kSign);
  if constexpr (kKey == NumberKey::floating) return static_cast<T>(bits < 0 ? bits ^ ~kSign : bits);
  return bits;
}

/// The minimum and the maximum of some keys.
template <typename T>
struct KeyRange {
  T min = std::numeric_limits<T>::max();
  T max = std::numeric_limits<T>::min();

  friend bool operator==(const KeyRange&, const KeyRange&) = default;
};

/// What pairs of levels are held against (README.md#nested-encoding).
struct LevelBounds {
  std::uint32_t max_definition = 0;
  std::uint32_t element = 0;  ///< definition level of an element of the innermost list
  /// For each repetition level the definition level that such an entry, and the one before it, has to reach.
  std::span<const std::uint32_t> reached;
};

/// What some pairs of levels tell.
struct LevelTally {
  std::uint64_t rows = 0;         ///< repetition level 0
  std::uint64_t stored = 0;       ///< maximum definition level
  std::uint64_t null_leaves = 0;  ///< one below it
  std::uint64_t elements = 0;     ///< definition level of an element, or above it
  bool legal = true;              ///< each pair, and the one before it, reaches what it has to

  friend bool operator==(const LevelTally&, const LevelTally&) = default;
};

/// Differences whose range is noted together.
inline constexpr std::size_t kDifferences = 32;

/// How well ALP's integers express some numbers.
template <typename T>
struct AlpFit {
  std::size_t exact = 0;  ///< numbers that an integer expresses
  KeyRange<T> range;      ///< of these integers

  friend bool operator==(const AlpFit&, const AlpFit&) = default;
};

/// Loops over pairs of levels; see Kernels.
struct LevelKernels {
  /// Counts `count` < 2^32 pairs of levels, each at most its maximum, and judges them; without `repetition`
  /// all repetition levels are 0. `previous` is the definition level in front of the first pair.
  LevelTally (*tally)(const std::uint32_t* repetition, const std::uint32_t* definition, std::size_t count,
                      std::uint32_t previous, const LevelBounds& bounds) noexcept;

  /// Adds to `print` what some pairs of levels tell of a shared ancestor.
  void (*print)(const std::uint32_t* repetition, const std::uint32_t* definition, std::size_t count,
                const LevelProjection& ancestor, LevelPrint& print) noexcept;
};

/// All bits that occur in the sizes of some byte arrays, and their sum.
struct SizeSurvey {
  std::uint32_t bits = 0;
  std::uint64_t sum = 0;

  friend bool operator==(const SizeSurvey&, const SizeSurvey&) = default;
};

/// What some bytes are as text.
enum class Charset : std::uint8_t {
  none,   ///< not well-formed UTF-8, as utf8_error() has it
  utf8,   ///< with bytes that are no ASCII
  ascii,  ///< nothing else, or no byte at all
};

/// Loops over byte arrays; see Kernels.
struct TextKernels {
  /// Makes `count` < 2^32 byte arrays of these sizes, which lie back to back from `data` on; whether the
  /// bytes are there does not matter.
  SizeSurvey (*lay_out)(const std::uint32_t* sizes, std::size_t count, const std::uint8_t* data,
                        ByteArray* out) noexcept;

  /// The first of `count` byte arrays whose key is not in `range`, or that has not 8 bytes between its
  /// beginning and `readable`; `count` where there is none.
  std::size_t (*find_outside)(const ByteArray* values, std::size_t count, const std::uint8_t* readable,
                              const PrefixRange& range) noexcept;

  /// What `count` bytes are as text.
  Charset (*charset)(const std::uint8_t* bytes, std::size_t count) noexcept;
};

/// Loops over the values of a Bloom filter and their hashes; see Kernels.
struct BloomKernels {
  /// XXH64 with seed 0 of each of `count` values of 4 bytes (BloomFilter.md).
  void (*hash32)(const std::uint8_t* values, std::size_t count, std::uint64_t* out) noexcept;
  /// The same for values of 8 bytes.
  void (*hash64)(const std::uint8_t* values, std::size_t count, std::uint64_t* out) noexcept;
  /// The same for byte arrays.
  void (*hash_arrays)(const ByteArray* values, std::size_t count, std::uint64_t* out) noexcept;

  /// Which of `count` (up to 64) hashes are not in a Bloom filter, whose bitset is `blocks` blocks: bit i for
  /// hashes[i].
  std::uint64_t (*missing)(const std::uint8_t* bitset, std::uint64_t blocks, const std::uint64_t* hashes,
                           std::size_t count) noexcept;
};

/// The loops that decoding and encoding spend their time in, as one set of functions; all sets give the same
/// results. A kernel checks nothing: its caller has made sure of sizes and widths.
struct Kernels {
  std::string_view name;

  /// Unpacks `count` values of `width` (0 to 32) bits each, least significant bit first (Encodings.md#RLE).
  /// The packed bytes are the first ceil(count * width / 8) of the `readable` bytes at `in`; the others may
  /// be read, and do not count.
  void (*unpack32)(const std::uint8_t* in, std::size_t readable, unsigned width, std::size_t count,
                   std::uint32_t* out) noexcept;

  /// The same for widths of 0 to 64 bits (Encodings.md#DELTAENC).
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

  /// The same for widths of 0 to 64 bits, modulo 2^64.
  void (*pack64)(const std::uint64_t* values, std::uint64_t base, unsigned width, std::size_t count,
                 std::uint8_t* out) noexcept;

  /// Packs the lowest `width` (1 to 32) bits of each of `count` values, most significant bit first. Writes
  /// ceil(count * width / 8) bytes; unused bits of the last one are 0.
  void (*pack32_msb)(const std::uint32_t* values, unsigned width, std::size_t count,
                     std::uint8_t* out) noexcept;

  /// Unpacks `count` > 0 deltas as unpack32 does, surveys them, and adds them up: out[i] = out[i - 1] + base
  /// + deltas[i], modulo 2^32, beginning with `last` (Encodings.md#DELTAENC).
  Survey<std::uint32_t> (*undelta32)(const std::uint8_t* in, std::size_t readable, unsigned width,
                                     std::size_t count, std::uint32_t base, std::uint32_t last,
                                     std::uint32_t* out) noexcept;

  /// The same for widths of 0 to 64 bits, modulo 2^64.
  Survey<std::uint64_t> (*undelta64)(const std::uint8_t* in, std::size_t readable, unsigned width,
                                     std::size_t count, std::uint64_t base, std::uint64_t last,
                                     std::uint64_t* out) noexcept;

  /// Turns `count` + 1 values into `count` differences where they stand, modulo 2^32: values[i + 1] -
  /// values[i]. ranges[j] is the range of the differences [32 * j, 32 * j + 32), as far as there are some.
  void (*difference32)(std::uint32_t* values, std::size_t count, KeyRange<std::int32_t>* ranges) noexcept;

  /// The same modulo 2^64.
  void (*difference64)(std::uint64_t* values, std::size_t count, KeyRange<std::int64_t>* ranges) noexcept;

  /// Surveys `count` > 0 numbers.
  Survey<std::uint32_t> (*survey32)(const std::uint32_t* values, std::size_t count) noexcept;
  Survey<std::uint64_t> (*survey64)(const std::uint64_t* values, std::size_t count) noexcept;

  /// Puts together `count` values of `width` bytes: byte k of value i stands at streams[k * stride + i]
  /// (Encodings.md#BYTESTREAMSPLIT). Only these bytes are read.
  void (*unsplit)(const std::uint8_t* streams, std::size_t stride, std::uint32_t width, std::size_t count,
                  std::uint8_t* out) noexcept;

  /// Takes `count` values of `width` bytes apart: byte k of value i goes to streams[k * stride + i].
  void (*split)(const std::uint8_t* values, std::uint32_t width, std::size_t count, std::size_t stride,
                std::uint8_t* streams) noexcept;

  /// The numbers that `count` integers of ALP stand for: those of integers[i] + reference, modulo 2^32.
  void (*alp_decode32)(const std::uint32_t* integers, std::size_t count, std::uint32_t reference,
                       const AlpScale<float>& scale, float* out) noexcept;
  /// The same modulo 2^64.
  void (*alp_decode64)(const std::uint64_t* integers, std::size_t count, std::uint64_t reference,
                       const AlpScale<double>& scale, double* out) noexcept;

  /// The integers of `count` numbers, as AlpScale finds them; exact[i] is 1 where there is one, 0 otherwise.
  AlpFit<std::int32_t> (*alp_encode32)(const float* values, std::size_t count, const AlpScale<float>& scale,
                                       std::int32_t* integers, std::uint8_t* exact) noexcept;
  AlpFit<std::int64_t> (*alp_encode64)(const double* values, std::size_t count, const AlpScale<double>& scale,
                                       std::int64_t* integers, std::uint8_t* exact) noexcept;

  /// The keys of `count` little-endian numbers at `values` (any alignment) range so far.
  KeyRange<std::int32_t> (*key_range32)(const std::uint8_t* values, std::size_t count,
                                        NumberKey key) noexcept;
  KeyRange<std::int64_t> (*key_range64)(const std::uint8_t* values, std::size_t count,
                                        NumberKey key) noexcept;

  LevelKernels levels;
  TextKernels text;
  BloomKernels bloom;
};

/// The maximum of `count` numbers; 0 where there are none.
[[nodiscard]] inline std::uint32_t max32(const Kernels& set, const std::uint32_t* values,
                                         std::size_t count) noexcept {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(values);
  const std::int32_t key = set.key_range32(bytes, count, NumberKey::unsigned_int).max;
  return static_cast<std::uint32_t>(number_key<NumberKey::unsigned_int>(key));
}

/// A bit, a byte, a value at a time: the definition that the other sets are held against.
[[nodiscard]] const Kernels& reference_kernels() noexcept;

/// The sets that this processor can run, from the slowest (reference) to the fastest.
[[nodiscard]] std::span<const Kernels* const> all_kernels() noexcept;

/// The set that use_kernels() has chosen; null: none yet.
extern std::atomic<const Kernels*> chosen_kernels;

/// The set that decoders and encoders use: the fastest, unless use_kernels() has chosen another.
[[nodiscard]] inline const Kernels& kernels() noexcept {
  const Kernels* const chosen = chosen_kernels.load(std::memory_order_relaxed);
  return chosen != nullptr ? *chosen : *all_kernels().back();
}

/// Lets all decoders and encoders of the process use this set from now on; meant for the start of a program
/// (--kernels).
void use_kernels(const Kernels& set) noexcept;

}  // namespace parqproof
