#include "conformance/chunk/chunk_check.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "codec/page/header_faults.hpp"
#include "codec/page/page_search.hpp"
#include "conformance/chunk/column_metadata_totals.hpp"
#include "conformance/chunk/empty_chunk.hpp"
#include "conformance/chunk/page_header.hpp"
#include "conformance/chunk/page_header_tally.hpp"
#include "conformance/chunk/recovery.hpp"
#include "conformance/chunk/row_count.hpp"
#include "conformance/chunk/value_origin.hpp"
#include "conformance/indexes/index_page_2013/index_tree_rules.hpp"
#include "conformance/indexes/offset_index_rules.hpp"
#include "conformance/state/chunk_claim.hpp"
#include "conformance/state/row_positions.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kPageStart = 3;

/// Returns true if a PageHeader may begin like this: its type, one of four, and uncompressed_page_size.
bool is_page_start(View bytes) {
  constexpr std::uint8_t kHighestType = 3 << 1;  // zigzag
  return bytes.bytes[0] == kNextI32 && bytes.bytes[1] <= kHighestType && bytes.bytes[1] % 2 == 0 &&
         bytes.bytes[2] == kNextI32;
}

/// Returns true if an index or a Bloom filter may begin like this: its first field, an i32 or a list.
bool is_struct_start(View bytes) {
  constexpr std::uint8_t kNextList = 0x19;
  return bytes.bytes[0] == kNextI32 || bytes.bytes[0] == kNextList;
}

/// Checks one chunk: walks along its pages, and compares the column metadata with them.
class ChunkCheck : PageExplanation {
 public:
  ChunkCheck(const Context& context, const ChunkDoubts& doubts, const ChunkClaim& claim,
             const ColumnChunk& chunk, const ChunkIndexes& indexes, Scratch& scratch, bool doubts_counts,
             ChunkOutcome& outcome)
      : context_(context),
        doubts_(doubts),
        scratch_(scratch),
        outcome_(outcome),
        services_(context.options.limits, context.footer.chunks.size(), outcome.not_run),
        chunk_(context, claim, chunk, outcome.findings, services_, indexes.page_index, indexes.filter),
        tree_(make_tree()),
        bodies_(chunk_, scratch, *this),
        recovery_(context.input.source, context.options.limits, indexes.page_index.offset.bytes,
                  static_cast<std::uint64_t>(std::max<std::int64_t>(chunk.meta_data.data_page_offset, 0))),
        row_positions_(chunk_.leaf),
        locations_(chunk_),
        walk_(
            scratch.reader, doubts.regions(),
            chunk_extent(claim.start, claim.compressed, claim.num_values, context.footer.frame.footer_offset),
            chunk_.place),
        doubts_counts_(doubts_counts) {
    services_.position.trail = &row_positions_;
  }

  void run() {
    doubts_.find_start(chunk_, scratch_.reader, walk_);
    const bool is_codec_known = can_decompress(chunk_.meta().codec);
    const bool wants_bodies = context_.options.tier == Tier::values;
    reads_bodies_ = wants_bodies && is_codec_known;
    codec_in_doubt_ = wants_bodies && !is_codec_known;
    while (step()) {
    }
    if (wants_bodies && !is_codec_known && !has_wrong_codec_)
      outcome_.not_run.push_back({"page bodies", "the compression codec is unknown", chunk_.place, {}});
    sum_up();
    origin_.begin_chunk(outcome_.findings);
    if (outcome_.total.walked) {
      judge();
    } else {
      if (const std::optional<Contrast> wrong = dictionary_after_data(chunk_.meta()))
        chunk_.site.report(Rule::column_chunk_dictionary_before_data, "meta_data.dictionary_page_offset",
                           *wrong);
      scratch_.observers.end_chunk({});
    }
    if (!outcome_.total.sums_known && !gaps_.why.empty()) leave_out_totals(chunk_, gaps_.why);
    outcome_.details.origin = origin_.end_chunk(chunk_);
  }

 private:
  using BadPage = Recovery::BadPage;

  std::optional<IndexTreeRules> make_tree() {
    if (context_.options.for_rows != CheckOptions::ForRows::no)
      origin_.start(services_, context_.options.limits);
    if (!chunk_.meta().has(ColumnMetaData::id_index_page_offset) || chunk_.meta().index_page_offset <= 0 ||
        !reads_index_tree(context_, outcome_.findings))
      return std::nullopt;
    return std::optional<IndexTreeRules>(std::in_place, chunk_);
  }

  /// PageExplanation: reports the wrong field; the walk continues with its corrected value.
  bool explains(const Page& page) override {
    // Only the first finding of a page is explained.
    if (std::exchange(last_explained_offset_, page.offset) == page.offset) return false;
    if (pages_in_doubt_ == nullptr) pages_in_doubt_ = doubts_.of_pages(chunk_, walk_);
    if (pages_in_doubt_ == nullptr) return false;
    std::optional<PageCure> cure =
        pages_in_doubt_->find(page, {recovery_.next_page(walk_, page.offset), bodies_.dictionary_size(),
                                     has_opened_, doubts_counts_, recovery_.rows_at(walk_, page.offset)});
    if (!cure) return false;
    // Findings about the body, which was read with the wrong value, and about the wrong field are
    // consequences.
    outcome_.findings.attribute(cure->fault.rule(), current_.reported_before, [&](const Finding& finding) {
      return finding.place == page.place && (finding.field.empty() || finding.field == cure->fault.field);
    });
    report_page_fault(chunk_.site, page.place, page, cure->fault);
    header_tally_.labels_known = header_tally_.labels_known && cure->fault.rule() != Rule::page_encoding;
    cure_ = std::move(cure);
    row_positions_.enter(cure_->page);
    return true;
  }

  /// Reads and judges the next page. Returns false at the end of the walk.
  bool step() {
    current_ = {};
    current_.reported_before = outcome_.findings.all().size();
    origin_.begin_page(outcome_.findings);
    if (context_.cancelled()) return end_walk("the check was stopped");
    if (recovery_.is_header_in_gone_bytes(context_.input, walk_, scratch_.reader))
      return recover(BadPage::unusable_header, "a page header is incomplete");
    const PageWalk::Step next = walk_.next(&outcome_.findings);
    switch (next) {
      case PageWalk::Step::page:
        break;
      case PageWalk::Step::end:
        gaps_.at_end = true;
        doubt_end();
        outcome_.total.walked = !recovery_.has_jumped();
        return false;
      case PageWalk::Step::unreadable:
        return end_walk("the file could not be read");
      case PageWalk::Step::limit:
        current_.too_much = true;
        if (walk_.page().too_deep)
          return recover(BadPage::unusable_header, "a page header is nested deeper than the limit");
        report_walk(next);
        return recover(BadPage::unusable_header, "a page header is larger than the limit");
      case PageWalk::Step::lost:
        return handle_lost_step(next);
    }
    cure_.reset();
    if (is_misread(walk_.page())) return recover(BadPage::unusable_header, "a page header cannot be read");
    judge_page(walk_.page());
    if (cure_ && cure_->of_chunk) return end_walk_at_wrong_codec();
    // The page has the corrected header from here on.
    if (cure_) walk_.correct(cure_->page.header);
    return finish_page(walk_.page());
  }

  /// Returns true, and reports the page, if its header breaks rules and was misread: the OffsetIndex or the
  /// next pages contradict it, too.
  bool is_misread(const Page& page) {
    const bool in_doubt = !page.sound || (!page.has_member() && !page.has_unknown_type());
    const std::optional<std::uint64_t> actual_next = recovery_.next_if_misread(walk_, page);
    if (!actual_next && !(in_doubt && recovery_.is_contradicted_by_offset_index(walk_, page))) return false;
    if (page.sound) (void)judge_page_header(chunk_, header_tally_.dictionary_label(), page);
    if (actual_next && !outcome_.findings.has_error_at(page.place))
      report_page_fault(chunk_.site, page.place, page, Recovery::misread_fault(page, *actual_next));
    return true;
  }

  /// Moves past the judged page of the walk. Returns false at the end of the walk.
  bool finish_page(const Page& page) {
    count_bytes(page);
    const bool is_size_wrong =
        (current_.damaged || current_.untrusted) && recovery_.is_contradicted_by_offset_index(walk_, page);
    // recover() handles a page with a wrong size.
    if (current_.is_left_out && !is_size_wrong)
      outcome_.not_run.push_back({"page", "its checksum is wrong", page.place, {}});
    if (page.is_data()) locations_.page(page, row_positions_, current_.damaged);
    services_.position.move_past(page);
    if (current_.readable && !is_size_wrong)
      origin_.end_page(chunk_, page, row_positions_.of_page(), current_.verified);
    row_positions_.leave(page, current_.readable && !is_size_wrong, current_.faulty);
    gaps_.last_page_verified = current_.verified;
    gaps_.last_page_is_dictionary = page.is_dictionary();
    walk_.move_past_page();
    // In an OffsetIndex each page begins with a row.
    if (reads_bodies_ && !row_positions_.before() && page.is_data()) {
      if (const auto next = recovery_.rows_at(walk_, walk_.offset())) row_positions_.resume(next->first);
    }
    return !is_size_wrong || recover(BadPage::wrong_previous_size, "the size of a page is wrong");
  }

  void report_walk(PageWalk::Step step) {
    Place place = chunk_.place;
    place.page = walk_.ordinal();
    report_page_fault(chunk_.site, place, walk_.page(), walk_.fault(step));
  }

  bool handle_lost_step(PageWalk::Step step) {
    switch (walk_.loss()) {
      case PageWalk::Loss::size_negative:
        report_walk(step);
        [[fallthrough]];
      case PageWalk::Loss::size_missing:
        return recover(BadPage::unusable_header, "the size of a page is unknown");
      case PageWalk::Loss::beyond_bound:
        report_walk(step);
        return recover(BadPage::unusable_header, "a page runs past the column chunk");
      case PageWalk::Loss::module:
        return skip_module();
      case PageWalk::Loss::framing:
      case PageWalk::Loss::none:
        break;
    }
    return recover(BadPage::unusable_header, "a page header cannot be read");
  }

  /// Goes on after a page whose header does not authenticate: the lengths of its modules lead to the next
  /// one.
  bool skip_module() {
    const std::int32_t page = walk_.ordinal();
    record_lost({LostPart::page, place_of_page(page), {}, {}, recovery_.rows_at(walk_, walk_.offset())});
    mark_sums_incomplete("a page header does not authenticate");
    recovery_.skipped_module();
    gaps_.last_page_lost = true;
    const std::optional<RowRange> next = recovery_.rows_at(walk_, walk_.module_end());
    row_positions_.resume(next ? std::optional(next->first) : std::nullopt);
    rows_.mark_unknown();
    services_.position.data_page.reset();
    bodies_.skip_first_data_page();
    if (page == 0) bodies_.mark_dictionary_unusable(PageBodies::Entries::damaged);
    bodies_.mark_entries_missing();
    walk_.resume(walk_.module_end(), page + 1);
    return true;
  }

  /// Returns true if no page of the chunk is encrypted, although they should be.
  [[nodiscard]] bool has_clear_pages() const {
    return std::ranges::any_of(outcome_.findings.all(), [](const Finding& one) {
      return one.rule == Rule::encryption_clear_pages && one.place.page >= 0;
    });
  }

  [[nodiscard]] Place place_of_page(std::int32_t ordinal) const {
    return {chunk_.place.row_group, chunk_.place.leaf, ordinal};
  }

  /// Finds where the walk continues after a page with an unusable header or a wrong size. Records the pages
  /// in between as lost, or as not run if a limit was exceeded. Returns false if the walk ends.
  bool recover(BadPage bad, std::string why) {
    if (has_clear_pages()) {
      record_lost_from(walk_.ordinal());
      return end_walk(std::move(why));
    }
    if (bad == BadPage::unusable_header && !current_.too_much) doubt_last_page(Follower::page);
    const bool is_previous_lost = walk_.ordinal() > 0 && !outcome_.lost.empty() &&
                                  outcome_.lost.back().place == place_of_page(walk_.ordinal() - 1);
    switch (recovery_.recover(walk_, bad, is_previous_lost)) {
      case Recovery::Action::proceed:
        return true;
      case Recovery::Action::give_up:
        if (!current_.too_much) record_lost_from(walk_.ordinal());
        return end_walk(std::move(why));
      case Recovery::Action::jump:
        break;
    }
    const PageStarts::Jump& jump = recovery_.jump();
    for (std::int32_t page = jump.first_lost; page < jump.ordinal; ++page) {
      const Place place = place_of_page(page);
      if (current_.too_much) {
        outcome_.not_run.push_back({"page", why, place, {}});
      } else if (outcome_.lost.empty() || outcome_.lost.back().place != place) {
        const bool is_one = jump.is_counted;
        record_lost({is_one ? LostPart::page : LostPart::pages,
                     place,
                     {},
                     {},
                     recovery_.rows_of(page),
                     is_one ? 0 : jump.offset});
      }
    }
    const std::optional<RowRange> next = recovery_.rows_at(walk_, jump.offset);
    const std::optional<std::int64_t> none =
        jump.over_dictionary && jump.is_counted ? std::optional<std::int64_t>(0) : std::nullopt;
    row_positions_.resume(next ? std::optional(next->first) : none);
    mark_sums_incomplete(std::move(why));
    rows_.mark_unknown();
    services_.position.data_page.reset();
    bodies_.skip_first_data_page();
    if (jump.over_dictionary)
      bodies_.mark_dictionary_unusable(current_.too_much ? PageBodies::Entries::unknown
                                                         : PageBodies::Entries::damaged);
    bodies_.mark_entries_missing();
    walk_.resume(jump.offset, jump.ordinal);
    return true;
  }
  /// What follows a page.
  enum class Follower : std::uint8_t { page, other };

  [[nodiscard]] bool content_has_checksum() const { return chunk_.meta().codec == CompressionCodec::GZIP; }
  /// Damage of the bytes after a page may begin in the page. The rows of the page are in doubt if these bytes
  /// do not begin as what they are should, unless a checksum covers the page.
  void doubt_last_page(Follower follower) {
    if (context_.options.for_rows == CheckOptions::ForRows::no || !reads_bodies_ || gaps_.last_page_verified)
      return;
    // What follows may be encrypted, so its first bytes are no evidence.
    if (context_.footer.is_encrypted()) return;
    const View bytes = scratch_.reader.read(walk_.offset(), kPageStart);
    if (bytes.size() != kPageStart) return;
    const bool is_start = follower == Follower::page ? is_page_start(bytes) : is_struct_start(bytes);
    if (is_start) return;
    row_positions_.lose_last_page();
    if (gaps_.last_page_is_dictionary) bodies_.mark_dictionary_unusable(PageBodies::Entries::damaged);
  }
  /// Does so for the last page of the chunk, if what follows it cannot be read.
  void doubt_end() {
    if (context_.options.for_rows == CheckOptions::ForRows::no) return;
    const std::uint64_t end = walk_.offset();
    const std::span<const Region> regions = doubts_.regions().all();
    const auto next = std::ranges::lower_bound(regions, end, {}, &Region::offset);
    if (next == regions.end() || next->offset != end) return;
    if (next->kind != Region::Kind::column_chunk) {
      if (next->damaged) doubt_last_page(Follower::other);
      return;
    }
    const RegionMap alone;
    if (!PageWalk(scratch_.reader, alone, {end, next->end(), next->end(), 0}, {}).starts_with_page())
      doubt_last_page(Follower::page);
  }
  /// Ends the walk; the sums over the chunk are unknown.
  bool end_walk(std::string why) {
    gaps_.why = std::move(why);
    gaps_.sums_known = false;
    // If the codec is unknown, the page bodies are already in not_run.
    if (reads_bodies_ || context_.options.tier != Tier::values)
      outcome_.not_run.push_back({"rest of the column chunk", gaps_.why, chunk_.place, {}});
    return false;
  }
  /// Marks the sums of the chunk as incomplete; the first reason is kept for the report.
  void mark_sums_incomplete(std::string why) {
    gaps_.sums_known = false;
    if (gaps_.why.empty()) gaps_.why = std::move(why);
  }
  /// Records all pages from this one on as lost.
  void record_lost_from(std::int32_t ordinal) {
    std::optional<RowRange> rows;
    if (const auto first = row_positions_.from_here()) rows = RowRange{*first, INT64_MAX};
    record_lost({LostPart::rest_of_chunk, place_of_page(ordinal), {}, {}, rows});
  }
  void record_lost(Lost lost) {
    if (current_.untrusted && !lost.cause) lost.cause = Rule::crc_match;
    outcome_.lost.push_back(std::move(lost));
  }
  /// Excludes a page from all sums. `damaged`: the page is lost; otherwise the source could not be read, or
  /// the checksum is wrong.
  void exclude_page(const Page& page, bool damaged, std::optional<Rule> cause = {}) {
    bodies_.mark_entries_missing();
    current_.damaged = damaged;
    const auto known = row_positions_.of_page();
    const auto rows = known || !page.is_data() ? known : recovery_.rows_at(walk_, page.offset);
    if (rows && !known) row_positions_.begin_with_row();
    if (damaged) record_lost({LostPart::page, page.place, {}, cause, rows});
    mark_sums_incomplete("page " + std::to_string(page.ordinal()) + (damaged ? " is lost" : " is left out"));
  }
  void distrust() { current_.untrusted = current_.is_left_out = true; }

  void judge_page(const Page& page) {
    row_positions_.enter(page);
    gaps_.last_page_lost = false;
    if (context_.input.is_gone(page.body, page.end())) return exclude_unreadable_page(page, {});
    if (std::exchange(codec_in_doubt_, false) && explains(page) && cure_->of_chunk)
      return exclude_unreadable_page(page, cure_->cause());
    if (reads_bodies_ && (doubts_counts_ || doubts_.is_in_doubt(chunk_, walk_, page)) && explains(page))
      return exclude_unreadable_page(page, cure_->cause());
    const HeaderJudgement header = judge_page_header(chunk_, header_tally_.dictionary_label(), page);
    if (header.damaged) header_tally_.labels_known = false;
    if (!header.sums)
      mark_sums_incomplete("the header of page " + std::to_string(page.ordinal()) + " is wrong");
    if (!header.why_not.empty()) outcome_.not_run.push_back({"page body", header.why_not, page.place, {}});
    if (tree_) tree_->page(page, rows_.known());
    judge_page_type(chunk_, header_tally_.data_type, page);
    header_tally_.add(page, chunk_.leaf);
    if (!reads_bodies_) rows_.add_by_header(page, chunk_.leaf);
    if (header.body) return body(page);
    gaps_.values_known = gaps_.values_known && page.is_index();
    if (may_be_dictionary(page) && !bodies_.has_dictionary())
      bodies_.mark_dictionary_unusable(header.damaged ? PageBodies::Entries::damaged
                                                      : PageBodies::Entries::unknown);
    if (header.damaged) {
      exclude_page(page, true);
    } else {
      checksum(page);
    }
    if (!page.is_data()) return;
    rows_.mark_unknown();
    bodies_.skip_first_data_page();
  }

  /// Adds a page whose body cannot be read.
  void exclude_unreadable_page(const Page& page, std::optional<Rule> cause) {
    header_tally_.add(page, chunk_.leaf);
    if (page.is_dictionary() && !bodies_.has_dictionary())
      bodies_.mark_dictionary_unusable(PageBodies::Entries::damaged);
    gaps_.last_page_lost = true;
    exclude_page(page, true, cause);
    if (!page.is_data()) return;
    rows_.mark_unknown();
    bodies_.skip_first_data_page();
  }

  /// The column metadata is wrong for all pages.
  bool end_walk_at_wrong_codec() {
    has_wrong_codec_ = true;
    outcome_.lost.push_back({LostPart::column_chunk, chunk_.place, {}, cure_->cause()});
    return end_walk("the compression codec is wrong");
  }

  void count_bytes(const Page& page) {
    recovery_.accepted(page);
    outcome_.total.count(page);
    if (page.header.has(PageHeader::id_crc)) ++outcome_.checksums;
    outcome_.bytes += page.header_bytes.size();
    if (context_.options.progress != nullptr)
      context_.options.progress->done.fetch_add(page.end() - page.offset, std::memory_order_relaxed);
  }

  /// crc/match for a page of which nothing else is judged: it needs only the stored bytes.
  void checksum(const Page& page) {
    if (context_.options.tier != Tier::values || !page.header.has(PageHeader::id_crc) ||
        !chunk_.site.wants(Rule::crc_match) || page.stored_size() > context_.options.limits.page_bytes) {
      return;
    }
    const BodyOutcome outcome = bodies_.judge_checksum(page);
    if (outcome.unreadable) return;
    outcome_.bytes += page.stored_size();
    if (outcome.untrusted) distrust();
  }

  /// Returns true, and reports the page, if a limit prevents reading its body.
  bool report_if_too_large(const Page& page) {
    const std::optional<PageFault> exceeded = ceiling_fault(page, context_.options.limits);
    if (!exceeded) return false;
    report_page_fault(chunk_.site, page.place, page, *exceeded);
    const bool memory = exceeded->rule() == Rule::limit_memory;
    outcome_.not_run.push_back({"page body",
                                memory ? "it needs more than --max-memory" : "it is larger than --max-page",
                                page.place,
                                {}});
    return true;
  }

  /// Counts the bytes of a body that could be read; otherwise excludes the page and returns false.
  bool count_or_exclude(const Page& page, const BodyOutcome& body) {
    if (body.unreadable) {
      exclude_page(page, false);
      return false;
    }
    outcome_.bytes += page.stored_size();
    return true;
  }

  void body(const Page& page) {
    if (!reads_bodies_) return checksum(page);
    if (page.is_index()) return index_page(page);
    if (report_if_too_large(page)) {
      mark_sums_incomplete("page " + std::to_string(page.ordinal()) + " is left out");
      gaps_.values_known = false;
      rows_.mark_unknown();
      if (page.is_dictionary()) return bodies_.mark_dictionary_unusable(PageBodies::Entries::unknown);
      bodies_.skip_first_data_page();
      return bodies_.mark_entries_missing();
    }
    const BodyOutcome outcome = bodies_.judge(page);
    if (!count_or_exclude(page, outcome)) return;
    if (page.is_data()) {
      if (!outcome.lost && !outcome.untrusted)
        outcome_.entries += static_cast<std::uint64_t>(std::max<std::int64_t>(page.num_values(), 0));
      rows_.add(outcome.rows);
      if (outcome.has_levels && !outcome.untrusted && !cure_)
        row_positions_.levels(outcome.rows, outcome.continues);
      gaps_.surplus = gaps_.surplus || outcome.surplus;
    }
    gaps_.values_known = gaps_.values_known && outcome.skipped.empty() && !outcome.lost && !outcome.untrusted;
    if (outcome.untrusted && !outcome.lost) distrust();
    if (!outcome.skipped.empty() && !outcome.untrusted)
      outcome_.not_run.push_back({"values", outcome.skipped, page.place, {}});
    current_.untrusted = outcome.untrusted;
    if (!outcome.lost && !outcome.untrusted) {
      has_opened_ = true;
      const bool is_judged =
          outcome.skipped.empty() || context_.options.for_rows == CheckOptions::ForRows::end;
      current_.readable = is_judged && !outcome.in_doubt;
      current_.faulty = outcome.faulty;
      current_.verified = outcome.verified || (content_has_checksum() && bodies_.image());
      return;
    }
    gaps_.last_page_lost = true;
    rows_.mark_unknown();
    exclude_page(page, outcome.lost, cure_ ? cure_->cause() : outcome.cause);
  }

  /// Index pages are judged after all other pages. A lost index page does not change the sums over the
  /// chunk.
  void index_page(const Page& page) {
    if (!tree_) {
      outcome_.not_run.push_back(
          {"page body", "index_page_offset is absent or not positive", page.place, {}});
      return checksum(page);
    }
    if (report_if_too_large(page)) return;
    const BodyOutcome outcome = bodies_.judge(page);
    if (!count_or_exclude(page, outcome)) return;
    if (outcome.untrusted && !outcome.lost) distrust();
    if (outcome.lost || outcome.untrusted) gaps_.values_known = false;
    if (outcome.lost) outcome_.lost.push_back({LostPart::page, page.place, {}, outcome.cause});
    if (outcome.untrusted) return;
    if (bodies_.image() && !tree_->body(*bodies_.image()))
      FindingSite::of_page_header(chunk_.site.findings, page)
          .report(Rule::limit_memory, "uncompressed_page_size",
                  contrast(bodies_.image()->size(),
                           "what the other index pages of the column chunk leave of it"));
  }

  /// Completes the totals of the chunk after the walk.
  void sum_up() {
    ChunkTotal& total = outcome_.total;
    row_positions_.end(gaps_.at_end);
    if (reads_bodies_) {
      outcome_.details.damage = damage_in(row_positions_.pages());
      outcome_.details.doubt = damage_in(row_positions_.sound_pages());
    }
    total.start = walk_.extent().start;
    total.end = walk_.offset();
    total.values = walk_.entries();
    outcome_.pages = static_cast<std::uint64_t>(walk_.ordinal() - recovery_.skipped_pages());
    total.sums_known = total.walked && gaps_.sums_known;
    // If a page has bytes after its values, its own count is too small, rather than that of the chunk too
    // large.
    total.may_have_more_entries = header_tally_.unknown != 0 ||
                                  (total.walked && gaps_.surplus && total.values < chunk_.claim.num_values);
    if (total.sums_known && reads_bodies_ && rows_.known())
      outcome_.details.fingerprints = bodies_.fingerprints();
    if (total.sums_known && !total.may_have_more_entries) total.rows = rows_.known();
  }

  void judge() {
    const ChunkTotal& total = outcome_.total;
    judge_chunk_claims(chunk_, header_tally_, total, gaps_.last_page_lost);
    doubt_counts(chunk_, outcome_.total, outcome_.details);
    const bool counts_trusted = are_counts_trusted(chunk_, total);
    locations_.end(counts_trusted);
    if (tree_) {
      std::string why = tree_->judge(reads_bodies_, outcome_.lost);
      if (!why.empty()) outcome_.not_run.push_back({"index pages", std::move(why), chunk_.place, {}});
    }
    const bool complete = total.sums_known && !total.may_have_more_entries;
    scratch_.observers.end_chunk({.sums_known = total.sums_known,
                                  .complete = complete,
                                  .values_known = reads_bodies_ && gaps_.values_known,
                                  .entries_trusted = bodies_.trusts_entries(),
                                  .data_pages = chunk_.position().data_page,
                                  .counts_trusted = counts_trusted,
                                  .levels_known = reads_bodies_,
                                  .entries = total.values,
                                  .rows = total.rows});
    if (total.rows) outcome_.total.sort_proof = services_.sort_proof;
    outcome_.details.geo = std::move(services_.geo);
  }

  const Context& context_;
  const ChunkDoubts& doubts_;
  Scratch& scratch_;
  ChunkOutcome& outcome_;
  ChunkServices services_;
  const ChunkScope chunk_;
  OriginCheck origin_;
  std::optional<IndexTreeRules>
      tree_;  // set if index pages are read and the metadata says that there are some
  PageBodies bodies_;
  Recovery recovery_;
  RowPositions row_positions_;
  LocationRules locations_;
  PageWalk walk_;
  std::unique_ptr<PageDoubts> pages_in_doubt_;  // created when a page is in doubt
  std::optional<PageCure> cure_;                // of the current page
  std::uint64_t last_explained_offset_ = 0;     // of the last page passed to explains()
  PageHeaderTally header_tally_;
  RowCount rows_;
  Gaps gaps_;
  const bool doubts_counts_;  // num_values of a page header may be wrong
  bool reads_bodies_ = false;
  bool codec_in_doubt_ = false;   // the codec is undefined, and no page was tried with another
  bool has_wrong_codec_ = false;  // the pages have another codec
  bool has_opened_ = false;       // a page was read with the codec of the chunk
  CurrentPage current_;
};

}  // namespace

void check_chunk(const Context& context, const ChunkDoubts& doubts, RegionRange regions,
                 const ChunkClaim& claim, bool with_pages, bool doubts_counts, Scratch& scratch,
                 ChunkOutcome& outcome) {
  ChunkIndexes indexes;
  if (!context.cancelled()) {
    indexes = read_chunk_indexes(context, doubts, regions, scratch.reader, scratch.index_readers,
                                 outcome.findings, outcome.not_run);
  }
  outcome.settled = std::move(indexes.settled);
  outcome.lost = std::move(indexes.lost);
  outcome.bytes += indexes.bytes;
  outcome.regions_known = indexes.regions_known;
  ColumnChunk chunk;
  if (!with_pages || !context.footer.reread(claim, context.options.limits, chunk)) return;
  if (claim.no_pages) {
    ChunkServices services(context.options.limits, context.footer.chunks.size(), outcome.not_run);
    check_empty_chunk({context, claim, chunk, outcome.findings, services, indexes.page_index}, outcome.total);
  } else {
    ChunkCheck(context, doubts, claim, chunk, indexes, scratch, doubts_counts, outcome).run();
  }
}

}  // namespace parqproof
