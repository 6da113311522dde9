#include "conformance/report/bytes/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "conformance/report/bytes/annotate.hpp"
#include "conformance/report/bytes/layout_report.hpp"
#include "tests/support/judged.hpp"
#include "tests/support/process.hpp"

namespace parqproof {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Checks that each byte belongs to one segment, and in it to one run.
void require_full_coverage(const std::string& file) {
  const MemorySource source(bytes_of(file));
  const Layout layout = read_layout(source);
  Annotator annotator(source, layout);
  std::uint64_t at = 0;
  for (const Segment& segment : layout.segments) {
    REQUIRE(segment.offset == at);
    REQUIRE(segment.length > 0);
    annotator.annotate(segment, [&](const Run& run) {
      REQUIRE(run.offset == at);
      REQUIRE_FALSE(run.name.empty());
      at += run.length;
      return true;
    });
    REQUIRE(at == segment.end());
  }
  REQUIRE(at == file.size());
}

std::vector<std::string> files_below(const std::string& folder, std::uintmax_t largest) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(PARQPROOF_SOURCE_DIR "/" + folder)) {
    if (entry.path().extension() == ".parquet" && entry.file_size() <= largest) {
      files.push_back(fs::relative(entry.path(), PARQPROOF_SOURCE_DIR));
    }
  }
  std::ranges::sort(files);
  return files;
}

json layout_json(const std::string& file, bool bytes) {
  const MemorySource source(bytes_of(file));
  std::string text;
  {
    Out out(text);
    const ByteListing listing;
    write_layout_json(source, read_layout(source), "f", bytes ? &listing : nullptr, out);
  }
  return json::parse(text);
}

TEST_CASE("segments and runs cover every witness exactly once") {
  const std::vector<std::string> files = files_below("corpus/witnesses", 1 << 16);
  REQUIRE_FALSE(files.empty());
  for (const std::string& file : files) {
    CAPTURE(file);
    require_full_coverage(support::source_file(file));
  }
}

TEST_CASE("segments and runs cover files of other writers exactly once") {
  const std::vector<std::string> files = files_below("corpus/writers", 8000);
  REQUIRE_FALSE(files.empty());
  for (const std::string& file : files) {
    CAPTURE(file);
    require_full_coverage(support::source_file(file));
  }
}

TEST_CASE("any prefix and any changed byte of a file still gives a complete map") {
  const std::string file = support::source_file("corpus/witnesses/page/v2-num-nulls/fail-a.parquet");
  for (std::size_t size = 0; size < file.size(); ++size) require_full_coverage(file.substr(0, size));
  for (std::size_t at = 0; at < file.size(); ++at) {
    for (const int change : {0x01, 0x80, 0xFF}) {
      std::string changed = file;
      changed[at] = static_cast<char>(changed[at] ^ change);
      CAPTURE(at, change);
      require_full_coverage(changed);
    }
  }
}

TEST_CASE("a small file has exactly these parts") {
  const json layout =
      layout_json(support::source_file("corpus/witnesses/footer/version/fail-a.parquet"), false);
  std::vector<std::string> kinds;
  for (const json& segment : layout["segments"]) kinds.push_back(segment["kind"]);
  CHECK(kinds ==
        std::vector<std::string>{"magic", "page-header", "page-body", "footer", "footer-length", "magic"});
  CHECK(layout["segments"][1] ==
        json::parse(R"({"offset":4,"length":17,"kind":"page-header","row_group":0,"column":"a",
                                                 "leaf":0,"page":0,"page_type":"DATA_PAGE"})"));
  CHECK(layout["overlaps"].empty());
  CHECK_FALSE(layout.contains("unread"));
}

/// `file` with `after` in the place of the first `before`, which is as long.
std::string with(std::string file, const std::string& before, const std::string& after) {
  const std::size_t at = file.find(before);
  REQUIRE(at != file.npos);
  REQUIRE(before.size() == after.size());
  return file.replace(at, before.size(), after);
}

/// The pages and gaps of a file as "kind page", then the unreadable parts as "part at offset".
std::vector<std::string> pages_of(const std::string& file) {
  const MemorySource source(bytes_of(file));
  const Layout layout = read_layout(source);
  std::vector<std::string> lines;
  for (const Segment& segment : layout.segments) {
    if (segment.place.page >= 0 || segment.kind == SegmentKind::gap)
      lines.push_back(fmt::format("{} {}", to_string(segment.kind), segment.place.page));
  }
  for (const Unread& unread : layout.unread)
    lines.push_back(fmt::format("{} at {}", unread.what, unread.offset));
  return lines;
}

TEST_CASE("pages are found up to the claimed size, and the rest is a gap") {
  using Lines = std::vector<std::string>;
  const auto witness = [](const std::string& name) {
    return support::source_file("corpus/witnesses/" + name + ".parquet");
  };
  // The size includes two more bytes, which are no page.
  CHECK(pages_of(witness("column-chunk/total-compressed-size/fail-a")) ==
        Lines{"page-header 0", "page-body 0", "gap -1", "page-header at 33"});
  // A page reaches over the index after it; the page after that leads to the end of the chunk.
  CHECK(pages_of(witness("page/within-chunk/fail-d")) ==
        Lines{"page-header 0", "page-body 0", "page-header 1", "gap -1", "page-header 2", "page-body 2",
              "page-body: it does not end before the next structure at 44"});
  CHECK(pages_of(witness("page/size-negative/fail-a")) == Lines{"gap -1", "page-header at 4"});
  // num_values, total_uncompressed_size and total_compressed_size: two pages, and a size that leads into the
  // second.
  using std::string_literals::operator""s;
  CHECK(pages_of(with(witness("index-page/unused/fail-a"), "\x16\x0c\x16\x88\x02\x16\x88\x02"s,
                      "\x16\x08\x16\x88\x02\x16\xd0\x00"s)) ==
        Lines{"page-header 0", "page-body 0", "page-header 1", "page-body 1", "gap -1"});
}

TEST_CASE("a checksum in a page header is printed in hex, as in findings", "[crc/match]") {
  const json layout = layout_json(support::source_file("corpus/witnesses/crc/match/fail-a.parquet"), true);
  std::vector<std::string> shown;
  for (const json& segment : layout["segments"]) {
    for (const json& run : segment["runs"]) {
      if (run["name"] == "crc") shown.push_back(run["value"]);
    }
  }
  CHECK(shown == std::vector<std::string>{"0x00000001"});
}

TEST_CASE("indexes and bloom filters have their kinds") {
  for (const auto& [file, kinds] :
       {std::pair("page-index-flat", std::vector<std::string>{"column-index", "offset-index"}),
        std::pair("bloom-filters", std::vector<std::string>{"bloom-filter-header", "bloom-filter-bitset"})}) {
    const json layout =
        layout_json(support::source_file(fmt::format("corpus/writers/pyarrow/{}.parquet", file)), false);
    for (const std::string& kind : kinds) {
      const auto found = std::ranges::find(layout["segments"], kind,
                                           [](const json& s) { return s["kind"].get<std::string>(); });
      REQUIRE(found != layout["segments"].end());
      CHECK((*found)["row_group"] == 0);
      CHECK(found->contains("column"));
    }
    CHECK(std::ranges::none_of(layout["segments"], [](const json& s) { return s["kind"] == "gap"; }));
  }
}

TEST_CASE("the map has a gap only where the report of the file has one") {
  for (const std::string& file : files_below("corpus/writers", 1 << 20)) {
    CAPTURE(file);
    const std::string bytes = support::source_file(file);
    const FileReport report = support::judged(bytes_of(bytes), {.advice = true, .listed = 0}, file);
    const bool gaps = std::ranges::any_of(report.findings, [](const ReportedFinding& finding) {
      const Rule rule = finding.finding.rule;
      return rule == Rule::file_unreferenced_bytes || rule == Rule::file_unreferenced_zero_bytes;
    });
    if (report.verdict != Verdict::conforming || gaps) continue;
    const MemorySource source(bytes_of(bytes));
    const Layout layout = read_layout(source);
    CHECK(layout.unread.empty());
    CHECK(std::ranges::none_of(layout.segments, [](const Segment& s) { return s.kind == SegmentKind::gap; }));
  }
}

TEST_CASE("copies of the metadata have a kind of their own") {
  for (const auto& [file, first] : {std::pair("witnesses/file/unreferenced-bytes/pass-d", "type"),
                                    std::pair("writers/pyarrow-10/zero-rows", "file_offset")}) {
    const json layout = layout_json(support::source_file(fmt::format("corpus/{}.parquet", file)), true);
    const auto found = std::ranges::find(layout["segments"], "column-metadata",
                                         [](const json& s) { return s["kind"].get<std::string>(); });
    REQUIRE(found != layout["segments"].end());
    CHECK((*found)["runs"][0]["name"] == first);
    CHECK((*found)["runs"].back()["name"] == "stop");
  }
}

TEST_CASE("offsets of chunks in other files are not looked up in this one") {
  const json layout = layout_json(support::source_file("corpus/summaries/pyarrow/_metadata"), false);
  CHECK_FALSE(layout.contains("unread"));
  CHECK(layout["segments"].size() == 4);
}

TEST_CASE("one encrypted column chunk makes the map incomplete", "[file/encrypted-column]") {
  for (const auto& [witness, encrypted] : {std::pair("pass-a", false), std::pair("fail-a", true)}) {
    const std::string file =
        support::source_file(fmt::format("corpus/witnesses/file/encrypted-column/{}.parquet", witness));
    CHECK(read_layout(MemorySource(bytes_of(file))).encrypted == encrypted);
  }
}

TEST_CASE("bytes that two chunks claim are an overlap, and belong to the first") {
  const json layout =
      layout_json(support::source_file("corpus/witnesses/file/region-shared/fail-a.parquet"), false);
  REQUIRE(layout["overlaps"].size() == 1);
  const json& overlap = layout["overlaps"][0];
  CHECK(overlap["offset"] == 4);
  CHECK(overlap["length"].get<int>() > 0);
  CHECK(overlap["first"]["column"] != overlap["second"]["column"]);
}

TEST_CASE("unreferenced bytes are a gap") {
  const json layout =
      layout_json(support::source_file("corpus/witnesses/file/unreferenced-bytes/fail-a.parquet"), false);
  CHECK(std::ranges::count_if(layout["segments"], [](const json& s) { return s["kind"] == "gap"; }) == 1);
}

TEST_CASE("runs name fields, levels and values, and have their bytes") {
  const json layout =
      layout_json(support::source_file("corpus/witnesses/page/v2-num-nulls/fail-a.parquet"), true);
  std::vector<std::string> body;
  for (const json& run : layout["segments"][2]["runs"]) {
    body.push_back(run["name"].get<std::string>() + "=" + run.value("value", "") + "=" +
                   run["bytes"].get<std::string>());
  }
  CHECK(body == std::vector<std::string>{"definition levels: run=bit-packed, 1 x 8 values of 1 bit=03",
                                         "values=1 0 1 0 0 0 0 0=05", "value 0=1=01000000",
                                         "value 1=3=03000000"});
}

TEST_CASE("BIT_PACKED levels are one run, and the values follow") {
  const json layout =
      layout_json(support::source_file("corpus/witnesses/legal/bit-packed-levels/pass-a.parquet"), true);
  const std::string text = layout.dump();
  CHECK(text.contains("definition levels: bit-packed"));
  CHECK(text.contains("0 1 2 3 4 5 6 7"));
  CHECK(text.contains("value 0"));
}

std::vector<std::string> runs_of_last_page(const std::string& file) {
  const json layout = layout_json(support::source_file(file), true);
  std::vector<std::string> runs;
  for (const json& segment : layout["segments"]) {
    if (segment["kind"] != "page-body") continue;
    runs.clear();
    CHECK((segment["page_type"] == "INDEX_PAGE" || segment["page_type"] == "DATA_PAGE"));
    for (const json& run : segment["runs"])
      runs.push_back(run["name"].get<std::string>() + "=" + run.value("value", ""));
  }
  return runs;
}

TEST_CASE("the entries and keys of index pages are named") {
  CHECK(runs_of_last_page("corpus/witnesses/index-page/unused/fail-a.parquet") ==
        std::vector<std::string>{"entry 0: key at=0", "page offset=0", "page length=25", "entry 1: key at=4",
                                 "page offset=25", "page length=25", "entry 2: key at=8", "page offset=50",
                                 "page length=25", "key 0=3", "key 1=7", "key 2=11"});
  CHECK(runs_of_last_page("corpus/witnesses/index-page/ordinal/fail-a.parquet") ==
        std::vector<std::string>{"entry 0: first row=0", "page offset=0", "page length=25",
                                 "entry 1: first row=3", "page offset=25", "page length=25",
                                 "entry 2: first row=4", "page offset=50", "page length=25"});
  const std::vector<std::string> words =
      runs_of_last_page("corpus/witnesses/index-page/entries/pass-c.parquet");
  REQUIRE(words.size() == 15);
  CHECK(words[9] == "length=1");
  CHECK(words[10] == "key 0=\"b\"");
  CHECK(words[14] == "key 2=\"f\"");
  CHECK(runs_of_last_page("corpus/witnesses/index-page/keys-true/fail-j.parquet").back() == "key 2=false");
  CHECK(runs_of_last_page("corpus/witnesses/index-page/entries/fail-a.parquet") ==
        std::vector<std::string>{"not index entries="});
}

TEST_CASE("the deltas of every miniblock are shown, in up to 64 bits") {
  const std::string deltas = "997 997 997 997 997 997 997 997 997 997 997 997 997 ";
  CHECK(runs_of_last_page("corpus/witnesses/legal/delta-blocks/pass-a.parquet") ==
        std::vector<std::string>{
            "block size=128", "miniblocks in a block=4", "values=335", "first value=0", "smallest delta=3",
            "bit widths=0 0 0 0", "smallest delta=3", "bit widths=0 0 0 0", "smallest delta=-994",
            "bit widths=10 10 10 0", "miniblock 0=" + deltas + "997 997 997 ...",
            "miniblock 1=" + deltas + "997 997 997 ...", "miniblock 2=" + deltas + "0 0 0 ..."});
  CHECK(runs_of_last_page("corpus/witnesses/legal/delta-wrap-around/pass-b.parquet").back() ==
        "miniblock 0=9223372036854775809 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ...");
}

TEST_CASE("runs that overlap a mark are highlighted") {
  const std::string file = support::source_file("corpus/witnesses/footer/version/fail-a.parquet");
  const MemorySource source(bytes_of(file));
  std::string text;
  {
    Out out(text);
    write_annotated_bytes(source, read_layout(source), {.marks = {{34, 1}}}, out);
  }
  CHECK(text.contains("\n>      33  15 00                    version: 0\n"));
  CHECK(text.find("\n>") == text.rfind("\n>"));
}

}  // namespace
}  // namespace parqproof
