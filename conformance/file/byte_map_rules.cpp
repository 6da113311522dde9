#include "conformance/file/byte_map_rules.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/file/metadata_copy.hpp"
#include "codec/page/page_reader.hpp"
#include "codec/thrift/varint.hpp"
#include "conformance/state/region_fields.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kZeroScanBytes = std::uint64_t{1} << 16;

std::string_view name(Region::Kind kind) {
  switch (kind) {
    case Region::Kind::column_chunk:
      return "column chunk";
    case Region::Kind::column_index:
      return "column index";
    case Region::Kind::offset_index:
      return "offset index";
    case Region::Kind::bloom_filter:
      return "bloom filter";
  }
  return {};
}

std::string describe(const Context& context, const Region& region) {
  return std::string(name(region.kind)) + " of " +
         context.footer.schema.dotted_path(context.footer.schema.leaf_index(region.leaf)) + " in row group " +
         std::to_string(region.row_group) + " at " + std::to_string(region.offset) + " to " +
         std::to_string(region.end());
}

class LayoutRules {
 public:
  explicit LayoutRules(FileCheck& check)
      : check_(check),
        findings_(check.outcome.findings),
        reader_(check.input.source, check.options.limits, 0) {}

  std::vector<ByteRange> run() {
    use_page_extents();
    judge_order();
    judge_overlaps();
    if (check_.options.tier != Tier::footer) judge_gaps();
    return std::move(gaps_);
  }

 private:
  using SizeByOffset = std::map<std::uint64_t, std::uint64_t>;

  /// Reports a finding at the field that states the offset of the region.
  void report(Rule rule, const Region& region, Contrast what) {
    const ChunkClaim& chunk = check_.footer.chunk_of(region);
    std::string_view field = offset_field(region.kind);
    ColumnChunk metadata;
    if (region.kind == Region::Kind::column_chunk &&
        check_.footer.reread(chunk, check_.options.limits, metadata) &&
        metadata.meta_data.has(ColumnMetaData::id_dictionary_page_offset) &&
        metadata.meta_data.dictionary_page_offset > 0 &&
        metadata.meta_data.dictionary_page_offset < metadata.meta_data.data_page_offset) {
      field = "meta_data.dictionary_page_offset";
    }
    FindingSite::of_chunk(check_, chunk).report(rule, field, std::move(what));
  }

  /// Sets the region of each chunk whose page headers were read to the bytes of its pages.
  void use_page_extents() {
    if (check_.outcome.tallies.empty()) return;
    for (Region& region : check_.regions) {
      if (region.kind != Region::Kind::column_chunk) continue;
      const ChunkTotal tally = check_.tally(check_.footer.chunk_index(region));
      if (tally.walked) {
        // Bytes of total_compressed_size after the last page are an error of the chunk, not a gap.
        const std::uint64_t stated_end =
            std::min(tally.start + region.length, check_.footer.frame.footer_offset);
        if (stated_end > tally.end) stated_.push_back({tally.start, stated_end});
        region.offset = tally.start;
        region.length = tally.end - tally.start;
      } else {
        region.length = std::min(region.length, check_.footer.frame.footer_offset - region.offset);
      }
    }
  }

  /// file/layout-order: chunks are in the order of row groups and columns.
  void judge_order() {
    std::uint64_t previous = 0;
    for (const Region& region : check_.regions) {  // still in the order of row groups and columns
      if (region.kind != Region::Kind::column_chunk || (region.encrypted && region.damaged)) continue;
      if (region.offset < previous) {
        FindingSite::of_chunk(check_, check_.footer.chunk_of(region))
            .report(Rule::file_layout_order, "meta_data.data_page_offset", contrast(region.offset, previous));
        return;
      }
      previous = region.offset;
    }
  }

  /// Judges regions that share bytes. Moves the regions out of the check, and sorts them.
  void judge_overlaps() {
    sorted_ = RegionMap(std::move(check_.regions));
    const Region* furthest = nullptr;  // ends last so far
    for (const Region& region : sorted_.all()) {
      if (!region.length_known || region.damaged || region.length == 0) continue;
      if (furthest != nullptr && region.offset < furthest->end()) {
        const bool same = region.offset == furthest->offset && region.length == furthest->length &&
                          region.kind == furthest->kind;
        const Rule shared =
            region.kind == Region::Kind::bloom_filter ? Rule::bloom_filter_shared : Rule::file_region_shared;
        report(same ? shared : Rule::file_regions_disjoint, region,
               contrast(describe(check_, region), describe(check_, *furthest)));
      }
      if (furthest == nullptr || region.end() > furthest->end()) furthest = &region;
    }
  }

  /// Returns true if values of a FILE column may refer to bytes of this file, so that no byte is certainly a
  /// gap.
  [[nodiscard]] bool has_file_columns() const {
    return std::ranges::any_of(check_.footer.schema.nodes(),
                               [](const Node& n) { return n.logical.kind == LogicalKind::FILE; });
  }

  /// Judges the bytes that belong to no region and to no total_compressed_size.
  void judge_gaps() {
    if (!check_.outcome.regions_known || !check_.outcome.lost.empty() || has_file_columns()) return;
    std::ranges::sort(stated_, {}, &ByteRange::begin);
    auto stated = stated_.begin();
    std::uint64_t at = kMagicBytes;
    const Region* before = nullptr;
    // Moves `at` past the stated ranges that begin before `end`.
    const auto skip_stated_before = [&](std::uint64_t end) {
      for (; stated != stated_.end() && stated->begin < end; ++stated) at = std::max(at, stated->end);
    };
    for (const Region& region : sorted_.all()) {
      if (!region.length_known) return;
      skip_stated_before(region.offset);
      if (region.offset > at) judge_gap(at, region.offset, before);
      if (region.end() + region.surplus > at) {
        at = region.end() + region.surplus;
        before = &region;
      }
    }
    skip_stated_before(check_.footer.frame.footer_offset + 1);
    if (check_.footer.frame.footer_offset > at) judge_gap(at, check_.footer.frame.footer_offset, before);
  }

  /// Judges the bytes [from, to) after the region `before`, which may be copies of metadata, or zeros.
  void judge_gap(std::uint64_t from, std::uint64_t to, const Region* before) {
    if (before != nullptr && before->kind == Region::Kind::column_chunk) {
      // Bytes of total_compressed_size after the last page may belong to the copy.
      const std::uint64_t pages_end = before->end();
      from = std::max(from, pages_end + judge_metadata_copy(pages_end, to, check_.footer.chunk_of(*before)));
    }
    from += judge_copies_of_empty_chunks(from, to);
    from = end_of_chunks_with_wrong_file_path(from, to);
    if (from == to || check_.input.source.failed()) return;
    bool zero = true;
    for (std::uint64_t at = from; at < to && zero; at += kZeroScanBytes) {
      const std::uint64_t length = std::min(kZeroScanBytes, to - at);
      const View bytes = reader_.read(at, length);
      if (bytes.size() != length) return;
      zero = std::ranges::all_of(bytes.bytes, [](std::uint8_t byte) { return byte == 0; });
    }
    report_at(findings_, zero ? Rule::file_unreferenced_zero_bytes : Rule::file_unreferenced_bytes, {}, from,
              to - from, contrast(to - from, 0));
    if (!zero) gaps_.push_back({from, to});
  }

  /// Returns the end of the bytes from `from` on that belong to chunks with a wrong file_path, which
  /// column-chunk/file-path has reported.
  [[nodiscard]] std::uint64_t end_of_chunks_with_wrong_file_path(std::uint64_t from, std::uint64_t to) {
    if (!wrong_file_path_) wrong_file_path_ = chunks_with_wrong_file_path();
    for (auto chunk = wrong_file_path_->find(from);
         chunk != wrong_file_path_->end() && chunk->second <= to - from;
         chunk = wrong_file_path_->find(from)) {
      from += chunk->second;
    }
    return from;
  }

  /// total_compressed_size of the chunks with a wrong file_path, by the offset of their first page.
  [[nodiscard]] SizeByOffset chunks_with_wrong_file_path() const {
    SizeByOffset out;
    if (!findings_.broke(Rule::column_chunk_file_path)) return out;
    for (const ChunkClaim& claim : check_.footer.chunks) {
      if (claim.file != 0 && claim.compressed > 0)
        out.emplace(claim.start, static_cast<std::uint64_t>(claim.compressed));
    }
    return out;
  }

  /// Judges the copy of the metadata of a chunk at `from`. Returns its size, or 0 if there is none.
  std::uint64_t judge_metadata_copy(std::uint64_t from, std::uint64_t to, const ChunkClaim& claim) {
    ColumnChunk chunk;
    if (!check_.footer.reread(claim, check_.options.limits, chunk)) return 0;
    const std::uint64_t room = std::min(to - from, check_.options.limits.page_header_bytes());
    const View bytes = reader_.read(from, room);
    if (bytes.size() != room) return 0;
    const auto copy = read_metadata_copy(bytes, chunk, check_.options.limits);
    if (!copy) return 0;
    compare_copy(bytes, *copy, chunk.meta_data, claim);
    return copy->end - from;
  }

  /// A chunk without pages has the copy of its metadata in the place of its pages. Judges the copies from
  /// `from` on, for the next such chunks in the order of the footer, and returns their total size.
  std::uint64_t judge_copies_of_empty_chunks(std::uint64_t from, std::uint64_t to) {
    std::uint64_t at = from;
    for (; at < to && next_without_pages_ < check_.footer.chunks.size(); ++next_without_pages_) {
      const ChunkClaim& claim = check_.footer.chunks[next_without_pages_];
      if (!claim.no_pages || claim.file != 0) continue;
      const std::uint64_t taken = judge_metadata_copy(at, to, claim);
      if (taken == 0) break;
      at += taken;
    }
    return at - from;
  }

  /// Returns the value of an integer or enumeration field; `other` for any other field.
  static FindingValue value_of(const thrift::Field& field, View value, std::string_view other) {
    const bool named = field.kind == thrift::Kind::enumeration;
    if (!named && field.kind != thrift::Kind::i32 && field.kind != thrift::Kind::i64) return other;
    Cursor cursor(value, {});
    const std::int64_t number = unzigzag(thrift::read_varint(cursor).value);
    if (!named) return number;
    return symbol(*field.enumeration, number);
  }

  /// Returns true if the field of the footer, or a part of it, is known to be wrong.
  [[nodiscard]] bool is_wrong_in_footer(const Place& place, std::string_view field) const {
    return std::ranges::any_of(check_.outcome.findings.primary(), [&](const Finding& finding) {
      const RuleInfo& rule = info(finding.rule);
      if (finding.place != place || !is_part_of(finding.field, field)) return false;
      return rule.severity == Severity::error ||
             (rule.severity == Severity::warning && rule.ground != Ground::deprecated);
    });
  }

  /// column-chunk/metadata-copy: reports the first field that differs from the footer, unless the footer is
  /// known to be wrong.
  void compare_copy(View bytes, const MetadataCopy& copy, const ColumnMetaData& original,
                    const ChunkClaim& claim) {
    const View footer = check_.footer.footer_from(claim.struct_offset);
    const thrift::StructType& type = copy.complete_chunk ? ColumnChunk::kType : ColumnMetaData::kType;
    const std::string prefix = copy.complete_chunk ? "meta_data." : "";
    const auto value = [](View source, const thrift::Extent& at) {
      return source.part(at.value - source.base, at.end - at.value);
    };
    for (const thrift::Field& field : ColumnMetaData::kType.fields) {
      const bool has_copy = copy.metadata.fields.has(field.id);
      const bool has_original = original.fields.has(field.id);
      const bool is_of_filter = field.id == ColumnMetaData::id_bloom_filter_offset ||
                                field.id == ColumnMetaData::id_bloom_filter_length;
      if (!has_copy && is_of_filter) continue;  // the filter is written after the copy
      const std::string path = "meta_data." + std::string(field.name);
      const thrift::Extent in_copy = thrift::locate(bytes, type, prefix + std::string(field.name));
      const thrift::Extent in_footer = thrift::locate(footer, ColumnChunk::kType, path);
      if (has_copy == has_original &&
          (!has_copy || std::ranges::equal(value(bytes, in_copy).bytes, value(footer, in_footer).bytes)))
        continue;
      if (is_wrong_in_footer(place_of(claim), path)) continue;
      report_at(findings_, Rule::column_chunk_metadata_copy, place_of(claim), in_copy.value,
                in_copy.end - in_copy.value,
                contrast(has_copy ? value_of(field, value(bytes, in_copy), "another value") : kAbsent,
                         has_original ? value_of(field, value(footer, in_footer), "what the footer says")
                                      : kAbsent),
                path);
      return;
    }
  }

  FileCheck& check_;
  Findings& findings_;
  PageReader reader_;
  RegionMap sorted_;
  std::vector<ByteRange> gaps_;  // without a structure that refers to them, and not all zeros
  /// Bytes from the first page to the end by total_compressed_size, of chunks where that is after the last
  /// page.
  std::vector<ByteRange> stated_;
  std::size_t next_without_pages_ = 0;           // in ParsedFooter::chunks
  std::optional<SizeByOffset> wrong_file_path_;  // see chunks_with_wrong_file_path()
};

}  // namespace

std::vector<ByteRange> check_layout(FileCheck& check) { return LayoutRules(check).run(); }

}  // namespace parqproof
