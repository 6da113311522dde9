#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/base/source.hpp"
#include "codec/file/frame.hpp"
#include "codec/format/enums.hpp"
#include "codec/rules/finding.hpp"
#include "codec/schema/schema.hpp"

/// The byte map of a file: which structure each byte belongs to.
namespace parqproof {

enum class SegmentKind : std::uint8_t {
  magic,
  page_header,
  page_body,
  column_metadata,  ///< the copy of its metadata behind a column chunk
  column_index,
  offset_index,
  bloom_filter_header,
  bloom_filter_bitset,
  footer,
  footer_length,
  gap,  ///< bytes that no structure owns, or that could not be read as what they should be
};

/// The name of a kind, as `parqproof layout` prints it.
[[nodiscard]] std::string_view to_string(SegmentKind kind) noexcept;

/// What the header of a page says of it, as stored; -1 where it says nothing.
struct PageSays {
  std::int64_t values = -1;  ///< entries, nulls among them
  std::int32_t encoding = -1;
  std::int32_t uncompressed = -1;  ///< bytes
};

/// A run of bytes that belongs to one structure.
struct Segment {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  SegmentKind kind = SegmentKind::gap;
  Place place;                    ///< of what belongs to a row group, column or page
  std::int32_t page_type = -1;    ///< of the parts of a page: PageHeader.type as stored
  std::uint64_t page_header = 0;  ///< of a page body: where the header is
  bool complete_chunk = false;    ///< of a metadata copy: it is a ColumnChunk
  PageSays says = {};             ///< of a page header

  [[nodiscard]] std::uint64_t end() const noexcept { return offset + length; }
};

/// Bytes that two structures claim; the segments give them to the first.
struct Overlap {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  Segment first;
  Segment second;
};

/// A structure that the footer points at, or the footer itself, that could not be read as such.
struct Unread {
  std::uint64_t offset = 0;
  std::string what;
  Place place;
};

/// Another file that a chunk's file_path names: the bytes of its chunks are there.
struct OtherFile {
  std::string path;
  std::uint64_t chunks = 0;
};

/// What the map tells of a column chunk as a whole, as the footer states it.
struct MappedChunk {
  CompressionCodec codec{};
  std::string column;  ///< dotted path
  Type type{};
  std::uint32_t encodings = 0;  ///< bit n: those that number n stands for; the last bit: another
  std::int64_t values = 0;
  std::int64_t compressed = 0;  ///< bytes, as the next one
  std::int64_t uncompressed = 0;
};

struct Layout {
  std::uint64_t size = 0;
  std::vector<Segment> segments;  ///< in order; they cover the file exactly once
  std::vector<Overlap> overlaps;
  std::vector<Unread> unread;
  std::vector<OtherFile> other_files;  ///< in the order of the footer
  Frame frame;                         ///< owns the bytes that `schema` refers to
  Schema schema;
  std::vector<std::vector<MappedChunk>> chunks;  ///< by row group and leaf
  std::vector<std::int64_t> group_rows;          ///< RowGroup.num_rows of each row group
  bool encrypted = false;                        ///< something could not be read because it is encrypted
  bool failed = false;                           ///< the source could not be read

  /// The dotted path of the column at a place; empty without one.
  [[nodiscard]] std::string column(const Place& place) const;
};

/// Reads the footer and everything that it points at, page headers included, no page bodies. Total: any bytes
/// give a map. Pages beyond `most_pages` are not looked for; `unread` tells where they begin.
[[nodiscard]] Layout read_layout(const Source& file, std::uint64_t most_pages = UINT64_MAX);

/// The name of a page type, or its number.
[[nodiscard]] std::string page_type_text(std::int32_t type);

}  // namespace parqproof
