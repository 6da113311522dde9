// Advice about the columns of a Variant, with figures of this very file: of all pages and row groups,
// wherever the first value is that they are about.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/rules/rule.hpp"
#include "codec/write/file_writer.hpp"
#include "conformance/report/words/wording.hpp"
#include "tests/support/judged.hpp"
#include "tests/support/leaves.hpp"
#include "tests/variant/variant_support.hpp"

namespace parqproof {
namespace {

using Id = SchemaElement::Id;

/// A row of a VARIANT with typed_value INT32, in hex.
struct Row {
  std::string_view metadata = "010000";
  std::optional<std::string_view> value = std::nullopt;
  std::optional<std::int32_t> typed = std::nullopt;
};
using Rows = std::vector<Row>;

constexpr std::string_view kText = "0578";  // "x"

SchemaElement element(std::string_view name, FieldRepetitionType repetition) {
  SchemaElement out;
  support::set(out, {Id::id_name, Id::id_repetition_type});
  out.name = view_of(name);
  out.repetition_type = repetition;
  return out;
}

SchemaElement leaf(std::string_view name, FieldRepetitionType repetition, Type type) {
  SchemaElement out = element(name, repetition);
  support::set(out, {Id::id_name, Id::id_repetition_type, Id::id_type});
  out.type = type;
  return out;
}

thrift::ListBuilder<SchemaElement> schema() {
  thrift::ListBuilder<SchemaElement> out;
  SchemaElement root;
  support::set(root, {Id::id_name, Id::id_num_children});
  root.name = view_of("schema");
  root.num_children = 1;
  out.add(root);
  SchemaElement group = element("v", FieldRepetitionType::REQUIRED);
  support::set(group, {Id::id_name, Id::id_repetition_type, Id::id_num_children, Id::id_logicalType});
  group.num_children = 3;
  group.logicalType.fields.present = 1U << static_cast<unsigned>(LogicalKind::VARIANT);
  out.add(group);
  out.add(leaf("metadata", FieldRepetitionType::REQUIRED, Type::BYTE_ARRAY));
  out.add(leaf("value", FieldRepetitionType::OPTIONAL, Type::BYTE_ARRAY));
  out.add(leaf("typed_value", FieldRepetitionType::OPTIONAL, Type::INT32));
  return out;
}

/// A column with values where levels are 1.
struct ShreddedColumn {
  std::vector<Bytes> texts = {};
  Bytes numbers = {};
  std::vector<std::uint32_t> definition = {};
  bool is_number = false;
};

void add(FileWriter& writer, const ShreddedColumn& column, bool is_required) {
  std::vector<ByteArray> arrays;
  for (const Bytes& text : column.texts)
    arrays.push_back({text.data(), static_cast<std::uint32_t>(text.size())});
  Entries entries;
  entries.count = column.definition.size();
  entries.values.count = entries.count;
  if (!is_required) {
    entries.definition.values = column.definition.data();
    entries.values.count = entries.definition.count(1, entries.count);
  }
  if (column.is_number) {
    entries.values.fixed = column.numbers.data();
  } else {
    entries.values.form = ValueBatch::Form::byte_arrays;
    entries.values.byte_arrays = arrays.data();
  }
  const auto chunk = writer.next_column();
  REQUIRE(chunk);
  REQUIRE((*chunk)->add(entries));
}

/// A file of these row groups, in pages of two rows.
Bytes written(const std::vector<Rows>& groups) {
  thrift::ListBuilder<SchemaElement> elements = schema();
  Bytes out;
  MemorySink sink(out);
  WriteOptions options;
  options.page_rows = 2;
  options.column.dictionary = false;
  FileWriter writer(sink, options, elements.list());
  REQUIRE(writer.begin());
  for (const Rows& rows : groups) {
    ShreddedColumn metadata;
    ShreddedColumn value;
    ShreddedColumn typed{.is_number = true};
    for (const Row& row : rows) {
      metadata.texts.push_back(from_hex(row.metadata));
      metadata.definition.push_back(0);
      if (row.value) value.texts.push_back(from_hex(*row.value));
      value.definition.push_back(row.value ? 1 : 0);
      for (unsigned shift = 0; row.typed && shift < 32; shift += 8)
        typed.numbers.push_back(static_cast<std::uint8_t>(static_cast<std::uint32_t>(*row.typed) >> shift));
      typed.definition.push_back(row.typed ? 1 : 0);
    }
    REQUIRE(writer.begin_row_group());
    add(writer, metadata, true);
    add(writer, value, false);
    add(writer, typed, false);
    REQUIRE(writer.end_row_group());
  }
  REQUIRE(writer.finish());
  return out;
}

std::vector<Finding> advice(const Bytes& file, Rule rule, CheckOptions options = {}) {
  options.advice = true;
  std::vector<Finding> out;
  const FileReport report = support::judged(file, options);
  CHECK(report.verdict == Verdict::conforming);
  for (const ReportedFinding& one : report.findings) {
    if (one.finding.rule == rule) out.push_back(one.finding);
  }
  return out;
}

std::vector<Finding> advice(const std::vector<Rows>& groups, Rule rule) {
  return advice(written(groups), rule);
}

/// `count` rows of which those at `places` are `other`.
Rows rows(std::size_t count, const Row& usual, const Row& other, std::initializer_list<std::size_t> places) {
  Rows out(count, usual);
  for (const std::size_t place : places) out[place] = other;
  return out;
}

const Row kNumber{.typed = 7};
const Row kInValue{.value = kText};

}  // namespace

TEST_CASE("the figure of wide values sums all pages of a column chunk", "[advice][variant/wide]") {
  const Row narrow{.value = "0301 0002 0c01"};
  const Row wide{.value = "0701 0000 0200 0c01"};  // [1], with offsets of two bytes
  for (const std::size_t first : {0U, 3U, 6U}) {
    INFO(first);
    const auto found = advice({rows(7, narrow, wide, {first, 6})}, Rule::variant_wide);
    REQUIRE(found.size() == 1);
    const std::uint64_t times = first == 6 ? 1 : 2;
    CHECK(found[0].times == times);
    CHECK(found[0].place.page == static_cast<std::int32_t>(first / 2));
    CHECK(found[0].detail == ", in row " + std::to_string(first) + " at $; smaller widths save at least " +
                                 std::to_string(2 * times) + " of " + std::to_string(7 * 6 + 2 * times) +
                                 " bytes of its values");
  }
  CHECK(advice({rows(7, narrow, narrow, {})}, Rule::variant_wide).empty());
}

TEST_CASE("the figure of wide metadata counts each row that has it", "[advice][variant/wide]") {
  const Row wide{.metadata = "41 0100 0000 0100 61", .value = kText};
  const Row narrow{.metadata = "01 01 00 01 61", .value = kText};
  const auto found =
      advice({rows(5, narrow, wide, {1, 2, 4}), rows(3, narrow, wide, {2})}, Rule::variant_wide);
  REQUIRE(found.size() == 2);
  CHECK(found[0].times == 3);
  CHECK(found[0].detail == ", in row 1; smaller widths save at least 9 of 34 bytes of its values");
  CHECK(found[1].place.row_group == 1);
  CHECK(found[1].detail == ", in row 2; smaller widths save at least 3 of 18 bytes of its values");
}

TEST_CASE("a wide header that saves no byte has no figure", "[advice][variant/wide]") {
  const Row empty{.value = "1200 00"};  // {}, with ids of two bytes, of which there are none
  const auto found = advice({{empty}}, Rule::variant_wide);
  REQUIRE(found.size() == 1);
  CHECK(found[0].detail == ", in row 0 at $");
}

TEST_CASE("unsorted dictionaries are counted with the names that a search compares",
          "[advice][variant/metadata-unsorted]") {
  const Row sorted{.metadata = "11 02 00 01 02 61 62", .value = kText};
  const Row unsorted{.metadata = "01 03 00 01 02 03 62 61 63", .value = kText};
  const Row ascending{.metadata = "01 02 00 01 02 61 62", .value = kText};
  for (const std::size_t first : {0U, 3U, 6U}) {
    INFO(first);
    const auto found = advice({rows(7, sorted, unsorted, {first, 6})}, Rule::variant_metadata_unsorted);
    REQUIRE(found.size() == 1);
    const std::uint64_t times = first == 6 ? 1 : 2;
    CHECK(found[0].times == times);
    CHECK(plain_text(found[0].found) == "0 for strings that do not ascend");
    CHECK(found[0].detail == ", in row " + std::to_string(first) +
                                 "; to find a name in all such rows, readers compare up to " +
                                 std::to_string(3 * times) + " strings, and " + std::to_string(2 * times) +
                                 " if they are sorted");
  }
  const auto flagless = advice({{ascending}, {sorted}, {sorted, unsorted}}, Rule::variant_metadata_unsorted);
  REQUIRE(flagless.size() == 2);
  CHECK(plain_text(flagless[0].found) == "0 for strings that ascend");
  CHECK(flagless[1].place.row_group == 2);
  CHECK(advice({{sorted, {.value = kText}, {.metadata = "01 01 00 01 61", .value = kText}}},
               Rule::variant_metadata_unsorted)
            .empty());
}

TEST_CASE("a typed_value without values in any row group is reported with the bytes of its column",
          "[advice][shredding/never-typed]") {
  const Bytes file = written({{kInValue, kInValue}, {kInValue}, {kInValue, kInValue, kInValue}});
  const auto found = advice(file, Rule::shredding_never_typed);
  REQUIRE(found.size() == 1);
  CHECK(found[0].place.row_group == 0);
  CHECK(found[0].place.leaf == 2);
  CHECK(plain_text(found[0].found) == "none of 6 values");
  std::uint64_t bytes = 0;
  const std::size_t length = load_le<std::uint32_t>(file.data() + file.size() - 8);
  const Limits limits;
  thrift::Reader reader(View{std::span(file).subspan(file.size() - 8 - length, length)}, {}, limits);
  FileMetaData meta;
  REQUIRE(reader.read(meta));
  thrift::for_each<RowGroup>(meta.row_groups, limits, [&](const RowGroup& group, std::uint32_t) {
    thrift::for_each<ColumnChunk>(group.columns, limits, [&](const ColumnChunk& chunk, std::uint32_t i) {
      if (i == 2) bytes += static_cast<std::uint64_t>(chunk.meta_data.total_compressed_size);
    });
  });
  CHECK(found[0].detail == "; its column takes " + std::to_string(bytes) + " bytes");
}

TEST_CASE("one value in any page or row group makes a typed_value useful",
          "[advice][shredding/never-typed]") {
  for (const std::size_t group : {0U, 1U, 2U}) {
    for (const std::size_t row : {0U, 2U, 4U}) {
      INFO(group << ", " << row);
      std::vector<Rows> groups(3, Rows(5, kInValue));
      groups[group][row] = kNumber;
      CHECK(advice(groups, Rule::shredding_never_typed).empty());
    }
  }
}

TEST_CASE("rows that were not read make no typed_value useless", "[advice][shredding/never-typed]") {
  const Bytes file = written({{kInValue}, {kInValue}});
  CheckOptions options;
  options.row_groups = RowGroups{0, 1};
  CHECK(advice(file, Rule::shredding_never_typed, options).empty());
}

}  // namespace parqproof
