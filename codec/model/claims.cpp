#include "codec/model/claims.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/file/frame.hpp"
#include "codec/format/file_meta_data.hpp"

namespace parqproof::model {
namespace {

std::uint64_t begin_of(const Segment& segment) {
  return segment.head.size() != 0 ? segment.head.offset() : segment.body.offset();
}
std::uint64_t end_of(const Segment& segment) {
  return begin_of(segment) + segment.head.size() + segment.body.size();
}

/// Bytes that a search for magics reads at once.
constexpr std::uint64_t kPiece = std::uint64_t{1} << 20;

}  // namespace

Segment stored(Segment::Kind kind, std::uint64_t offset, std::uint64_t head, std::uint64_t body) {
  Segment segment{.kind = kind};
  const bool has_struct = kind == Segment::Kind::page || kind == Segment::Kind::column_metadata ||
                          kind == Segment::Kind::column_index || kind == Segment::Kind::offset_index ||
                          kind == Segment::Kind::bloom_filter;
  if (has_struct) {
    segment.head = Content::stored(offset, head);
    segment.body = Content::stored(offset + head, body);
  } else {
    segment.body = Content::stored(offset, head + body);
  }
  return segment;
}

bool Claims::is_free(std::uint64_t begin, std::uint64_t end) const {
  const auto next = segments_.lower_bound(begin);
  if (next != segments_.end() && next->first < end) return false;
  return next == segments_.begin() || end_of(std::prev(next)->second) <= begin;
}

bool Claims::add(Segment segment) {
  const std::uint64_t begin = begin_of(segment);
  const std::uint64_t end = end_of(segment);
  if (begin == end || !is_free(begin, end)) return false;
  segments_.emplace(begin, std::move(segment));
  return true;
}

std::uint64_t Claims::next_begin(std::uint64_t offset, std::uint64_t otherwise) const {
  const auto next = segments_.lower_bound(offset);
  return next == segments_.end() ? otherwise : next->first;
}

void Claims::gap(std::uint64_t begin, std::uint64_t end) {
  if (begin < end) add(stored(Segment::Kind::gap, begin, 0, end - begin));
}

bool Claims::fill_gaps(const Source& source, const Limits& limits) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> gaps;
  std::uint64_t at = 0;
  for (const auto& [begin, segment] : segments_) {
    if (at < begin) gaps.emplace_back(at, begin);
    at = end_of(segment);
  }
  if (at < source.size()) gaps.emplace_back(at, source.size());
  Window window(source);
  for (const auto& [begin, end] : gaps) {
    if (!earlier_footers(window, begin, end, limits)) return false;
    for (std::uint64_t from = begin; from < end;) {
      const std::uint64_t next = std::min(next_begin(from, end), end);
      if (next == from) {
        from = end_of(segments_.at(from));
      } else {
        gap(from, next);
        from = next;
      }
    }
  }
  return true;
}

bool Claims::earlier_footers(Window& window, std::uint64_t begin, std::uint64_t end, const Limits& limits) {
  std::uint64_t budget = 2 * (end - begin);  // for the bytes of candidates
  for (std::uint64_t from = begin; from + kMagicBytes <= end; from += kPiece) {
    const std::uint64_t size = std::min(kPiece + kMagicBytes - 1, end - from);
    const View piece = window.view(from, size);
    if (window.failed()) return false;
    std::vector<std::uint64_t> magics;
    for (std::size_t i = 0; i + kMagicBytes <= piece.size(); ++i) {
      const void* const found = std::memchr(piece.data() + i, 'P', piece.size() - i);
      if (found == nullptr) break;
      i = static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - piece.data());
      if (i + kMagicBytes <= piece.size() && load_le<std::uint32_t>(piece.data() + i) == kPlainMagic)
        magics.push_back(from + i);
    }
    for (const std::uint64_t magic : magics) earlier_footer(window, begin, magic, budget, limits);
    if (window.failed()) return false;
  }
  return true;
}

/// A footer length before the magic, and a FileMetaData of exactly that length before both, are the evidence.
void Claims::earlier_footer(Window& window, std::uint64_t begin, std::uint64_t magic, std::uint64_t& budget,
                            const Limits& limits) {
  if (magic - begin < kMinFileBytes - 2 * kMagicBytes) return;
  const std::uint64_t length_at = magic - (kFooterTailBytes - kMagicBytes);
  const View stated = window.view(length_at, kFooterTailBytes - kMagicBytes);
  if (window.failed()) return;
  const std::uint64_t length = load_le<std::uint32_t>(stated.data());
  if (length == 0 || length > length_at - begin || length > budget || length > limits.footer_bytes()) return;
  budget -= length;
  const std::uint64_t at = length_at - length;
  if (!is_free(at, magic + kMagicBytes)) return;
  const View bytes = window.view(at, length);
  if (window.failed()) return;
  Result<Tree> tree = Tree::read(bytes, FileMetaData::kType, limits);
  if (!tree || tree->encoded_size() != length || !tree->field(kRoot, FileMetaData::id_schema)) return;
  Segment footer{.kind = Segment::Kind::footer};
  footer.head = Content::stored(at, length);
  footer.tree = std::make_unique<Tree>(std::move(*tree));
  add(std::move(footer));
  add(stored(Segment::Kind::footer_length, length_at, kFooterTailBytes - kMagicBytes));
  add(stored(Segment::Kind::magic, magic, kMagicBytes));
}

std::vector<Segment> Claims::take() {
  std::vector<Segment> all;
  all.reserve(segments_.size());
  for (auto& [begin, segment] : segments_) all.push_back(std::move(segment));
  segments_.clear();
  return all;
}

}  // namespace parqproof::model
