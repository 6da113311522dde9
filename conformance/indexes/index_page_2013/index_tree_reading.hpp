#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codec/file/index_tree.hpp"
#include "conformance/indexes/index_page_2013/index_tree_pages.hpp"
#include "conformance/state/chunk_scope.hpp"

namespace parqproof {

/// The index pages of a chunk, parsed into nodes of the same form. The nodes refer to the bodies in
/// IndexTreePages, and page numbers are those of IndexTreePages.
struct IndexTreeReading {
  IndexTreeForm form{};
  std::uint64_t base = 0;  ///< the offset in the file that page offsets of entries count from
  std::unordered_map<std::size_t, IndexTreeNode> nodes;
  std::vector<std::pair<std::size_t, Error>> errors;  ///< of index pages that could not be parsed
  std::int64_t good = 0;                              ///< entries that name a page
  std::int64_t bad = 0;                               ///< entries that name none

  /// Returns true if the entries name as many pages as a tree of all data and index pages has below its root.
  [[nodiscard]] bool is_intact(const IndexTreePages& pages) const noexcept;
};

/// Parses the index pages of a chunk in the form that is expected for the column: by values if it is the
/// first sorting column, or if there is none; else by ordinals. The number of entries that name a page is the
/// evidence for a form. The other form is accepted if the pages are a complete tree only in that form, or, in
/// a row group without sorting_columns, if more of its entries name pages. Page offsets count from the first
/// data page, unless more entries name pages when offsets count from the start of the file.
[[nodiscard]] IndexTreeReading read_index_tree(const ChunkScope& chunk, const IndexTreePages& pages);

}  // namespace parqproof
