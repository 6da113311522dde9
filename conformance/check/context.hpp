#pragma once

#include <atomic>

#include "conformance/check/check.hpp"
#include "conformance/check/file_facts.hpp"
#include "conformance/check/judge.hpp"
#include "conformance/check/outcome.hpp"

namespace parqproof {

/// What every part of a check reads. While chunks are judged side by side it does not change.
struct Context {
  Context(const Source& file, const CheckOptions& asked) : options(asked), facts(file) {}

  const CheckOptions& options;
  FileFacts facts;

  [[nodiscard]] bool cancelled() const noexcept {
    return options.cancelled != nullptr && options.cancelled->load(std::memory_order_relaxed);
  }
};

/// The check of one file: the context, and the outcome for the parts that run one after the other. Chunks
/// that are judged side by side get the Context alone, and an outcome each.
struct FileCheck : Context {
  FileCheck(const Source& file, const CheckOptions& asked, const RuleSet& wanted)
      : Context(file, asked), outcome(wanted, WorkBudget(file.size(), asked.limits)) {}

  FileOutcome outcome;
};

}  // namespace parqproof
