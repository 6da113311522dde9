#include "codec/page/level_stream.hpp"

#include <algorithm>

#include "codec/base/bits.hpp"
#include "codec/kernel/kernels.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {

Status LevelStream::open(const LevelSection& section, std::uint64_t count) {
  batch_ = {};
  used_ = 0;
  count_ = count;
  space_ = section.bytes.space;
  if (max_ == 0) return {};
  if (decoder_ == nullptr) decoder_ = std::make_unique_for_overwrite<Decoder>();
  auto& [levels, notes, gathered] = *decoder_;
  notes.clear();
  return levels.open(section.encoding, {section.bytes, bit_width_for(max_), count, notes});
}

Status LevelStream::fill() {
  used_ = 0;
  if (const std::size_t count = decoder_->levels.next_short_runs(max_, decoder_->gathered); count != 0) {
    batch_ = {count, decoder_->gathered.data(), 0, 0};
    return {};
  }
  const Result<HybridDecoder::Batch> next = decoder_->levels.next();
  if (!next) return std::unexpected(next.error());
  batch_ = *next;
  std::uint32_t highest = batch_.repeated;
  if (batch_.values != nullptr) {
    highest = max32(kernels(), batch_.values, static_cast<std::size_t>(batch_.count));
  }
  if (highest > max_) return std::unexpected(Error{batch_.run_offset, highest, max_, 1, range_, space_});
  // A stream ends with an Error or with its count, beyond which the caller does not read.
  if (batch_.count == 0) {
    return std::unexpected(
        Error{batch_.run_offset, 0, static_cast<std::int64_t>(count_), 0, level_rules().value_count, space_});
  }
  return {};
}

Result<std::uint64_t> LevelStream::count_maximum() {
  if (max_ == 0) return count_;
  std::uint64_t at_maximum = 0;
  for (std::uint64_t done = 0; done < count_; done += batch_.count) {
    if (Status filled = fill(); !filled) return std::unexpected(filled.error());
    at_maximum +=
        batch_.values == nullptr
            ? (batch_.repeated == max_ ? batch_.count : 0)
            : static_cast<std::uint64_t>(std::count(batch_.values, batch_.values + batch_.count, max_));
  }
  return at_maximum;
}

}  // namespace parqproof
