#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "codec/base/room.hpp"
#include "codec/encoding/delta/delta_binary_packed.hpp"
#include "codec/encoding/delta/delta_length_byte_array.hpp"
#include "codec/encoding/encode.hpp"
#include "codec/encoding/section.hpp"
#include "codec/encoding/values.hpp"

namespace parqproof {

/// DELTA_BYTE_ARRAY (Encodings.md#DELTASTRING): a delta stream of prefix lengths, then the suffixes as
/// DELTA_LENGTH_BYTE_ARRAY. A long value without prefix points into the section, one without suffix into the
/// previous value. Other values are joined in a buffer for one batch, so that a few bytes that encode many
/// long values cannot use unbounded memory.
class DeltaByteArrayDecoder {
 public:
  [[nodiscard]] Status open(const Section& section);
  [[nodiscard]] Result<ValueBatch> next();
  [[nodiscard]] Status end() const noexcept { return suffixes_.end(); }

 private:
  /// Properties of a batch.
  struct Batch {
    bool windows = false;      ///< some values are not in the buffer
    std::uint64_t copied = 0;  ///< copied bytes, which cost work
  };

  [[nodiscard]] Status refill();
  [[nodiscard]] Status check(std::uint32_t prefix, const ByteArray& suffix, const ByteArray& previous,
                             std::uint64_t ordinal);
  void start_batch(std::uint32_t prefix, const ByteArray& suffix);
  [[nodiscard]] Result<std::size_t> join(std::size_t filled, std::size_t most, Batch& batch);

  DeltaStream<std::uint32_t> prefixes_;
  DeltaLengthByteArrayDecoder suffixes_;
  View bytes_;
  Budget* budget_ = nullptr;
  Notes* notes_ = nullptr;
  std::uint32_t type_length_ = 0;
  bool fixed_ = false;       // FIXED_LEN_BYTE_ARRAY: values are contiguous in the buffer
  std::uint64_t count_ = 0;  // values in total
  std::uint64_t done_ = 0;   // values so far
  ByteArray previous_;
  const std::uint8_t* previous_place_ = nullptr;  // position in the section; null: not contiguous in it

  Room<std::uint32_t> prefix_lengths_;
  std::size_t prefixes_left_ = 0, prefix_at_ = 0;
  const ByteArray* suffix_at_ = nullptr;
  std::uint64_t suffixes_left_ = 0;

  std::unique_ptr<std::uint8_t[]> joined_;  // the previous value, then the values of the batch
  std::size_t joined_room_ = 0;
  std::size_t joined_size_ = 0;
  std::size_t joined_end_ = 0;  // end of the room for the values of this batch
  Room<ByteArray> values_;
  Room<const std::uint8_t*> places_;  // position of each value in the section; null: not contiguous in it
};

/// Writes BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY values: a delta stream of the lengths of the prefixes shared
/// with the previous value, then the suffixes as DELTA_LENGTH_BYTE_ARRAY. Suffixes are kept until finish().
class DeltaByteArrayEncoder {
 public:
  [[nodiscard]] EncodeStatus open(const NewSection& section);
  [[nodiscard]] EncodeStatus add(const ValueBatch& batch);
  [[nodiscard]] EncodeStatus add_run(const ValueBatch& value, std::uint64_t count);
  [[nodiscard]] EncodeStatus finish();

 private:
  [[nodiscard]] ByteArray value_of(const ValueBatch& batch, std::uint64_t i) const noexcept;

  std::vector<std::uint8_t>* out_ = nullptr;
  std::uint32_t type_length_ = 0;
  bool fixed_ = false;
  std::uint32_t longest_prefix_ = 0;
  std::vector<std::uint8_t> previous_;  // previous value
  DeltaStreamEncoder<std::uint32_t> prefixes_;
  EncodeOptions suffix_options_;
  DeltaLengthByteArrayEncoder suffixes_;
};

}  // namespace parqproof
