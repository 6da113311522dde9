#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "codec/geo/box.hpp"
#include "codec/rules/finding.hpp"
#include "conformance/result/file_report.hpp"
#include "conformance/state/parsed_footer.hpp"
#include "conformance/state/readable_pages.hpp"

namespace parqproof {

/// Order of the rows as the walk along a chunk proves it, if the chunk is the first sorting column.
enum class SortProof : std::uint8_t {
  none,     ///< nothing
  sorted,   ///< the rows are in the claimed order, with nulls first or last as claimed
  distinct  ///< sorted, and no two rows are equal
};

/// Sums over the pages of a chunk, as they were read.
struct ChunkTotal {
  std::uint64_t start = 0;           ///< of the first page header in the file
  std::uint64_t end = 0;             ///< one past the last page
  std::int64_t compressed = 0;       ///< bytes of pages with their headers
  std::int64_t uncompressed = 0;     ///< the same with bodies uncompressed
  std::int64_t values = 0;           ///< entries by the page headers
  std::optional<std::int64_t> rows;  ///< set if known by the levels or headers of all pages
  bool walked = false;               ///< all its headers were read
  bool sums_known = false;           ///< no page is missing in the sums, so that they can be compared
  SortProof sort_proof = SortProof::none;
  bool may_have_more_entries = false;  ///< a page may have more entries than were counted

  /// Adds the bytes of a page.
  void count(const Page& page) noexcept;

  friend bool operator==(const ChunkTotal&, const ChunkTotal&) = default;
};

/// Pages without checksum whose values contradict the statistics that cover them.
struct ContradictedPages {
  std::int32_t first = -1;  ///< ordinal of the first page; -1: one or more pages of the chunk
  std::int32_t last = -1;
  RowRange rows = {};  ///< of the row group
  Finding finding = {};
};

/// Which rows the values of a chunk can belong to, by its Statistics. Only of chunks that these contradict.
struct ValueOrigin {
  /// The bounds of all values that could be read, by the order of the type; empty if they are all equal, or
  /// not known.
  std::vector<std::uint8_t> min;
  std::vector<std::uint8_t> max;
  bool all_outside = false;  ///< all of them are outside of the Statistics
  std::vector<ContradictedPages> contradicted;
};

/// Rarely needed results of the pages of a chunk; most chunks have none.
struct ChunkDetails {
  /// For each ancestor that the leaf shares with other leaves, from the outermost on: a hash of the levels of
  /// that ancestor.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> fingerprints;
  std::shared_ptr<ReadablePages> damage;  ///< the readable pages, if others are not readable
  std::shared_ptr<ReadablePages> doubt;   ///< the readable pages that break no rule, if others break one

  std::shared_ptr<ValueOrigin> origin;  ///< if rows are read by the outcome
  std::shared_ptr<geo::Summary> geo;    ///< of all values of a geospatial column, if they are known

  [[nodiscard]] bool empty() const noexcept {
    return fingerprints.empty() && !damage && !doubt && !origin && !geo;
  }
};

/// The tallies of all chunks of a file. A file may have a million chunks, and the pages of most match their
/// metadata: for such a chunk only a mark is kept, and its tally is computed from its claim. Claims do not
/// change once their tallies are set.
class ChunkTotals {
 public:
  /// Returns true if no pages were read.
  [[nodiscard]] bool empty() const noexcept { return marks_.empty(); }
  /// Makes room for `chunks` chunks, in the order of ParsedFooter::chunks.
  void resize(std::size_t chunks) { marks_.resize(chunks); }

  void set(const ParsedFooter& footer, std::size_t chunk, const ChunkTotal& tally, ChunkDetails details);
  /// A chunk whose pages were not read has the tally of no pages, and no details.
  [[nodiscard]] ChunkTotal tally(const ParsedFooter& footer, std::size_t chunk) const;
  [[nodiscard]] const ChunkDetails& details(std::size_t chunk) const noexcept;

 private:
  struct Kept {
    ChunkTotal tally;
    ChunkDetails details;
  };
  static constexpr std::uint32_t kNotRead = 0;
  static constexpr std::uint32_t kAsClaimed = 1;
  static constexpr std::uint32_t kFirstKept = 2;

  std::vector<std::uint32_t> marks_;  // of each chunk: one of the above, or its index in kept_
  std::deque<Kept> kept_;
};

}  // namespace parqproof
