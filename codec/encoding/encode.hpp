#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "codec/encoding/values.hpp"
#include "codec/format/enums.hpp"

namespace parqproof {

/// What the specification leaves to the writer. Every combination that an encoder takes decodes to the same;
/// what is unset is what most writers do.
struct EncodeOptions {
  /// How the hybrid cuts values into runs.
  enum class Runs : std::uint8_t {
    automatic,  ///< repeated runs of 8 or more equal values, bit-packed groups of 8 between them
    repeated,   ///< repeated runs alone
    packed,     ///< bit-packed runs alone, each as long as the specification allows
  };
  Runs runs = Runs::automatic;
  std::uint32_t longest_run = INT32_MAX;  ///< max values of a run of the hybrid; a bit-packed run has one
                                          ///< group of eight at least
  unsigned varint_bytes = 1;              ///< min bytes of a ULEB128 number in a run, delta or block header
  std::optional<unsigned> bit_width;      ///< of dictionary indices; unset: what the maximum needs
  unsigned spare_bits = 0;  ///< added to what the values of a miniblock, of an ALP vector or a number of
                            ///< GROUP_VAR_INT need, up to their type's
  std::uint32_t reference_slack = 0;           ///< subtracted from a min delta or a frame of reference
  std::uint8_t padding = 0;                    ///< value of unused bits, slots, numbers and width bytes
  std::optional<std::uint8_t> unneeded_width;  ///< the width byte of miniblocks of a delta block that have
                                               ///< no value; unset: the padding
  bool empty_header = true;                    ///< false: a section of no values has no bytes
  std::optional<std::uint32_t> block_size;  ///< of delta streams, in values; unset: 128, or the fewest that
                                            ///< the miniblocks divide
  std::optional<std::uint32_t> miniblocks;  ///< of a delta block; unset: 4
  std::optional<std::uint32_t> suffix_block_size;  ///< of the suffix lengths of DELTA_BYTE_ARRAY, if they
                                                   ///< have other blocks than the prefix lengths
  std::optional<std::uint32_t> suffix_miniblocks;  ///< of a block of them
  /// How much a value of DELTA_BYTE_ARRAY shares with the one before.
  enum class Prefixes : std::uint8_t { longest, none };
  Prefixes prefixes = Prefixes::longest;
  std::uint32_t longest_prefix = INT32_MAX;  ///< max bytes that a value of DELTA_BYTE_ARRAY shares
  bool selector_little_endian = false;       ///< of the selectors of 64-bit groups
  unsigned log_vector_size =
      10;  ///< of ALP: vectors have 2^n values; 10 is what the specification recommends
  struct Exponents {
    unsigned exponent = 0;
    unsigned factor = 0;
    friend bool operator==(const Exponents&, const Exponents&) = default;
  };
  std::optional<Exponents> exponents;     ///< of all ALP vectors; unset: chosen for each by a sample of it
  bool exceptions_descending = false;     ///< the order of the positions of ALP's exceptions
  std::uint32_t needless_exceptions = 0;  ///< of each ALP vector: of its first values that need be none
  /// The integer of an ALP vector that takes the place of an exception.
  enum class Placeholder : std::uint8_t {
    first,  ///< that of the first value that is no exception
    smallest,
    largest,
  };
  Placeholder placeholder = Placeholder::first;
};

/// Nothing, or in words why these values cannot be encoded with these options.
using EncodeStatus = std::expected<void, std::string_view>;

/// What is wrong with options whatever the encoding is.
[[nodiscard]] EncodeStatus check_options(const EncodeOptions& options) noexcept;

/// What an encoder of values is opened on; the references outlive the encoder's use of them.
struct NewSection {
  Type type;
  std::uint32_t type_length;  ///< bytes of a FIXED_LEN_BYTE_ARRAY value
  const EncodeOptions& options;
  std::vector<std::uint8_t>& out;  ///< the section is appended to it, as early as possible
};

/// Storage that holds one encoder of the table at a time.
struct AnyEncoder;

/// The push encoder of value sections: one object serves every (encoding, type) of the table and reuses its
/// buffers.
class ValueEncoder {
 public:
  ValueEncoder();
  ~ValueEncoder();
  ValueEncoder(ValueEncoder&&) noexcept;
  ValueEncoder& operator=(ValueEncoder&&) noexcept;

  /// Starts a value section. can_decode(encoding, section.type) holds. What is appended to section.out
  /// belongs to the caller only after finish(). A call that fails ends the section; lack of memory is an
  /// exception, as that of any vector.
  [[nodiscard]] EncodeStatus open(Encoding encoding, const NewSection& section);

  /// Takes the next values, in a form in which a decoder of this encoding and type delivers them; a run is
  /// not expanded. A section has 2^32 - 1 values at most, or what its encoding can count.
  [[nodiscard]] EncodeStatus add(const ValueBatch& batch);

  /// The same as `count` calls of add() with the first value of `value`, which has one at least. Only
  /// encodings that write each value take time and memory for each.
  [[nodiscard]] EncodeStatus add_run(const ValueBatch& value, std::uint64_t count);

  /// Completes the section.
  [[nodiscard]] EncodeStatus finish();

 private:
  [[nodiscard]] EncodeStatus count_in(std::uint64_t count) noexcept;
  template <typename Call>
  [[nodiscard]] EncodeStatus in_section(Call call);

  std::unique_ptr<AnyEncoder> any_;
  std::vector<std::uint8_t>* bare_ = nullptr;  // the output, where a section of no values has no bytes
  std::size_t start_ = 0;                      // of the section in it
  std::uint32_t width_ = 0;                    // bytes of a value of fixed width
  std::uint64_t count_ = 0;                    // values of the section so far
};

/// Encodes values that are all at hand.
[[nodiscard]] EncodeStatus encode_values(Encoding encoding, const NewSection& section,
                                         const ValueBatch& values);

}  // namespace parqproof
