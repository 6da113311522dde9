#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "codec/encoding/encode.hpp"
#include "codec/encoding/rle/hybrid.hpp"
#include "codec/encoding/section.hpp"
#include "codec/encoding/values.hpp"

namespace parqproof {

/// RLE as an encoding of booleans (Encodings.md#RLE): a four-byte length, then hybrid runs of bit width 1.
class RleBooleanDecoder {
 public:
  [[nodiscard]] Status open(const Section& section);
  [[nodiscard]] Result<ValueBatch> next();
  [[nodiscard]] Status end() const noexcept;

 private:
  HybridDecoder runs_;
  std::array<std::uint8_t, HybridDecoder::kBatch> values_;
};

/// Writes booleans as a four-byte length and hybrid runs.
class RleBooleanEncoder {
 public:
  [[nodiscard]] EncodeStatus open(const NewSection& section);
  [[nodiscard]] EncodeStatus add(const ValueBatch& batch);
  [[nodiscard]] EncodeStatus finish();

 private:
  HybridEncoder runs_;
  std::vector<std::uint8_t>* out_ = nullptr;
  std::size_t start_ = 0;  // size of the output at the beginning of the section
};

}  // namespace parqproof
