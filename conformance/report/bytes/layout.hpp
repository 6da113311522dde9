#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/base/source.hpp"
#include "codec/encryption/module.hpp"
#include "codec/file/frame.hpp"
#include "codec/format/enums.hpp"
#include "codec/rules/finding.hpp"
#include "codec/schema/schema.hpp"

/// The byte map of a file: the structure of each byte.
namespace parqproof {

enum class SegmentKind : std::uint8_t {
  magic,
  page_header,
  page_body,
  column_metadata,  ///< metadata copy after a column chunk
  column_index,
  offset_index,
  bloom_filter_header,
  bloom_filter_bitset,
  footer,
  footer_length,
  gap,  ///< bytes of no structure, or of one that could not be read
};

/// Name of a kind, as `parqproof layout` prints it.
[[nodiscard]] std::string_view to_string(SegmentKind kind) noexcept;

/// Fields of a page header as stored; -1 if absent.
struct PageHeaderFields {
  std::int64_t values = -1;  ///< number of values, including nulls
  std::int32_t encoding = -1;
  std::int32_t uncompressed = -1;  ///< bytes
};

/// Contiguous bytes of one structure.
struct Segment {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  SegmentKind kind = SegmentKind::gap;
  Place place;                          ///< row group, column and page, if any
  std::int32_t page_type = -1;          ///< for parts of a page: PageHeader.type as stored
  std::uint64_t page_header = 0;        ///< for a page body: offset of the header
  bool complete_chunk = false;          ///< for a metadata copy: it is a ColumnChunk
  PageHeaderFields header_fields = {};  ///< for a page header
  /// How it is encrypted; its bytes are those of a module. The footer has other bytes too, and no mode here.
  std::optional<encryption::Mode> module = std::nullopt;

  [[nodiscard]] std::uint64_t end() const noexcept { return offset + length; }
};

/// Bytes claimed by two structures; the segments assign them to the first.
struct Overlap {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  Segment first;
  Segment second;
};

/// The footer, or a structure that it references, that could not be read.
struct Unread {
  std::uint64_t offset = 0;
  std::string what;
  Place place;
};

/// Another file, named by file_path, which contains the bytes of chunks.
struct OtherFile {
  std::string path;
  std::uint64_t chunks = 0;
};

/// Properties of a column chunk in the map, as stated in the footer.
struct MappedChunk {
  CompressionCodec codec{};
  std::string column;  ///< dotted path
  Type type{};
  std::uint32_t encodings = 0;  ///< bit n: encoding number n; the last bit: any other
  std::int64_t values = 0;
  std::int64_t compressed = 0;  ///< in bytes, like the next one
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
  std::vector<std::vector<MappedChunk>> chunks;        ///< by row group and leaf
  std::vector<std::int64_t> group_rows;                ///< RowGroup.num_rows of each row group
  encryption::Mode page_mode = encryption::Mode::gcm;  ///< of the bodies of encrypted pages
  bool has_algorithm = false;                          ///< a plaintext footer with encryption_algorithm
  bool encrypted = false;                              ///< some structure is encrypted, and there is no key
  bool failed = false;                                 ///< reading the source failed

  /// Dotted path of the column of a place; empty if it has none.
  [[nodiscard]] std::string column(const Place& place) const;
};

/// Reads the footer and all structures that it references, including page headers, without page bodies. Any
/// bytes give a map. At most `most_pages` pages are read; `unread` has the offset of the next one.
[[nodiscard]] Layout read_layout(const Source& file, std::uint64_t most_pages = UINT64_MAX);

/// Adds the bytes after the selected footer of a file of `size` bytes, which belong to nothing.
void add_rest(Layout& layout, std::uint64_t size);

/// Name of a page type, or its number.
[[nodiscard]] std::string page_type_text(std::int32_t type);

}  // namespace parqproof
