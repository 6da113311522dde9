#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/compression/compress.hpp"
#include "codec/encoding/dictionary_builder.hpp"
#include "codec/encoding/encode.hpp"
#include "codec/encoding/min_max.hpp"
#include "codec/format/column_chunk.hpp"
#include "codec/page/ancestor_prints.hpp"
#include "codec/record/entries.hpp"
#include "codec/schema/schema.hpp"
#include "codec/write/bounds.hpp"
#include "codec/write/chunk_state.hpp"
#include "codec/write/geospatial_builder.hpp"
#include "codec/write/index/bloom_filter_builder.hpp"
#include "codec/write/index/index_tree_builder.hpp"
#include "codec/write/index/page_index_builder.hpp"
#include "codec/write/open_page.hpp"
#include "codec/write/options.hpp"
#include "codec/write/page_buffer.hpp"
#include "codec/write/sink.hpp"

namespace parqproof {

/// A column chunk that has been written, but for what follows it in the file: its metadata and its indexes.
struct WrittenChunk {
  PageCounts counts;
  std::uint64_t uncompressed_bytes = 0;  ///< of all pages with their headers
  std::uint64_t compressed_bytes = 0;
  std::uint64_t data_page_offset = 0;
  std::optional<std::uint64_t> dictionary_page_offset;
  std::optional<std::uint64_t> index_page_offset;
  CompressionCodec codec{};
  /// Number of pages by type and encoding of their values.
  std::map<std::pair<PageType, Encoding>, std::int32_t> pages;
  std::optional<Encoding> level_encoding;  ///< nullopt: there are no levels
  MinMax values;
  Bounds bounds;
  AncestorPrints prints;  ///< of its levels
  std::optional<BloomFilterBuilder> bloom_filter;
  std::optional<GeospatialBuilder> geospatial;
  std::vector<std::uint8_t> column_index;  ///< empty: none
  std::vector<std::uint8_t> offset_index;

  WrittenChunk(const Schema& schema, std::size_t leaf) : counts(schema.leaf(leaf)), prints(schema, leaf) {}
};

/// Writes the pages of one column chunk. Values that are not indices leave as soon as their page is complete;
/// pages of indices are kept until the dictionary is, because it comes first. A kept page ends the dictionary
/// when all of them have more than kKeptBytes.
class ChunkWriter {
 public:
  static constexpr std::uint64_t kKeptBytes = std::uint64_t{32} << 20;

  /// `leaf`: ordinal of the column. `offset`: of the first page in the file. `order`: of the column.
  /// `by_value`: the index pages of the chunk have values of this column as keys. `room`: of one writer at a
  /// time. `cipher`: of an encrypted column, in row group `row_group`; else null. All references outlive the
  /// writer.
  ChunkWriter(const WriteOptions& options, Compressor& compressor, ChunkRoom& room, const Schema& schema,
              std::size_t leaf, Order order, bool by_value, std::uint64_t offset, Sink& sink,
              FileCipher* cipher = nullptr, std::int32_t row_group = 0);

  /// Adds entries. Those of one row may come in several calls. A page ends before a row, where the options
  /// ask for it. Fails if the levels do not form rows, the values do not fit the options or the type, or the
  /// sink fails.
  [[nodiscard]] WriteStatus add(const Entries& entries);
  /// Why add() has failed, if the levels do not form rows.
  [[nodiscard]] const std::optional<EntryCheck::Fault>& entry_fault() const noexcept { return entry_fault_; }

  /// Allows a dictionary of so many bytes, PLAIN, which is kept even if the first page does not get smaller
  /// by it. Call it before values are added.
  void allow_dictionary(std::uint64_t bytes) noexcept {
    if (!indexed_.dictionary || bytes <= column_.dictionary_bytes) return;
    indexed_.dictionary->allow(bytes);
    indexed_.is_worth_it = true;
  }

  // Pages of another file in the form of this chunk: codec, version and encoding of the levels. Their entries
  // are counted as any; the caller knows that the bodies are legal.

  /// Begins the chunk with a dictionary page. Pages of its indices follow by copy_page(); values of other
  /// pages are stored without a dictionary. Call it first.
  [[nodiscard]] WriteStatus copy_dictionary(const CopiedBody& body);
  /// Begins a data page, at a row. Its entries come by add() in calls of their own, and the page ends with
  /// the last of them; the bytes of the body are valid until then.
  [[nodiscard]] WriteStatus copy_page(CopiedBody body);

  /// Ends the chunk. No call may follow.
  [[nodiscard]] std::expected<WrittenChunk, std::string> finish();

 private:
  [[nodiscard]] bool is_full() const noexcept;
  [[nodiscard]] std::uint64_t entries_for_page(const Entries& entries) const;
  [[nodiscard]] WriteStatus add_part(const Entries& entries);
  [[nodiscard]] WriteStatus begin_page();
  [[nodiscard]] WriteStatus end_page();
  [[nodiscard]] WriteStatus begin_values();
  [[nodiscard]] WriteStatus add_values(const Entries& entries);
  [[nodiscard]] WriteStatus add_indexed(const Entries& entries);
  [[nodiscard]] WriteStatus add_to_dictionary(const ValueBatch& values);
  [[nodiscard]] WriteStatus add_plain(const ValueBatch& values);
  [[nodiscard]] WriteStatus leave_dictionary();
  [[nodiscard]] WriteStatus add_of_dictionary(const std::vector<std::uint32_t>& indices,
                                              const Dictionary* source);
  [[nodiscard]] WriteStatus add_copied(const Entries& entries);
  [[nodiscard]] WriteStatus finish_values();
  [[nodiscard]] WriteStatus make_page(const Bounds& bounds, Encoding& encoding);
  [[nodiscard]] WriteStatus write_dictionary(const PageHeader& header);
  void place_page(std::uint64_t bytes, std::uint64_t first_row);
  [[nodiscard]] WriteStatus put_dictionary();
  [[nodiscard]] WriteStatus put_index_pages();
  [[nodiscard]] WriteStatus write(std::span<const std::uint8_t> bytes);
  [[nodiscard]] WriteStatus write_page();
  [[nodiscard]] std::uint64_t values_for_page(const Entries& entries) const;
  [[nodiscard]] WriteStatus named(WriteStatus status) const;
  [[nodiscard]] GeospatialBuilder* geospatial() noexcept {
    return done_.geospatial ? &*done_.geospatial : nullptr;
  }
  [[nodiscard]] Encoding encoding_of_indices() const noexcept {
    return column_.plain_dictionary ? Encoding::PLAIN_DICTIONARY : Encoding::RLE_DICTIONARY;
  }

  const WriteOptions& options_;
  const ColumnOptions& column_;
  PageFormat format_;
  const Node& leaf_;
  Order order_;
  std::uint32_t width_;
  std::uint64_t offset_;  // of the next byte of the file
  Sink& sink_;
  WrittenChunk done_;
  ChunkRoom& room_;

  IndexedValues indexed_;
  OpenPage page_;
  PageLevels levels_;
  EntryCheck entry_check_;
  std::optional<EntryCheck::Fault> entry_fault_;

  PageIndexBuilder index_;
  std::optional<IndexTreeBuilder> tree_;
  std::vector<PageKey> keys_;  // of all data pages, for the tree
};

}  // namespace parqproof
