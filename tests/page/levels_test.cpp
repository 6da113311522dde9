// Levels of several pages of several batches each, compared with sums made entry by entry.
#include "codec/page/levels.hpp"

#include <catch2/catch_test_macros.hpp>
#include <numeric>

#include "tests/page/written_levels.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kDefinitionBase = kBase + 1'000'000;  // offset of the definition levels of a page
constexpr std::size_t kBatch = HybridDecoder::kBatch;

// The levels of the chunk of one leaf, with their pages and storage forms.
struct Chunk {
  LevelPairs levels;
  std::vector<std::size_t> pages;  ///< entries of each
  LevelForm repetition = LevelForm::packed;
  LevelForm definition = LevelForm::packed;
};

struct ReadPage : support::Faults {
  LevelSums sums;
};

using Print = std::pair<std::uint64_t, std::uint64_t>;

struct ReadChunk {
  std::vector<ReadPage> pages;
  std::vector<Print> prints;
  std::uint64_t faulty_entry = 0;
};

// Reads all pages; page k begins k times 10,000,000 after the first.
ReadChunk read(const Schema& schema, const Chunk& chunk, std::optional<std::size_t> lost_before = {}) {
  LevelReader reader(schema, 0);
  ReadChunk read;
  std::size_t at = 0;
  for (std::size_t k = 0; k < chunk.pages.size(); ++k) {
    const std::size_t count = chunk.pages[k];
    const auto part = [&](const std::vector<std::uint32_t>& all) {
      return std::span<const std::uint32_t>(all).subspan(at, count);
    };
    const Bytes repetition =
        stored_levels(part(chunk.levels.repetition), reader.max_repetition(), chunk.repetition);
    const Bytes definition =
        stored_levels(part(chunk.levels.definition), reader.max_definition(), chunk.definition);
    const std::uint64_t base = 10'000'000 * k;
    if (lost_before == k) reader.page_lost();
    ReadPage& page = read.pages.emplace_back();
    const Result<LevelSums> sums =
        reader.read({{repetition, base + kBase, Space::page}, encoding_of(chunk.repetition)},
                    {{definition, base + kDefinitionBase, Space::page}, encoding_of(chunk.definition)}, count,
                    page.notes);
    if (sums) {
      page.sums = *sums;
      CHECK((reader.max_repetition() == 0 || reader.repetition_rest().empty()));
      CHECK((reader.max_definition() == 0 || reader.definition_rest().empty()));
    } else {
      page.error = sums.error();
    }
    at += count;
  }
  read.prints = reader.fingerprints();
  read.faulty_entry = reader.faulty_entry();
  return read;
}

// Reads one page of an encoding.
Result<LevelSums> read_page(LevelReader& reader, const Bytes& repetition, const Bytes& definition,
                            std::uint64_t count, Notes& notes, Encoding encoding = Encoding::RLE) {
  return reader.read({{repetition, kBase, Space::page}, encoding},
                     {{definition, kDefinitionBase, Space::page}, encoding}, count, notes);
}

// The sums of entries [from, from + count) by their definitions.
LevelSums sums_of(const Schema& schema, const LevelPairs& levels, std::size_t from, std::size_t count) {
  const Node& leaf = schema.leaf(0);
  const std::vector<std::uint32_t> reached = schema.repeated_definition_levels(0);
  const std::uint32_t element = reached.back();
  LevelSums sums;
  sums.first_repetition = levels.repetition[from];
  for (std::size_t i = from; i < from + count; ++i) {
    const std::uint32_t d = levels.definition[i];
    if (levels.repetition[i] == 0) ++sums.rows;
    if (d == leaf.max_definition) ++sums.stored;
    if (d + 1 == leaf.max_definition) ++sums.null_leaves;
    if (d >= element && d != leaf.max_definition) ++sums.null_elements;
  }
  return sums;
}

// The fingerprint of one ancestor, pair by pair.
Print print_of(const LevelPairs& levels, std::uint32_t max_repetition, std::uint32_t max_definition) {
  LevelFingerprint print;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (levels.repetition[i] > max_repetition) continue;
    print.add(LevelFingerprint::code(levels.repetition[i], std::min(levels.definition[i], max_definition)),
              1);
  }
  return print.value();
}

void check_pages(const Schema& schema, const Chunk& chunk) {
  REQUIRE(std::accumulate(chunk.pages.begin(), chunk.pages.end(), std::size_t{0}) == chunk.levels.size());
  const ReadChunk got = read(schema, chunk);
  std::size_t at = 0;
  for (std::size_t k = 0; k < chunk.pages.size(); ++k) {
    INFO("page " << k << ", forms " << static_cast<int>(chunk.repetition) << " and "
                 << static_cast<int>(chunk.definition));
    const LevelSums expected = sums_of(schema, chunk.levels, at, chunk.pages[k]);
    const ReadPage& page = got.pages[k];
    CHECK_FALSE(page.error);
    CHECK(page.notes.all().empty());
    CHECK(page.sums.rows == expected.rows);
    CHECK(page.sums.stored == expected.stored);
    CHECK(page.sums.null_leaves == expected.null_leaves);
    CHECK(page.sums.null_elements == expected.null_elements);
    CHECK(page.sums.first_repetition == expected.first_repetition);
    at += chunk.pages[k];
  }
  std::vector<Print> prints;
  const LevelReader reader(schema, 0);
  for (const std::uint32_t ancestor : reader.shared_ancestors()) {
    const Node& node = schema.nodes()[ancestor];
    prints.push_back(print_of(chunk.levels, node.max_repetition, node.max_definition));
  }
  CHECK(got.prints == prints);
  CHECK(got.faulty_entry == ~std::uint64_t{0});
}

constexpr std::size_t kEntries = 40'000;
const std::vector<std::vector<std::size_t>> kCuts{
    {kEntries}, {9000, 1, 4096, 12'000, 14'903}, {8192, 8192, 4096, 4097, 15'423}};

void check_forms(const Schema& schema) {
  const Node& leaf = schema.leaf(0);
  const LevelPairs levels = legal_levels(kEntries, schema.repeated_definition_levels(0), leaf.max_definition);
  for (const LevelForm repetition : kLevelForms) {
    for (const LevelForm definition : kLevelForms) {
      for (const auto& pages : kCuts) check_pages(schema, {levels, pages, repetition, definition});
    }
  }
}

using enum FieldRepetitionType;

// Entries of the leaf of lists_of_structs() with its pages, all in batches of the same size.
Chunk nested_chunk() {
  Chunk chunk;
  chunk.levels = legal_levels(kEntries, {0, 2, 4}, 6);
  chunk.pages = {14'000, 13'000, 13'000};
  return chunk;
}

// Entries that lie in the first batch of the first page, in a later one, at the borders of batches and
// pages, and last: page, entry in the page.
const std::pair<std::size_t, std::size_t> kPlaces[] = {
    {0, 3},      {0, kBatch}, {0, 2 * kBatch + 10}, {0, 13'999}, {1, 0}, {1, kBatch},
    {1, 12'999}, {2, 0},      {2, 2 * kBatch},      {2, 12'999}};

std::size_t ordinal_of(const Chunk& chunk, std::size_t page, std::size_t entry) {
  return std::accumulate(chunk.pages.begin(), chunk.pages.begin() + static_cast<std::ptrdiff_t>(page), entry);
}

}  // namespace

TEST_CASE("sums and fingerprints of levels are those of their entries, however they are stored and cut") {
  check_forms(lists_of_structs());
  // Lists without a group above them, and an element that may not be null.
  check_forms(schema_of(1, {{"list", REPEATED, 1}, {"list", REPEATED, 1}, {"x", REQUIRED}}));
}

TEST_CASE("histograms count every level, of few or of many, in runs or not") {
  for (const std::uint32_t levels : {2U, 8U, 9U, 40U}) {
    INFO(levels << " levels");
    std::vector<std::uint32_t> stored(5000);
    std::vector<std::uint64_t> expected(levels);
    for (std::size_t i = 0; i < stored.size(); ++i) {
      stored[i] = static_cast<std::uint32_t>(i * i % 101 % levels);
      expected[stored[i]] += 2;
    }
    expected[1] += 3'000'000'000;
    std::vector<std::uint64_t> definitions(levels);
    std::vector<std::uint64_t> repetitions(levels);
    LevelBatch batch{.count = stored.size()};
    batch.repetition = batch.definition = stored.data();
    LevelBatch run{.count = 3'000'000'000};
    run.run_repetition = run.run_definition = 1;
    for (const LevelBatch& one : {batch, run, batch}) {
      one.add_definition_histogram(definitions);
      one.add_repetition_histogram(repetitions);
    }
    CHECK(definitions == expected);
    CHECK(repetitions == expected);
  }
}

TEST_CASE("several shared ancestors have fingerprints of their own") {
  const Schema schema = schema_of(1, {{"a", OPTIONAL, 2},
                                      {"b", REPEATED, 2},
                                      {"c", OPTIONAL, 2},
                                      {"x", REPEATED},
                                      {"y", OPTIONAL},
                                      {"z", REQUIRED},
                                      {"w", OPTIONAL}});
  REQUIRE(LevelReader(schema, 0).shared_ancestors() == std::vector<std::uint32_t>{1, 2, 3});
  check_forms(schema);
}

TEST_CASE("sums of a column without lists are those of its entries, with and without siblings") {
  check_forms(schema_of(1, {{"x", OPTIONAL}}));
  check_forms(schema_of(1, {{"a", OPTIONAL, 1}, {"b", OPTIONAL, 1}, {"x", OPTIONAL}}));
  check_forms(schema_of(1, {{"a", OPTIONAL, 2}, {"x", OPTIONAL}, {"y", OPTIONAL}}));
  const Schema required = schema_of(1, {{"x", REQUIRED}});
  Chunk chunk;
  chunk.levels.repetition.assign(20'000, 0);
  chunk.levels.definition.assign(20'000, 0);
  chunk.pages = {9000, 11'000};
  check_pages(required, chunk);
}

TEST_CASE("a fingerprint depends on every entry, and not on how entries were added") {
  std::vector<std::uint32_t> repetition;
  std::vector<std::uint32_t> definition;
  for (std::size_t i = 0; i < 10'000; ++i) {
    repetition.push_back(i / 900 % 2 == 0 ? 1 : static_cast<std::uint32_t>(mixed(i) % 4));
    definition.push_back(i / 900 % 2 == 0 ? 3 : static_cast<std::uint32_t>(mixed(i) / 4 % 6));
  }
  const LevelProjection ancestor{2, 4};
  const auto code_at = [&](std::size_t i) {
    return LevelFingerprint::code(repetition[i], std::min(definition[i], ancestor.definition));
  };
  const auto is_part = [&](std::size_t i) { return repetition[i] <= ancestor.repetition; };
  LevelFingerprint one_by_one;
  for (std::size_t i = 0; i < repetition.size(); ++i) {
    if (is_part(i)) one_by_one.add(code_at(i), 1);
  }
  for (const std::size_t block : {1UL, 2UL, 3UL, 5UL, 4095UL, 4096UL, 10'000UL}) {
    LevelFingerprint blocks;
    for (std::size_t at = 0; at < repetition.size(); at += block) {
      const std::size_t count = std::min(block, repetition.size() - at);
      blocks.add(repetition.data() + at, definition.data() + at, count, ancestor);
    }
    CHECK(blocks.value() == one_by_one.value());
  }
  LevelFingerprint runs;
  for (std::size_t at = 0; at < repetition.size();) {
    std::size_t end = at;
    while (end < repetition.size() && code_at(end) == code_at(at)) ++end;
    if (is_part(at)) runs.add(code_at(at), end - at);
    at = end;
  }
  CHECK(runs.value() == one_by_one.value());
  for (const std::size_t at : {0UL, 4095UL, 4096UL, 9999UL}) {
    LevelFingerprint before;
    before.add(repetition.data(), definition.data(), repetition.size(), {3, 6});
    std::vector<std::uint32_t> other = definition;
    ++other[at];
    LevelFingerprint print;
    print.add(repetition.data(), other.data(), repetition.size(), {3, 6});
    CHECK(print.value().first != before.value().first);
    CHECK(print.value().second != before.value().second);
  }
}

namespace {

// Reads chunks with a repetition at each place, whose levels `change(levels, ordinal)` makes a fault, in each
// form; the page of the entry alone has a note. Calls `check(read chunk, chunk, page, entry)`.
void for_each_place(auto change, auto check) {
  for (const auto& [page, entry] : kPlaces) {
    INFO("page " << page << ", entry " << entry);
    Chunk chunk = nested_chunk();
    const std::size_t at = ordinal_of(chunk, page, entry);
    chunk.levels.repetition[at - 1] = 0;
    chunk.levels.repetition[at] = 2;
    if (at + 1 < kEntries) chunk.levels.repetition[at + 1] = 0;
    change(chunk.levels, at);
    for (const LevelForm form : {LevelForm::packed, LevelForm::automatic, LevelForm::bit_packed}) {
      chunk.repetition = chunk.definition = form;
      const ReadChunk got = read(lists_of_structs(), chunk);
      for (std::size_t k = 0; k < got.pages.size(); ++k)
        REQUIRE(got.pages[k].notes.all().size() == (k == page ? 1 : 0));
      CHECK(got.pages[page].notes.all()[0].times == 1);
      CHECK(got.faulty_entry == at);
      check(got, chunk, page, entry);
    }
  }
}

}  // namespace

TEST_CASE("a repetition of an absent list is noted at the definition levels of its page",
          "[levels/repetition-needs-defined]") {
  const Schema schema = lists_of_structs();
  // The previous value is present, the value itself is absent; what follows begins a row.
  const auto change = [](LevelPairs& levels, std::size_t at) {
    levels.definition[at - 1] = 6;
    levels.definition[at] = 1;
    if (at + 2 < kEntries) levels.repetition[at + 2] = 0;
  };
  for_each_place(change, [&](const ReadChunk& got, const Chunk& chunk, std::size_t page,
                             std::size_t /*entry*/) {
    CHECK_NOTE(got.pages[page], Rule::levels_repetition_needs_defined,
               10'000'000 * page + kDefinitionBase - kBase, 1, 4);
    const LevelSums expected = sums_of(schema, chunk.levels, ordinal_of(chunk, page, 0), chunk.pages[page]);
    CHECK(got.pages[page].sums.rows == expected.rows);
    CHECK(got.pages[page].sums.stored == expected.stored);
    CHECK(got.prints == std::vector<Print>{print_of(chunk.levels, 2, 5)});
  });
}

TEST_CASE("an entry that continues an empty list is noted at the repetition levels of its page",
          "[levels/repetition-after-empty]") {
  const auto change = [](LevelPairs& levels, std::size_t at) {
    levels.definition[at - 1] = 3;  // the inner list is empty
    levels.definition[at] = 5;
  };
  for_each_place(change, [](const ReadChunk& got, const Chunk& chunk, std::size_t page, std::size_t entry) {
    CHECK_NOTE(got.pages[page], Rule::levels_repetition_after_empty, 10'000'000 * page, 3, 4);
    // After a lost page the previous entry is unknown.
    const ReadChunk lost = read(lists_of_structs(), chunk, page);
    CHECK(lost.pages[page].notes.all().empty() == (entry == 0));
  });
}

TEST_CASE("the first entry of a chunk has no previous entry", "[levels/repetition-after-empty]") {
  Chunk chunk = nested_chunk();
  chunk.levels.repetition[0] = 2;
  chunk.levels.definition[0] = 6;
  chunk.levels.repetition[1] = 0;
  const ReadChunk got = read(lists_of_structs(), chunk);
  CHECK(got.pages[0].notes.all().empty());
  CHECK(got.pages[0].sums.first_repetition == 2);
}

TEST_CASE("faults of several pages are counted page by page, and the first entry is reported",
          "[levels/repetition-needs-defined]") {
  const Schema schema = lists_of_structs();
  Chunk chunk = nested_chunk();
  for (const std::size_t at : {5000UL, 9000UL, 14'000UL, 39'000UL}) {
    chunk.levels.repetition[at - 1] = 0;
    chunk.levels.definition[at - 1] = 6;
    chunk.levels.repetition[at] = 1;
    chunk.levels.definition[at] = 0;
    chunk.levels.repetition[at + 1] = 0;
  }
  const ReadChunk got = read(schema, chunk);
  const auto times = [&](std::size_t page) { return got.pages[page].notes.all()[0].times; };
  for (const ReadPage& page : got.pages) {
    REQUIRE(page.notes.all().size() == 1);
    CHECK_NUMBERS(page.note(Rule::levels_repetition_needs_defined), 0, 2);
  }
  CHECK(times(0) == 2);
  CHECK(times(1) == 1);
  CHECK(times(2) == 1);
  CHECK(got.faulty_entry == 5000);
}

TEST_CASE("a level above its maximum is an error at its run, or at its byte if there are no runs",
          "[levels/repetition-range][levels/definition-range]") {
  const Schema schema = lists_of_structs();
  for (const auto& [page, entry] : kPlaces) {
    INFO("page " << page << ", entry " << entry);
    Chunk chunk = nested_chunk();
    const std::size_t at = ordinal_of(chunk, page, entry);
    const std::uint64_t base = 10'000'000 * page;
    Chunk definition = chunk;
    definition.levels.definition[at] = 7;
    CHECK_ERROR(read(schema, definition).pages[page].error, Rule::levels_definition_range,
                base + kDefinitionBase - kBase, 7, 6);
    definition.definition = LevelForm::bit_packed;
    const std::optional<Error> byte = read(schema, definition).pages[page].error;
    CHECK_ERROR(byte, Rule::levels_definition_range, base + kDefinitionBase - kBase + entry * 3 / 8, 7, 6);
    Chunk repetition = chunk;
    repetition.levels.repetition[at] = 3;
    CHECK_ERROR(read(schema, repetition).pages[page].error, Rule::levels_repetition_range, base, 3, 2);
    repetition.repetition = LevelForm::bit_packed;
    CHECK_ERROR(read(schema, repetition).pages[page].error, Rule::levels_repetition_range,
                base + entry * 2 / 8, 3, 2);
    // A separate run, after one of all entries of the page before it.
    if (entry < kBatch) continue;
    Chunk runs = chunk;
    const auto first = static_cast<std::ptrdiff_t>(at - entry);
    const auto bad = static_cast<std::ptrdiff_t>(at);
    std::fill(runs.levels.definition.begin() + first, runs.levels.definition.begin() + bad, 6);
    runs.levels.definition[at] = 7;
    runs.definition = LevelForm::repeated;
    const std::optional<Error> run = read(schema, runs).pages[page].error;
    const std::size_t header = entry << 1 < 1U << 14 ? 2 : 3;  // of the run before it, with a byte of value
    CHECK_ERROR(run, Rule::levels_definition_range, base + kDefinitionBase - kBase + header + 1, 7, 6);
  }
}

TEST_CASE("levels that end too early are an error at their end, in later batches too",
          "[levels/count][bit-packed/length]") {
  const Schema schema = lists_of_structs();
  const LevelPairs levels = legal_levels(9000, {0, 2, 4}, 6);
  const Bytes repetition = stored_levels(levels.repetition, 2, LevelForm::packed);
  const Bytes definition = stored_levels(levels.definition, 6, LevelForm::packed);
  LevelReader reader(schema, 0);
  Notes notes;
  const auto error_of = [&](const Bytes& r, const Bytes& d, Encoding encoding, std::uint64_t count) {
    const Result<LevelSums> sums = read_page(reader, r, d, count, notes, encoding);
    return sums ? std::nullopt : std::optional<Error>(sums.error());
  };
  const Bytes more = repetition + hex("02 00");
  CHECK_ERROR(error_of(more, definition, Encoding::RLE, 9001), Rule::levels_count,
              kDefinitionBase - kBase + definition.size(), 9000, 9001);
  CHECK_ERROR(error_of(repetition, definition, Encoding::RLE, 9001), Rule::levels_count, repetition.size(),
              9000, 9001);
  CHECK_FALSE(error_of(repetition, definition, Encoding::RLE, 9000));
  const Bytes bits = stored_levels(levels.definition, 6, LevelForm::bit_packed);
  const std::optional<Error> cut_bits = error_of(stored_levels(levels.repetition, 2, LevelForm::bit_packed),
                                                 cut(bits, bits.size() - 1), Encoding::BIT_PACKED, 9000);
  CHECK_ERROR(cut_bits, Rule::bit_packed_length, kDefinitionBase - kBase, bits.size() - 1, bits.size());
}

TEST_CASE("a page with failing levels leaves no state for the next one") {
  const Schema schema = lists_of_structs();
  const LevelPairs levels = legal_levels(3000, {0, 2, 4}, 6);
  const Bytes repetition = stored_levels(levels.repetition, 2, LevelForm::packed);
  const Bytes definition = stored_levels(levels.definition, 6, LevelForm::packed);
  // A short run and a long one, which is read ahead when the eight levels of the other kind end.
  constexpr std::size_t kShort = 16;
  constexpr std::size_t kLong = 5000;
  const auto runs = [](std::uint32_t first, std::uint32_t second) {
    std::vector<std::uint32_t> all(kShort, first);
    all.insert(all.end(), kLong, second);
    return all;
  };
  const std::vector<std::uint32_t> few(8, 0);
  Notes notes;
  LevelReader fresh(schema, 0);
  const LevelSums expected = read_page(fresh, repetition, definition, 3000, notes).value();
  for (const bool repetition_fails : {false, true}) {
    LevelReader reader(schema, 0);
    const Bytes r =
        stored_levels(repetition_fails ? few : runs(0, 1), reader.max_repetition(), LevelForm::repeated);
    const Bytes d =
        stored_levels(repetition_fails ? runs(5, 6) : few, reader.max_definition(), LevelForm::repeated);
    CHECK(!read_page(reader, r, d, kShort + kLong, notes));
    const LevelSums sums = read_page(reader, repetition, definition, 3000, notes).value();
    CHECK(sums.rows == expected.rows);
    CHECK(sums.stored == expected.stored);
    CHECK(sums.null_leaves == expected.null_leaves);
    CHECK(sums.null_elements == expected.null_elements);
  }
}

}  // namespace parqproof
