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

  /// The level of the next entry; there are `count` of them.
  [[nodiscard]] Result<std::uint32_t> next() {
    if (max_ == 0) return 0U;
    if (used_ == batch_.count) {
      if (Status filled = fill(); !filled) return std::unexpected(filled.error());
    }
    return batch_.values == nullptr ? (++used_, batch_.repeated) : batch_.values[used_++];
  }

  /// How many of the levels, from the first to the last, are at the maximum; the stream is at its end then.
  [[nodiscard]] Result<std::uint64_t> count_maximum();

  /// At the end: there was nothing to be noted, and no byte is left behind the last level.
  [[nodiscard]] bool clean() const noexcept;

 private:
  struct Decoder {
    std::variant<HybridDecoder, BitPackedDecoder> form;
    Notes notes;
  };
  [[nodiscard]] Status fill();

  std::uint32_t max_;
  Rule range_;
  std::unique_ptr<Decoder> decoder_;  // large, so only where levels are stored
  HybridDecoder::Batch batch_;
  std::uint64_t count_ = 0;
  std::uint64_t used_ = 0;  // of the batch
  Space space_ = Space::file;
};

}  // namespace parqproof
