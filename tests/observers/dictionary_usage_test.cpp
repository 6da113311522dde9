#include "conformance/observers/dictionary_usage.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <string>

#include "codec/encoding/pack.hpp"
#include "tests/encoding/decode.hpp"

namespace parqproof {
namespace {

/// A dictionary of `count` entries, its image inside or outside a buffer.
struct Dictionary {
  Dictionary(const Bytes& page, Type type, std::uint64_t count, bool in_buffer = false) : bytes(page) {
    use.begin_chunk();
    REQUIRE(buffer.resize(bytes.size()));
    std::memcpy(buffer.data(), bytes.data(), bytes.size());
    View image{bytes, kBase, Space::page};
    if (in_buffer) image.bytes = {buffer.data(), bytes.size()};
    use.begin(image, buffer, spec_of(Encoding::PLAIN, type, count));
  }

  void mark(const std::vector<std::uint32_t>& indices) {
    use.mark({.form = ValueBatch::Form::indices, .count = indices.size(), .indices = indices.data()});
  }
  void mark_run(std::uint32_t index) {
    use.mark({.form = ValueBatch::Form::index_run, .count = 1'000'000, .run = index});
  }
  /// Values of the used entries, each as text, and the number of parts.
  std::vector<std::string> used() {
    std::vector<std::string> values;
    Budget budget;
    budget.earn(bytes.size());
    use.for_each_used(Limits{}, budget, [&](const ValueBatch& batch) {
      for (std::size_t i = 0; i < batch.count; ++i) values.push_back(text_of_value(batch, i));
    });
    return values;
  }

  static std::string text_of_value(const ValueBatch& batch, std::size_t i) {
    switch (batch.form) {
      case ValueBatch::Form::fixed: {
        std::uint32_t value = 0;
        std::memcpy(&value, batch.fixed + i * 4, 4);
        return std::to_string(value);
      }
      case ValueBatch::Form::byte_arrays:
        return {reinterpret_cast<const char*>(batch.byte_arrays[i].data), batch.byte_arrays[i].size};
      case ValueBatch::Form::booleans:
        return batch.booleans[i] != 0 ? "true" : "false";
      default:
        return "another form";
    }
  }

  Bytes bytes;
  Buffer buffer;
  DictionaryUsage use;
};

/// The entries 0, 7, 14 ... as INT32.
Bytes int32s(std::uint32_t count) {
  Bytes bytes;
  for (std::uint32_t i = 0; i < count; ++i) append_le(bytes, std::uint64_t{7} * i, 4);
  return bytes;
}

constexpr std::uint32_t kMany = 20'000;  // five batches of a decoder

/// Entries at the ends of batches and runs of used ones across them, in no order.
const std::vector<std::uint32_t> kUsed{19'999, 4095, 4096, 4097, 0, 8191, 8192, 3, 12'287, 12'288, 16'384};

std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> indices) {
  std::ranges::sort(indices);
  return indices;
}

}  // namespace

TEST_CASE("entries are used if an index or a run of indices refers to them") {
  Dictionary dictionary(int32s(6), Type::INT32, 6);
  CHECK_FALSE(dictionary.use.is_asked());
  CHECK(dictionary.use.unused() == 0);  // not requested
  dictionary.use.ask();
  CHECK(dictionary.use.is_asked());
  CHECK(dictionary.use.unused() == 6);
  dictionary.mark({4, 1, 4});
  dictionary.mark_run(0);
  const auto used = [&] {
    std::string marks;
    for (std::size_t i = 0; i < 6; ++i) marks += dictionary.use.is_used(i) ? '1' : '0';
    return marks;
  };
  CHECK(used() == "110010");
  CHECK(dictionary.use.unused() == 3);
  dictionary.use.ask();  // a second request resets nothing
  CHECK(used() == "110010");
  CHECK_FALSE(dictionary.use.all_used());
  dictionary.mark({5, 2});
  CHECK_FALSE(dictionary.use.all_used());
  dictionary.mark_run(3);
  CHECK(dictionary.use.all_used());
  CHECK(dictionary.use.unused() == 0);
  ValueBatch plain;  // values that refer to no dictionary
  plain.count = 3;
  dictionary.use.mark(plain);
  CHECK(used() == "111111");
}

TEST_CASE("the next chunk begins with no used entry and no request") {
  Dictionary dictionary(int32s(6), Type::INT32, 6);
  REQUIRE(dictionary.use.ask_for_values());
  dictionary.mark({0, 1, 2, 3, 4, 5});
  REQUIRE(dictionary.use.all_used());
  dictionary.use.begin_chunk();
  CHECK_FALSE(dictionary.use.is_asked());
  const Bytes other = text("abcdefghijkl");
  dictionary.use.begin({other, 0, Space::page}, dictionary.buffer, spec_of(Encoding::PLAIN, Type::INT32, 3));
  REQUIRE(dictionary.use.ask_for_values());
  CHECK(dictionary.use.unused() == 3);
  CHECK_FALSE(dictionary.use.all_used());
  CHECK(text_of(dictionary.use.image()) == "abcdefghijkl");
  dictionary.mark({2, 0, 1});
  CHECK(dictionary.use.all_used());
}

TEST_CASE("values of used numbers come in the order of the dictionary, across batches of the decoder") {
  Dictionary dictionary(int32s(kMany), Type::INT32, kMany);
  REQUIRE(dictionary.use.ask_for_values());
  dictionary.mark(kUsed);
  std::vector<std::string> expected;
  for (const std::uint32_t index : sorted(kUsed)) expected.push_back(std::to_string(7 * index));
  CHECK(dictionary.used() == expected);
  CHECK(dictionary.used() == expected);  // every call gives the same
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < kMany; ++i) all.push_back(i);
  dictionary.mark(all);
  CHECK(dictionary.used().size() == kMany);
}

TEST_CASE("runs of used entries may have any length, and begin anywhere") {
  constexpr std::uint32_t kEntries = 60;
  for (std::uint32_t first = 0; first < 20; ++first) {
    for (std::uint32_t length = 1; length <= 40; ++length) {
      INFO(length << " from " << first);
      Dictionary dictionary(int32s(kEntries), Type::INT32, kEntries);
      REQUIRE(dictionary.use.ask_for_values());
      std::vector<std::uint32_t> others;  // all but the run
      std::vector<std::string> values;
      for (std::uint32_t i = 0; i < kEntries; ++i) {
        const bool in_run = i >= first && i < first + length;
        if (in_run) dictionary.mark_run(i);
        if (in_run) values.push_back(std::to_string(7 * i));
        if (!in_run) others.push_back(i);
      }
      CHECK(dictionary.used() == values);
      CHECK_FALSE(dictionary.use.all_used());
      dictionary.mark(others);
      CHECK(dictionary.use.all_used());
    }
  }
}

TEST_CASE("values of used byte arrays come in the order of the dictionary, whatever their lengths") {
  Bytes page;
  std::vector<std::string> entries;
  for (std::uint32_t i = 0; i < kMany; ++i) {
    entries.push_back(std::string(i % 5, 'x') + std::to_string(i));
    append_le(page, entries.back().size(), 4);
    page.insert(page.end(), entries.back().begin(), entries.back().end());
  }
  Dictionary dictionary(page, Type::BYTE_ARRAY, kMany);
  REQUIRE(dictionary.use.ask_for_values());
  dictionary.mark(kUsed);
  std::vector<std::string> expected;
  for (const std::uint32_t index : sorted(kUsed)) expected.push_back(entries[index]);
  CHECK(dictionary.used() == expected);
}

TEST_CASE("values of used booleans come in the order of the dictionary") {
  Bytes page;
  std::vector<std::string> entries;
  for (std::uint32_t i = 0; i < kMany; ++i) {
    const bool value = mixed(i) % 3 == 0;
    entries.emplace_back(value ? "true" : "false");
    if (i % 8 == 0) page.push_back(0);
    if (value) page.back() = static_cast<std::uint8_t>(page.back() | 1U << i % 8);
  }
  Dictionary dictionary(page, Type::BOOLEAN, kMany);
  REQUIRE(dictionary.use.ask_for_values());
  std::vector<std::uint32_t> used;
  for (std::uint32_t i = 0; i < kMany; i += 1 + i % 9) used.push_back(i);
  dictionary.mark(used);
  std::vector<std::string> expected;
  for (const std::uint32_t index : used) expected.push_back(entries[index]);
  CHECK(dictionary.used() == expected);
}

TEST_CASE("the image is kept if values are requested, though its buffer is reused for the next page") {
  const Bytes page = int32s(500);
  for (const bool in_buffer : {true, false}) {
    INFO("in the buffer: " << in_buffer);
    Dictionary dictionary(page, Type::INT32, 500, in_buffer);
    REQUIRE(dictionary.use.ask_for_values());
    REQUIRE(dictionary.use.ask_for_values());  // a second request gets the same
    REQUIRE(dictionary.buffer.resize(page.size()));
    std::memset(dictionary.buffer.data(), 0xee, page.size());
    std::ranges::fill(dictionary.bytes, std::uint8_t{0xdd});
    dictionary.mark({499, 2});
    CHECK(dictionary.used() == std::vector<std::string>{"14", "3493"});
    CHECK(dictionary.use.image().base == kBase);
  }
}

TEST_CASE("an image in a buffer much larger than it is copied, and the buffer stays where it is") {
  Dictionary dictionary(int32s(500), Type::INT32, 500);
  REQUIRE(dictionary.buffer.resize(100'000));
  const std::uint8_t* const before = dictionary.buffer.data();
  std::memcpy(dictionary.buffer.data(), dictionary.bytes.data(), dictionary.bytes.size());
  dictionary.use.begin({{before, dictionary.bytes.size()}, kBase, Space::page}, dictionary.buffer,
                       spec_of(Encoding::PLAIN, Type::INT32, 500));
  REQUIRE(dictionary.use.ask_for_values());
  CHECK(dictionary.buffer.data() == before);
  CHECK(dictionary.use.image().data() != before);
  dictionary.mark_run(3);
  CHECK(dictionary.used() == std::vector<std::string>{"21"});
}

}  // namespace parqproof
