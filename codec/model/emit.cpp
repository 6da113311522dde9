// Computes the references of a model, and writes it.
#include <algorithm>
#include <utility>

#include "codec/base/append.hpp"
#include "codec/model/model.hpp"

namespace parqproof::model {
namespace {

/// Bytes of the source that are copied at once.
constexpr std::uint64_t kCopiedBytes = std::uint64_t{1} << 20;

/// Rounds after which references are computed from zero. Each varint that grows moves what follows it, so a
/// few rounds suffice; sizes that depend on each other may alternate.
constexpr int kRounds = 16;

/// Bytes of a number in the body of an index page.
constexpr unsigned kBodyNumberBytes = 4;

/// Passes bytes on to a sink. Contiguous bytes of the source are read together.
class Output {
 public:
  Output(const Source& source, const Model::Sink& sink) : window_(source), sink_(sink) {}

  void bytes(std::span<const std::uint8_t> bytes) {
    flush();
    if (end_ == EmitEnd::complete && !bytes.empty() && !sink_(bytes)) end_ = EmitEnd::stopped;
  }
  void content(const Content& content) {
    if (!content.is_stored()) return bytes(content.bytes());
    if (content.offset() != to_) flush();
    if (from_ == to_) from_ = content.offset();
    to_ = content.offset() + content.size();
  }
  /// Writes what is held back. Returns the result of all calls.
  EmitEnd flush() {
    for (; end_ == EmitEnd::complete && from_ < to_; from_ += std::min(kCopiedBytes, to_ - from_)) {
      const View piece = window_.view(from_, std::min(kCopiedBytes, to_ - from_));
      if (window_.failed()) {
        end_ = EmitEnd::unreadable;
      } else if (!sink_(piece.bytes)) {
        end_ = EmitEnd::stopped;
      }
    }
    from_ = to_ = 0;
    return end_;
  }

 private:
  Window window_;
  const Model::Sink& sink_;
  std::uint64_t from_ = 0;  // the bytes of the source that are held back
  std::uint64_t to_ = 0;
  EmitEnd end_ = EmitEnd::complete;
};

}  // namespace

void Model::measure() {
  places_.resize(segments_.size());
  for (SegmentId id = 0; id < segments_.size(); ++id) {
    const Segment& segment = segments_[id];
    places_[id].head = segment.tree != nullptr ? segment.tree->encoded_size() : segment.head.size();
  }
  lay_out();
}

void Model::lay_out() {
  extents_.assign(chunks_.size(), {});
  std::uint64_t at = 0;
  for (const SegmentId id : order_) {
    const Segment& segment = segments_[id];
    PlaceInFile& place = places_[id];
    place.begin = at;
    if (!segment.removed) at += place.head + segment.body.size();
    place.end = at;
    if (segment.removed || segment.kind != Segment::Kind::page || segment.chunk == kNoChunk) continue;
    Extent& extent = extents_[segment.chunk];
    extent.begin = std::min(extent.begin, place.begin);
    extent.end = place.end;
    extent.pages += place.end - place.begin;
  }
}

std::int64_t Model::value_of(const Target& target, SegmentId owner) const {
  const auto size_of = [](const Extent& extent, bool span) {
    return span && extent.pages != 0 ? extent.end - extent.begin : extent.pages;
  };
  std::uint64_t value = 0;
  switch (target.what) {
    case Target::What::none:
      break;
    case Target::What::begin:
      value = places_[target.id].begin;
      break;
    case Target::What::end:
      value = places_[target.id].end;
      break;
    case Target::What::size:
      value = places_[target.id].end - places_[target.id].begin;
      break;
    case Target::What::own_body:
      value = segments_[owner].body.size();
      break;
    case Target::What::chunk_size:
      value = size_of(extents_[target.id], false);
      break;
    case Target::What::chunk_span:
      value = size_of(extents_[target.id], true);
      break;
    case Target::What::chunks_size:
      for (ChunkId id = target.id; id < target.id + target.count; ++id)
        value += size_of(extents_[id], chunks_[id].spans);
      break;
  }
  return static_cast<std::int64_t>(value);
}

bool Model::update_tree(SegmentId owner) {
  Tree& tree = *segments_[owner].tree;
  bool changed = false;
  for (NodeId node = 0; node < tree.size(); ++node) {
    const ReferenceId reference = tree.node(node).reference;
    if (reference == kNoTarget) continue;
    const std::int64_t value = value_of(targets_[reference], owner);
    if (tree.number(node) == value) continue;
    tree.set_reference(node, reference, value);
    changed = true;
  }
  if (changed) places_[owner].head = tree.encoded_size();
  return changed;
}

bool Model::update_references() {
  bool changed = false;
  for (SegmentId id = 0; id < segments_.size(); ++id) {
    if (segments_[id].tree != nullptr && update_tree(id)) changed = true;
  }
  lay_out();
  return changed;
}

/// Sets all references to 0, from where sizes can only grow.
void Model::zero_references() {
  for (Segment& segment : segments_) {
    if (segment.tree == nullptr) continue;
    for (NodeId node = 0; node < segment.tree->size(); ++node) {
      if (const ReferenceId reference = segment.tree->node(node).reference; reference != kNoTarget)
        segment.tree->set_reference(node, reference, 0);
    }
  }
  measure();
}

void Model::update_body(Segment& segment) const {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(segment.body.size()));
  if (!segment.body.is_stored()) {
    std::ranges::copy(segment.body.bytes(), bytes.begin());
  } else if (!source_->read(segment.body.offset(), bytes)) {
    return;  // the emission reports that
  }
  bool changed = false;
  for (const BodyNumber& number : segment.body_numbers) {
    const PlaceInFile& page = places_[number.page];
    const std::uint64_t value =
        number.base == kNoSegment ? page.end - page.begin : page.begin - places_[number.base].begin;
    std::vector<std::uint8_t> encoded;
    append_le(encoded, value, kBodyNumberBytes);
    const auto at = bytes.begin() + number.position;
    changed = changed || !std::equal(encoded.begin(), encoded.end(), at);
    std::ranges::copy(encoded, at);
  }
  if (changed) segment.body = Content::own(std::move(bytes));
}

void Model::resolve() {
  measure();
  bool changed = true;
  for (int round = 0; round < kRounds && changed; ++round) changed = update_references();
  if (changed) {
    zero_references();
    while (update_references()) continue;
  }
  for (Segment& segment : segments_) {
    if (!segment.body_numbers.empty()) update_body(segment);
  }
}

EmitEnd Model::emit(const Sink& sink) {
  resolve();
  Output out(*source_, sink);
  for (const SegmentId id : order_) {
    const Segment& segment = segments_[id];
    if (segment.removed) continue;
    if (segment.footer != kNoSegment) {
      std::vector<std::uint8_t> length;
      append_le(length, places_[id].begin - places_[segment.footer].begin, 4);
      out.bytes(length);
      continue;
    }
    if (segment.tree != nullptr) {
      segment.tree->write([](void* to, auto bytes) { static_cast<Output*>(to)->bytes(bytes); }, &out);
    } else {
      out.content(segment.head);
    }
    out.content(segment.body);
  }
  return out.flush();
}

}  // namespace parqproof::model
