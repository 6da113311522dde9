#include "codec/encoding/level_codec.hpp"

#include "codec/encoding/table.hpp"

namespace parqproof {

Status LevelDecoder::open(Encoding encoding, const LevelBytes& levels) {
  return find_encoding(encoding)->levels.open_decoder(any_, levels);
}

Result<HybridDecoder::Batch> LevelDecoder::next() noexcept {
  return std::visit([](auto& decoder) -> Result<HybridDecoder::Batch> { return decoder.next(); },
                    any_.decoder);
}

std::size_t LevelDecoder::next_short_runs(std::uint32_t max, std::span<std::uint32_t> out) noexcept {
  auto* const hybrid = std::get_if<HybridDecoder>(&any_.decoder);
  return hybrid == nullptr ? 0 : hybrid->next_short_runs(max, out);
}

View LevelDecoder::rest() const noexcept {
  return std::visit([](const auto& decoder) { return decoder.rest(); }, any_.decoder);
}

EncodeStatus LevelEncoder::open(Encoding encoding, const NewLevels& levels) {
  if (const EncodeStatus valid = check_options(levels.options); !valid) return valid;
  find_encoding(encoding)->levels.open_encoder(any_, levels);
  return {};
}

void LevelEncoder::add(std::uint32_t level, std::uint64_t count) {
  std::visit([&](auto& encoder) { encoder.add(level, count); }, any_.encoder);
}

void LevelEncoder::add(std::span<const std::uint32_t> levels) {
  std::visit([&](auto& encoder) { encoder.add(levels); }, any_.encoder);
}

void LevelEncoder::finish() {
  std::visit([](auto& encoder) { encoder.finish(); }, any_.encoder);
}

}  // namespace parqproof
