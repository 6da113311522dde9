#include "conformance/report/layout.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/file/metadata_copy.hpp"
#include "codec/file/page_reader.hpp"
#include "codec/format/bloom_filter_header.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/report/field_text.hpp"

namespace parqproof {
namespace {

/// What one owner claims: segments without holes between them.
struct Claim {
  std::vector<Segment> parts;
  [[nodiscard]] std::uint64_t offset() const noexcept { return parts.front().offset; }
  [[nodiscard]] std::uint64_t end() const noexcept { return parts.back().end(); }
};

/// A column chunk as the footer describes it.
struct Chunk {
  Place place;
  std::uint64_t start = 0;
  std::uint64_t stated_end = 0;  ///< by total_compressed_size
  std::int64_t num_values = 0;
  std::int64_t file_offset = 0;
  std::uint64_t metadata = 0;  ///< where the footer has its ColumnChunk
};

/// Bytes [offset, offset + length) that the footer points at; without a length where only the structure
/// itself tells it.
struct Pointed {
  SegmentKind kind{};
  Place place;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;
};

/// The magic at `offset`, if it is one.
bool is_magic(const Source& source, std::uint64_t offset) {
  std::array<std::uint8_t, kMagicBytes> bytes{};
  if (offset + bytes.size() > source.size() || !source.read(offset, bytes)) return false;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text == "PAR1" || text == "PARE";
}

class Builder final : public thrift::ElementHandler {
 public:
  explicit Builder(const Source& source) : source_(source), pages_(source, limits_, 0) {
    layout_.size = source.size();
  }

  Layout build() {
    frame();
    if (!layout_.frame.footer.empty()) footer();
    for (const Pointed& pointed : pointed_) structure(pointed);
    starts();
    for (const Chunk& chunk : chunks_) pages_of(chunk);
    settle();
    return std::move(layout_);
  }

  [[nodiscard]] bool takes(const thrift::Field& list) const override {
    return list.name == "schema" || list.name == "row_groups" || list.name == "columns";
  }

  [[nodiscard]] bool element(thrift::Reader& reader, const thrift::Field& list,
                             std::uint32_t index) override {
    if (list.name == "schema") {
      SchemaElement element;
      if (!reader.read(element)) return false;
      layout_.schema.add(element);
      return true;
    }
    if (list.name == "row_groups") {
      row_group_ = static_cast<std::int32_t>(index);
      layout_.chunks.emplace_back();
      RowGroup group;
      return reader.read(group);
    }
    ColumnChunk chunk;
    const bool whole = reader.read(chunk);
    if (row_group_ >= 0) column_chunk(chunk, {row_group_, static_cast<std::int32_t>(index), -1});
    return whole;
  }

 private:
  void add(SegmentKind kind, std::uint64_t offset, std::uint64_t length, Place place = {}) {
    if (length == 0) return;
    claims_.push_back({{{offset, length, kind, place, -1, 0}}});
  }

  void frame() {
    const std::uint64_t size = layout_.size;
    Findings ignored{RuleSet{}};
    layout_.frame = read_frame(source_, size, limits_, ignored);
    Frame& found = layout_.frame;
    layout_.failed = found.state == Frame::State::unreadable;
    layout_.encrypted = found.state == Frame::State::encrypted;
    const bool tail = size >= kMinFileBytes && is_magic(source_, size - kMagicBytes);
    if (is_magic(source_, 0)) add(SegmentKind::magic, 0, kMagicBytes);
    if (tail) {
      add(SegmentKind::footer_length, size - kFooterTailBytes, kFooterTailBytes - kMagicBytes);
      add(SegmentKind::magic, size - kMagicBytes, kMagicBytes);
    }
    if (found.footer_offset != 0) {
      add(SegmentKind::footer, found.footer_offset, size - kFooterTailBytes - found.footer_offset);
      data_end_ = found.footer_offset;
    }
    if (found.state == Frame::State::lost) {
      unread(tail ? size - kFooterTailBytes : size - std::min(size, kMagicBytes),
             tail ? "footer length" : "magic", {});
    } else if (found.state == Frame::State::limit) {
      unread(found.footer_offset, "footer: larger than what is read", {});
    }
  }

  void footer() {
    FileMetaData meta;
    Findings findings(framing_rules());
    thrift::Reader reader(layout_.frame.footer, {&findings, {}, {}}, limits_);
    reader.set_handler(this);
    if (!reader.read(meta)) {
      unread(findings.all().empty() ? reader.offset() : findings.all().back().offset, "footer", {});
    }
    layout_.schema.finish();
    for (std::vector<ChunkPages>& group : layout_.chunks) {
      for (std::size_t leaf = 0; leaf < group.size() && leaf < layout_.schema.leaf_count(); ++leaf) {
        if (layout_.schema.fault() == Schema::Fault::none) {
          group[leaf].column = layout_.schema.dotted_path(layout_.schema.leaf_index(leaf));
        }
      }
    }
  }

  void column_chunk(const ColumnChunk& chunk, const Place& place) {
    const ColumnMetaData& meta = chunk.meta_data;
    layout_.chunks.back().push_back({meta.codec, {}});
    std::string& column = layout_.chunks.back().back().column;
    thrift::for_each_string(meta.path_in_schema, [&column](const View& name, std::uint32_t i) {
      column.append(i == 0 ? "" : ".").append(reinterpret_cast<const char*>(name.data()), name.size());
    });
    if (chunk.has(ColumnChunk::id_crypto_metadata)) layout_.encrypted = true;
    if (chunk.has(ColumnChunk::id_file_path) && !chunk.file_path.empty()) return;  // all of it is there
    if (chunk.has(ColumnChunk::id_offset_index_offset)) {
      point(SegmentKind::offset_index, place, chunk.offset_index_offset, chunk.offset_index_length);
    }
    if (chunk.has(ColumnChunk::id_column_index_offset)) {
      point(SegmentKind::column_index, place, chunk.column_index_offset, chunk.column_index_length);
    }
    if (!chunk.has(ColumnChunk::id_meta_data) || chunk.has(ColumnChunk::id_crypto_metadata)) return;

    if (meta.has(ColumnMetaData::id_bloom_filter_offset)) {
      point(SegmentKind::bloom_filter_header, place, meta.bloom_filter_offset, std::nullopt);
    }
    if (meta.num_values == 0 && meta.total_compressed_size == 0) {
      without_pages_.push_back({place, 0, 0, 0, chunk.file_offset, chunk.fields.offset});
      return;
    }
    std::int64_t start = meta.data_page_offset;
    if (meta.dictionary_page_offset > 0 && (start <= 0 || meta.dictionary_page_offset < start))
      start = meta.dictionary_page_offset;
    if (!inside(start))
      return unread(layout_.frame.footer_offset, "column chunk: it does not begin among the data", place);
    const auto begin = static_cast<std::uint64_t>(start);
    const auto length = static_cast<std::uint64_t>(std::max<std::int64_t>(meta.total_compressed_size, 0));
    chunks_.push_back({place, begin, begin + std::min(length, data_end_ - begin), meta.num_values,
                       chunk.file_offset, chunk.fields.offset});
  }

  void point(SegmentKind kind, const Place& place, std::int64_t offset, std::optional<std::int64_t> length) {
    const bool fits =
        inside(offset) && (!length || (*length > 0 && static_cast<std::uint64_t>(*length) <=
                                                          data_end_ - static_cast<std::uint64_t>(offset)));
    if (!fits) {
      return unread(layout_.frame.footer_offset,
                    std::string(to_string(kind)) + ": it does not lie among the data", place);
    }
    Pointed pointed{kind, place, static_cast<std::uint64_t>(offset), std::nullopt};
    if (length) pointed.length = static_cast<std::uint64_t>(*length);
    pointed_.push_back(pointed);
  }

  [[nodiscard]] bool inside(std::int64_t offset) const {
    return offset >= static_cast<std::int64_t>(kMagicBytes) && static_cast<std::uint64_t>(offset) < data_end_;
  }

  void structure(const Pointed& pointed) {
    if (pointed.kind != SegmentKind::bloom_filter_header)
      return add(pointed.kind, pointed.offset, *pointed.length, pointed.place);
    // The header is small; more than this of it is nothing that a bloom filter needs.
    constexpr std::uint64_t most = 4096;
    const View view = pages_.read(pointed.offset, std::min(most, data_end_ - pointed.offset));
    thrift::Reader reader(view, {}, limits_);
    BloomFilterHeader header;
    if (!reader.read(header)) return unread(pointed.offset, "bloom-filter-header", pointed.place);
    const std::uint64_t body = header.fields.end;
    const auto bytes = static_cast<std::uint64_t>(std::max(header.numBytes, 0));
    Claim claim{{{pointed.offset, body - pointed.offset, pointed.kind, pointed.place, -1, 0}}};
    if (bytes > data_end_ - body) {
      unread(body, "bloom-filter-bitset: it does not end before the footer", pointed.place);
    } else if (bytes != 0) {
      claim.parts.push_back({body, bytes, SegmentKind::bloom_filter_bitset, pointed.place, -1, 0});
    }
    claims_.push_back(std::move(claim));
  }

  /// Where the things begin that the footer points at: no chunk reaches over the next of them.
  void starts() {
    for (const Chunk& chunk : chunks_) starts_.push_back(chunk.start);
    for (const Pointed& pointed : pointed_) starts_.push_back(pointed.offset);
    std::ranges::sort(starts_);
  }

  void pages_of(const Chunk& chunk) {
    const auto next = std::ranges::upper_bound(starts_, chunk.start);
    const std::uint64_t bound = next == starts_.end() ? data_end_ : *next;
    Claim claim;
    std::uint64_t at = chunk.start;
    std::int64_t values = 0;
    Page page;
    for (std::int32_t ordinal = 0; at < bound && (values < chunk.num_values || at < chunk.stated_end);
         ++ordinal) {
      const PageReader::State state = pages_.read_header(at, bound, {}, page);
      if (state == PageReader::State::unreadable) layout_.failed = true;
      Place place = chunk.place;
      place.page = ordinal;
      const bool header_only = state == PageReader::State::read && !page.can_be_passed();
      if (state != PageReader::State::read || header_only || !page.header.has(PageHeader::id_type)) {
        unread(at, "page-header", place);
        break;
      }
      const auto type = static_cast<std::int32_t>(page.header.type);
      claim.parts.push_back({at, page.body - at, SegmentKind::page_header, place, type, 0});
      if (page.stored_size() > bound - page.body) {
        unread(page.body, "page-body: it does not end before the next structure", place);
        break;
      }
      if (page.stored_size() != 0) {
        claim.parts.push_back({page.body, page.stored_size(), SegmentKind::page_body, place, type, at});
      }
      if (page.is_data()) values = saturating_add(values, page.num_values());
      at = page.end();
    }
    if (!claim.parts.empty()) claims_.push_back(std::move(claim));
    metadata_copy(chunk, at, bound);
  }

  /// A copy of the metadata, which old writers leave behind the pages: at once, or where file_offset says.
  void metadata_copy(const Chunk& chunk, std::uint64_t end, std::uint64_t bound) {
    const auto stated = static_cast<std::uint64_t>(std::max<std::int64_t>(chunk.file_offset, 0));
    for (const std::uint64_t from : {end, std::max(end, stated)}) {
      if (from >= bound) return;
      if (const auto copy = copy_at(from, bound, chunk)) return claims_.push_back({{*copy}});
    }
  }

  /// The copy of a chunk's metadata that begins at `from`.
  std::optional<Segment> copy_at(std::uint64_t from, std::uint64_t to, const Chunk& chunk) {
    const View footer = layout_.frame.footer;
    ColumnChunk original;
    thrift::Reader reader(footer.from(chunk.metadata - footer.base), {}, limits_);
    if (!reader.read(original)) return std::nullopt;
    const View bytes = pages_.read(from, std::min(to - from, limits_.page_header_bytes()));
    const auto copy = read_metadata_copy(bytes, original, limits_);
    if (!copy) return std::nullopt;
    return Segment{from, copy->end - from, SegmentKind::column_metadata, chunk.place, -1,
                   0,    copy->whole_chunk};
  }

  /// Bytes that nothing claims: the copies of chunks without pages stand there, in the order of the footer.
  void gap(std::uint64_t from, std::uint64_t to) {
    for (; from < to && next_without_pages_ < without_pages_.size(); ++next_without_pages_) {
      const auto copy = copy_at(from, to, without_pages_[next_without_pages_]);
      if (!copy) break;
      layout_.segments.push_back(*copy);
      from = copy->end();
    }
    if (from < to) layout_.segments.push_back({from, to - from, SegmentKind::gap, {}, -1, 0});
  }

  /// Gives each byte to the structure that begins first.
  void settle() {
    std::ranges::stable_sort(claims_, {}, &Claim::offset);
    std::uint64_t at = 0;
    const Claim* owner = nullptr;  // whose last byte is the furthest so far
    for (const Claim& claim : claims_) {
      if (claim.offset() > at) gap(at, claim.offset());
      if (claim.offset() < at) {
        const std::uint64_t end = std::min(claim.end(), at);
        layout_.overlaps.push_back(
            {claim.offset(), end - claim.offset(), owner->parts.front(), claim.parts.front()});
      }
      for (Segment part : claim.parts) {
        if (part.end() <= at) continue;
        part.length = part.end() - std::max(part.offset, at);
        part.offset = std::max(part.offset, at);
        layout_.segments.push_back(part);
        at = part.end();
      }
      if (owner == nullptr || claim.end() > owner->end()) owner = &claim;
    }
    if (at < layout_.size) gap(at, layout_.size);
    std::ranges::stable_sort(layout_.unread, {}, &Unread::offset);
  }

  void unread(std::uint64_t offset, std::string what, const Place& place) {
    layout_.unread.push_back({offset, std::move(what), place});
  }

  const Source& source_;
  const Limits limits_;
  PageReader pages_;
  Layout layout_;
  std::vector<Pointed> pointed_;
  std::vector<Chunk> chunks_;
  std::vector<Chunk> without_pages_;  // in this file
  std::size_t next_without_pages_ = 0;
  std::vector<Claim> claims_;
  std::vector<std::uint64_t> starts_;
  std::uint64_t data_end_ = 0;  // where the footer begins
  std::int32_t row_group_ = -1;
};

}  // namespace

std::string_view to_string(SegmentKind kind) noexcept {
  switch (kind) {
    case SegmentKind::magic:
      return "magic";
    case SegmentKind::page_header:
      return "page-header";
    case SegmentKind::page_body:
      return "page-body";
    case SegmentKind::column_metadata:
      return "column-metadata";
    case SegmentKind::column_index:
      return "column-index";
    case SegmentKind::offset_index:
      return "offset-index";
    case SegmentKind::bloom_filter_header:
      return "bloom-filter-header";
    case SegmentKind::bloom_filter_bitset:
      return "bloom-filter-bitset";
    case SegmentKind::footer:
      return "footer";
    case SegmentKind::footer_length:
      return "footer-length";
    case SegmentKind::gap:
      return "gap";
  }
  return {};
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

Layout read_layout(const Source& source) { return Builder(source).build(); }

}  // namespace parqproof
