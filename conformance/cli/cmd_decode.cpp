#include <unistd.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "codec/rules/rule.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/cli/input/input.hpp"
#include "conformance/cli/options.hpp"
#include "conformance/cli/section/section_input.hpp"
#include "conformance/cli/section/variant_input.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/report/check_report.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/value_json.hpp"
#include "conformance/report/variant_json.hpp"
#include "conformance/section/variant_section.hpp"

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
A VARIANT is its metadata, directly followed by its value: --encoding VARIANT --type VARIANT --count 1. Its JSON has
null, booleans, strings and arrays as such; all else has its type: {"int8":1}, {"object":{"name":...}}.

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

/// Reads the bytes of a section; the error is the message.
std::expected<std::vector<std::uint8_t>, std::string> read_bytes(const Decode& decode) {
  std::string why;
  std::optional<std::vector<std::uint8_t>> input = read_input(decode.path, decode.limits.page_bytes, why);
  if (!input) return std::unexpected(decode.path + ": " + why);
  if (!decode.hex) return std::move(*input);
  std::vector<std::uint8_t> bytes;
  const std::string_view text = text_of(*input);
  if (!read_hex(text, bytes))
    return std::unexpected(decode.path + ": the input is not hex digits, two a byte");
  return bytes;
}

/// A Variant without columns.
int run_variant(const Decode& decode) {
  if (decode.section.type != kVariant || decode.section.count != 1)
    return could_not_run("VARIANT is one value of type VARIANT: --type VARIANT --count 1");
  const std::expected<std::vector<std::uint8_t>, std::string> input = read_bytes(decode);
  if (!input) return could_not_run(input.error());
  const Findings findings = judge_variant(*input, decode.limits);
  write_findings(findings);
  const SectionVerdict verdict = verdict_of(findings);
  if (verdict != SectionVerdict::sound) return verdict == SectionVerdict::broken ? kBroken : kCouldNotRun;
  const std::optional<std::string> text = variant_json(*input, decode.limits);
  if (!text) return could_not_run(decode.path + ": the value takes more bytes than a row may have");
  Out out(STDOUT_FILENO);
  out << "[" << *text << "]\n";
  return finish(out, kFine);
}

int run(const Decode& decode) {
  if (decode.section.encoding == kVariant) return run_variant(decode);
  const std::expected<LoneSection, std::string> section = section_of(decode.section);
  if (!section) return could_not_run(section.error());
  const Limits& limits = decode.limits;
  const std::expected<std::vector<std::uint8_t>, std::string> input = read_bytes(decode);
  if (!input) return could_not_run(input.error());
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
  line.add<Decode>("decode", "the values of a section of one encoding, as a JSON array", declare, run);
}

}  // namespace parqproof::cli
