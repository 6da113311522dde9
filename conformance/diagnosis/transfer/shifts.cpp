#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <string>
#include <utility>

#include "codec/base/text.hpp"
#include "conformance/diagnosis/stated_structures.hpp"
#include "conformance/diagnosis/transfer/hypotheses.hpp"

namespace parqproof {
namespace {

/// Where bytes went away one by one, each structure in turn is looked for in so many bytes.
constexpr std::int64_t kNear = 64;
/// Where the footer does not tell the shift, pages are looked for in so many bytes around their place.
constexpr std::uint64_t kAroundPages = std::uint64_t{1} << 21;
constexpr std::size_t kMostBreaks = 1000;

/// A place at which the shift changes: somewhere in the bytes [intact, next) of the file as it was, or in the
/// suspect bytes in front of them.
struct Break {
  std::int64_t before = 0;  ///< shift of what stands in front
  std::int64_t after = 0;
  std::size_t front = 0;        ///< so many structures stand in front
  std::size_t late = 0;         ///< the first that stands behind, by its ordinal; their number: the footer
  std::uint64_t intact = 0;     ///< up to here all is intact, except for the suspect bytes
  std::uint64_t last_page = 0;  ///< where the header of the suspect page stands
  std::uint64_t body = 0;       ///< and its body
  std::uint64_t next = 0;       ///< from here on all stands at the new shift
  std::optional<ByteRange> suspect = {};
  std::optional<ByteRange> gone = {};
  std::int32_t page = -1;  ///< ordinal of the page that the suspect bytes are the body of
  bool repeats = false;    ///< the bytes too many repeat those in front of them
  bool shows = false;      ///< a checksum shows whether the suspect bytes are intact
  bool fills = false;      ///< all pages in front are where their headers say, up to the structure behind
  bool hits = false;       ///< bytes of a structure or of the magic are in [intact, next)

  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return static_cast<std::uint64_t>(after < before ? before - after : after - before);
  }
  [[nodiscard]] bool takes_away() const noexcept { return after < before; }
  [[nodiscard]] std::uint64_t first() const noexcept {
    return suspect ? suspect->begin : gone ? gone->begin : intact;
  }
};

class ShiftFinder {
 public:
  explicit ShiftFinder(const Evidence& evidence)
      : check_(evidence.as_is),
        probe_(check_),
        stated_(evidence.stated),
        has_magic_(has_magic(check_.input.source, 0)),
        footer_(static_cast<std::int64_t>(check_.footer.frame.footer_offset)),
        data_end_(std::max(kMagicBytes, evidence.data_end)) {}

  Explanations run() {
    if (stated_.empty()) return {};
    const std::int64_t by_footer = footer_ - static_cast<std::int64_t>(data_end_);
    bool found = by_footer != 0 && follow(by_footer);
    if (!found || late_ == 0) {  // bytes that no structure takes may be before the footer
      const std::optional<std::int64_t> by_pages = shift_of_last_chunk();
      if (by_pages) found = follow(*by_pages);
    }
    if (!found) return {};
    for (Break& one : breaks_) {
      if (!place(one) || probe_.exhausted()) return {};
    }
    return is_proven() ? result() : Explanations();
  }

 private:
  /// How far the last column chunk stands from its stated place, where its pages tell.
  std::optional<std::int64_t> shift_of_last_chunk() {
    const auto backwards = stated_ | std::views::reverse;
    const auto last = std::ranges::find(backwards, Region::Kind::column_chunk, &Region::kind);
    if (last == backwards.end() || probe_.is_at(*last, 0)) return std::nullopt;
    const std::uint64_t from = std::max(last->offset, kAroundPages + kMagicBytes) - kAroundPages;
    const auto found = probe_.pages_of_length(from, last->offset + kAroundPages, last->length);
    if (!found) return std::nullopt;
    return static_cast<std::int64_t>(*found) - static_cast<std::int64_t>(last->offset);
  }

  /// The shift at which a structure stands, if it is the one of the structure before it, or one up to that of
  /// the last.
  std::optional<std::int64_t> shift_of(const Region& one, std::int64_t now, std::int64_t last) {
    if (probe_.is_at(one, now)) return now;
    if (now == last) return std::nullopt;
    if (probe_.is_at(one, last)) return last;
    if (std::max(now, last) - std::min(now, last) > kNear) return std::nullopt;
    const std::int64_t step = last < now ? -1 : 1;
    for (std::int64_t shift = now + step; shift != last; shift += step) {
      if (probe_.is_at(one, shift)) return shift;
    }
    return std::nullopt;
  }

  /// Goes along the structures; whether they are at shifts from 0 to `last`, each as far as the one before
  /// it or farther. The footer stands at `last` where else data would run into it.
  bool follow(std::int64_t last) {
    breaks_.clear();
    early_ = late_ = unknown_ = 0;
    std::int64_t shift = 0;
    std::size_t known = 0;  // so many, with the last one that was found
    std::uint64_t reach = kMagicBytes;
    for (std::size_t i = 0; i < stated_.size(); ++i) {
      const Region& one = stated_[i];
      if (one.offset < reach) return false;  // offsets that were wrong from the beginning
      reach = std::max(reach, one.end());
      const std::optional<std::int64_t> found = shift_of(one, shift, last);
      if (probe_.exhausted()) return false;
      if (!found) {
        ++unknown_;
        continue;
      }
      if (*found != shift) breaks_.push_back({.before = shift, .after = *found, .front = known, .late = i});
      if (breaks_.size() > kMostBreaks) return false;
      shift = *found;
      known = i + 1;
      ++(shift == 0 ? early_ : late_);
    }
    const std::int64_t at_end = footer_ - static_cast<std::int64_t>(data_end_);
    if (at_end < shift || (!breaks_.empty() && at_end > shift && is_broken_inside(known, shift, at_end)))
      breaks_.push_back({.before = shift, .after = at_end, .front = known, .late = stated_.size()});
    return !breaks_.empty();
  }

  /// Whether the pages of the last structure are at the one shift, and from one page on at the other.
  bool is_broken_inside(std::size_t known, std::int64_t shift, std::int64_t at_end) {
    const Region& chunk = stated_.back();
    if (known != stated_.size() || chunk.kind != Region::Kind::column_chunk) return false;
    const std::uint64_t end = probe_.end_of_pages_at(chunk, shift);
    return end > chunk.offset && end < chunk.end() && probe_.page(end, at_end);
  }

  /// The OffsetIndex of a column chunk; null where the footer names none.
  const Region* offset_index_of(const Region& chunk) {
    if (!offset_indexes_) {
      offset_indexes_.emplace();
      for (const Region& one : stated_) {
        if (one.kind == Region::Kind::offset_index)
          offset_indexes_->emplace(std::pair(one.row_group, one.leaf), &one);
      }
    }
    const auto found = offset_indexes_->find({chunk.row_group, chunk.leaf});
    return found == offset_indexes_->end() ? nullptr : found->second;
  }

  /// The first of the stated pages from `from` on that stands at `shift`, in the chunk `one`.
  std::optional<std::uint64_t> next_page(const Region& one, std::uint64_t from, const Break& at) {
    if (const Region* index = offset_index_of(one)) {
      for (const std::int64_t shift : {at.after, breaks_.back().after}) {
        for (const std::uint64_t offset : probe_.page_offsets(*index, shift)) {
          const bool inside = offset >= from && offset < one.end();
          if (inside && probe_.page(offset, at.after)) return offset;
        }
      }
    }
    const std::uint64_t end = at_hand(one.end(), at.after);
    const auto found = probe_.pages_up_to(at_hand(from, std::min(at.before, at.after)), end);
    if (!found) return std::nullopt;
    return as_it_was(*found, at.after);
  }

  /// num_values of the column chunk.
  [[nodiscard]] std::int64_t values_of(const Region& of) const {
    ColumnChunk chunk;
    const bool is_read = check_.footer.reread(check_.footer.chunk_of(of), check_.options.limits, chunk);
    return is_read ? chunk.meta_data.num_values : -1;
  }

  /// Goes along the pages of the last structure in front of the break, as far as they are at its shift.
  void walk(Break& at) {
    const Region& chunk = stated_[at.front - 1];
    std::uint64_t here = chunk.offset;
    std::int64_t values = 0;
    for (; here < chunk.end(); ++at.page) {
      const auto page = probe_.page(here, at.before);
      const std::uint64_t limit = at_hand(chunk.end(), at.before);
      if (!page || page->end > limit) {
        const bool too_long = page && !at.takes_away() && page->end - limit == at.bytes();
        const bool too_short = at.takes_away() && chunk.end() - here == at.bytes();
        // All values are there, and the pages take up the difference: they are those of another footer.
        if (too_long && !page->is_dictionary) values += page->values;
        at.fills = (too_long || too_short) && values == values_of(chunk);
        break;
      }
      // Values of a page that is displaced in part may still be in order, compressed ones too.
      at.shows = page->has_crc && check_.options.tier == Tier::values &&
                 check_.outcome.findings.wants(Rule::crc_match);
      if (!page->is_dictionary) values += page->values;
      at.last_page = here;
      at.body = as_it_was(page->body, at.before);
      at.suspect = ByteRange{at.body, as_it_was(page->end, at.before)};
      here = at.suspect->end;
    }
    at.intact = here;
    if (here == chunk.end() || at.fills) return;
    at.hits = true;
    at.next = chunk.end();
    if (probe_.page(here, at.after)) {
      at.next = here;
    } else if (const auto next = next_page(chunk, here, at)) {
      at.next = *next;
      if (at.next >= at.intact) return;
      // It begins inside the page in front, whose header is not what was written.
      at.intact = at.last_page;
      at.suspect.reset();
      at.page = -1;
    }
  }

  /// Finds the bytes of the break. The last structures in front of it may be others that are there by
  /// chance. False where nothing can have come or gone there.
  bool place(Break& at) {
    constexpr std::size_t kMostSteps = 256;
    for (std::size_t step = 0; step < kMostSteps; ++step) {
      locate(at);
      if (at.fills) return false;
      if (settle(at)) return true;
      const bool outweighed = late_ >= 2 && step < late_;
      if (at.front == 0 || !at.takes_away() || !outweighed) return false;
      --at.front;
      at.page = -1;
      at.last_page = at.body = 0;
      at.suspect.reset();
    }
    return false;
  }

  /// Finds the bytes that the break is in.
  void locate(Break& at) {
    const std::uint64_t limit = at.late == stated_.size() ? data_end_ : stated_[at.late].offset;
    at.next = limit;
    at.intact = has_magic_ ? kMagicBytes : 0;
    at.hits = !has_magic_ && at.front == 0;
    if (at.front != 0) {
      const Region& early = stated_[at.front - 1];
      at.intact = early.end();
      if (early.kind == Region::Kind::column_chunk) walk(at);
      if (early.kind == Region::Kind::bloom_filter) at.suspect = ByteRange{early.offset, early.end()};
      // The break is inside of it, and so in front of those between the two.
      if (at.intact < early.end() && at.next < early.end()) return;
    }
    if (at.front == at.late) return;
    // Structures between the two were found at neither shift.
    at.hits = true;
    at.next = limit;
    const Region& last = stated_[at.late - 1];
    if (last.kind != Region::Kind::column_chunk) return;
    if (const auto next = next_page(last, std::max(at.intact, last.offset), at)) at.next = *next;
  }

  /// Tells which bytes are gone. False where the bytes cannot have come or gone there.
  bool settle(Break& at) {
    if (at.next < at.intact) return false;
    if (!at.takes_away()) {
      if (at.front == 0 && !has_magic_) at.next = at.intact = 0;
      const std::uint64_t begin = at_hand(at.first(), at.before);
      const std::uint64_t end = at_hand(at.next, at.after);
      std::optional<std::uint64_t> second = probe_.repeated(begin, end, at.bytes());
      // Where as much as a structure or several is there twice, the last ones in front are the second copy.
      if (!second) second = probe_.repeated(begin - std::min(begin, at.bytes()), end, at.bytes());
      at.repeats = second.has_value();
      if (second) {
        at.intact = at.next = as_it_was(*second, at.before);
        at.suspect.reset();
        for (; at.front != 0 && stated_[at.front - 1].offset >= at.next; --at.front) at.page = -1;
      } else if (at.suspect && !at.shows) {
        at.gone = ByteRange{at.suspect->begin, at.next};
        at.suspect.reset();
      } else if (at.hits && at.intact < at.next) {
        at.gone = ByteRange{at.intact, at.next};
      }
      return true;
    }
    const bool has_room = at.next - at.intact >= at.bytes();
    if (has_room && !at.hits) return false;  // nothing stood where they are missing
    if (has_room && (at.shows || !at.suspect)) {
      at.gone = ByteRange{at.intact, at.next};
      return true;
    }
    if (!at.suspect || at.next - at.suspect->begin < at.bytes()) return false;
    at.gone = ByteRange{at.suspect->begin, at.next};
    at.suspect.reset();
    at.hits = true;
    return true;
  }

  /// Whether a footer that is wrong by itself is the worse explanation.
  [[nodiscard]] bool is_proven() const {
    const Break& first = breaks_.front();
    if (first.late ==
        stated_.size())  // the last page runs into the footer: its header and the chunk agree on it
      return first.front != 0 && first.page >= 0 && first.intact == data_end_ &&
             first.intact == stated_[first.front - 1].end();
    if (unknown_ > early_ + late_ + breaks_.size()) return false;
    const bool all_shifted = first.front == 0 && has_magic_ && !first.hits;
    return late_ >= 2 || (late_ == 1 && !all_shifted);
  }

  /// Where a byte of the file as it was stands in the file at hand.
  static std::uint64_t at_hand(std::uint64_t offset, std::int64_t shift) noexcept {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(static_cast<std::int64_t>(offset) + shift, 0));
  }
  /// The other way round.
  static std::uint64_t as_it_was(std::uint64_t offset, std::int64_t shift) noexcept {
    return at_hand(offset, -shift);
  }

  [[nodiscard]] Explanations result() const {
    Explanation out;
    std::vector<Stretch> stretches;
    std::uint64_t begin = 0;  // of the stretch, in the file as it was
    std::int64_t shift = 0;
    const std::uint64_t size = check_.input.source.size();
    for (const Break& one : breaks_) {
      const std::uint64_t missing = one.takes_away() ? one.bytes() : 0;
      if (one.next < begin + missing) return {};
      if (one.next != 0)
        stretches.push_back({at_hand(begin, shift), at_hand(one.next - missing, shift), missing});
      begin = one.next;
      shift = one.after;
      if (one.gone) {
        out.gone.push_back(*one.gone);
        // The first byte of the header keeps the zeros apart from those that may be in front of it.
        if (one.body != 0 && one.gone->begin == one.body && !one.shows)
          out.headers.push_back({one.last_page + 1, one.body});
      }
      if (one.suspect) out.suspects.push_back({*one.suspect, place_of(stated_[one.front - 1])});
    }
    stretches.push_back({at_hand(begin, shift), size, 0});
    if (std::ranges::any_of(stretches,
                            [&](const auto& one) { return one.begin > one.end || one.end > size; }))
      return {};
    // One wrong offset makes one structure seem to be elsewhere, too.
    if (late_ == 1 && !breaks_.front().takes_away() && !breaks_.front().repeats) out.min_errors = 2;
    out.cause = cause(breaks_);
    if (!out.suspects.empty()) {
      std::vector<Break> exact = breaks_;
      for (Break& one : exact) one.suspect.reset();
      out.exact = cause(exact);
    }
    out.restored = made_of(check_.input.source, std::move(stretches));
    return {std::move(out)};
  }

  [[nodiscard]] Finding cause(std::span<const Break> breaks) const {
    const Break& first = breaks.front();
    const Break& last = breaks.back();
    const std::uint64_t begin = at_hand(first.first(), first.before);
    const std::uint64_t end = std::max(begin, at_hand(last.next, last.after));
    const std::int64_t sum = last.after - first.before;
    const auto total = static_cast<std::uint64_t>(sum < 0 ? -sum : sum);
    const std::string bytes = counted(total, "byte");
    std::string detail = begin == end ? fmt::format(" at byte {}", begin)
                                      : fmt::format(" between byte {} and byte {}", begin, end);
    if (first.repeats) detail += ", which repeat those in front of them";
    if (begin == 0 && sum < 0) detail = " at its beginning";
    if (breaks.size() > 1) detail += fmt::format(", at {} places or more", breaks.size());
    detail += evidence(bytes, sum < 0);
    if (sum < 0 && breaks.size() > 1 && has_no_windows_lines(check_.input.source)) {
      return damage_finding(
          Rule::file_text_mode, {begin, end},
          contrast("LF", "CR LF",
                   fmt::format(", and so {} are missing{}; no CR LF is left in the file", bytes, detail)));
    }
    Finding finding = moved_finding(sum < 0 ? Rule::file_bytes_missing : Rule::file_bytes_inserted,
                                    {begin, end}, total, std::move(detail));
    if (breaks.size() != 1 || first.front == 0) return finding;
    const Region& of = stated_[first.front - 1];
    if (first.next > of.end() || first.first() >= of.end()) return finding;
    finding.place = place_of(of);
    if (of.kind == Region::Kind::column_chunk && first.page >= 0 && first.next != of.end())
      finding.place.page = first.page;
    return finding;
  }

  [[nodiscard]] std::string evidence(const std::string& bytes, bool in_front) const {
    if (late_ == 0)
      return fmt::format(
          ": the last structure that the footer names ends {} after the byte at which the footer begins",
          bytes);
    return fmt::format(
        ": the {} {}{} {} the {} that the footer states",
        late_ == 1 ? "structure after it is" : fmt::format("{} structures after it are", late_),
        breaks_.size() > 1 ? "up to " : "", bytes, in_front ? "before" : "after",
        late_ == 1 ? "place" : "places");
  }

  const FileCheck& check_;
  StructureProbe probe_;
  std::span<const Region> stated_;
  /// OffsetIndexes among them, by row group and leaf; made where one is asked for.
  std::optional<std::map<std::pair<std::uint32_t, std::uint32_t>, const Region*>> offset_indexes_;
  bool has_magic_;  // at the head of the file
  std::int64_t footer_;
  std::uint64_t data_end_;
  std::vector<Break> breaks_;
  std::size_t early_ = 0;    // structures at their stated places
  std::size_t late_ = 0;     // at other places
  std::size_t unknown_ = 0;  // at none that was tried
};

}  // namespace

Explanations find_shifts(const Evidence& evidence) { return ShiftFinder(evidence).run(); }

}  // namespace parqproof
