// The tree of a Thrift struct: its forms are kept, and its values can be changed.
#include "codec/model/tree.hpp"

#include <catch2/catch_test_macros.hpp>

#include "codec/format/encryption.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/format/page_header.hpp"
#include "codec/format/page_index.hpp"
#include "codec/rules/rule.hpp"
#include "codec/thrift/locate.hpp"
#include "tests/hostile/hostile_file.hpp"
#include "tests/support/random_struct.hpp"

namespace support {
namespace {

using namespace parqproof;
using model::NodeId;
using model::Tree;
using thrift::Wire;

constexpr std::uint64_t kBase = 1000;

Bytes written(const Tree& tree) {
  Bytes out;
  tree.write(out);
  return out;
}

Tree read(const Bytes& bytes, const thrift::StructType& type) {
  auto tree = Tree::read(View{bytes, kBase}, type, {});
  REQUIRE(tree);
  return std::move(*tree);
}

TEST_CASE("a tree of any struct of the format is written as the bytes that were read") {
  test::RandomStructs random(7);
  for (int i = 0; i < 300; ++i) {
    for (const thrift::StructType* const type :
         {&FileMetaData::kType, &PageHeader::kType, &OffsetIndex::kType, &ColumnIndex::kType,
          &FileCryptoMetaData::kType}) {
      const Bytes bytes = random.bytes(*type);
      const Tree tree = read(bytes, *type);
      CHECK(written(tree) == bytes);
      CHECK(tree.encoded_size() == bytes.size());
      random.clear();
    }
  }
}

TEST_CASE("a tree keeps each form in which the compact protocol can write a value") {
  const std::pair<const char*, const char*> forms[] = {
      {"an id in full", "05 02 02 00"},
      {"an id with surplus bytes", "05 82 00 02 00"},
      {"an id above 16 bits", "05 80 80 04 02 00"},
      {"an id of 64 bits", "05 ff ff ff ff ff ff ff ff ff 01 02 00"},
      {"ids beyond 32767", "05 fe ff 03 02 f5 02 15 04 00"},
      {"ids that descend", "05 0a 02 05 04 02 00"},
      {"a number with surplus bytes", "15 82 80 80 00 00"},
      {"a number of 64 bits", "16 ff ff ff ff ff ff ff ff ff 01 00"},
      {"a number above 64 bits", "16 ff ff ff ff ff ff ff ff ff 7f 00"},
      {"an i8, a double, a uuid", "13 80 17 01 02 03 04 05 06 07 08 1d 000102030405060708090a0b0c0d0e0f 00"},
      {"a length with surplus bytes", "18 83 00 61 62 63 00"},
      {"a long list header with a small size", "19 f5 02 02 04 00"},
      {"a list size with surplus bytes", "19 f5 82 80 00 02 04 00"},
      {"an empty list of no type", "19 00 00"},
      {"an empty list of an undefined type", "19 0e 00"},
      {"a set", "1a 25 02 04 00"},
      {"booleans of any byte", "19 41 00 01 02 03 00"},
      {"a map", "1b 02 85 01 61 02 01 62 04 00"},
      {"an empty map with a long size", "1b 80 00 00"},
      {"boolean fields", "11 12 00"},
      {"nested structs", "1c 1c 15 02 00 15 04 00 00"},
      {"lists of lists", "19 29 15 02 25 04 06 00"},
  };
  for (const auto& [what, digits] : forms) {
    INFO(what);
    const Bytes bytes = hex(digits);
    const Tree tree = read(bytes + hex("ff"), FileMetaData::kType);  // the byte after the struct is ignored
    CHECK(written(tree) == bytes);
    CHECK(tree.encoded_size() == bytes.size());
  }
}

TEST_CASE("a struct that cannot be read to its end has an error at the byte that ends the reading") {
  const auto error_of = [](const char* digits) {
    const Bytes bytes = hex(digits);
    const auto tree = Tree::read(View{bytes, kBase}, PageHeader::kType, {});
    REQUIRE(!tree);
    return tree.error();
  };
  CHECK(error_of("").offset == kBase);
  CHECK(error_of("15 02 15").offset == kBase + 3);
  CHECK(error_of("15 02 15").rule == Rule::thrift_stop_byte);
  CHECK(error_of("15 02 1f 00 00").rule == Rule::thrift_compact_protocol);
  CHECK(error_of("15 02 1f 00 00").offset == kBase + 3);
  CHECK(error_of("18 05 61 62 00").rule == Rule::thrift_compact_protocol);
  Limits limits;
  limits.memory_bytes = 8 * 8 * sizeof(model::TreeNode);
  const Bytes list = hex("19 f3 0a") + Bytes(10) + hex("00");
  const auto tree = Tree::read(View{list, kBase}, PageHeader::kType, limits);
  REQUIRE(!tree);
  CHECK(tree.error().rule == Rule::limit_memory);
}

Bytes footer_bytes() {
  Struct footer;
  add_schema(footer);
  footer.i64(3, 5).list(4, Wire::struct_, 1);
  begin_row_group(footer, 5, 20, 20);
  footer.raw(hex("00 00"));
  return footer.bytes();
}

TEST_CASE("nodes are found by the names and ids of fields and the indexes of elements") {
  Struct header;
  header.i32(1, 0).i32(2, 40).i32(3, 30).begin(5).i32(1, 5).i32(2, 0).i32(3, 3).i32(4, 3).i32(90, 7).end();
  const Tree tree = read(header.bytes(), PageHeader::kType);
  CHECK(tree.number("uncompressed_page_size") == 40);
  CHECK(tree.number("data_page_header.num_values") == 5);
  CHECK(tree.number("data_page_header.90") == 7);
  CHECK(!tree.find("crc"));
  CHECK(!tree.find("data_page_header.statistics.max_value"));
  CHECK(!tree.find("no_such_field"));
  CHECK(!tree.find("type[0]"));
  for (NodeId id = 0; id < tree.size(); ++id) CHECK(tree.find(tree.path(id)) == id);
  CHECK(tree.path(*tree.find("data_page_header.90")) == "data_page_header.90");

  std::vector<std::uint8_t> room;
  DataPageHeader plain;
  REQUIRE(tree.read_struct(*tree.find("data_page_header"), room, plain));
  CHECK(plain.num_values == 5);
}

TEST_CASE("a changed number is written with the surplus bytes that it had") {
  Tree tree = read(hex("15 82 00 15 04 00"), PageHeader::kType);
  tree.set_number(*tree.find("type"), 100);
  CHECK(written(tree) == hex("15 c8 81 00 15 04 00"));
  tree.set_form(*tree.find("uncompressed_page_size"), 1, true, 1);
  CHECK(written(tree) == hex("15 c8 81 00 05 84 00 84 00 00"));
  tree.set_raw(*tree.find("type"), hex("ff"));
  CHECK(written(tree) == hex("15 ff 05 84 00 84 00 00"));
}

TEST_CASE("fields are added in the order of their ids, with all structs around them") {
  Tree tree(PageHeader::kType);
  const auto set = [&](const char* path, std::int64_t value) { tree.set_number(*tree.make(path), value); };
  set("data_page_header.num_values", 5);
  set("type", 0);
  set("compressed_page_size", 30);
  set("uncompressed_page_size", 40);
  tree.set_bytes(*tree.make("data_page_header.statistics.max_value"), text("zz"));
  set("data_page_header.statistics.is_max_value_exact", 1);
  const Bytes bytes = written(tree);
  CHECK(written(read(bytes, PageHeader::kType)) == bytes);
  Struct expected;
  expected.i32(1, 0)
      .i32(2, 40)
      .i32(3, 30)
      .begin(5)
      .i32(1, 5)
      .begin(5)
      .text(5, "zz")
      .flag(7, true)
      .end()
      .end();
  CHECK(bytes == expected.bytes());
  CHECK(!tree.make("no_such_field"));
  CHECK(!tree.make("data_page_header.90"));
}

TEST_CASE("fields and elements can be duplicated, removed, swapped and retyped") {
  Tree tree = read(hex("15 02 19 25 02 04 00"), OffsetIndex::kType);
  const NodeId list = tree.children(model::kRoot)[1];
  const NodeId first = *tree.element(list, 0);
  const NodeId copy = tree.duplicate(first);
  CHECK(written(tree) == hex("15 02 19 35 02 02 04 00"));
  tree.set_number(copy, 3);
  tree.swap_with_next(copy);
  CHECK(written(tree) == hex("15 02 19 35 02 04 06 00"));
  tree.remove(first);
  CHECK(written(tree) == hex("15 02 19 25 04 06 00"));
  tree.set_number(tree.add_element(list), 4);
  tree.set_number(tree.add_element(list, 0), 1);
  CHECK(written(tree) == hex("15 02 19 45 02 04 06 08 00"));
  tree.duplicate(list);
  CHECK(written(tree) == hex("15 02 19 45 02 04 06 08 09 04 45 02 04 06 08 00"));
  tree.remove(tree.children(model::kRoot)[2]);
  tree.set_wire(tree.children(model::kRoot)[0], Wire::i64);
  tree.set_element(list, Wire::i64);
  CHECK(written(tree) == hex("16 02 19 46 02 04 06 08 00"));
  tree.remove(list);
  tree.remove(tree.children(model::kRoot)[0]);
  CHECK(written(tree) == hex("00"));
}

TEST_CASE("the position of a node is where its header is in the encoded struct") {
  const Bytes bytes = footer_bytes();
  const Tree tree = read(bytes, FileMetaData::kType);
  for (const char* const path : {"version", "schema[1].name", "num_rows", "row_groups[0].columns[0]",
                                 "row_groups[0].columns[0].meta_data.num_values"}) {
    const thrift::Extent extent = thrift::locate(View{bytes}, FileMetaData::kType, path);
    REQUIRE(extent.present);
    CHECK(tree.position_of(*tree.find(path)) == extent.header);
  }
}

}  // namespace
}  // namespace support
