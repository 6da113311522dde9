#include "conformance/chunk/chunk_tasks.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <iterator>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "codec/base/text.hpp"
#include "conformance/chunk/chunk_check.hpp"

namespace parqproof {
namespace {

/// Bytes of pages that a chunk claims; all bytes up to the footer if the claim is impossible.
std::uint64_t claimed_bytes(const Context& context, const ChunkClaim& claim) {
  const std::uint64_t footer = context.footer.frame.footer_offset;
  const std::uint64_t room = footer - std::min(claim.start, footer);
  const auto claimed = static_cast<std::uint64_t>(claim.compressed);  // huge if it is negative
  return std::min(claimed, room);
}

/// limit/work: a few bytes of footer can name the same pages thousands of times. Returns how many of the
/// first chunks fit in the budget; the following chunks are left out.
std::size_t count_affordable(FileCheck& check, const ChunkList& chunks) {
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const ChunkClaim& claim = check.footer.chunks[chunks[i]];
    if (!claim.readable || claim.no_pages) continue;
    WorkBudget& work = check.outcome.work;
    if (work.afford(claimed_bytes(check, claim))) continue;
    FindingSite::of_chunk(check, claim)
        .report(Rule::limit_work, "",
                contrast(counted(work.spent(), "byte") + " of column chunks", work.ceiling()));
    check.outcome.not_run.push_back({"this column chunk and those behind it",
                                     "the chunks before it claim many times the bytes of the file",
                                     place_of(claim),
                                     {}});
    return i;
  }
  return chunks.size();
}

/// Bytes of pages of the first `count` chunks, as far as they can be read.
std::uint64_t bytes_of_pages(const Context& context, const ChunkList& chunks, std::size_t count) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const ChunkClaim& claim = context.footer.chunks[chunks[i]];
    if (claim.readable) bytes += claimed_bytes(context, claim);
  }
  return bytes;
}

/// The regions of a chunk, given by its index in ParsedFooter::chunks; regions are in the order of the
/// chunks. Regions from `affordable` on are left out.
RegionRange regions_of(const Context& context, std::size_t chunk, std::size_t affordable) {
  const auto chunk_of = [&](const Region& region) { return context.footer.chunk_index(region); };
  const auto regions = std::span(context.regions).first(affordable);
  const auto range = std::ranges::equal_range(regions, chunk, {}, chunk_of);
  const auto first = static_cast<std::size_t>(range.begin() - regions.begin());
  return {first, first + range.size()};
}

/// Checks the chunks of a file, one task each. Outcomes are merged in the order of the chunks, so the report
/// does not depend on the number of threads.
class ChunkTasks {
 public:
  ChunkTasks(FileCheck& check, const RuleSet& wanted, const ChunkList& chunks, const MakeChunkDoubts& doubts)
      : check_(check),
        wanted_(wanted),
        chunks_(chunks),
        all_regions_(RegionMap::over(check.regions)),
        doubts_(doubts(all_regions_, check.input.data_begin(), check.footer.frame.footer_offset)),
        affordable_regions_(affordable_regions(check)),
        affordable_(count_affordable(check, chunks)) {
    if (check.options.progress != nullptr && !check.options.progress->total_is_known)
      check.options.progress->total += bytes_of_pages(check, chunks, affordable_);
    check.outcome.tallies.resize(check.footer.chunks.size());
  }

  void run() {
    if (!rejects_trial()) run_all();
  }

 private:
  void run_all() {
    const std::size_t most = std::max<std::size_t>(chunks_.size(), 1);
    const std::size_t jobs = std::clamp<std::size_t>(check_.options.jobs, 1, most);
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < jobs; ++i) threads.emplace_back([this] { work(); });
    work();
    for (std::thread& thread : threads) thread.join();
    for (const ChunkIndexes::Settled& settled : settled_) check_.regions[settled.index] = settled.region;
  }

  /// Judges the chunks of the leaves under trial before all others, up to the first with an error, whose
  /// outcome is taken. Most trials end here; the few others judge these chunks again in order.
  bool rejects_trial() {
    const Context& context = check_;
    if (context.tried.empty()) return false;
    Scratch scratch(context);
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      if (!context.tried.contains(context.footer.chunks[chunks_[i]].leaf)) continue;
      const std::unique_ptr<ChunkOutcome> outcome = judge(context, i, false, scratch);
      if (!context.is_rejected_by(outcome->findings)) continue;
      take(chunks_[i], *outcome);
      return true;
    }
    return false;
  }

  void work() {
    const Context& context = check_;
    Scratch scratch(context);
    for (std::size_t i = next_++; i < chunks_.size(); i = next_++) {
      std::unique_ptr<ChunkOutcome> outcome = judge(context, i, false, scratch);
      // If num_values of the chunk differs from its pages, num_values of one page may be wrong.
      if (has_broken(*outcome, Rule::column_chunk_num_values) && context.options.tier == Tier::values) {
        std::unique_ptr<ChunkOutcome> again = judge(context, i, true, scratch);
        if (has_broken(*again, Rule::page_num_values) && !has_broken(*again, Rule::column_chunk_num_values))
          outcome = std::move(again);
      }
      const std::scoped_lock lock(taking_);
      waiting_.resize(std::max(waiting_.size(), i - taken_ + 1));
      waiting_[i - taken_] = std::move(outcome);
      for (; !waiting_.empty() && waiting_.front() != nullptr; waiting_.pop_front())
        take(chunks_[taken_++], *waiting_.front());
    }
  }

  std::unique_ptr<ChunkOutcome> judge(const Context& context, std::size_t i, bool doubts_counts,
                                      Scratch& scratch) {
    auto outcome = std::make_unique<ChunkOutcome>(wanted_);
    const ChunkClaim& claim = context.footer.chunks[chunks_[i]];
    const bool with_pages = claim.readable && (i < affordable_ || claim.no_pages);
    const RegionRange regions = regions_of(context, chunks_[i], affordable_regions_);
    check_chunk(context, *doubts_, regions, claim, with_pages, doubts_counts, scratch, *outcome);
    return outcome;
  }

  static bool has_broken(const ChunkOutcome& outcome, Rule rule) { return outcome.findings.broke(rule); }

  void take(std::size_t chunk, ChunkOutcome& outcome) {
    FileOutcome& all = check_.outcome;
    all.findings.merge(std::move(outcome.findings));
    std::ranges::move(outcome.not_run, std::back_inserter(all.not_run));
    std::ranges::move(outcome.lost, std::back_inserter(all.lost));
    std::ranges::move(outcome.settled, std::back_inserter(settled_));
    all.values += outcome.entries;
    all.bytes += outcome.bytes;
    all.regions_known = all.regions_known && outcome.regions_known;
    all.pages += outcome.pages;
    all.checksums += outcome.checksums;
    all.tallies.set(check_.footer, chunk, outcome.total, std::move(outcome.details));
  }

  FileCheck& check_;
  const RuleSet& wanted_;
  const ChunkList& chunks_;
  const RegionMap all_regions_;  // as the footer states them; corrected regions are merged after all tasks
  const std::unique_ptr<ChunkDoubts> doubts_;
  std::size_t affordable_regions_;  // regions that are read
  std::size_t affordable_;          // chunks whose pages are read
  std::vector<ChunkIndexes::Settled> settled_;
  std::atomic<std::size_t> next_{0};
  std::mutex taking_;
  std::size_t taken_ = 0;  // number of chunks whose outcomes were taken
  /// Outcomes of the following chunks; null for a chunk that is still being checked.
  std::deque<std::unique_ptr<ChunkOutcome>> waiting_;
};

}  // namespace

void check_chunks(FileCheck& check, const RuleSet& wanted, const ChunkList& chunks,
                  const MakeChunkDoubts& doubts) {
  ChunkTasks(check, wanted, chunks, doubts).run();
}

}  // namespace parqproof
