#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codec/file/index_tree.hpp"
#include "conformance/indexes/index_page_2013/index_tree_pages.hpp"
#include "conformance/state/chunk_scope.hpp"

namespace parqproof {

/// The index pages of a chunk, each taken apart into a node in one and the same form. The nodes refer to the
/// bodies in IndexTreePages. Pages are named by their numbers there.
struct IndexTreeReading {
  IndexTreeForm form{};
  std::uint64_t base = 0;  ///< the offset in the file that page offsets of entries count from
  std::unordered_map<std::size_t, IndexTreeNode> nodes;
  std::vector<std::pair<std::size_t, Error>> errors;  ///< of index pages that could not be taken apart
  std::int64_t good = 0;                              ///< entries that name a page
  std::int64_t bad = 0;                               ///< entries that name none

  /// Whether the entries name as many pages as a tree of all data and index pages has below its root.
  [[nodiscard]] bool is_intact(const IndexTreePages& pages) const noexcept;
};

/// Takes the index pages of a chunk apart in the form that the column calls for: by values where it is the
/// first one that the rows are sorted by, else by ordinals. The other form is chosen where the pages are a
/// whole tree in that one alone, and, in a row group without sorting_columns, where more entries name pages
/// in it. Page offsets count from the first data page, unless more entries name pages if they count from the
/// beginning of the file.
[[nodiscard]] IndexTreeReading read_index_tree(const ChunkScope& chunk, const IndexTreePages& pages);

}  // namespace parqproof
