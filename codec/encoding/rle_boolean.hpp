#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "codec/encoding/encode.hpp"
#include "codec/encoding/hybrid.hpp"
#include "codec/encoding/section.hpp"
#include "codec/encoding/values.hpp"

namespace parqproof {

/// RLE as an encoding of values (Encodings.md#RLE): booleans as hybrid runs of bit width 1 behind a length in
/// four bytes.
class RleBooleanDecoder {
 public:
  [[nodiscard]] Status open(const Section& section);
  [[nodiscard]] Result<ValueBatch> next();
  [[nodiscard]] Status end() const noexcept;

 private:
  HybridDecoder runs_;
  std::array<std::uint8_t, HybridDecoder::kBatch> values_;
};

[[nodiscard]] EncodeStatus encode_rle_booleans(const PlainValues& values, const EncodeOptions& options,
                                               std::vector<std::uint8_t>& out);

}  // namespace parqproof
