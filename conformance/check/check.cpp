#include "conformance/check/check.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/base/composed_source.hpp"
#include "codec/file/frame.hpp"
#include "conformance/check/footer_trial.hpp"
#include "conformance/diagnosis/doubts.hpp"
#include "conformance/diagnosis/schema_repair.hpp"
#include "conformance/diagnosis/transfer/restored_check.hpp"
#include "conformance/file/judge_file.hpp"
#include "conformance/policy/policy.hpp"

namespace parqproof {
namespace {

/// So many errors are listed as symptoms of damage that no hypothesis explains.
constexpr std::size_t kMostSymptoms = 5;

/// If parts of the file are lost and nothing explains several errors together: adds what was tried, and lists
/// the first errors only.
void report_symptoms(FileReport& report, const CheckOptions& options, std::vector<std::string_view> tried) {
  const auto is_error = [](const Cause& one) { return one.severity() == Severity::error; };
  const auto errors = static_cast<std::size_t>(std::ranges::count_if(report.causes, is_error));
  const auto is_file = [](const Lost& one) { return one.what == LostPart::file; };
  if (report.lost.empty() || (errors < 2 && std::ranges::none_of(report.lost, is_file))) return;
  report.tried = std::move(tried);
  std::size_t listed = 0;
  for (Cause& one : report.causes) {
    if (report.tried.empty() || options.listed == 0 || !is_error(one) || !one.listed ||
        ++listed <= kMostSymptoms)
      continue;
    one.listed = false;
  }
}

/// Returns the file up to the requested footer; null if none is requested, or no file ends there.
std::unique_ptr<const Source> up_to_footer(const Source& source, const CheckOptions& options) {
  const std::uint64_t end = options.footer_at.value_or(source.size());
  if (end >= source.size() || end < kMinFileBytes || !has_magic(source, end - kMagicBytes)) return nullptr;
  auto cut = std::make_unique<ComposedSource>();
  cut->add(source, 0, end);
  return cut;
}

}  // namespace

FileReport check(const Source& source, std::string path, const CheckOptions& options) {
  return std::move(check(source, std::move(path), options, nullptr).front());
}

std::vector<FileReport> check(const Source& file, std::string path, const CheckOptions& options,
                              const Folder* folder) {
  const Policy policy(options);
  const std::unique_ptr<const Source> cut = up_to_footer(file, options);
  const Source& source = cut ? *cut : file;
  FileCheck check(source, options, policy.wanted());
  check.input.file_size = file.size();
  check.input.path = path;
  check.input.folder = folder;
  std::vector<FileReport> reports(1);
  judge_file(check, policy, diagnosis(), &reports);
  std::vector<std::string_view> tried;
  if (is_decrypted(check)) {
    reports.front() = report_of(check, policy, std::move(path));
    return reports;
  }
  TrialBudget budget(check);
  if (const std::unique_ptr<RestoredCheck> restored = RestoredCheck::find(check, policy, budget, tried)) {
    try_earlier_footers(restored->check(), policy, budget);
    reports.front() = report_of(restored->check(), policy, std::move(path));
    restored->complete(reports.front());
    return reports;
  }
  const std::optional<SchemaChange> change = schema_change_of(check, policy);
  if (!change || check.input.source.failed()) {
    try_earlier_footers(check, policy, budget);
    reports.front() = report_of(check, policy, std::move(path));
    report_symptoms(reports.front(), options, std::move(tried));
    return reports;
  }
  FileCheck changed(source, options, policy.wanted());
  changed.input.file_size = file.size();
  changed.input.path = path;
  changed.input.change = change;
  judge_changed(changed, policy);
  try_earlier_footers(changed, policy, budget);
  reports.front() = report_of(changed, policy, std::move(path));
  return reports;
}

}  // namespace parqproof
