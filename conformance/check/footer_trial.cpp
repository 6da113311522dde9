#include "conformance/check/footer_trial.hpp"

#include <algorithm>
#include <set>

#include "codec/base/composed_source.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/verdict/intact_pages.hpp"

namespace parqproof {
namespace {

FooterTrial outcome_of(const FileCheck& trial) {
  FooterTrial out;
  std::set<std::int32_t> damaged;
  for (const Finding& one : trial.outcome.findings.primary()) {
    if (!is_error(one)) continue;
    out.has_errors = true;
    if (one.place.row_group >= 0) damaged.insert(one.place.row_group);
  }
  const bool is_lost = file_is_lost(trial) || !has_footer(trial) || !trial.outcome.findings.dropped().empty();
  out.has_errors = out.has_errors || is_lost || !trial.outcome.lost.empty();
  if (is_lost) return out;
  for (const Lost& one : trial.outcome.lost) {
    if (one.is_of_data()) damaged.insert(one.place.row_group);
  }
  const std::uint64_t row_groups = trial.footer.row_groups.size();
  out.intact_row_groups = row_groups - std::min<std::uint64_t>(damaged.size(), row_groups);
  out.has_intact_rows = has_intact_rows(trial, trial.outcome.lost);
  return out;
}

}  // namespace

void try_earlier_footers(FileCheck& check, const Policy& policy, TrialBudget& budget) {
  if (!check.outcome.remains) return;
  const CheckOptions options = trial_options(check);
  std::vector<CompleteFooter>& footers = check.outcome.remains->footers;
  for (auto footer = footers.rbegin(); footer != footers.rend() && !check.cancelled(); ++footer) {
    ComposedSource source;
    source.add(check.input.source, 0, footer->offset + footer->length).add(footer_tail(footer->length));
    if (!budget.afford(source.size())) return;
    const auto trial = judge_trial(check, source, options, policy, [](FileCheck&) {});
    if (!trial->input.source.failed()) footer->trial = outcome_of(*trial);
  }
}

}  // namespace parqproof
