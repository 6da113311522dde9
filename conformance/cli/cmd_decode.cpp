#include <unistd.h>

#include <algorithm>
#include <tuple>

#include "codec/rules/rule.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/cli/input.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/report/check_report.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/value_json.hpp"

namespace parqproof::cli {
namespace {

constexpr std::uint64_t kSlice = 4096;  // values of a run that are written between two looks at the world

/// Errors, what could not be decided, then warnings: an object a line.
void write_findings(const Findings& findings) {
  Out err(STDERR_FILENO);
  const auto write = [&](auto wanted) {
    for (const Finding& finding : findings.all()) {
      if (!wanted(info(finding.rule))) continue;
      JsonWriter json(err);
      json.begin_object();
      json.member("rule", info(finding.rule).id);
      json.member("offset", finding.offset);
      json.member("message", message(finding));
      json.end();
    }
  };
  const auto decides = [](const RuleInfo& rule) {
    return rule.severity == Severity::error || rule.klass == Class::unsupported || rule.klass == Class::limit;
  };
  write(decides);
  write([&](const RuleInfo& rule) { return !decides(rule) && rule.severity == Severity::warning; });
}

/// Decodes once more, a slice of values at a time on their way out.
void write_section(const LoneSection& section, const std::vector<std::uint8_t>& bytes, Out& out) {
  JsonWriter json(out);
  json.begin_array();
  const auto stop = [&] { return out.closed() || cancelled(); };
  std::ignore = decode_section(section, bytes, {}, [&](const ValueBatch& batch) {
    ValueBatch slice = batch;
    const bool run = batch.form == ValueBatch::Form::boolean_run || batch.form == ValueBatch::Form::index_run;
    for (std::uint64_t left = batch.count; left > 0 && !stop(); left -= slice.count) {
      slice.count = run ? std::min(left, kSlice) : left;
      write_values(slice, section.type, section.type_length, json);
    }
    return !stop();
  });
  json.end();
}

}  // namespace

int decode_command(const DecodeCommand& command) {
  const std::expected<LoneSection, std::string> section = section_of(command.section);
  if (!section) {
    complain(section.error());
    return kCouldNotRun;
  }
  const Limits limits;
  std::string why;
  std::optional<std::vector<std::uint8_t>> input = read_input(command.path, limits.page_bytes, why);
  if (input && command.hex) {
    std::vector<std::uint8_t> bytes;
    const std::string_view text(reinterpret_cast<const char*>(input->data()), input->size());
    if (read_hex(text, bytes)) {
      *input = std::move(bytes);
    } else {
      input.reset();
      why = "not all of it are hex digits, two a byte";
    }
  }
  if (!input) {
    complain(command.path + ": " + why);
    return kCouldNotRun;
  }
  if (section->indices() && command.section.bit_width && !input->empty() &&
      input->front() != *command.section.bit_width) {
    complain(command.path + ": the bit width of the indices is " + std::to_string(input->front()) + ", not " +
             std::to_string(*command.section.bit_width));
    return kCouldNotRun;
  }
  const Findings findings =
      decode_section(*section, *input, limits, [](const ValueBatch&) { return !cancelled(); });
  write_findings(findings);
  switch (verdict_of(findings)) {
    case SectionVerdict::broken:
      return kBroken;
    case SectionVerdict::undecided:
      return kCouldNotRun;
    case SectionVerdict::sound:
      break;
  }
  Out out(STDOUT_FILENO);
  if (!cancelled()) write_section(*section, *input, out);
  return finish(out, cancelled() ? kCouldNotRun : kFine);
}

}  // namespace parqproof::cli
