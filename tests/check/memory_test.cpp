#include "fuzz/memory.hpp"

#include <catch2/catch_test_macros.hpp>

#include "conformance/check/check.hpp"
#include "conformance/state/parsed_footer.hpp"
#include "tests/hostile/hostile_file.hpp"
#include "tests/support/compressed.hpp"
#include "tests/support/judged.hpp"
#include "tests/support/repeated_row_group.hpp"

namespace support {
namespace {

using namespace parqproof;

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;
constexpr std::uint64_t kPlainPage = 2 * kMegabyte;
constexpr std::uint64_t kCompressedPage = 4 * kMegabyte;  // when expanded
constexpr std::uint64_t kDictionary = kMegabyte;
constexpr std::int64_t kRows = kCompressedPage / 8;

/// One row group: pages of 2 MB, one that expands to 4 MB, and one that refers to a dictionary of 1 MB.
Bytes one_row_group() {
  HostileColumn plain{.type = Type::INT64, .num_values = kRows};
  for (std::int64_t done = 0; done < kRows; done += kPlainPage / 8)
    plain.pages = plain.pages + data_page(kPlainPage / 8, Encoding::PLAIN, Bytes(kPlainPage));

  HostileColumn expanded{.type = Type::INT64, .codec = CompressionCodec::ZSTD, .num_values = kRows};
  const Bytes body = zstd_of(Bytes(kCompressedPage));
  expanded.pages = data_page(kRows, Encoding::PLAIN, body, kCompressedPage);
  expanded.uncompressed = static_cast<std::int64_t>(expanded.pages.size() - body.size() + kCompressedPage);

  const HostileColumn coded{.type = Type::INT32,
                            .num_values = kRows,
                            .dictionary = dictionary_page(kDictionary / 4, Bytes(kDictionary)),
                            .pages = data_page(kRows, Encoding::RLE_DICTIONARY, Bytes{8} + run(kRows, 200)),
                            .encodings = {Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY}};
  return file_of({plain, expanded, coded}, kRows);
}

struct Peak {
  std::uint64_t file = 0;
  std::uint64_t footer = 0;
  std::uint64_t held = 0;
};

/// Peak memory of a check of so many row groups.
Peak peak_of(const Bytes& one, std::uint64_t times) {
  const RepeatedRowGroup source(one, times);
  const fuzz::HeldBytes watch;
  const FileReport report = check(source, "repeated.parquet", {});
  const Peak peak{source.size(), source.footer_bytes(), watch.most()};
  CHECK(report.verdict == Verdict::conforming);
  CHECK(report.bytes == source.size());
  return peak;
}

}  // namespace

TEST_CASE("memory depends on pages, dictionaries and the footer, not on the size of the file") {
  const Bytes one = one_row_group();
  const Peak small = peak_of(one, 100 * kMegabyte / one.size() + 1);
  const Peak large = peak_of(one, 2048 * kMegabyte / one.size() + 1);
  CHECK(large.file > 2048 * kMegabyte);
  for (const Peak& peak : {small, large}) {
    CHECK(peak.held <= 64 * kMegabyte + 2 * kCompressedPage + kDictionary + 2 * peak.footer);
  }
  CHECK(large.held <= small.held + 2 * (large.footer - small.footer) + kMegabyte);
}

TEST_CASE("a conforming column chunk takes less than a hundred bytes in addition to the footer") {
  constexpr std::uint64_t kColumns = 100;
  const HostileColumn column{.num_values = 1, .pages = data_page(1, Encoding::PLAIN, Bytes(4))};
  const Bytes one = file_of(std::vector<HostileColumn>(kColumns, column), 1);
  const std::uint64_t small = peak_of(one, 100).held;
  const std::uint64_t large = peak_of(one, 1000).held;
  // ParsedFooter have both of each chunk, in memory that does not come from operator new.
  constexpr std::uint64_t kFacts = sizeof(ChunkClaim) + sizeof(Region);
  CHECK(kFacts + (large - small) / (900 * kColumns) < 100);
}

namespace {

TEST_CASE("the page after one above the limit is not taken for the first page of the chunk") {
  // Two leaves of a map; the second data page of the first continues a row, so its levels begin with it.
  const std::vector<std::uint8_t> bytes =
      read_bytes("corpus/witnesses/logical-type/map-duplicate-keys/fail-n.parquet");
  REQUIRE(judged(bytes).verdict == Verdict::conforming);
  const FileReport report = judged(bytes, {.limits = {.page_bytes = 16}});
  CHECK(report.verdict == Verdict::limit);
  REQUIRE(report.causes.size() == 1);
  CHECK(report.causes.front().rule() == Rule::limit_page_size);
  CHECK(report.causes.front().times == 2);
}

}  // namespace

}  // namespace support
