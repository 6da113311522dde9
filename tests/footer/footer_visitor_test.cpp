#include "codec/format/footer_visitor.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/thrift/emitter.hpp"
#include "tests/support/leaves.hpp"

namespace parqproof {
namespace {

using Lines = std::vector<std::string>;

using support::set;

ColumnChunk column_at(std::int64_t offset) {
  ColumnChunk out;
  out.file_offset = offset;
  set(out, {ColumnChunk::id_file_offset});
  return out;
}

/// A footer with a schema of two elements and two row groups of two columns: of 10 and 11, and of 20 and 21.
std::vector<std::uint8_t> footer() {
  thrift::ListBuilder<SchemaElement> schema;
  for (const char* const name : {"schema", "a"}) {
    SchemaElement element;
    element.name = View{{reinterpret_cast<const std::uint8_t*>(name), std::string_view(name).size()}};
    set(element, {SchemaElement::id_name});
    schema.add(element);
  }
  thrift::ListBuilder<RowGroup> groups;
  for (const std::int64_t first : {10, 20}) {
    thrift::ListBuilder<ColumnChunk> columns;
    columns.add(column_at(first));
    columns.add(column_at(first + 1));
    RowGroup group;
    group.columns = columns.list();
    group.total_byte_size = 0;
    group.num_rows = first;
    set(group, {RowGroup::id_columns, RowGroup::id_total_byte_size, RowGroup::id_num_rows});
    groups.add(group);
  }
  FileMetaData meta;
  meta.version = 1;
  meta.schema = schema.list();
  meta.row_groups = groups.list();
  set(meta, {FileMetaData::id_version, FileMetaData::id_schema, FileMetaData::id_num_rows,
             FileMetaData::id_row_groups});
  std::vector<std::uint8_t> bytes;
  thrift::emit(meta, bytes);
  return bytes;
}

/// Notes what comes.
class Visited final : public FooterVisitor {
 public:
  explicit Visited(Placing placing = Placing::file_metadata) : FooterVisitor({}, placing) {}
  explicit Visited(bool columns) : FooterVisitor({.schema = false, .columns = columns}) {}

  Lines lines;
  std::string ends_at;        // a line at which the reading ends
  bool passes_over = false;   // the row groups
  std::uint32_t passed = 99;  // the column

 private:
  bool note(const std::string& line) {
    lines.push_back(line);
    return line != ends_at;
  }
  static std::string cut(const Element& at) { return at.complete ? "" : " cut"; }

  void begin_schema(thrift::Reader& /*reader*/, std::uint32_t count) override {
    (void)note("schema of " + std::to_string(count));
  }
  bool begin_row_groups(thrift::Reader& /*reader*/, std::uint32_t count) override {
    return note("row groups: " + std::to_string(count)) && !passes_over;
  }
  bool begin_row_group(thrift::Reader& /*reader*/, std::uint32_t index) override {
    return note("begin " + std::to_string(index));
  }
  ColumnChunk* begin_column(thrift::Reader& /*reader*/, std::uint32_t index, ColumnChunk& reused) override {
    return index == passed ? nullptr : &reused;
  }
  bool schema_element(SchemaElement& element, const Element& at) override {
    return note("element " + std::to_string(at.index) + " " + std::string(text_of(element.name)) + cut(at));
  }
  bool row_group(RowGroup& group, const Element& at) override {
    return note("row group " + std::to_string(at.index) + " of " + std::to_string(group.num_rows) + cut(at));
  }
  bool column(ColumnChunk& chunk, const Element& at) override {
    return note("column " + std::to_string(row_group_index()) + "/" + std::to_string(at.index) + " at " +
                std::to_string(chunk.file_offset) + cut(at));
  }
};

bool visit(Visited& notes, std::span<const std::uint8_t> bytes, Findings* findings = nullptr) {
  const Limits limits;
  thrift::Reader reader(View{bytes}, {findings, {}, {}}, limits);
  FileMetaData meta;
  return notes.visit(reader, meta);
}

TEST_CASE("a footer is visited in the order of its bytes: columns before the end of their row group",
          "[unit]") {
  Visited notes;
  CHECK(visit(notes, footer()));
  CHECK(notes.lines == Lines{"schema of 2", "element 0 schema", "element 1 a", "row groups: 2", "begin 0",
                             "column 0/0 at 10", "column 0/1 at 11", "row group 0 of 10", "begin 1",
                             "column 1/0 at 20", "column 1/1 at 21", "row group 1 of 20"});
}

TEST_CASE("lists that are not visited stay in the struct that has them", "[unit]") {
  Visited notes(false);
  CHECK(visit(notes, footer()));
  CHECK(notes.lines ==
        Lines{"row groups: 2", "begin 0", "row group 0 of 10", "begin 1", "row group 1 of 20"});
}

TEST_CASE("a visitor ends the reading of a footer at any element", "[unit]") {
  for (const char* const line : {"element 0 schema", "begin 0", "column 0/1 at 11", "row group 0 of 10"}) {
    Visited notes;
    notes.ends_at = line;
    CHECK_FALSE(visit(notes, footer()));
    // A row group whose columns ended the reading is cut off.
    CHECK((notes.lines.back() == line || notes.lines.back().ends_with(" cut")));
    CHECK(std::ranges::count(notes.lines, "begin 1") == 0);
  }
}

TEST_CASE("a footer that is cut off gives the fields up to there", "[unit]") {
  const std::vector<std::uint8_t> bytes = footer();
  Visited notes;
  CHECK_FALSE(visit(notes, std::span(bytes).first(bytes.size() - 3)));
  CHECK(notes.lines.back() == "row group 1 of 0 cut");
}

TEST_CASE("row groups that are passed over are visited later", "[unit]") {
  const std::vector<std::uint8_t> bytes = footer();
  const Limits limits;
  Visited notes(true);
  notes.passes_over = true;
  thrift::Reader reader(View{bytes}, {}, limits);
  FileMetaData meta;
  CHECK(notes.visit(reader, meta));
  CHECK(notes.lines == Lines{"row groups: 2"});

  Visited later(true);
  later.passed = 0;
  thrift::Reader list(meta.row_groups.bytes, {}, limits);
  CHECK(later.visit_row_groups(list, meta));
  CHECK(later.lines == Lines{"row groups: 2", "begin 0", "column 0/1 at 11", "row group 0 of 10", "begin 1",
                             "column 1/1 at 21", "row group 1 of 20"});
}

}  // namespace
}  // namespace parqproof
