#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/rules/rule.hpp"
#include "codec/write/sink.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/cli/input/input.hpp"
#include "conformance/cli/input/keys_file.hpp"
#include "conformance/cli/input/reading_failure.hpp"
#include "conformance/cli/input/shred_option.hpp"
#include "conformance/cli/options.hpp"
#include "conformance/cli/progress.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/options/rewrite_words.hpp"
#include "conformance/policy/profiles.hpp"
#include "conformance/report/check_report.hpp"
#include "conformance/report/words/wording.hpp"
#include "conformance/rewrite/rewrite.hpp"
#include "conformance/rewrite/scrub/scrub.hpp"
#include "conformance/rewrite/shrink/shrink.hpp"

namespace parqproof::cli {
namespace {

struct Rewrite {
  std::string in;
  std::string out;
  std::optional<std::uint64_t> footer_at;
  Keys keys;
  std::string schema_from;
  Profile profile = Profile::strict;
  RewriteOptions options;
  std::vector<std::string> given;  // names of the options with a value
  bool scrub = false;
  std::optional<Rule> shrink;
};

/// A word after an option that is on or off.
std::optional<bool> on_or_off(const std::string& option, const std::string& word) {
  if (!word.empty() && word != "no") refuse(option + ": '" + word + "' is not no");
  return word.empty();
}

void take_positive(const std::string& option, std::uint64_t number, std::optional<std::uint64_t>& value) {
  if (number == 0) refuse(option + ": 0 is too small");
  value = number;
}

void take_rule(const std::string& text, std::optional<Rule>& rule) {
  rule = find_rule(text);
  if (!rule) refuse("'" + text + "' is no rule; `parqproof rules` lists them");
}

/// The options about the form of OUT.
void declare_form(Subcommand& sub, RewriteOptions& options) {
  sub.repeated(
         "--encoding", [&options](const std::string& text) { add_encoding("--encoding", text, options); },
         "[COLUMN=]ENCODING",
         "of a column by its dotted path, or of all columns whose type\n"
         "has it; RLE_DICTIONARY: a dictionary (may be repeated)")
      .parsed(
          "--compression",
          [&options](const std::string& text) { set_compression("--compression", text, options); },
          "CODEC[:LEVEL]", "SNAPPY, ZSTD, LZ4_RAW, GZIP, BROTLI, UNCOMPRESSED ...")
      .choice<std::optional<unsigned>>("--page-version", options.page_version, {{"1", 1U}, {"2", 2U}},
                                       "1: DATA_PAGE; 2: DATA_PAGE_V2")
      .number(
          "--page-size",
          [&options](std::uint64_t number) { take_positive("--page-size", number, options.page_bytes); }, "N",
          "bytes of values at which a page ends (default 1048576)")
      .number(
          "--page-rows",
          [&options](std::uint64_t number) { take_positive("--page-rows", number, options.page_rows); }, "N",
          "rows at which a page ends (default 20000)")
      .number(
          "--row-group-rows",
          [&options](std::uint64_t number) {
            take_positive("--row-group-rows", number, options.row_group_rows);
          },
          "N", "rows of each row group but the last (default: as in IN)")
      .word_or_none(
          "--statistics",
          [&options](const std::string& word) { options.statistics = on_or_off("--statistics", word); },
          "[=no]", "min, max and counts of each chunk (the default)")
      .word_or_none(
          "--page-index",
          [&options](const std::string& word) { options.page_index = on_or_off("--page-index", word); },
          "[=no]", "column and offset indexes (default: as in IN)")
      .word_or_none(
          "--crc", [&options](const std::string& word) { options.checksums = on_or_off("--crc", word); },
          "[=no]", "a checksum of each page (the default)")
      .repeated(
          "--bloom", [&options](const std::string& text) { options.bloom_filters.push_back(text); }, "COLUMN",
          "a Bloom filter for this leaf (may be repeated)")
      .repeated(
          "--shred",
          [&options](const std::string& text) { options.shred.push_back(read_shred_option(text)); },
          "COLUMN[=SCHEMA]",
          "columns for the values of this VARIANT: those that suit its\n"
          "first values, those of SCHEMA, or with =none the columns\n"
          "metadata and value alone (may be repeated)")
      .parsed(
          "--encryption", [&options](const std::string& path) { options.encryption = read_encryption(path); },
          "FILE", "encrypt OUT as this JSON file says; without it OUT is not encrypted")
      .columns(options.columns);
}

void declare(Subcommand& sub, Rewrite& rewrite) {
  RewriteOptions& options = rewrite.options;
  sub.text("IN", rewrite.in, "IN", "the file to read; - for standard input", Need::required)
      .text("OUT", rewrite.out, "OUT", "the file to write; an older one is replaced", Need::required)
      .record(rewrite.given);
  declare_form(sub, options);
  sub.choice("--profile", rewrite.profile, {{"strict", Profile::strict}, {"historical", Profile::historical}},
             "strict (default); historical: keep and allow retired and\ndeprecated forms")
      .flag("--salvage", options.salvage, "leave out rows that are lost to damage, and continue")
      .text("--schema-from", rewrite.schema_from, "FILE",
            "with --salvage: a file with the same schema, for the case that\nthe footer of IN is lost")
      .flag("--scrub", rewrite.scrub,
            "other values and names, so that OUT can be shown and still breaks\nthe same rules")
      .parsed(
          "--shrink", [&rewrite](const std::string& text) { take_rule(text, rewrite.shrink); }, "RULE",
          "the smallest file that still breaks RULE, with the bytes at fault")
      .footer_at(rewrite.footer_at)
      .keys([&rewrite](const std::string& path) { rewrite.keys = read_keys(path); })
      .limits(options.limits, "memory for all buffers together (default 8G)")
      .footer(R"(
OUT has the rows, the schema and the row groups of IN; sizes, statistics and indexes are computed from the values, and
each column keeps its encoding and compression unless an option changes them. Retired and deprecated encodings and
codecs are replaced by current ones. OUT appears complete or not at all. IN is never overwritten.
With --encryption, OUT is encrypted. FILE is a JSON object: "footer_key": KEY, and as needed "algorithm": "AES_GCM_V1" (the
default) or "AES_GCM_CTR_V1"; "footer": "encrypted" (the default) or "plaintext", which is signed; "column_keys":
{"a.b": KEY}; "other_columns": "footer_key" (the default) or "plaintext"; "footer_key_metadata": "text";
"column_key_metadata": {"a.b": "text"}; "aad_prefix": "text"; "store_aad_prefix": true (the default) or false. KEY is as
in --keys. Nonces and the identifier of the file are random.
With --shred, the values of a VARIANT get columns of their own: where at least half of the first 10,000 values at a place have one
type, and for fields that at least a tenth of the objects have. SCHEMA is JSON: a type of VariantShredding.md ("int64", "string",
or decimal4(SCALE) ...), an object of fields, or an array with one entry; null is a field with `value` alone. Other values
stay in `value`. Every value is the same before and after.
With --salvage, rows that lost a value to damage are left out; stderr and the key `parqproof.salvage` in OUT's metadata
have their numbers, and the cause of each loss. If the footer of IN is lost, the schema comes from an earlier footer, from
the readable part of a truncated one, or from --schema-from; the pages of row groups without metadata are found by their
headers, and assigned to columns where only one assignment fits. The same places say what was guessed.
With --scrub, values are replaced by others of the same length, order and sign, names by c0, c1 ..., and the text of
key-value metadata by x; created_by and all else stay. A check of OUT must report the rules that one of IN reports.
With --shrink, row groups, columns, pages, rows, dictionary entries, indexes and optional fields are removed while `check`
reports RULE and no other rule than before; stdout has the sizes and the finding that is left. At most 1,000 candidates
are checked.
Exit code: 0 OUT is written with all rows; 1 IN breaks a rule, so that there is no OUT, or rows are left out, or the
footer was lost; 2 OUT could not be written, the schema is unknown, something is encrypted, unsupported or beyond a limit,
IN does not break RULE, or a scrubbed OUT would break other rules than IN.

Examples:
  parqproof rewrite a.parquet b.parquet
  parqproof rewrite --compression ZSTD:9 --page-index --bloom id a.parquet b.parquet
  parqproof rewrite --encoding ts=DELTA_BINARY_PACKED --page-version 2 a.parquet b.parquet
  parqproof rewrite --salvage damaged.parquet sound.parquet
  parqproof rewrite --salvage --schema-from sibling.parquet without-footer.parquet sound.parquet
  parqproof rewrite --shred event a.parquet shredded.parquet
  parqproof rewrite --shred 'event={"id":"int64","tags":["string"]}' a.parquet shredded.parquet
  parqproof rewrite --shred event=none shredded.parquet plain.parquet
  parqproof rewrite --encryption new-keys.json plain.parquet encrypted.parquet
  parqproof rewrite --keys keys.json encrypted.parquet plain.parquet
  parqproof rewrite --scrub private.parquet public.parquet
  parqproof rewrite --shrink statistics/max-value damaged.parquet small.parquet)");
}

void explain_left_out(const std::string& path, const RewriteOutcome& outcome) {
  const std::string prefix = path + ": ";
  for (const std::string& line : outcome.rebuilt) complain(prefix + line);
  if (!outcome.unchecked.empty()) complain(prefix + unchecked_text(outcome));
  describe(outcome.left_out,
           [&](const std::string& line, bool is_part) { complain((is_part ? "  " : prefix) + line); });
}

/// An option about the form of OUT, which --scrub and --shrink do not change; empty if there is none.
std::string useless_option(const Rewrite& rewrite) {
  static constexpr std::string_view kWithout[] = {"--profile",    "--footer-at", "--max-page",
                                                  "--max-memory", "--max-work",  "--max-depth"};
  if (!rewrite.scrub && !rewrite.shrink) return {};
  for (const std::string& option : rewrite.given) {
    const bool is_other = option != "--shrink" || rewrite.scrub;
    if (is_other && std::ranges::find(kWithout, option) == std::end(kWithout)) return option;
  }
  // Options without a value are not recorded.
  if (rewrite.options.statistics) return "--statistics";
  if (rewrite.options.page_index) return "--page-index";
  if (rewrite.options.checksums) return "--crc";
  return rewrite.options.salvage ? "--salvage" : std::string();
}

/// Writes a file that is in memory.
std::string write_out(const Rewrite& rewrite, const std::vector<std::uint8_t>& bytes) {
  const std::expected<std::unique_ptr<FileSink>, std::string> sink =
      FileSink::create(rewrite.out, rewrite.in);
  if (!sink) return sink.error();
  WriteStatus status = (*sink)->write(bytes);
  if (status) status = (*sink)->commit();
  return status ? std::string() : status.error();
}

CheckOptions check_options(const Rewrite& rewrite) {
  CheckOptions options;
  options.profile = rewrite.profile;
  options.limits = rewrite.options.limits;
  options.cancelled = &cancelled();
  return options;
}

int run_shrink(const Rewrite& rewrite, const Source& source) {
  ShrinkOptions options;
  options.rule = *rewrite.shrink;
  options.check = check_options(rewrite);
  options.check.advice = info(options.rule).severity == Severity::info;
  const std::expected<Shrunk, std::string> shrunk = shrink(source, options);
  if (!shrunk) return could_not_run(rewrite.in + ": " + shrunk.error());
  if (cancelled()) return kCouldNotRun;
  if (const std::string why = write_out(rewrite, shrunk->bytes); !why.empty()) return could_not_run(why);
  Out out(STDOUT_FILENO);
  out << fmt::format("{}: {}, {} before; {}{}\n", rewrite.out, counted(shrunk->bytes.size(), "byte"),
                     grouped(source.size()), counted(shrunk->checks, "check"),
                     shrunk->is_exhausted ? ", the most that are made" : "");
  if (shrunk->finding) write_finding(out, *shrunk->finding, false);
  return finish(out, kFine);
}

int run_scrub(const Rewrite& rewrite, const Source& source) {
  const std::expected<Scrubbed, std::string> scrubbed = scrub(source, check_options(rewrite));
  if (!scrubbed) return could_not_run(rewrite.in + ": " + scrubbed.error());
  if (cancelled()) return kCouldNotRun;
  if (const std::string why = write_out(rewrite, scrubbed->bytes); !why.empty()) return could_not_run(why);
  Out out(STDOUT_FILENO);
  out << fmt::format("{}: {} and {} replaced; it breaks the same rules\n", rewrite.out,
                     counted(scrubbed->names, "name"), counted(scrubbed->values, "value"));
  if (scrubbed->opaque_pages != 0)
    out << fmt::format("{}: {} cannot be read, where text alone is replaced\n", rewrite.out,
                       counted(scrubbed->opaque_pages, "page"));
  return finish(out, kFine);
}

int run(const Rewrite& rewrite) {
  std::string why;
  const FooterInput input = open_input(rewrite.in, rewrite.footer_at, rewrite.keys, why);
  if (input.file == nullptr) return could_not_run(rewrite.in + ": " + why);
  if (const std::string option = useless_option(rewrite); !option.empty())
    return could_not_run(option + " has no effect with " + (rewrite.scrub ? "--scrub" : "--shrink"));
  if (rewrite.scrub) return run_scrub(rewrite, input.source());
  if (rewrite.shrink) return run_shrink(rewrite, input.source());
  if (!rewrite.schema_from.empty() && !rewrite.options.salvage)
    return could_not_run("--schema-from is for --salvage");
  const std::unique_ptr<Source> sibling =
      rewrite.schema_from.empty() ? nullptr : open_input(rewrite.schema_from, why);
  if (!rewrite.schema_from.empty() && sibling == nullptr)
    return could_not_run(rewrite.schema_from + ": " + why);
  std::expected<std::unique_ptr<FileSink>, std::string> sink = FileSink::create(rewrite.out, rewrite.in);
  if (!sink) return could_not_run(sink.error());
  RewriteOptions options = rewrite.options;
  options.historical = rewrite.profile == Profile::historical;
  options.cancelled = &cancelled();
  const std::unique_ptr<Folder> folder = rewrite.in == kStandardInput ? nullptr : Folder::of(rewrite.in, why);
  options.folder = folder.get();
  options.schema_from = sibling.get();
  ReadingFailure failure;
  const std::array<FoundFile, 1> files{{{rewrite.in, {}}}};
  ProgressLine line(files, true);
  line.begin(0);
  options.progress = line.opened(input.source().size());
  const RewriteOutcome outcome = parqproof::rewrite(input.source(), options, **sink, failure);
  line.end();
  switch (outcome.end) {
    case RewriteOutcome::End::complete:
      break;
    case RewriteOutcome::End::failed:
      explain_failure(rewrite.in, failure, outcome.column,
                      "it cannot be read further, so nothing was written");
      return failure.broken() ? kBroken : kCouldNotRun;
    case RewriteOutcome::End::refused:
    case RewriteOutcome::End::no_schema:
    case RewriteOutcome::End::unwritten:
      return could_not_run(outcome.why);
    case RewriteOutcome::End::cancelled:
      return kCouldNotRun;
  }
  if (WriteStatus committed = (*sink)->commit(); !committed) return could_not_run(committed.error());
  const bool is_in_doubt = !outcome.rebuilt.empty() || !outcome.left_out.contradicted.empty();
  if (!outcome.left_out.any() && !is_in_doubt) return kFine;
  explain_left_out(rewrite.in, outcome);
  return outcome.left_out.is_broken || is_in_doubt ? kBroken : kCouldNotRun;
}

}  // namespace

void add_rewrite(CommandLine& line) {
  line.add<Rewrite>("rewrite", "the same rows as a file without what breaks rules, or in another form",
                    declare, run);
}

}  // namespace parqproof::cli
