#include "conformance/diagnosis/transfer/restored_check.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include "codec/base/text.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/diagnosis/transfer/restoring_steps.hpp"

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
  bool is_affordable = true;
  for (const Hypothesis& hypothesis : all_hypotheses()) {
    if (!hypothesis.is_worth_trying(as_is)) continue;
    tried.push_back(hypothesis.name);
    for (Explanation& explanation : hypothesis.find(evidence)) {
      if (!as_is.outcome.findings.wants(explanation.cause.rule)) continue;
      is_affordable = explanation.restored == nullptr || budget.afford(explanation.restored->size());
      if (!is_affordable) break;
      std::unique_ptr<RestoredCheck> one(new RestoredCheck(as_is, policy, std::move(explanation)));
      if (one->is_better_than(best.get())) best = std::move(one);
      if (as_is.input.source.failed()) return nullptr;
      if (best && best->remaining() == 0) break;
    }
    if (!is_affordable || (best && best->remaining() == 0)) break;
  }
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
    report.next = restoring_steps(report, *explanation_.restored, explanation_.gone, explanation_.headers);
}

}  // namespace parqproof
