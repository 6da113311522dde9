#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/rewrite/footer_part.hpp"

namespace parqproof {

/// Finds column chunks that follow missing or inserted bytes. Pages that fill a chunk exactly are the
/// evidence, at one distance for all chunks up to the footer; or the distance of the footer from the last
/// structure.
class MovedChunks {
 public:
  /// `data_end`: offset of the footer. `lost`: receives the bytes of headers of pages that are lost. `notes`:
  /// receives what was found. All outlive this object.
  MovedChunks(const Source& source, FooterPart& part, std::uint64_t data_end, const Limits& limits,
              std::vector<std::pair<std::uint64_t, std::uint64_t>>& lost, std::vector<std::string>& notes)
      : source_(source), part_(part), data_end_(data_end), limits_(limits), lost_(lost), notes_(notes) {}

  /// Writes the places of the chunks into their metadata; returns false if no bytes have moved.
  [[nodiscard]] bool relocate();

 private:
  [[nodiscard]] std::vector<StatedChunk*> chunks_in_order();
  [[nodiscard]] bool is_at(const StatedChunk& chunk, std::int64_t distance) const;
  [[nodiscard]] std::optional<std::int64_t> nearest(const StatedChunk& chunk, std::uint64_t from) const;
  void forget_indexes();
  void suspect_last_page(const StatedChunk& chunk);
  void lose_broken_page(const StatedChunk& chunk);

  const Source& source_;
  FooterPart& part_;
  std::uint64_t data_end_;
  const Limits& limits_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>>& lost_;
  std::vector<std::string>& notes_;
};

}  // namespace parqproof
