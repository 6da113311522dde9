#pragma once

#include <span>
#include <vector>

#include "codec/encoding/encode.hpp"
#include "codec/encoding/rle/hybrid.hpp"
#include "codec/encoding/section.hpp"
#include "codec/encoding/values.hpp"

namespace parqproof {

/// Max bit width in the first byte of dictionary indices.
inline constexpr unsigned kMaxIndexWidth = 32;

/// Dictionary indices (Encodings.md#DICTIONARY): a byte with the bit width, then hybrid runs to the end of
/// the section.
class DictionaryIndexDecoder {
 public:
  [[nodiscard]] Status open(const Section& section);
  [[nodiscard]] Result<ValueBatch> next();
  [[nodiscard]] Status end() const noexcept;

 private:
  HybridDecoder runs_;
  View bytes_;
  std::uint64_t dictionary_size_ = 0;
  bool failed_ = false;
};

/// Writes the indices of a data page. Unless options.bit_width is set, it keeps the indices until the largest
/// one is known; a batch of equal indices is kept as one.
class DictionaryIndexEncoder {
 public:
  [[nodiscard]] EncodeStatus open(const NewSection& section);
  [[nodiscard]] EncodeStatus add(const ValueBatch& batch);
  [[nodiscard]] EncodeStatus finish();

 private:
  /// A repeated index after indices that are kept individually.
  struct Run {
    std::size_t before = 0;  // number of individual indices before the run
    std::uint32_t index = 0;
    std::uint64_t count = 0;
  };

  void keep_run(std::uint32_t index, std::uint64_t count);
  void keep(std::span<const std::uint32_t> indices);

  HybridEncoder runs_;
  std::vector<Run> kept_runs_;
  std::vector<std::uint32_t> kept_;
  std::size_t in_runs_ = 0;  // individual indices before the last run
  std::uint32_t bits_ = 0;   // union of the bits of all indices
  const EncodeOptions* options_ = nullptr;
  std::vector<std::uint8_t>* out_ = nullptr;
};

}  // namespace parqproof
