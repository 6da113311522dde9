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

/// The index stream of a data page.
[[nodiscard]] EncodeStatus encode_dictionary_indices(const PlainValues& values, const EncodeOptions& options,
                                                     std::vector<std::uint8_t>& out);

}  // namespace parqproof
