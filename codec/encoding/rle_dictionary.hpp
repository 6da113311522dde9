#pragma once

#include <vector>

#include "codec/encoding/encode.hpp"
#include "codec/encoding/hybrid.hpp"
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

/// Writes the index stream of a data page. Without options.bit_width it keeps the indices, equal ones once,
/// until the largest is known.
class DictionaryIndexEncoder {
 public:
  [[nodiscard]] EncodeStatus open(const NewSection& section);
  [[nodiscard]] EncodeStatus add(const ValueBatch& batch);
  [[nodiscard]] EncodeStatus finish();

 private:
  struct Run {
    std::uint32_t index = 0;
    std::uint32_t count = 0;
  };

  void keep(std::uint32_t index, std::uint64_t count);

  HybridEncoder runs_;
  std::vector<Run> kept_;
  std::uint32_t bits_ = 0;  // of all indices, or-ed
  const EncodeOptions* options_ = nullptr;
  std::vector<std::uint8_t>* out_ = nullptr;
};

}  // namespace parqproof
