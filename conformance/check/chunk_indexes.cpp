#include "conformance/check/chunk_indexes.hpp"

#include <algorithm>
#include <string_view>

#include "codec/file/bloom_filter_extent.hpp"
#include "codec/format/page_index.hpp"

namespace parqproof {
namespace {

Place place_of(const Region& region) {
  return {static_cast<std::int32_t>(region.row_group), static_cast<std::int32_t>(region.leaf), -1};
}

class IndexReading {
 public:
  IndexReading(const Context& context, PageReader& passing, PageReader& keeping, Findings& findings,
               std::vector<NotRun>& not_run)
      : context_(context), passing_(passing), keeping_(keeping), findings_(findings), not_run_(not_run) {}

  ChunkIndexes run(RegionRange range) {
    for (std::size_t i = range.first; i < range.last && !out_.io_failed; ++i) {
      const Region& region = context_.facts.regions[i];
      if (region.encrypted) continue;
      if (region.kind == Region::Kind::bloom_filter) bloom_filter(i);
      if (!region.length_known) continue;
      if (region.kind == Region::Kind::column_index)
        page_index<ColumnIndex>(i, passing_, "column_index", LostPart::column_index);
      if (region.kind == Region::Kind::offset_index)
        out_.offset_index = page_index<OffsetIndex>(i, keeping_, "offset_index", LostPart::offset_index);
    }
    return std::move(out_);
  }

 private:
  /// Reads one struct of the page index; its bytes as stated.
  template <typename Struct>
  View page_index(std::size_t index, PageReader& reader, std::string_view prefix, LostPart part) {
    Region region = context_.facts.regions[index];
    const Place place = place_of(region);
    const View bytes = reader.read(region.offset, region.length);
    if (bytes.size() != region.length) {
      out_.io_failed = true;
      return {};
    }
    thrift::Reader thrift(bytes, {&findings_, place, prefix}, context_.options.limits);
    Struct structure;
    out_.bytes += region.length;
    const bool whole = thrift.read(structure);
    region.damaged = !thrift.sound();
    out_.regions_known = out_.regions_known && !region.damaged;
    if (thrift.damaged()) {
      out_.lost.push_back({part, place});
    } else if (!whole) {
      not_run_.push_back({to_string(part), "it is nested deeper than the limit", place, {}});
    } else if (const std::uint64_t rest = region.end() - structure.fields.end; rest != 0) {
      // thrift/module-exact
      Judge(findings_).at(Rule::thrift_module_exact, place, structure.fields.end, rest, contrast(rest, 0),
                          std::string(prefix));
      region.length -= rest;
      region.surplus = rest;
    }
    if (region.damaged || region.surplus != 0) out_.settled.push_back({index, region});
    return bytes;
  }

  /// The rule of the first error behind so many findings.
  [[nodiscard]] std::optional<Rule> first_error_behind(std::size_t count) const {
    const std::vector<Finding>& all = findings_.all();
    for (std::size_t i = count; i < all.size(); ++i) {
      if (info(all[i].rule).severity == Severity::error) return all[i].rule;
    }
    return std::nullopt;
  }

  void bloom_filter(std::size_t index) {
    Region region = context_.facts.regions[index];
    const std::uint64_t data_end = context_.facts.frame.footer_offset;
    const std::size_t findings_before = findings_.all().size();
    const BloomFilterExtent extent =
        read_bloom_filter_extent(passing_, region.offset, region.length_known ? region.end() : data_end,
                                 {&findings_, place_of(region), "bloom_filter_header"});
    out_.io_failed = extent.unreadable;
    if (extent.damaged)
      out_.lost.push_back(
          {LostPart::bloom_filter, place_of(region), {}, first_error_behind(findings_before)});
    if (extent.length() == 0) {
      if (!region.length_known && !extent.unreadable) out_.regions_known = false;
      return;
    }
    out_.bytes += extent.header;
    if (!region.length_known && extent.length() <= data_end - region.offset) {
      region.length = extent.length();
      region.length_known = true;
      out_.settled.push_back({index, region});
    }
  }

  const Context& context_;
  PageReader& passing_;
  PageReader& keeping_;
  Findings& findings_;
  std::vector<NotRun>& not_run_;
  ChunkIndexes out_;
};

}  // namespace

ChunkIndexes read_chunk_indexes(const Context& context, RegionRange regions, PageReader& passing,
                                PageReader& keeping, Findings& findings, std::vector<NotRun>& not_run) {
  return IndexReading(context, passing, keeping, findings, not_run).run(regions);
}

std::size_t affordable_regions(FileCheck& check) {
  const Regions& regions = check.facts.regions;
  FileOutcome& outcome = check.outcome;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const Region& region = regions[i];
    if (region.encrypted || region.kind == Region::Kind::column_chunk || outcome.work.afford(region.length))
      continue;
    Judge(outcome.findings)
        .at(Rule::limit_work, place_of(region), region.offset, 0,
            contrast(std::to_string(outcome.work.spent()) + " bytes of indexes", outcome.work.ceiling()));
    outcome.not_run.push_back({"this index and those behind it",
                               "the indexes before it claim many times the bytes of the file",
                               place_of(region),
                               {}});
    outcome.regions_known = false;
    return i;
  }
  return regions.size();
}

}  // namespace parqproof
