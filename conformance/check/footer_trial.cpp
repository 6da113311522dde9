#include "conformance/check/footer_trial.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <span>

#include "codec/base/bits.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/diagnosis/doubts.hpp"
#include "conformance/file/judge_file.hpp"
#include "conformance/verdict/intact_pages.hpp"
#include "conformance/verdict/next_steps.hpp"

namespace parqproof {
namespace {

/// Trials read so many bytes, and twice the file.
constexpr std::uint64_t kMostTrialBytes = std::uint64_t{64} << 20;

/// The bytes of a file up to the end of a FileMetaData, and then its length and magic.
class FooterSource final : public Source {
 public:
  FooterSource(const Source& file, const CompleteFooter& footer) noexcept
      : file_(file), end_(footer.offset + footer.length) {
    for (std::size_t i = 0; i < 4; ++i) {
      tail_[i] = static_cast<std::uint8_t>(footer.length >> (8 * i));
      tail_[4 + i] = static_cast<std::uint8_t>(kPlainMagic >> (8 * i));
    }
  }
  [[nodiscard]] std::uint64_t size() const noexcept override { return end_ + tail_.size(); }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
    if (offset > size() || into.size() > size() - offset) return false;
    const auto here =
        static_cast<std::size_t>(std::min<std::uint64_t>(end_ - std::min(offset, end_), into.size()));
    if (here != 0 && !file_.read(offset, into.first(here))) return false;
    const std::size_t skipped = here != 0 ? 0 : static_cast<std::size_t>(offset - end_);
    if (here != into.size()) std::memcpy(into.data() + here, tail_.data() + skipped, into.size() - here);
    return true;
  }

 private:
  const Source& file_;
  std::uint64_t end_;
  std::array<std::uint8_t, kFooterTailBytes> tail_{};
};

FooterTrial outcome_of(const FileCheck& trial) {
  FooterTrial out;
  std::set<std::int32_t> damaged;
  for (const Finding& one : trial.outcome.findings.primary()) {
    if (info(one.rule).severity != Severity::error) continue;
    out.has_errors = true;
    if (one.place.row_group >= 0) damaged.insert(one.place.row_group);
  }
  const bool is_lost = file_is_lost(trial) || !has_footer(trial) || !trial.outcome.findings.dropped().empty();
  out.has_errors = out.has_errors || is_lost || !trial.outcome.lost.empty();
  if (is_lost) return out;
  for (const Lost& one : trial.outcome.lost) {
    if (is_of_data(one)) damaged.insert(one.place.row_group);
  }
  const std::uint64_t row_groups = trial.footer.row_groups.size();
  out.intact_row_groups = row_groups - std::min<std::uint64_t>(damaged.size(), row_groups);
  out.has_intact_rows = has_intact_rows(trial, trial.outcome.lost);
  return out;
}

}  // namespace

void try_earlier_footers(FileCheck& check, const Policy& policy) {
  if (!check.outcome.remains) return;
  std::uint64_t budget = kMostTrialBytes + 2 * check.input.source.size();
  CheckOptions options = check.options;
  options.progress = nullptr;
  options.with_remains = false;
  std::vector<CompleteFooter>& footers = check.outcome.remains->footers;
  for (auto footer = footers.rbegin(); footer != footers.rend() && !check.cancelled(); ++footer) {
    const FooterSource source(check.input.source, *footer);
    if (source.size() > budget) return;
    budget -= source.size();
    options.footer_at = source.size();
    FileCheck trial(source, options, policy.wanted());
    trial.input.path = check.input.path;
    trial.input.folder = check.input.folder;
    judge_phases(trial, policy, diagnosis(), nullptr);
    if (!trial.input.source.failed()) footer->trial = outcome_of(trial);
  }
}

}  // namespace parqproof
