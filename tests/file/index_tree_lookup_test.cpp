#include "codec/file/index_tree_lookup.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "codec/base/append.hpp"
#include "codec/file/frame.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/format/row_group.hpp"
#include "codec/rules/rule.hpp"
#include "codec/thrift/reader.hpp"
#include "tests/support/judged.hpp"
#include "tests/support/leaves.hpp"
#include "tests/support/sources.hpp"

namespace parqproof {
namespace {

using nlohmann::json;
using support::Bytes;

/// A file of one row group, each column of which has an index.
struct Indexed {
  explicit Indexed(Bytes content) : bytes(std::move(content)), source(bytes) {
    Findings findings{RuleSet{}};
    frame = read_frame(source, bytes.size(), limits, findings);
    FileMetaData meta;
    thrift::Reader reader(frame.footer, {}, limits);
    if (frame.state != Frame::State::footer || !reader.read(meta)) return;
    thrift::for_each<SchemaElement>(
        meta.schema, limits, [&](const SchemaElement& element, std::uint32_t) { schema.add(element); });
    schema.finish();
    thrift::for_each<RowGroup>(meta.row_groups, limits, [&](const RowGroup& group, std::uint32_t) {
      thrift::for_each<ColumnChunk>(group.columns, limits, [&](const ColumnChunk& column, std::uint32_t) {
        const ColumnMetaData& at = column.meta_data;
        const auto data = static_cast<std::uint64_t>(at.data_page_offset);
        const std::uint64_t start = at.has(ColumnMetaData::id_dictionary_page_offset)
                                        ? static_cast<std::uint64_t>(at.dictionary_page_offset)
                                        : data;
        chunks.push_back({start, data, start + static_cast<std::uint64_t>(at.total_compressed_size),
                          static_cast<std::uint64_t>(at.index_page_offset), at.codec});
      });
    });
  }

  [[nodiscard]] IndexTreeLookup lookup(std::size_t leaf) const {
    return {source, limits, chunks[leaf], schema.leaf(leaf)};
  }
  /// The data pages of a flat column, each with its first row.
  [[nodiscard]] std::map<std::int64_t, PageSpan> data_pages(std::size_t leaf) const {
    std::map<std::int64_t, PageSpan> pages;
    PageReader reader(source, limits, 0);
    std::int64_t row = 0;
    Page page;
    for (std::uint64_t at = chunks[leaf].start; at < chunks[leaf].end; at = page.end()) {
      REQUIRE(reader.read_header(at, chunks[leaf].end, {}, page) == PageReader::State::read);
      if (!page.is_data()) continue;
      pages[row] = {page.offset, page.end() - page.offset};
      row += page.num_values();
    }
    return pages;
  }

  Limits limits;
  Bytes bytes;
  MemorySource source;
  Frame frame;
  Schema schema;
  std::vector<IndexTreeChunk> chunks;
};

Bytes plain(const json& value, Type type) {
  switch (type) {
    case Type::INT32:
      return support::of(value.get<std::int32_t>());
    case Type::INT64:
      return support::of(value.get<std::int64_t>());
    case Type::DOUBLE:
      return support::of(value.get<double>());
    case Type::BOOLEAN:
      return {value.get<bool>()};
    default:
      return support::hex(value.get<std::string>());
  }
}

/// The values of the first leaf in a row or a part of it.
void collect(const json& part, std::vector<json>& values) {
  if (part.is_structured()) {
    for (const json& inner : part) collect(inner, values);
  } else if (!part.is_null()) {
    values.push_back(part);
  }
}

std::vector<json> keys_of(const json& row) {
  std::vector<json> values;
  collect(row.begin().value(), values);
  return values;
}

std::vector<RowSpan> rows_of(const json& rows, const json& key) {
  std::vector<RowSpan> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (std::ranges::count(keys_of(rows[i]), key) == 0) continue;
    const auto row = static_cast<std::int64_t>(i);
    if (!found.empty() && found.back().first + found.back().count == row) {
      ++found.back().count;
    } else {
      found.push_back({row, 1});
    }
  }
  return found;
}

json rows_next_to(const std::string& path) {
  const Bytes sidecar = support::read_bytes(path.substr(0, path.size() - 8) + ".json");
  return json::parse(sidecar).value("stored", json::array());
}

std::vector<std::string> files() {
  return support::files_below("corpus/witnesses/legal/index-pages", ".parquet");
}

/// A file whose key column has the odd numbers 1 to 11, two a page.
Bytes odd_numbers() { return support::read_bytes("corpus/witnesses/index-page/keys-true/pass-a.parquet"); }

TEST_CASE("every key of a sorted column is found in its rows, and no other", "[unit]") {
  std::size_t looked_up = 0;
  for (const std::string& path : files()) {
    const Indexed file(support::read_bytes(path));
    REQUIRE(file.chunks.size() >= 1);
    const Node& leaf = file.schema.leaf(0);
    IndexTreeLookup lookup = file.lookup(0);
    INFO(path);
    const json rows = rows_next_to(path);
    for (const json& row : rows) {
      for (const json& key : keys_of(row)) {
        if (order_of(leaf) == Order::none) continue;
        CHECK(lookup.rows_with_key(plain(key, leaf.type)) == rows_of(rows, key));
        ++looked_up;
      }
    }
  }
  CHECK(looked_up > 200);
}

TEST_CASE("keys between, before and after those of the column are in no row", "[unit]") {
  const Indexed file(odd_numbers());
  IndexTreeLookup lookup = file.lookup(0);
  for (std::int32_t key = -3; key < 20; ++key) {
    INFO(key);
    const bool there = key >= 1 && key <= 11 && key % 2 == 1;
    CHECK(lookup.rows_with_key(plain(key, Type::INT32)) ==
          (there ? std::vector<RowSpan>{{(key - 1) / 2, 1}} : std::vector<RowSpan>{}));
    const std::vector<PageSpan> pages = lookup.pages_with_key(plain(key, Type::INT32)).value();
    CHECK(pages.size() <= 3);
  }
  CHECK(lookup.rows_with_key(Bytes{1, 2})->empty());  // no width of the type
}

TEST_CASE("a key that spans several pages is found in all of them", "[unit]") {
  std::size_t over_pages = 0;
  for (const std::string& path : files()) {
    const Indexed file(support::read_bytes(path));
    if (file.schema.leaf(0).type != Type::INT32) continue;
    const json rows = rows_next_to(path);
    IndexTreeLookup lookup = file.lookup(0);
    for (const json& row : rows) {
      for (const json& key : keys_of(row)) {
        const std::vector<RowSpan> due = rows_of(rows, key);
        if (due.front().count < 4) continue;  // three rows a page
        ++over_pages;
        CHECK(lookup.rows_with_key(plain(key, Type::INT32)) == due);
        CHECK(lookup.pages_with_key(plain(key, Type::INT32))->size() >= 3);
      }
    }
  }
  CHECK(over_pages > 8);
}

TEST_CASE("page offsets may count from the beginning of the file", "[unit]") {
  Indexed file(support::read_bytes("corpus/witnesses/index-page/offset-base/fail-a.parquet"));
  CHECK_FALSE(file.lookup(0).rows_with_key(plain(7, Type::INT32)));
  file.chunks[0].base = 0;
  CHECK(file.lookup(0).rows_with_key(plain(7, Type::INT32)) == std::vector<RowSpan>{{3, 1}});
}

TEST_CASE("a row is found in the page that it begins in, in every other column", "[unit]") {
  std::size_t looked_up = 0;
  for (const std::string& path : files()) {
    const Indexed file(support::read_bytes(path));
    const auto rows = static_cast<std::int64_t>(rows_next_to(path).size());
    for (std::size_t leaf = 1; leaf < file.chunks.size(); ++leaf) {
      const std::map<std::int64_t, PageSpan> pages = file.data_pages(leaf);
      REQUIRE(pages.size() > 2);
      IndexTreeLookup lookup = file.lookup(leaf);
      for (std::int64_t row = 0; row < rows; ++row) {
        INFO(path << ", leaf " << leaf << ", row " << row);
        const std::optional<RowPage> page = lookup.page_with_row(row, rows).value();
        REQUIRE(page);
        const auto next = pages.upper_bound(row);
        CHECK(page->span == std::prev(next)->second);
        CHECK(page->first_row == std::prev(next)->first);
        CHECK(page->next_row == (next == pages.end() ? rows : next->first));
        ++looked_up;
      }
      CHECK_FALSE(*lookup.page_with_row(-1));
      CHECK((*lookup.page_with_row(INT64_MAX))->span == pages.rbegin()->second);
    }
  }
  CHECK(looked_up > 400);
}

TEST_CASE("the steps of a lookup are the index pages on its way, from the root on", "[unit]") {
  // Eight data pages, three to an index page; the keys -9 to 12, three a page.
  const Indexed file(support::read_bytes("corpus/witnesses/legal/index-pages/pass-a.parquet"));
  IndexTreeLookup lookup = file.lookup(0);
  const auto pages = lookup.pages_with_key(plain(-8, Type::INT32));
  REQUIRE(pages);
  REQUIRE(lookup.steps().size() == 2);
  CHECK(lookup.steps()[0].page == file.chunks[0].root);
  CHECK(lookup.steps()[0].level == 1);
  REQUIRE(lookup.steps()[0].to.size() == 1);
  CHECK(lookup.steps()[0].to[0].offset == lookup.steps()[1].page);
  CHECK(lookup.steps()[1].level == 2);
  CHECK(lookup.steps()[1].to == *pages);
  REQUIRE(lookup.rows_with_key(plain(12, Type::INT32)));
  CHECK(lookup.page_starts().size() == 8);
  CHECK(lookup.page_starts().back().first_row == 21);
  CHECK(lookup.page_starts().back().ordinal == 9);  // two index pages are before it
  CHECK(lookup.pages_counted() == 0);
}

TEST_CASE("descending keys end the lookup, as bisection would be wrong", "[index-page/sorted]") {
  const Indexed file(support::read_bytes("corpus/witnesses/index-page/sorted/fail-a.parquet"));
  for (const std::int32_t key : {1, 5, 11}) {
    IndexTreeLookup lookup = file.lookup(0);
    const auto pages = lookup.pages_with_key(plain(key, Type::INT32));
    REQUIRE_FALSE(pages);
    CHECK(pages.error().rule == Rule::index_page_sorted);
    CHECK(lookup.page_at_fault() == file.chunks[0].root);
  }
}

// ---- Malformed trees

void append(Bytes& bytes, std::initializer_list<int> more) {
  for (const int byte : more) bytes.push_back(static_cast<std::uint8_t>(byte));
}
void append_number(Bytes& bytes, std::uint64_t number) { append_le(bytes, number, 4); }

/// A chunk of INT32 pages, written one after the other.
struct Forged {
  Bytes bytes;
  std::vector<PageSpan> pages;
  CompressionCodec codec{};

  /// A data page of the one value 7, in an encoding below 64.
  void data(int encoding = 0) {
    const std::uint64_t at = bytes.size();
    append(bytes, {0x15, 0, 0x15, 8, 0x15, 8, 0x2c, 0x15, 2, 0x15, 2 * encoding, 0x15, 6, 0x15, 6, 0, 0});
    append_number(bytes, 7);
    pages.push_back({at, bytes.size() - at});
  }
  /// The same as a v2 page that says that it is not compressed, and that it has 2^30 bytes before that. Both
  /// lengths of levels are given as in the header: 1 is -1, and 2 is 1.
  void data_v2(int definition_length = 0, int repetition_length = 0) {
    const std::uint64_t at = bytes.size();
    append(bytes, {0x15, 6, 0x15, 0x80, 0x80, 0x80, 0x80, 0x08, 0x15, 8});
    append(bytes, {0x5c, 0x15, 2, 0x15, 0, 0x15, 2, 0x15, 0});
    append(bytes, {0x15, definition_length, 0x15, repetition_length, 0x12, 0, 0});
    append_number(bytes, 7);
    pages.push_back({at, bytes.size() - at});
  }
  /// An index page over these pages, with the key 7 for each, or with ordinals 0.
  void index(const std::vector<PageSpan>& children, IndexTreeForm form) {
    const std::uint64_t at = bytes.size();
    const std::size_t size = children.size() * (form == IndexTreeForm::values ? 16 : 12);
    append(bytes, {0x15, 2});
    for (int i = 0; i < 2; ++i) {  // sizes as zigzag varints of two bytes
      append(bytes, {0x15, static_cast<int>((size * 2 & 0x7F) | 0x80), static_cast<int>(size * 2 >> 7)});
    }
    append(bytes, {0x3c, 0, 0});
    for (std::size_t i = 0; i < children.size(); ++i) {
      append_number(bytes, form == IndexTreeForm::values ? 4 * i : 0);
      append_number(bytes, children[i].offset);
      append_number(bytes, children[i].length);
    }
    for (std::size_t i = 0; form == IndexTreeForm::values && i < children.size(); ++i)
      append_number(bytes, 7);
    pages.push_back({at, bytes.size() - at});
  }

 private:
  template <typename Ask>
  auto with_lookup(Ask ask) const {
    const MemorySource source(bytes);
    const Node leaf{.type = Type::INT32, .is_leaf = true};
    const Limits limits;
    IndexTreeLookup lookup(source, limits, {0, 0, bytes.size(), pages.back().offset, codec}, leaf);
    return ask(lookup);
  }

 public:
  Result<std::vector<PageSpan>> find() const {
    return with_lookup([](IndexTreeLookup& lookup) { return lookup.pages_with_key(Bytes{7, 0, 0, 0}); });
  }
  Result<std::vector<RowSpan>> find_rows() const {
    return with_lookup([](IndexTreeLookup& lookup) { return lookup.rows_with_key(Bytes{7, 0, 0, 0}); });
  }
  Result<std::optional<RowPage>> row() const {
    return with_lookup([](IndexTreeLookup& lookup) { return lookup.page_with_row(0); });
  }
  /// Returns true if so many lookups, one after another, find as many pages.
  bool find_again(int times) const {
    return with_lookup([&](IndexTreeLookup& lookup) {
      for (int i = 0; i < times; ++i) {
        const Result<std::vector<PageSpan>> found = lookup.pages_with_key(Bytes{7, 0, 0, 0});
        if (!found || found->size() != 1) return false;
      }
      return true;
    });
  }
};

/// Offset at which an entry of the last page names its child.
std::uint64_t child_of_last(const Forged& chunk, std::size_t entry) {
  return chunk.pages.back().offset + 11 + entry * kIndexTreeEntryBytes + 4;
}

TEST_CASE("a tree of ten thousand levels is walked to its data page", "[unit]") {
  for (const IndexTreeForm form : {IndexTreeForm::values, IndexTreeForm::ordinals}) {
    Forged chunk;
    chunk.data();
    for (int level = 0; level < 10'000; ++level) chunk.index({chunk.pages.back()}, form);
    if (form == IndexTreeForm::values) {
      CHECK(chunk.find() == std::vector{chunk.pages.front()});
    } else {
      CHECK(chunk.row().value()->span == chunk.pages.front());
    }
  }
}

TEST_CASE("each lookup has its own work limit", "[unit]") {
  Forged chunk;
  chunk.data();
  for (int level = 0; level < 100; ++level) chunk.index({chunk.pages.back()}, IndexTreeForm::values);
  CHECK(chunk.find_again(1000));
}

TEST_CASE("an index page that refers to itself or to a later page ends the lookup",
          "[index-page/post-order]") {
  for (const IndexTreeForm form : {IndexTreeForm::values, IndexTreeForm::ordinals}) {
    Forged chunk;
    chunk.data();
    const PageSpan itself{chunk.bytes.size(), form == IndexTreeForm::values ? 27U : 23U};
    chunk.index({itself}, form);
    const Error error = form == IndexTreeForm::values ? chunk.find().error() : chunk.row().error();
    CHECK(error.rule == Rule::index_page_post_order);
    CHECK(error.offset == child_of_last(chunk, 0));
  }
}

TEST_CASE("a page that two entries name ends the lookup, so that no tree grows exponentially",
          "[index-page/child]") {
  Forged chunk;
  chunk.data();
  for (int level = 0; level < 60; ++level)
    chunk.index({chunk.pages.back(), chunk.pages.back()}, IndexTreeForm::values);
  const auto found = chunk.find();
  REQUIRE_FALSE(found);
  CHECK(found.error().rule == Rule::index_page_child);
  CHECK(found.error().length == 8);
}

TEST_CASE("an entry that names no page ends the lookup at the entry", "[index-page/child]") {
  const auto check = [](PageSpan named, Rule rule) {
    for (const IndexTreeForm form : {IndexTreeForm::values, IndexTreeForm::ordinals}) {
      Forged chunk;
      chunk.data();
      chunk.data();
      chunk.index({named}, form);
      const Error error = form == IndexTreeForm::values ? chunk.find().error() : chunk.row().error();
      CHECK(error.rule == rule);
      CHECK(error.offset == child_of_last(chunk, 0));
    }
  };
  check({1, 20}, Rule::index_page_child);
  check({0, 20}, Rule::index_page_child);
  check({0, 22}, Rule::index_page_child);
  check({0, 0}, Rule::index_page_child);
  check({0, 0xFFFFFFFF}, Rule::index_page_child);
  check({0xFFFFFFFF, 21}, Rule::index_page_child);
  check({5000, 21}, Rule::index_page_child);
}

TEST_CASE("a root that is no index page", "[column-chunk/index-page-offset]") {
  Forged chunk;
  chunk.data();
  CHECK(chunk.find().error().rule == Rule::column_chunk_index_page_offset);
  CHECK(chunk.row().error().rule == Rule::column_chunk_index_page_offset);
}

TEST_CASE("a page in an unknown encoding is found and skipped, but its values are not read",
          "[page/unknown-encoding]") {
  Forged chunk;
  chunk.data(50);
  chunk.data();
  const std::vector<PageSpan> data = chunk.pages;
  chunk.index({data[0]}, IndexTreeForm::values);
  CHECK(chunk.find() == std::vector{data[0]});
  const auto unread = chunk.find_rows();
  REQUIRE_FALSE(unread);
  CHECK(unread.error().rule == Rule::page_unknown_encoding);
  CHECK(unread.error().offset == data[0].offset);
  chunk.index({data[1]}, IndexTreeForm::values);
  CHECK(chunk.find_rows() == std::vector<RowSpan>{{1, 1}});
  chunk.index({data[0]}, IndexTreeForm::ordinals);
  CHECK(chunk.row().value()->span == data[0]);
}

TEST_CASE("the work of expanding a page is charged before its codec runs", "[limit/work]") {
  Forged chunk;
  chunk.codec = CompressionCodec::SNAPPY;
  chunk.data_v2();
  const std::vector<PageSpan> data = chunk.pages;
  chunk.index(data, IndexTreeForm::values);
  CHECK(chunk.find() == data);
  const auto rows = chunk.find_rows();
  REQUIRE_FALSE(rows);
  CHECK(rows.error().rule == Rule::limit_work);
}

TEST_CASE("a page whose levels have an impossible length is not opened", "[page/v2-level-lengths]") {
  Forged chunk;
  chunk.data_v2(1, 2);
  const std::vector<PageSpan> data = chunk.pages;
  chunk.index(data, IndexTreeForm::values);
  const auto rows = chunk.find_rows();
  REQUIRE_FALSE(rows);
  CHECK(rows.error().rule == Rule::page_v2_level_lengths);
  CHECK(rows.error().offset == data[0].offset);
}

TEST_CASE("five hundred pages of one key are all found", "[unit]") {
  Forged chunk;
  for (int i = 0; i < 500; ++i) chunk.data();
  const std::vector<PageSpan> children = chunk.pages;
  chunk.index(children, IndexTreeForm::values);
  CHECK(chunk.find() == children);
}

TEST_CASE("rows of a key are split where other rows are between them", "[unit]") {
  Forged chunk;
  std::vector<PageSpan> with_key;
  for (int row = 0; row < 14; ++row) {
    chunk.data();
    const bool other = (row >= 5 && row < 10) || row == 12;
    if (other) {
      chunk.bytes[chunk.bytes.size() - 4] = 8;
    } else {
      with_key.push_back(chunk.pages.back());
    }
  }
  chunk.index(with_key, IndexTreeForm::values);
  CHECK(chunk.find_rows() == std::vector<RowSpan>{{0, 5}, {10, 2}, {13, 1}});
}

TEST_CASE("a lookup reports whether its Error comes from unreadable bytes", "[unit]") {
  const Indexed file(odd_numbers());
  std::size_t failed = 0;
  for (std::uint64_t readable = 0; readable <= file.bytes.size(); ++readable) {
    const support::PartlyReadableSource source(file.bytes, readable);
    for (const std::int32_t key : {1, 6, 11}) {
      IndexTreeLookup lookup(source, file.limits, file.chunks[0], file.schema.leaf(0));
      const bool found = lookup.rows_with_key(plain(key, Type::INT32)).has_value();
      failed += found ? 0 : 1;
      if (lookup.failed() == found) FAIL("key " << key << ", " << readable << " bytes can be read");
    }
  }
  CHECK(failed > 100);
}

TEST_CASE("any changed byte of an indexed file ends in a value or an Error", "[unit]") {
  const Bytes intact = odd_numbers();
  std::size_t errors = 0;
  for (std::size_t at = 0; at < intact.size(); ++at) {
    for (const int other : {0x00, 0x01, 0x7F, 0x80, 0xFF}) {
      Bytes bytes = intact;
      bytes[at] = static_cast<std::uint8_t>(other);
      const Indexed file(std::move(bytes));
      if (file.chunks.empty() || file.schema.leaf_count() == 0 || !file.schema.leaf(0).readable) continue;
      IndexTreeLookup lookup = file.lookup(0);
      for (const std::int32_t key : {1, 6, 11}) {
        errors += lookup.rows_with_key(plain(key, Type::INT32)) ? 0 : 1;
        errors += lookup.page_with_row(key) ? 0 : 1;
      }
    }
  }
  CHECK(errors > 100);
}

}  // namespace
}  // namespace parqproof
