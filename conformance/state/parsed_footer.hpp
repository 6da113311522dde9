#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/base/folder.hpp"
#include "codec/base/large_pages.hpp"
#include "codec/base/limits.hpp"
#include "codec/base/source.hpp"
#include "codec/file/frame.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/format/row_group.hpp"
#include "codec/page/regions.hpp"
#include "codec/rules/finding.hpp"
#include "codec/schema/order.hpp"
#include "codec/schema/schema.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/known_writers/known_bugs.hpp"
#include "conformance/state/chunk_list.hpp"

namespace parqproof {

/// A column chunk as the footer describes it: the numbers that are needed to find its bytes, to read its
/// metadata again, and to compare it with its pages. A file may have a million chunks, so each flag is a bit.
struct ChunkClaim {
  std::uint64_t struct_offset = 0;  ///< of the ColumnChunk, in the bytes of the footer
  std::uint64_t start = 0;          ///< first byte of its first page
  std::int64_t num_values = 0;
  std::int64_t compressed = 0;    ///< total_compressed_size
  std::int64_t uncompressed = 0;  ///< total_uncompressed_size; negative where it is absent or impossible
  std::uint32_t row_group = 0;
  std::uint32_t leaf = 0;  ///< ordinal of the leaf column in the schema
  std::uint32_t file = 0;  ///< the file that holds its pages: 0 this file, else ParsedFooter::named[file - 1]
  bool has_num_values : 1 = false;
  bool has_statistics : 1 = false;       ///< that are those of its column
  bool sound_statistics : 1 = false;     ///< see SoundStatistics
  bool lacks_nan_count : 1 = false;      ///< likewise
  bool sizes_reported : 1 = false;       ///< see check_size_statistics()
  bool rows_from_histogram : 1 = false;  ///< SizeStatistics, at tier footer: see RowsByLevels
  bool has_region : 1 = false;           ///< its pages take bytes, so there is a Region for them
  bool no_pages : 1 = false;             ///< it has no pages, and its sizes and offsets are zero
  bool placeable : 1 = false;            ///< its pages are in another file, at known offsets
  bool readable : 1 = false;             ///< the offsets of its pages are known, or it has no pages
};

/// Sets the bytes of a structure of a column chunk; neither number is negative. A region in a list is filled
/// in place: a copy right after the stores of its members would wait for them.
inline void fill_region(Region& out, const ChunkClaim& claim, Region::Kind kind, std::int64_t offset,
                        std::int64_t length) noexcept {
  out.offset = static_cast<std::uint64_t>(offset);
  out.length = static_cast<std::uint64_t>(length);
  out.row_group = claim.row_group;
  out.leaf = claim.leaf;
  out.kind = kind;
}
[[nodiscard]] inline Region region_of(const ChunkClaim& claim, Region::Kind kind, std::int64_t offset,
                                      std::int64_t length) noexcept {
  Region out;
  fill_region(out, claim, kind, offset, length);
  return out;
}

/// A file that column chunks name by file_path.
struct NamedFile {
  std::string path;  ///< below the folder of the file that names it, by normal_path()
  ChunkList chunks;  ///< whose pages it holds
};

/// A row group as the footer describes it. The flags has_* are set for numbers that it states.
struct RowGroupClaim {
  std::uint64_t struct_offset = 0;
  std::size_t first_chunk = 0;  ///< in ParsedFooter::chunks
  std::size_t chunk_count = 0;
  std::int64_t num_rows = 0;
  std::int64_t total_byte_size = 0;
  std::int64_t total_compressed_size = 0;
  std::int64_t file_offset = 0;
  std::optional<std::int32_t> first_sorting_column;
  thrift::List sorting_columns;  ///< SortingColumn
  bool has_num_rows = false;
  bool has_total_byte_size = false;
  bool has_total_compressed_size = false;
  bool has_file_offset = false;
  bool has_sorting_columns = false;
  bool complete = false;  ///< it has one chunk for each leaf
};

/// Another value for one field of a SchemaElement; a file is judged with it, sometimes as a trial.
struct SchemaChange {
  std::uint32_t index = 0;    ///< of the element
  SchemaElement::Id field{};  ///< type, type_length, repetition_type or num_children
  std::int32_t stated = 0;
  std::int32_t value = 0;
};

/// Leaves of the schema from `begin` up to `end`.
struct LeafRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  [[nodiscard]] bool empty() const noexcept { return begin == end; }
  [[nodiscard]] std::size_t size() const noexcept { return end - begin; }
  [[nodiscard]] bool contains(std::int64_t leaf) const noexcept {
    return std::cmp_greater_equal(leaf, begin) && std::cmp_less(leaf, end);
  }
};

/// Bytes of a file from `begin` up to `end`.
struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  [[nodiscard]] std::uint64_t size() const noexcept { return end - begin; }
  [[nodiscard]] bool overlaps(const ByteRange& other) const noexcept {
    return begin < other.end && other.begin < end;
  }
};

/// The bytes that a check reads, and what the caller knows of them.
struct FileInput {
  explicit FileInput(const Source& file) noexcept : source(file), file_size(file.size()) {}

  WatchedSource source;
  std::uint64_t file_size;             ///< bytes; more than `source` has up to an earlier footer of the file
  std::string path;                    ///< the name of the file in reports
  const Folder* folder = nullptr;      ///< holds the files that chunks name; null if they are not opened
  std::optional<SchemaChange> change;  ///< of the schema, before it is read
  /// Bytes that the file has lost or whose position is unknown, in file order: the file is judged as it was
  /// before the damage (Explanation). Structures in them are lost, and break no rule.
  std::vector<ByteRange> gone;
  bool metadata_elsewhere = false;  ///< the footer is in another file, which names this file

  /// The first byte of data.
  [[nodiscard]] std::uint64_t data_begin() const noexcept { return metadata_elsewhere ? 0 : kMagicBytes; }
  /// Returns true if one of these bytes is gone.
  [[nodiscard]] bool is_gone(std::uint64_t begin, std::uint64_t end) const noexcept {
    for (const ByteRange& one : gone) {
      if (one.overlaps({begin, end})) return true;
    }
    return false;
  }
};

/// The parsed magic, tail and footer. Only the footer phase writes it (FooterPhase); offsets count in the
/// file.
struct ParsedFooter {
  Frame frame;
  FileMetaData meta;
  Schema schema;
  WriterBugs bugs;            ///< the published bugs of the writers that the footer names
  std::vector<Order> orders;  ///< of each leaf, by column_orders; Order::none where it is absent
  std::vector<RowGroupClaim> row_groups;
  std::vector<ChunkClaim, LargeAllocator<ChunkClaim>> chunks;
  std::vector<NamedFile> named;      ///< in the order in which chunks name them
  bool schema_usable = false;        ///< it is a tree, and not deeper than Limits::schema_depth
  bool row_groups_complete = false;  ///< their list was read to its end
  bool bounds_lack_orders = false;   ///< there is no column_orders, and no bound in the footer requires it

  /// Returns true if it is encrypted, or states how columns are.
  [[nodiscard]] bool is_encrypted() const noexcept {
    return !frame.crypto.empty() || meta.fields.mentions(FileMetaData::id_encryption_algorithm);
  }
  /// limit/schema-depth: the schema is a tree, but deeper than the limit.
  [[nodiscard]] bool schema_too_deep(const Limits& limits) const noexcept {
    return schema.fault() == Schema::Fault::none && schema.depth() > limits.schema_depth;
  }

  /// Returns true if there is no data between head magic and footer, as in a summary of other files.
  [[nodiscard]] bool metadata_alone() const noexcept { return frame.footer_offset == kMagicBytes; }

  /// The footer from `offset` to its end.
  [[nodiscard]] View footer_from(std::uint64_t offset) const noexcept {
    return frame.footer.from(static_cast<std::size_t>(offset - frame.footer.base));
  }

  /// The chunk that a region belongs to: its ordinal in `chunks`, and its claim.
  [[nodiscard]] std::size_t chunk_index(const Region& region) const noexcept {
    return row_groups[region.row_group].first_chunk + region.leaf;
  }
  [[nodiscard]] const ChunkClaim& chunk_of(const Region& region) const noexcept {
    return chunks[chunk_index(region)];
  }

  /// Reads the column metadata of a chunk again from the footer; returns false if it cannot be read.
  [[nodiscard]] bool reread(const ChunkClaim& claim, const Limits& limits, ColumnChunk& out) const {
    thrift::Reader reader(footer_from(claim.struct_offset), {}, limits);
    if (!reader.read(out)) return false;
    open_metadata(out, frame.opened.get(), limits);
    return true;
  }
};

/// The place of a column chunk in findings.
[[nodiscard]] inline Place place_of(const ChunkClaim& claim) noexcept {
  return {static_cast<std::int32_t>(claim.row_group), static_cast<std::int32_t>(claim.leaf), -1};
}
[[nodiscard]] inline Place place_of(const Region& region) noexcept {
  return {static_cast<std::int32_t>(region.row_group), static_cast<std::int32_t>(region.leaf), -1};
}

}  // namespace parqproof
