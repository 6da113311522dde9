// Each fault breaks exactly its rule in files of every kind, or says what they lack.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "codec/base/source.hpp"
#include "codec/encoding/table.hpp"
#include "codec/rules/rule.hpp"
#include "codec/write/sink.hpp"
#include "conformance/fault/apply.hpp"
#include "conformance/rewrite/rewrite.hpp"
#include "tests/fault/caused.hpp"
#include "tests/support/judged.hpp"
#include "tests/sweep/sweep.hpp"

namespace support {
namespace {

using namespace parqproof;
using fault::Fault;
using Bytes = std::vector<std::uint8_t>;

/// Larger files take longer, and have no other kinds of structures.
constexpr std::size_t kMaxBytes = 16'384;

/// A file without an error.
struct Base {
  std::string name;
  Bytes bytes;
  Profile profile = Profile::strict;
};

/// Returns true if the file has no error under its profile, which becomes `historical` if it needs that.
bool is_sound(Base& base, FileReport& report) {
  for (const Profile profile : {Profile::strict, Profile::historical}) {
    base.profile = profile;
    report = report_of(base.bytes, profile);
    if (std::ranges::none_of(report.findings,
                             [](const ReportedFinding& one) { return one.severity == Severity::error; }))
      return true;
  }
  return false;
}

/// Applies a fault at one place; a complaint if it does not break just its rule there. nullopt: refused.
std::optional<std::string> complaint_of(const Fault& fault, const Base& base, const FileReport& before,
                                        std::uint64_t seed) {
  // Of missing bytes the diagnosis may say that they are of another write, which explains them as well.
  if (fault.name == "bytes-missing" || fault.name == "text-mode") return std::nullopt;
  const bool is_judged = severities_under(base.profile)[static_cast<std::size_t>(fault.rule)].has_value();
  if (!is_judged || breaks(before, fault.rule)) return std::nullopt;
  const MemorySource source(base.bytes);
  auto faulty = fault::apply(fault, source, seed);
  if (!faulty) return faulty.error().empty() ? std::optional<std::string>("no reason") : std::nullopt;
  const Bytes changed = written(*faulty);
  const Caused found = caused(fault, *faulty, before, report_of(changed, base.profile));
  if (found.right != 0 && found.others.empty()) return "";
  return std::string(fault.name) + " in " + base.name + " (seed " + std::to_string(seed) + ", " +
         faulty->place + "): " + (found.right == 0 ? "not its rule there; " : "") + found.others;
}

/// Files that `rewrite` makes from unusual ones.
std::vector<Base> rewritten_bases() {
  const std::vector<std::string> sources{
      "pyarrow/all-null",
      "pyarrow/zero-rows",
      "pyarrow/one-row",
      "pyarrow/no-columns",
      "pyarrow/field-ids",
      "pyarrow/rle-boolean-v2",
      "pyarrow/default-nested",
      "pyarrow/several-pages-v1",
      "pyarrow/dictionary-of-one",
      "pyarrow/other-types",
      "pyarrow/row-groups-some-empty",
      "pyarrow/nan",
      "duckdb/default-flat",
      "duckdb/variant-shredded-struct",
      "hyparquet/geometry",
  };
  std::vector<std::pair<std::string, RewriteOptions>> forms;
  const auto form = [&](std::string name, auto&& set) {
    RewriteOptions options;
    set(options);
    forms.emplace_back(std::move(name), std::move(options));
  };
  form("v1", [](RewriteOptions& o) { o.page_version = 1; });
  form("v2", [](RewriteOptions& o) { o.page_version = 2, o.page_index = true; });
  form("no statistics", [](RewriteOptions& o) { o.statistics = false, o.checksums = false; });
  form("pages of one row", [](RewriteOptions& o) { o.page_rows = 1, o.page_index = true; });
  form("groups of one row", [](RewriteOptions& o) { o.row_group_rows = 1; });
  form("PLAIN, ZSTD", [](RewriteOptions& o) {
    o.encodings = {{"", Encoding::PLAIN}};
    o.codec = CompressionCodec::ZSTD;
  });
  form("dictionaries, GZIP", [](RewriteOptions& o) {
    o.encodings = {{"", Encoding::RLE_DICTIONARY}};
    o.codec = CompressionCodec::GZIP;
    o.page_version = 2;
  });
  form("DELTA, not compressed", [](RewriteOptions& o) {
    o.encodings = {{"", Encoding::DELTA_BINARY_PACKED}, {"", Encoding::DELTA_BYTE_ARRAY}};
    o.codec = CompressionCodec::UNCOMPRESSED;
  });
  std::vector<Base> bases;
  for (const std::string& source : sources) {
    const Bytes bytes = read_bytes("corpus/writers/" + source + ".parquet");
    for (const auto& [name, options] : forms) {
      Base base{source + ", " + name, {}};
      MemorySink sink(base.bytes);
      ReadingFailure failure;
      if (rewrite(MemorySource(bytes), options, sink, failure).end == RewriteOutcome::End::complete &&
          base.bytes.size() <= kMaxBytes)
        bases.push_back(std::move(base));
    }
  }
  return bases;
}

/// Files of all writers, and of the builder.
std::vector<Base> corpus_bases() {
  std::vector<Base> bases;
  for (const char* const folder : {"corpus/writers", "corpus/witnesses"}) {
    for (const std::string& path : files_below(folder, ".parquet")) {
      if (path.starts_with("corpus/witnesses") && path.find("/pass-") == std::string::npos) continue;
      // An earlier footer states other counts, so that the evidence is not that of one fault.
      if (path.starts_with("corpus/witnesses/recovery/")) continue;
      Base base{path, read_bytes(path)};
      if (base.bytes.size() <= kMaxBytes) bases.push_back(std::move(base));
    }
  }
  return bases;
}

/// Applies each fault to some of `files` bases, at a place that the case selects. Prints the number of cases.
void sweep_faults(std::vector<Base> bases, std::size_t files, std::size_t usual) {
  std::map<std::string_view, std::size_t> left;
  for (const Fault& fault : fault::all_faults()) left[fault.name] = cases_per_kind(usual);
  std::ranges::sort(bases, {}, [](const Base& base) { return fixed_hash(base.name, 0); });
  std::size_t cases = 0;
  std::size_t refused = 0;
  bases.resize(std::min(bases.size(), cases_per_kind(files)));
  for (Base& base : bases) {
    FileReport before;
    if (!is_sound(base, before)) continue;
    for (const Fault& fault : fault::all_faults()) {
      if (left[fault.name] == 0) continue;
      const std::uint64_t seed = fixed_hash(base.name + std::string(fault.name), 0) % 5;
      const auto complaint = complaint_of(fault, base, before, seed);
      if (!complaint) {
        ++refused;
        continue;
      }
      --left[fault.name];
      ++cases;
      if (!complaint->empty()) FAIL_CHECK(*complaint);
    }
  }
  std::cout << cases << " cases, " << refused << " refused (PARQPROOF_SWEEP=few, usual, all)\n";
  CHECK(cases > 300);
}

TEST_CASE("each fault breaks its rule and no other in unusual files of our writer", "[fault]") {
  sweep_faults(rewritten_bases(), 16, 8);
}

TEST_CASE("each fault breaks its rule and no other in files of all writers and of the builder", "[fault]") {
  sweep_faults(corpus_bases(), 32, 8);
}

}  // namespace
}  // namespace support
