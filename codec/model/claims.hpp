#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/base/source.hpp"
#include "codec/model/model.hpp"

namespace parqproof::model {

/// A segment without a parsed struct: `head` bytes of a struct at `offset`, then `body` bytes.
[[nodiscard]] Segment stored(Segment::Kind kind, std::uint64_t offset, std::uint64_t head,
                             std::uint64_t body = 0);

/// The stored segments of a file while it is parsed. The first claim of a byte wins.
class Claims {
 public:
  /// Adds a segment at its stored place. Returns false if it is empty, or another one has some of its bytes.
  bool add(Segment segment);
  /// Returns true if no segment has any of the bytes [begin, end).
  [[nodiscard]] bool is_free(std::uint64_t begin, std::uint64_t end) const;
  /// Begin of the first segment at or after `offset`, or `otherwise`.
  [[nodiscard]] std::uint64_t next_begin(std::uint64_t offset, std::uint64_t otherwise) const;
  [[nodiscard]] std::size_t size() const noexcept { return segments_.size(); }

  /// Makes segments of all other bytes of the source: earlier footers, and gaps. Returns false if the source
  /// cannot be read.
  [[nodiscard]] bool fill_gaps(const Source& source, const Limits& limits);

  /// Returns all segments in order, and leaves none.
  [[nodiscard]] std::vector<Segment> take();

 private:
  [[nodiscard]] bool earlier_footers(Window& window, std::uint64_t begin, std::uint64_t end,
                                     const Limits& limits);
  void earlier_footer(Window& window, std::uint64_t begin, std::uint64_t magic, std::uint64_t& budget,
                      const Limits& limits);
  void gap(std::uint64_t begin, std::uint64_t end);

  std::map<std::uint64_t, Segment> segments_;  // by their first byte
};

}  // namespace parqproof::model
