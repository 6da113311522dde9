// Structures that are still found in a file whose footer is lost.
#include <algorithm>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/base/source.hpp"
#include "tests/diagnosis/damage.hpp"
#include "tests/support/judged.hpp"
#include "tests/support/sources.hpp"

namespace support {
namespace {

using namespace parqproof;

const std::string kSeveralPages = "legal/several-pages/pass-a.parquet";
const std::string kGrown = "recovery/earlier-footer/fail-a.parquet";

std::uint64_t pages_of(const PageRun& run) { return run.data_pages + run.dictionary_pages + run.index_pages; }

TEST_CASE("in a truncated file exactly the pages before the cut are found") {
  const WholeFile file = whole_file(kSeveralPages);
  for (std::uint64_t size = 0; size < file.bytes.size(); ++size) {
    const FileReport report = judged(cut(file.bytes, size));
    INFO("cut to " << size);
    REQUIRE(report.verdict == Verdict::malformed);
    REQUIRE(lost_of(report) == std::vector<std::string>{"file"});
    REQUIRE(report.remains);
    const Remains& remains = *report.remains;
    const auto before_cut = [&](const ReadablePage& page) { return page.end <= size; };
    const auto count = static_cast<std::uint64_t>(std::ranges::count_if(file.pages, before_cut));
    CHECK(pages_of(remains.pages) == count);
    CHECK(remains.pages.values == file.values_of(before_cut));
    CHECK(remains.runs_found == (count == 0 ? 0 : 1));
    if (count != 0) {
      CHECK(remains.pages.offset == file.pages.front().header);
      CHECK(remains.pages.offset + remains.pages.length == file.pages[count - 1].end);
      CHECK(pages_of(remains.runs[0]) == count);
    }
    CHECK(remains.footers_found == (size >= file.bytes.size() - 8 ? 1 : 0));
    CHECK(remains.searched_to == std::max<std::uint64_t>(size, 0));
  }
}

TEST_CASE("a hole between pages splits them into two runs, wherever it is") {
  const WholeFile file = whole_file(kSeveralPages);
  for (std::size_t hole = 1; hole + 1 < file.pages.size(); ++hole) {
    const ReadablePage& page = file.pages[hole];
    Bytes bytes = file.bytes;
    zero(bytes, page.header, page.end);
    bytes.resize(file.footer);
    const FileReport report = judged(bytes);
    INFO("page at " << page.header);
    REQUIRE(report.remains);
    REQUIRE(report.remains->runs.size() == 2);
    const PageRun& first = report.remains->runs[0];
    const PageRun& second = report.remains->runs[1];
    CHECK(first.offset + first.length == page.header);
    CHECK(second.offset == page.end);
    CHECK(pages_of(first) == hole);
    CHECK(pages_of(second) == file.pages.size() - hole - 1);
    CHECK(report.remains->pages.values ==
          file.values_of([&](const ReadablePage& other) { return other.header != page.header; }));
  }
}

TEST_CASE("a page whose size is too large hides none of the pages after it") {
  const WholeFile file = whole_file(kSeveralPages);
  const ReadablePage& page = file.pages[4];
  Bytes bytes = cut(file.bytes, file.footer);
  REQUIRE(bytes[page.header + 4] == 0x15);  // compressed_page_size, a number of one byte
  bytes[page.header + 5] = 0x7E;
  const FileReport report = judged(bytes);
  REQUIRE(report.remains);
  CHECK(pages_of(report.remains->pages) == file.pages.size());
  CHECK(report.remains->pages.values == file.values_of([](const ReadablePage&) { return true; }));
}

TEST_CASE("it", "[recovery/earlier-footer]") {
  const Bytes intact = read_bytes("corpus/witnesses/" + kGrown);
  const CheckOptions advice{.advice = true};
  const FileReport sound = judged(intact, advice);
  const auto at = std::ranges::find_if(sound.findings, [](const ReportedFinding& one) {
    return one.finding.rule == Rule::recovery_earlier_footer;
  });
  REQUIRE(at != sound.findings.end());
  const std::uint64_t footer_at = at->finding.offset + at->finding.length;
  for (std::uint64_t size = footer_at; size < intact.size(); ++size) {
    const Bytes bytes = cut(intact, size);
    INFO("cut to " << size);
    if (size != footer_at) {
      const FileReport report = judged(bytes, advice);
      REQUIRE(report.remains);
      REQUIRE(!report.remains->footers.empty());
      const CompleteFooter& footer = report.remains->footers.front();
      CHECK(footer.offset == at->finding.offset);
      CHECK(footer.footer_at == footer_at);
      CHECK(footer.rows == 6);
      CHECK(footer.row_groups == 1);
      CHECK(std::ranges::any_of(report.findings, [&](const ReportedFinding& one) {
        return one.finding.rule == Rule::recovery_earlier_footer && one.finding.offset == footer.offset;
      }));
    }
    const FileReport report = judged(bytes, {.footer_at = footer_at});
    CHECK(report.verdict == Verdict::conforming);
    CHECK(report.findings.empty());
    CHECK(report.rows == 6);
    CHECK(report.values == 24);
    CHECK(report.footer_at == footer_at);
  }
}

TEST_CASE("an intact footer is found though later ones are damaged") {
  const Bytes one = read_bytes("corpus/witnesses/" + kSeveralPages);
  Bytes bytes;
  for (int i = 0; i < 150; ++i) bytes.insert(bytes.end(), one.begin() + (i == 0 ? 0 : 4), one.end());
  bytes.back() = 'X';
  const FileReport report = judged(bytes);
  REQUIRE(report.remains);
  CHECK(report.remains->footers_found == 150);
  REQUIRE(report.remains->footers.size() == Remains::kListed);
  CHECK(!report.remains->footers.back().footer_at);
  CHECK(report.remains->footers[98].footer_at == one.size() + 148 * (one.size() - 4));
  CHECK(report.remains->runs_found == 150);
  CHECK(report.remains->runs.size() == Remains::kListed);
}

TEST_CASE("bytes that only resemble pages and footers cost a bounded search, and its end is reported") {
  const std::vector<Bytes> patterns{
      {0x15, 0x00},
      {0x15, 0x00, 0x15},
      {0x15, 0x00, 0x15, 0x00, 0x15, 0x00, 0x18, 0xFF, 0xFF, 0xFF, 0xFF, 0x07},
      {0x15, 0x02, 0x19, 0xFC, 0xFF, 0xFF, 0x3F},
      {0x15, 0x02, 0x19},
      {0x15, 0x02, 0x19, 0x1C, 0x48, 0xFF, 0xFF, 0x3F},
      {0x15, 0x00, 0x15, 0x00, 0x15, 0x00, 0x2C, 0x15, 0x00, 0x15, 0x00, 0x15, 0x06, 0x15, 0x06, 0x00, 0x00},
      {0x15, 0x00, 0x15, 0x00, 0x15, 0x00, 0x2C},
      {'P', 'A', 'R', '1'},
  };
  std::size_t given_up_in = 0;
  for (const Bytes& pattern : patterns) {
    Bytes bytes{'P', 'A', 'R', '1'};
    while (bytes.size() < std::size_t{1} << 21) bytes.insert(bytes.end(), pattern.begin(), pattern.end());
    bytes.push_back(0);
    const MemorySource memory(bytes);
    const CountingSource source(memory);
    const FileReport report = check(source, "file", {});
    INFO("a pattern of " << pattern.size() << " bytes");
    REQUIRE(report.verdict == Verdict::malformed);
    REQUIRE(report.remains);
    constexpr std::uint64_t kTimes = 128;
    CHECK(source.bytes_read() <= kTimes * bytes.size());
    const bool given_up = report.remains->searched_to < bytes.size();
    const bool reported_giving_up = std::ranges::any_of(
        report.not_run, [](const NotRun& one) { return one.what.starts_with("the search from byte "); });
    CHECK(reported_giving_up == given_up);
    given_up_in += given_up ? 1 : 0;
  }
  CHECK(given_up_in > 0);
  CHECK(given_up_in < patterns.size());
}

TEST_CASE("at tier footer nothing is searched for, and the report says so") {
  const FileReport report = judged(Bytes(100, 'x'), {.tier = Tier::footer});
  CHECK(report.verdict == Verdict::malformed);
  CHECK(!report.remains);
  REQUIRE(report.not_run.size() == 1);
  CHECK(report.not_run[0].by_choice);
}

TEST_CASE("a stopped search reports its offset") {
  const WholeFile file = whole_file(kSeveralPages);
  Bytes bytes = file.bytes;
  bytes.resize(file.footer);
  const std::atomic<bool> stop{true};
  const FileReport report = judged(bytes, {.cancelled = &stop});
  REQUIRE(report.remains);
  CHECK(report.remains->searched_to < bytes.size());
  CHECK(!report.not_run.empty());
}

TEST_CASE("a file that cannot be read to its end while it is searched is unreadable") {
  class Shrunk final : public Source {
   public:
    [[nodiscard]] std::uint64_t size() const noexcept override { return 1'000'000; }
    [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
      std::ranges::fill(into, std::uint8_t{1});
      return offset < 4 || offset >= 999'000;
    }
  };
  CHECK(check(Shrunk(), "file", {}).verdict == Verdict::unreadable);
}

}  // namespace
}  // namespace support
