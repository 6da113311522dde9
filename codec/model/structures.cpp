#include "codec/model/structures.hpp"

#include <algorithm>

#include "codec/file/bloom_filter_extent.hpp"
#include "codec/file/frame.hpp"
#include "codec/file/metadata_copy.hpp"
#include "codec/format/chunk_start.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/format/page_index.hpp"
#include "codec/format/row_group.hpp"

namespace parqproof::model {
namespace {

/// Max bytes of an index that has no valid length.
constexpr std::uint64_t kIndexBytesWithoutLength = std::uint64_t{64} << 10;

/// Bytes of a metadata copy beyond twice those of the original.
constexpr std::uint64_t kCopyBytesMore = std::uint64_t{16} << 10;

/// Memory of one segment while a file is parsed.
constexpr std::uint64_t kBytesOfSegment = 256;

}  // namespace

Structures::Structures(const Source& source, const Limits& limits, std::uint64_t data_end, Claims& claims)
    : watched_(source),
      limits_(limits),
      data_end_(data_end),
      claims_(claims),
      pages_(watched_, limits, 0),
      most_segments_(limits.memory_bytes / 2 / kBytesOfSegment) {}

bool Structures::is_in_data(std::int64_t offset) const noexcept {
  return offset >= static_cast<std::int64_t>(kMagicBytes) && static_cast<std::uint64_t>(offset) < data_end_;
}

bool Structures::is_chunk_start(std::uint64_t offset) const {
  return std::ranges::binary_search(chunk_starts_, offset);
}

std::vector<ChunkPlace> Structures::claim(const Tree& footer) {
  std::vector<ChunkPlace> places;
  const std::optional<NodeId> groups = footer.field(kRoot, FileMetaData::id_row_groups);
  std::uint32_t row_group = 0;
  for (const NodeId group : groups ? footer.children(*groups) : std::vector<NodeId>()) {
    const std::optional<NodeId> columns = footer.field(group, RowGroup::id_columns);
    std::uint32_t column = 0;
    for (const NodeId node : columns ? footer.children(*columns) : std::vector<NodeId>()) {
      read_chunk(footer, node, static_cast<ChunkId>(places.size()));
      nodes_.push_back(node);
      places.push_back({row_group, column++});
    }
    ++row_group;
  }
  std::ranges::sort(starts_);
  std::ranges::sort(chunk_starts_);
  for (const Stated& stated : stated_) {
    chunk(footer, stated);
    if (too_many_ || failed()) break;
  }
  for (const Segment& target : targets_) {
    if (target.kind == Segment::Kind::bloom_filter) {
      bloom_filter(target);
    } else {
      index(target);
    }
  }
  return places;
}

void Structures::read_chunk(const Tree& footer, NodeId node, ChunkId id) {
  std::vector<std::uint8_t> room;
  ColumnChunk chunk;
  if (footer.node(node).wire != thrift::Wire::struct_ || !footer.read_struct(node, room, chunk)) return;
  if (chunk.has(ColumnChunk::id_file_path) && !chunk.file_path.empty()) return;  // of another file
  const auto length_of = [&](ColumnChunk::Id field, std::int32_t length) {
    return chunk.has(field) ? std::optional<std::int64_t>(length) : std::nullopt;
  };
  add_structure(Segment::Kind::column_index, id, chunk.has(ColumnChunk::id_column_index_offset),
                chunk.column_index_offset,
                length_of(ColumnChunk::id_column_index_length, chunk.column_index_length));
  add_structure(Segment::Kind::offset_index, id, chunk.has(ColumnChunk::id_offset_index_offset),
                chunk.offset_index_offset,
                length_of(ColumnChunk::id_offset_index_length, chunk.offset_index_length));
  if (!chunk.has(ColumnChunk::id_meta_data)) return;
  const ColumnMetaData& meta = chunk.meta_data;
  std::optional<std::int64_t> bloom_length;
  if (meta.has(ColumnMetaData::id_bloom_filter_length)) bloom_length = meta.bloom_filter_length;
  add_structure(Segment::Kind::bloom_filter, id, meta.has(ColumnMetaData::id_bloom_filter_offset),
                meta.bloom_filter_offset, bloom_length);
  const ChunkStart start = chunk_start(meta);
  stated_.push_back({.id = id,
                     .start = start,
                     .dictionary = meta.dictionary_page_offset,
                     .data = meta.data_page_offset,
                     .file_offset = chunk.file_offset,
                     .size = meta.total_compressed_size,
                     .num_values = meta.num_values,
                     .encrypted = chunk.has(ColumnChunk::id_crypto_metadata)});
  const bool has_pages = meta.num_values != 0 || meta.total_compressed_size != 0;
  if (!has_pages || !is_in_data(start.offset)) return;
  starts_.push_back(static_cast<std::uint64_t>(start.offset));
  chunk_starts_.push_back(static_cast<std::uint64_t>(start.offset));
}

void Structures::add_structure(Segment::Kind kind, ChunkId chunk, bool has_offset, std::int64_t offset,
                               std::optional<std::int64_t> length) {
  if (!has_offset || !is_in_data(offset)) return;
  const auto begin = static_cast<std::uint64_t>(offset);
  starts_.push_back(begin);
  const std::int64_t stated_length = std::max<std::int64_t>(length.value_or(0), 0);
  const std::uint64_t size = std::min(static_cast<std::uint64_t>(stated_length), data_end_ - begin);
  Segment target{.kind = kind, .chunk = chunk};
  target.body = Content::stored(begin, size);
  targets_.push_back(std::move(target));
}

void Structures::chunk(const Tree& footer, const Stated& stated) {
  if (is_in_data(stated.start.offset)) {
    const ChunkExtent extent =
        chunk_extent(static_cast<std::uint64_t>(stated.start.offset), std::max<std::int64_t>(stated.size, 0),
                     stated.num_values, data_end_);
    if (stated.encrypted) return unread(stated.id, extent.start, extent.metadata_end);
    chunk_end_ = pages(stated, extent);
  }
  metadata_copy(footer, stated);
}

/// Claims the pages of a chunk. Returns the end of the last one, or of the bytes that were claimed as unread.
std::uint64_t Structures::pages(const Stated& stated, const ChunkExtent& extent) {
  const auto next = std::ranges::upper_bound(starts_, extent.start);
  const std::uint64_t next_start = next == starts_.end() ? data_end_ : *next;
  const std::uint64_t bound = std::max(extent.metadata_end, next_start);
  const RegionMap none;  // the bounds are those of is_required()
  const Place place{};
  PageWalk walk(pages_, none, {extent.start, bound, bound, INT64_MAX}, place);
  if (!walk.starts_with_page()) {
    const auto offset_of = [](std::int64_t offset) {
      return static_cast<std::uint64_t>(std::max<std::int64_t>(offset, 0));
    };
    walk.begin_at_one_of({offset_of(stated.dictionary), offset_of(stated.data)}, stated.size);
  }
  const std::uint64_t start = walk.offset();
  const auto is_required = [&] {
    return walk.offset() < bound && (walk.offset() == start || !is_chunk_start(walk.offset())) &&
           (walk.entries() < stated.num_values || walk.offset() < extent.metadata_end);
  };
  while (is_required()) {
    if (too_many_ || !page(walk, stated)) {
      const std::uint64_t from = walk.offset();
      const std::uint64_t end = std::min(extent.metadata_end, claims_.next_begin(from, bound));
      unread(stated.id, from, end);
      return std::max(from, end);
    }
    walk.move_past_page();
  }
  return walk.offset();
}

/// Claims the next page; false if the walk cannot go on, or another structure has some of its bytes.
bool Structures::page(PageWalk& walk, const Stated& stated) {
  if (walk.next(nullptr) != PageWalk::Step::page) return false;
  const Page& page = walk.page();
  Segment segment = stored(Segment::Kind::page, page.offset, page.body - page.offset, page.stored_size());
  segment.chunk = stated.id;
  segment.page_type = static_cast<std::int32_t>(page.header.type);
  segment.states_body = true;
  if (!claims_.add(std::move(segment))) return false;
  too_many_ = claims_.size() > most_segments_;
  return true;
}

void Structures::unread(ChunkId chunk, std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return;
  Segment segment = stored(Segment::Kind::unread, begin, 0, end - begin);
  segment.chunk = chunk;
  claims_.add(std::move(segment));
}

/// A copy of the metadata is at the end of the pages, at file_offset, or at the end of the previous chunk if
/// this one has no pages.
void Structures::metadata_copy(const Tree& footer, const Stated& stated) {
  std::vector<std::uint8_t> room;
  ColumnChunk original;
  if (!footer.read_struct(nodes_[stated.id], room, original)) return;
  const auto offset = static_cast<std::uint64_t>(std::max<std::int64_t>(stated.file_offset, 0));
  const std::uint64_t end = chunk_end_;
  for (const std::uint64_t from : {end, std::max(end, offset)}) {
    const auto start = std::ranges::lower_bound(starts_, from);
    const std::uint64_t bound = claims_.next_begin(from, start == starts_.end() ? data_end_ : *start);
    if (from >= bound || !claims_.is_free(from, bound)) continue;
    const std::uint64_t most = 2 * room.size() + kCopyBytesMore;  // the copy may have other statistics
    const View bytes = pages_.read(from, std::min(bound - from, most));
    const auto copy = read_metadata_copy(bytes, original, limits_);
    if (!copy) continue;
    const thrift::StructType& type = copy->complete_chunk ? ColumnChunk::kType : ColumnMetaData::kType;
    Result<Tree> tree = Tree::read(bytes, type, limits_);
    if (!tree) continue;
    Segment segment = stored(Segment::Kind::column_metadata, from, copy->end - from);
    segment.chunk = stated.id;
    segment.tree = std::make_unique<Tree>(std::move(*tree));
    claims_.add(std::move(segment));
    chunk_end_ = copy->end;
    return;
  }
}

void Structures::index(const Segment& target) {
  const std::uint64_t begin = target.body.offset();
  const bool has_length = target.body.size() != 0;
  const std::uint64_t room =
      std::min(data_end_ - begin, has_length ? target.body.size() : kIndexBytesWithoutLength);
  if (room > limits_.page_bytes || !claims_.is_free(begin, begin + (has_length ? room : 1))) return;
  const thrift::StructType& type =
      target.kind == Segment::Kind::column_index ? ColumnIndex::kType : OffsetIndex::kType;
  Result<Tree> tree = Tree::read(pages_.read(begin, room), type, limits_);
  if (!tree) return has_length ? unread(target.chunk, begin, begin + room) : void();
  Segment segment = stored(target.kind, begin, tree->encoded_size());
  segment.chunk = target.chunk;
  segment.tree = std::make_unique<Tree>(std::move(*tree));
  claims_.add(std::move(segment));
}

void Structures::bloom_filter(const Segment& target) {
  const std::uint64_t begin = target.body.offset();
  const BloomFilterExtent extent = read_bloom_filter_extent(pages_, begin, data_end_, {});
  const bool fits =
      extent.header != 0 && extent.bitset && *extent.bitset <= data_end_ - begin - extent.header;
  if (!fits) return unread(target.chunk, begin, begin + target.body.size());
  Segment segment = stored(target.kind, begin, extent.header, *extent.bitset);
  segment.chunk = target.chunk;
  segment.states_body = true;
  claims_.add(std::move(segment));
}

}  // namespace parqproof::model
