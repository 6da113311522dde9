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

/// Choices that the specification leaves to the writer. All valid combinations decode to the same values; the
/// defaults are those of most writers.
struct EncodeOptions {
  /// How the RLE/bit-packing hybrid divides values into runs.
  enum class Runs : std::uint8_t {
    automatic,  ///< repeated runs of 8 or more equal values, bit-packed groups of 8 between them
    repeated,   ///< only repeated runs
    packed,     ///< only bit-packed runs, each as long as the specification allows
  };
  Runs runs = Runs::automatic;
  /// Max values of a hybrid run; a bit-packed run has at least one group of eight.
  std::uint32_t longest_run = INT32_MAX;
  unsigned varint_bytes = 1;          ///< min bytes of a ULEB128 number in a run, delta or block header
  std::optional<unsigned> bit_width;  ///< bit width of dictionary indices; unset: as needed for the max index
  unsigned spare_bits = 0;  ///< added to the bit width needed by a miniblock, an ALP vector or a number of
                            ///< GROUP_VAR_INT, up to the width of the type
  std::uint32_t reference_slack = 0;  ///< subtracted from the min delta or the frame of reference
  std::uint8_t padding = 0;           ///< value of unused bits, slots, numbers and width bytes
  /// Width byte of miniblocks without values in a delta block; unset: the padding.
  std::optional<std::uint8_t> unneeded_width;
  bool empty_header = true;  ///< false: a section without values has no bytes
  /// Values of a delta block; unset: 128, or the smallest size that the miniblocks divide.
  std::optional<std::uint32_t> block_size;
  std::optional<std::uint32_t> miniblocks;         ///< miniblocks of a delta block; unset: 4
  std::optional<std::uint32_t> suffix_block_size;  ///< block size of the suffix lengths of DELTA_BYTE_ARRAY;
                                                   ///< unset: that of the prefix lengths
  std::optional<std::uint32_t> suffix_miniblocks;  ///< miniblocks of such a block
  /// Prefix of the previous value that a value of DELTA_BYTE_ARRAY reuses.
  enum class Prefixes : std::uint8_t { longest, none };
  Prefixes prefixes = Prefixes::longest;
  std::uint32_t longest_prefix = INT32_MAX;  ///< max length of such a prefix
  bool selector_little_endian = false;       ///< byte order of the selectors of 64-bit GROUP_VAR_INT groups
  /// ALP vectors have 2^n values; 10 is the recommendation of the specification.
  unsigned log_vector_size = 10;
  struct Exponents {
    unsigned exponent = 0;
    unsigned factor = 0;
    friend bool operator==(const Exponents&, const Exponents&) = default;
  };
  std::optional<Exponents> exponents;  ///< of all ALP vectors; unset: chosen for each vector from a sample
  bool exceptions_descending = false;  ///< order of the exception positions of ALP
  /// Number of leading values of each ALP vector that become exceptions without need.
  std::uint32_t needless_exceptions = 0;
  /// The integer that an ALP vector stores in place of an exception.
  enum class Placeholder : std::uint8_t {
    first,  ///< that of the first value that is not an exception
    smallest,
    largest,
  };
  Placeholder placeholder = Placeholder::first;
};

/// Success, or the reason why the values cannot be encoded with these options.
using EncodeStatus = std::expected<void, std::string_view>;

/// Checks the options that are invalid for every encoding.
[[nodiscard]] EncodeStatus check_options(const EncodeOptions& options) noexcept;

/// Arguments of ValueEncoder::open(). The caller keeps the references alive until finish().
struct NewSection {
  Type type;
  std::uint32_t type_length;  ///< bytes of a FIXED_LEN_BYTE_ARRAY value
  const EncodeOptions& options;
  std::vector<std::uint8_t>& out;  ///< output to which the section is appended, as early as possible
};

/// Storage that holds one encoder of the table at a time.
struct AnyEncoder;

/// The push encoder of value sections. One object serves every (encoding, type) of the table and reuses its
/// buffers.
class ValueEncoder {
 public:
  ValueEncoder();
  ~ValueEncoder();
  ValueEncoder(ValueEncoder&&) noexcept;
  ValueEncoder& operator=(ValueEncoder&&) noexcept;

  /// Starts a value section. Precondition: can_decode(encoding, section.type). What is appended to
  /// section.out may still change until finish(). A call that fails ends the section; lack of memory throws
  /// std::bad_alloc.
  [[nodiscard]] EncodeStatus open(Encoding encoding, const NewSection& section);

  /// Adds values, in any form that a decoder of this encoding and type returns; runs are not expanded. Fails
  /// above 2^32 - 1 values in a section, or the max count of the encoding.
  [[nodiscard]] EncodeStatus add(const ValueBatch& batch);

  /// Same as `count` calls of add() with the first value of `value`, which must not be empty. Takes time and
  /// memory for each value only in encodings that write each value.
  [[nodiscard]] EncodeStatus add_run(const ValueBatch& value, std::uint64_t count);

  /// Completes the section.
  [[nodiscard]] EncodeStatus finish();

 private:
  [[nodiscard]] EncodeStatus count_in(std::uint64_t count) noexcept;
  template <typename Call>
  [[nodiscard]] EncodeStatus in_section(Call call);

  std::unique_ptr<AnyEncoder> any_;
  std::vector<std::uint8_t>* bare_ = nullptr;  // the output, if a section without values has no bytes
  std::size_t start_ = 0;                      // size of the output at the beginning of the section
  std::uint32_t width_ = 0;                    // bytes of a fixed-width value
  std::uint64_t count_ = 0;                    // values of the section so far
};

/// Encodes a complete value section.
[[nodiscard]] EncodeStatus encode_values(Encoding encoding, const NewSection& section,
                                         const ValueBatch& values);

}  // namespace parqproof
