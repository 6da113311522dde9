#include "conformance/diagnosis/footer_length.hpp"

#include <array>
#include <cstdint>
#include <optional>

#include "codec/base/bits.hpp"
#include "conformance/diagnosis/remains.hpp"

namespace parqproof {
namespace {

bool is_about_file(Rule rule) {
  return info(rule).id.starts_with("file/") && rule != Rule::file_footer_length;
}

}  // namespace

bool explain_footer_length(FileCheck& check) {
  const std::uint64_t end = check.footer.frame.end - kFooterTailBytes;
  std::array<std::uint8_t, 4> word{};
  const std::optional<std::uint64_t> length = true_footer_length(check, end);
  if (!length || !check.input.source.read(end, word)) return false;
  if (load_le<std::uint32_t>(word.data()) == *length) return false;
  check.outcome.findings.attribute(Rule::file_footer_length, 0,
                                   [](const Finding& finding) { return !is_about_file(finding.rule); });
  report_at(check.outcome.findings, Rule::file_footer_length, {}, end, word.size(),
            contrast(load_le<std::uint32_t>(word.data()), *length));
  for (NotRun& one : check.outcome.not_run) one.caused_by = Rule::file_footer_length;
  check.outcome.lost.push_back({LostPart::file, {}});
  check.outcome.footer_misread = true;
  return true;
}

}  // namespace parqproof
