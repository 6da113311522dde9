#include <unistd.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "codec/rules/rule.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/cli/input/input.hpp"
#include "conformance/cli/options.hpp"
#include "conformance/cli/section/section_input.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/report/check_report.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/value_json.hpp"

namespace parqproof::cli {
namespace {

constexpr std::uint64_t kSlice =
    4096;  // values of a run that are written between two checks for cancellation

struct Decode {
  SectionWords section;
  bool hex = false;  ///< the input is text: the bytes in hex
  Limits limits;
  std::string path = kStandardInput;
};

void declare(Subcommand& sub, Decode& decode) {
  SectionWords& section = decode.section;
  sub.text("FILE", decode.path, "[FILE|-]",
           "the bytes of the section, without a page; default: standard input");
  declare_section(sub, section);
  sub.number("--count", section.count, "N", "number of values in the section, without nulls", Need::required)
      .flag("--hex", decode.hex, "the input is text: bytes in hex, separated by white space")
      .work(decode.limits, "times the work that a section of this size may take (default 1)")
      .footer(R"(
Integers are signed; byte arrays and INT96 are hex; NaN and infinities are strings. If a rule of severity error is
broken, nothing is written to standard output, {"rule":..,"offset":..,"message":..} is written to standard error, and
the exit code is 1. Warnings go to standard error in the same form, one a line.

Examples:
  printf '80 01 04 05 02 02 00 00 00 00' |
    parqproof decode --encoding DELTA_BINARY_PACKED --type INT32 --count 5 --hex
  printf '03 88 c6 fa' | parqproof decode --encoding RLE --type LEVEL --bit-width 3 --count 8 --hex)");
}

/// Writes errors, undecided rules, then warnings, as one object a line.
void write_findings(const Findings& findings) {
  Out err(STDERR_FILENO);
  const auto write = [&](auto wanted) {
    for (const Finding& finding : findings.all()) {
      if (!wanted(info(finding.rule))) continue;
      JsonWriter json(err);
      json.object([&] {
        json.member("rule", info(finding.rule).id);
        json.member("offset", finding.offset);
        json.member("message", message(finding));
      });
    }
  };
  const auto decides = [](const RuleInfo& rule) {
    return rule.severity == Severity::error || !is_judgement(rule.klass);
  };
  write(decides);
  write([&](const RuleInfo& rule) { return !decides(rule) && rule.severity == Severity::warning; });
}

/// Decodes a second time and writes the values, one slice at a time.
void write_section(const LoneSection& section, const std::vector<std::uint8_t>& bytes, const Limits& limits,
                   Out& out) {
  JsonWriter json(out);
  json.begin_array();
  const auto stop = [&] { return out.closed() || cancelled(); };
  std::ignore = decode_section(section, bytes, limits, [&](const ValueBatch& batch) {
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

int run(const Decode& decode) {
  const std::expected<LoneSection, std::string> section = section_of(decode.section);
  if (!section) return could_not_run(section.error());
  const Limits& limits = decode.limits;
  std::string why;
  std::optional<std::vector<std::uint8_t>> input = read_input(decode.path, limits.page_bytes, why);
  if (!input) return could_not_run(decode.path + ": " + why);
  if (decode.hex) {
    std::vector<std::uint8_t> bytes;
    const std::string_view text(reinterpret_cast<const char*>(input->data()), input->size());
    if (!read_hex(text, bytes))
      return could_not_run(decode.path + ": the input is not hex digits, two a byte");
    *input = std::move(bytes);
  }
  if (section->indices() && decode.section.bit_width && !input->empty() &&
      input->front() != *decode.section.bit_width)
    return could_not_run(decode.path + ": the bit width of the indices is " + std::to_string(input->front()) +
                         ", not " + std::to_string(*decode.section.bit_width));
  const Findings findings =
      decode_section(*section, *input, limits, [](const ValueBatch&) { return !cancelled(); });
  write_findings(findings);
  const SectionVerdict verdict = verdict_of(findings);
  if (verdict != SectionVerdict::sound) return verdict == SectionVerdict::broken ? kBroken : kCouldNotRun;
  Out out(STDOUT_FILENO);
  if (!cancelled()) write_section(*section, *input, limits, out);
  return finish(out, cancelled() ? kCouldNotRun : kFine);
}

}  // namespace

void add_decode(CommandLine& line) {
  line.add("decode", "the values of a section of one encoding, as a JSON array", declare, run);
}

}  // namespace parqproof::cli
