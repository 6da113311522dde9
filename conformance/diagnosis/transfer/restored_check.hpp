#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "conformance/diagnosis/transfer/hypotheses.hpp"
#include "conformance/diagnosis/trial.hpp"
#include "conformance/policy/policy.hpp"
#include "conformance/result/file_report.hpp"

namespace parqproof {

/// The check of the file as it was, with what happened to it as one more finding. All findings are at bytes
/// of the file at hand.
class RestoredCheck {
 public:
  /// Tries what may have happened to the file, and takes what leaves the fewest errors: these are
  /// independent, and reported beside it. Null if nothing explains an error of `as_is`; `tried` are then the
  /// names of the hypotheses. `as_is` and `policy`, with which it was judged, outlive this object.
  [[nodiscard]] static std::unique_ptr<RestoredCheck> find(FileCheck& as_is, const Policy& policy,
                                                           TrialBudget& budget,
                                                           std::vector<std::string_view>& tried);

  /// What is reported in place of the file as it is.
  [[nodiscard]] FileCheck& check() noexcept { return trial_ ? *trial_ : *as_is_; }
  [[nodiscard]] const Finding& cause() const noexcept { return explanation_.cause; }
  /// Puts into the report of check() what follows from what happened, and that before all other causes.
  void complete(FileReport& report) const;

 private:
  RestoredCheck(FileCheck& as_is, const Policy& policy, Explanation explanation);

  /// The trial. Returns true if it explains errors, and leaves fewer than the best before, which may be null.
  [[nodiscard]] bool is_better_than(const RestoredCheck* best);
  void judge();
  /// Judges again without the suspect bytes of chunks that have an error.
  void judge_suspects();
  /// Errors of the file as it was, and its missing parts.
  [[nodiscard]] std::uint64_t remaining() const;
  [[nodiscard]] bool explains() const;
  void settle();

  FileCheck* as_is_;
  const Policy* policy_;
  Explanation explanation_;
  CheckOptions options_;
  std::unique_ptr<FileCheck> trial_;  // of the file as it was; null where nothing of that can be judged
  std::vector<Consequence> consequences_;
};

}  // namespace parqproof
