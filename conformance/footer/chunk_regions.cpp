#include "conformance/footer/chunk_regions.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "codec/format/chunk_start.hpp"
#include "conformance/state/region_fields.hpp"
#include "conformance/state/sealed_chunk.hpp"

namespace parqproof {
namespace {

class Places {
 public:
  Places(FileCheck& check, const ColumnChunk& chunk, const ChunkClaim& claim)
      : check_(check),
        chunk_(chunk),
        claim_(claim),
        begin_(static_cast<std::int64_t>(check.input.data_begin())),
        footer_(static_cast<std::int64_t>(check.footer.frame.footer_offset)) {}

  /// Returns true if the chunk states by zeros that it has no pages.
  [[nodiscard]] bool has_no_pages(const ChunkStart& first) const {
    const ColumnMetaData& meta = chunk_.meta_data;
    return meta.num_values == 0 && first.offset == 0 && meta.total_compressed_size == 0;
  }

  /// Returns true if the first page can be in the file; otherwise the cause is reported.
  [[nodiscard]] bool holds(const ChunkStart& first) {
    const ColumnMetaData& meta = chunk_.meta_data;
    if (claim_.file == 0 && check_.footer.metadata_alone() && meta.num_values > 0) {
      site().report(Rule::summary_file_path, "file_path",
                    contrast(kAbsent, "the path of the file that holds the chunk"));
      check_.outcome.lost.push_back({LostPart::column_chunk, place_of(claim_), {}, Rule::summary_file_path});
      check_.outcome.regions_known = false;
      return false;
    }
    if (first.offset < begin_ || first.offset >= footer_) {
      outside(first.field, first.offset);
      lose(LostPart::column_chunk);
      return false;
    }
    // The reader of the pages reports it, where there is one.
    if (!has_room(first) && (check_.options.tier == Tier::footer || is_sealed(chunk_))) {
      site().report(Rule::file_region_inside, "meta_data.total_compressed_size",
                    contrast(meta.total_compressed_size, at_most(footer_ - first.offset)));
    }
    return true;
  }

  /// Returns true if all pages end before the footer. Precondition: holds().
  [[nodiscard]] bool has_room(const ChunkStart& first) const {
    return chunk_.meta_data.total_compressed_size <= footer_ - first.offset;
  }

  void bloom_filter() {
    const ColumnMetaData& meta = chunk_.meta_data;
    if (is_zero(Region::Kind::bloom_filter, meta.has(ColumnMetaData::id_bloom_filter_offset),
                meta.bloom_filter_offset)) {
      return;
    }
    const bool has_length = meta.fields.mentions(ColumnMetaData::id_bloom_filter_length);
    if (has_length && !meta.fields.mentions(ColumnMetaData::id_bloom_filter_offset)) {
      site().report(Rule::bloom_filter_length_without_offset, "meta_data.bloom_filter_offset",
                    contrast(kAbsent, "an offset"));
      check_.outcome.regions_known = false;
    }
    if (!meta.has(ColumnMetaData::id_bloom_filter_offset)) {
      lose_place(meta.fields.mentions(ColumnMetaData::id_bloom_filter_offset));
      return;
    }
    if (!has_length)
      site().report(Rule::bloom_filter_length_absent, "meta_data.bloom_filter_length",
                    contrast(kAbsent, "a length"));
    if (check_.footer.schema.leaf(claim_.leaf).type == Type::BOOLEAN) {
      site().report(Rule::bloom_filter_boolean, "meta_data.bloom_filter_offset",
                    contrast("BOOLEAN", "a type whose values are whole bytes"));
    }
    structure(Region::Kind::bloom_filter, LostPart::bloom_filter, meta.bloom_filter_offset,
              stated(meta.has(ColumnMetaData::id_bloom_filter_length), meta.bloom_filter_length));
  }

  /// page-index/offset-length-pair for the two fields of an index, and page-index/column-needs-offset.
  void presence_of_indexes() {
    has_zero_offset_index_ =
        is_zero(Region::Kind::offset_index, chunk_.has(ColumnChunk::id_offset_index_offset),
                chunk_.offset_index_offset);
    has_zero_column_index_ =
        is_zero(Region::Kind::column_index, chunk_.has(ColumnChunk::id_column_index_offset),
                chunk_.column_index_offset);
    for (const ColumnChunk::Id offset :
         {ColumnChunk::id_offset_index_offset, ColumnChunk::id_column_index_offset})
      lose_place(chunk_.fields.mentions(offset) && !chunk_.has(offset));
    pair(Region::Kind::offset_index, ColumnChunk::id_offset_index_offset,
         ColumnChunk::id_offset_index_length);
    pair(Region::Kind::column_index, ColumnChunk::id_column_index_offset,
         ColumnChunk::id_column_index_length);
    if (chunk_.has(ColumnChunk::id_column_index_offset) && !has_zero_column_index_ &&
        !chunk_.fields.mentions(ColumnChunk::id_offset_index_offset) &&
        !chunk_.fields.mentions(ColumnChunk::id_offset_index_length)) {
      site().report(Rule::page_index_column_needs_offset, "offset_index_offset",
                    contrast(kAbsent, "an offset"));
    }
  }

  void indexes() {
    if (chunk_.has(ColumnChunk::id_offset_index_offset) && !has_zero_offset_index_)
      structure(Region::Kind::offset_index, LostPart::offset_index, chunk_.offset_index_offset,
                stated(chunk_.has(ColumnChunk::id_offset_index_length), chunk_.offset_index_length));
    if (chunk_.has(ColumnChunk::id_column_index_offset) && !has_zero_column_index_)
      structure(Region::Kind::column_index, LostPart::column_index, chunk_.column_index_offset,
                stated(chunk_.has(ColumnChunk::id_column_index_length), chunk_.column_index_length));
  }

  void add_region(Region::Kind kind, std::int64_t offset, std::int64_t length, bool length_known) {
    Region& region = check_.regions.emplace_back();
    fill_region(region, claim_, kind, offset, length);
    region.encrypted = is_sealed(chunk_);
    region.length_known = length_known;
  }

 private:
  [[nodiscard]] static std::optional<std::int64_t> stated(bool is_stated, std::int64_t length) {
    return is_stated ? std::optional(length) : std::nullopt;
  }

  /// Called with true for an offset that cannot be read: the bytes of its structure are no surplus bytes.
  void lose_place(bool is_unreadable) {
    if (is_unreadable) check_.outcome.regions_known = false;
  }

  /// column-chunk/index-offset-zero: returns true if the offset is 0. Old writers mean by it that there is no
  /// such structure, so nothing is lost, and the length is not judged.
  bool is_zero(Region::Kind kind, bool has_offset, std::int64_t offset) {
    if (!has_offset || offset != 0 || begin_ == 0) return false;
    site().report(Rule::column_chunk_index_offset_zero, offset_field(kind), contrast(0, kAbsent));
    check_.outcome.regions_known = false;
    return true;
  }

  /// page-index/offset-length-pair
  void pair(Region::Kind kind, ColumnChunk::Id offset, ColumnChunk::Id length) {
    const bool is_none = kind == Region::Kind::offset_index ? has_zero_offset_index_ : has_zero_column_index_;
    if (is_none) return;
    const bool has_offset = chunk_.fields.mentions(offset);
    if (has_offset == chunk_.fields.mentions(length)) return;
    const std::string_view absent = has_offset ? length_field(kind) : offset_field(kind);
    site().report(Rule::page_index_offset_length_pair, absent,
                  contrast(kAbsent, has_offset ? "a length" : "an offset", std::string(absent)));
    check_.outcome.regions_known = false;
  }

  [[nodiscard]] FindingSite site() const { return FindingSite::of_chunk(check_, claim_); }
  /// Metadata that is visible may be wrong where that which is encrypted is right.
  void lose(LostPart part) {
    const bool is_visible_place = part == LostPart::column_chunk || part == LostPart::bloom_filter;
    if (!is_visible_place || !is_sealed(chunk_)) check_.outcome.lost.push_back({part, place_of(claim_)});
  }

  /// file/region-inside for an offset.
  void outside(std::string_view field, std::int64_t offset) {
    site().report(Rule::file_region_inside, field,
                  contrast(offset, std::to_string(begin_) + " to " + std::to_string(footer_ - 1)));
    check_.outcome.regions_known = false;
  }

  /// Adds the region of an index or Bloom filter, if it can be in the file. An unknown length
  /// counts as one byte or more.
  void structure(Region::Kind kind, LostPart part, std::int64_t offset, std::optional<std::int64_t> length) {
    if (offset < begin_ || offset > footer_ || (offset == footer_ && !length)) {
      outside(offset_field(kind), offset);
      lose(part);
      return;
    }
    const bool is_read_later = check_.options.tier != Tier::footer && length.value_or(0) <= footer_ - begin_;
    if (length && (*length < 0 || (*length > footer_ - offset && !is_read_later))) {
      site().report(Rule::file_region_inside, length_field(kind),
                    contrast(*length, number_or_between(0, footer_ - offset)));
      check_.outcome.regions_known = false;
      lose(part);
      return;
    }
    add_region(kind, offset, length.value_or(0), length.has_value());
  }

  FileCheck& check_;
  const ColumnChunk& chunk_;
  const ChunkClaim& claim_;
  std::int64_t begin_;   ///< first byte that can hold data
  std::int64_t footer_;  ///< one past the last
  bool has_zero_offset_index_ = false;
  bool has_zero_column_index_ = false;
};

/// Returns true if the pages of each chunk begin after those of all chunks before it.
bool pages_ascend(const ParsedFooter& footer) {
  std::uint64_t end = 0;
  for (const ChunkClaim& claim : footer.chunks) {
    if (!claim.has_region) continue;
    if (claim.start < end) return false;
    end = claim.start + static_cast<std::uint64_t>(claim.compressed);
  }
  return true;
}

}  // namespace

void place_pages(FileCheck& check, const ColumnChunk& chunk, ChunkClaim& claim) {
  Places places(check, chunk, claim);
  const ChunkStart first = chunk_start(chunk.meta_data);
  if (places.has_no_pages(first)) {
    claim.no_pages = claim.readable = true;
  } else if (places.holds(first)) {
    claim.start = static_cast<std::uint64_t>(first.offset);
    claim.readable = true;
    claim.has_region = claim.compressed > 0 || claim.num_values > 0;
    if (claim.has_region && check.options.tier != Tier::footer)
      places.add_region(Region::Kind::column_chunk, first.offset, claim.compressed, true);
  } else {
    return;
  }
  places.bloom_filter();
}

void place_sealed_pages(FileCheck& check, const ColumnChunk& chunk, const ChunkClaim& claim) {
  const ColumnMetaData& meta = chunk.meta_data;
  if (!is_complete(meta) || dictionary_after_data(meta)) return;
  Places places(check, chunk, claim);
  const ChunkStart first = chunk_start(meta);
  if (!places.has_no_pages(first)) {
    if (!places.holds(first)) return;
    if (meta.total_compressed_size > 0 && places.has_room(first))
      places.add_region(Region::Kind::column_chunk, first.offset, meta.total_compressed_size, true);
  }
  places.bloom_filter();
}

void place_indexes(FileCheck& check, const ColumnChunk& chunk, const ChunkClaim& claim) {
  constexpr std::uint32_t kIndexes =
      1U << ColumnChunk::id_offset_index_offset | 1U << ColumnChunk::id_offset_index_length |
      1U << ColumnChunk::id_column_index_offset | 1U << ColumnChunk::id_column_index_length;
  if (((chunk.fields.present | chunk.fields.faulty) & kIndexes) == 0) return;
  Places places(check, chunk, claim);
  places.presence_of_indexes();
  places.indexes();
}

void add_page_regions(FileCheck& check) {
  if (check.options.tier != Tier::footer) return;
  if (check.regions.empty() && pages_ascend(check.footer)) return;
  const Regions others = std::exchange(check.regions, {});
  check.regions.reserve(check.footer.chunks.size() + others.size());
  auto other = others.begin();
  for (const ChunkClaim& claim : check.footer.chunks) {
    if (claim.has_region) {
      check.regions.push_back(region_of(claim, Region::Kind::column_chunk,
                                        static_cast<std::int64_t>(claim.start), claim.compressed));
    }
    for (; other != others.end() && place_of(*other) == place_of(claim); ++other)
      check.regions.push_back(*other);
  }
}

}  // namespace parqproof
