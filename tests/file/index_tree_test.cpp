#include "codec/file/index_tree.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "codec/base/append.hpp"
#include "codec/rules/rule.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/faults.hpp"

namespace parqproof {
namespace {

using support::Bytes, support::hex, support::kBase, support::operator+;

Bytes numbers(std::initializer_list<std::int32_t> all) {
  Bytes bytes;
  for (const std::int32_t number : all) append_le(bytes, static_cast<std::uint32_t>(number), 4);
  return bytes;
}

Bytes text(std::string_view word) {
  return numbers({static_cast<std::int32_t>(word.size())}) + support::text(word);
}

Result<IndexTreeNode> open(const Bytes& body, IndexTreeForm form, Type type, std::uint32_t type_length = 0,
                           const Limits& limits = {}) {
  return IndexTreeNode::open({body, kBase, Space::file}, form, type, type_length, limits);
}

/// The example of the edition of 2013: keys 100, 500 and 502 for pages of 64 KiB.
const Bytes kInt32 =
    hex("00000000000000000000010004000000000001000000010008000000000002000000010064000000f4010000f6010000");
const Bytes kInt64 = hex(
    "0000000000000000000001000800000000000100000001001000000000000200000001006400000000000000f401000000000000"
    "f601000000000000");
const Bytes kOrdinals = hex("000000000000000000000100e80300000000010000000100c40900000000020000000100");

TEST_CASE("entries and keys of the example of 2013", "[unit]") {
  const auto check = [](const Bytes& body, Type type, std::size_t width) {
    const IndexTreeNode page = open(body, IndexTreeForm::values, type).value();
    REQUIRE(page.size() == 3);
    const std::int64_t keys[] = {100, 500, 502};
    for (std::size_t i = 0; i < 3; ++i) {
      const IndexTreeEntry entry = page.entry(i);
      CHECK(entry.key == static_cast<std::int32_t>(i * width));
      CHECK(entry.page_offset == static_cast<std::int32_t>(i * 65'536));
      CHECK(entry.page_length == 65'536);
      CHECK(page.entry_bytes(i).base == kBase + i * kIndexTreeEntryBytes);
      const View key = page.key(i).value();
      REQUIRE(key.size() == width);
      CHECK(key.base == kBase + 36 + i * width);
      std::int64_t value = 0;
      std::memcpy(&value, key.data(), width);
      CHECK(value == keys[i]);
    }
  };
  check(kInt32, Type::INT32, 4);
  check(kInt64, Type::INT64, 8);
  CHECK(IndexTreeNode::likely_form({kInt32}, Type::INT32, 0, {}) == IndexTreeForm::values);
  CHECK(IndexTreeNode::likely_form({kInt64}, Type::INT64, 0, {}) == IndexTreeForm::values);
}

TEST_CASE("ordinals have no values buffer", "[unit]") {
  const IndexTreeNode page = open(kOrdinals, IndexTreeForm::ordinals, Type::BYTE_ARRAY).value();
  REQUIRE(page.size() == 3);
  CHECK(page.values_buffer().empty());
  CHECK(page.entry(2).key == 2500);
  CHECK(entry_for_row(page, -1) == 3);
  for (const auto& [row, entry] : {std::pair{0, 0}, {999, 0}, {1000, 1}, {2499, 1}, {2500, 2}, {9999, 2}}) {
    CHECK(entry_for_row(page, row) == static_cast<std::size_t>(entry));
  }
  CHECK(IndexTreeNode::likely_form({kOrdinals}, Type::INT32, 0, {}) == IndexTreeForm::ordinals);
  CHECK(IndexTreeNode::likely_form({}, Type::INT32, 0, {}) == IndexTreeForm::ordinals);
  const Bytes one = numbers({0, 65'536, 4, 100});
  CHECK(IndexTreeNode::likely_form({one}, Type::INT32, 0, {}) == IndexTreeForm::values);
  const IndexTreeNode empty = open({}, IndexTreeForm::ordinals, Type::INT32).value();
  CHECK(entry_for_row(empty, 0) == empty.size());
}

TEST_CASE("the number of entries with byte arrays follows from the ends of their keys", "[unit]") {
  const Bytes body = numbers({0, 0, 10, 6, 10, 10, 10, 20, 10}) + text("ab") + text("") + text("xyz");
  const IndexTreeNode page = open(body, IndexTreeForm::values, Type::BYTE_ARRAY).value();
  REQUIRE(page.size() == 3);
  for (const auto& [entry, word] : {std::pair{std::size_t{0}, "ab"}, {1, ""}, {2, "xyz"}}) {
    const View key = page.key(entry).value();
    CHECK(text_of(key) == word);
  }
  CHECK(IndexTreeNode::likely_form({body}, Type::BYTE_ARRAY, 0, {}) == IndexTreeForm::values);
}

TEST_CASE("a BOOLEAN key takes a byte, a FIXED_LEN_BYTE_ARRAY key its length", "[unit]") {
  const Bytes booleans = numbers({0, 0, 10, 1, 10, 10}) + Bytes{0, 1};
  const IndexTreeNode page = open(booleans, IndexTreeForm::values, Type::BOOLEAN).value();
  REQUIRE(page.size() == 2);
  CHECK(page.key(1)->bytes[0] == 1);
  const Bytes fixed = numbers({0, 0, 10, 3, 10, 10}) + Bytes{1, 2, 3, 4, 5, 6};
  const IndexTreeNode words = open(fixed, IndexTreeForm::values, Type::FIXED_LEN_BYTE_ARRAY, 3).value();
  CHECK(words.size() == 2);
}

TEST_CASE("a body that is not a multiple of the entry size", "[index-page/entries]") {
  const auto check = [](const Bytes& body, IndexTreeForm form, Type type) {
    const Result<IndexTreeNode> page = open(body, form, type);
    REQUIRE_FALSE(page);
    CHECK(page.error().rule == Rule::index_page_entries);
    CHECK(page.error().offset == kBase);
    CHECK(page.error().found == static_cast<std::int64_t>(body.size()));
  };
  check(kOrdinals + Bytes{0}, IndexTreeForm::ordinals, Type::INT32);
  check(kInt32 + Bytes{0}, IndexTreeForm::values, Type::INT32);
  check(kInt32 + Bytes{0}, IndexTreeForm::values, Type::BYTE_ARRAY);
  check(numbers({0, 0, 10}) + text("ab") + Bytes{0}, IndexTreeForm::values, Type::BYTE_ARRAY);
  check(numbers({0, 0, 10, 999}), IndexTreeForm::values, Type::BYTE_ARRAY);
}

TEST_CASE("a key outside the values buffer", "[index-page/keys]") {
  const auto check = [](const Bytes& body, Type type, std::size_t entry, bool sound) {
    const IndexTreeNode page = open(body, IndexTreeForm::values, type).value();
    const Result<View> key = page.key(entry);
    CHECK(key.has_value() == sound);
    if (sound) return;
    CHECK(key.error().rule == Rule::index_page_keys);
    CHECK(key.error().offset == kBase + entry * kIndexTreeEntryBytes);
    CHECK(key.error().length == 4);
    CHECK(key.error().found == page.entry(entry).key);
  };
  const Bytes tail = numbers({1, 2});
  for (const auto& [offset, sound] : {std::pair{4, true}, {5, false}, {8, false}, {-1, false}}) {
    check(numbers({0, 0, 10, offset, 10, 10}) + tail, Type::INT32, 1, sound);
  }
  check(numbers({0, 0, 10, INT32_MIN, 10, 10}) + tail, Type::INT32, 1, false);
  for (const auto& [offset, sound] : {std::pair{5, true}, {6, false}, {9, false}, {2, false}}) {
    check(numbers({0, 0, 10, offset, 10, 10}) + text("a") + text("z"), Type::BYTE_ARRAY, 1, sound);
  }
}

TEST_CASE("more keys than the memory limit allows", "[limit/memory]") {
  const Limits limits{.memory_bytes = 16 * 47};
  const Result<IndexTreeNode> page = open(kInt32, IndexTreeForm::values, Type::BYTE_ARRAY, 0, limits);
  REQUIRE_FALSE(page);
  CHECK(page.error().rule == Rule::limit_memory);
}

TEST_CASE("keys may share bytes, but not repeatedly", "[limit/work]") {
  const auto shared = [](std::size_t entries) {
    Bytes body;
    for (std::size_t i = 0; i < entries; ++i) body = std::move(body) + numbers({0, 0, 10});
    body = std::move(body) + text(std::string(4000, 'k'));
    for (std::size_t i = 1; i < entries; ++i) body = std::move(body) + text("");
    return body;
  };
  for (const auto& [entries, affordable] : {std::pair{200, true}, {1000, false}}) {
    const Bytes body = shared(static_cast<std::size_t>(entries));
    const IndexTreeNode page = open(body, IndexTreeForm::values, Type::BYTE_ARRAY).value();
    CHECK(page.size() == static_cast<std::size_t>(entries));
    CHECK(page.key(page.size() - 1)->size() == 4000);
    CHECK(page.keys_are_affordable() == affordable);
  }
}

TEST_CASE("entries for a key allow for both readings of a key", "[unit]") {
  // Keys 10 20 20 30.
  const Bytes body = numbers({0, 0, 10, 4, 10, 10, 8, 20, 10, 12, 30, 10}) + numbers({10, 20, 20, 30});
  const Result<IndexTreeNode> page = open(body, IndexTreeForm::values, Type::INT32);
  REQUIRE(page);
  REQUIRE(page->size() == 4);
  const auto check = [&](std::int32_t key, std::size_t first, std::size_t last) {
    const Bytes bytes = numbers({key});
    const IndexTreeRange range = entries_for_key(*page, Order::signed_int, bytes).value();
    INFO(key);
    CHECK(range.first == first);
    CHECK(range.last == last);
  };
  check(-5, 0, 1);  // the first page ends with 10, or begins with it
  check(10, 0, 2);  // the next page may begin with the key that ends the first
  check(15, 0, 2);
  check(20, 0, 4);
  check(25, 2, 4);
  check(30, 2, 4);
  check(31, 3, 4);
}

}  // namespace
}  // namespace parqproof
