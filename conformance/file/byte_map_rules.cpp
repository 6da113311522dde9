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

constexpr std::uint64_t kZeroScan = std::uint64_t{1} << 16;

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
  explicit LayoutRules(FileCheck& context)
      : context_(context),
        findings_(context.outcome.findings),
        reader_(context.input.source, context.options.limits, 0) {}

  std::vector<ByteRange> run() {
    settle_chunks();
    order();
    overlaps();
    if (context_.options.tier != Tier::footer) gaps();
    return std::move(gaps_);
  }

 private:
  /// Reports a finding at the field that states the offset of the region.
  void report(Rule rule, const Region& region, Contrast what) {
    const ChunkClaim& chunk = context_.footer.chunk_of(region);
    std::string_view field = offset_field(region.kind);
    ColumnChunk metadata;
    if (region.kind == Region::Kind::column_chunk &&
        context_.footer.reread(chunk, context_.options.limits, metadata) &&
        metadata.meta_data.has(ColumnMetaData::id_dictionary_page_offset) &&
        metadata.meta_data.dictionary_page_offset > 0 &&
        metadata.meta_data.dictionary_page_offset < metadata.meta_data.data_page_offset) {
      field = "meta_data.dictionary_page_offset";
    }
    FindingSite::of_chunk(context_, chunk).report(rule, field, std::move(what));
  }

  /// Sets the region of each chunk whose page headers were read to the bytes of its pages.
  void settle_chunks() {
    if (context_.outcome.tallies.empty()) return;
    for (Region& region : context_.regions) {
      if (region.kind != Region::Kind::column_chunk) continue;
      const ChunkTotal tally = context_.tally(context_.footer.chunk_index(region));
      if (tally.walked) {
        // Bytes that the chunk claims beyond its pages are an error of the chunk, not a gap.
        const std::uint64_t claimed =
            std::min(tally.start + region.length, context_.footer.frame.footer_offset);
        if (claimed > tally.end) claimed_.push_back({tally.start, claimed});
        region.offset = tally.start;
        region.length = tally.end - tally.start;
      } else {
        region.length = std::min(region.length, context_.footer.frame.footer_offset - region.offset);
      }
    }
  }

  /// file/layout-order: chunks are in the order of row groups and columns.
  void order() {
    std::uint64_t previous = 0;
    for (const Region& region : context_.regions) {  // still in the order of row groups and columns
      if (region.kind != Region::Kind::column_chunk) continue;
      if (region.offset < previous) {
        FindingSite::of_chunk(context_, context_.footer.chunk_of(region))
            .report(Rule::file_layout_order, "meta_data.data_page_offset", contrast(region.offset, previous));
        return;
      }
      previous = region.offset;
    }
  }

  /// Sorts the regions, which are moved out of the footer, and judges those that share bytes.
  void overlaps() {
    sorted_ = RegionMap(std::move(context_.regions));
    const Region* reach = nullptr;  // the region that ends last so far
    for (const Region& region : sorted_.all()) {
      if (!region.length_known || region.damaged || region.length == 0) continue;
      if (reach != nullptr && region.offset < reach->end()) {
        const bool same =
            region.offset == reach->offset && region.length == reach->length && region.kind == reach->kind;
        const Rule shared =
            region.kind == Region::Kind::bloom_filter ? Rule::bloom_filter_shared : Rule::file_region_shared;
        report(same ? shared : Rule::file_regions_disjoint, region,
               contrast(describe(context_, region), describe(context_, *reach)));
      }
      if (reach == nullptr || region.end() > reach->end()) reach = &region;
    }
  }

  /// Returns true if values of a FILE column may refer to bytes of this file, so that no byte is certainly a
  /// gap.
  [[nodiscard]] bool has_file_columns() const {
    return std::ranges::any_of(context_.footer.schema.nodes(),
                               [](const Node& n) { return n.logical.kind == LogicalKind::FILE; });
  }

  /// Judges the bytes between regions that no structure and no chunk claims.
  void gaps() {
    if (!context_.outcome.regions_known || !context_.outcome.lost.empty() || has_file_columns()) return;
    std::ranges::sort(claimed_);
    auto claim = claimed_.begin();
    std::uint64_t at = kMagicBytes;
    const Region* before = nullptr;
    // Skips the claims of chunks that begin at or before `start`.
    const auto reach = [&](std::uint64_t start) {
      for (; claim != claimed_.end() && claim->first <= start; ++claim) at = std::max(at, claim->second);
    };
    for (const Region& region : sorted_.all()) {
      if (!region.length_known) return;
      reach(region.offset - 1);
      if (region.offset > at) gap(at, region.offset, before);
      if (region.end() + region.surplus > at) {
        at = region.end() + region.surplus;
        before = &region;
      }
    }
    reach(context_.footer.frame.footer_offset);
    if (context_.footer.frame.footer_offset > at) gap(at, context_.footer.frame.footer_offset, before);
  }

  /// Judges the bytes [from, to) after the region `before`, which may be copies of metadata, or zeros.
  void gap(std::uint64_t from, std::uint64_t to, const Region* before) {
    if (before != nullptr && before->kind == Region::Kind::column_chunk) {
      // Bytes that the chunk claims after its pages may belong to the copy.
      const std::uint64_t pages_end = before->end();
      from = std::max(from, pages_end + metadata_copy(pages_end, to, context_.footer.chunk_of(*before)));
    }
    from += copies_without_pages(from, to);
    from = end_of_misnamed_chunks(from, to);
    if (from == to || context_.input.source.failed()) return;
    bool zero = true;
    for (std::uint64_t at = from; at < to && zero; at += kZeroScan) {
      const std::uint64_t length = std::min(kZeroScan, to - at);
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
  [[nodiscard]] std::uint64_t end_of_misnamed_chunks(std::uint64_t from, std::uint64_t to) {
    if (!misnamed_) misnamed_ = misnamed_chunks();
    for (auto chunk = misnamed_->find(from); chunk != misnamed_->end() && chunk->second <= to - from;
         chunk = misnamed_->find(from)) {
      from += chunk->second;
    }
    return from;
  }

  /// Bytes of the chunks that name another file by mistake, by their first byte.
  [[nodiscard]] std::map<std::uint64_t, std::uint64_t> misnamed_chunks() const {
    std::map<std::uint64_t, std::uint64_t> out;
    if (!findings_.broken()[static_cast<std::size_t>(Rule::column_chunk_file_path)]) return out;
    for (const ChunkClaim& claim : context_.footer.chunks) {
      if (claim.file != 0 && claim.compressed > 0)
        out.emplace(claim.start, static_cast<std::uint64_t>(claim.compressed));
    }
    return out;
  }

  /// Judges the copy of the metadata of a chunk at `from`. Returns its size, or 0 if there is none.
  std::uint64_t metadata_copy(std::uint64_t from, std::uint64_t to, const ChunkClaim& claim) {
    ColumnChunk chunk;
    if (!context_.footer.reread(claim, context_.options.limits, chunk)) return 0;
    const std::uint64_t room = std::min(to - from, context_.options.limits.page_header_bytes());
    const View bytes = reader_.read(from, room);
    if (bytes.size() != room) return 0;
    const auto copy = read_metadata_copy(bytes, chunk, context_.options.limits);
    if (!copy) return 0;
    compare_copy(bytes, *copy, chunk.meta_data, claim);
    return copy->end - from;
  }

  /// A chunk without pages has the copy of its metadata in the place of its pages. Judges the copies from
  /// `from` on, for the next such chunks in the order of the footer, and returns their total size.
  std::uint64_t copies_without_pages(std::uint64_t from, std::uint64_t to) {
    std::uint64_t at = from;
    for (; at < to && next_without_pages_ < context_.footer.chunks.size(); ++next_without_pages_) {
      const ChunkClaim& claim = context_.footer.chunks[next_without_pages_];
      if (!claim.no_pages || claim.file != 0) continue;
      const std::uint64_t taken = metadata_copy(at, to, claim);
      if (taken == 0) break;
      at += taken;
    }
    return at - from;
  }

  /// Returns the number in a field of the metadata, or its name; `other` for any other field.
  static FindingValue stated(const thrift::Field& field, View value, std::string_view other) {
    const bool named = field.kind == thrift::Kind::enumeration;
    if (!named && field.kind != thrift::Kind::i32 && field.kind != thrift::Kind::i64) return other;
    Cursor cursor(value, {});
    const std::int64_t number = unzigzag(thrift::read_varint(cursor).value);
    if (!named) return number;
    return symbol(*field.enumeration, number);
  }

  /// Returns true if the field of the footer, or a part of it, is known to be wrong.
  [[nodiscard]] bool is_wrong_in_footer(const Place& place, std::string_view field) const {
    return std::ranges::any_of(context_.outcome.findings.primary(), [&](const Finding& finding) {
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
    const View footer = context_.footer.footer_from(claim.struct_offset);
    const thrift::StructType& type = copy.complete_chunk ? ColumnChunk::kType : ColumnMetaData::kType;
    const std::string prefix = copy.complete_chunk ? "meta_data." : "";
    const auto value = [](View source, const thrift::Extent& at) {
      return source.part(at.value - source.base, at.end - at.value);
    };
    for (const thrift::Field& field : ColumnMetaData::kType.fields) {
      const bool here = copy.metadata.fields.has(field.id);
      const bool there = original.fields.has(field.id);
      const bool of_filter = field.id == ColumnMetaData::id_bloom_filter_offset ||
                             field.id == ColumnMetaData::id_bloom_filter_length;
      if (!here && of_filter) continue;  // the filter is written after the copy
      const std::string path = "meta_data." + std::string(field.name);
      const thrift::Extent a = thrift::locate(bytes, type, prefix + std::string(field.name));
      const thrift::Extent b = thrift::locate(footer, ColumnChunk::kType, path);
      if (here == there && (!here || std::ranges::equal(value(bytes, a).bytes, value(footer, b).bytes)))
        continue;
      if (is_wrong_in_footer(place_of(claim), path)) continue;
      report_at(findings_, Rule::column_chunk_metadata_copy, place_of(claim), a.value, a.end - a.value,
                contrast(here ? stated(field, value(bytes, a), "another value") : kAbsent,
                         there ? stated(field, value(footer, b), "what the footer says") : kAbsent),
                path);
      return;
    }
  }

  FileCheck& context_;
  Findings& findings_;
  PageReader reader_;
  RegionMap sorted_;
  std::vector<ByteRange> gaps_;  // without a structure that refers to them, and not all zeros
  /// Begin and end, by their metadata, of chunks that claim more bytes than their pages take.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> claimed_;
  std::size_t next_without_pages_ = 0;                              // in ParsedFooter::chunks
  std::optional<std::map<std::uint64_t, std::uint64_t>> misnamed_;  // see misnamed_chunks()
};

}  // namespace

std::vector<ByteRange> check_layout(FileCheck& check) { return LayoutRules(check).run(); }

}  // namespace parqproof
