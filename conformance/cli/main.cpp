/// The command line: it is parsed here, and handed to the subcommand in plain form.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "codec/kernel/kernels.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/cli/input.hpp"
#include "conformance/cli/terminal.hpp"

namespace parqproof::cli {
namespace {

/// Subcommands that the program is going to have; a call of one is refused.
constexpr std::array kNotBuilt = {"encode", "rewrite", "mutate"};

constexpr unsigned kMaxJobs = 1024;

const std::map<std::string, Tier> kTiers = {
    {"footer", Tier::footer}, {"pages", Tier::pages}, {"values", Tier::values}};
const std::map<std::string, Profile> kProfiles = {
    {"strict", Profile::strict}, {"historical", Profile::historical}, {"interop", Profile::interop}};
const std::map<std::string, Format> kFormats = {{"text", Format::text}, {"json", Format::json}};
const std::map<std::string, Format> kRulesFormats = {
    {"text", Format::text}, {"json", Format::json}, {"md", Format::markdown}};
const std::map<std::string, bool> kFailOn = {{"error", false}, {"warning", true}};

template <typename Value>
std::string choices(const std::map<std::string, Value>& values) {
  std::string text;
  for (const auto& [name, value] : values) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// An option that takes one of a few words.
template <typename Value>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Value& value,
                        const std::map<std::string, Value>& values, const std::string& description) {
  return app
      .add_option_function<std::string>(
          name,
          [&value, &values, name](const std::string& word) {
            const auto found = values.find(word);
            if (found == values.end()) {
              throw CLI::ValidationError(name + ": '" + word + "' is none of " + choices(values));
            }
            value = found->second;
          },
          description)
      ->type_name("WORD");
}

CLI::Option* add_format(CLI::App& app, Format& format) {
  return add_choice(app, "--format", format, kFormats, "text (default) or json");
}

CLI::Option* add_number(CLI::App& app, const std::string& name, std::function<void(std::uint64_t)> take,
                        const std::string& type, const std::string& description) {
  return app
      .add_option_function<std::string>(
          name,
          [take = std::move(take), name](const std::string& text) {
            std::uint64_t number = 0;
            const char* end = text.data() + text.size();
            const auto [rest, error] = std::from_chars(text.data(), end, number);
            if (error != std::errc() || rest != end) {
              throw CLI::ValidationError(name + ": '" + text + "' is no whole number of 0 or more");
            }
            take(number);
          },
          description)
      ->type_name(type);
}

CLI::Option* add_size(CLI::App& app, const std::string& name, std::uint64_t& bytes,
                      const std::string& description) {
  return app
      .add_option_function<std::string>(
          name,
          [&bytes, name](const std::string& text) {
            if (!parse_size(text, bytes)) {
              throw CLI::ValidationError(name + ": '" + text + "' is no size; write 65536, 64M or 1GiB");
            }
          },
          description)
      ->type_name("SIZE");
}

/// A number from 1 to `most`.
void add_ceiling(CLI::App& app, const std::string& name, std::uint64_t& ceiling, std::uint64_t most,
                 const std::string& description) {
  add_number(
      app, name,
      [&ceiling, name, most](std::uint64_t number) {
        if (number < 1 || number > most) {
          throw CLI::ValidationError(name + ": '" + std::to_string(number) + "' is not 1 to " +
                                     std::to_string(most));
        }
        ceiling = number;
      },
      "N", description);
}

void add_work_and_depth(CLI::App& app, Limits& limits) {
  add_ceiling(app, "--max-work", limits.work, 1000,
              "times the work that a file of this size may take (default 1)");
  add_ceiling(app, "--max-depth", limits.schema_depth, Limits::kDeepestSchema,
              "nodes from the root of a schema down to a leaf (default 1000)");
}

/// An option that may be given several times; the order among such options is kept.
template <typename Take>
CLI::Option* add_repeated(CLI::App& app, const std::string& name, Take take, const std::string& type,
                          const std::string& description) {
  return app.add_option_function<std::string>(name, take, description)->trigger_on_parse()->type_name(type);
}

void require_rule(const std::string& option, const std::string& pattern) {
  for (std::size_t i = 0; i < all_rules().size(); ++i) {
    if (matches(pattern, static_cast<Rule>(i))) return;
  }
  throw CLI::ValidationError(option + ": no rule is called '" + pattern + "'; `parqproof rules` lists them");
}

void add_check(CLI::App& app, CheckCommand& command) {
  CheckOptions& options = command.options;
  CLI::App& sub = *app.add_subcommand("check", "judge files: are they legal, and is what they say true?");
  sub.alias("validate")->alias("verify");
  sub.add_option("FILE", command.paths, "files; directories, searched for *.parquet; - is standard input")
      ->required()
      ->option_text("[FILE|DIR|-]...");
  add_choice(sub, "--tier", options.tier, kTiers,
             "how deep to look: footer; pages (also page headers,\nindexes, filter headers); values "
             "(default: everything)");
  add_choice(sub, "--profile", options.profile, kProfiles,
             "strict (default: the current specification); historical\n(what only old editions define is "
             "legal too); "
             "interop\n(known, tolerated deviations are advice)");
  sub.add_flag("--advice", options.advice, "show findings of severity info, and compute the costly ones");
  add_repeated(
      sub, "--ignore",
      [&options](const std::string& pattern) {
        require_rule("--ignore", pattern);
        options.changes.push_back({pattern, "off"});
      },
      "RULE", "do not judge this rule; area/* means all of an area\n(may be repeated, as the next two)");
  add_repeated(
      sub, "--only",
      [&options](const std::string& pattern) {
        require_rule("--only", pattern);
        options.only.push_back(pattern);
      },
      "RULE", "judge this rule and no other");
  add_repeated(
      sub, "--severity",
      [&options](const std::string& text) {
        const std::size_t equals = text.rfind('=');
        const std::string level = equals == text.npos ? "" : text.substr(equals + 1);
        if (level != "error" && level != "warning" && level != "info" && level != "off") {
          throw CLI::ValidationError("--severity: '" + text + "' is not RULE=error, warning, info or off");
        }
        require_rule("--severity", text.substr(0, equals));
        options.changes.push_back({text.substr(0, equals), level});
      },
      "RULE=LEVEL", "judge this rule with another severity: error, warning,\ninfo, off");
  add_choice(sub, "--fail-on", options.fail_on_warning, kFailOn,
             "error (default), or warning: exit 1 for a warning too");
  add_number(
      sub, "--limit", [&options](std::uint64_t number) { options.listed = number; }, "N",
      "findings listed for each file, default 100, 0 for all;\nthe verdict is the same");
  add_size(sub, "--max-page", options.limits.page_bytes,
           "the largest page to read, stored or decompressed\n(default 2G)");
  add_size(sub, "--max-memory", options.limits.memory_bytes,
           "a page with its uncompressed form that takes more, or a footer\nof more than a quarter of it, is "
           "not judged (default 8G)");
  add_work_and_depth(sub, options.limits);
  add_number(
      sub, "-j,--jobs",
      [&options](std::uint64_t number) {
        if (number < 1 || number > kMaxJobs)
          throw CLI::ValidationError("-j: from 1 to " + std::to_string(kMaxJobs));
        options.jobs = static_cast<unsigned>(number);
      },
      "N", "column chunks judged at the same time (default 1);\nthe report is the same for every N");
  add_number(
      sub, "--footer-at", [&options](std::uint64_t number) { options.footer_at = number; }, "OFFSET",
      "judge with the footer whose last byte of magic ends there:\nan earlier footer of a damaged file");
  sub.add_flag("--quiet", command.quiet, "print nothing; the exit code tells");
  sub.add_option_function<std::string>(
         "--kernels",
         [](const std::string& name) {
           if (name != "fast" && name != "reference") {
             throw CLI::ValidationError("--kernels: '" + name + "' is none of fast, reference");
           }
           use_kernels(name == "fast" ? *all_kernels().back() : reference_kernels());
         },
         "fast (default) or reference: the loops that decode, for diagnosis")
      ->type_name("WORD");
  add_format(sub, command.format);
  sub.footer(R"(
Files that column chunks name (_metadata does so) are judged too, each with a report of its own; only regular files
below the folder of the file that names them are opened, and no links.
Exit code: 0 conforming; 1 a rule is broken; 2 something could not be read or judged.

Examples:
  parqproof check part-0001.parquet
  parqproof check --format json --limit 0 out/ > report.json
  parqproof check --tier footer --fail-on warning *.parquet
  parqproof check --ignore 'rle/*' --severity footer/created-by-format=error a.parquet
  curl -s https://example.com/a.parquet | parqproof check -)");
}

void add_file_commands(CLI::App& app, FileCommand& command) {
  CLI::App& meta =
      *app.add_subcommand("meta", "the footer as stored: every field with its name, value and offset");
  meta.add_option("FILE", command.path, "a file; - is standard input")->required()->option_text("FILE|-");
  add_format(meta, command.format);
  meta.footer(R"(
It works up to the first byte that cannot be read, says where that is, and then exits with 1.

Examples:
  parqproof meta a.parquet
  parqproof meta --format json a.parquet | jq '.fields[] | select(.name == "created_by")')");

  CLI::App& layout =
      *app.add_subcommand("layout", "the byte map: which structure each byte of the file belongs to");
  layout.add_option("FILE", command.path, "a file; - is standard input")->required()->option_text("FILE|-");
  add_format(layout, command.format);
  layout.add_flag("--hex", command.hex,
                  "print the bytes too, each run with the name and the value of what it is");
  layout.footer(R"(
Kinds: magic, page-header, page-body, column-metadata, column-index, offset-index, bloom-filter-header,
bloom-filter-bitset, footer, footer-length, and gap for bytes that no structure owns.
It exits with 1 if the footer, or a structure that it points at, cannot be read.

Examples:
  parqproof layout a.parquet
  parqproof layout --hex small.parquet | less)");
}

/// Rows A:B, either of which may be left out.
void take_rows(const std::string& text, RowOptions& options) {
  const std::size_t colon = text.find(':');
  const auto bound = [&](const std::string& part, std::uint64_t& number) {
    const auto [rest, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    return part.empty() || (error == std::errc() && rest == part.data() + part.size());
  };
  if (colon == text.npos || !bound(text.substr(0, colon), options.first) ||
      !bound(text.substr(colon + 1), options.end)) {
    throw CLI::ValidationError("--rows: '" + text + "' is not A:B, whole numbers of 0 or more");
  }
}

/// Paths between commas.
void take_columns(const std::string& text, RowOptions& options) {
  std::istringstream parts(text + ",");
  for (std::string part; std::getline(parts, part, ',');) {
    if (part.empty()) throw CLI::ValidationError("--columns: '" + text + "' has an empty path");
    options.columns.push_back(part);
  }
}

void add_cat(CLI::App& app, CatCommand& command) {
  RowOptions& options = command.options;
  CLI::App& sub =
      *app.add_subcommand("cat", "the rows as JSON Lines: one object a row, keys in schema order");
  sub.add_option("FILE", command.path, "a file; - is standard input")->required()->option_text("FILE|-");
  sub.add_flag_callback(
      "--physical", [&options] { options.view = RowView::physical; },
      "as stored: every group and repeated field under its own\nname, integers signed, byte arrays and INT96 "
      "as hex");
  add_repeated(
      sub, "--columns", [&options](const std::string& text) { take_columns(text, options); }, "PATHS",
      "these columns or groups alone: dotted paths with commas\nbetween them (may be repeated)");
  sub.add_option_function<std::string>(
         "--rows", [&options](const std::string& text) { take_rows(text, options); },
         "from row A, counted from 0, up to but without row B;\neither may be left out")
      ->type_name("A:B");
  add_number(
      sub, "--limit", [&options](std::uint64_t number) { options.limit = number; }, "N", "rows at most");
  add_size(sub, "--max-page", options.limits.page_bytes,
           "the largest page to read, stored or decompressed\n(default 2G)");
  add_size(sub, "--max-memory", options.limits.memory_bytes, "memory for all buffers together (default 8G)");
  add_work_and_depth(sub, options.limits);
  sub.footer(R"(
Without --physical, values are shown by their logical types: text, dates, times, decimals with their scale, lists as
arrays, maps as arrays of {"key":..,"value":..}. What does not fit its type (a date beyond the year 9999) is shown as
stored, text that is not UTF-8 as {"hex":".."}.
Output ends at the first row that cannot be assembled; stderr says why.
Exit code: 0 all rows are written; 1 a rule is broken; 2 something could not be read: encrypted, unsupported, a limit.

Examples:
  parqproof cat a.parquet | head
  parqproof cat --columns id,address.city --rows 1000:1010 a.parquet
  parqproof cat --physical --limit 1 a.parquet | jq .)");
}

void add_decode(CLI::App& app, DecodeCommand& command) {
  SectionWords& section = command.section;
  CLI::App& sub = *app.add_subcommand("decode", "the values of a section of one encoding, as a JSON array");
  sub.add_option("FILE", command.path,
                 "the bytes of the section, no page around them; default: standard input")
      ->option_text("[FILE|-]");
  sub.add_option("--encoding", section.encoding,
                 "PLAIN, RLE, DELTA_BINARY_PACKED ...: a name that `parqproof\nencodings` lists")
      ->required()
      ->option_text("E REQUIRED");
  sub.add_option("--type", section.type,
                 "BOOLEAN, INT32, INT64, INT96, FLOAT, DOUBLE, BYTE_ARRAY,\nFIXED_LEN_BYTE_ARRAY; INT32 for "
                 "dictionary indices;\nLEVEL for levels (RLE without length word, BIT_PACKED)")
      ->required()
      ->option_text("T REQUIRED");
  add_number(
      sub, "--type-length", [&section](std::uint64_t number) { section.type_length = number; }, "N",
      "bytes of a FIXED_LEN_BYTE_ARRAY value");
  add_number(
      sub, "--count", [&section](std::uint64_t number) { section.count = number; }, "N",
      "values that the section stores, nulls not counted")
      ->required();
  add_number(
      sub, "--bit-width", [&section](std::uint64_t number) { section.bit_width = number; }, "N",
      "of levels; indices begin with theirs, which then has to\nbe this one");
  sub.add_flag("--hex", command.hex, "the input is text: bytes in hex, white space between them");
  sub.add_option("--selector", section.selector,
                 "be (default) or le: byte order of the selectors of\nGROUP_VAR_INT of INT64")
      ->option_text("WORD");
  sub.footer(R"(
Integers are signed; byte arrays and INT96 are hex; NaN and infinities are strings. Where a rule of severity error
is broken, nothing is on standard output, {"rule":..,"offset":..,"message":..} is on standard error, and the exit
code is 1. Warnings go to standard error in the same form, one a line.

Examples:
  echo 80 01 04 05 02 02 00 00 00 00 |
    parqproof decode --encoding DELTA_BINARY_PACKED --type INT32 --count 5 --hex
  echo 03 88 c6 fa | parqproof decode --encoding RLE --type LEVEL --bit-width 3 --count 8 --hex)");
}

void add_vectors(CLI::App& app, std::vector<std::string>& paths) {
  CLI::App& sub = *app.add_subcommand("vectors", "decode golden vectors, and compare");
  sub.add_option("FILE", paths,
                 "files of vectors; directories, searched for *.json;\nnone: those that are built in")
      ->option_text("[FILE|DIR]...");
  sub.footer(R"(
A vector has the bytes of a section, and its values or the rule that it breaks; corpus/vectors/README.md says more.
Each is decoded with every set of kernels that this processor can run.

Exit code: 0 all came out as they should; 1 one did not; 2 a file could not be read.

Examples:
  parqproof vectors
  parqproof vectors corpus/vectors/alp.json my-vectors/)");
}

int run(int argc, char** argv) {
  CLI::App app("parqproof: the strict referee of the Apache Parquet format", "parqproof");
  app.set_version_flag("--version", "parqproof " PARQPROOF_VERSION " (parquet-format " +
                                        std::string(kSpecCommit) + " of " + std::string(kSpecDate) + ")");
  app.require_subcommand(1);
  app.get_formatter()->column_width(28);
  app.footer(R"(
`parqproof SUBCOMMAND --help` says more. Exit code: 0 fine; 1 the input breaks a rule; 2 it could not run or finish.

Examples:
  parqproof check a.parquet
  parqproof layout --hex a.parquet
  parqproof explain page/v2-num-nulls)");

  CheckCommand check;
  FileCommand file;
  CatCommand cat;
  Format format = Format::text;
  DecodeCommand decode;
  std::vector<std::string> vectors;
  std::string rule;
  check.options.cancelled = cat.options.cancelled = &cancelled();
  add_check(app, check);
  add_file_commands(app, file);
  add_cat(app, cat);
  add_decode(app, decode);
  add_vectors(app, vectors);
  CLI::App& rules =
      *app.add_subcommand("rules", "all rules: what they demand, where the specification says so");
  add_choice(rules, "--format", format, kRulesFormats, "text (default), json or md");
  rules.footer(R"(
Examples:
  parqproof rules
  parqproof rules --format json | jq -r '.[] | select(.severity == "error") | .id')");
  CLI::App& explain = *app.add_subcommand(
      "explain", "one rule: the demand, the clause, the harm, and a small file that breaks it");
  explain.add_option("RULE", rule, "the id of a rule")->required()->option_text("RULE");
  explain.footer(R"(
Examples:
  parqproof explain dictionary/index-range)");
  CLI::App& encodings = *app.add_subcommand(
      "encodings", "the table of encodings: number, status, types, what is decoded and encoded");
  add_format(encodings, format);
  encodings.footer(R"(
`decode`: check decodes it. `encode`: the library can write it. LEVEL stands for repetition and definition levels.

Examples:
  parqproof encodings
  parqproof encodings --format json | jq -r '.[] | select(.status == "current") | .name')");

  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with('-')) continue;
    if (std::ranges::find(kNotBuilt, word) == kNotBuilt.end()) break;
    complain("the subcommand '" + word + "' is not built yet");
    return kCouldNotRun;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) {
      complain(std::string(error.what()) + " (parqproof --help)");
      return kCouldNotRun;
    }
    std::ostringstream text;
    std::ignore = app.exit(error, text, text);
    Out out(STDOUT_FILENO);
    out << text.str();
    return finish(out, kFine);
  }
  const std::string name = app.get_subcommands().front()->get_name();
  if (name == "check") return check_command(check);
  if (name == "meta") return meta_command(file);
  if (name == "layout") return layout_command(file);
  if (name == "cat") return cat_command(cat);
  if (name == "decode") return decode_command(decode);
  if (name == "vectors") return vectors_command(vectors);
  if (name == "rules") return rules_command(format);
  if (name == "explain") return explain_command(rule);
  return encodings_command(format);
}

}  // namespace
}  // namespace parqproof::cli

int main(int argc, char** argv) {
  parqproof::cli::handle_signals();
  return parqproof::cli::run(argc, argv);
}
