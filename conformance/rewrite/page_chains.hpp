#pragma once

#include <cstdint>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/base/source.hpp"
#include "codec/page/page_reader.hpp"

namespace parqproof {

/// Pages that follow one another, with nothing between them but other complete structures.
struct PageChain {
  /// What an OffsetIndex says of a page.
  enum class Mark : std::uint8_t {
    none,    ///< no index names it
    first,   ///< it is the first data page of its chunk
    inside,  ///< it is a later one
  };

  std::vector<Page> pages;  ///< without the bytes of their headers and their statistics
  std::vector<Mark> marks;  ///< of the pages
  /// Of the pages: the chunk ends after it, according to an OffsetIndex.
  std::vector<bool> ends;
  bool has_clean_start = false;  ///< no page is missing before it
  bool has_clean_end = false;    ///< no page is missing after it

  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const Page& page : pages) sum += page.end() - page.offset;
    return sum;
  }
};

/// Finds the pages in the bytes [from, to), at whose start a column chunk begins. `ends_at_footer`: a footer
/// begins at `to`.
[[nodiscard]] std::vector<PageChain> find_page_chains(const Source& source, std::uint64_t from,
                                                      std::uint64_t to, bool ends_at_footer,
                                                      const Limits& limits);

/// Returns the end of the index, Bloom filter or copy of metadata at `at`, before `to`; `at` if there is
/// none.
[[nodiscard]] std::uint64_t end_of_structure(const Source& source, std::uint64_t at, std::uint64_t to,
                                             const Limits& limits);

}  // namespace parqproof
