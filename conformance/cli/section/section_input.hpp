#pragma once

#include <cstdint>
#include <expected>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "conformance/section/value_section.hpp"

/// A section and its values, as the command line and golden vectors describe them.
namespace parqproof::cli {

/// A section as the command line and golden vectors describe it.
struct SectionWords {
  std::string encoding;                      ///< name in the specification
  std::string type;                          ///< a physical type, or LEVEL
  std::optional<std::uint64_t> type_length;  ///< only of FIXED_LEN_BYTE_ARRAY
  std::optional<std::uint64_t> bit_width;    ///< of LEVEL; of indices, equal to their first byte
  std::uint64_t count = 0;
  std::string selector;  ///< be or le, only of INT64 in GROUP_VAR_INT; empty: be
};

class Subcommand;

/// Declares the options of `decode` and `encode` that describe a section; `decode` adds --count.
void declare_section(Subcommand& sub, SectionWords& words);

/// Parses the words; the error is the message.
[[nodiscard]] std::expected<LoneSection, std::string> section_of(const SectionWords& words);

/// Values in memory, in one form for all encodings.
struct ValueList {
  std::uint64_t count = 0;
  std::vector<std::uint8_t>
      bytes;  ///< all values as in PLAIN, but one byte for each boolean and byte arrays without lengths
  std::vector<std::uint32_t> numbers;  ///< indices and levels, or the lengths of byte arrays

  /// Adds the first `most` values of a batch.
  void append(const ValueBatch& batch, std::uint32_t width, std::uint64_t most);

  /// The values as one batch, which references the list and `windows`.
  [[nodiscard]] ValueBatch batch(Type type, std::uint32_t type_length, bool indices,
                                 std::vector<ByteArray>& windows) const;

  friend bool operator==(const ValueList&, const ValueList&) = default;
};

/// Reads a JSON array of values of this type, into `numbers` if they are indices or levels; the error is the
/// message. "NaN" is the quiet NaN without payload, "nan:0x7fc00001" the NaN with these bits.
[[nodiscard]] std::expected<ValueList, std::string> read_values(const nlohmann::json& array, Type type,
                                                                std::uint32_t type_length, bool numbers);

}  // namespace parqproof::cli
