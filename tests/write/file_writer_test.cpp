#include "codec/write/file_writer.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/format/page_header.hpp"
#include "codec/thrift/reader.hpp"
#include "codec/write/shredder.hpp"
#include "tests/support/judged.hpp"
#include "tests/support/leaves.hpp"

namespace parqproof {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// A schema of one column.
thrift::ListBuilder<SchemaElement> schema_of(Type type, FieldRepetitionType repetition) {
  SchemaElement root;
  support::set(root, {SchemaElement::id_name, SchemaElement::id_num_children});
  root.name = view_of("schema");
  root.num_children = 1;
  SchemaElement leaf;
  support::set(leaf, {SchemaElement::id_name, SchemaElement::id_type, SchemaElement::id_repetition_type});
  leaf.name = view_of("a");
  leaf.type = type;
  leaf.repetition_type = repetition;
  thrift::ListBuilder<SchemaElement> out;
  out.add(root);
  out.add(leaf);
  return out;
}

Entries required(std::span<const std::uint8_t> numbers) {
  Entries entries;
  entries.count = numbers.size() / 4;
  entries.values.count = entries.count;
  entries.values.fixed = numbers.data();
  return entries;
}

std::string why(const WriteOptions& options, Type type) {
  Bytes out;
  MemorySink sink(out);
  const auto schema = schema_of(type, FieldRepetitionType::REQUIRED);
  FileWriter writer(sink, options, schema.list());
  const WriteStatus begun = writer.begin();
  CHECK(out.empty() == !begun);
  return begun ? std::string() : begun.error();
}

/// Fails after so many bytes, as a disk that is full.
struct FullSink final : Sink {
  explicit FullSink(std::size_t room) : left(room) {}
  [[nodiscard]] WriteStatus write(std::span<const std::uint8_t> bytes) override {
    if (bytes.size() > left) return std::unexpected("no space left");
    left -= bytes.size();
    return {};
  }
  std::size_t left;
};

/// Writes 300 numbers in three row groups. Returns why that fails.
std::string write_numbers(Sink& sink) {
  Bytes numbers(400);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint8_t>(i * i);
  const auto schema = schema_of(Type::INT32, FieldRepetitionType::REQUIRED);
  FileWriter writer(sink, {}, schema.list());
  if (WriteStatus begun = writer.begin(); !begun) return begun.error();
  for (int group = 0; group < 3; ++group) {
    if (WriteStatus begun = writer.begin_row_group(); !begun) return begun.error();
    const auto column = writer.next_column();
    if (!column) return column.error();
    if (WriteStatus added = (*column)->add(required(numbers)); !added) return added.error();
    if (WriteStatus ended = writer.end_row_group(); !ended) return ended.error();
  }
  const WriteStatus finished = writer.finish();
  return finished ? std::string() : finished.error();
}

}  // namespace

TEST_CASE("options that the format does not allow are refused by name") {
  WriteOptions options;
  CHECK(why(options, Type::INT32).empty());
  options.column.encoding = Encoding::DELTA_BYTE_ARRAY;
  CHECK(why(options, Type::INT32) == "column a: encoding: DELTA_BYTE_ARRAY has no values of type INT32");
  CHECK(why(options, Type::BYTE_ARRAY).empty());
  options.column.encoding = Encoding::RLE_DICTIONARY;
  CHECK(why(options, Type::INT32) ==
        "column a: encoding: RLE_DICTIONARY is written with the option dictionary");
  options = {};
  options.page_version = 3;
  CHECK(why(options, Type::INT32) == "page_version: 3 is not 1 or 2");
  options = {};
  options.page_version = 2;
  options.level_encoding = Encoding::BIT_PACKED;
  CHECK(why(options, Type::INT32) == "level_encoding: those of pages of version 2 are RLE");
  options = {};
  options.level_encoding = Encoding::PLAIN;
  CHECK(why(options, Type::INT32) == "level_encoding: levels are RLE or BIT_PACKED");
  options = {};
  options.columns[1] = {};
  CHECK(why(options, Type::INT32) == "columns: the schema has no leaf 1");
  options = {};
  options.column.bloom_filter = true;
  CHECK(why(options, Type::BOOLEAN) == "column a: bloom_filter: there is none for BOOLEAN");
  options.column.bloom_false_positives = 1;
  CHECK(why(options, Type::INT32) == "column a: bloom_false_positives is not between 0 and 1");
  options = {};
  options.page_rows = 0;
  CHECK(why(options, Type::INT32) == "page_rows is 0");
  options = {};
  options.page_bytes = 0;
  CHECK(why(options, Type::INT32) == "page_bytes is 0");
}

TEST_CASE("a sink that is full at any byte is a failure, and its bytes are no file") {
  Bytes complete;
  MemorySink memory(complete);
  REQUIRE(write_numbers(memory).empty());
  CHECK(support::judged(complete, {}).verdict == Verdict::conforming);
  for (std::size_t room = 0; room < complete.size(); ++room) {
    FullSink sink(room);
    CHECK(write_numbers(sink).ends_with("no space left"));
  }
  FullSink sink(complete.size());
  CHECK(write_numbers(sink).empty());
}

TEST_CASE("levels that do not form rows are refused") {
  Bytes out;
  MemorySink sink(out);
  const auto schema = schema_of(Type::INT32, FieldRepetitionType::REPEATED);
  FileWriter writer(sink, {}, schema.list());
  REQUIRE(writer.begin());
  REQUIRE(writer.begin_row_group());
  const auto column = writer.next_column();
  REQUIRE(column);
  Entries entries;
  entries.count = 1;
  entries.repetition.repeated = 1;
  const WriteStatus added = (*column)->add(entries);
  REQUIRE(!added);
  CHECK(added.error() == "column a: entry 0 breaks page/first-repetition-level");
}

TEST_CASE("pages of indices follow a dictionary page, also if they have only nulls") {
  for (const std::uint64_t values : {0U, 1U}) {
    Bytes out;
    MemorySink sink(out);
    const auto schema = schema_of(Type::INT64, FieldRepetitionType::OPTIONAL);
    WriteOptions options;
    options.page_rows = 5;
    FileWriter writer(sink, options, schema.list());
    REQUIRE(writer.begin());
    REQUIRE(writer.begin_row_group());
    const auto column = writer.next_column();
    REQUIRE(column);
    Entries nulls;
    nulls.count = 5;
    nulls.definition.repeated = 0;
    REQUIRE((*column)->add(nulls));
    // One value does not get smaller by a dictionary, which is left at the end of its page.
    const Bytes number(8);
    Entries stored;
    stored.count = stored.values.count = values;
    stored.values.fixed = number.data();
    stored.definition.repeated = 1;
    REQUIRE((*column)->add(stored));
    REQUIRE(writer.end_row_group());
    REQUIRE(writer.finish());
    CHECK(support::judged(out, {}).findings.empty());
    Findings findings(RuleSet{}.set());
    const Limits limits;
    thrift::Reader reader(View{out, 0}.from(4), {&findings, {}, {}}, limits);
    PageHeader first;
    REQUIRE(reader.read(first));
    CHECK(first.type == PageType::DICTIONARY_PAGE);
    CHECK(first.dictionary_page_header.num_values == 0);
  }
}

TEST_CASE("columns of different lengths are refused") {
  Bytes out;
  MemorySink sink(out);
  auto schema = schema_of(Type::INT32, FieldRepetitionType::REQUIRED);
  FileWriter writer(sink, {}, schema.list());
  REQUIRE(writer.begin());
  REQUIRE(writer.begin_row_group());
  const WriteStatus ended = writer.end_row_group();
  REQUIRE(!ended);
  CHECK(ended.error() == "the row group lacks columns: it has 0 of 1");
}

}  // namespace parqproof
