#include "conformance/diagnosis/schema_trial.hpp"

#include "conformance/diagnosis/doubts.hpp"
#include "conformance/diagnosis/schema_repair.hpp"
#include "conformance/file/judge_file.hpp"

namespace parqproof {

std::optional<SchemaChange> schema_change_of(const FileCheck& check, const Policy& policy) {
  if (!doubts_schema(check)) return std::nullopt;
  // The trial evaluates all rules, because without them it would miss the violations that are its evidence.
  CheckOptions options = check.options;  // outlives the check that refers to it
  std::optional<Policy> everything;
  std::optional<FileCheck> again;
  if (!options.changes.empty()) {
    options.changes.clear();
    options.progress = nullptr;
    everything.emplace(options);
  }
  if (everything && everything->wanted() != policy.wanted())
    judge_phases(again.emplace(check.input.source, options, everything->wanted()), *everything, diagnosis(),
                 nullptr);
  const Policy& all = everything ? *everything : policy;
  const SchemaTrial trial = [&](FileCheck& one) { judge_phases(one, all, diagnosis(), nullptr); };
  const auto change = wrong_schema_element(again ? *again : check, all.wanted(), trial);
  // Without its rule the change is not applied.
  return change && policy.wanted()[static_cast<std::size_t>(rule_of(*change))] ? change : std::nullopt;
}

void judge_changed(FileCheck& check, const Policy& policy) {
  judge_phases(check, policy, diagnosis(), nullptr);
  report_schema_change(check);
  look_for_remains(check, diagnosis());
}

}  // namespace parqproof
