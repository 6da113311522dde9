#pragma once

#include <cstdint>
#include <vector>

#include "codec/encoding/encode.hpp"
#include "codec/encoding/section.hpp"
#include "codec/encoding/values.hpp"

namespace parqproof {

/// BYTE_STREAM_SPLIT (Encodings.md#BYTESTREAMSPLIT): one stream for each byte of a value; stream k contains
/// byte k of every value.
class ByteStreamSplitDecoder {
 public:
  [[nodiscard]] Status open(const Section& section);
  [[nodiscard]] Result<ValueBatch> next();
  [[nodiscard]] Status end() const noexcept { return {}; }  // open() has checked the length

 private:
  View bytes_;
  std::uint64_t count_ = 0;
  std::uint64_t left_ = 0;
  std::uint32_t width_ = 0;
  std::vector<std::uint8_t> values_;
};

/// Writes BYTE_STREAM_SPLIT. Keeps all values until finish().
class ByteStreamSplitEncoder {
 public:
  [[nodiscard]] EncodeStatus open(const NewSection& section);
  [[nodiscard]] EncodeStatus add(const ValueBatch& batch);
  [[nodiscard]] EncodeStatus finish();

 private:
  std::vector<std::uint8_t>* out_ = nullptr;
  std::vector<std::uint8_t> values_;
  std::uint32_t width_ = 0;
};

}  // namespace parqproof
