#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/encoding/values.hpp"
#include "codec/format/column_chunk.hpp"
#include "codec/page/page_reader.hpp"
#include "conformance/state/file_check.hpp"
#include "conformance/state/page_index.hpp"

namespace parqproof {

class PageClaims;
class RowTrail;
struct NotRun;

/// The bounds of the values of one data page, in the order of the column's type.
struct PageBounds {
  std::int32_t page = 0;  ///< ordinal of the page in its chunk
  std::vector<std::uint8_t> min;
  std::vector<std::uint8_t> max;
  bool any = false;    ///< the page has a value that the order knows
  bool known = false;  ///< all its values could be read
};

/// The bounds of the data pages of a chunk, for those who ask for them; the memory for them is limited.
struct BoundsOfPages {
  std::vector<PageBounds> pages;  ///< in the order of the file
  std::uint64_t room = 0;         ///< bytes that are left
  bool overflown = false;         ///< the room did not suffice, and no page was added since
};

/// The bitset of the Bloom filter of a chunk, in the file: one block or several.
struct FilterBitset {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// What is known of a column chunk before its pages are read. It outlives all that judge the chunk.
struct ChunkScope {
  /// `claim` is that of `chunk`, and its leaf is in the schema.
  ChunkScope(const Context& file, const ChunkClaim& stated, const ColumnChunk& metadata, Findings& findings,
             const PageIndex& index = {}, std::optional<FilterBitset> bitset = {});

  [[nodiscard]] const ColumnMetaData& meta() const noexcept { return chunk.meta_data; }
  /// Makes a finding at a field of the ColumnChunk.
  void fault(Rule rule, std::string_view path, Contrast what) const;
  /// The order that column_orders states for the column; none where it states none.
  [[nodiscard]] Order stated_order() const noexcept;
  /// How values of the column are decoded.
  [[nodiscard]] ValueSpec value_spec(Encoding encoding, std::uint64_t count) const noexcept;
  /// Counts a page that the walk leaves behind in `data_page`.
  void pass(const Page& page) noexcept;
  /// Bytes of a value of fixed width, else 0.
  [[nodiscard]] std::uint32_t width() const noexcept;

  /// Tells of the rows of pages, and where to note what is not judged.
  void follow(const RowTrail& rows, std::vector<NotRun>& left_out) noexcept {
    trail = &rows;
    not_run = &left_out;
  }

  const Context& context;
  const ChunkClaim& claim;
  const ColumnChunk& chunk;
  const Node& leaf;
  Judge judge;
  Place place;
  View bytes;                              ///< of the footer, from the ColumnChunk on
  std::string_view doubt;                  ///< what leaves in doubt how values are decoded; empty: nothing
  Budget budget;                           ///< for the decoding of the chunk
  BoundsOfPages* bounds = nullptr;         ///< to be filled, where the bounds of data pages are asked for
  SortProof sort_proof = SortProof::none;  ///< found by the walk along the chunk
  PageIndex page_index;
  std::optional<FilterBitset> filter;  ///< where the chunk has one, and values can be looked up in it
  /// Which of the data pages is at hand, counted from 0 as page_locations are; nothing where it is not known,
  /// because pages in front of it were passed over.
  std::optional<std::uint64_t> data_page = 0;
  PageClaims* page_claims = nullptr;       ///< about single data pages, made elsewhere in the file
  const RowTrail* trail = nullptr;         ///< where rows of the row group stand; null: not known
  std::vector<NotRun>* not_run = nullptr;  ///< of the chunk; null: nobody asks
};

}  // namespace parqproof
