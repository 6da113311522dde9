#include "conformance/report/bytes/layout.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/file/bloom_filter_extent.hpp"
#include "codec/file/metadata_copy.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/page/page_reader.hpp"
#include "codec/page/page_search.hpp"
#include "codec/page/page_walk.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/report/bytes/footer_targets.hpp"

namespace parqproof {
namespace {

/// Bytes claimed by one structure: segments without gaps between them. The pages of a chunk are one
/// structure.
struct Claim {
  std::vector<Segment> parts;
  [[nodiscard]] std::uint64_t offset() const noexcept { return parts.front().offset; }
  [[nodiscard]] std::uint64_t end() const noexcept { return parts.back().end(); }
};

/// Reads the frame of the file into `layout`; returns the claims of the footer and of the magic and length
/// around it.
std::vector<Claim> read_frame_claims(const Source& source, const Limits& limits, Layout& layout) {
  std::vector<Claim> claims;
  const auto add = [&claims](SegmentKind kind, std::uint64_t offset, std::uint64_t length) {
    if (length != 0) claims.push_back({{{offset, length, kind, {}, -1, 0}}});
  };
  const std::uint64_t size = layout.size;
  RuleSet of_keys;
  of_keys.set(static_cast<std::size_t>(Rule::encryption_key));
  Findings findings{of_keys};
  layout.frame = read_frame(source, size, limits, findings);
  const Frame& found = layout.frame;
  const bool is_changed = found.state == Frame::State::sealed && !findings.broke(Rule::encryption_key);
  layout.encrypted =
      found.state == Frame::State::encrypted || (found.state == Frame::State::sealed && !is_changed);
  const bool tail = size >= kMinFileBytes && has_magic(source, size - kMagicBytes);
  if (has_magic(source, 0)) add(SegmentKind::magic, 0, kMagicBytes);
  if (tail) {
    add(SegmentKind::footer_length, size - kFooterTailBytes, kFooterTailBytes - kMagicBytes);
    add(SegmentKind::magic, size - kMagicBytes, kMagicBytes);
  }
  if (found.footer_offset != 0)
    add(SegmentKind::footer, found.footer_offset, size - kFooterTailBytes - found.footer_offset);
  if (found.state == Frame::State::lost) {
    const std::uint64_t at = tail ? size - kFooterTailBytes : size - std::min(size, kMagicBytes);
    layout.unread.push_back({at, tail ? "footer length" : "magic", {}});
  } else if (is_changed) {
    layout.unread.push_back({found.footer_offset, "footer: its module does not authenticate", {}});
  } else if (found.state == Frame::State::proposed) {
    layout.unread.push_back({size - kMagicBytes, "footer: only a proposal defines it", {}});
  } else if (found.state == Frame::State::limit) {
    layout.unread.push_back({found.footer_offset, "footer: larger than the limit", {}});
  }
  return claims;
}

PageHeaderFields header_fields_of(const Page& page) {
  const bool dictionary = page.is_dictionary();
  PageHeaderFields fields{.uncompressed = page.header.uncompressed_page_size};
  if (!page.is_data() && !dictionary) return fields;
  fields.values = page.num_values();
  fields.encoding =
      static_cast<std::int32_t>(dictionary ? page.header.dictionary_page_header.encoding : page.encoding());
  return fields;
}

/// Reads the structures that the footer references, as far as needed to know their extent.
class TargetReading {
 public:
  /// All arguments outlive the reading.
  TargetReading(const Source& source, const Limits& limits, const FooterTargets& targets,
                std::uint64_t most_pages, Layout& layout)
      : limits_(limits), targets_(targets), layout_(layout), pages_(source, limits, 0), left_(most_pages) {
    for (const ChunkTarget& chunk : targets.chunks) starts_.push_back(chunk.extent.start);
    for (const StructureTarget& structure : targets.structures) starts_.push_back(structure.offset);
    std::ranges::sort(starts_);
  }

  /// Adds the claims of all targets; unreadable ones are listed in the layout.
  void run(std::vector<Claim>& claims) {
    const auto add = [&claims](Claim claim) {
      if (!claim.parts.empty()) claims.push_back(std::move(claim));
    };
    for (const StructureTarget& structure : targets_.structures) {
      if (!structure.length) {
        add(structure.encrypted ? sealed_bloom_filter(structure) : bloom_filter(structure));
        continue;
      }
      Segment segment{structure.offset, *structure.length, structure.kind, structure.place};
      if (structure.encrypted) segment.module = encryption::Mode::gcm;
      add({{segment}});
    }
    for (const ChunkTarget& chunk : targets_.chunks) {
      const std::uint64_t bound = next_start(chunk);
      std::vector<Claim> runs(1);
      const std::uint64_t end =
          chunk.locked ? locked_pages(chunk, bound, runs.back()) : pages(chunk, bound, runs);
      for (Claim& run : runs) add(std::move(run));
      if (!chunk.encrypted) add(metadata_copy(chunk, end, bound));
    }
  }

  /// Metadata copies of chunks without pages are in the gaps between segments, in the order of the footer:
  /// adds them as segments, and shortens the gaps.
  void name_copies_in_gaps() {
    std::vector<Segment> named;
    auto chunk = targets_.chunks_without_pages.begin();
    for (Segment segment : std::exchange(layout_.segments, {})) {
      const std::uint64_t end = segment.end();
      for (; segment.kind == SegmentKind::gap && segment.offset < end &&
             chunk != targets_.chunks_without_pages.end();
           ++chunk) {
        const std::optional<Segment> copy = copy_at(segment.offset, end, *chunk);
        if (!copy) break;
        named.push_back(*copy);
        segment.offset = copy->end();
        segment.length = end - segment.offset;
      }
      if (segment.length != 0) named.push_back(segment);
    }
    layout_.segments = std::move(named);
  }

 private:
  /// Start of the next structure that the footer references, which bounds the chunk.
  [[nodiscard]] std::uint64_t next_start(const ChunkTarget& chunk) const {
    const auto next = std::ranges::upper_bound(starts_, chunk.extent.start);
    return next == starts_.end() ? chunk.extent.data_end : *next;
  }

  Claim bloom_filter(const StructureTarget& target) {
    const std::uint64_t data_end = layout_.frame.footer_offset;
    pages_.enter(target.place);
    const BloomFilterExtent extent = read_bloom_filter_extent(pages_, target.offset, data_end, {});
    if (extent.header == 0) {
      unread(target.offset, "bloom-filter-header", target.place);
      return {};
    }
    Claim claim{{{target.offset, extent.header, target.kind, target.place}}};
    const std::uint64_t bitset = target.offset + extent.header;
    const std::uint64_t bytes = extent.bitset.value_or(0);
    if (bytes > data_end - bitset) {
      unread(bitset, "bloom-filter-bitset: it does not end before the footer", target.place);
    } else if (bytes != 0) {
      claim.parts.push_back({bitset, bytes, SegmentKind::bloom_filter_bitset, target.place});
    }
    return claim;
  }

  /// The size of the module at `offset` according to its length, which is not encrypted; nothing if it does
  /// not end before `bound`.
  std::optional<std::uint64_t> module_size(std::uint64_t offset, std::uint64_t bound, encryption::Mode mode) {
    constexpr std::uint64_t kField = encryption::kModuleLengthBytes;
    if (offset >= bound || bound - offset < encryption::frame_bytes(mode)) return std::nullopt;
    const View field = pages_.read(offset, kField);
    if (field.size() != kField) return std::nullopt;
    const std::uint64_t size = kField + load_le<std::uint32_t>(field.data());
    if (size < encryption::frame_bytes(mode) || size > bound - offset) return std::nullopt;
    return size;
  }

  /// Adds a module that ends before `bound`. Returns its end; nothing if there is none.
  std::optional<std::uint64_t> add_module(Segment segment, std::uint64_t bound, encryption::Mode mode,
                                          Claim& claim) {
    const auto size = module_size(segment.offset, bound, mode);
    if (!size) {
      unread(segment.offset, std::string(to_string(segment.kind)) + ": no module", segment.place);
      return std::nullopt;
    }
    segment.length = *size;
    segment.module = mode;
    claim.parts.push_back(segment);
    return segment.end();
  }

  Claim sealed_bloom_filter(const StructureTarget& target) {
    const std::uint64_t data_end = layout_.frame.footer_offset;
    Claim claim;
    const auto bitset = add_module({.offset = target.offset, .kind = target.kind, .place = target.place},
                                   data_end, encryption::Mode::gcm, claim);
    if (!bitset) return claim;
    const Segment bits{.offset = *bitset, .kind = SegmentKind::bloom_filter_bitset, .place = target.place};
    (void)add_module(bits, data_end, encryption::Mode::gcm, claim);
    return claim;
  }

  /// Adds the two modules of a page that cannot be decrypted. Returns the end of the page; nothing if there
  /// is none.
  std::optional<std::uint64_t> sealed_page(std::uint64_t offset, std::uint64_t bound, const Place& place,
                                           Claim& claim) {
    if (left_ == 0) {
      unread(offset, "page-header: there are too many pages", place);
      return std::nullopt;
    }
    --left_;
    const auto body = add_module({.offset = offset, .kind = SegmentKind::page_header, .place = place}, bound,
                                 encryption::Mode::gcm, claim);
    if (!body) return std::nullopt;
    return add_module(
        {.offset = *body, .kind = SegmentKind::page_body, .place = place, .page_header = offset}, bound,
        layout_.page_mode, claim);
  }

  /// Adds the pages of a chunk without a key: their modules lead from one to the next. Returns the end of the
  /// last one.
  std::uint64_t locked_pages(const ChunkTarget& chunk, std::uint64_t bound, Claim& claim) {
    const std::uint64_t end = std::min(chunk.extent.metadata_end, bound);
    Place place = chunk.place;
    std::uint64_t at = chunk.extent.start;
    for (place.page = 0; at < end; ++place.page) {
      const auto next = sealed_page(at, end, place, claim);
      if (!next) break;
      at = *next;
    }
    return at;
  }

  /// Adds the pages that the metadata claims, before `bound`; pages after an unreadable one are a separate
  /// claim. Returns the end of the pages, or the start of the page at which the walk stops.
  std::uint64_t pages(const ChunkTarget& chunk, std::uint64_t bound, std::vector<Claim>& runs) {
    const RegionMap none;  // the next structure begins at `bound`
    // The walk could continue to `bound`, but stops at the end that the metadata claims; the rest is a gap.
    PageWalk walk(pages_, none, {chunk.extent.start, bound, bound, INT64_MAX}, chunk.place);
    const auto is_claimed = [&] {
      return walk.offset() < bound &&
             (walk.entries() < chunk.extent.num_values || walk.offset() < chunk.extent.metadata_end);
    };
    const std::uint64_t end = std::min(chunk.extent.metadata_end, bound);
    while (is_claimed()) {
      if (page(walk, runs.back())) {
        walk.move_past_page();
      } else if (chunk.encrypted) {
        if (walk.loss() != PageWalk::Loss::module) break;
        Place place = chunk.place;
        place.page = walk.ordinal();
        const auto next = sealed_page(walk.offset(), bound, place, runs.back());
        if (!next) break;
        walk.resume(*next, walk.ordinal() + 1);
      } else if (const auto next =
                     left_ == 0 ? std::nullopt : find_pages_up_to(end, walk.offset() + 1, pages_)) {
        walk.resume(*next, walk.ordinal() + 1);
        runs.emplace_back();
      } else {
        break;
      }
    }
    return walk.offset();
  }

  /// Adds the next page to the claim; false if the start of the following page is unknown.
  bool page(PageWalk& walk, Claim& claim) {
    if (left_ == 0) {
      unread(walk.offset(), "page-header: there are too many pages", walk.page().place);
      return false;
    }
    --left_;
    const PageWalk::Step step = walk.next(nullptr);
    const Page& page = walk.page();
    const bool too_long = step == PageWalk::Step::lost && walk.loss() == PageWalk::Loss::beyond_bound;
    if ((step != PageWalk::Step::page && !too_long) || !page.header.has(PageHeader::id_type)) {
      unread(walk.offset(), "page-header", page.place);
      return false;
    }
    const auto type = static_cast<std::int32_t>(page.header.type);
    claim.parts.push_back({.offset = page.offset,
                           .length = page.body - page.offset,
                           .kind = SegmentKind::page_header,
                           .place = page.place,
                           .page_type = type,
                           .header_fields = header_fields_of(page)});
    if (page.module) claim.parts.back().module = encryption::Mode::gcm;
    if (too_long) {
      unread(page.body, "page-body: it does not end before the next structure", page.place);
      return false;
    }
    if (page.stored_size() != 0) {
      claim.parts.push_back(
          {page.body, page.stored_size(), SegmentKind::page_body, page.place, type, page.offset});
      if (page.module) claim.parts.back().module = layout_.page_mode;
    }
    return true;
  }

  /// A copy of the metadata, which old writers put after the pages or at file_offset.
  Claim metadata_copy(const ChunkTarget& chunk, std::uint64_t end, std::uint64_t bound) {
    const auto stated = static_cast<std::uint64_t>(std::max<std::int64_t>(chunk.file_offset, 0));
    for (const std::uint64_t from : {end, std::max(end, stated)}) {
      if (from >= bound) break;
      if (const std::optional<Segment> copy = copy_at(from, bound, chunk)) return {{*copy}};
    }
    return {};
  }

  /// The copy of a chunk's metadata that begins at `from`.
  std::optional<Segment> copy_at(std::uint64_t from, std::uint64_t to, const ChunkTarget& chunk) {
    const View footer = layout_.frame.footer;
    ColumnChunk original;
    thrift::Reader reader(footer.from(chunk.metadata - footer.base), {}, limits_);
    if (!reader.read(original)) return std::nullopt;
    const View bytes = pages_.read(from, std::min(to - from, limits_.page_header_bytes()));
    const auto copy = read_metadata_copy(bytes, original, limits_);
    if (!copy) return std::nullopt;
    return Segment{from, copy->end - from,    SegmentKind::column_metadata, chunk.place, -1,
                   0,    copy->complete_chunk};
  }

  void unread(std::uint64_t offset, std::string what, const Place& place) {
    layout_.unread.push_back({offset, std::move(what), place});
  }

  const Limits& limits_;
  const FooterTargets& targets_;
  Layout& layout_;
  PageReader pages_;
  std::vector<std::uint64_t> starts_;  // start offsets of the targets, sorted
  std::uint64_t left_;                 // number of pages that may still be read
};

/// Assigns each byte of the file to the claim that begins first.
void share_out(std::vector<Claim> claims, Layout& layout) {
  std::ranges::stable_sort(claims, {}, &Claim::offset);
  std::uint64_t at = 0;
  const auto gap_to = [&](std::uint64_t end) {
    if (end > at) layout.segments.push_back({at, end - at, SegmentKind::gap, {}, -1, 0});
  };
  const Claim* owner = nullptr;  // claim with the largest end so far
  for (const Claim& claim : claims) {
    gap_to(claim.offset());
    if (claim.offset() < at) {
      const std::uint64_t end = std::min(claim.end(), at);
      layout.overlaps.push_back(
          {claim.offset(), end - claim.offset(), owner->parts.front(), claim.parts.front()});
    }
    for (Segment part : claim.parts) {
      if (part.end() <= at) continue;
      part.length = part.end() - std::max(part.offset, at);
      part.offset = std::max(part.offset, at);
      layout.segments.push_back(part);
      at = part.end();
    }
    if (owner == nullptr || claim.end() > owner->end()) owner = &claim;
  }
  gap_to(layout.size);
}

}  // namespace

std::string_view to_string(SegmentKind kind) noexcept {
  constexpr std::string_view kNames[] = {
      "magic",        "page-header",         "page-body",           "column-metadata", "column-index",
      "offset-index", "bloom-filter-header", "bloom-filter-bitset", "footer",          "footer-length",
      "gap"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(SegmentKind::gap) + 1);
  return kNames[static_cast<std::size_t>(kind)];
}

std::string Layout::column(const Place& place) const {
  const auto group = static_cast<std::size_t>(place.row_group);
  const auto leaf = static_cast<std::size_t>(place.leaf);
  if (place.row_group < 0 || place.leaf < 0 || group >= chunks.size() || leaf >= chunks[group].size())
    return {};
  return chunks[group][leaf].column;
}

std::string page_type_text(std::int32_t type) {
  const std::string_view name = kPageTypeEnum.name_of(type);
  return name.empty() ? std::to_string(type) : std::string(name);
}

Layout read_layout(const Source& file, std::uint64_t most_pages) {
  const Limits limits;
  const WatchedSource source(file);
  Layout layout;
  layout.size = source.size();
  std::vector<Claim> claims = read_frame_claims(source, limits, layout);
  FooterTargets targets;
  if (!layout.frame.footer.empty()) targets = read_footer_targets(layout, limits, source.keys());
  TargetReading reading(source, limits, targets, most_pages, layout);
  reading.run(claims);
  share_out(std::move(claims), layout);
  reading.name_copies_in_gaps();
  std::ranges::stable_sort(layout.unread, {}, &Unread::offset);
  layout.failed = source.failed();
  return layout;
}

void add_rest(Layout& layout, std::uint64_t size) {
  if (layout.size == size) return;
  if (layout.segments.empty() || layout.segments.back().kind != SegmentKind::gap)
    layout.segments.push_back({.offset = layout.size, .place = {}});
  layout.segments.back().length += size - layout.size;
  layout.size = size;
}

}  // namespace parqproof
