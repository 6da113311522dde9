#pragma once

#include <span>
#include <vector>

#include "codec/encoding/encode.hpp"
#include "codec/encoding/rle/hybrid.hpp"
#include "codec/encoding/section.hpp"
#include "codec/encoding/values.hpp"

namespace parqproof {

/// The largest bit width that the first byte of dictionary indices may name.
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

/// Writes the index stream of a data page. Without options.bit_width it keeps the indices, a batch of equal
/// ones as one, until the largest is known.
class DictionaryIndexEncoder {
 public:
  [[nodiscard]] EncodeStatus open(const NewSection& section);
  [[nodiscard]] EncodeStatus add(const ValueBatch& batch);
  [[nodiscard]] EncodeStatus finish();

 private:
  /// An index that is repeated, behind some that are kept one by one.
  struct Run {
    std::size_t before = 0;  // indices
    std::uint32_t index = 0;
    std::uint64_t count = 0;
  };

  void keep_run(std::uint32_t index, std::uint64_t count);
  void keep(std::span<const std::uint32_t> indices);

  HybridEncoder runs_;
  std::vector<Run> kept_runs_;
  std::vector<std::uint32_t> kept_;
  std::size_t in_runs_ = 0;  // indices of kept_ that stand before the last run
  std::uint32_t bits_ = 0;   // of all indices, or-ed
  const EncodeOptions* options_ = nullptr;
  std::vector<std::uint8_t>* out_ = nullptr;
};

}  // namespace parqproof
