#pragma once

#include <cstdint>
#include <vector>

#include "codec/encoding/encode.hpp"
#include "codec/encoding/section.hpp"
#include "codec/encoding/values.hpp"

namespace parqproof {

/// BYTE_STREAM_SPLIT (Encodings.md#BYTESTREAMSPLIT): as many streams as a value has bytes, stream k with byte
/// k of every value.
class ByteStreamSplitDecoder {
 public:
  [[nodiscard]] Status open(const Section& section);
  [[nodiscard]] Result<ValueBatch> next();
  [[nodiscard]] Status end() const noexcept { return {}; }  // open() has compared the lengths

 private:
  View bytes_;
  std::uint64_t count_ = 0;
  std::uint64_t left_ = 0;
  std::uint32_t width_ = 0;
  std::vector<std::uint8_t> values_;
};

[[nodiscard]] EncodeStatus encode_byte_stream_split(const PlainValues& values, const EncodeOptions& options,
                                                    std::vector<std::uint8_t>& out);

}  // namespace parqproof
