#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/diagnosis/transfer/mangling.hpp"
#include "conformance/policy/policy.hpp"
#include "conformance/result/file_report.hpp"

namespace parqproof {

/// The check of a file that was mangled as a whole: of the file as it was, with what happened to it as one
/// more finding. All findings stand at bytes of the file at hand.
class RestoredCheck {
 public:
  /// Judges the file that `check` is about.
  using Trial = std::function<void(FileCheck& check)>;

  /// The file as it was, if one thing that happened to it explains what is wrong with `as_is`, or most of
  /// it: what is still wrong with the file as it was is told beside it. Nothing where there is none.
  /// `as_is` outlives this object.
  [[nodiscard]] static std::unique_ptr<RestoredCheck> find(FileCheck& as_is, const Policy& policy,
                                                           const Trial& trial);

  /// What is reported in place of the file as it is.
  [[nodiscard]] FileCheck& check() noexcept { return trial_ ? *trial_ : *as_is_; }
  /// Puts into the report of check() what follows from what happened, and that before all other causes.
  void complete(FileReport& report) const;

 private:
  RestoredCheck(FileCheck& as_is, Mangling mangling);

  void judge(const Trial& trial);
  [[nodiscard]] bool explains() const;
  void tell(const Policy& policy);

  FileCheck* as_is_;
  Mangling mangling_;
  CheckOptions options_;
  std::unique_ptr<FileCheck> trial_;  // of the file as it was; null where nothing of that can be judged
  std::vector<Consequence> consequences_;
};

}  // namespace parqproof
