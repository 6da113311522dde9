#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/diagnosis/transfer/hypotheses.hpp"
#include "conformance/policy/policy.hpp"
#include "conformance/result/file_report.hpp"

namespace parqproof {

/// The check of the file as it was, with what happened to it as one more finding. All findings are at bytes
/// of the file at hand.
class RestoredCheck {
 public:
  /// Judges the file that `check` is about.
  using Trial = std::function<void(FileCheck& check)>;

  /// Tries what may have happened to the file, and takes what leaves the fewest errors: these are
  /// independent, and reported beside it. Null if nothing explains an error of `as_is`; `tried` are then the
  /// names of the hypotheses. `as_is` outlives this object.
  [[nodiscard]] static std::unique_ptr<RestoredCheck> find(FileCheck& as_is, const Policy& policy,
                                                           const Trial& trial,
                                                           std::vector<std::string_view>& tried);

  /// What is reported in place of the file as it is.
  [[nodiscard]] FileCheck& check() noexcept { return trial_ ? *trial_ : *as_is_; }
  [[nodiscard]] const Finding& cause() const noexcept { return explanation_.cause; }
  /// Puts into the report of check() what follows from what happened, and that before all other causes.
  void complete(FileReport& report) const;

 private:
  RestoredCheck(FileCheck& as_is, Explanation explanation);

  void judge(const Trial& trial);
  /// Judges again without the suspect bytes of chunks that have an error.
  void judge_suspects(const Trial& trial);
  /// Errors of the file as it was, and its missing parts.
  [[nodiscard]] std::uint64_t remaining() const;
  [[nodiscard]] bool explains() const;
  void settle(const Policy& policy);

  FileCheck* as_is_;
  Explanation explanation_;
  CheckOptions options_;
  std::unique_ptr<FileCheck> trial_;  // of the file as it was; null where nothing of that can be judged
  std::vector<Consequence> consequences_;
};

}  // namespace parqproof
