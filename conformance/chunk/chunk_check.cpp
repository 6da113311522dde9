#include "conformance/chunk/chunk_check.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "codec/page/header_faults.hpp"
#include "conformance/chunk/column_metadata_totals.hpp"
#include "conformance/chunk/empty_chunk.hpp"
#include "conformance/chunk/page_header.hpp"
#include "conformance/chunk/page_header_tally.hpp"
#include "conformance/chunk/recovery.hpp"
#include "conformance/chunk/row_count.hpp"
#include "conformance/indexes/index_page_2013/index_tree_rules.hpp"
#include "conformance/indexes/offset_index_rules.hpp"
#include "conformance/state/chunk_claim.hpp"
#include "conformance/state/row_positions.hpp"

namespace parqproof {
namespace {

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
        trail_(chunk_.leaf),
        locations_(chunk_),
        walk_(
            scratch.reader, doubts.regions(),
            chunk_extent(claim.start, claim.compressed, claim.num_values, context.footer.frame.footer_offset),
            chunk_.place),
        doubts_counts_(doubts_counts) {
    services_.position.trail = &trail_;
  }

  void run() {
    doubts_.find_start(chunk_, scratch_.reader, walk_);
    reads_bodies_ = context_.options.tier == Tier::values && is_codec_known();
    while (step()) {
    }
    sum_up();
    if (outcome_.tally.walked) {
      judge();
    } else if (const std::optional<Contrast> wrong = dictionary_after_data(chunk_.meta())) {
      chunk_.site.report(Rule::column_chunk_dictionary_before_data, "meta_data.dictionary_page_offset",
                         *wrong);
    }
    if (!outcome_.tally.walked) scratch_.observers.end_chunk({});
    if (!outcome_.tally.whole && !gaps_.why.empty()) leave_out_totals(chunk_, gaps_.why);
  }

 private:
  std::optional<IndexTreeRules> make_tree() {
    if (!chunk_.meta().has(ColumnMetaData::id_index_page_offset) || chunk_.meta().index_page_offset <= 0 ||
        !reads_index_tree(context_, outcome_.findings))
      return std::nullopt;
    return std::optional<IndexTreeRules>(std::in_place, chunk_);
  }

  bool is_codec_known() {
    if (can_decompress(chunk_.meta().codec)) return true;
    outcome_.not_run.push_back({"page bodies", "the compression codec is unknown", chunk_.place, {}});
    return false;
  }

  /// PageExplanation: reports the wrong field; the walk continues with its corrected value.
  bool explains(const Page& page) override {
    if (std::exchange(asked_, page.offset) == page.offset) return false;
    if (pages_in_doubt_ == nullptr) pages_in_doubt_ = doubts_.of_pages(chunk_, walk_);
    if (pages_in_doubt_ == nullptr) return false;
    std::optional<PageCure> cure =
        pages_in_doubt_->find(page, {recovery_.next_page(walk_, page.offset), bodies_.dictionary_size(),
                                     has_opened_, doubts_counts_, recovery_.rows_at(walk_, page.offset)});
    if (!cure) return false;
    // Findings about the body, which was read with the wrong value, and about the wrong field are
    // consequences.
    outcome_.findings.attribute(cure->fault.rule(), at_hand_.reported_before, [&](const Finding& finding) {
      return finding.place == page.place && (finding.field.empty() || finding.field == cure->fault.field);
    });
    report_page_fault(chunk_.site, page.place, page, cure->fault);
    evidence_.labels_known = evidence_.labels_known && cure->fault.rule() != Rule::page_encoding;
    cure_ = std::move(cure);
    trail_.enter(cure_->page);
    return true;
  }

  /// Reads and judges the next page. Returns false at the end of the walk.
  bool step() {
    at_hand_ = {};
    if (context_.cancelled()) return lose_rest("the check was stopped");
    if (recovery_.is_header_gone(context_.input, walk_, scratch_.reader))
      return lose_header("a page header is incomplete", false);
    const PageWalk::Step step = walk_.next(&outcome_.findings);
    switch (step) {
      case PageWalk::Step::page:
        break;
      case PageWalk::Step::end:
        at_end_ = true;
        outcome_.tally.walked = !recovery_.has_jumped();
        return false;
      case PageWalk::Step::unreadable:
        return lose_rest("the file could not be read");
      case PageWalk::Step::limit:
        at_hand_.too_much = true;
        if (walk_.page().too_deep) return lose_header("a page header is nested deeper than the limit", false);
        report_walk(step);
        return lose_header("a page header is larger than the limit", false);
      case PageWalk::Step::lost:
        return lose_at(step);
    }
    const Page& page = walk_.page();
    cure_.reset();
    // A header that breaks rules may have been misread. If the OffsetIndex or the next pages contradict the
    // page, too, it is lost.
    const bool in_doubt = !page.sound || (!page.has_member() && !page.has_unknown_type());
    const std::optional<std::uint64_t> actual_next = recovery_.next_if_misread(walk_, page);
    if (actual_next || (in_doubt && recovery_.contradicts(walk_, page))) {
      if (page.sound) (void)judge_page_header(chunk_, evidence_.dictionary_label(), page);
      if (actual_next && !outcome_.findings.has_error_at(page.place))
        report_page_fault(chunk_.site, page.place, page, Recovery::fault_of_misread(page, *actual_next));
      return lose_header("a page header cannot be read", false);
    }
    take(page);
    if (cure_) {
      if (cure_->of_chunk) return lose_chunk();
      walk_.correct(cure_->page.header);
    }
    count_bytes(page);
    const bool contradicted = (at_hand_.damaged || at_hand_.untrusted) && recovery_.contradicts(walk_, page);
    const bool is_lost = contradicted && !at_hand_.damaged;
    if (at_hand_.is_left_out && !is_lost)
      outcome_.not_run.push_back(
          {"page", "its checksum is wrong, so it is not to be trusted", page.place, {}});
    if (page.is_data()) locations_.page(page, trail_, at_hand_.damaged);
    services_.position.pass(page);
    trail_.leave(page, at_hand_.readable && !contradicted, at_hand_.faulty);
    walk_.pass();
    // In an OffsetIndex each page begins with a row.
    if (reads_bodies_ && !trail_.before() && page.is_data()) {
      if (const auto next = recovery_.rows_at(walk_, walk_.at())) trail_.resume(next->first);
    }
    return contradicted ? lose_header("the size of a page is wrong", true) : true;
  }

  void report_walk(PageWalk::Step step) {
    Place place = chunk_.place;
    place.page = walk_.ordinal();
    report_page_fault(chunk_.site, place, walk_.page(), walk_.fault(step));
  }

  bool lose_at(PageWalk::Step step) {
    switch (walk_.loss()) {
      case PageWalk::Loss::size_negative:
        report_walk(step);
        [[fallthrough]];
      case PageWalk::Loss::size_missing:
        return lose_header("the size of a page is unknown", false);
      case PageWalk::Loss::beyond_bound:
        report_walk(step);
        return lose_header("a page runs past the column chunk", false);
      case PageWalk::Loss::framing:
      case PageWalk::Loss::none:
        break;
    }
    return lose_header("a page header cannot be read", false);
  }

  [[nodiscard]] Place place_of_page(std::int32_t ordinal) const {
    return {chunk_.place.row_group, chunk_.place.leaf, ordinal};
  }

  /// Handles an unusable header at the start of the next page, or, if `astray`, a previous page that does not
  /// end at the offset given by its header. The walk continues after the lost page if the start of the next
  /// one is known or can be found; otherwise the rest of the chunk is lost. Pages beyond a limit are left out
  /// instead. Returns false at the end of the walk.
  bool lose_header(std::string why, bool astray) {
    const bool has_lost_before = walk_.ordinal() > 0 && !outcome_.lost.empty() &&
                                 outcome_.lost.back().place == place_of_page(walk_.ordinal() - 1);
    switch (recovery_.lost(walk_, astray, has_lost_before)) {
      case Recovery::Action::proceed:
        return true;
      case Recovery::Action::give_up:
        if (!at_hand_.too_much) lose_from(walk_.ordinal());
        return lose_rest(std::move(why));
      case Recovery::Action::jump:
        break;
    }
    const PageStarts::Jump& jump = recovery_.jump();
    for (std::int32_t page = jump.first_lost; page < jump.ordinal; ++page) {
      const Place place = place_of_page(page);
      if (at_hand_.too_much) {
        outcome_.not_run.push_back({"page", why, place, {}});
      } else if (outcome_.lost.empty() || outcome_.lost.back().place != place) {
        const bool is_one = jump.is_counted;
        lose({is_one ? LostPart::page : LostPart::pages,
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
    trail_.resume(next ? std::optional(next->first) : none);
    lose_sums(std::move(why));
    rows_.lose();
    services_.position.data_page.reset();
    bodies_.pass_first_data_page();
    if (jump.over_dictionary)
      bodies_.lose_dictionary(at_hand_.too_much ? PageBodies::Entries::unknown
                                                : PageBodies::Entries::damaged);
    bodies_.lose_entries();
    walk_.resume(jump.offset, jump.ordinal);
    return true;
  }
  /// Ends the walk; the sums over the chunk are unknown.
  bool lose_rest(std::string why) {
    gaps_.why = std::move(why);
    gaps_.whole = false;
    if (reads_bodies_ || context_.options.tier != Tier::values)
      outcome_.not_run.push_back({"rest of the column chunk", gaps_.why, chunk_.place, {}});
    return false;
  }
  /// Marks the sums of the chunk as incomplete; the first reason is kept for the report.
  void lose_sums(std::string why) {
    gaps_.whole = false;
    if (gaps_.why.empty()) gaps_.why = std::move(why);
  }
  /// Loses all pages from this one on.
  void lose_from(std::int32_t ordinal) {
    std::optional<RowRange> rows;
    if (const auto first = trail_.from_here()) rows = RowRange{*first, INT64_MAX};
    lose({LostPart::rest_of_chunk, place_of_page(ordinal), {}, {}, rows});
  }
  void lose(Lost lost) {
    if (at_hand_.untrusted && !lost.cause) lost.cause = Rule::crc_match;
    outcome_.lost.push_back(std::move(lost));
  }
  /// Excludes a page from all sums: it is lost if `damaged`, otherwise it could not be read.
  void lose_page(const Page& page, bool damaged, std::optional<Rule> cause = {}) {
    bodies_.lose_entries();
    at_hand_.damaged = damaged;
    const auto known = trail_.of_page();
    const auto rows = known || !page.is_data() ? known : recovery_.rows_at(walk_, page.offset);
    if (rows && !known) trail_.begin_with_row();
    if (damaged) lose({LostPart::page, page.place, {}, cause, rows});
    lose_sums("page " + std::to_string(page.ordinal()) + (damaged ? " is lost" : " is left out"));
  }
  void distrust() { at_hand_.untrusted = at_hand_.is_left_out = true; }

  void take(const Page& page) {
    at_hand_.reported_before = outcome_.findings.all().size();
    trail_.enter(page);
    gaps_.last_page_lost = false;
    if (context_.input.is_gone(page.body, page.end())) return take_lost(page, {});
    if (reads_bodies_ && (doubts_counts_ || doubts_.is_in_doubt(chunk_, walk_, page)) && explains(page))
      return take_lost(page, cure_->cause());
    const HeaderJudgement header = judge_page_header(chunk_, evidence_.dictionary_label(), page);
    if (header.damaged) evidence_.labels_known = false;
    if (!header.sums) lose_sums("the header of page " + std::to_string(page.ordinal()) + " is wrong");
    if (!header.why_not.empty()) outcome_.not_run.push_back({"page body", header.why_not, page.place, {}});
    if (tree_) tree_->page(page, rows_.known());
    judge_page_type(chunk_, evidence_.data_type, page);
    evidence_.add(page, chunk_.leaf);
    if (!reads_bodies_) rows_.add_by_header(page, chunk_.leaf);
    if (header.body) return body(page);
    gaps_.values_known = gaps_.values_known && page.is_index();
    if (may_be_dictionary(page) && !bodies_.has_dictionary())
      bodies_.lose_dictionary(header.damaged ? PageBodies::Entries::damaged : PageBodies::Entries::unknown);
    if (header.damaged) {
      lose_page(page, true);
    } else {
      checksum(page);
    }
    if (!page.is_data()) return;
    rows_.lose();
    bodies_.pass_first_data_page();
  }

  /// Adds a page whose body cannot be read.
  void take_lost(const Page& page, std::optional<Rule> cause) {
    evidence_.add(page, chunk_.leaf);
    if (page.is_dictionary() && !bodies_.has_dictionary())
      bodies_.lose_dictionary(PageBodies::Entries::damaged);
    gaps_.last_page_lost = true;
    lose_page(page, true, cause);
    if (!page.is_data()) return;
    rows_.lose();
    bodies_.pass_first_data_page();
  }

  /// The column metadata is wrong for all pages.
  bool lose_chunk() {
    outcome_.lost.push_back({LostPart::column_chunk, chunk_.place, {}, cure_->cause()});
    return lose_rest("the compression codec is wrong");
  }

  void count_bytes(const Page& page) {
    recovery_.took(page);
    outcome_.tally.count(page);
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
    const BodyOutcome what = bodies_.judge_checksum(page);
    if (what.unreadable) return;
    outcome_.bytes += page.stored_size();
    if (what.untrusted) distrust();
  }

  /// Returns true if a limit prevents reading the body.
  bool is_too_large(const Page& page) {
    const std::optional<PageFault> ceiling = ceiling_fault(page, context_.options.limits);
    if (!ceiling) return false;
    report_page_fault(chunk_.site, page.place, page, *ceiling);
    const bool memory = ceiling->rule() == Rule::limit_memory;
    outcome_.not_run.push_back({"page body",
                                memory ? "it needs more than --max-memory" : "it is larger than --max-page",
                                page.place,
                                {}});
    return true;
  }

  /// Returns true, and counts the bytes, if the bytes of a body could be read.
  bool is_readable(const Page& page, const BodyOutcome& body) {
    if (body.unreadable) {
      lose_page(page, false);
      return false;
    }
    outcome_.bytes += page.stored_size();
    return true;
  }

  void body(const Page& page) {
    if (!reads_bodies_) return checksum(page);
    if (page.is_index()) return index_page(page);
    if (is_too_large(page)) {
      gaps_.whole = gaps_.values_known = false;
      rows_.lose();
      if (page.is_dictionary()) return bodies_.lose_dictionary(PageBodies::Entries::unknown);
      bodies_.pass_first_data_page();
      return bodies_.lose_entries();
    }
    const BodyOutcome what = bodies_.judge(page);
    if (!is_readable(page, what)) return;
    if (page.is_data()) {
      if (!what.lost && !what.untrusted)
        outcome_.entries += static_cast<std::uint64_t>(std::max<std::int64_t>(page.num_values(), 0));
      rows_.add(what.rows);
      if (what.has_levels && !what.untrusted && !cure_) trail_.levels(what.rows, what.continues);
      gaps_.surplus = gaps_.surplus || what.surplus;
    }
    gaps_.values_known = gaps_.values_known && what.skipped.empty() && !what.lost && !what.untrusted;
    if (what.untrusted && !what.lost) distrust();
    if (!what.skipped.empty() && !what.untrusted)
      outcome_.not_run.push_back({"values", what.skipped, page.place, {}});
    at_hand_.untrusted = what.untrusted;
    if (!what.lost && !what.untrusted) {
      has_opened_ = true;
      at_hand_.readable = what.skipped.empty();
      at_hand_.faulty = what.faulty;
      return;
    }
    gaps_.last_page_lost = true;
    rows_.lose();
    lose_page(page, what.lost, cure_ ? cure_->cause() : what.cause);
  }

  /// Index pages are judged after all other pages. A lost index page does not change the sums over the
  /// chunk.
  void index_page(const Page& page) {
    if (!tree_) {
      outcome_.not_run.push_back({"page body", "no index_page_offset leads to the index", page.place, {}});
      return checksum(page);
    }
    if (is_too_large(page)) return;
    const BodyOutcome what = bodies_.judge(page);
    if (!is_readable(page, what)) return;
    if (what.untrusted && !what.lost) distrust();
    if (what.lost || what.untrusted) gaps_.values_known = false;
    if (what.lost) outcome_.lost.push_back({LostPart::page, page.place, {}, what.cause});
    if (what.untrusted) return;
    if (bodies_.image() && !tree_->body(*bodies_.image()))
      FindingSite::of_page_header(chunk_.site.findings, page)
          .report(Rule::limit_memory, "uncompressed_page_size",
                  contrast(bodies_.image()->size(), "less for all index pages of a column chunk"));
  }

  /// The sums over the pages of the chunk.
  void sum_up() {
    ChunkTotal& tally = outcome_.tally;
    trail_.end(at_end_);
    if (reads_bodies_) {
      outcome_.details.damage = damage_in(trail_.pages());
      outcome_.details.doubt = damage_in(trail_.sound_pages());
    }
    tally.start = walk_.extent().start;
    tally.end = walk_.at();
    tally.values = walk_.entries();
    outcome_.pages = static_cast<std::uint64_t>(walk_.ordinal() - recovery_.pages_passed_over());
    tally.whole = tally.walked && gaps_.whole;
    // If a page has bytes after its values, its own count is too small, rather than that of the chunk too
    // large.
    tally.unknown_pages =
        evidence_.unknown != 0 || (tally.walked && gaps_.surplus && tally.values < chunk_.claim.num_values);
    if (tally.whole && reads_bodies_ && rows_.known()) outcome_.details.fingerprints = bodies_.fingerprints();
    if (tally.whole && !tally.unknown_pages) tally.rows = rows_.known();
  }

  void judge() {
    const ChunkTotal& tally = outcome_.tally;
    judge_chunk_claims(chunk_, evidence_, tally, gaps_.last_page_lost);
    doubt_counts(chunk_, outcome_.tally, outcome_.details);
    const bool counts_trusted = are_counts_trusted(chunk_, tally);
    locations_.end(counts_trusted);
    if (tree_) {
      std::string why = tree_->judge(reads_bodies_, outcome_.lost);
      if (!why.empty()) outcome_.not_run.push_back({"index pages", std::move(why), chunk_.place, {}});
    }
    const bool complete = tally.whole && !tally.unknown_pages;
    ChunkEnd end{tally.whole, complete, reads_bodies_ && gaps_.values_known};
    end.data_pages = chunk_.position().data_page;
    end.counts_trusted = counts_trusted;
    end.levels_known = reads_bodies_;
    end.entries = tally.values;
    end.rows = tally.rows;
    scratch_.observers.end_chunk(end);
    if (tally.rows) outcome_.tally.sort_proof = services_.sort_proof;
  }

  const Context& context_;
  const ChunkDoubts& doubts_;
  Scratch& scratch_;
  ChunkOutcome& outcome_;
  ChunkServices services_;
  const ChunkScope chunk_;
  std::optional<IndexTreeRules>
      tree_;  // set if index pages are read and the metadata says that there are some
  PageBodies bodies_;
  Recovery recovery_;
  RowPositions trail_;
  LocationRules locations_;
  PageWalk walk_;
  std::unique_ptr<PageDoubts> pages_in_doubt_;  // created when a page is in doubt
  std::optional<PageCure> cure_;                // of the current page
  std::uint64_t asked_ = 0;                     // the last page passed to explains()
  PageHeaderTally evidence_;
  RowCount rows_;
  Gaps gaps_;
  const bool doubts_counts_;  // num_values of a page header may be wrong
  bool reads_bodies_ = false;
  bool at_end_ = false;      // the walk has reached the end of the chunk
  bool has_opened_ = false;  // a page was read with the codec of the chunk
  PageAtHand at_hand_;
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
    check_empty_chunk({context, claim, chunk, outcome.findings, services, indexes.page_index}, outcome.tally);
  } else {
    ChunkCheck(context, doubts, claim, chunk, indexes, scratch, doubts_counts, outcome).run();
  }
}

}  // namespace parqproof
