#include "conformance/check/check.hpp"

#include <memory>
#include <optional>
#include <utility>

#include "conformance/diagnosis/doubts.hpp"
#include "conformance/diagnosis/schema_trial.hpp"
#include "conformance/diagnosis/transfer/unmangled.hpp"
#include "conformance/file/judge_file.hpp"
#include "conformance/policy/policy.hpp"

namespace parqproof {

FileReport check(const Source& source, std::string path, const CheckOptions& options) {
  return std::move(check(source, std::move(path), options, nullptr).front());
}

std::vector<FileReport> check(const Source& source, std::string path, const CheckOptions& options,
                              const Folder* folder) {
  const Policy policy(options);
  FileCheck check(source, options, policy.wanted());
  check.input.path = path;
  check.input.folder = folder;
  std::vector<FileReport> reports(1);
  judge_file(check, policy, diagnosis(), &reports);
  const auto trial = [&](FileCheck& one) { judge_phases(one, policy, diagnosis(), nullptr); };
  if (const std::unique_ptr<RestoredCheck> unmangled = RestoredCheck::find(check, policy, trial)) {
    reports.front() = report_of(unmangled->check(), policy, std::move(path));
    unmangled->complete(reports.front());
    return reports;
  }
  const std::optional<SchemaChange> change = schema_change_of(check, policy);
  if (!change || check.input.source.failed()) {
    reports.front() = report_of(check, policy, std::move(path));
    return reports;
  }
  FileCheck changed(source, options, policy.wanted());
  changed.input.path = path;
  changed.input.change = change;
  judge_changed(changed, policy);
  reports.front() = report_of(changed, policy, std::move(path));
  return reports;
}

}  // namespace parqproof
