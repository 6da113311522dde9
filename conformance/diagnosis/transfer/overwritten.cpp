#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/diagnosis/stated_structures.hpp"
#include "conformance/diagnosis/transfer/byte_runs.hpp"
#include "conformance/diagnosis/transfer/hypotheses.hpp"

namespace parqproof {
namespace {

/// An error about more bytes is about the length of a section.
constexpr std::uint64_t kField = 16;
constexpr std::uint64_t kMostUnread = std::uint64_t{4} << 20;

class Overwritten {
 public:
  explicit Overwritten(const Evidence& evidence)
      : evidence_(evidence), check_(evidence.as_is), stated_(evidence.stated), probe_(check_) {
    for (const Lost& lost : check_.outcome.lost) lost_[lost.place.chunk()].push_back(&lost);
    for (const Finding& one : check_.outcome.findings.primary()) {
      if (one.rule == Rule::crc_match) distrusted_.insert(one.place);
      if (std::string_view(info(one.rule).id).starts_with("compression/")) garbled_.insert(one.place);
      if (!is_error(one)) continue;
      if (one.place.leaf >= 0) wrong_.insert(one.place.chunk());
      if (one.space == Space::file)
        faults_.push_back({one.offset, one.offset + (one.length <= kField ? one.length : 1)});
    }
    std::ranges::sort(faults_, {}, &ByteRange::begin);
  }

  Explanations run() {
    std::vector<Region> broken;
    std::ranges::copy_if(stated_, std::back_inserter(broken),
                         [&](const Region& one) { return is_lost(one) || is_wrong(one); });
    const std::vector<ByteRun> runs = runs_around(broken);
    if (runs.empty()) return {};
    Explanations in_footer = footer(runs);
    if (!in_footer.empty() || file_is_lost(check_)) return in_footer;
    for (const Region& stated : broken) {
      if (probe_.exhausted()) return {};
      look(stated, runs);
    }
    if (hits_.empty()) return {};
    std::ranges::sort(hits_, {}, [](const ByteRun& one) { return one.bytes.begin; });
    std::vector<ByteRange> different;
    for (const ByteRun& one : hits_) {
      if (!different.empty() && one.bytes.overlaps(different.back())) {
        different.back().end = std::max(different.back().end, one.bytes.end);
      } else {
        different.push_back(one.bytes);
      }
    }
    return {reported(hits_.front().zeros, std::move(different), what_)};
  }

 private:
  /// The runs in these structures, in the footer, and around them.
  [[nodiscard]] std::vector<ByteRun> runs_around(const std::vector<Region>& broken) const {
    const std::uint64_t size = check_.input.source.size();
    std::vector<ByteRange> parts;
    const auto add = [&](std::uint64_t begin, std::uint64_t end) {
      begin = std::max(std::min(begin, size), kLargestBlock) - kLargestBlock;
      end = std::min(size, end + kLargestBlock);
      const ByteRange part{begin / kSector * kSector, end};
      if (!parts.empty() && part.begin <= parts.back().end) {
        parts.back().end = std::max(parts.back().end, part.end);
      } else {
        parts.push_back(part);
      }
    };
    // A structure may claim bytes that nobody has read: those are looked at to a ceiling.
    std::uint64_t room = kMostUnread + 2 * check_.outcome.bytes;
    for (const Region& one : broken) {
      const std::uint64_t length = std::min(one.length, room);
      room -= length;
      if (length != 0) add(one.offset, one.offset + length);
    }
    add(std::max<std::uint64_t>(check_.footer.frame.footer_offset, size - std::min(size, kLargestBlock)),
        size);
    return find_byte_runs(check_.input.source, parts);
  }

  [[nodiscard]] Explanation reported(bool zeros, std::vector<ByteRange> places, std::string what) const {
    const std::uint64_t count = places.front().size();
    return overwritten(evidence_, std::move(places),
                       std::to_string(count) + (zeros ? " zero bytes" : " bytes of the block in front"),
                       std::move(what));
  }

  /// The footer, or the magic behind it, is in such bytes.
  [[nodiscard]] Explanations footer(const std::vector<ByteRun>& runs) const {
    const Frame& frame = check_.footer.frame;
    const std::uint64_t size = check_.input.source.size();
    for (const ByteRun& run : runs) {
      const bool is_broken = !check_.outcome.lost.empty() && has_footer(check_);
      const bool in_footer = is_broken && (run.at_sector() || (run.zeros && file_is_lost(check_))) &&
                             run.bytes.overlaps({frame.footer_offset, frame.end - kFooterTailBytes});
      // Zeros after an intact file are something else.
      const bool at_end = run.zeros && run.bytes.end == size && run.bytes.begin > kMagicBytes &&
                          !has_magic(check_.input.source, run.bytes.begin - kMagicBytes);
      if (in_footer || at_end) return {{.cause = reported(run.zeros, {run.bytes}, "the footer").cause}};
    }
    return {};
  }

  /// Whether something of this kind is lost of the column chunk that a structure belongs to.
  template <typename Is>
  [[nodiscard]] bool is_lost(const Region& stated, Is&& is) const {
    const auto at = lost_.find(place_of(stated));
    return at != lost_.end() && std::ranges::any_of(at->second, is);
  }
  [[nodiscard]] bool is_lost(const Region& stated) const {
    return is_lost(stated, [&](const Lost* lost) {
      using Kind = Region::Kind;
      return stated.kind == (lost->what == LostPart::column_index   ? Kind::column_index
                             : lost->what == LostPart::offset_index ? Kind::offset_index
                             : lost->what == LostPart::bloom_filter ? Kind::bloom_filter
                                                                    : Kind::column_chunk);
    });
  }
  /// Whether the values of a column chunk are wrong.
  [[nodiscard]] bool is_wrong(const Region& stated) const {
    return stated.kind == Region::Kind::column_chunk && wrong_.contains(place_of(stated));
  }
  [[nodiscard]] bool is_page_lost(const Region& stated, std::int32_t page) const {
    return is_lost(stated, [&](const Lost* lost) {
      return lost->place.page == page || lost->what == LostPart::column_chunk ||
             (lost->what == LostPart::rest_of_chunk && lost->place.page <= page);
    });
  }

  /// Takes the runs to which something of a structure is lost.
  void look(const Region& stated, const std::vector<ByteRun>& runs) {
    std::vector<ByteRun> here;
    std::ranges::copy_if(runs, std::back_inserter(here), [&](const ByteRun& run) {
      return (run.zeros || run.at_sector()) && run.bytes.overlaps({stated.offset, stated.end()});
    });
    if (here.empty()) return;
    if (stated.kind != Region::Kind::column_chunk) {
      for (const ByteRun& run : here) {
        if (run.at_sector() || has_fault(run)) hit(run, "an index or a filter");
      }
      return;
    }
    ColumnChunk chunk;
    const ChunkClaim& claim = check_.footer.chunk_of(stated);
    if (!check_.footer.reread(claim, check_.options.limits, chunk)) return;
    // Values may be zeros, or repeat; what a codec makes of them seldom does, and entries of a dictionary
    // differ.
    const bool is_compressed = chunk.meta_data.codec != CompressionCodec::UNCOMPRESSED;
    std::uint64_t at = stated.offset;
    for (std::int32_t ordinal = 0; at < stated.end() && !probe_.exhausted(); ++ordinal) {
      const auto page = probe_.page(at);
      if (!page) break;
      for (const ByteRun& run : here) {
        if (!run.bytes.overlaps({page->body, page->end})) continue;
        Place place = place_of(stated);
        place.page = ordinal;
        const bool is_made_zero =
            run.at_sector() ? is_compressed || distrusted_.contains(place) : garbled_.contains(place);
        const bool is_reported = page->is_dictionary || is_made_zero;
        const bool is_lone = here.size() == 1 && run.bytes.begin > page->body && run.bytes.end < page->end;
        const bool is_at_fault = is_reported || (is_lone && has_fault(run));
        if (run.is_sectors() || (is_at_fault && is_page_lost(stated, ordinal))) hit(run, "pages");
      }
      at = page->end;
    }
    for (const ByteRun& run : here) {
      if (at >= stated.end() || !run.bytes.overlaps({at, at + 1})) continue;
      ByteRun lost = run;
      if (!run.at_sector() && at == stated.offset && is_apart(run, at)) lost.bytes.begin = at;
      hit(lost, "pages");
    }
    if (at < stated.end()) behind(stated, at, here);
  }

  /// Whether the bytes in front of a chunk, the last of which may be zeros, are of an intact structure, or of
  /// one that the run covers as well.
  [[nodiscard]] bool is_apart(const ByteRun& run, std::uint64_t at) const {
    const auto next = std::ranges::lower_bound(stated_, at, {}, &Region::offset);
    if (next == stated_.begin()) return true;
    const Region& before = *std::prev(next);
    return before.offset >= run.bytes.begin || (before.end() == at && !is_lost(before) && !is_wrong(before));
  }

  /// Where the walk ends at `at` without being in a run, a header may begin in front of a run that covers its
  /// end.
  void behind(const Region& stated, std::uint64_t at, const std::vector<ByteRun>& here) {
    constexpr std::uint64_t kShort = 64;
    for (const ByteRun& run : here) {
      const bool is_after = run.bytes.begin > at && run.bytes.begin < std::min(at + kShort, stated.end());
      if (is_after && (run.at_sector() || has_fault(run))) hit(run, "pages");
    }
  }

  /// Whether an error stands in these bytes.
  [[nodiscard]] bool has_fault(const ByteRun& run) const {
    const auto first = std::ranges::lower_bound(faults_, run.bytes.begin, {}, &ByteRange::begin);
    return (first != faults_.end() && first->begin < run.bytes.end) ||
           (first != faults_.begin() && std::prev(first)->end > run.bytes.begin);
  }

  void hit(const ByteRun& run, std::string what) {
    if (hits_.empty()) what_ = std::move(what);
    hits_.push_back(run);
  }

  const Evidence& evidence_;
  const FileCheck& check_;
  std::span<const Region> stated_;
  StructureProbe probe_;
  std::map<Place, std::vector<const Lost*>> lost_;  // by chunk
  std::set<Place> wrong_;                           // chunks with errors
  std::set<Place> garbled_;                         // pages that cannot be decompressed
  std::set<Place> distrusted_;                      // pages whose checksums are wrong
  std::vector<ByteRange> faults_;  // of errors in the file, in the order of their first bytes
  std::vector<ByteRun> hits_;
  std::string what_;  // is in the first of them
};

}  // namespace

Explanations find_overwritten(const Evidence& evidence) { return Overwritten(evidence).run(); }

}  // namespace parqproof
