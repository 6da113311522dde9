#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "codec/page/levels.hpp"

namespace parqproof {

/// The levels of one kind in a page, entry by entry. If their max is 0 they are not stored.
class LevelStream {
 public:
  /// `range`: rule that is reported for a level above `max`.
  LevelStream(std::uint32_t max, Rule range) noexcept : max_(max), range_(range) {}

  [[nodiscard]] std::uint32_t max() const noexcept { return max_; }

  /// Starts on the `count` levels of a page.
  [[nodiscard]] Status open(const LevelSection& section, std::uint64_t count);

  /// Returns the level of the next entry. Must not be called more than `count` times.
  [[nodiscard]] Result<std::uint32_t> next() {
    if (!filled()) {
      if (Status read = fill(); !read) return std::unexpected(read.error());
    }
    return take();
  }
  /// For loops over entries: returns true if the next level is available to take(); otherwise call fill()
  /// first.
  [[nodiscard]] bool filled() const noexcept { return max_ == 0 || used_ != batch_.count; }
  [[nodiscard]] Status fill();
  [[nodiscard]] std::uint32_t take() noexcept {
    if (max_ == 0) return 0;
    const std::uint64_t i = used_++;
    return batch_.values == nullptr ? batch_.repeated : batch_.values[i];
  }

  /// Number of levels from the last one that was taken on that are at hand without decoding. Precondition:
  /// one was taken.
  [[nodiscard]] std::uint64_t at_hand() const noexcept {
    return max_ == 0 ? UINT64_MAX : batch_.count - used_ + 1;
  }
  /// Those levels; null: all are the level that was taken.
  [[nodiscard]] const std::uint32_t* last_taken() const noexcept {
    return max_ == 0 || batch_.values == nullptr ? nullptr : batch_.values + used_ - 1;
  }
  /// Goes past `count` more of them.
  void skip(std::uint64_t count) noexcept { used_ += max_ == 0 ? 0 : count; }

  /// Returns how many levels are at the max. Reads the entire stream.
  [[nodiscard]] Result<std::uint64_t> count_maximum();

 private:
  struct Decoder {
    LevelDecoder levels;
    Notes notes;
    std::array<std::uint32_t, HybridDecoder::kBatch> gathered;  // levels of short runs
  };

  std::uint32_t max_;
  Rule range_;
  std::unique_ptr<Decoder> decoder_;  // large, so allocated only if levels are stored
  HybridDecoder::Batch batch_;
  std::uint64_t count_ = 0;
  std::uint64_t used_ = 0;  // levels used of the batch
  Space space_ = Space::file;
};

}  // namespace parqproof
