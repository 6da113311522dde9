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
/// DELTA_LENGTH_BYTE_ARRAY. A long value without prefix is a window into the section, one without suffix a
/// window into the value before it; the others are put together in a buffer, so that a few bytes that claim
/// many long values cost memory for one batch alone.
class DeltaByteArrayDecoder {
 public:
  [[nodiscard]] Status open(const Section& section);
  [[nodiscard]] Result<ValueBatch> next();
  [[nodiscard]] Status end() const noexcept { return suffixes_.end(); }

 private:
  /// What is to be told of a batch.
  struct Batch {
    bool windows = false;      ///< there are some
    std::uint64_t copied = 0;  ///< bytes that cost work
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
  bool fixed_ = false;       // FIXED_LEN_BYTE_ARRAY: values stand back to back in the buffer
  std::uint64_t count_ = 0;  // values in all
  std::uint64_t done_ = 0;   // values so far
  ByteArray previous_;
  const std::uint8_t* previous_place_ = nullptr;  // in the section; null: in no one place

  Room<std::uint32_t> prefix_lengths_;
  std::size_t prefixes_left_ = 0, prefix_at_ = 0;
  const ByteArray* suffix_at_ = nullptr;
  std::uint64_t suffixes_left_ = 0;

  std::unique_ptr<std::uint8_t[]> joined_;  // the previous value, then the values of the batch
  std::size_t joined_room_ = 0;
  std::size_t joined_size_ = 0;
  std::size_t joined_end_ = 0;  // of the room for the values of this batch
  Room<ByteArray> values_;
  Room<const std::uint8_t*> places_;  // of the values in the section; null: of none
};

/// Writes BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY values as the lengths of the prefixes that they share with the
/// value before, then what follows behind them; the values are kept until then, those of a run once.
class DeltaByteArrayEncoder {
 public:
  [[nodiscard]] EncodeStatus open(const NewSection& section);
  [[nodiscard]] EncodeStatus add(const ValueBatch& batch);
  [[nodiscard]] EncodeStatus add_run(const ValueBatch& value, std::uint64_t count);
  [[nodiscard]] EncodeStatus finish();

 private:
  struct Value {
    std::uint32_t size = 0;
    std::uint32_t prefix = 0;  ///< bytes at the start that the value before has too
    std::uint32_t copies = 0;  ///< how often the value stands again behind itself
  };

  [[nodiscard]] EncodeStatus add(const ByteArray& value, std::uint64_t count);
  [[nodiscard]] std::uint32_t prefix_of_copies(const Value& value, std::uint32_t longest) const noexcept;
  void open_prefixes(std::uint32_t longest, const EncodeOptions& options);
  void open_suffixes(std::uint32_t longest, const EncodeOptions& options);
  [[nodiscard]] EncodeStatus append_lengths(std::uint32_t longest, std::vector<std::uint8_t>& out);
  [[nodiscard]] std::uint64_t suffix_bytes(std::uint32_t longest) const noexcept;
  void append_suffixes(std::uint32_t longest);
  [[nodiscard]] EncodeStatus append(std::uint32_t longest);
  [[nodiscard]] std::vector<std::uint32_t> limits() const;
  [[nodiscard]] EncodeStatus rank(std::vector<std::uint32_t>& limits);

  const EncodeOptions* options_ = nullptr;
  EncodeOptions suffix_options_;  // of the suffix lengths
  std::vector<std::uint8_t>* out_ = nullptr;
  std::uint32_t type_length_ = 0;
  bool fixed_ = false;
  std::vector<Value> values_;
  std::uint64_t count_ = 0;                   // of all values, copies too
  std::vector<std::uint8_t> data_;            // of the values, without copies
  DeltaStreamEncoder<std::uint32_t> stream_;  // of lengths
};

}  // namespace parqproof
