#include "conformance/diagnosis/transfer/restored_check.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "codec/base/text.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/verdict/next_steps.hpp"

namespace parqproof {
namespace {

using Counts = std::array<std::uint64_t, kRuleCount>;

/// How often each rule is broken.
Counts counts_of(const Findings& findings) {
  Counts out{};
  for (const Finding& one : findings.primary()) out[static_cast<std::size_t>(one.rule)] += one.times;
  for (const auto& [likeness, times] : findings.dropped())
    out[static_cast<std::size_t>(likeness.rule)] += times;
  return out;
}

std::uint64_t errors_of(const FileCheck& check) {
  const Counts counts = counts_of(check.outcome.findings);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kRuleCount; ++i)
    sum += all_rules()[i].severity == Severity::error ? counts[i] : 0;
  return sum;
}

/// Values contradict their statistics, their page or its checksum.
bool has_doubtful_values(const FileCheck& check) {
  return std::ranges::any_of(check.outcome.findings.primary(), [](const Finding& one) {
    return one.rule == Rule::crc_match || evidence(one.rule, Suspicion::values_outside) != 0 ||
           evidence(one.rule, Suspicion::values_in_doubt) != 0;
  });
}

/// What the finding says is about bytes that are gone.
bool is_gone(const FileInput& input, const Finding& finding) {
  return finding.space == Space::file && std::ranges::any_of(input.gone, [&](const ByteRange& one) {
           return one.begin <= finding.offset && finding.offset + finding.length <= one.end;
         });
}

/// "; 91 errors and 1 warning follow from it".
std::string follow_text(const std::vector<Consequence>& all) {
  SeverityCounts counts;
  for (const Consequence& one : all) counts.add(one.severity, one.times);
  if (counts.error + counts.warning == 0) return {};
  std::string text = "; ";
  if (counts.error != 0) text += counted(counts.error, "error");
  if (counts.error != 0 && counts.warning != 0) text += " and ";
  if (counts.warning != 0) text += counted(counts.warning, "warning");
  return text + (counts.error + counts.warning == 1 ? " follows from it" : " follow from it");
}

/// Prints the bytes of a stretch of a file of `size` bytes, and zeros for what is missing after it.
std::string command_for(const Stretch& stretch, std::uint64_t size, const std::string& file) {
  const std::string tail = "tail -c +" + std::to_string(stretch.begin + 1) + " " + file;
  std::string command = tail;
  if (stretch.begin == stretch.end)
    command.clear();
  else if (stretch.begin == 0)
    command = "head -c " + std::to_string(stretch.end) + " " + file;
  else if (stretch.end != size)
    command = tail + " | head -c " + std::to_string(stretch.end - stretch.begin);
  if (stretch.missing != 0) {
    command += (command.empty() ? "" : "; ");
    command += "head -c " + std::to_string(stretch.missing) + " /dev/zero";
  }
  return command;
}

/// The same file with zeros for some of its bytes.
std::vector<Stretch> without(const std::vector<Stretch>& all, std::vector<ByteRange> blank) {
  std::ranges::sort(blank, {}, &ByteRange::begin);
  std::vector<Stretch> out;
  const auto add_zeros = [&](std::uint64_t count) {
    if (count == 0) return;
    if (out.empty()) out.push_back({});
    out.back().missing += count;
  };
  std::uint64_t start = 0;  // of the stretch, in the file as it was
  for (const Stretch& one : all) {
    const std::uint64_t length = one.end - one.begin;
    std::uint64_t done = 0;
    for (const ByteRange& zeros : blank) {
      const std::uint64_t begin = std::clamp(zeros.begin, start + done, start + length) - start;
      const std::uint64_t end = std::clamp(zeros.end, start + done, start + length) - start;
      if (begin == end) continue;
      if (begin != done) out.push_back({one.begin + done, one.begin + begin, 0});
      add_zeros(end - begin);
      done = end;
    }
    if (done != length) out.push_back({one.begin + done, one.end, 0});
    add_zeros(one.missing);
    start += length + one.missing;
  }
  return out;
}

/// Number of stretches from this one on that have one length and begin at one distance.
std::size_t regular_stretches(std::span<const Stretch> all) {
  std::size_t count = 1;
  while (count < all.size() && all[count].end - all[count].begin == all[0].end - all[0].begin &&
         all[count].begin - all[count - 1].begin == all[1].begin - all[0].begin &&
         all[count].begin > all[count - 1].begin && all[count - 1].missing == 0 && all[count].missing == 0) {
    ++count;
  }
  return count;
}

/// Prints `count` such stretches: the first bytes of each record.
std::string command_for(std::span<const Stretch> all, std::size_t count, const std::string& file) {
  const std::uint64_t step = all[1].begin - all[0].begin;
  return "tail -c +" + std::to_string(all[0].begin + 1) + " " + file + " | head -c " +
         std::to_string((count - 1) * step + (all[0].end - all[0].begin)) + " | perl -ne 'BEGIN { $/ = \\" +
         std::to_string(step) + " } print substr $_, 0, " + std::to_string(all[0].end - all[0].begin) + "'";
}

/// How a copy of the file as it was is made, with zeros for the bytes in `gone` and `headers`, and how its
/// rows are read. Nothing where its bytes stand where they stood, and where a name cannot be printed as it
/// is.
std::vector<NextStep> restoring_steps(const FileReport& report, const Source& source,
                                      const RestoredSource& restored, std::vector<ByteRange> gone,
                                      const std::vector<ByteRange>& headers) {
  gone.insert(gone.end(), headers.begin(), headers.end());
  const std::vector<Stretch> stretches = without(restored.stretches(), std::move(gone));
  const bool in_place =
      stretches.size() == 1 && stretches.front().begin == 0 && stretches.front().end == report.size;
  if (report.path.empty() || report.path == "-" || in_place) return {};
  const std::optional<std::string> file = shell_word(report.path);
  const std::optional<std::string> copy = name_of_copy(report.path);
  const std::string cat = parqproof_command(source, "cat");
  if (!file || !copy || cat.empty()) return {};
  std::string command;
  if (stretches.empty()) {
    command = report.footer_at && report.footer_at != report.size
                  ? "head -c " + std::to_string(*report.footer_at) + " " + *file + " | " + restored.filter()
                  : restored.filter() + " " + *file;
  }
  constexpr std::size_t kMany = 4;
  std::size_t commands = 0;
  for (std::size_t i = 0; i < stretches.size(); ++commands) {
    if (i > 0) command += "; ";
    const std::span<const Stretch> rest = std::span(stretches).subspan(i);
    const std::size_t count = regular_stretches(rest);
    command += count >= kMany ? command_for(rest, count, *file)
                              : command_for(rest.front(), report.size.value_or(0), *file);
    i += count >= kMany ? count : 1;
  }
  if (stretches.size() > 1) command = "{ " + command + "; }";
  command += " > " + *copy;
  if (command.size() > kLongestCommand + commands * file->size() + copy->size()) return {};
  const bool has_damage = std::ranges::any_of(report.lost, &Lost::is_of_data);
  const bool has_zeros = std::ranges::any_of(stretches, &Stretch::missing);
  return {{has_zeros ? "a realigned copy, with zeros for what is missing or not intact"
                     : "a copy of the file as it was",
           std::move(command)},
          {has_damage ? "the intact rows of the copy" : "the rows of the copy",
           cat + (has_damage ? "--skip-damaged " : "") + *copy}};
}

}  // namespace

RestoredCheck::RestoredCheck(FileCheck& as_is, const Policy& policy, Explanation explanation)
    : as_is_(&as_is),
      policy_(&policy),
      explanation_(std::move(explanation)),
      options_(trial_options(as_is)) {}

void RestoredCheck::judge() {
  trial_ = judge_trial(*as_is_, *explanation_.restored, options_, *policy_,
                       [&](FileCheck& trial) { trial.input.gone = explanation_.gone; });
}

std::uint64_t RestoredCheck::remaining() const {
  if (!trial_) return std::numeric_limits<std::uint64_t>::max();
  return errors_of(*trial_) + explanation_.gone.size();
}

bool RestoredCheck::explains() const {
  // Where nothing is lost, it has to explain all errors.
  const bool is_exact = explanation_.is_exact || (explanation_.is_whole && as_is_->outcome.lost.empty());
  if (is_exact && errors_of(*trial_) != 0) return false;
  if (explanation_.is_whole && (!trial_->outcome.lost.empty() || has_doubtful_values(*trial_))) return false;
  return !file_is_lost(*trial_) && !trial_->input.source.failed() &&
         trial_->outcome.findings.dropped().empty() && has_footer(*trial_) &&
         (file_is_lost(*as_is_) || errors_of(*trial_) + explanation_.min_errors <= errors_of(*as_is_));
}

void RestoredCheck::settle() {
  FileCheck& reported = check();
  const Counts before = counts_of(as_is_->outcome.findings);
  Findings kept(policy_->wanted());
  for (Finding finding : reported.outcome.findings.primary()) {
    if (trial_ == nullptr) {
      if (!std::string_view(info(finding.rule).id).starts_with("recovery/")) continue;
    } else {
      if (is_gone(reported.input, finding)) continue;
      if (finding.space == Space::file) finding.offset = explanation_.restored->at_hand(finding.offset);
      if (finding.space == Space::page)
        finding.page_offset = explanation_.restored->at_hand(finding.page_offset);
    }
    kept.add(std::move(finding));
  }
  const Counts after = counts_of(kept);
  for (std::size_t i = 0; i < kRuleCount; ++i) {
    const std::optional<Severity> severity = policy_->severity(static_cast<Rule>(i));
    if (severity && before[i] > after[i])
      consequences_.push_back({static_cast<Rule>(i), *severity, before[i] - after[i]});
  }
  std::ranges::stable_sort(consequences_, [](const Consequence& a, const Consequence& b) {
    return std::pair(a.severity, b.times) < std::pair(b.severity, a.times);
  });
  explanation_.cause.detail += follow_text(consequences_);
  kept.add(explanation_.cause);
  reported.outcome.findings = std::move(kept);
}

void RestoredCheck::judge_suspects() {
  std::vector<ByteRange> more;
  for (const Explanation::Suspect& suspect : explanation_.suspects) {
    if (is_in_doubt(*trial_, suspect.chunk)) more.push_back(suspect.bytes);
  }
  if (more.empty()) {
    if (explanation_.exact) explanation_.cause = *explanation_.exact;
    return;
  }
  std::unique_ptr<FileCheck> first = std::move(trial_);
  std::vector<ByteRange> gone = explanation_.gone;
  explanation_.gone.insert(explanation_.gone.end(), more.begin(), more.end());
  judge();
  if (errors_of(*trial_) < errors_of(*first)) return;
  trial_ = std::move(first);
  explanation_.gone = std::move(gone);
}

std::unique_ptr<RestoredCheck> RestoredCheck::find(FileCheck& as_is, const Policy& policy,
                                                   TrialBudget& budget,
                                                   std::vector<std::string_view>& tried) {
  if (!can_be_explained(as_is)) return nullptr;
  std::unique_ptr<RestoredCheck> best;
  const Evidence evidence(as_is);
  // Returns false if there are more trials than the budget allows.
  const auto search = [&] {
    for (const Hypothesis& hypothesis : all_hypotheses()) {
      if (!hypothesis.is_worth_trying(as_is)) continue;
      tried.push_back(hypothesis.name);
      for (Explanation& explanation : hypothesis.find(evidence)) {
        if (!as_is.outcome.findings.wants(explanation.cause.rule)) continue;
        if (explanation.restored != nullptr && !budget.afford(explanation.restored->size())) return false;
        std::unique_ptr<RestoredCheck> one(new RestoredCheck(as_is, policy, std::move(explanation)));
        if (one->is_better_than(best.get())) best = std::move(one);
        if (as_is.input.source.failed() || (best && best->remaining() == 0)) return true;
      }
    }
    return true;
  };
  const bool is_affordable = search();
  if (as_is.input.source.failed()) return nullptr;
  if (!is_affordable) {
    FileCheck& reported = best ? best->check() : as_is;
    reported.outcome.not_run.push_back(
        {"further explanations", "trials of them would read the file again", {}, {}});
  }
  if (best) best->settle();
  return best;
}

bool RestoredCheck::is_better_than(const RestoredCheck* best) {
  if (explanation_.restored == nullptr) return best == nullptr;
  judge();
  if (as_is_->input.source.failed()) return false;
  judge_suspects();
  return explains() && (best == nullptr || remaining() < best->remaining());
}

void RestoredCheck::complete(FileReport& report) const {
  report.size = as_is_->input.file_size;
  report.footer_at = as_is_->options.footer_at;
  const auto cause = std::ranges::find_if(
      report.causes, [&](const Cause& one) { return one.rule() == explanation_.cause.rule; });
  if (cause == report.causes.end()) return;
  cause->consequences = consequences_;
  std::rotate(report.causes.begin(), cause, cause + 1);
  // The other steps are for the file as it was, which is not the one at hand.
  const bool in_place = explanation_.cause.rule == Rule::file_overwritten;
  if (explanation_.restored != nullptr && !in_place)
    report.next = restoring_steps(report, as_is_->input.source, *explanation_.restored, explanation_.gone,
                                  explanation_.headers);
}

}  // namespace parqproof
