#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codec/base/room.hpp"
#include "codec/encoding/delta/delta_binary_packed.hpp"
#include "codec/encoding/encode.hpp"
#include "codec/encoding/section.hpp"
#include "codec/encoding/values.hpp"

namespace parqproof {

/// DELTA_LENGTH_BYTE_ARRAY (Encodings.md#DELTALENGTH): a delta stream of the lengths, then all bytes. Batches
/// point into the section.
class DeltaLengthByteArrayDecoder {
 public:
  [[nodiscard]] Status open(const Section& section);
  /// Same as above, with another rule for a wrong count: for the suffixes of DELTA_BYTE_ARRAY.
  [[nodiscard]] Status open(View bytes, std::uint64_t count, Rule count_rule, Budget& budget, Notes& notes);
  [[nodiscard]] Result<ValueBatch> next();
  [[nodiscard]] Status end() const noexcept;

  /// Offset of the first byte of the length stream.
  [[nodiscard]] std::uint64_t offset() const noexcept { return lengths_.offset(); }

 private:
  [[nodiscard]] std::unexpected<Error> negative(std::size_t i) const noexcept;
  [[nodiscard]] std::unexpected<Error> wrong_sizes(std::size_t count) noexcept;

  DeltaStream<std::uint32_t> lengths_;
  View data_;
  Budget* budget_ = nullptr;
  std::uint64_t sum_ = 0;   // sum of the lengths so far
  std::uint64_t done_ = 0;  // values so far
  Room<std::uint32_t> sizes_;
  Room<ByteArray> values_;
};

/// Writes the lengths of byte arrays as a delta stream, then their bytes. The bytes are kept until finish(),
/// those of a run once.
class DeltaLengthByteArrayEncoder {
 public:
  [[nodiscard]] EncodeStatus open(const NewSection& section) { return open(section.options, section.out); }
  /// Same as above, for the suffixes of DELTA_BYTE_ARRAY.
  [[nodiscard]] EncodeStatus open(const EncodeOptions& options, std::vector<std::uint8_t>& out);
  [[nodiscard]] EncodeStatus add(const ValueBatch& batch);
  [[nodiscard]] EncodeStatus add_run(const ValueBatch& value, std::uint64_t count);
  [[nodiscard]] EncodeStatus add_run(const ByteArray& value, std::uint64_t count);
  [[nodiscard]] EncodeStatus finish();

 private:
  /// A repeated value.
  struct Run {
    std::size_t begin = 0;  ///< beginning of its bytes among the kept bytes
    std::uint32_t size = 0;
    std::uint64_t copies = 0;  ///< copies in addition to the kept one
  };

  DeltaStreamEncoder<std::uint32_t> lengths_;
  std::vector<std::uint8_t> data_;
  std::vector<Run> runs_;
  std::vector<std::uint8_t>* out_ = nullptr;
};

}  // namespace parqproof
