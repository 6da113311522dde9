#include "codec/page/page_walk.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <span>

#include "codec/rules/rule.hpp"
#include "tests/page/written_pages.hpp"
#include "tests/support/sources.hpp"

namespace support {
namespace {

using namespace parqproof;
using Step = PageWalk::Step;
using Loss = PageWalk::Loss;

constexpr std::uint64_t kStart = 4;

/// Bytes, followed by zeros up to a size beyond 32 bits.
class LongSource final : public Source {
 public:
  static constexpr std::uint64_t kSize = 3'000'000'000;
  explicit LongSource(const Bytes& bytes) : front_(bytes) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return kSize; }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
    std::ranges::fill(into, std::uint8_t{0});
    const std::uint64_t begin = std::min(offset, front_.size());
    return front_.read(begin, into.first(std::min<std::uint64_t>(into.size(), front_.size() - begin)));
  }

 private:
  MemorySource front_;
};

/// The chunk that a walk is given: consecutive pages after four bytes.
struct Chunk {
  Chunk(std::initializer_list<Bytes> parts) {
    for (const Bytes& part : parts) {
      starts.push_back(bytes.size());
      bytes = bytes + part;
    }
    starts.push_back(bytes.size());
  }

  /// Replaces the walk by one over a chunk whose metadata has this size and `num_values`.
  PageWalk& walk(std::uint64_t size, std::int64_t num_values) {
    const ChunkExtent extent =
        chunk_extent(kStart, static_cast<std::int64_t>(size), num_values, bytes.size());
    source.emplace(bytes, readable);
    reader.emplace(*source, limits, 0);
    regions = RegionMap(Regions(region_list.begin(), region_list.end()));
    return page_walk.emplace(*reader, regions, extent, Place{3, 2, -1});
  }
  PageWalk& walk_all(std::int64_t num_values) { return walk(bytes.size() - kStart, num_values); }
  /// Adds another structure of the file, which begins at `offset`.
  void add_region(std::uint64_t offset) {
    const Region region{.offset = offset, .length = 1};
    region_list.push_back(region);
  }

  Bytes bytes{'P', 'A', 'R', '1'};
  std::vector<std::uint64_t> starts;  ///< of each part, and the end of the last
  std::uint64_t readable = UINT64_MAX;
  Limits limits;
  std::vector<Region> region_list;
  RegionMap regions;
  std::optional<PartlyReadableSource> source;
  std::optional<PageReader> reader;
  std::optional<PageWalk> page_walk;
};

Bytes page(std::int64_t num_values, std::size_t size = 8) {
  return page_of({.body = Bytes(size), .num_values = num_values});
}

const Bytes kDictionary = page_of({.type = PageType::DICTIONARY_PAGE, .num_values = 50});
const Bytes kGarbage(40, 0xff);

/// The next step is the page that begins at `at`.
void check_page(PageWalk& walk, std::uint64_t at, std::int32_t ordinal) {
  REQUIRE(walk.next(nullptr) == Step::page);
  CHECK(walk.offset() == at);
  CHECK(walk.page().offset == at);
  CHECK(walk.ordinal() == ordinal);
  CHECK(walk.page().place.page == ordinal);
  CHECK(walk.page().place.row_group == 3);
  CHECK(walk.loss() == Loss::none);
}

TEST_CASE("a walk visits the pages in order, counts entries of data pages and stops at the claimed end") {
  Chunk chunk{kDictionary, page(3), page_of({.type = PageType::DATA_PAGE_V2, .num_values = 4}), page(9)};
  PageWalk& walk = chunk.walk(chunk.starts[3] - kStart, 7);
  check_page(walk, chunk.starts[0], 0);
  CHECK(walk.page().is_dictionary());
  check_page(walk, chunk.starts[1], 1);
  CHECK(walk.entries() == 0);  // entries of a page are counted after it is passed
  walk.move_past_page();
  CHECK(walk.offset() == chunk.starts[2]);
  CHECK(walk.entries() == 3);
  check_page(walk, chunk.starts[2], 2);  // passed once, not twice
  CHECK(walk.next(nullptr) == Step::end);
  CHECK(walk.offset() == chunk.starts[3]);
  CHECK(walk.ordinal() == 3);
  CHECK(walk.entries() == 7);
  CHECK(walk.next(nullptr) == Step::end);
}

TEST_CASE("pages after the claimed bytes belong to the chunk until its entries are complete") {
  Chunk chunk{page(3), page(4), page(5), kGarbage};
  PageWalk& walk = chunk.walk(chunk.starts[1] - kStart, 7);
  check_page(walk, chunk.starts[0], 0);
  check_page(walk, chunk.starts[1], 1);
  CHECK(walk.bound() == chunk.bytes.size());
  // Entries are complete; the next page is after the claimed bytes, but nothing else begins there.
  check_page(walk, chunk.starts[2], 2);
  CHECK(walk.next(nullptr) == Step::end);
  CHECK(walk.offset() == chunk.starts[3]);
  chunk.add_region(chunk.starts[2]);
  PageWalk& bounded = chunk.walk(chunk.starts[1] - kStart, 9);
  check_page(bounded, chunk.starts[0], 0);
  check_page(bounded, chunk.starts[1], 1);
  CHECK(bounded.bound() == chunk.starts[2]);
  CHECK(bounded.next(nullptr) == Step::end);  // the page there is that of another chunk
}

TEST_CASE("after the last entry, a page in the claimed bytes is visited; garbage is not") {
  Chunk chunk{page(3), page(4), kGarbage};
  PageWalk& walk = chunk.walk_all(3);
  check_page(walk, chunk.starts[0], 0);
  check_page(walk, chunk.starts[1], 1);
  CHECK(walk.next(nullptr) == Step::end);
  CHECK(walk.offset() == chunk.starts[2]);
  chunk.add_region(chunk.starts[1]);
  PageWalk& bounded = chunk.walk_all(3);
  check_page(bounded, chunk.starts[0], 0);
  CHECK(bounded.next(nullptr) == Step::end);
  CHECK(bounded.offset() == chunk.starts[1]);
}

TEST_CASE("a lost walk reports its reason and offset, and stays there") {
  struct Case {
    Bytes page;
    Loss loss;
    Rule rule;
    PageFault::At at;
    FindingValue found;
  };
  const Case cases[] = {
      {kGarbage, Loss::framing, Rule::page_within_chunk, PageFault::At::bytes, "nothing"},
      {page_of({.without = {3}}), Loss::size_missing, Rule::thrift_required_field, PageFault::At::header,
       kAbsent},
      {page_of({.compressed = -2}), Loss::size_negative, Rule::page_size_negative, PageFault::At::header, -2},
      {page_of({.compressed = 700}), Loss::beyond_bound, Rule::page_within_chunk, PageFault::At::header, 700},
  };
  for (const Case& one : cases) {
    INFO("loss " << static_cast<int>(one.loss));
    Chunk chunk{page(3), one.page, page(4)};
    PageWalk& walk = chunk.walk_all(7);
    check_page(walk, chunk.starts[0], 0);
    for (int again = 0; again < 2; ++again) {
      REQUIRE(walk.next(nullptr) == Step::lost);
      CHECK(walk.loss() == one.loss);
      CHECK(walk.offset() == chunk.starts[1]);
      CHECK(walk.ordinal() == 1);
      CHECK(walk.entries() == 3);
    }
    const PageFault fault = walk.fault(Step::lost);
    CHECK(fault.rule() == one.rule);
    CHECK(fault.at == one.at);
    CHECK(fault.contrast.found == one.found);
    if (one.at == PageFault::At::header) CHECK(fault.field == "compressed_page_size");
    if (one.at == PageFault::At::bytes) CHECK(fault.error.offset == chunk.starts[1]);
  }
}

TEST_CASE("a page that reaches into the next structure is lost, unless total_compressed_size includes it") {
  Chunk chunk{page(3), page(4, 50), kGarbage};
  chunk.add_region(chunk.starts[2] - 10);
  PageWalk& walk = chunk.walk(chunk.starts[2] - 10 - kStart, 7);
  check_page(walk, chunk.starts[0], 0);
  REQUIRE(walk.next(nullptr) == Step::lost);
  CHECK(walk.loss() == Loss::beyond_bound);
  CHECK(walk.bound() == chunk.starts[2] - 10);
  CHECK(walk.fault(Step::lost).contrast.expected == at_most(40));
  PageWalk& claimed = chunk.walk(chunk.starts[2] - kStart, 7);  // total_compressed_size takes precedence
  check_page(claimed, chunk.starts[0], 0);
  check_page(claimed, chunk.starts[1], 1);
}

TEST_CASE("a header above the limit ends a walk with limit, an unreadable one with unreadable") {
  Chunk chunk{page(3), page_of({.num_values = 4, .maximum = 70'000}), page(4)};  // more than 65,536 bytes
  PageWalk& all = chunk.walk_all(11);
  check_page(all, chunk.starts[0], 0);
  check_page(all, chunk.starts[1], 1);
  chunk.limits.page_bytes = 1024;
  PageWalk& limited = chunk.walk_all(11);
  check_page(limited, chunk.starts[0], 0);
  REQUIRE(limited.next(nullptr) == Step::limit);
  CHECK(limited.offset() == chunk.starts[1]);
  CHECK(limited.fault(Step::limit).rule() == Rule::limit_page_size);
  CHECK(limited.fault(Step::limit).error.offset == chunk.starts[1]);
  CHECK(limited.fault(Step::limit).contrast.expected == 65536);
  chunk.readable = chunk.starts[1] + 300;
  PageWalk& cut = chunk.walk_all(11);
  check_page(cut, chunk.starts[0], 0);
  REQUIRE(cut.next(nullptr) == Step::unreadable);
  CHECK(cut.fault(Step::unreadable).at == PageFault::At::unreadable);
}

TEST_CASE("a page header that is nested too deeply ends a walk with thrift/nesting-depth",
          "[thrift/nesting-depth]") {
  const Bytes deep = Bytes{0x9c} + Bytes(70, 0x1c) + Bytes(80);
  Chunk chunk{page(3), deep, page(4)};
  PageWalk& walk = chunk.walk_all(7);
  check_page(walk, chunk.starts[0], 0);
  REQUIRE(walk.next(nullptr) == Step::limit);
  const PageFault fault = walk.fault(Step::limit);
  CHECK(fault.rule() == Rule::thrift_nesting_depth);
  CHECK(fault.error.offset == chunk.starts[1]);
  CHECK(fault.contrast.found == 65);
  CHECK(fault.contrast.expected == 64);
}

TEST_CASE("a walk that resumes after damage numbers pages as requested and stops at the claimed end") {
  Chunk chunk{page(3), kGarbage, page(4), page(5)};
  PageWalk& walk = chunk.walk(chunk.starts[3] - kStart, 100);
  check_page(walk, chunk.starts[0], 0);
  REQUIRE(walk.next(nullptr) == Step::lost);
  walk.resume(chunk.starts[2], 8);
  CHECK(walk.offset() == chunk.starts[2]);
  check_page(walk, chunk.starts[2], 8);
  // The number of skipped entries is unknown, so missing entries do not require another page.
  CHECK(walk.next(nullptr) == Step::end);
  CHECK(walk.offset() == chunk.starts[3]);
  CHECK(walk.ordinal() == 9);
  PageWalk& from_page = chunk.walk(chunk.starts[3] - kStart, 100);
  check_page(from_page, chunk.starts[0], 0);
  from_page.resume(chunk.starts[2], 5);  // instead of the page after it
  check_page(from_page, chunk.starts[2], 5);
  CHECK(from_page.entries() == 0);  // the page that was resumed from is not passed
}

TEST_CASE("a chunk whose start is wrong begins at the first offset with a page") {
  Chunk chunk{kGarbage, page(3), page(4), page(5)};
  PageWalk& walk = chunk.walk(chunk.starts[3] - chunk.starts[1], 7);
  CHECK_FALSE(walk.starts_with_page());
  const auto size = static_cast<std::int64_t>(chunk.starts[3] - chunk.starts[1]);
  walk.begin_at_one_of(
      {kStart, chunk.starts[1] + 1, chunk.bytes.size() + 9, chunk.starts[1], chunk.starts[2]}, size);
  CHECK(walk.offset() == chunk.starts[1]);
  CHECK(walk.extent().start == chunk.starts[1]);
  CHECK(walk.extent().metadata_end == chunk.starts[3]);
  CHECK(walk.starts_with_page());
  check_page(walk, chunk.starts[1], 0);
  check_page(walk, chunk.starts[2], 1);
  CHECK(walk.next(nullptr) == Step::end);
  PageWalk& none = chunk.walk(chunk.starts[3] - chunk.starts[1], 7);
  none.begin_at_one_of({chunk.starts[1] + 1}, size);
  CHECK(none.offset() == kStart);
  CHECK(none.next(nullptr) == Step::lost);
  PageWalk& oversized = chunk.walk_all(7);  // a size past the data is ignored
  oversized.begin_at_one_of({chunk.starts[1]}, static_cast<std::int64_t>(chunk.bytes.size()));
  CHECK(oversized.extent().metadata_end == chunk.bytes.size());
}

TEST_CASE("a size that does not fit after a wrong start is used after an earlier start") {
  Chunk chunk{page(3), page(4), page(5), kGarbage};
  const auto size = static_cast<std::int64_t>(chunk.starts[2] - chunk.starts[0]);
  chunk.walk_all(7);
  const std::uint64_t end = chunk.bytes.size();
  PageWalk walk(*chunk.reader, chunk.regions, chunk_extent(chunk.starts[3] - 1, size, 7, end),
                Place{3, 2, -1});
  CHECK(walk.extent().metadata_end == end);
  walk.begin_at_one_of({chunk.starts[0]}, size);
  CHECK(walk.extent().start == chunk.starts[0]);
  CHECK(walk.extent().metadata_end == chunk.starts[2]);
}

TEST_CASE("a chunk of more than 2^32 bytes begins at the first page too") {
  const Chunk chunk{kGarbage, page(3)};
  const LongSource source(chunk.bytes);
  PageReader reader(source, chunk.limits, 0);
  constexpr std::int64_t kChunk = 2'500'000'000;
  PageWalk walk(reader, chunk.regions, chunk_extent(kStart, kChunk, 9, LongSource::kSize), Place{3, 2, -1});
  walk.begin_at_one_of({chunk.starts[1]}, kChunk);
  CHECK(walk.extent().start == chunk.starts[1]);
  CHECK(walk.extent().metadata_end == chunk.starts[1] + kChunk);
}

TEST_CASE("a header that was read before the reader moved elsewhere is read again") {
  Chunk chunk{page(3, 500), page(4, 500)};
  PageWalk& walk = chunk.walk_all(7);
  REQUIRE(walk.starts_with_page());
  Page elsewhere;
  REQUIRE(chunk.reader->read_header(chunk.starts[1], chunk.bytes.size(), {}, elsewhere) ==
          PageReader::State::read);
  walk.discard_header();
  check_page(walk, chunk.starts[0], 0);
  const std::span<const std::uint8_t> header = walk.page().header_bytes.bytes;
  CHECK(std::ranges::equal(header, std::span(chunk.bytes).subspan(chunk.starts[0], header.size())));
}

TEST_CASE("starts_with_page() accepts a valid header whose page ends within the data") {
  const auto starts_with_page = [](const Bytes& bytes) {
    Chunk chunk{bytes};
    return chunk.walk_all(1).starts_with_page();
  };
  CHECK(starts_with_page(page(1)));
  CHECK(starts_with_page(kDictionary));
  CHECK(starts_with_page(page_of({.type = static_cast<PageType>(9)})));  // skipped by its size
  CHECK_FALSE(starts_with_page(kGarbage));
  CHECK_FALSE(starts_with_page(page_of({.compressed = 5})));
  CHECK_FALSE(starts_with_page(page_of({.compressed = -2})));
  CHECK_FALSE(starts_with_page(page_of({.num_values = -1})));
  CHECK_FALSE(starts_with_page(page_of({.without = {5}})));
}

TEST_CASE("findings of a header are reported once, whether it was tried before or not",
          "[thrift/required-field][thrift/varint-canonical]") {
  Bytes padded = page(3);
  padded.insert(padded.begin() + 1, 0x80);  // the type in two bytes, with an unambiguous value
  const std::pair<Bytes, Rule> headers[] = {
      {page_of({.num_values = 3, .without = {2}}), Rule::thrift_required_field},
      {padded, Rule::thrift_varint_canonical}};
  for (const auto& [header, rule] : headers) {
    Chunk chunk{header, page(4)};
    for (const bool tried : {false, true}) {
      INFO(info(rule).id << (tried ? ", tried before" : ""));
      Findings findings(RuleSet().set());
      PageWalk& walk = chunk.walk_all(7);
      if (tried) CHECK(walk.starts_with_page() == (rule == Rule::thrift_varint_canonical));
      REQUIRE(walk.next(&findings) == Step::page);
      CHECK(walk.page().faults == 1);
      REQUIRE(walk.next(&findings) == Step::page);
      REQUIRE(findings.all().size() == 1);
      CHECK(findings.all()[0].rule == rule);
      CHECK(findings.all()[0].place.page == 0);
    }
  }
}

}  // namespace
}  // namespace support
