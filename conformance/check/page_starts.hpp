#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/check/context.hpp"

namespace parqproof {

/// Where the data pages of a chunk begin, by its OffsetIndex: with it, a lost page header costs no more than
/// its page.
class PageStarts {
 public:
  /// Where a walk goes on that has lost its way, and what it passes over.
  struct Jump {
    std::uint64_t offset = 0;      ///< of the next page, or the end of the chunk
    std::int32_t ordinal = 0;      ///< of that page in the chunk
    std::int32_t first_lost = 0;   ///< pages from this one to before `ordinal` are lost
    bool over_dictionary = false;  ///< the page before the first data page is lost
  };

  /// `offset_index`: the bytes of the OffsetIndex of a chunk whose pages lie in [start, end) of the source.
  /// Without one, or where its entries cannot be pages one behind the other in these bytes, there is nowhere
  /// to jump to.
  PageStarts(View offset_index, std::uint64_t start, std::uint64_t end, const Source& source,
             const Limits& limits);

  /// Where the walk stands that has lost its way.
  struct Walk {
    std::uint64_t at = 0;      ///< no header can be used here
    std::uint64_t before = 0;  ///< the page in front begins here, or what is to be passed over ends here
    std::int32_t ordinal = 0;  ///< of the page that should begin at `at`
    std::optional<std::int32_t> first_data;  ///< ordinal of the first data page, once that was met
    bool astray = false;                     ///< the page in front does not end where it says
  };

  /// The next page: where no page begins at `at`, it was the size of the page in front that led the walk
  /// there, and the next one is behind `before`. Nothing where the index does not know of this place.
  [[nodiscard]] std::optional<Jump> beyond(const Walk& walk) const;

  /// Whether the OffsetIndex denies that a page stands at `at` and ends at `end`. It is silent about the
  /// dictionary page, and behind its last page.
  [[nodiscard]] bool contradicts(std::uint64_t at, std::uint64_t end) const;

 private:
  std::vector<std::uint64_t> starts_;  // ascending
  std::uint64_t last_end_ = 0;         // of the last page
  std::uint64_t end_;
};

}  // namespace parqproof
