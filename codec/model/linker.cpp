#include "codec/model/linker.hpp"

#include <algorithm>

#include "codec/base/bits.hpp"
#include "codec/file/index_tree.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/format/page_index.hpp"
#include "codec/format/row_group.hpp"

namespace parqproof::model {
namespace {

bool is_data_page(const Segment& segment) noexcept {
  return segment.page_type == static_cast<std::int32_t>(PageType::DATA_PAGE) ||
         segment.page_type == static_cast<std::int32_t>(PageType::DATA_PAGE_V2);
}

}  // namespace

void Linker::run() {
  add_places();
  for (std::size_t i = 0; i < model_.order_.size(); ++i) {
    const SegmentId id = model_.order_[i];
    switch (model_.segments_[id].kind) {
      case Segment::Kind::footer:
        model_.footer_ = id;  // the last one remains
        footer(id);
        break;
      case Segment::Kind::encrypted_footer:
        model_.footer_ = kNoSegment;
        break;
      case Segment::Kind::column_metadata:
        if (&tree(id).type() == &ColumnChunk::kType) {
          column_chunk(id, kRoot);
        } else {
          column_metadata(id, kRoot);
        }
        break;
      case Segment::Kind::offset_index:
        offset_index(id);
        break;
      case Segment::Kind::footer_length:
        footer_length(id, i);
        break;
      case Segment::Kind::page:
        if (model_.segments_[id].page_type == static_cast<std::int32_t>(PageType::INDEX_PAGE)) index_page(id);
        break;
      default:
        break;
    }
  }
}

void Linker::add_places() {
  model_.measure();
  last_pages_.assign(model_.chunks_.size(), kNoSegment);
  first_data_pages_ = last_pages_;
  for (const SegmentId id : model_.order_) {
    const Segment& segment = model_.segments_[id];
    if (segment.kind != Segment::Kind::gap) begins_.emplace(model_.places_[id].begin, id);
    if (segment.kind != Segment::Kind::page || segment.chunk == kNoChunk) continue;
    last_pages_[segment.chunk] = id;
    SegmentId& first = first_data_pages_[segment.chunk];
    if (first == kNoSegment && is_data_page(segment)) first = id;
  }
}

std::optional<SegmentId> Linker::at(std::int64_t offset) const {
  if (offset <= 0) return std::nullopt;
  const auto found = begins_.find(static_cast<std::uint64_t>(offset));
  return found == begins_.end() ? std::nullopt : std::optional(found->second);
}

bool Linker::link(SegmentId owner, std::optional<NodeId> node, Target target) {
  if (!node || tree(owner).node(*node).raw_value) return false;  // it has more than 64 bits
  if (tree(owner).number(*node) != model_.value_of(target, owner)) return false;
  model_.refer(owner, *node, target);
  return true;
}

void Linker::link_begin(SegmentId owner, NodeId parent, int offset_id, std::optional<int> length_id) {
  const std::optional<NodeId> offset = tree(owner).field(parent, offset_id);
  if (!offset) return;
  const std::optional<SegmentId> segment = at(tree(owner).number(*offset));
  if (!segment) return;
  link(owner, offset, {Target::What::begin, *segment});
  if (length_id) link(owner, tree(owner).field(parent, *length_id), {Target::What::size, *segment});
}

void Linker::footer(SegmentId id) {
  const std::optional<NodeId> groups = tree(id).field(kRoot, FileMetaData::id_row_groups);
  if (!groups) return;
  ChunkId first = 0;
  for (const NodeId group : tree(id).children(*groups)) {
    const std::optional<NodeId> columns = tree(id).field(group, RowGroup::id_columns);
    if (!columns) continue;
    const std::vector<NodeId> chunks = tree(id).children(*columns);
    for (const NodeId chunk : chunks) column_chunk(id, chunk);
    const auto count = static_cast<std::uint32_t>(chunks.size());
    if (first + count <= model_.chunks_.size()) row_group(id, group, first, count);
    first += count;
  }
}

void Linker::row_group(SegmentId owner, NodeId group, ChunkId first, std::uint32_t count) {
  link_begin(owner, group, RowGroup::id_file_offset);
  link(owner, tree(owner).field(group, RowGroup::id_total_compressed_size),
       {Target::What::chunks_size, first, count});
}

void Linker::column_chunk(SegmentId owner, NodeId chunk) {
  link_begin(owner, chunk, ColumnChunk::id_offset_index_offset, ColumnChunk::id_offset_index_length);
  link_begin(owner, chunk, ColumnChunk::id_column_index_offset, ColumnChunk::id_column_index_length);
  link_begin(owner, chunk, ColumnChunk::id_file_offset);
  const std::optional<NodeId> meta = tree(owner).field(chunk, ColumnChunk::id_meta_data);
  if (!meta) return;
  column_metadata(owner, *meta);
  link_file_offset(owner, chunk);
}

/// file_offset may also be the end of the pages.
void Linker::link_file_offset(SegmentId owner, NodeId chunk) {
  const std::optional<NodeId> offset = tree(owner).field(chunk, ColumnChunk::id_file_offset);
  const std::optional<NodeId> data = tree(owner).find("meta_data.data_page_offset", chunk);
  if (!offset || !data || tree(owner).node(*offset).reference != 0) return;
  const std::optional<SegmentId> page = at(tree(owner).number(*data));
  if (!page || model_.segments_[*page].chunk == kNoChunk) return;
  const SegmentId end = last_pages_[model_.segments_[*page].chunk];
  if (end != kNoSegment) link(owner, offset, {Target::What::end, end});
}

void Linker::column_metadata(SegmentId owner, NodeId meta) {
  for (const int id : {ColumnMetaData::id_data_page_offset, ColumnMetaData::id_index_page_offset,
                       ColumnMetaData::id_dictionary_page_offset})
    link_begin(owner, meta, id);
  link_begin(owner, meta, ColumnMetaData::id_bloom_filter_offset, ColumnMetaData::id_bloom_filter_length);
  const std::optional<NodeId> data = tree(owner).field(meta, ColumnMetaData::id_data_page_offset);
  const std::optional<SegmentId> page = data ? at(tree(owner).number(*data)) : std::nullopt;
  const ChunkId chunk = page ? model_.segments_[*page].chunk : kNoChunk;
  if (chunk == kNoChunk) return;
  const std::optional<NodeId> size = tree(owner).field(meta, ColumnMetaData::id_total_compressed_size);
  if (link(owner, size, {Target::What::chunk_size, chunk})) return;
  if (link(owner, size, {Target::What::chunk_span, chunk})) model_.chunks_[chunk].spans = true;
}

void Linker::offset_index(SegmentId owner) {
  const std::optional<NodeId> locations = tree(owner).field(kRoot, OffsetIndex::id_page_locations);
  if (!locations) return;
  for (const NodeId location : tree(owner).children(*locations))
    link_begin(owner, location, PageLocation::id_offset, PageLocation::id_compressed_page_size);
}

/// The entries of an uncompressed index page of 2013 come first: key, page offset, page length. A page of
/// that offset and length is the evidence; the first entry without one ends them.
void Linker::index_page(SegmentId id) {
  Segment& segment = model_.segments_[id];
  const SegmentId base = first_data_pages_[segment.chunk];
  const std::optional<std::vector<std::uint8_t>> body = model_.body(id);
  if (base == kNoSegment || !body) return;
  for (std::size_t at = 0; at + kIndexTreeEntryBytes <= body->size(); at += kIndexTreeEntryBytes) {
    const auto offset = load_le<std::int32_t>(body->data() + at + 4);
    const auto length = load_le<std::uint32_t>(body->data() + at + 8);
    const std::optional<SegmentId> page =
        this->at(static_cast<std::int64_t>(model_.places_[base].begin) + offset);
    if (!page || model_.places_[*page].end - model_.places_[*page].begin != length) return;
    const auto position = static_cast<std::uint32_t>(at);
    segment.body_numbers.push_back({position + 4, *page, base});
    segment.body_numbers.push_back({position + 8, *page, kNoSegment});
  }
}

/// A footer length is the distance to the footer before it.
void Linker::footer_length(SegmentId id, std::size_t position) {
  for (std::size_t i = position; i-- > 0;) {
    const SegmentId footer = model_.order_[i];
    const Segment::Kind kind = model_.segments_[footer].kind;
    if (kind == Segment::Kind::gap) continue;
    if (kind == Segment::Kind::footer || kind == Segment::Kind::encrypted_footer)
      model_.segments_[id].footer = footer;
    return;
  }
}

}  // namespace parqproof::model
