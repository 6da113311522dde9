#include "codec/record/column_cursor.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "codec/base/append.hpp"
#include "codec/rules/rule.hpp"
#include "tests/hostile/hostile_file.hpp"

namespace support {
namespace {

using namespace parqproof;

using Id = SchemaElement::Id;

void set(SchemaElement& element, Id id) { element.fields.present |= 1U << id; }

/// A schema of one leaf `v` in groups, outermost first; each with its repetition.
Schema schema_of(std::initializer_list<FieldRepetitionType> repetitions, Type type) {
  Schema schema;
  SchemaElement root;
  root.num_children = 1;
  set(root, Id::id_num_children);
  schema.add(root);
  std::size_t left = repetitions.size();
  for (const FieldRepetitionType repetition : repetitions) {
    SchemaElement element;
    element.repetition_type = repetition;
    set(element, Id::id_repetition_type);
    if (--left != 0) {
      element.num_children = 1;
      set(element, Id::id_num_children);
    } else {
      element.type = type;
      set(element, Id::id_type);
    }
    schema.add(element);
  }
  schema.finish();
  return schema;
}

struct Entry {
  std::uint32_t repetition = 0;
  std::uint32_t definition = 0;
  std::string value;  ///< empty if there is none

  friend bool operator==(const Entry&, const Entry&) = default;
};

/// The entries that a cursor gives for a chunk, up to the end or a fault.
struct Read {
  std::vector<Entry> entries;
  std::unique_ptr<PageFault> fault;
  Place place;

  [[nodiscard]] std::string rule() const { return fault ? std::string(info(fault->rule()).id) : ""; }
};

Read read(ColumnCursor& cursor, const StoredChunk& chunk) {
  Read result;
  const auto is_intact = [&](PageResult<void> step) {
    if (step) return true;
    result.fault = std::move(step.error());
    result.place = cursor.place();
    return false;
  };
  if (!is_intact(cursor.open(chunk))) return result;
  while (!cursor.at_end()) {
    Entry entry{cursor.repetition(), cursor.definition(), {}};
    if (entry.definition == cursor.leaf().max_definition)
      entry.value.assign(cursor.value().begin(), cursor.value().end());
    result.entries.push_back(std::move(entry));
    if (!is_intact(cursor.next()) || !is_intact(cursor.settle())) break;
  }
  return result;
}

/// A file with one chunk of one leaf.
struct Chunk {
  Chunk(Bytes pages, std::int64_t num_values)
      : bytes(std::move(pages)),
        source(bytes),
        stored{3, &source, {0, bytes.size(), bytes.size(), num_values}, {}} {}
  Chunk(const Chunk&) = delete;

  Bytes bytes;
  MemorySource source;
  StoredChunk stored;
};

Read read(const Schema& schema, const Bytes& pages, std::int64_t num_values) {
  const Limits limits;
  ReadingContext context{schema, limits};
  const Chunk chunk(pages, num_values);
  Read result;
  {
    ColumnCursor cursor(context, 0, 0);
    result = read(cursor, chunk.stored);
  }
  CHECK(context.held == 0);
  return result;
}

std::string four(std::uint32_t number) {
  std::string bytes(4, '\0');
  std::memcpy(bytes.data(), &number, 4);
  return bytes;
}

/// PLAIN INT32: `count` numbers from `first` on.
Bytes numbers(std::uint32_t first, std::uint32_t count) {
  Bytes bytes;
  for (std::uint32_t i = 0; i < count; ++i) append_le(bytes, first + i, 4);
  return bytes;
}

/// Some value of a dictionary; they have many lengths.
std::string word(std::uint32_t index) { return std::string(index % 11, 'x') + std::to_string(index); }

Bytes words(std::uint32_t count) {
  Bytes bytes;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string entry = word(i);
    bytes = std::move(bytes) + sized(Bytes(entry.begin(), entry.end()));
  }
  return bytes;
}

Bytes indices(const std::vector<std::uint32_t>& values) {
  Bytes bytes;
  const ValueBatch batch{.form = ValueBatch::Form::indices, .count = values.size(), .indices = values.data()};
  const EncodeOptions options;
  REQUIRE(encode_values(Encoding::RLE_DICTIONARY, {Type::BYTE_ARRAY, 0, options, bytes}, batch));
  return bytes;
}

constexpr std::uint32_t kMany = 20'000;  // entries of a page: several batches of values and of levels
constexpr auto kRequired = FieldRepetitionType::REQUIRED;
constexpr auto kOptional = FieldRepetitionType::OPTIONAL;
constexpr auto kRepeated = FieldRepetitionType::REPEATED;

/// Returns true if the entries are those of required INT32 pages that count up from 0.
bool count_up(const std::vector<Entry>& entries) {
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    if (entries[i] != Entry{0, 0, four(i)}) return false;
  }
  return true;
}

TEST_CASE("a cursor gives the values of several pages, each of several batches") {
  const Schema schema = schema_of({kRequired}, Type::INT32);
  Bytes pages;
  for (std::uint32_t page = 0; page < 3; ++page)
    pages = std::move(pages) + data_page(kMany, Encoding::PLAIN, numbers(page * kMany, kMany));
  const Read all = read(schema, pages, 3 * kMany);
  CHECK(all.rule().empty());
  CHECK(all.entries.size() == 3 * kMany);
  CHECK(count_up(all.entries));
}

TEST_CASE("a cursor skips empty pages, index pages, and everything after the last entry") {
  const Schema schema = schema_of({kRequired}, Type::INT32);
  Struct index;
  index.i32(1, 1).i32(2, 3).i32(3, 3).begin(6).end();
  const Bytes pages = data_page(2, Encoding::PLAIN, numbers(0, 2)) + index.bytes() + Bytes{1, 2, 3} +
                      data_page(0, Encoding::PLAIN, {}) + data_page(2, Encoding::PLAIN, numbers(2, 2)) +
                      Bytes{0xFF, 0xFF};
  const Read all = read(schema, pages, 4);
  CHECK(all.rule().empty());
  CHECK(all.entries.size() == 4);
  CHECK(count_up(all.entries));
}

TEST_CASE("a dictionary of more entries than a batch serves all pages of its chunk, and no other chunk",
          "[page/dictionary-missing]") {
  const Schema schema = schema_of({kRequired}, Type::BYTE_ARRAY);
  constexpr std::uint32_t kEntries = 10'000;
  std::vector<std::uint32_t> up;
  std::vector<std::uint32_t> down;
  for (std::uint32_t i = 0; i < kEntries; ++i) {
    up.push_back(i);
    down.push_back(kEntries - 1 - i);
  }
  const Bytes data = data_page(kEntries, Encoding::RLE_DICTIONARY, indices(up)) +
                     data_page(kEntries, Encoding::RLE_DICTIONARY, indices(down));
  const Chunk with(dictionary_page(kEntries, words(kEntries)) + data, 2 * kEntries);
  const Chunk without(data, 2 * kEntries);

  const Limits limits;
  ReadingContext context{schema, limits};
  ColumnCursor cursor(context, 0, 0);
  const Read all = read(cursor, with.stored);
  CHECK(all.rule().empty());
  REQUIRE(all.entries.size() == 2 * kEntries);
  bool right = true;
  for (std::uint32_t i = 0; i < kEntries; ++i) {
    right = right && all.entries[i].value == word(i) && all.entries[2 * kEntries - 1 - i].value == word(i);
  }
  CHECK(right);

  const Read none = read(cursor, without.stored);
  CHECK(none.entries.empty());
  CHECK(none.rule() == "page/dictionary-missing");
  CHECK(none.fault->at == PageFault::At::header);
  CHECK(none.place == Place{3, 0, 0});
}

TEST_CASE("an index beyond the dictionary in a later batch ends the entries after those before it",
          "[dictionary/index-range]") {
  const Schema schema = schema_of({kRequired}, Type::BYTE_ARRAY);
  std::vector<std::uint32_t> all(kMany);
  for (std::uint32_t i = 0; i < kMany; ++i) all[i] = i % 5;
  all[17'000] = 5;
  const Read read_up_to = read(
      schema, dictionary_page(5, words(5)) + data_page(kMany, Encoding::RLE_DICTIONARY, indices(all)), kMany);
  CHECK(read_up_to.rule() == "dictionary/index-range");
  CHECK(read_up_to.fault->at == PageFault::At::bytes);
  CHECK(read_up_to.place.page == 1);
  CHECK(read_up_to.entries.size() > 8'192);
  CHECK(read_up_to.entries.size() <= 17'000);
  bool right = true;
  for (std::uint32_t i = 0; i < read_up_to.entries.size(); ++i)
    right = right && read_up_to.entries[i].value == word(i % 5);
  CHECK(right);
}

TEST_CASE("a cursor gives the levels of lists of lists, across batches and pages") {
  // A row has two inner lists: one of `kLong` elements, and one that is empty. A row goes on in the next
  // page.
  const Schema schema = schema_of({kRepeated, kRepeated, kOptional}, Type::INT32);
  constexpr std::uint32_t kLong = 9'000;
  const Bytes repetitions = run(1, 0) + run(kLong - 1, 2) + run(1, 1);
  const Bytes definitions = run(kLong - 1, 3) + run(1, 2) + run(1, 1);
  const Bytes more = run(kLong, 2);
  Bytes pages;
  for (std::uint32_t row = 0; row < 2; ++row) {
    pages = std::move(pages) + data_page(kLong + 1, Encoding::PLAIN,
                                         sized(repetitions) + sized(definitions) + numbers(0, kLong - 1));
  }
  pages = std::move(pages) +
          data_page(kLong, Encoding::PLAIN,
                    sized(run(1, 1) + run(kLong - 1, 2)) + sized(run(kLong, 3)) + numbers(0, kLong));
  std::vector<Entry> expected;
  for (std::uint32_t row = 0; row < 2; ++row) {
    for (std::uint32_t i = 0; i < kLong - 1; ++i) expected.push_back({i == 0 ? 0U : 2U, 3, four(i)});
    expected.push_back({2, 2, {}});
    expected.push_back({1, 1, {}});
  }
  for (std::uint32_t i = 0; i < kLong; ++i) expected.push_back({i == 0 ? 1U : 2U, 3, four(i)});
  const Read all = read(schema, pages, 2 * (kLong + 1) + kLong);
  CHECK(all.rule().empty());
  CHECK(all.entries == expected);
}

TEST_CASE("a length prefix before the levels of a v2 page is skipped", "[levels/v2-prefix]") {
  const Schema schema = schema_of({kOptional}, Type::INT32);
  constexpr std::uint32_t kNulls = 10'000;
  const Bytes levels = sized(run(kNulls, 0) + run(2, 1));
  const Bytes body = levels + numbers(0, 2);
  Struct header;
  header.i32(1, 3)
      .i32(2, static_cast<std::int64_t>(body.size()))
      .i32(3, static_cast<std::int64_t>(body.size()))
      .begin(8)
      .i32(1, kNulls + 2)
      .i32(2, kNulls)
      .i32(3, kNulls + 2)
      .i32(4, 0)
      .i32(5, static_cast<std::int64_t>(levels.size()))
      .i32(6, 0)
      .end();
  const Read all = read(schema, header.bytes() + body, kNulls + 2);
  CHECK(all.rule().empty());
  REQUIRE(all.entries.size() == kNulls + 2);
  CHECK(all.entries[kNulls - 1] == Entry{0, 0, {}});
  CHECK(all.entries[kNulls] == Entry{0, 1, four(0)});
  CHECK(all.entries[kNulls + 1] == Entry{0, 1, four(1)});
}

/// Three pages of required INT32, of which one is replaced.
Read with_page(std::uint32_t ordinal, const Bytes& instead) {
  const Schema schema = schema_of({kRequired}, Type::INT32);
  Bytes pages;
  for (std::uint32_t page = 0; page < 3; ++page) {
    pages = std::move(pages) +
            (page == ordinal ? instead : data_page(kMany, Encoding::PLAIN, numbers(page * kMany, kMany)));
  }
  return read(schema, pages, 3 * kMany);
}

TEST_CASE("a fault in the first, a later or the last page ends the entries after the intact ones",
          "[plain/fixed-width-length][page/num-values-negative][crc/match][page/within-chunk]") {
  Struct negative;
  negative.i32(1, 0).i32(2, 0).i32(3, 0).begin(5).i32(1, -1).i32(2, 0).i32(3, 3).i32(4, 3).end();
  Struct checked;
  checked.i32(1, 0).i32(2, 4).i32(3, 4).i32(4, 0).begin(5).i32(1, 1).i32(2, 0).i32(3, 3).i32(4, 3).end();
  Struct missing;
  missing.i32(1, 0).i32(2, 4).i32(3, 4).begin(5).i32(1, 1).i32(3, 3).i32(4, 3).end();
  struct Case {
    Bytes page;
    std::string rule;
    PageFault::At at;
  };
  const Case cases[] = {
      {data_page(kMany, Encoding::PLAIN, numbers(0, kMany - 1)), "plain/fixed-width-length",
       PageFault::At::bytes},
      {negative.bytes(), "page/num-values-negative", PageFault::At::header},
      {checked.bytes() + numbers(7, 1), "crc/match", PageFault::At::header},
      {missing.bytes() + numbers(7, 1), "thrift/required-field", PageFault::At::header},
      {Bytes(64, 0xFF), "page/within-chunk", PageFault::At::bytes},
  };
  for (const Case& one : cases) {
    for (std::uint32_t ordinal = 0; ordinal < 3; ++ordinal) {
      INFO(one.rule << " in page " << ordinal);
      const Read up_to = with_page(ordinal, one.page);
      CHECK(up_to.rule() == one.rule);
      REQUIRE(up_to.fault != nullptr);
      CHECK(up_to.fault->at == one.at);
      CHECK(up_to.place == Place{3, 0, static_cast<std::int32_t>(ordinal)});
      CHECK(up_to.entries.size() == ordinal * kMany);
      CHECK(count_up(up_to.entries));
    }
  }
}

TEST_CASE("a level above its maximum after the first batch makes the entire page unreadable",
          "[levels/definition-range]") {
  const Schema schema = schema_of({kOptional, kOptional}, Type::INT32);
  const Bytes good = data_page(kMany, Encoding::PLAIN, sized(run(kMany, 2)) + numbers(0, kMany));
  const Bytes bad =
      data_page(kMany, Encoding::PLAIN, sized(run(kMany - 1, 2) + run(1, 3)) + numbers(0, kMany - 1));
  const Read up_to = read(schema, good + bad, 2 * kMany);
  CHECK(up_to.rule() == "levels/definition-range");
  CHECK(up_to.place.page == 1);
  CHECK(up_to.entries.size() == kMany);
}

TEST_CASE("a chunk gives the entries of its pages, whatever its num_values",
          "[column-chunk/num-values][page/unknown-type]") {
  const Schema schema = schema_of({kRequired}, Type::INT32);
  const Bytes pages = data_page(kMany, Encoding::PLAIN, numbers(0, kMany));
  for (const std::uint32_t claimed : {kMany - 1, kMany + 1}) {
    const Read all = read(schema, pages, claimed);
    CHECK(all.entries.size() == kMany);
    CHECK(all.rule().empty());
  }

  Struct unknown;
  unknown.i32(1, 9).i32(2, 0).i32(3, 0);
  const Read other = read(schema, pages + unknown.bytes(), kMany + 1);
  CHECK(other.entries.size() == kMany);
  CHECK(other.rule() == "page/unknown-type");
  CHECK(other.fault->at == PageFault::At::chunk);
}

TEST_CASE("a chunk with wrong metadata is read where its pages are found",
          "[column-chunk/data-page-offset][column-chunk/total-compressed-size]") {
  const Schema schema = schema_of({kRequired}, Type::INT32);
  const Bytes pages = data_page(kMany, Encoding::PLAIN, numbers(0, kMany)) +
                      data_page(kMany, Encoding::PLAIN, numbers(kMany, kMany));
  const Limits limits;
  ReadingContext context{schema, limits};
  Chunk chunk(pages, 2 * kMany);
  const ChunkExtent true_extent = chunk.stored.extent;
  bool complete = true;
  unsigned asked = 0;
  context.find_pages = [&](const StoredChunk& of, std::size_t leaf) {
    CHECK(of.row_group == 3);
    CHECK(leaf == 0);
    ++asked;
    return std::optional(FoundPages{true_extent, complete});
  };
  const auto read_with = [&](std::uint64_t start, std::uint64_t end) {
    chunk.stored.extent = {start, end, end, 2 * kMany};
    ColumnCursor cursor(context, 0, 0);
    asked = 0;
    return read(cursor, chunk.stored);
  };
  const std::uint64_t size = pages.size();
  for (const auto& [start, end] :
       {std::pair{std::uint64_t{5}, size}, {std::uint64_t{0}, size - 1}, {std::uint64_t{0}, size / 2}}) {
    const Read all = read_with(start, end);
    CHECK(all.rule().empty());
    CHECK(all.entries.size() == 2 * kMany);
    CHECK(asked == 1);
  }
  CHECK(read_with(0, size).entries.size() == 2 * kMany);
  CHECK(asked == 0);

  // Entries are missing where a page is lost.
  complete = false;
  chunk.stored.extent = {0, size, size, 2 * kMany + 1};
  ColumnCursor cursor(context, 0, 0);
  CHECK(read(cursor, chunk.stored).rule() == "column-chunk/num-values");
}

TEST_CASE("the cursors of a file share one memory limit", "[limit/memory]") {
  const Schema schema = schema_of({kRequired}, Type::INT32);
  const Chunk chunk(data_page(kMany, Encoding::PLAIN, numbers(0, kMany)), kMany);
  Limits limits;
  limits.memory_bytes = 3 * 4 * kMany;  // a page takes its stored and its uncompressed bytes
  ReadingContext context{schema, limits};
  ColumnCursor first(context, 0, 0);
  CHECK(first.open(chunk.stored));
  const auto held = [&] {
    ColumnCursor second(context, 0, 0);
    return read(second, chunk.stored).rule();
  };
  CHECK(held() == "limit/memory");
  limits.memory_bytes *= 2;
  CHECK(held().empty());
  CHECK(context.held == 2 * 4 * kMany);
}

}  // namespace
}  // namespace support
