#include "codec/model/page_levels.hpp"

#include "codec/encoding/table.hpp"

namespace parqproof::model {
namespace {

bool has_levels(Encoding encoding) {
  const EncodingInfo* const info = find_encoding(encoding);
  return info != nullptr && info->levels.exists();
}

}  // namespace

std::optional<std::vector<std::uint32_t>> decode_levels(Encoding encoding, View bytes, unsigned bit_width,
                                                        std::uint64_t count) {
  Notes notes;
  LevelDecoder decoder;
  if (count > kMostLevels || !has_levels(encoding) ||
      !decoder.open(encoding, {bytes, bit_width, count, notes}))
    return std::nullopt;
  std::vector<std::uint32_t> levels;
  for (;;) {
    const auto batch = decoder.next();
    if (!batch) return std::nullopt;
    if (batch->count == 0) return levels;
    if (batch->values == nullptr) {
      levels.insert(levels.end(), static_cast<std::size_t>(batch->count), batch->repeated);
    } else {
      levels.insert(levels.end(), batch->values, batch->values + batch->count);
    }
  }
}

std::vector<std::uint8_t> encode_levels(Encoding encoding, unsigned bit_width,
                                        std::span<const std::uint32_t> levels) {
  std::vector<std::uint8_t> bytes;
  const EncodeOptions options;
  LevelEncoder encoder;
  if (!has_levels(encoding) || !encoder.open(encoding, {bit_width, options, bytes})) return bytes;
  encoder.add(levels);
  encoder.finish();
  return bytes;
}

}  // namespace parqproof::model
