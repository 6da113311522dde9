#pragma once

#include <cstdint>
#include <memory>

#include "conformance/diagnosis/doubts.hpp"
#include "conformance/file/judge_file.hpp"

namespace parqproof {

/// What all trials of one file may read: 64 MiB, and twice the file.
class TrialBudget {
 public:
  explicit TrialBudget(const FileCheck& as_is) noexcept
      : left_((std::uint64_t{64} << 20) + 2 * as_is.input.source.size()) {}

  /// Takes the bytes of a trial; returns false if they are too many.
  [[nodiscard]] bool afford(std::uint64_t bytes) noexcept {
    if (bytes > left_) return false;
    left_ -= bytes;
    return true;
  }

 private:
  std::uint64_t left_;
};

/// Returns the options of a trial: as asked, of all bytes of its source, without progress and without a
/// search for remains.
[[nodiscard]] inline CheckOptions trial_options(const FileCheck& as_is) {
  CheckOptions options = as_is.options;
  options.footer_at.reset();
  options.progress = nullptr;
  options.with_remains = false;
  return options;
}

/// Judges `source` in place of the file of `as_is`, after `assume(trial)`, by the ordinary check. `source`
/// and `options` outlive the result.
template <typename Assume>
[[nodiscard]] std::unique_ptr<FileCheck> judge_trial(const FileCheck& as_is, const Source& source,
                                                     const CheckOptions& options, const Policy& policy,
                                                     Assume&& assume) {
  auto trial = std::make_unique<FileCheck>(source, options, policy.wanted());
  trial->input.path = as_is.input.path;
  trial->input.folder = as_is.input.folder;
  assume(*trial);
  judge_phases(*trial, policy, diagnosis(), nullptr);
  return trial;
}

}  // namespace parqproof
