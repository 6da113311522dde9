#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codec/base/source.hpp"
#include "codec/file/frame.hpp"
#include "conformance/chunk/chunk_check.hpp"
#include "conformance/chunk/observers.hpp"
#include "conformance/diagnosis/doubts.hpp"
#include "conformance/footer/file_metadata_rules.hpp"
#include "conformance/policy/policy.hpp"
#include "conformance/report/words/wording.hpp"
#include "tests/sweep/sweep.hpp"
#include "tests/witnesses/witness.hpp"

namespace support {
namespace {

using namespace parqproof;

/// Maximum number of chunks that are judged: a hostile footer names the same pages thousands of times.
constexpr std::size_t kMostChunks = 100;

/// A witness up to its footer, whose chunks can be judged in any order.
class Chunks {
 public:
  explicit Chunks(const Witness& witness)
      : source_(witness.bytes),
        options_(witness.options()),
        policy_(options_),
        check_(source_, options_, policy_.wanted()) {
    check_.input.path = witness.name();
    check_frame(check_, source_.size());
    if (check_.footer.frame.state != Frame::State::footer) return;
    check_footer(check_);
    regions_ = RegionMap::over(check_.regions);
    for (std::size_t i = 0; i < check_.footer.chunks.size() && judged_.size() < kMostChunks; ++i) {
      if (check_.footer.chunks[i].readable && check_.footer.chunks[i].file == 0) judged_.push_back(i);
    }
  }

  [[nodiscard]] std::size_t size() const { return judged_.size(); }
  [[nodiscard]] Scratch scratch() const { return Scratch(check_); }

  /// All findings of a chunk, as text.
  [[nodiscard]] std::string outcome(std::size_t index, Scratch& scratch) const {
    const ChunkClaim& claim = check_.footer.chunks[judged_[index]];
    const auto doubts =
        diagnosis().of_chunks(regions_, check_.input.data_begin(), check_.footer.frame.footer_offset);
    const auto chunk_of = [&](const Region& region) { return check_.footer.chunk_index(region); };
    const std::span all(check_.regions);
    const auto range = std::ranges::equal_range(all, judged_[index], {}, chunk_of);
    const auto first = static_cast<std::size_t>(range.begin() - all.begin());
    ChunkOutcome outcome(policy_.wanted());
    check_chunk(check_, *doubts, {first, first + range.size()}, claim, true, false, scratch, outcome);
    return text_of(outcome);
  }

 private:
  static std::string at(const Place& place) {
    return fmt::format("{}.{}.{}", place.row_group, place.leaf, place.page);
  }
  static std::string text_of(const ChunkOutcome& outcome) {
    std::string text;
    for (const Finding& one : outcome.findings.all()) {
      text += fmt::format("{} {} {}+{} in {} {} times {}: {}; expected {} ({})\n", info(one.rule).id,
                          at(one.place), one.offset, one.length, one.page_offset, one.field, one.times,
                          plain_text(one.found), plain_text(one.expected), one.detail);
    }
    for (const NotRun& one : outcome.not_run)
      text += fmt::format("not run {} {}: {}\n", one.what, at(one.place), one.why);
    for (const Lost& one : outcome.lost)
      text += fmt::format("lost {} {}\n", to_string(one.what), at(one.place));
    const ChunkTotal& tally = outcome.total;
    text +=
        fmt::format("bytes {} to {}, {} compressed, {} uncompressed, {} values, {} rows, {}{}{}{}\n",
                    tally.start, tally.end, tally.compressed, tally.uncompressed, tally.values,
                    tally.rows.value_or(-1), tally.walked ? "walked " : "", tally.sums_known ? "sums " : "",
                    tally.may_have_more_entries ? "unknown " : "", static_cast<int>(tally.sort_proof));
    for (const auto& [a, b] : outcome.details.fingerprints) text += fmt::format("levels {} {}\n", a, b);
    return text +
           fmt::format("{} pages, {} entries, {} bytes\n", outcome.pages, outcome.entries, outcome.bytes);
  }

  MemorySource source_;
  CheckOptions options_;
  Policy policy_;
  FileCheck check_;
  RegionMap regions_;
  std::vector<std::size_t> judged_;
};

/// The witnesses in an order by seed, so that each chunk follows other ones in each round.
std::vector<const Witness*> shuffled(unsigned seed) {
  std::vector<const Witness*> all;
  for (const Witness& witness : witnesses()) all.push_back(&witness);
  std::mt19937 random(seed);
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random() % i]);
  return all;
}

TEST_CASE("the findings of a column chunk do not depend on the chunks judged before it") {
  std::size_t chunks = 0;
  for (unsigned round = 0; round < (few_cases() ? 1 : 3); ++round) {
    ObserverLine observers(all_observers());
    Decompressor decompressor;
    ValueDecoder values;
    for (const Witness* const witness : shuffled(round)) {
      const Chunks file(*witness);
      if (file.size() == 0) continue;
      Scratch used = file.scratch();
      std::swap(used.observers, observers);
      std::swap(used.decompressor, decompressor);
      std::swap(used.values, values);
      for (std::size_t i = 0; i < file.size(); ++i, ++chunks) {
        Scratch fresh = file.scratch();
        const std::string alone = file.outcome(i, fresh);
        const std::string after = file.outcome(i, used);
        if (after != alone)
          FAIL_CHECK(witness->path << " chunk " << i << "\n" << after << "alone:\n" << alone);
      }
      std::swap(used.observers, observers);
      std::swap(used.decompressor, decompressor);
      std::swap(used.values, values);
    }
  }
  CHECK(chunks > 4'000);
}

}  // namespace
}  // namespace support
