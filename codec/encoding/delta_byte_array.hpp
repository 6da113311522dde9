#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "codec/encoding/delta_binary_packed.hpp"
#include "codec/encoding/delta_length_byte_array.hpp"
#include "codec/encoding/encode.hpp"
#include "codec/encoding/section.hpp"
#include "codec/encoding/values.hpp"

namespace parqproof {

/// DELTA_BYTE_ARRAY (Encodings.md#DELTASTRING): a delta stream of prefix lengths, then the suffixes as
/// DELTA_LENGTH_BYTE_ARRAY. A value without prefix is a window into the section, one without suffix a window
/// into the value before it; the others are put together in a buffer, so that a few bytes that claim many
/// long values cost memory for one batch alone.
class DeltaByteArrayDecoder {
 public:
  [[nodiscard]] Status open(const Section& section);
  [[nodiscard]] Result<ValueBatch> next();
  [[nodiscard]] Status end() const noexcept { return suffixes_.end(); }

 private:
  [[nodiscard]] Status refill();
  [[nodiscard]] Status check(std::uint32_t prefix, const ByteArray& suffix);
  void start_batch(std::size_t needed);
  [[nodiscard]] const std::uint8_t* join(std::uint32_t prefix, const ByteArray& suffix);

  DeltaStream<std::uint32_t> prefixes_;
  DeltaLengthByteArrayDecoder suffixes_;
  View bytes_;
  Budget* budget_ = nullptr;
  Notes* notes_ = nullptr;
  std::uint32_t type_length_ = 0;
  bool fixed_ = false;      // FIXED_LEN_BYTE_ARRAY: values stand back to back in the buffer
  std::uint64_t done_ = 0;  // values so far
  ByteArray previous_;

  std::array<std::uint32_t, kBatchValues> prefix_lengths_;
  std::size_t prefixes_left_ = 0, prefix_at_ = 0;
  const ByteArray* suffix_at_ = nullptr;
  std::uint64_t suffixes_left_ = 0;

  std::vector<std::uint8_t> joined_;  // the previous value, then the values of the batch
  std::size_t joined_size_ = 0;
  std::array<ByteArray, kBatchValues> values_;
};

[[nodiscard]] EncodeStatus encode_delta_byte_array(const PlainValues& values, const EncodeOptions& options,
                                                   std::vector<std::uint8_t>& out);

}  // namespace parqproof
