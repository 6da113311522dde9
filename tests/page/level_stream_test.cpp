#include "codec/page/level_stream.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "tests/page/written_levels.hpp"

namespace parqproof {
namespace {

constexpr std::uint32_t kMax = 6;
constexpr std::size_t kCount = 3 * HybridDecoder::kBatch + 50;
constexpr Rule kRange = Rule::levels_definition_range;

std::vector<std::uint32_t> some_levels(std::size_t page) {
  std::vector<std::uint32_t> levels = legal_levels(kCount + page, {0, 2, 4}, kMax).definition;
  for (std::size_t i = 0; i < page * 3; ++i) levels[i * 500] = static_cast<std::uint32_t>(page % kMax);
  return levels;
}

LevelSection section_of(const Bytes& bytes, LevelForm form, std::size_t page = 0) {
  return {{bytes, kBase + page * 1'000'000, Space::page}, encoding_of(form)};
}

struct StreamRead {
  std::vector<std::uint32_t> levels;
  std::optional<Error> error;
};

StreamRead read(LevelStream& stream, const LevelSection& section, std::size_t count) {
  StreamRead read;
  if (const Status opened = stream.open(section, count); !opened) {
    read.error = opened.error();
    return read;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Result<std::uint32_t> level = stream.next();
    if (!level) {
      read.error = level.error();
      break;
    }
    read.levels.push_back(*level);
  }
  return read;
}

}  // namespace

TEST_CASE("a stream gives the levels of page after page, however each is stored") {
  LevelStream stream(kMax, kRange);
  LevelStream counter(kMax, kRange);
  for (std::size_t page = 0; page < 8; ++page) {
    const LevelForm form = kLevelForms[page % 4];
    INFO("page " << page);
    const std::vector<std::uint32_t> levels = some_levels(page);
    const Bytes bytes = stored_levels(levels, kMax, form);
    const StreamRead got = read(stream, section_of(bytes, form, page), levels.size());
    CHECK_FALSE(got.error);
    CHECK((got.levels == levels));
    REQUIRE(counter.open(section_of(bytes, form, page), levels.size()));
    CHECK(counter.count_maximum() == static_cast<std::uint64_t>(std::ranges::count(levels, kMax)));
  }
}

TEST_CASE("levels that are not stored are all at the maximum") {
  LevelStream stream(0, kRange);
  CHECK(read(stream, {}, 5000).levels == std::vector<std::uint32_t>(5000, 0));
  REQUIRE(stream.open({}, 7000));
  CHECK(stream.count_maximum() == std::uint64_t{7000});
}

TEST_CASE("a level above its maximum ends the stream in whichever batch and page it is",
          "[levels/definition-range]") {
  LevelStream stream(kMax, kRange);
  for (std::size_t page = 0; page < 3; ++page) {
    for (const std::size_t at : {std::size_t{9}, std::size_t{2 * HybridDecoder::kBatch + 1}, kCount - 1}) {
      INFO("page " << page << ", entry " << at);
      std::vector<std::uint32_t> levels = some_levels(page);
      levels.resize(kCount);
      levels[at] = 7;
      const std::size_t batch = at / HybridDecoder::kBatch * HybridDecoder::kBatch;
      const Bytes runs = stored_levels(levels, kMax, LevelForm::packed);
      const StreamRead in_run = read(stream, section_of(runs, LevelForm::packed, page), kCount);
      CHECK_ERROR(in_run.error, kRange, page * 1'000'000, 7, kMax);
      CHECK(in_run.levels.size() == batch);
      const Bytes bits = stored_levels(levels, kMax, LevelForm::bit_packed);
      CHECK_ERROR(read(stream, section_of(bits, LevelForm::bit_packed, page), kCount).error, kRange,
                  page * 1'000'000 + batch * 3 / 8, 7, kMax);
      REQUIRE(stream.open(section_of(runs, LevelForm::packed, page), kCount));
      const Result<std::uint64_t> counted = stream.count_maximum();
      REQUIRE_FALSE(counted);
      CHECK(counted.error().rule == kRange);
    }
  }
}

TEST_CASE("a stream that ends before its count reports how many levels it gave", "[levels/count]") {
  const std::vector<std::uint32_t> levels = some_levels(0);
  const Bytes bytes =
      stored_levels(std::span(levels).first(2 * HybridDecoder::kBatch), kMax, LevelForm::packed);
  LevelStream stream(kMax, kRange);
  const StreamRead got = read(stream, section_of(bytes, LevelForm::packed), kCount);
  CHECK_ERROR(got.error, Rule::levels_count, bytes.size(), 2 * HybridDecoder::kBatch, kCount);
  CHECK(got.levels.size() == 2 * HybridDecoder::kBatch);
}

}  // namespace parqproof
