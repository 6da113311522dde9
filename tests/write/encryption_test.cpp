#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/format/schema_element.hpp"
#include "codec/write/file_writer.hpp"

namespace parqproof {
namespace {

using Bytes = std::vector<std::uint8_t>;

thrift::ListBuilder<SchemaElement> one_column() {
  thrift::ListBuilder<SchemaElement> out;
  SchemaElement root;
  thrift::set(root, SchemaElement::id_name, SchemaElement::id_num_children);
  root.name = view_of("r");
  root.num_children = 1;
  out.add(root);
  SchemaElement leaf;
  thrift::set(leaf, SchemaElement::id_name, SchemaElement::id_type, SchemaElement::id_repetition_type);
  leaf.name = view_of("a");
  leaf.type = Type::INT32;
  leaf.repetition_type = FieldRepetitionType::REQUIRED;
  out.add(leaf);
  return out;
}

EncryptionOptions with_key() {
  EncryptionOptions out;
  out.footer_key.bytes = Bytes(16, 7);
  return out;
}

/// Writes row groups without entries. Returns why that fails.
std::string write(const WriteOptions& options, Bytes& out, int row_groups = 1) {
  MemorySink sink(out);
  const auto schema = one_column();
  FileWriter writer(sink, options, schema.list());
  if (WriteStatus begun = writer.begin(); !begun) return begun.error();
  const Bytes number(4);
  Entries entries;
  entries.count = entries.values.count = 1;
  entries.values.fixed = number.data();
  for (int group = 0; group < row_groups; ++group) {
    if (WriteStatus begun = writer.begin_row_group(); !begun) return begun.error();
    const auto column = writer.next_column();
    if (!column) return column.error();
    if (WriteStatus added = (*column)->add(entries); !added) return added.error();
    if (WriteStatus ended = writer.end_row_group(); !ended) return ended.error();
  }
  const WriteStatus finished = writer.finish();
  return finished ? std::string() : finished.error();
}

std::string why(const EncryptionOptions& encryption, WriteOptions options = {}) {
  Bytes out;
  options.encryption = encryption;
  return write(options, out);
}

}  // namespace

TEST_CASE("options of encryption that the format does not allow are refused by name", "[encryption]") {
  EncryptionOptions options = with_key();
  CHECK(why(options).empty());
  options.footer_key.bytes.push_back(0);
  CHECK(why(options) == "encryption: footer_key has 17 bytes; a key has 16, 24 or 32");
  options = with_key();
  options.column_keys[0].bytes = Bytes(8);
  CHECK(why(options) == "encryption: the key of column a has 8 bytes; a key has 16, 24 or 32");
  options = with_key();
  options.column_keys[1].bytes = Bytes(16);
  CHECK(why(options) == "encryption: column_keys: the schema has no leaf 1");
  options = with_key();
  options.store_aad_prefix = false;
  CHECK(why(options) == "encryption: store_aad_prefix: there is no aad_prefix");
  WriteOptions other;
  other.index_pages = IndexPages::tree;
  CHECK(why(with_key(), other) == "index_pages: there is no module for them in an encrypted file");
  other = {};
  other.metadata_copies = true;
  CHECK(why(with_key(), other) == "metadata_copies: they would be open in an encrypted file");
  other = {};
  other.footer_every = 1;
  CHECK(why(with_key(), other) == "footer_every: an encrypted file has one footer");
}

TEST_CASE("an encrypted file has at most 32768 row groups", "[encryption/ordinal-limit]") {
  WriteOptions options;
  options.page_index = false;
  options.encryption = with_key();
  Bytes out;
  CHECK(write(options, out, 32'768).empty());
  out.clear();
  CHECK(write(options, out, 32'769).contains("at most 32768 row groups"));
}

TEST_CASE("nonces are random without a seed, and the same bytes follow from one", "[encryption]") {
  WriteOptions options;
  options.encryption = with_key();
  Bytes first;
  Bytes second;
  REQUIRE(write(options, first).empty());
  REQUIRE(write(options, second).empty());
  CHECK(first != second);
  options.encryption->seed = 1;
  first.clear();
  second.clear();
  REQUIRE(write(options, first).empty());
  REQUIRE(write(options, second).empty());
  CHECK(first == second);
}

}  // namespace parqproof
