#include "conformance/diagnosis/transfer/hypotheses.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string_view>
#include <vector>

#include "conformance/check/check.hpp"
#include "conformance/diagnosis/transfer/restored_source.hpp"
#include "tests/diagnosis/damage.hpp"
#include "tests/hostile/hostile_file.hpp"

namespace parqproof {
namespace {

using support::Bytes, support::cut, support::part, support::operator+;
using support::ReadablePage;
using support::WholeFile;

/// Two row groups of two columns, four pages each, with checksums and a page index.
const WholeFile& rich() {
  static const WholeFile file = support::whole_file("file/bytes-missing/pass-a.parquet");
  return file;
}

Bytes without(const Bytes& bytes, std::uint64_t at, std::uint64_t count) {
  return cut(bytes, at) + part(bytes, at + count);
}

Bytes with(const Bytes& bytes, std::uint64_t at, std::uint64_t count) {
  Bytes more;
  for (std::uint64_t i = 0; i < count; ++i)
    more.push_back(static_cast<std::uint8_t>(i * i * 37 + 11 * i + 5));
  return cut(bytes, at) + more + part(bytes, at);
}

/// The bytes as base64, in one line; their number is a multiple of three.
Bytes in_base64(const Bytes& bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  Bytes text;
  for (std::size_t at = 0; at + 2 < bytes.size(); at += 3) {
    const std::uint32_t group = bytes[at] * 65536U + bytes[at + 1] * 256U + bytes[at + 2];
    for (const unsigned shift : {18U, 12U, 6U, 0U})
      text.push_back(static_cast<std::uint8_t>(kDigits[(group >> shift) & 63U]));
  }
  return text;
}

std::vector<Rule> errors_of(const FileReport& report) {
  std::vector<Rule> rules;
  for (const ReportedFinding& one : report.findings) {
    if (one.severity == Severity::error) rules.push_back(one.finding.rule);
  }
  return rules;
}

const Finding& finding_of(const FileReport& report, Rule rule) {
  const auto at = std::ranges::find_if(report.findings,
                                       [&](const ReportedFinding& one) { return one.finding.rule == rule; });
  REQUIRE(at != report.findings.end());
  return at->finding;
}

/// Changes a byte of the footer so that num_rows of the file is one more.
Bytes with_one_row_more(Bytes bytes) {
  const FileReport report = support::report_of(bytes);
  REQUIRE(report.rows == 64);
  // Field 3 of FileMetaData, an i64 of 64, before the row groups.
  const std::vector<std::uint8_t> stated{0x16, 0x80, 0x01, 0x19};
  const auto at = std::find_end(bytes.begin(), bytes.end(), stated.begin(), stated.end());
  REQUIRE(at != bytes.end());
  at[1] = 0x82;
  return bytes;
}

}  // namespace

TEST_CASE("bytes missing from the body of any page are reported once, and only that page is lost",
          "[file/bytes-missing]") {
  for (const ReadablePage& page : rich().pages) {
    for (const std::uint64_t count : {1U, 4U, 12U}) {
      CAPTURE(page.header, count);
      const FileReport report = support::report_of(without(rich().bytes, page.body + 3, count));
      CHECK(errors_of(report) == std::vector{Rule::file_bytes_missing});
      CHECK(finding_of(report, Rule::file_bytes_missing).offset == page.body);
      CHECK(report.verdict == Verdict::malformed);
      REQUIRE(report.lost.size() == 1);
      CHECK(report.lost.front().place == page.place);
      CHECK(report.size == rich().bytes.size() - count);
      REQUIRE_FALSE(report.causes.empty());
      CHECK(report.causes.front().rule() == Rule::file_bytes_missing);
      CHECK_FALSE(report.causes.front().consequences.empty());
    }
  }
}

TEST_CASE("bytes inserted before any page are reported at their offset, and nothing is lost",
          "[file/bytes-inserted]") {
  for (const ReadablePage& page : rich().pages) {
    for (const std::uint64_t count : {1U, 4U, 100U, 4096U}) {
      CAPTURE(page.header, count);
      const FileReport report = support::report_of(with(rich().bytes, page.header, count));
      CHECK(errors_of(report) == std::vector{Rule::file_bytes_inserted});
      const Finding& cause = finding_of(report, Rule::file_bytes_inserted);
      CHECK(cause.offset == page.header);
      CHECK(cause.length == count);
      CHECK(report.lost.empty());
      CHECK(report.verdict == Verdict::nonconforming);
      CHECK(report.values == 128);
    }
  }
}

TEST_CASE("of bytes inserted into the body of any page, only that page is lost", "[file/bytes-inserted]") {
  for (const ReadablePage& page : rich().pages) {
    CAPTURE(page.header);
    const FileReport report = support::report_of(with(rich().bytes, page.body + 5, 30));
    CHECK(errors_of(report) == std::vector{Rule::file_bytes_inserted});
    REQUIRE(report.lost.size() == 1);
    CHECK(report.lost.front().place == page.place);
  }
}

TEST_CASE("a mangled file with another wrong field reports that field at its offset",
          "[file/bytes-missing]") {
  const Bytes with_wrong_field = with_one_row_more(rich().bytes);
  const FileReport intact_report = support::report_of(with_wrong_field);
  REQUIRE(errors_of(intact_report) == std::vector{Rule::footer_num_rows});
  const std::uint64_t at = finding_of(intact_report, Rule::footer_num_rows).offset;
  for (const ReadablePage& page : rich().pages) {
    CAPTURE(page.header);
    const FileReport shorter = support::report_of(without(with_wrong_field, page.body + 1, 7));
    CHECK(errors_of(shorter) == std::vector{Rule::file_bytes_missing, Rule::footer_num_rows});
    CHECK(finding_of(shorter, Rule::footer_num_rows).offset == at - 7);
    const FileReport longer = support::report_of(with(with_wrong_field, page.header, 7));
    CHECK(errors_of(longer) == std::vector{Rule::file_bytes_inserted, Rule::footer_num_rows});
    CHECK(finding_of(longer, Rule::footer_num_rows).offset == at + 7);
  }
}

TEST_CASE("without the rule the file is judged unrestored", "[file/bytes-missing]") {
  CheckOptions options;
  options.changes.push_back({"file/bytes-missing", "off"});
  const Bytes bytes = without(rich().bytes, rich().pages[2].body, 5);
  const FileReport report = check(MemorySource(bytes), "file", options);
  CHECK(report.counts.error > 1);
  CHECK(report.verdict == Verdict::malformed);
}

TEST_CASE("a hole of zeros is reported wherever it begins and ends", "[file/overwritten]") {
  const WholeFile& file = rich();
  for (const std::uint64_t length : {std::uint64_t{512}, std::uint64_t{700}}) {
    for (std::uint64_t at = 5; at + length < file.footer; at += 41) {
      CAPTURE(at, length);
      Bytes bytes = file.bytes;
      support::zero(bytes, at, at + length);
      const FileReport report = support::report_of(bytes);
      CHECK(errors_of(report) == std::vector{Rule::file_overwritten});
    }
  }
}

TEST_CASE("zeros that are values are no hole, whatever else is wrong", "[file/overwritten]") {
  // A page of a thousand zeros, and one wrong count.
  const support::HostileColumn column{.num_values = 1001,
                                      .pages = support::data_page(1001, Encoding::PLAIN, Bytes(4000))};
  for (const std::int64_t rows : {1001, 1002}) {
    const FileReport report = support::report_of(support::file_of({column}, rows));
    for (const Rule rule : errors_of(report)) CHECK(rule != Rule::file_overwritten);
  }
}

TEST_CASE("an error about the length of a section does not make its zeros a hole", "[file/overwritten]") {
  // One byte less than eight streams of 200 bytes, of which the last ones are zeros.
  Bytes body(1599, 0x11);
  std::fill(body.begin() + 200, body.begin() + 1400, std::uint8_t{0});
  const support::HostileColumn column{.type = Type::DOUBLE,
                                      .num_values = 200,
                                      .pages = support::data_page(200, Encoding::BYTE_STREAM_SPLIT, body),
                                      .encodings = {Encoding::BYTE_STREAM_SPLIT, Encoding::RLE}};
  const FileReport report = support::report_of(support::file_of({column}, 200));
  CHECK(errors_of(report) == std::vector{Rule::byte_stream_split_length});
}

TEST_CASE("zeros appended to an intact file are after its footer, not a hole in it", "[file/overwritten]") {
  for (const char last : {'1', 'E'}) {
    CAPTURE(last);
    Bytes bytes = rich().bytes;
    bytes.back() = static_cast<std::uint8_t>(last);
    bytes.resize(bytes.size() + 1024);
    CHECK(errors_of(support::report_of(bytes)) == std::vector{Rule::file_tail_magic});
    // Without a magic before them, they are a hole.
    std::fill(bytes.end() - 1028, bytes.end(), std::uint8_t{0});
    CHECK(errors_of(support::report_of(bytes)) == std::vector{Rule::file_overwritten});
  }
}

TEST_CASE(
    "bytes missing from the footer, or inserted into it, are reported with its lengths before and after",
    "[file/bytes-missing][file/bytes-inserted]") {
  const std::uint64_t size = rich().bytes.size() - 8 - rich().footer;
  constexpr std::uint64_t kRoot = 40;  // after the root of the schema
  std::size_t reported = 0;
  for (std::uint64_t at = rich().footer + kRoot; at + 13 < rich().bytes.size(); at += 11) {
    CAPTURE(at);
    const FileReport shorter = support::report_of(without(rich().bytes, at, 5));
    CHECK(errors_of(shorter) == std::vector{Rule::file_bytes_missing});
    CHECK(finding_of(shorter, Rule::file_bytes_missing).offset == rich().footer);
    CHECK(finding_of(shorter, Rule::file_bytes_missing).length == size - 5);
    // Bytes that are no part of a struct.
    const FileReport longer =
        support::report_of(cut(rich().bytes, at) + Bytes(5, 0xFF) + part(rich().bytes, at));
    // If the struct is intact nevertheless, its length is wrong.
    if (errors_of(longer) == std::vector{Rule::file_footer_length}) continue;
    ++reported;
    CHECK(errors_of(longer) == std::vector{Rule::file_bytes_inserted});
    CHECK(finding_of(longer, Rule::file_bytes_inserted).offset == rich().footer);
    CHECK(finding_of(longer, Rule::file_bytes_inserted).length == size + 5);
  }
  CHECK(reported >= 10);
}

TEST_CASE("bytes between the footer and its length lose nothing", "[file/bytes-inserted]") {
  const std::uint64_t end = rich().bytes.size() - 8;
  for (const std::uint64_t count : {1U, 5U, 300U, 5000U}) {
    CAPTURE(count);
    const FileReport report = support::report_of(with(with_one_row_more(rich().bytes), end, count));
    CHECK(errors_of(report) == std::vector{Rule::footer_num_rows, Rule::file_bytes_inserted});
    CHECK(finding_of(report, Rule::file_bytes_inserted).offset == end);
    CHECK(finding_of(report, Rule::file_bytes_inserted).length == count);
    CHECK(report.lost.empty());
    CHECK(report.verdict == Verdict::nonconforming);
    CHECK(report.values == 128);
  }
}

TEST_CASE("if the footer may begin at two offsets, neither is reported") {
  const Bytes bytes = without(rich().bytes, rich().footer + 60, 5);
  const FileReport report = support::report_of(cut(bytes, rich().footer + 40) + part(bytes, rich().footer));
  CHECK(report.verdict == Verdict::malformed);
  for (const Rule rule : errors_of(report)) {
    CHECK(rule != Rule::file_bytes_missing);
    CHECK(rule != Rule::file_bytes_inserted);
  }
}

TEST_CASE("a single wrong offset is no explanation") {
  // A wrong byte of the footer moves no structure.
  std::size_t reported = 0;
  for (std::uint64_t at = rich().footer; at + 8 < rich().bytes.size(); ++at) {
    for (const int by : {1, -1, 2}) {
      Bytes bytes = rich().bytes;
      bytes[at] = static_cast<std::uint8_t>(bytes[at] + by);
      for (const Rule rule : errors_of(support::report_of(bytes))) {
        CAPTURE(at, by);
        CHECK(rule != Rule::file_bytes_missing);
        CHECK(rule != Rule::file_bytes_inserted);
        CHECK(rule != Rule::file_overwritten);
        CHECK(rule != Rule::file_text_mode);
        ++reported;
      }
    }
  }
  CHECK(reported > 100);
}

TEST_CASE("line ends that were converted are restored byte by byte", "[file/text-mode]") {
  // Returns and feeds around the borders of the blocks in which they are counted.
  Bytes original(3 * UnixLinesSource::kBlock + 77, 'x');
  for (std::size_t i = 1; i < original.size(); i += 251) original[i] = '\n';
  for (std::size_t block = 1; block <= 3; ++block) {
    const std::size_t border = block * UnixLinesSource::kBlock;
    for (std::size_t i = border - 400; i < std::min(border + 40, original.size()); i += 3) original[i] = '\n';
  }
  original[5] = '\r';
  original[6] = '\n';
  Bytes mangled;
  std::vector<std::uint64_t> places;
  std::vector<std::uint64_t> returns;
  std::uint64_t count = 0;
  for (const std::uint8_t byte : original) {
    if (byte == '\n') mangled.push_back('\r');
    places.push_back(mangled.size());
    mangled.push_back(byte);
  }
  for (std::size_t i = 0; i < mangled.size(); ++i) {
    if (i % UnixLinesSource::kBlock == 0) returns.push_back(count);
    if (mangled[i] == '\r' && i + 1 < mangled.size() && mangled[i + 1] == '\n') ++count;
  }
  returns.push_back(count);
  const MemorySource source(mangled);
  const UnixLinesSource restored(source, returns);
  REQUIRE(restored.size() == original.size());
  Bytes all(original.size());
  REQUIRE(restored.read(0, all));
  CHECK(all == original);
  for (std::size_t at = 0; at + 9 < original.size(); at += 501) {
    Bytes some(9);
    REQUIRE(restored.read(at, some));
    CHECK(std::equal(some.begin(), some.end(), original.begin() + static_cast<std::ptrdiff_t>(at)));
    CHECK(restored.at_hand(at) == places[at]);
  }
  CHECK_FALSE(restored.read(original.size() - 1, std::span(all).first(2)));
}

TEST_CASE("a character that is not of base64 ends the encoding", "[file/transfer-framing]") {
  Bytes original = rich().bytes;
  while (original.size() % 3 != 0) original = with(original, 4, 1);
  Bytes text = in_base64(original);
  const std::vector<Rule> errors = errors_of(support::report_of(text));
  CHECK(std::ranges::find(errors, Rule::file_transfer_framing) != errors.end());
  text[text.size() / 2] = '!';
  for (const Rule rule : errors_of(support::report_of(text))) CHECK(rule != Rule::file_transfer_framing);
}

TEST_CASE("characters of UTF-8 are read across the borders of blocks", "[file/text-mode]") {
  // A block of 64 KiB ends after each byte of a character in turn.
  for (const std::size_t before : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {
    CAPTURE(before);
    Bytes bytes{'P', 'A', 'R', '1'};
    bytes.resize(bytes.size() + before, 'x');
    const std::uint64_t first = bytes.size();
    while (bytes.size() < 200'000) bytes.insert(bytes.end(), {0xEF, 0xBF, 0xBD});
    const FileReport report = support::report_of(bytes);
    const Finding& found = finding_of(report, Rule::file_text_mode);
    CHECK(found.offset == first);
    CHECK(found.length == 3);
    bytes.push_back(0xEF);  // the rest of the last character is missing
    CHECK(errors_of(support::report_of(bytes)) != std::vector{Rule::file_text_mode});
  }
}

TEST_CASE("missing bytes are read as zeros, and the bytes around them unchanged") {
  const Bytes bytes{1, 2, 3, 4, 5, 6, 7, 8};
  const MemorySource source(bytes);
  // Three bytes are missing after 2, and two are inserted after 5.
  const auto restored = made_of(source, {{0, 2, 3}, {2, 5, 0}, {7, 8, 0}});
  REQUIRE(restored->size() == 9);
  Bytes all(9);
  REQUIRE(restored->read(0, all));
  CHECK(all == Bytes{1, 2, 0, 0, 0, 3, 4, 5, 8});
  CHECK(restored->at_hand(1) == 1);
  CHECK(restored->at_hand(3) == 2);
  CHECK(restored->at_hand(5) == 2);
  CHECK(restored->at_hand(8) == 7);
  CHECK_FALSE(restored->read(8, std::span(all).first(2)));
}

}  // namespace parqproof
