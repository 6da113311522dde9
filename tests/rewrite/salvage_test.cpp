// Damages files of several writers, and salvages their rows. PARQPROOF_SWEEP=all takes 200 damages of each
// file.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codec/model/parse.hpp"
#include "codec/page/page_walk.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/rewrite/page_fit.hpp"
#include "conformance/rewrite/rewrite.hpp"
#include "conformance/rewrite/source_chunks.hpp"
#include "fuzz/invariants.hpp"
#include "tests/support/judged.hpp"
#include "tests/support/process.hpp"
#include "tests/sweep/sweep.hpp"

namespace parqproof {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::vector<std::string> lines_of_rows(const Bytes& bytes) {
  const MemorySource source(bytes);
  return lines_of(fuzz::rows_of(source, {}).text);
}

/// Bytes of a page, and the rows that are lost with it.
struct PageRows {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t first_row = 0;
  std::uint64_t end_row = 0;
  bool has_checksum = false;
};

/// Finds the pages of an intact file and their rows.
std::vector<PageRows> pages_of(const Source& source) {
  std::vector<PageRows> out;
  const Limits limits;
  ReadingFailure failure;
  RowFooter footer(source, limits, failure);
  REQUIRE(footer.read());
  ReadingContext context{footer.schema(), limits};
  RowChunks chunks(source, nullptr, footer, failure, context);
  std::vector<std::size_t> leaves;
  for (std::size_t i = 0; i < footer.schema().leaf_count(); ++i) leaves.push_back(i);
  SourceChunks found(footer, chunks, leaves, limits, false);
  REQUIRE(found.read(failure));
  PageFit fit(source, footer.schema(), limits);
  std::uint64_t before = 0;
  for (const SourceRowGroup& group : found.row_groups()) {
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      const StoredChunk& stored = group.chunks[leaf].stored;
      PageReader reader(source, limits, 0);
      const RegionMap alone;
      PageWalk walk(reader, alone, stored.extent, {});
      std::optional<Page> dictionary;
      std::uint64_t row = before;
      while (walk.next(nullptr) == PageWalk::Step::page) {
        const Page& page = walk.page();
        PageRows one{page.offset, page.end(), before, before + group.rows.value_or(0),
                     page.header.has(PageHeader::id_crc)};
        if (page.is_dictionary()) {
          dictionary = page;
        } else if (page.is_data()) {
          auto rows = fit.fit(page, leaf, dictionary ? &*dictionary : nullptr, stored.codec);
          if (!rows) rows = fit.stated(page, leaf);
          REQUIRE(rows.has_value());
          one.first_row = row - (rows->continues ? 1 : 0);
          one.end_row = row += rows->rows;
        }
        out.push_back(one);
      }
      CHECK(row == before + group.rows.value_or(0));
    }
    before += group.rows.value_or(0);
  }
  return out;
}

/// Damage to bytes of the original.
struct Damaged {
  std::string what;
  Bytes bytes;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

Damaged damage(const Bytes& original, const std::string& name, std::uint64_t number) {
  constexpr std::uint64_t kSectorBytes = 512;
  std::uint64_t draws = number * 16;
  const auto draw = [&](std::uint64_t below) { return support::fixed_hash(name, ++draws) % below; };
  const std::uint64_t size = original.size();
  Damaged out{{}, original, 0, 0};
  const auto at = [&](std::uint64_t offset) {
    return out.bytes.begin() + static_cast<std::ptrdiff_t>(offset);
  };
  switch (number % 5) {
    case 0:
      out.begin = draw((size + kSectorBytes - 1) / kSectorBytes) * kSectorBytes;
      out.end = std::min(size, out.begin + kSectorBytes);
      std::fill(at(out.begin), at(out.end), std::uint8_t{0});
      out.what = "zeroed";
      break;
    case 1:
      out.begin = draw(3) == 0 ? size - 1 - draw(std::min<std::uint64_t>(size - 1, 2000)) : draw(size);
      out.end = size;
      out.bytes.resize(out.begin);
      out.what = "cut";
      break;
    case 2:
    case 3: {
      const std::uint64_t length = 1 + draw(64);
      out.begin = draw(size - length);
      out.end = out.begin + length;
      if (number % 5 == 2) {
        out.bytes.erase(at(out.begin), at(out.end));
        out.what = "dropped";
      } else {
        const Bytes part(at(out.begin), at(out.end));
        out.bytes.insert(at(out.end), part.begin(), part.end());
        out.begin = out.end;
        out.end = out.begin + 1;
        out.what = "doubled";
      }
      break;
    }
    default:
      out.begin = draw(size);
      out.end = out.begin + 1;
      *at(out.begin) ^= static_cast<std::uint8_t>(1U << draw(8));
      out.what = "bit";
  }
  out.what += " [" + std::to_string(out.begin) + ", " + std::to_string(out.end) + ")";
  return out;
}

struct Tally {
  std::uint64_t cases = 0;
  std::uint64_t written = 0;
  std::uint64_t untouched = 0;  ///< rows
  std::uint64_t saved = 0;      ///< of them
  std::uint64_t silent = 0;     ///< wrong rows of damaged pages without a checksum
};

/// A file of the sweep.
class Original {
 public:
  explicit Original(Bytes bytes)
      : bytes_(std::move(bytes)), source_(bytes_), rows_(lines_of_rows(bytes_)), pages_(pages_of(source_)) {
    for (std::size_t i = 0; i < rows_.size(); ++i) places_[rows_[i]].push_back(i);
    for (const ReportedFinding& found : support::judged(bytes_).findings) rules_.insert(found.finding.rule);
  }

  void salvage(const std::string& name, std::uint64_t number, Tally& tally) const {
    const Damaged damaged = damage(bytes_, name, number);
    INFO(name << ", damage " << number << ": " << damaged.what);
    const MemorySource source(damaged.bytes);
    Bytes out;
    MemorySink sink(out);
    ReadingFailure failure;
    RewriteOptions options;
    options.salvage = true;
    options.schema_from = &source_;
    const RewriteOutcome outcome = rewrite(source, options, sink, failure);
    ++tally.cases;
    std::vector<bool> touched(rows_.size(), false);
    bool has_silent = false;
    for (const PageRows& page : pages_) {
      if (page.begin >= damaged.end || damaged.begin >= page.end) continue;
      has_silent = has_silent || !page.has_checksum;
      for (std::uint64_t row = page.first_row; row < page.end_row; ++row) touched[row] = true;
    }
    const auto lost = static_cast<std::uint64_t>(std::ranges::count(touched, true));
    std::uint64_t saved = 0;
    if (outcome.end == RewriteOutcome::End::complete) {
      ++tally.written;
      // Wrong values of a page without checksum may break any rule of values.
      if (!has_silent) check_findings(out);
      saved = check_rows(lines_of_rows(out), touched, has_silent, tally);
    } else {
      INFO(outcome.why << failure.why());
      CHECK(outcome.end != RewriteOutcome::End::unwritten);
    }
    tally.untouched += rows_.size() - lost;
    tally.saved += saved;
  }

 private:
  void check_findings(const Bytes& out) const {
    for (const ReportedFinding& found : support::judged(out).findings) {
      if (found.severity != Severity::error || rules_.contains(found.finding.rule)) continue;
      INFO(info(found.finding.rule).id);
      CHECK(found.severity != Severity::error);
    }
  }

  /// Rows come in the order of the original. Returns the number of untouched ones.
  std::uint64_t check_rows(const std::vector<std::string>& rows, const std::vector<bool>& touched,
                           bool has_silent, Tally& tally) const {
    std::uint64_t saved = 0;
    std::uint64_t wrong = 0;
    std::size_t next = 0;
    std::string first_wrong;
    for (const std::string& row : rows) {
      const auto known = places_.find(row);
      const auto place = known == places_.end() ? std::vector<std::size_t>::const_iterator()
                                                : std::ranges::lower_bound(known->second, next);
      if (known == places_.end() || place == known->second.end()) {
        ++wrong;
        if (first_wrong.empty()) first_wrong = row;
        continue;
      }
      next = *place + 1;
      saved += touched[*place] ? 0 : 1;
    }
    INFO(first_wrong);
    if (has_silent && wrong <= static_cast<std::uint64_t>(std::ranges::count(touched, true))) {
      tally.silent += wrong;
    } else {
      CHECK(wrong == 0);
    }
    return saved;
  }

  Bytes bytes_;
  MemorySource source_;
  std::vector<std::string> rows_;
  std::vector<PageRows> pages_;
  std::map<std::string, std::vector<std::size_t>> places_;
  std::set<Rule> rules_;
};

}  // namespace

TEST_CASE("salvaged files have the intact rows of damaged ones and no other rows", "[sweep]") {
  const std::uint64_t damages = std::min<std::size_t>(200, support::cases_per_kind(15));
  Tally all;
  std::vector<std::string> files;
  for (const char* const name :
       {"arrow-rs/bloom-filters-after-row-group", "arrow-rs/richest", "duckdb/several-row-groups",
        "duckdb/v2-several-row-groups", "fastparquet/several-row-groups-snappy-statistics",
        "parquet-java/bloom-filters-adaptive", "polars/several-row-groups-nested",
        "pyarrow/page-index-several-row-groups", "pyarrow/richest", "pyarrow/several-row-groups-nested"})
    files.push_back(std::string("corpus/writers/") + name + ".parquet");
  for (const std::string& name : files) {
    Tally tally;
    const Original original(support::read_bytes(name));
    for (std::uint64_t number = 0; number < damages; ++number) original.salvage(name, number, tally);
    std::cout << name << ": " << tally.cases << " damages, " << tally.written << " files written, "
              << tally.saved << " of " << tally.untouched << " intact rows saved, " << tally.silent
              << " rows wrong in pages without checksum\n";
    all.cases += tally.cases;
    all.untouched += tally.untouched;
    all.saved += tally.saved;
  }
  constexpr double kShare = 0.95;
  std::cout << "salvaged: " << all.saved << " of " << all.untouched << " intact rows in " << all.cases
            << " damages (PARQPROOF_SWEEP=few, usual, all)\n";
  CHECK(static_cast<double>(all.saved) >= kShare * static_cast<double>(all.untouched));
}

namespace {

using support::Outcome, support::parqproof, support::TemporaryFolder;

/// Writes the first bytes of a file of the corpus.
std::string cut_file(const TemporaryFolder& folder, const std::string& name, std::uint64_t less) {
  const std::string bytes = support::source_file("corpus/writers/" + name);
  return folder.write("cut.parquet", bytes.substr(0, bytes.size() - less));
}

}  // namespace

TEST_CASE("a file without a footer is salvaged with the schema of a sibling, and refused without") {
  const TemporaryFolder folder;
  const std::string sibling = PARQPROOF_SOURCE_DIR "/corpus/writers/duckdb/several-row-groups.parquet";
  const std::string cut = cut_file(folder, "duckdb/several-row-groups.parquet", 5000);
  const std::string out = folder.path() + "/out.parquet";
  const Outcome refused = parqproof({"rewrite", "--salvage", cut, out});
  CHECK(refused.code == 2);
  CHECK(refused.err.find("the schema with it; --schema-from FILE") != std::string::npos);
  const Outcome saved = parqproof({"rewrite", "--salvage", "--schema-from", sibling, cut, out});
  CHECK(saved.code == 1);
  CHECK(saved.err.find("1 row group with 2048 rows was found by page headers") != std::string::npos);
  CHECK(saved.err.find("guessed: ") != std::string::npos);
  CHECK(parqproof({"cat", out}).out == parqproof({"cat", "--rows", "0:2048", sibling}).out);
  CHECK(parqproof({"meta", "--format", "json", out}).out.find("found by page headers") != std::string::npos);
  const std::string other = PARQPROOF_SOURCE_DIR "/corpus/writers/pyarrow/one-row.parquet";
  CHECK(parqproof({"rewrite", "--schema-from", sibling, cut, out}).code == 2);
  (void)parqproof({"rewrite", "--salvage", "--schema-from", other, cut, out + ".2"});
  CHECK(parqproof({"cat", out + ".2"}).out.empty());
}

TEST_CASE("a file whose footer lacks its end is salvaged by what is left of it") {
  const TemporaryFolder folder;
  const std::string name = "pyarrow/several-row-groups.parquet";
  const std::string rows = parqproof({"cat", PARQPROOF_SOURCE_DIR "/corpus/writers/" + name}).out;
  for (const std::uint64_t less : {2U, 8U, 100U, 500U, 900U}) {
    INFO(less);
    const std::string out = folder.path() + "/out.parquet";
    const Outcome saved = parqproof({"rewrite", "--salvage", cut_file(folder, name, less), out});
    CHECK(saved.code == 1);
    CHECK(saved.err.find("the footer is lost") != std::string::npos);
    CHECK(parqproof({"cat", out}).out == rows);
    CHECK(parqproof({"check", "--quiet", out}).code == 0);
  }
}

namespace {

Bytes file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("row groups of a file of one column begin where indexes or filters show it") {
  const TemporaryFolder folder;
  const auto divided = [&](const std::string& name, const std::string& index) {
    const std::string intact = PARQPROOF_SOURCE_DIR "/corpus/writers/" + name;
    const std::string one = folder.path() + "/one.parquet";
    REQUIRE(parqproof({"rewrite", "--columns", "count", "--encoding", "PLAIN", "--page-rows", "50",
                       "--row-group-rows", "60", index, intact, one})
                .code == 0);
    const Bytes bytes = file_bytes(one);
    const std::size_t length = bytes[bytes.size() - 8] + 256U * bytes[bytes.size() - 7];
    const auto footer = bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() - 8 - length);
    const std::string cut = folder.write("cut.parquet", std::string(bytes.begin(), footer));
    const std::string out = folder.path() + "/out.parquet";
    CHECK(parqproof({"rewrite", "--salvage", "--schema-from", one, cut, out}).code == 1);
    CHECK((parqproof({"cat", out}).out == parqproof({"cat", one}).out));
    return support::judged(file_bytes(out)).row_groups == support::judged(bytes).row_groups;
  };
  CHECK(divided("pyarrow/several-row-groups.parquet", "--page-index"));
  CHECK_FALSE(divided("pyarrow/several-row-groups.parquet", "--page-index=no"));
  // A Bloom filter follows each chunk.
  CHECK(divided("duckdb/several-row-groups.parquet", "--page-index=no"));
}

TEST_CASE("row groups whose chunks are not where a readable footer says are found by their pages") {
  RewriteOptions form;
  form.encodings = {{"", Encoding::PLAIN}};
  Bytes plain;
  MemorySink sink(plain);
  ReadingFailure failure;
  const Bytes original = support::read_bytes("corpus/writers/pyarrow/several-row-groups.parquet");
  REQUIRE(rewrite(MemorySource(original), form, sink, failure).end == RewriteOutcome::End::complete);
  const std::vector<std::string> rows = lines_of_rows(plain);
  for (const std::string group : {"0", "1", "3"}) {
    INFO(group);
    const MemorySource source(plain);
    auto model = model::parse(source);
    REQUIRE(model);
    model->resolve();
    model::Tree& footer = *model->tree(model->footer());
    const auto offset = [&](const char* column) {
      return *footer.find("row_groups[" + group + "].columns[" + column + "].meta_data.data_page_offset");
    };
    const std::int64_t first = footer.number(offset("0"));
    footer.set_number(offset("0"), footer.number(offset("2")));
    footer.set_number(offset("2"), first);
    Bytes swapped;
    REQUIRE(model->emit([&](std::span<const std::uint8_t> bytes) {
      swapped.insert(swapped.end(), bytes.begin(), bytes.end());
      return true;
    }) == model::EmitEnd::complete);
    REQUIRE(swapped != plain);
    RewriteOptions options;
    options.salvage = true;
    Bytes out;
    MemorySink saved(out);
    const RewriteOutcome outcome = rewrite(MemorySource(swapped), options, saved, failure);
    REQUIRE(outcome.end == RewriteOutcome::End::complete);
    CHECK(lines_of_rows(out) == rows);
    CHECK(!outcome.rebuilt.empty());
  }
}

}  // namespace parqproof
