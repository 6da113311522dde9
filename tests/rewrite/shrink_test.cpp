#include "conformance/rewrite/shrink/shrink.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "codec/write/sink.hpp"
#include "conformance/fault/apply.hpp"
#include "conformance/rewrite/broken_rules.hpp"
#include "conformance/rewrite/rewrite.hpp"
#include "tests/support/judged.hpp"
#include "tests/support/process.hpp"

namespace parqproof {
namespace {

using support::Outcome, support::TemporaryFolder;
using Bytes = std::vector<std::uint8_t>;

/// The rule of a witness, by the folders that it is in.
Rule rule_of(const std::string& witness) {
  const std::filesystem::path folder = std::filesystem::path(witness).parent_path();
  return *find_rule(folder.parent_path().filename().string() + "/" + folder.filename().string());
}

std::vector<std::string> fail_witnesses() {
  std::vector<std::string> paths = support::files_below("corpus/witnesses", ".parquet");
  std::erase_if(paths, [](const std::string& path) { return path.find("/fail-") == std::string::npos; });
  return paths;
}

ShrinkOptions options_for(Rule rule) {
  ShrinkOptions options;
  options.rule = rule;
  options.check.advice = info(rule).severity == Severity::info;
  return options;
}

}  // namespace

TEST_CASE("a shrunk witness still breaks its rule, breaks no other rule, and is not larger") {
  std::size_t shrunk_files = 0;
  std::size_t smaller = 0;
  const std::vector<std::string> paths = fail_witnesses();
  for (std::size_t i = 0; i < paths.size(); i += 5) {
    INFO(paths[i]);
    const Bytes bytes = support::read_bytes(paths[i]);
    if (bytes.size() > 100'000) continue;
    const ShrinkOptions options = options_for(rule_of(paths[i]));
    const RuleSet before = broken_rules(bytes, options.check);
    const auto shrunk = shrink(MemorySource(bytes), options);
    // Some witnesses need options of a check, and some are about rules of several files.
    REQUIRE(shrunk.has_value() == before[static_cast<std::size_t>(options.rule)]);
    if (!shrunk) continue;
    ++shrunk_files;
    smaller += shrunk->bytes.size() < bytes.size() ? 1 : 0;
    const RuleSet after = broken_rules(shrunk->bytes, options.check);
    CHECK(after[static_cast<std::size_t>(options.rule)]);
    CHECK((after & ~before).none());
    CHECK(shrunk->bytes.size() <= bytes.size());
    CHECK(shrunk->checks <= options.max_checks);
    REQUIRE(shrunk->finding.has_value());
    CHECK(shrunk->finding->finding.rule == options.rule);
  }
  CHECK(shrunk_files > 500);
  CHECK(smaller > shrunk_files / 2);
}

TEST_CASE("a file of many columns and row groups is reduced to the one with the fault") {
  for (const char* const name : {"max-value-low", "page-crc", "location-first-row"}) {
    const fault::Fault* const wanted = fault::find_fault(name);
    REQUIRE(wanted != nullptr);
    INFO(name);
    const Bytes base = support::read_bytes("corpus/writers/pyarrow/richest.parquet");
    const MemorySource source(base);
    auto faulty = fault::apply(*wanted, source, 3);
    REQUIRE(faulty.has_value());
    Bytes bytes;
    REQUIRE(faulty->write([&](std::span<const std::uint8_t> more) {
      bytes.insert(bytes.end(), more.begin(), more.end());
      return true;
    }));
    const auto shrunk = shrink(MemorySource(bytes), options_for(wanted->rule));
    REQUIRE(shrunk.has_value());
    CHECK(shrunk->bytes.size() < bytes.size() / 5);
    const FileReport report = support::judged(shrunk->bytes);
    CHECK(report.columns == 1);
    CHECK(report.row_groups == 1);
  }
}

/// A file of DuckDB in another form, with a max that is too low.
Bytes with_low_max(const RewriteOptions& form, std::uint64_t seed) {
  const Bytes source = support::read_bytes("corpus/writers/duckdb/several-row-groups.parquet");
  Bytes written;
  MemorySink sink(written);
  ReadingFailure failure;
  REQUIRE(rewrite(MemorySource(source), form, sink, failure).end == RewriteOutcome::End::complete);
  const MemorySource base(written);
  auto faulty = fault::apply(*fault::find_fault("max-value-low"), base, seed);
  REQUIRE(faulty.has_value());
  Bytes bytes;
  REQUIRE(faulty->write([&](std::span<const std::uint8_t> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return true;
  }));
  return bytes;
}

TEST_CASE("pages, row groups and indexes without the fault are removed with what counts them") {
  RewriteOptions form;
  form.page_rows = 5;
  form.row_group_rows = 200;
  form.page_index = true;
  const Bytes bytes = with_low_max(form, 50);
  CHECK(bytes.size() > 100'000);
  const auto shrunk = shrink(MemorySource(bytes), options_for(*find_rule("statistics/max-value")));
  REQUIRE(shrunk.has_value());
  CHECK(shrunk->bytes.size() < 200);
  CHECK(support::judged(shrunk->bytes).pages == 1);
}

TEST_CASE("rows without the fault are removed from pages of any form") {
  for (const unsigned version : {1U, 2U}) {
    for (const auto& encoding : {std::optional<Encoding>(), std::optional(Encoding::PLAIN)}) {
      RewriteOptions form;
      form.page_version = version;
      form.page_rows = 1'000'000;
      form.row_group_rows = 1'000'000;
      form.codec = CompressionCodec::SNAPPY;
      form.page_index = true;
      if (encoding) form.encodings = {{"", *encoding}};
      for (const std::uint64_t seed : {0U, 1U, 2U}) {
        CAPTURE(version, encoding.has_value(), seed);
        const Bytes bytes = with_low_max(form, seed);
        const FileReport before = support::judged(bytes);
        REQUIRE(before.row_groups == 1);
        REQUIRE(before.rows > 1000);
        const auto shrunk = shrink(MemorySource(bytes), options_for(*find_rule("statistics/max-value")));
        REQUIRE(shrunk.has_value());
        const FileReport after = support::judged(shrunk->bytes);
        CHECK(after.rows == 1);
        CHECK(after.pages <= 2);  // one of them with the dictionary
        CHECK(shrunk->checks < 500);
      }
    }
  }
}

TEST_CASE("a large dictionary is reduced to the entries that the rows with the fault refer to") {
  for (const unsigned version : {1U, 2U}) {
    RewriteOptions form;
    form.page_version = version;
    form.page_rows = 1'000'000;
    form.row_group_rows = 1'000'000;
    form.encodings = {{"", Encoding::RLE_DICTIONARY}};
    for (const std::uint64_t seed : {0U, 1U, 2U}) {
      CAPTURE(version, seed);
      const Bytes bytes = with_low_max(form, seed);
      const auto shrunk = shrink(MemorySource(bytes), options_for(*find_rule("statistics/max-value")));
      REQUIRE(shrunk.has_value());
      const FileReport after = support::judged(shrunk->bytes);
      CHECK(after.rows == 1);
      CHECK(shrunk->bytes.size() < 200);
      const MemorySource source(shrunk->bytes);
      std::string why;
      const auto file = fault::File::open(source, why);
      REQUIRE(file != nullptr);
      for (const fault::PageInfo& page : file->pages()) CHECK(page.num_values == 1);
    }
  }
}

TEST_CASE("an index out of range stays out of range when a dictionary loses its other entries") {
  const Bytes base = support::read_bytes("corpus/writers/pyarrow/richest.parquet");
  const MemorySource source(base);
  const fault::Fault& wanted = *fault::find_fault("dictionary-index");
  auto faulty = fault::apply(wanted, source, 0);
  REQUIRE(faulty.has_value());
  Bytes bytes;
  REQUIRE(faulty->write([&](std::span<const std::uint8_t> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return true;
  }));
  const auto shrunk = shrink(MemorySource(bytes), options_for(wanted.rule));
  REQUIRE(shrunk.has_value());
  const MemorySource small(shrunk->bytes);
  std::string why;
  const auto file = fault::File::open(small, why);
  REQUIRE(file != nullptr);
  for (const fault::PageInfo& page : file->pages())
    if (page.is_dictionary()) CHECK(page.num_values == 0);
}

TEST_CASE("a file without a footer is reduced byte by byte") {
  Bytes bytes(200, std::uint8_t{'x'});
  const auto shrunk = shrink(MemorySource(bytes), options_for(*find_rule("file/head-magic")));
  const FileReport report = support::judged(bytes);
  CHECK(shrunk.has_value() == broken_rules(report)[static_cast<std::size_t>(*find_rule("file/head-magic"))]);
  if (shrunk) CHECK(shrunk->bytes.size() < 20);
}

TEST_CASE("a number of checks bounds the reduction") {
  const Bytes bytes = support::read_bytes("corpus/witnesses/statistics/max-value/fail-a.parquet");
  ShrinkOptions options = options_for(*find_rule("statistics/max-value"));
  options.max_checks = 5;
  const auto shrunk = shrink(MemorySource(bytes), options);
  REQUIRE(shrunk.has_value());
  CHECK(shrunk->checks == 5);
  CHECK(shrunk->is_exhausted);
}

TEST_CASE("rewrite --shrink prints both sizes and the finding") {
  const TemporaryFolder folder;
  const std::string out = folder.path() + "/small.parquet";
  const std::string in = PARQPROOF_SOURCE_DIR "/corpus/witnesses/statistics/max-value/fail-a.parquet";
  const Outcome outcome = support::parqproof({"rewrite", "--shrink", "statistics/max-value", in, out});
  CHECK(outcome.code == 0);
  CHECK(outcome.err.empty());
  CHECK(outcome.out.find(" bytes, 159 before; ") != std::string::npos);
  CHECK(outcome.out.find("row group 0, column a") != std::string::npos);
  CHECK(std::filesystem::file_size(out) < 159);
  CHECK(support::parqproof({"check", "--quiet", out}).code == 1);
}

TEST_CASE("rewrite --shrink exits with 2 for a file that does not break the rule, and for a pattern") {
  const TemporaryFolder folder;
  const std::string out = folder.path() + "/small.parquet";
  const std::string in = PARQPROOF_SOURCE_DIR "/corpus/witnesses/statistics/max-value/fail-a.parquet";
  support::check_rejected(support::parqproof({"rewrite", "--shrink", "crc/match", in, out}),
                          "does not break crc/match");
  support::check_rejected(support::parqproof({"rewrite", "--shrink", "statistics/*", in, out}), "is no rule");
  CHECK(!std::filesystem::exists(out));
}

}  // namespace parqproof
