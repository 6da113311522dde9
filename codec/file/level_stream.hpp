#pragma once

#include <cstdint>
#include <memory>
#include <variant>

#include "codec/file/levels.hpp"

namespace parqproof {

/// The levels of one kind in one page, entry by entry. Levels whose maximum is 0 are not stored.
class LevelStream {
 public:
  /// `range`: the rule that a level above `max` breaks.
  LevelStream(std::uint32_t max, Rule range) noexcept : max_(max), range_(range) {}

  [[nodiscard]] std::uint32_t max() const noexcept { return max_; }

  /// Starts on the `count` levels of a page.
  [[nodiscard]] Status open(const LevelSection& section, std::uint64_t count);

  /// Whether the level of the next entry is at hand; where it is not, fill() reads on.
  [[nodiscard]] bool filled() const noexcept { return max_ == 0 || used_ != batch_.count; }
  [[nodiscard]] Status fill();
  /// The level of the next entry; it is filled(), and there are `count` of them.
  [[nodiscard]] std::uint32_t next() noexcept {
    if (max_ == 0) return 0;
    const std::uint64_t i = used_++;
    return batch_.values == nullptr ? batch_.repeated : batch_.values[i];
  }

  /// How many of the levels, from the first to the last, are at the maximum; the stream is at its end then.
  [[nodiscard]] Result<std::uint64_t> count_maximum();

 private:
  using Decoder = std::variant<HybridDecoder, BitPackedDecoder>;

  std::uint32_t max_;
  Rule range_;
  std::unique_ptr<Decoder> decoder_;  // large, so only where levels are stored
  HybridDecoder::Batch batch_;
  Notes notes_;
  std::uint64_t count_ = 0;
  std::uint64_t used_ = 0;  // of the batch
  Space space_ = Space::file;
};

}  // namespace parqproof
