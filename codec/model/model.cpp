#include "codec/model/model.hpp"

#include <algorithm>
#include <utility>

#include "codec/base/append.hpp"
#include "codec/base/bits.hpp"
#include "codec/format/bloom_filter_header.hpp"
#include "codec/format/page_header.hpp"
#include "codec/format/page_index.hpp"

namespace parqproof::model {

Content Content::stored(std::uint64_t offset, std::uint64_t length) {
  Content content;
  content.offset_ = offset;
  content.length_ = length;
  return content;
}

Content Content::own(std::vector<std::uint8_t> bytes) {
  Content content;
  content.own_ = std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
  return content;
}

std::string_view to_string(Segment::Kind kind) noexcept {
  switch (kind) {
    case Segment::Kind::magic:
      return "magic";
    case Segment::Kind::page:
      return "page";
    case Segment::Kind::column_metadata:
      return "column metadata";
    case Segment::Kind::column_index:
      return "column index";
    case Segment::Kind::offset_index:
      return "offset index";
    case Segment::Kind::bloom_filter:
      return "Bloom filter";
    case Segment::Kind::footer:
      return "footer";
    case Segment::Kind::encrypted_footer:
      return "encrypted footer";
    case Segment::Kind::footer_length:
      return "footer length";
    case Segment::Kind::unread:
      return "unread structure";
    case Segment::Kind::gap:
      return "gap";
  }
  return "";
}

namespace {

/// The type of the struct of a segment that is parsed at its first use; null for other kinds.
const thrift::StructType* type_of(Segment::Kind kind) noexcept {
  if (kind == Segment::Kind::page) return &PageHeader::kType;
  if (kind == Segment::Kind::bloom_filter) return &BloomFilterHeader::kType;
  if (kind == Segment::Kind::column_index) return &ColumnIndex::kType;
  return nullptr;
}

/// Id of the field with the size of the body.
int size_field_of(Segment::Kind kind) noexcept {
  return kind == Segment::Kind::page ? static_cast<int>(PageHeader::id_compressed_page_size)
                                     : static_cast<int>(BloomFilterHeader::id_numBytes);
}

Segment copy_of(const Segment& segment) {
  Segment copy{.kind = segment.kind, .chunk = segment.chunk};
  copy.head = segment.head;
  copy.body = segment.body;
  copy.footer = segment.footer;
  copy.page_type = segment.page_type;
  copy.body_numbers = segment.body_numbers;
  copy.states_body = segment.states_body;
  if (segment.tree != nullptr) copy.tree = std::make_unique<Tree>(*segment.tree);
  return copy;
}

/// Reads content; nullopt if the source cannot be read.
std::optional<std::vector<std::uint8_t>> bytes_of(const Content& content, const Source& source) {
  if (!content.is_stored()) return std::vector(content.bytes().begin(), content.bytes().end());
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(content.size()));
  if (!bytes.empty() && !source.read(content.offset(), bytes)) return std::nullopt;
  return bytes;
}

}  // namespace

ChunkId Model::chunk_at(std::uint32_t row_group, std::uint32_t column) const noexcept {
  const auto found = std::ranges::find_if(chunks_, [&](const ChunkPlace& chunk) {
    return chunk.row_group == row_group && chunk.column == column;
  });
  return found == chunks_.end() ? kNoChunk : static_cast<ChunkId>(found - chunks_.begin());
}

std::vector<SegmentId> Model::segments_of(Segment::Kind kind, ChunkId chunk) const {
  std::vector<SegmentId> found;
  for (const SegmentId id : order_) {
    const Segment& segment = segments_[id];
    if (segment.kind == kind && segment.chunk == chunk && !segment.removed) found.push_back(id);
  }
  return found;
}

// ---- Segments ----

SegmentId Model::insert(Segment segment, SegmentId next) {
  const auto id = static_cast<SegmentId>(segments_.size());
  segments_.push_back(std::move(segment));
  order_.insert(std::ranges::find(order_, next), id);
  return id;
}

SegmentId Model::duplicate(SegmentId id) {
  const auto copy = static_cast<SegmentId>(segments_.size());
  segments_.push_back(copy_of(segments_[id]));
  order_.insert(std::ranges::find(order_, id) + 1, copy);
  return copy;
}

void Model::remove(SegmentId id) { segments_[id].removed = true; }

void Model::move(SegmentId id, SegmentId next) {
  if (id == next) return;
  order_.erase(std::ranges::find(order_, id));
  order_.insert(std::ranges::find(order_, next), id);
}

// ---- Contents ----

bool Model::has_struct(SegmentId id) const noexcept {
  return segments_[id].tree != nullptr ||
         (type_of(segments_[id].kind) != nullptr && segments_[id].head.size() != 0);
}

Tree* Model::tree(SegmentId id) {
  Segment& segment = segments_[id];
  if (segment.tree != nullptr) return segment.tree.get();
  const thrift::StructType* const type = type_of(segment.kind);
  if (type == nullptr || segment.head.size() == 0) return nullptr;
  const auto bytes = bytes_of(segment.head, *source_);
  if (!bytes) return nullptr;
  Result<Tree> tree = Tree::read(View{*bytes}, *type, {});
  if (!tree) return nullptr;
  segment.tree = std::make_unique<Tree>(std::move(*tree));
  const std::optional<NodeId> size = segment.tree->field(kRoot, size_field_of(segment.kind));
  if (segment.states_body && size && !segment.tree->node(*size).raw_value &&
      segment.tree->number(*size) == static_cast<std::int64_t>(segment.body.size()))
    refer(id, *size, {Target::What::own_body});
  return segment.tree.get();
}

std::optional<std::vector<std::uint8_t>> Model::body(SegmentId id) const {
  return bytes_of(segments_[id].body, *source_);
}

void Model::set_body(SegmentId id, std::vector<std::uint8_t> bytes) {
  Tree* const header = tree(id);  // its size must follow
  const auto size = static_cast<std::int64_t>(bytes.size());
  for (const NodeId node : header == nullptr ? std::vector<NodeId>() : header->children(kRoot)) {
    const ReferenceId reference = header->node(node).reference;
    if (targets_[reference].what == Target::What::own_body) header->set_reference(node, reference, size);
  }
  segments_[id].footer = kNoSegment;
  segments_[id].body_numbers.clear();
  segments_[id].body = Content::own(std::move(bytes));
}

void Model::set_head(SegmentId id, std::vector<std::uint8_t> bytes) {
  segments_[id].tree.reset();
  segments_[id].head = Content::own(std::move(bytes));
}

// ---- References ----

ReferenceId Model::add(Target target) {
  targets_.push_back(target);
  return static_cast<ReferenceId>(targets_.size() - 1);
}

void Model::refer(SegmentId owner, NodeId node, Target target) {
  Tree& tree = *segments_[owner].tree;
  if (target.what == Target::What::own_body && self_ == kNoTarget) self_ = add(target);
  const ReferenceId id = target.what == Target::What::own_body ? self_ : add(target);
  tree.set_reference(node, id, tree.number(node));
}

void Model::set_footer_length(SegmentId id, std::uint32_t length) {
  std::vector<std::uint8_t> bytes;
  append_le(bytes, length, 4);
  set_body(id, std::move(bytes));
}

}  // namespace parqproof::model
