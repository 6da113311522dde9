#pragma once

#include <cstdint>
#include <memory>

#include "codec/page/levels.hpp"

namespace parqproof {

/// The levels of one kind in one page, entry by entry. Levels whose maximum is 0 are not stored.
class LevelStream {
 public:
  /// `range`: the rule that a level above `max` breaks.
  LevelStream(std::uint32_t max, Rule range) noexcept : max_(max), range_(range) {}

  [[nodiscard]] std::uint32_t max() const noexcept { return max_; }

  /// Starts on the `count` levels of a page.
  [[nodiscard]] Status open(const LevelSection& section, std::uint64_t count);

  /// The level of the next entry; there are `count` of them.
  [[nodiscard]] Result<std::uint32_t> next() {
    if (!filled()) {
      if (Status read = fill(); !read) return std::unexpected(read.error());
    }
    return take();
  }
  /// The same in steps, for loops over entries: whether the next level is at hand, else fill() reads on; then
  /// take() gives it.
  [[nodiscard]] bool filled() const noexcept { return max_ == 0 || used_ != batch_.count; }
  [[nodiscard]] Status fill();
  [[nodiscard]] std::uint32_t take() noexcept {
    if (max_ == 0) return 0;
    const std::uint64_t i = used_++;
    return batch_.values == nullptr ? batch_.repeated : batch_.values[i];
  }

  /// How many of the levels, from the first to the last, are at the maximum; the stream is at its end then.
  [[nodiscard]] Result<std::uint64_t> count_maximum();

 private:
  struct Decoder {
    LevelDecoder levels;
    Notes notes;
  };

  std::uint32_t max_;
  Rule range_;
  std::unique_ptr<Decoder> decoder_;  // large, so only where levels are stored
  HybridDecoder::Batch batch_;
  std::uint64_t count_ = 0;
  std::uint64_t used_ = 0;  // of the batch
  Space space_ = Space::file;
};

}  // namespace parqproof
