// The four promises of README.md#error-recovery: the extent of each loss, and that everything else is judged
// and read.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/base/source.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/rules/rule.hpp"
#include "codec/thrift/locate.hpp"
#include "tests/diagnosis/damage.hpp"
#include "tests/support/judged.hpp"
#include "tests/sweep/sweep.hpp"

namespace support {
namespace {

using namespace parqproof;

const std::string kPlain = "legal/several-pages/pass-a.parquet";
const std::string kIndexed = "legal/several-pages/pass-b.parquet";
constexpr std::uint64_t kRowsOfGroup = 6;
constexpr std::int32_t kGroups = 3;
const std::vector<std::string> kColumns{"a", "s", "l.list.element"};

bool in_chunk(const Place& place, const Place& chunk) {
  return place.row_group == chunk.row_group && place.leaf == chunk.leaf;
}

std::uint64_t first_difference(const Bytes& one, const Bytes& other) {
  return static_cast<std::uint64_t>(std::ranges::mismatch(one, other).in1 - one.begin());
}

/// Invariants of any damage inside one chunk: other chunks have no findings and the same rows, pages before
/// `first` are judged, and every loss has an error.
void require_the_rest(const WholeFile& file, const Bytes& bytes, const FileReport& report, const Place& chunk,
                      std::int32_t first) {
  if (fixed_hash("-j 2", first_difference(file.bytes, bytes)) % 4 == 0) {
    if (json_of(check(MemorySource(bytes), "file", {.jobs = 2})) != json_of(report))
      FAIL_CHECK("-j 2 makes another report");
  }
  std::uint64_t expected_values = 0;
  std::uint64_t pages = 0;
  for (const ReadablePage& page : file.pages) {
    if (in_chunk(page.place, chunk) && page.place.page >= first) continue;
    expected_values += page.values;
    ++pages;
  }
  if (report.values < expected_values)
    FAIL_CHECK(report.values << " values, " << expected_values << " expected");
  if (report.pages < pages) FAIL_CHECK(report.pages << " pages, " << pages << " expected");
  for (const Lost& lost : report.lost) {
    if (!in_chunk(lost.place, chunk) || lost.place.page < first)
      FAIL_CHECK("lost elsewhere: " << to_string(lost.what));
  }
  bool error = false;
  for (const ReportedFinding& one : report.findings) {
    error |= one.severity == Severity::error;
    if (one.severity == Severity::error && !in_chunk(one.finding.place, chunk))
      FAIL_CHECK("an error elsewhere: " << info(one.finding.rule).id << " at " << one.finding.offset);
  }
  if (!report.lost.empty() && !error) FAIL_CHECK("something is lost, and no error says why");
  if (report.lost.empty() == (report.verdict == Verdict::malformed)) FAIL_CHECK(json_of(report));
}

/// All other columns of all row groups, and the column itself in the other row groups.
void require_readable(const WholeFile& file, const Bytes& bytes, const Place& chunk) {
  const std::string own = kColumns[static_cast<std::size_t>(chunk.leaf)];
  std::vector<std::string> others = kColumns;
  std::erase(others, own);
  CHECK(rows_of(bytes, others) == rows_of(file.bytes, others));
  for (std::int32_t group = 0; group < kGroups; ++group) {
    if (group == chunk.row_group) continue;
    const auto first = static_cast<std::uint64_t>(group) * kRowsOfGroup;
    CHECK(rows_of(bytes, {own}, first, first + kRowsOfGroup) ==
          rows_of(file.bytes, {own}, first, first + kRowsOfGroup));
  }
}

/// The pages that cannot be read without this one.
std::vector<std::string> losses(const WholeFile& file, const ReadablePage& page) {
  std::vector<std::string> lines{lost_page(page.place)};
  if (page.type == PageType::DICTIONARY_PAGE) {
    for (const ReadablePage& other : file.pages) {
      if (in_chunk(other.place, page.place) && other.needs_dictionary)
        lines.push_back(lost_page(other.place));
    }
  }
  return lines;
}

/// The unreliable pages, and those with values in such a page.
std::vector<std::string> untrusted(const FileReport& report) {
  std::vector<std::string> lines;
  for (const NotRun& one : report.not_run) {
    if (one.what == "page" || one.what == "values") lines.push_back(lost_page(one.place));
  }
  return lines;
}

TEST_CASE("page data lost: whatever byte of a body is changed, only that page is lost or unreliable",
          "[crc/match]") {
  for (const std::string& name : {kPlain, kIndexed}) {
    const WholeFile file = whole_file(name);
    for (const ReadablePage& page : file.pages) {
      INFO(name << " page at " << page.header);
      const std::vector<std::string> expected = losses(file, page);
      const std::uint64_t values = file.values_of([&](const ReadablePage& other) {
        return std::ranges::find(expected, lost_page(other.place)) == expected.end();
      });
      damage_bytes(file, page.body, page.end, [&](const Bytes& bytes) {
        const FileReport report = report_of(bytes);
        const bool lost = !report.lost.empty();
        if ((lost ? lost_of(report) : untrusted(report)) != expected || report.pages != file.pages.size() ||
            report.values < values) {
          FAIL_CHECK(json_of(report));
        }
        if (report.verdict != (lost ? Verdict::malformed : Verdict::nonconforming) ||
            report.counts.error != 1)
          FAIL_CHECK(json_of(report));
        const bool checksum_reported = std::ranges::any_of(report.findings, [&](const ReportedFinding& one) {
          return one.finding.rule == Rule::crc_match && one.finding.offset > page.header &&
                 one.finding.offset < page.body && one.finding.place == page.place;
        });
        if (!checksum_reported) FAIL_CHECK("no checksum is wrong");
        require_the_rest(file, bytes, report, page.place, page.place.page);
      });
      Bytes bytes = file.bytes;
      bytes[page.end - 1] ^= 0x55;
      require_readable(file, bytes, page.place);
    }
  }
}

TEST_CASE("page header lost: the pages before it are intact, and those after it, which lead to the end") {
  const WholeFile file = whole_file(kPlain);
  for (const ReadablePage& page : file.pages) {
    INFO("page at " << page.header);
    damage_bytes(file, page.header, page.body, [&](const Bytes& bytes) {
      require_the_rest(file, bytes, report_of(bytes), page.place, page.place.page);
    });
    Bytes bytes = file.bytes;
    bytes[page.header] = 0x0F;  // no field header
    const FileReport report = judged(bytes);
    // data_page_offset gives the first page after a dictionary page.
    const bool is_dictionary = page.type == PageType::DICTIONARY_PAGE;
    const bool is_last = std::ranges::none_of(file.pages, [&](const ReadablePage& other) {
      return in_chunk(other.place, page.place) && other.place.page > page.place.page;
    });
    const std::string place = lost_page(page.place).substr(4);
    CHECK(lost_of(report) ==
          (is_dictionary ? losses(file, page) : std::vector{(is_last ? "rest of chunk" : "pages") + place}));
    CHECK(report.values == file.values_of([&](const ReadablePage& other) {
      return !in_chunk(other.place, page.place) ||
             (other.place.page != page.place.page && !(is_dictionary && other.needs_dictionary));
    }));
    REQUIRE(report.counts.error == 1);
    CHECK(report.findings[0].finding.offset == page.header);
    CHECK(report.findings[0].finding.place == page.place);
    require_readable(file, bytes, page.place);
  }
}

TEST_CASE("page header lost: with an OffsetIndex only that page is lost") {
  const WholeFile file = whole_file(kIndexed);
  for (const ReadablePage& page : file.pages) {
    INFO("page at " << page.header);
    const std::vector<std::string> expected = losses(file, page);
    const std::uint64_t values = file.values_of([&](const ReadablePage& other) {
      return std::ranges::find(expected, lost_page(other.place)) == expected.end();
    });
    damage_bytes(file, page.header, page.body, [&](const Bytes& bytes) {
      const FileReport report = report_of(bytes);
      require_the_rest(file, bytes, report, page.place, page.place.page);
      for (const std::string& line : lost_of(report)) {
        if (std::ranges::find(expected, line) == expected.end()) FAIL_CHECK(json_of(report));
      }
      if (report.values < values) FAIL_CHECK(json_of(report));
    });
    Bytes bytes = file.bytes;
    bytes[page.header] = 0x0F;
    const FileReport report = judged(bytes);
    CHECK(lost_of(report) == expected);
    CHECK(report.values == values);
    CHECK(report.pages == file.pages.size() - 1);
    REQUIRE(report.counts.error == 1);
    CHECK(report.findings[0].finding.offset == page.header);
    // Sums would be partial, so they are not judged, and entries about the page are not compared with values.
    const auto is_left_out = [&](std::string_view what) {
      return std::ranges::any_of(report.not_run, [&](const NotRun& one) {
        return one.what == what && in_chunk(one.place, page.place);
      });
    };
    CHECK(is_left_out("totals of the column chunk"));
    CHECK(is_left_out("page index entries of pages that could not be read"));
    require_readable(file, bytes, page.place);
  }
}

/// Places of the values of some fields of a ColumnMetaData, by row group and leaf.
std::vector<thrift::Extent> metadata_fields(const WholeFile& file, std::int32_t group, std::int32_t leaf,
                                            const std::vector<std::string>& fields) {
  const View footer{std::span(file.bytes).subspan(file.footer), file.footer, Space::file};
  std::vector<thrift::Extent> extents;
  for (const std::string& field : fields) {
    extents.push_back(thrift::locate(footer, FileMetaData::kType,
                                     "row_groups[" + std::to_string(group) + "].columns[" +
                                         std::to_string(leaf) + "].meta_data." + field));
  }
  return extents;
}

TEST_CASE("column metadata lost: only that chunk is lost", "[file/region-inside]") {
  for (const std::string& name : {kPlain, kIndexed}) {
    const WholeFile file = whole_file(name);
    for (std::int32_t group = 0; group < kGroups; ++group) {
      for (std::int32_t leaf = 0; leaf < 3; ++leaf) {
        const Place chunk{group, leaf, -1};
        for (const thrift::Extent& field :
             metadata_fields(file, group, leaf,
                             {"type", "codec", "num_values", "total_compressed_size",
                              "total_uncompressed_size", "data_page_offset"})) {
          INFO(name << " row group " << group << ", leaf " << leaf << ", byte " << field.value);
          REQUIRE(field.value != field.end);
          for (std::uint64_t at = field.value; at < field.end; ++at) {
            for (int value = 0; value < 256; ++value) {
              Bytes bytes = file.bytes;
              const auto changed = static_cast<std::uint8_t>(value);
              // The number keeps its length, so that the structs after it do not move.
              if (changed == bytes[at] || (changed & 0x80) != (bytes[at] & 0x80)) continue;
              bytes[at] = changed;
              const FileReport report = report_of(bytes);
              for (const Lost& lost : report.lost) {
                if (!in_chunk(lost.place, chunk)) FAIL_CHECK(json_of(report));
              }
              const std::uint64_t expected_values =
                  file.values_of([&](const ReadablePage& page) { return !in_chunk(page.place, chunk); });
              if (report.values < expected_values) FAIL_CHECK(json_of(report));
              if (report.verdict == Verdict::conforming) FAIL_CHECK(json_of(report));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("column metadata lost: a chunk that begins after the footer is lost, and the others are read",
          "[file/region-inside]") {
  const WholeFile file = whole_file(kPlain);
  const thrift::Extent offset = metadata_fields(file, 1, 0, {"data_page_offset"})[0];
  Bytes bytes = file.bytes;
  REQUIRE(offset.end - offset.value == 2);
  bytes[offset.value] = 0xFE;
  bytes[offset.value + 1] = 0x7F;
  const FileReport report = judged(bytes);
  CHECK(lost_of(report) == std::vector<std::string>{"column chunk 1/0"});
  CHECK(report.values ==
        file.values_of([](const ReadablePage& page) { return !in_chunk(page.place, {1, 0, -1}); }));
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].finding.rule == Rule::file_region_inside);
  CHECK(report.findings[0].finding.offset == offset.value);
  require_readable(file, bytes, {1, 0, -1});
}

TEST_CASE("file metadata lost: the file is lost, whatever byte of its frame is changed",
          "[file/tail-magic][file/footer-length]") {
  for (const std::string& name : {kPlain, kIndexed}) {
    const WholeFile file = whole_file(name);
    const std::uint64_t pages = file.pages.size();
    const std::uint64_t values = file.values_of([](const ReadablePage&) { return true; });
    damage_bytes(file, file.bytes.size() - 8, file.bytes.size(), [&](const Bytes& bytes) {
      const FileReport report = judged(bytes);
      if (report.verdict == Verdict::conforming) FAIL_CHECK(json_of(report));
      if (report.verdict == Verdict::unsupported) return;  // PARE
      REQUIRE(lost_of(report) == std::vector<std::string>{"file"});
      REQUIRE(report.remains);
      CHECK(report.remains->pages.data_pages + report.remains->pages.dictionary_pages == pages);
      CHECK(report.remains->pages.values == values);
      CHECK(report.remains->searched_to == bytes.size());
      REQUIRE(report.remains->footers.size() == 1);  // only its frame is broken
      CHECK(report.remains->footers[0].offset == file.footer);
      CHECK(report.remains->footers[0].length == bytes.size() - 8 - file.footer);
      CHECK(report.remains->footers[0].rows == kGroups * static_cast<std::int64_t>(kRowsOfGroup));
    });
    std::uint64_t lost = 0;
    damage_bytes(file, file.footer, file.bytes.size() - 8, [&](const Bytes& bytes) {
      const FileReport report = report_of(bytes);
      if (report.lost.empty() || report.lost.back().what != LostPart::file) return;
      ++lost;
      REQUIRE(report.remains);
      if (report.remains->pages.values != values) FAIL_CHECK(json_of(report));
      if (report.remains->pages.data_pages + report.remains->pages.dictionary_pages != pages)
        FAIL_CHECK(json_of(report));
    });
    CHECK(lost > 0);
  }
}

}  // namespace
}  // namespace support
