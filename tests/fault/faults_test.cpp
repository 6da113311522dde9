// Each fault breaks exactly its rule, in files of several writers.
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "codec/encryption/digest.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/fault/apply.hpp"
#include "conformance/fault/fault_index.hpp"
#include "tests/fault/caused.hpp"
#include "tests/support/json_schema.hpp"
#include "tests/support/judged.hpp"
#include "tests/support/process.hpp"

namespace support {
namespace {

using namespace parqproof;
using fault::Fault;
using Bytes = std::vector<std::uint8_t>;

/// Files of other writers and witnesses without an error that have, together, what all faults need.
constexpr const char* kBases[] = {
    "pyarrow/richest",
    "pyarrow/checksums-v2",
    "pyarrow/codec-gzip-v1",
    "pyarrow/byte-stream-split-v2-300",
    "parquet-java/several-pages-nested-v2",
    "parquet-java/default-flat-v2",
    "duckdb/default-flat",
    "polars/several-pages",
    "polars/statistics-off",
    "arrow-rs/bloom-filters-end",
    "arrow-rs/nan-dictionary-off-v2",
    "arrow-rs/alp-several-pages",
    "arrow-rs/coerced-types",
    "arrow-rs/delta-binary-packed-v1-300",
    "parquet-go/several-pages-nested-v1",
    "clickhouse/several-pages-nested",
    "hyparquet/bloom-filters",
    "hyparquet/geometry",
    "hyparquet/variant",
    "arrow-rs/variant",
    "duckdb/variant",
    "duckdb/variant-shredded",
    "duckdb/variant-mixed",
    "duckdb/variant-shredded-struct",
    "duckdb/geometry",
    "duckdb/geometry-geoparquet-v1",
    "duckdb/geometry-geoparquet-v2",
    "pyarrow/encrypted-columns",
    "polars/encrypted-columns",
    "pyarrow/default-nested",
    "duckdb/default-map",
    "polars/map",
    "witnesses/logical-type/bson/pass-a",
    "witnesses/logical-type/int-type/pass-a",
    "witnesses/logical-type/time-range/pass-b",
    "witnesses/logical-type/decimal-digits/pass-b",
    "witnesses/logical-type/converted-match/pass-e",
    "witnesses/statistics/legacy-equals-new/pass-b",
    "witnesses/column-index/zero-bound/pass-a",
    "witnesses/logical-type/json/pass-a",
    "witnesses/geo/bbox-range/pass-a",
    "witnesses/geo/bbox-pairs/pass-a",
    "witnesses/shredding/disjoint-fields/pass-a",
    "witnesses/bloom-filter/block-words/pass-a",
    "witnesses/wkb/ring-points/pass-b",
    "witnesses/file-type/fields/pass-a",
    "witnesses/file-type/checksum/pass-a",
    "witnesses/file-type/checksum-form/pass-a",
    "witnesses/file-type/checksum-form/pass-b",
    "witnesses/file-type/content-type/pass-a",
    "witnesses/file-type/negative/pass-a",
    "witnesses/file-type/uri/pass-a",
    "witnesses/wkb/line-points/pass-a",
    "witnesses/wkb/count/pass-b",
    "witnesses/geoparquet/bbox/pass-a",
    "witnesses/variant/metadata-sorted/pass-a",
    "witnesses/variant/metadata-utf8/pass-a",
    "witnesses/shredding/conflict/pass-a",
    "witnesses/shredding/object-not-typed/pass-a",
    "witnesses/shredding/array-not-typed/pass-a",
    "witnesses/shredding/name/pass-a",
    "witnesses/bit-packed/padding/pass-a",
};

/// Those of the edition of 2013, under whose profile they are judged.
constexpr const char* kHistoricalBases[] = {
    "witnesses/index-page/child/pass-a",
    "witnesses/group-var-int/group/pass-a",
    "witnesses/group-var-int/padding/pass-a",
    "witnesses/group-var-int/selector-bit/pass-a",
};

Bytes base_bytes(const char* name) {
  const std::string path(name);
  return read_bytes("corpus/" + std::string(path.starts_with("witnesses/") ? "" : "writers/") + path +
                    ".parquet");
}

/// Bases that `rewrite` makes with these options: with sizes of values, checksums and page indexes.
struct Rewritten {
  const char* base;
  std::vector<std::string> options;
  Profile profile = Profile::strict;
};
const Rewritten kRewritten[] = {
    {"duckdb/variant", {"--encoding", "PLAIN", "--page-index"}},
    {"witnesses/variant/metadata-utf8/pass-a", {"--page-index"}},
    {"witnesses/file-type/checksum/pass-a", {"--page-version", "2"}},
    {"witnesses/wkb/count/pass-b", {"--encoding", "PLAIN", "--page-index"}},
    {"witnesses/wkb/line-points/pass-a", {"--compression", "ZSTD", "--page-version", "2"}},
    {"duckdb/default-flat", {"--encoding", "GROUP_VAR_INT", "--profile", "historical"}, Profile::historical},
    {"witnesses/index-page/child/pass-a", {"--profile", "historical"}, Profile::historical},
};

Bytes rewritten(const Rewritten& one) {
  const TemporaryFolder folder;
  const Bytes bytes = base_bytes(one.base);
  const std::string in = folder.write("in.parquet", std::string(bytes.begin(), bytes.end()));
  const std::string out = folder.path() + "/out.parquet";
  std::vector<std::string> arguments{"rewrite"};
  arguments.insert(arguments.end(), one.options.begin(), one.options.end());
  arguments.insert(arguments.end(), {in, out});
  REQUIRE(parqproof(arguments).code == 0);
  std::ifstream file(out, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

/// Applies each fault to a base, and counts those that could be applied.
void apply_all(const char* base, const Bytes& bytes, Profile profile,
               std::map<std::string_view, std::size_t>& applied) {
  const FileReport before = report_of(bytes, profile);
  INFO(base);
  REQUIRE(std::ranges::none_of(before.findings,
                               [](const ReportedFinding& one) { return one.severity == Severity::error; }));
  const MemorySource source(bytes);
  for (const Fault& fault : fault::all_faults()) {
    if (!severities_under(profile)[static_cast<std::size_t>(fault.rule)]) continue;
    auto faulty = fault::apply(fault, source);
    if (!faulty) continue;
    INFO(fault.name << " in " << base << ", " << faulty->place);
    const Bytes changed = written(*faulty);
    const Caused found = caused(fault, *faulty, before, report_of(changed, profile));
    CHECK(found.right > 0);
    CHECK((faulty->at.row_group >= 0) == (fault.where >= fault::Where::row_group));
    CHECK((faulty->at.leaf >= 0) ==
          (fault.where >= fault::Where::chunk || fault.where == fault::Where::leaf));
    CHECK(found.others == "");
    ++applied[fault.name];
  }
}

TEST_CASE("each fault breaks its rule and no other, in each file that has what it needs", "[fault]") {
  std::map<std::string_view, std::size_t> applied;
  for (const char* const base : kBases) apply_all(base, base_bytes(base), Profile::strict, applied);
  for (const char* const base : kHistoricalBases)
    apply_all(base, base_bytes(base), Profile::historical, applied);
  for (const Rewritten& one : kRewritten) apply_all(one.base, rewritten(one), one.profile, applied);
  for (const Fault& fault : fault::all_faults()) {
    INFO(fault.name);
    CHECK(applied[fault.name] > 0);
  }
}

TEST_CASE("a fault is not taken for blocks of another write, nor for the fault of another page", "[fault]") {
  struct Case {
    const char* fault;
    const char* base;
    std::uint64_t seed;
  };
  for (const Case& one :
       {Case{"page-size-beyond-file", "hyparquet/delta-byte-array-300", 3},
        Case{"v1-page-num-values-missing", "witnesses/column-chunk/data-page-offset/pass-a", 2}}) {
    INFO(one.fault << " in " << one.base);
    const Bytes bytes = base_bytes(one.base);
    const MemorySource source(bytes);
    const Fault& fault = *fault::find_fault(one.fault);
    auto faulty = fault::apply(fault, source, one.seed);
    REQUIRE(faulty);
    const Bytes changed = written(*faulty);
    const Caused found =
        caused(fault, *faulty, report_of(bytes, Profile::strict), report_of(changed, Profile::strict));
    CHECK(found.right > 0);
    CHECK(found.others == "");
  }
}

TEST_CASE("a seed selects another place, and the same seed gives the same file", "[fault]") {
  const Bytes bytes = base_bytes("pyarrow/richest");
  const MemorySource source(bytes);
  const Fault* const wanted = fault::find_fault("max-value-low");
  REQUIRE(wanted != nullptr);
  std::set<std::string> places;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    auto one = fault::apply(*wanted, source, seed);
    auto again = fault::apply(*wanted, source, seed);
    REQUIRE((one && again));
    places.insert(one->place);
    CHECK(written(*one) == written(*again));
  }
  CHECK(places.size() > 1);
}

TEST_CASE("the index has other rows for a fault that changes a value, and the same for one of a page",
          "[fault]") {
  std::size_t changed = 0;
  for (const char* const base : {"hyparquet/geometry", "witnesses/file-type/checksum/pass-a",
                                 "witnesses/bit-packed/padding/pass-a", "duckdb/default-flat"}) {
    const Bytes bytes = base_bytes(base);
    const MemorySource source(bytes);
    const std::string rows = fault::rows_of(source);
    for (const Fault& fault : fault::all_faults()) {
      const bool is_of_page = fault.where == fault::Where::page || fault.where == fault::Where::data_page;
      auto faulty = is_of_page && fault.reader != fault::Reader::reject
                        ? fault::apply(fault, source)
                        : std::unexpected(std::string("it is not about pages that can be read"));
      if (!faulty) continue;
      INFO(fault.name << " in " << base);
      const Bytes out = written(*faulty);
      const std::string after = fault::rows_of(MemorySource(out));
      if (!after.empty()) CHECK((after != rows) == fault::changes_rows(fault));
      changed += fault::changes_rows(fault) ? 1U : 0U;
    }
  }
  CHECK(changed > 8);
}

TEST_CASE("names of faults are unique, and each states what it needs", "[fault]") {
  std::set<std::string_view> names;
  for (const Fault& fault : fault::all_faults()) {
    INFO(fault.name);
    CHECK(names.insert(fault.name).second);
    CHECK(fault::find_fault(fault.name) == &fault);
    CHECK(!fault::needs_of(fault).empty());
    CHECK(std::ranges::all_of(
        fault.name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }));
    // Rows are lost for good only by a rule that is an error.
    if (fault.reader == fault::Reader::reject) CHECK(info(fault.rule).severity != Severity::info);
  }
  CHECK(names.size() >= 350);
  CHECK(fault::find_fault("no-such-fault") == nullptr);
}

TEST_CASE("each error and warning has a fault, or a reason why there is none", "[fault]") {
  std::set<Rule> broken;
  for (const Fault& fault : fault::all_faults()) broken.insert(fault.rule);
  std::map<std::string, std::string> reasons;
  std::istringstream table(source_file("conformance/fault/without_fault.tsv"));
  std::string line;
  REQUIRE(std::getline(table, line));
  CHECK(line == "rule\treason");
  while (std::getline(table, line)) {
    const std::size_t tab = line.find('\t');
    REQUIRE(tab != std::string::npos);
    INFO(line);
    std::size_t rules = 0;
    for (const RuleInfo& rule : all_rules()) {
      const bool is_pattern = line[tab - 1] == '*';
      if (is_pattern ? rule.id.starts_with(line.substr(0, tab - 1)) : rule.id == line.substr(0, tab))
        rules += reasons.emplace(rule.id, line.substr(tab + 1)).second ? 1 : 0;
    }
    CHECK(rules > 0);
    CHECK(line.size() > tab + 10);
  }
  for (const RuleInfo& rule : all_rules()) {
    INFO(rule.id);
    const bool is_listed = reasons.contains(std::string(rule.id));
    const bool needs_one = rule.severity != Severity::info && !broken.contains(*find_rule(rule.id));
    CHECK(is_listed == needs_one);
  }
}

TEST_CASE("a fault is put into a file that lacks a field, or refused", "[fault]") {
  const Bytes bytes = base_bytes("pyarrow/richest");
  const MemorySource base(bytes);
  std::size_t refused = 0;
  std::size_t applied = 0;
  for (const Fault& first : fault::all_faults()) {
    if (!first.name.ends_with("-missing") && !first.name.ends_with("-binary")) continue;
    auto faulty = fault::apply(first, base);
    if (!faulty) continue;
    const Bytes changed = written(*faulty);
    const MemorySource source(changed);
    for (const Fault& second : fault::all_faults()) {
      INFO(second.name << " after " << first.name);
      auto both = fault::apply(second, source);
      (both ? applied : refused) += 1;
      if (!both) CHECK(!both.error().empty());
    }
  }
  CHECK(applied > 1000);
  CHECK(refused > 1000);
}

TEST_CASE("a wrong location is that of the last page", "[fault]") {
  const Bytes bytes = base_bytes("parquet-java/several-pages-nested-v2");
  const MemorySource source(bytes);
  auto faulty = fault::apply(*fault::find_fault("location-first-row"), source);
  REQUIRE(faulty);
  const model::Tree* const index = faulty->file->model().tree(faulty->segment);
  REQUIRE(index != nullptr);
  const std::size_t pages = index->children(*index->find("page_locations")).size();
  const FileReport report = report_of(written(*faulty), Profile::strict);
  CHECK(std::ranges::any_of(report.findings, [&](const ReportedFinding& one) {
    return one.finding.field ==
           "offset_index.page_locations[" + std::to_string(pages - 1) + "].first_row_index";
  }));
}

TEST_CASE("a file that cannot be changed is refused with the reason", "[fault]") {
  const auto why_not = [](const Bytes& bytes, const char* name) {
    const MemorySource source(bytes);
    const auto faulty = fault::apply(*fault::find_fault(name), source);
    REQUIRE(!faulty);
    return faulty.error();
  };
  CHECK(why_not(base_bytes("arrow-rs/encrypted-footer"), "max-value-low") == "its footer is encrypted");
  CHECK(why_not(base_bytes("pyarrow/encrypted-columns"), "max-value-low") ==
        "its footer is signed, so it can only have faults of encryption");
  CHECK(why_not({'P', 'A', 'R', '1'}, "max-value-low") ==
        "its footer cannot be read: file/min-size at byte 0");
  CHECK(why_not(base_bytes("witnesses/column-chunk/meta-data/fail-a"), "sorting-order") ==
        "it needs a row group");
  CHECK(why_not(base_bytes("polars/statistics-off"), "max-value-low") ==
        "it needs bounds of signed integers, min below max");
}

TEST_CASE("SHA-256 of pieces is that of FIPS 180-4", "[fault]") {
  const auto digest = [](std::string_view text, std::size_t piece) {
    parqproof::Digest sha256(parqproof::Digest::Algorithm::sha256);
    const std::span bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    for (std::size_t at = 0; at < bytes.size(); at += piece)
      sha256.add(bytes.subspan(at, std::min(piece, bytes.size() - at)));
    return sha256.hex();
  };
  CHECK(digest("", 1) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(digest("abc", 1) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const std::string_view two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  for (const std::size_t piece : {1U, 7U, 55U, 56U, 64U})
    CHECK(digest(two_blocks, piece) == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST_CASE("mutate writes a file complete or not at all, and never over its input", "[fault]") {
  const TemporaryFolder folder;
  const std::string bytes = source_file("corpus/writers/pyarrow/richest.parquet");
  const std::string in = folder.write("in.parquet", bytes);
  const std::string out = folder.path() + "/out.parquet";
  const Outcome outcome = parqproof({"mutate", "--fault", "max-value-low", in, out});
  CHECK(outcome.code == 0);
  CHECK(outcome.out.find("statistics/max-value in row group 0, column ") != std::string::npos);
  CHECK(parqproof({"check", out}).code == 1);
  CHECK(parqproof({"check", in}).code == 0);
  check_rejected(parqproof({"mutate", "--fault", "max-value-low", in, in}), "never replaced");
  check_rejected(parqproof({"mutate", "--fault", "alp-log-vector-size", in, out + "2"}), "it needs");
  check_rejected(parqproof({"mutate", "--fault", "no-such-fault", in, out}), "there is no fault");
  check_rejected(parqproof({"mutate", "--fault", "max-value-low", in}), "IN and OUT");
  check_rejected(parqproof({"mutate", in}), "one of --list, --fault and --all");
  check_rejected(parqproof({"mutate", "--fault", "max-value-low", in, folder.path() + "/none/out"}),
                 "No such file");
  CHECK(parqproof({"check", out + "2"}).code == 2);
}

TEST_CASE("mutate --list prints all faults, and which apply to a file", "[fault]") {
  using nlohmann::json;
  const json all = json::parse(parqproof({"mutate", "--list", "--format", "json"}).out);
  REQUIRE(all.size() == fault::all_faults().size());
  CHECK(all[0].contains("name"));
  CHECK(all[0].contains("rule"));
  CHECK(all[0].contains("needs"));
  const TemporaryFolder folder;
  const std::string in =
      folder.write("in.parquet", source_file("corpus/writers/polars/statistics-off.parquet"));
  std::size_t no = 0;
  for (const json& one : json::parse(parqproof({"mutate", "--list", "--format", "json", in}).out)) {
    CHECK(one["applies"] == !one.contains("why"));
    no += one["applies"] ? 0U : 1U;
  }
  CHECK(no > 50);
  CHECK(no < all.size() - 50);
}

TEST_CASE("mutate --all writes files that its index describes", "[fault]") {
  using nlohmann::json;
  const TemporaryFolder folder;
  const std::string in =
      folder.write("in.parquet", source_file("corpus/writers/hyparquet/bloom-filters.parquet"));
  const std::string out = folder.path() + "/faults";
  const Outcome outcome = parqproof({"mutate", "--all", out, in});
  REQUIRE(outcome.code == 0);
  const auto read = [&](const std::string& path) {
    std::ifstream file(out + "/" + path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const auto digest = [](const std::string& bytes) {
    parqproof::Digest sha256(parqproof::Digest::Algorithm::sha256);
    sha256.add({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    return sha256.hex();
  };
  const json index = json::parse(read("index.json"));
  CHECK(validate(json::parse(source_file("conformance/json-schema/index.schema.json")), index) == "");
  CHECK(index["files"].size() > 80);
  // A line for each file, and for each digest of rows.
  const std::string text = read("index.json");
  CHECK(static_cast<std::size_t>(std::ranges::count(text, '\n')) <
        index["files"].size() + index["rows"].size() + 10);
  for (const json& file : index["files"]) {
    INFO(file["file"]);
    const std::string name = file["file"];
    CHECK(digest(read(name)) == file["sha256"].get<std::string>());
    CHECK(json::parse(read(name.substr(0, name.rfind('.')) + ".json")) == file);
    CHECK((file["duty"] == "accept") == !file.contains("clause"));
    if (file.contains("rows"))
      CHECK(index["rows"][file["rows"].get<std::string>()].get<std::string>() == digest(read(file["rows"])));
  }
}

}  // namespace
}  // namespace support
