#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <set>
#include <string>

#include "codec/rules/rule.hpp"
#include "conformance/check/check.hpp"
#include "conformance/rewrite/rewrite.hpp"
#include "conformance/rows/row_footer.hpp"
#include "conformance/variant/variant_groups.hpp"
#include "tests/rows/written.hpp"
#include "tests/support/judged.hpp"
#include "tests/support/process.hpp"

namespace parqproof {
namespace {

using Bytes = std::vector<std::uint8_t>;
using variant::Kind;

/// The VARIANT columns of a file; none if its footer cannot be read.
std::vector<std::string> variants_of(const Bytes& bytes) {
  std::vector<std::string> out;
  const MemorySource source(bytes);
  const Limits limits;
  ReadingFailure failure;
  RowFooter footer(source, limits, failure);
  if (!footer.read()) return out;
  for (const std::uint32_t node : variant_groups(footer.schema()))
    out.push_back(footer.schema().dotted_path(node));
  return out;
}

struct Rewritten {
  RewriteOutcome outcome;
  std::string broken;  ///< the rule that ended the reading
  Bytes bytes;
};

Rewritten shredded(const Bytes& bytes, std::vector<ShredOption> shred, std::size_t held = 1U << 30) {
  Rewritten out;
  MemorySink sink(out.bytes);
  RewriteOptions options;
  options.shred = std::move(shred);
  options.shred_bytes = held;
  ReadingFailure failure;
  out.outcome = rewrite(MemorySource(bytes), options, sink, failure);
  if (failure.finding() != nullptr) out.broken = info(failure.finding()->rule).id;
  return out;
}

std::vector<ShredOption> each(const std::vector<std::string>& columns, ShredOption::Form form) {
  std::vector<ShredOption> out;
  for (const std::string& column : columns) out.push_back({.column = column, .form = form});
  return out;
}

/// The errors and warnings of a file.
std::set<std::string> faults_of(const Bytes& bytes) {
  std::set<std::string> out;
  for (const ReportedFinding& one : check(MemorySource(bytes), "f", CheckOptions()).findings) {
    if (one.severity != Severity::info) out.emplace(info(one.finding.rule).id);
  }
  return out;
}

Bytes file_of(const std::string& name) { return support::read_bytes("corpus/" + name); }

ShreddedType of_kind(Kind kind, std::string name = {}) { return {.name = std::move(name), .kind = kind}; }

/// The dotted paths of the columns of a file.
std::string columns_of(const Bytes& bytes) {
  const MemorySource source(bytes);
  const Limits limits;
  ReadingFailure failure;
  RowFooter footer(source, limits, failure);
  REQUIRE(footer.read());
  std::string out;
  for (std::size_t i = 0; i < footer.schema().leaf_count(); ++i)
    out += footer.schema().dotted_path(footer.schema().leaf_index(i)) + "\n";
  return out;
}

constexpr const char* kObject = "writers/duckdb/variant-mixed.parquet";

}  // namespace

TEST_CASE("shredding keeps the rows of all files with VARIANT, and breaks no rule", "[rewrite][variant]") {
  std::size_t files = 0;
  std::size_t shredded_files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(PARQPROOF_SOURCE_DIR "/corpus")) {
    if (entry.path().extension() != ".parquet") continue;
    const std::string name = entry.path().lexically_relative(PARQPROOF_SOURCE_DIR "/corpus").string();
    const Bytes bytes = file_of(name);
    const std::vector<std::string> columns = variants_of(bytes);
    if (columns.empty()) continue;
    INFO(name);
    ++files;
    const std::set<std::string> before = faults_of(bytes);
    const Rewritten found = shredded(bytes, each(columns, ShredOption::Form::found));
    if (found.outcome.end != RewriteOutcome::End::complete) {
      CHECK_FALSE(before.empty());  // only a fault of the source stops it
      continue;
    }
    const support::Written rows = support::written(bytes);
    if (rows.end != RowsEnd::complete) continue;  // nested too deep for JSON
    ++shredded_files;
    for (const std::size_t held : {std::size_t{0}, std::size_t{1} << 30}) {
      const Rewritten again = shredded(bytes, each(columns, ShredOption::Form::found), held);
      CHECK(again.bytes == found.bytes);
    }
    const Rewritten plain = shredded(found.bytes, each(columns, ShredOption::Form::none));
    REQUIRE(plain.outcome.end == RewriteOutcome::End::complete);
    CHECK(columns_of(plain.bytes).find("typed_value") == std::string::npos);
    for (const Bytes* const result : {&found.bytes, &plain.bytes}) {
      CHECK(support::written(*result).text == rows.text);
      const std::set<std::string> after = faults_of(*result);
      CHECK(std::ranges::includes(before, after));
    }
  }
  CHECK(files > 100);
  CHECK(shredded_files > 60);
}

TEST_CASE("the columns of a VARIANT are those that are stated", "[rewrite][variant]") {
  const Bytes bytes = file_of(kObject);
  const std::vector<std::string> columns = variants_of(bytes);
  REQUIRE(columns.size() == 1);
  ShredOption option{
      .column = columns.front(), .form = ShredOption::Form::stated, .type = of_kind(Kind::object)};
  option.type.parts.push_back(of_kind(Kind::null, "only_value"));
  option.type.parts.push_back(of_kind(Kind::array, "list"));
  option.type.parts.back().parts.push_back(of_kind(Kind::boolean_true, "element"));
  const Rewritten stated = shredded(bytes, {option});
  REQUIRE(stated.outcome.end == RewriteOutcome::End::complete);
  const std::string v = columns.front() + ".";
  CHECK(columns_of(stated.bytes)
            .ends_with(v + "metadata\n" + v + "value\n" + v + "typed_value.only_value.value\n" + v +
                       "typed_value.list.value\n" + v + "typed_value.list.typed_value.list.element.value\n" +
                       v + "typed_value.list.typed_value.list.element.typed_value\n"));
  CHECK(support::written(stated.bytes).text == support::written(bytes).text);
  CHECK(faults_of(stated.bytes).empty());
}

TEST_CASE("a value that breaks a rule ends shredding with the finding", "[rewrite][variant]") {
  for (const std::string rule :
       {"logical-type/integer-range", "logical-type/decimal-digits", "logical-type/decimal-bytes-empty",
        "variant/decimal", "variant/utf8", "variant/value", "variant/offsets", "variant/field-id"}) {
    std::size_t files = 0;
    for (const std::string& path : support::files_below("corpus/witnesses/" + rule, ".parquet")) {
      const Bytes bytes = support::read_bytes(path);
      const std::vector<std::string> columns = variants_of(bytes);
      if (columns.empty() || path.find("/fail-") == std::string::npos) continue;
      INFO(path);
      ++files;
      const Rewritten plain = shredded(bytes, each(columns, ShredOption::Form::none));
      CHECK(plain.outcome.end == RewriteOutcome::End::failed);
      CHECK(plain.broken == rule);
      CHECK(std::ranges::any_of(columns, [&](const std::string& column) {
        return plain.outcome.column.starts_with(column + ".");
      }));
    }
    CHECK(files != 0);
  }
}

TEST_CASE("an option for shredding that does not fit the file is refused", "[rewrite][variant]") {
  const Bytes bytes = file_of(kObject);
  const std::string column = variants_of(bytes).front();
  const auto why = [&](std::vector<ShredOption> shred) {
    const Rewritten refused = shredded(bytes, std::move(shred));
    CHECK(refused.outcome.end == RewriteOutcome::End::refused);
    return refused.outcome.why;
  };
  CHECK(why({{.column = "no"}}) == "--shred: no VARIANT is named 'no'");
  CHECK(why({{.column = column + ".value"}}).starts_with("--shred: no VARIANT is named"));
  CHECK(why({{.column = column}, {.column = column}}).ends_with("it is given twice"));
  RewriteOptions options;
  options.shred = {{.column = column}};
  options.columns = {column + ".metadata"};
  Bytes out;
  MemorySink sink(out);
  ReadingFailure failure;
  const RewriteOutcome partly = rewrite(MemorySource(bytes), options, sink, failure);
  CHECK(partly.why.starts_with("--columns leaves out " + column + ".value of the VARIANT " + column + ","));
  options.columns.clear();
  options.row_group_rows = 1;
  CHECK(rewrite(MemorySource(bytes), options, sink, failure).why.contains("--row-group-rows"));
}

TEST_CASE("--shred takes a column, none, or a schema in JSON", "[rewrite][variant]") {
  const support::TemporaryFolder folder;
  const std::string in = PARQPROOF_SOURCE_DIR "/corpus/" + std::string(kObject);
  const std::string column = variants_of(file_of(kObject)).front();
  const std::string out = folder.path() + "/out.parquet";
  const auto rewrite_with = [&](const std::string& value) {
    return support::parqproof({"rewrite", "--shred", value, in, out});
  };
  static constexpr const char* kLegal[] = {
      "", "=none", R"x(={"a":"int64","b":["string"],"c":{"d":"decimal4(2)"},"e":null})x"};
  for (const char* const value : kLegal) {
    INFO(value);
    CHECK(rewrite_with(column + value).code == 0);
    CHECK(support::parqproof({"cat", out}).out == support::parqproof({"cat", in}).out);
    CHECK(support::parqproof({"check", "--quiet", out}).code == 0);
  }
  static constexpr const char* kIllegal[] = {"=",
                                             "=some",
                                             "=null",
                                             R"x(="text")x",
                                             R"x(="decimal4")x",
                                             R"x(="decimal4(10)")x",
                                             R"x(="decimal4(-1)")x",
                                             R"x(="int64(2)")x",
                                             R"x(="null")x",
                                             R"x(="object")x",
                                             "={}",
                                             "=[]",
                                             R"x(=["string","string"])x",
                                             R"x(={"a":"int8","a":"int8"})x",
                                             R"x(={"":"int8"})x",
                                             R"x(={"a":1})x",
                                             R"x(={"a":"int8"} x)x"};
  for (const char* const value : kIllegal) {
    INFO(value);
    const support::Outcome refused = rewrite_with(column + value);
    CHECK(refused.code == 2);
    CHECK(refused.err.contains("--shred"));
  }
  CHECK(rewrite_with("=none").code == 2);
  CHECK(rewrite_with(column + "=" + std::string(200, '[')).code == 2);
}

}  // namespace parqproof
