#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "codec/base/limits.hpp"
#include "codec/compression/decompress.hpp"
#include "codec/encoding/values.hpp"
#include "codec/rules/finding.hpp"

namespace parqproof {

/// A section without a page: values of one encoding, or levels.
struct LoneSection {
  Encoding encoding = Encoding::PLAIN;
  Type type = Type::INT32;
  bool levels = false;                  ///< levels in the RLE hybrid or BIT_PACKED; `type` is ignored
  bool length_word = false;             ///< of RLE levels: their length precedes them, as in v1 pages
  std::uint32_t type_length = 0;        ///< bytes of a FIXED_LEN_BYTE_ARRAY value
  unsigned bit_width = 0;               ///< of levels
  std::uint64_t count = 0;              ///< values or levels
  bool selector_little_endian = false;  ///< of the selectors of GROUP_VAR_INT's 64-bit groups

  /// Returns true if the values are the indices of a dictionary-encoded page, which has no dictionary here.
  [[nodiscard]] bool indices() const noexcept { return !levels && is_dictionary_encoding(encoding); }
};

/// Returns the reason why the specification does not allow such a section (INT96 in ALP, levels of 40 bits),
/// or an empty string. Indices are of type INT32.
[[nodiscard]] std::string_view why_impossible(const LoneSection& section) noexcept;

/// Takes the next values; levels come as `indices` or `index_run`. Returning false ends the decoding without
/// a finding.
using TakeValues = std::function<bool(const ValueBatch&)>;

/// Decodes and judges the section like that of a page, including trailing bytes and a count of 0; offsets
/// count from its first byte. Findings, including infos, are in the order of their bytes. Values may reach
/// `take` before a finding does. why_impossible(section) must be empty.
[[nodiscard]] Findings decode_section(const LoneSection& section, std::span<const std::uint8_t> bytes,
                                      const Limits& limits, const TakeValues& take);

/// Decompresses and judges a compressed stream as the body of a page whose header gives `size` uncompressed
/// bytes; offsets count from its first byte. `out` holds these bytes if no rule of severity error is broken.
/// The stream must not be empty, and can_decompress(codec) must be true.
[[nodiscard]] Findings expand_stream(CompressionCodec codec, std::span<const std::uint8_t> bytes,
                                     std::size_t size, const Limits& limits, Buffer& out);

/// The verdict on a section, from its findings.
enum class SectionVerdict : std::uint8_t {
  sound,      ///< no rule of severity error is broken
  broken,     ///< a rule of severity error is broken
  undecided,  ///< not everything could be decoded: not supported, or a limit was reached
};
[[nodiscard]] SectionVerdict verdict_of(const Findings& findings) noexcept;

}  // namespace parqproof
