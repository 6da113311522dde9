#include "conformance/chunk/index_reader.hpp"

#include <algorithm>
#include <bit>
#include <string_view>
#include <type_traits>
#include <utility>

#include "codec/base/text.hpp"
#include "codec/file/bloom_filter.hpp"
#include "codec/file/bloom_filter_extent.hpp"
#include "codec/format/bloom_filter_header.hpp"
#include "codec/format/page_index.hpp"
#include "conformance/state/region_fields.hpp"

namespace parqproof {
namespace {

class IndexReading {
 public:
  IndexReading(const Context& context, const ChunkDoubts& doubts, PageReader& passing,
               PageIndexReaders& keeping, Findings& findings, std::vector<NotRun>& not_run)
      : context_(context),
        doubts_(doubts),
        passing_(passing),
        keeping_(keeping),
        findings_(findings),
        not_run_(not_run) {}

  ChunkIndexes run(RegionRange range) {
    for (std::size_t i = range.first; i < range.last; ++i) {
      const Region& region = context_.regions[i];
      if (region.encrypted || is_gone(i)) continue;
      if (region.kind == Region::Kind::bloom_filter) bloom_filter(i);
      if (!region.length_known) continue;
      if (region.kind == Region::Kind::column_index)
        page_index(i, keeping_.column, out_.page_index.column, "column_index", LostPart::column_index);
      if (region.kind == Region::Kind::offset_index)
        page_index(i, keeping_.offset, out_.page_index.offset, "offset_index", LostPart::offset_index);
    }
    return std::move(out_);
  }

 private:
  /// Returns true if bytes of an index or a filter are missing; then it is lost.
  bool is_gone(std::size_t index) {
    Region region = context_.regions[index];
    if (region.kind == Region::Kind::column_chunk ||
        !context_.input.is_gone(region.offset, std::max(region.end(), region.offset + 1))) {
      return false;
    }
    const LostPart part = region.kind == Region::Kind::column_index   ? LostPart::column_index
                          : region.kind == Region::Kind::offset_index ? LostPart::offset_index
                                                                      : LostPart::bloom_filter;
    region.damaged = true;
    out_.regions_known = false;
    out_.lost.push_back({part, place_of(region)});
    out_.settled.push_back({index, region});
    return true;
  }

  [[nodiscard]] FindingSite chunk_site(const Region& region) {
    return FindingSite::of_chunk(findings_, context_.footer, context_.footer.chunk_of(region));
  }

  [[nodiscard]] bool reaches_into_footer(const Region& region) const {
    return region.length_known && region.end() > context_.footer.frame.footer_offset;
  }

  /// Searches for a structure that cannot be read at its place, and returns true if it is found. A structure
  /// that overlaps the footer and is not found is lost.
  bool finds(std::size_t index, Region& region, const ChunkDoubts::Probe& probe, LostPart part) {
    const std::optional<Region> found = doubts_.find_region(region, probe);
    if (found) {
      settle(index, region, *found, part);
    } else if (reaches_into_footer(region)) {
      // file/region-inside
      chunk_site(region).report(
          Rule::file_region_inside, length_field(region.kind),
          contrast(region.length, number_or_between(0, context_.footer.frame.footer_offset - region.offset)));
      region.damaged = true;
      out_.regions_known = false;
      out_.lost.push_back({part, place_of(region)});
      out_.settled.push_back({index, region});
    }
    return found.has_value();
  }

  /// file/structure-place: moves the region to the place where the structure was found. Readers that use the
  /// footer lose it, unless the footer only states too many bytes.
  void settle(std::size_t index, Region& region, const Region& found, LostPart part) {
    const bool by_offset = found.offset != region.offset;
    chunk_site(region).report(
        Rule::file_structure_place, by_offset ? offset_field(region.kind) : length_field(region.kind),
        by_offset ? contrast(region.offset, found.offset) : contrast(region.length, found.length));
    if (by_offset || found.length > region.length) out_.lost.push_back({part, place_of(region)});
    region = found;
    out_.settled.push_back({index, region});
  }

  /// Structures of the same kind of other chunks that have the same offset in the footer: the first, and
  /// their number.
  struct Sharers {
    const Region* first = nullptr;
    std::size_t count = 0;
  };
  [[nodiscard]] Sharers sharers_of(const Region& region) const {
    Sharers sharers;
    for (const Region& other :
         std::ranges::equal_range(doubts_.regions().all(), region.offset, {}, &Region::offset)) {
      const bool is_this = other.row_group == region.row_group && other.leaf == region.leaf;
      if (other.kind != region.kind || is_this) continue;
      if (sharers.count++ == 0) sharers.first = &other;
    }
    return sharers;
  }

  /// Decides which of two chunks with the same offset owns the structure. Structures of a kind are in the
  /// order of their chunks, so the chunk whose own structure is found at an unclaimed place has the wrong
  /// offset. Returns true if the structure at `region` is known to belong to this chunk.
  bool settle_sharing(std::size_t index, Region& region, const ChunkDoubts::Probe& probe, LostPart part) {
    const Sharers sharers = sharers_of(region);
    if (sharers.count == 0) return true;
    const std::optional<Region> found = doubts_.find_region(region, probe);
    if (sharers.count > 1 || !found) return false;
    const auto ordinal = [](const Region& one) { return std::pair(one.row_group, one.leaf); };
    const bool is_later = ordinal(*sharers.first) < ordinal(region);
    if ((found->offset > region.offset) == is_later) settle(index, region, *found, part);
    return true;
  }

  /// The result of reading a struct without reporting findings.
  struct Reading {
    bool sound = false;
    bool faultless = false;
    bool too_deep = false;
    std::uint64_t length = 0;  ///< of the struct, if it is sound
  };
  template <typename Struct>
  Reading read_quietly(View bytes, Struct& structure) const {
    thrift::Reader thrift(bytes, {}, context_.options.limits);
    const bool sound = thrift.read(structure) && thrift.sound() && !thrift.damaged();
    return {sound, thrift.faults() == 0, thrift.too_deep(), sound ? structure.fields.end - bytes.base : 0};
  }

  /// Returns true if the OffsetIndex does not contradict the pages of the chunk.
  [[nodiscard]] bool may_be_of(const OffsetIndex& index, const ChunkClaim& chunk) const {
    bool inside = true;
    const auto start = static_cast<std::int64_t>(chunk.start);
    thrift::for_each<PageLocation>(
        index.page_locations, context_.options.limits, [&](const PageLocation& page, std::uint32_t) {
          inside = inside && page.offset >= start && page.offset - start < chunk.compressed;
        });
    return inside || !chunk.readable;
  }
  static bool may_be_of(const ColumnIndex&, const ChunkClaim&) noexcept { return true; }

  /// Reports a structure of an encrypted column that is not encrypted (encryption/clear-pages): its bytes,
  /// the first `length` of which are a struct without a fault. It is lost, because readers decrypt it.
  void lose_clear(std::size_t index, Region& region, std::uint64_t length, std::string_view name,
                  LostPart part) {
    report_at(findings_, Rule::encryption_clear_pages, place_of(region), region.offset, length,
              contrast(name, "a module"));
    lose(index, region, part);
  }
  void lose(std::size_t index, Region& region, LostPart part) {
    region.damaged = true;
    out_.regions_known = false;
    out_.lost.push_back({part, place_of(region)});
    out_.settled.push_back({index, region});
  }
  void lose_module(std::size_t index, Region& region, const PageFault& fault, LostPart part) {
    if (fault.at == PageFault::At::unreadable) return;
    report_at(findings_, fault.rule(), place_of(region), fault.error.offset, fault.error.length,
              fault.contrast);
    lose(index, region, part);
  }

  /// Reads one struct of the page index.
  template <typename Struct>
  void page_index(std::size_t index, PageReader& reader, IndexOfPages<Struct>& out, std::string_view prefix,
                  LostPart part) {
    Struct& structure = out.parsed;
    Region region = context_.regions[index];
    bool probed = false;  // if true, `structure` may come from another place
    const auto probe = [&](std::uint64_t offset, std::uint64_t room) {
      probed = true;
      const std::uint64_t length = read_quietly(reader.read(offset, room), structure).length;
      return length != 0 && may_be_of(structure, context_.footer.chunk_of(region)) ? length : 0;
    };
    if (reaches_into_footer(region)) {
      if (!finds(index, region, probe, part)) return;
    } else {
      const View stored = reader.read(region.offset, region.length);
      if (stored.size() != region.length) return;
      reader.enter(place_of(region));
      const bool is_column = region.kind == Region::Kind::column_index;
      const std::expected<View, PageFault> opened = reader.open_structure(
          stored, is_column ? encryption::ModuleType::column_index : encryption::ModuleType::offset_index);
      if (!opened) {
        const Reading clear = read_quietly(reader.read(region.offset, region.length), structure);
        if (clear.faultless && clear.length == region.length)
          return lose_clear(index, region, clear.length, is_column ? "a ColumnIndex" : "an OffsetIndex",
                            part);
        return lose_module(index, region, opened.error(), part);
      }
      const View bytes = *opened;
      if (reader.decrypts()) {
        out_.bytes += region.length;
        out.bytes = bytes;
        out.sound = judge(index, region, bytes, structure, prefix, part);
        return;
      }
      const Reading reading = read_quietly(bytes, structure);
      const bool is_intact = reading.sound && reading.length == region.length;
      if (is_intact && reading.faultless) {
        const bool is_own = settle_sharing(index, region, probe, part);
        out_.bytes += region.length;
        out.bytes = reader.read(region.offset, region.length);
        // A ColumnIndex that may belong to another chunk is not compared with these pages; an OffsetIndex
        // names its pages itself.
        out.sound = (is_own || std::is_same_v<Struct, OffsetIndex>) &&
                    (!probed || read_quietly(out.bytes, structure).sound);
        return;
      }
      if (!is_intact && !reading.too_deep) (void)finds(index, region, probe, part);
    }
    out_.bytes += region.length;
    out.bytes = reader.read(region.offset, region.length);
    out.sound = judge(index, region, out.bytes, structure, prefix, part);
  }

  /// Judges the bytes of one struct of the page index, and returns true if it is sound.
  template <typename Struct>
  bool judge(std::size_t index, Region& region, View bytes, Struct& structure, std::string_view prefix,
             LostPart part) {
    const Place place = place_of(region);
    thrift::Reader thrift(bytes, {&findings_, place, prefix}, context_.options.limits);
    const bool is_complete = thrift.read(structure);
    region.damaged = !thrift.sound();
    out_.regions_known = out_.regions_known && !region.damaged;
    if (thrift.damaged()) {
      out_.lost.push_back({part, place});
    } else if (!is_complete) {
      not_run_.push_back({to_string(part), "it is nested deeper than the limit", place, {}});
    } else if (const std::uint64_t rest = bytes.end() - structure.fields.end; rest != 0) {
      // thrift/module-exact
      report_at(findings_, Rule::thrift_module_exact, place, structure.fields.end, rest, contrast(rest, 0),
                std::string(prefix));
      if (bytes.space == Space::file) {
        region.length -= rest;
        region.surplus = static_cast<std::uint32_t>(rest);
      }
    }
    if (region.damaged || region.surplus != 0) out_.settled.push_back({index, region});
    return is_complete && !region.damaged && !thrift.damaged();
  }

  /// Returns the rule of the first error after the first `count` findings.
  [[nodiscard]] std::optional<Rule> first_error_after(std::size_t count) const {
    const std::vector<Finding>& all = findings_.all();
    for (std::size_t i = count; i < all.size(); ++i) {
      if (info(all[i].rule).severity == Severity::error) return all[i].rule;
    }
    return std::nullopt;
  }

  /// Returns the size of the Bloom filter at `offset`; 0 if there can be none.
  std::uint64_t filter_at(std::uint64_t offset, std::uint64_t room) {
    const BloomFilterExtent extent = read_bloom_filter_extent(passing_, offset, offset + room, {});
    return extent.sound && are_blocks(extent.bitset.value_or(0)) && extent.length() <= room ? extent.length()
                                                                                            : 0;
  }

  /// Returns the size of the header of the Bloom filter in the region if it is not encrypted; 0 if there is
  /// none.
  std::uint64_t clear_filter_header(const Region& region) {
    const std::uint64_t end = region.length_known ? region.end() : context_.footer.frame.footer_offset;
    BloomFilterHeader header;
    const Reading reading = read_quietly(
        passing_.read(region.offset, std::min(kMaxBloomFilterHeader, end - region.offset)), header);
    if (!reading.faultless || !header.has(BloomFilterHeader::id_numBytes) || header.numBytes <= 0) return 0;
    const auto bitset = static_cast<std::uint64_t>(header.numBytes);
    const std::uint64_t length = reading.length + bitset;
    const bool fits = region.length_known ? length == region.length : length <= end - region.offset;
    return fits && are_blocks(bitset) ? reading.length : 0;
  }

  static bool are_blocks(std::uint64_t bytes) noexcept {
    return bytes != 0 && bytes % BloomBlock::kBytes == 0;
  }

  /// Reports a finding at numBytes of the filter.
  void at_num_bytes(Rule rule, const Region& region, const BloomFilterExtent& extent, FindingValue expected) {
    const std::uint64_t size = extent.header;
    FindingSite{findings_, place_of(region), passing_.read(region.offset, size), BloomFilterHeader::kType,
                "bloom_filter_header"}
        .report(rule, "numBytes", contrast(*extent.num_bytes, std::move(expected)));
  }

  /// Judges the sizes of the filter in its header and in the footer, and returns true if that of the bitset
  /// is known.
  bool judge_size(std::size_t index, Region& region, const BloomFilterExtent& extent) {
    const std::uint64_t footer = context_.footer.frame.footer_offset;
    const std::uint64_t stated = context_.regions[index].offset;
    std::uint64_t next = doubts_.regions().next_start(region.offset, footer);
    if (next == stated) next = doubts_.regions().next_start(stated, footer);  // the structure is not there
    const std::uint64_t header_end = region.offset + extent.header;
    const std::uint64_t room = next > header_end ? next - header_end : 0;
    const std::uint64_t after_header = region.length > extent.header ? region.length - extent.header : 0;
    const bool footer_may_decide = region.length_known && are_blocks(after_header);
    const bool agreed = region.length_known && extent.length() == region.length;
    const bool blocks = *extent.num_bytes > 0 && are_blocks(*extent.bitset);
    const bool too_many = blocks && !agreed && *extent.bitset > room;
    const bool footer_decides = footer_may_decide && !agreed && region.end() == next;
    if (!blocks || too_many || footer_decides) {
      // bloom-filter/num-bytes
      FindingValue expected = "a multiple of 32, above 0";
      if (too_many) expected = at_most(room);
      if (footer_may_decide) expected = after_header;
      at_num_bytes(Rule::bloom_filter_num_bytes, region, extent, std::move(expected));
      out_.lost.push_back({LostPart::bloom_filter, place_of(region)});
      return false;
    }
    if (region.length_known && !agreed) {
      // bloom-filter/length
      chunk_site(region).report(Rule::bloom_filter_length, length_field(region.kind),
                                contrast(region.length, extent.length()));
      if (region.length > extent.length())
        region.surplus = static_cast<std::uint32_t>(region.length - extent.length());
      region.length = extent.length();
      out_.settled.push_back({index, region});
    }
    constexpr std::uint64_t kLargest = std::uint64_t{128} << 20;
    if (!std::has_single_bit(*extent.bitset) || *extent.bitset > kLargest) {
      // bloom-filter/size-practice
      at_num_bytes(Rule::bloom_filter_size_practice, region, extent,
                   "a power of two, at most " + std::to_string(kLargest));
    }
    return true;
  }

  /// Passes the bitset on for looking up the values of the chunk, or adds the reason to `not_run`.
  void hand_on(const Region& region, const BloomFilterExtent& extent, bool is_own) {
    const auto skip = [&](std::string why) {
      not_run_.push_back({to_string(LostPart::bloom_filter), std::move(why), place_of(region), {}});
    };
    const std::uint64_t ceiling = context_.options.limits.memory_bytes / 8;
    if (!extent.split_block) {
      skip("its algorithm, hash or compression is unknown");
    } else if (!is_own) {
      skip("another column chunk claims the same filter");
    } else if (doubts_.regions().next_start(region.offset, UINT64_MAX) < region.offset + extent.length()) {
      skip("another structure begins inside it");
    } else if (*extent.bitset > ceiling) {
      at_num_bytes(Rule::limit_memory, region, extent, ceiling);
      skip("it needs more than an eighth of --max-memory");
    } else if (context_.footer.schema.leaf(region.leaf).type != Type::BOOLEAN) {
      out_.filter = FilterBitset{region.offset + extent.bitset_at, *extent.bitset};
      if (passing_.decrypts() && !opens_bitset(region, extent)) return;
      out_.bytes += *extent.bitset;
    }
  }

  /// Decrypts the bitset of an encrypted filter.
  bool opens_bitset(const Region& region, const BloomFilterExtent& extent) {
    const std::uint64_t begin = region.offset + extent.bitset_at - encryption::kModuleHeadBytes;
    const auto module = passing_.read_module(begin, begin + encryption::kModuleFrameBytes + *extent.bitset,
                                             encryption::ModuleType::bloom_filter_bitset);
    if (!module) {
      out_.filter.reset();
      if (module.error().at == PageFault::At::unreadable) return false;
      report_at(findings_, module.error().rule(), place_of(region), module.error().error.offset,
                module.error().error.length, module.error().contrast);
      out_.lost.push_back({LostPart::bloom_filter, place_of(region)});
      return false;
    }
    out_.filter->decrypted.assign(module->bytes.data(), module->bytes.data() + module->bytes.size());
    return true;
  }

  void bloom_filter(std::size_t index) {
    Region region = context_.regions[index];
    const std::uint64_t data_end = context_.footer.frame.footer_offset;
    passing_.enter(place_of(region));
    const auto probe = [this](std::uint64_t offset, std::uint64_t room) { return filter_at(offset, room); };
    const auto read = [&](const thrift::Judged& judged) {
      const std::uint64_t end = region.length_known ? region.end() : data_end;
      return read_bloom_filter_extent(passing_, region.offset, end, judged);
    };
    const std::uint64_t stated = region.offset;
    BloomFilterExtent extent;
    if (reaches_into_footer(region)) {
      if (!finds(index, region, probe, LostPart::bloom_filter)) return;
    } else {
      extent = read({});
      if (extent.module) {
        if (const std::uint64_t length = clear_filter_header(region); length != 0)
          return lose_clear(index, region, length, "a BloomFilterHeader", LostPart::bloom_filter);
        return lose_module(index, region, *extent.module, LostPart::bloom_filter);
      }
      const bool fits = extent.sound && (!region.length_known || extent.length() == region.length);
      if (!fits && finds(index, region, probe, LostPart::bloom_filter)) extent = {};
    }
    const bool is_own =
        region.offset != stated || settle_sharing(index, region, probe, LostPart::bloom_filter);
    if (region.offset != stated) extent = {};
    const std::size_t findings_before = findings_.all().size();
    if (!extent.faultless) extent = read({&findings_, place_of(region), "bloom_filter_header"});
    if (extent.damaged)
      out_.lost.push_back({LostPart::bloom_filter, place_of(region), {}, first_error_after(findings_before)});
    // The meaning of numBytes in other algorithms is unknown.
    const bool sized = extent.sound && (!extent.split_block || judge_size(index, region, extent));
    if (extent.length() == 0) {
      if (!region.length_known) out_.regions_known = false;
      return;
    }
    out_.bytes += extent.header;
    if (sized && region.offset == stated) hand_on(region, extent, is_own);
    if (!region.length_known && extent.length() <= data_end - region.offset) {
      region.length = extent.length();
      region.length_known = true;
      out_.settled.push_back({index, region});
    }
  }

  const Context& context_;
  const ChunkDoubts& doubts_;
  PageReader& passing_;
  PageIndexReaders& keeping_;
  Findings& findings_;
  std::vector<NotRun>& not_run_;
  ChunkIndexes out_;
};

}  // namespace

ChunkIndexes read_chunk_indexes(const Context& context, const ChunkDoubts& doubts, RegionRange regions,
                                PageReader& passing, PageIndexReaders& keeping, Findings& findings,
                                std::vector<NotRun>& not_run) {
  return IndexReading(context, doubts, passing, keeping, findings, not_run).run(regions);
}

std::size_t affordable_regions(FileCheck& check) {
  const Regions& regions = check.regions;
  FileOutcome& outcome = check.outcome;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const Region& region = regions[i];
    if (region.encrypted || region.kind == Region::Kind::column_chunk || outcome.work.afford(region.length))
      continue;
    report_at(outcome.findings, Rule::limit_work, place_of(region), region.offset, 0,
              contrast(counted(outcome.work.spent(), "byte") + " of indexes", outcome.work.ceiling()));
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
