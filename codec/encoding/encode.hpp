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
/// what is unset is chosen so that the output is small.
struct EncodeOptions {
  /// How the hybrid cuts values into runs.
  enum class Runs : std::uint8_t {
    automatic,  ///< the cut with the least bytes, as far as a few thousand runs go; under longest_run no more
                ///< than a good one
    repeated,   ///< repeated runs alone
    packed,     ///< bit-packed runs alone, each as long as the specification allows
  };
  Runs runs = Runs::automatic;
  std::uint32_t longest_run = INT32_MAX;  ///< values that a run of the hybrid has at most; a bit-packed run
                                          ///< has one group of eight at least
  unsigned varint_bytes = 1;  ///< that a ULEB128 number of a run, a delta header or a block takes at least
  std::optional<unsigned> bit_width;  ///< of dictionary indices; unset: what the largest one needs
  unsigned spare_bits = 0;  ///< above what the values of a miniblock or an ALP vector, or a number of
                            ///< GROUP_VAR_INT need, up to their type's
  std::uint32_t reference_slack =
      0;                     ///< that a min delta or a frame of reference stands below the smallest number
  std::uint8_t padding = 0;  ///< what unused bits, slots, numbers and width bytes are filled with
  std::optional<std::uint8_t> unneeded_width;  ///< the width byte of miniblocks of a delta block that have
                                               ///< no value; unset: the padding
  bool empty_header = true;                    ///< false: a section of no values has no bytes
  std::optional<std::uint32_t> block_size;     ///< of delta streams, in values
  std::optional<std::uint32_t> miniblocks;     ///< of a delta block
  std::optional<std::uint32_t> suffix_block_size;  ///< of the suffix lengths of DELTA_BYTE_ARRAY, if they
                                                   ///< have other blocks than the prefix lengths
  std::optional<std::uint32_t> suffix_miniblocks;  ///< of a block of them
  /// How much a value of DELTA_BYTE_ARRAY shares with the one before.
  enum class Prefixes : std::uint8_t {
    automatic,  ///< what takes the fewest bytes of the two and of some lengths between them
    longest,
    none,
  };
  Prefixes prefixes = Prefixes::automatic;
  std::uint32_t longest_prefix = INT32_MAX;  ///< bytes that a value of DELTA_BYTE_ARRAY shares at most
  bool selector_little_endian = false;       ///< of the selectors of 64-bit groups
  std::optional<unsigned> log_vector_size;   ///< of ALP: the vectors have 2^n values; unset: 10, as the
                                             ///< specification recommends, unless another saves more than 3 %
  struct Exponents {
    unsigned exponent = 0;
    unsigned factor = 0;
    friend bool operator==(const Exponents&, const Exponents&) = default;
  };
  std::optional<Exponents> exponents;     ///< of ALP; unset: for each vector the best pair that is tried
  bool exceptions_descending = false;     ///< the order of the positions of ALP's exceptions
  std::uint32_t needless_exceptions = 0;  ///< of each ALP vector: of its first values that need be none
  /// The integer of an ALP vector that stands in the place of an exception.
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
  /// encodings that write each value take memory for each. DELTA and ALP do not join a run with one before
  /// it: pieces of some hundred or 100,000 values may be kept value by value.
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
