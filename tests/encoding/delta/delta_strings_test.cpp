// DELTA_BYTE_ARRAY values of all sizes that its loops distinguish, compared with those put together by
// std::string.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "codec/encoding/section.hpp"
#include "fuzz/memory.hpp"
#include "tests/encoding/decode.hpp"

namespace parqproof {
namespace {

constexpr std::uint32_t kSizes[] = {0,  1,  2,  7,  8,  15, 16, 17, 31, 32,
                                    33, 47, 48, 49, 63, 64, 65, 66, 95, 130};
constexpr Rule kMaximal = Rule::delta_byte_array_prefix_maximal;

/// Pseudo-random prefixes and suffixes, and the values that they make.
struct Strings {
  std::vector<std::uint32_t> prefixes;
  std::vector<std::uint32_t> suffixes;
  std::string data;  // of all suffixes
  std::vector<std::string> values;
  std::vector<std::optional<std::size_t>> places;  // of values in `data`
  std::size_t longer = 0;                          // prefixes that could be longer

  /// `longest`: of the prefixes and suffixes; `letters`: how many differ, the fewer the more prefixes could
  /// be longer. Where `fixed` is not 0, all values have that size.
  Strings(std::size_t count, std::uint32_t longest, unsigned letters, std::uint32_t fixed = 0) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto chance = [&](std::uint64_t of) { return mixed(i * 8 + of + count * 1'000'003 + longest); };
      const std::string before = i == 0 ? "" : values.back();
      const auto size = [&](std::uint64_t of, std::size_t most) {
        return std::min<std::size_t>({kSizes[chance(of) % std::size(kSizes)], most, longest});
      };
      const std::size_t prefix = chance(0) % 9 == 0 ? before.size() : size(1, before.size());
      const std::size_t suffix = fixed != 0 ? fixed - prefix : size(2, 130);
      std::string added(suffix, ' ');
      for (std::size_t k = 0; k < suffix; ++k)
        added[k] = static_cast<char>('a' + mixed(data.size() + k) % letters);
      prefixes.push_back(static_cast<std::uint32_t>(prefix));
      suffixes.push_back(static_cast<std::uint32_t>(suffix));
      places.push_back(prefix == 0 ? std::optional(data.size()) : suffix == 0 ? places.back() : std::nullopt);
      if (prefix < before.size() && suffix != 0 && before[prefix] == added[0]) ++longer;
      values.push_back(before.substr(0, prefix) + added);
      data += added;
    }
  }

  [[nodiscard]] Bytes streams() const { return delta_stream(prefixes) + delta_stream(suffixes); }
  [[nodiscard]] Bytes section() const { return streams() + text(data); }
};

void check_values(const Strings& strings) {
  const std::size_t count = strings.values.size();
  const Decoded decoded =
      decode(strings.section(), spec_of(Encoding::DELTA_BYTE_ARRAY, Type::BYTE_ARRAY, count));
  REQUIRE_FALSE(decoded.error);
  REQUIRE((decoded.byte_arrays == strings.values));
  REQUIRE(decoded.times(kMaximal) == strings.longer);
  const std::size_t begin = kBase + strings.streams().size();
  std::vector<std::optional<std::uint64_t>> places;
  for (const std::optional<std::size_t>& place : strings.places)
    places.push_back(place ? std::optional<std::uint64_t>(begin - kBase + *place) : std::nullopt);
  REQUIRE((decoded.places == places));
}

}  // namespace

TEST_CASE("delta strings of few values, near the begin and the end of their section, are decoded",
          "[delta-byte-array/prefix-maximal]") {
  for (std::size_t count = 1; count < 140; ++count) {
    for (const std::uint32_t longest : {1U, 8U, 33U, 130U}) {
      INFO(count << " values, up to " << longest);
      check_values(Strings(count, longest, count % 3 == 0 ? 26 : 200));
      check_values(Strings(count, longest, 2));
    }
  }
}

TEST_CASE("delta strings of many batches are decoded, whatever the sizes of prefixes and suffixes",
          "[delta-byte-array/prefix-maximal]") {
  constexpr std::size_t kCount = 3 * kBatchValues + 77;
  for (const std::uint32_t longest : {8U, 16U, 31U, 32U, 33U, 63U, 64U, 65U, 130U}) {
    INFO("up to " << longest);
    check_values(Strings(kCount, longest, 250));
    check_values(Strings(kCount, longest, 20));
  }
}

TEST_CASE("delta strings of fixed length are decoded, whatever the length") {
  for (const std::uint32_t size : {1U, 2U, 15U, 16U, 17U, 31U, 32U, 33U, 63U, 64U, 65U, 100U}) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{3}, std::size_t{60}, std::size_t{9000}}) {
      INFO(count << " values of " << size << " bytes");
      const Strings strings(count, size, 120, size);
      const Decoded decoded = decode(
          strings.section(), spec_of(Encoding::DELTA_BYTE_ARRAY, Type::FIXED_LEN_BYTE_ARRAY, count, size));
      REQUIRE_FALSE(decoded.error);
      std::string all;
      for (const std::string& value : strings.values) all += value;
      REQUIRE((decoded.fixed == text(all)));
      REQUIRE(decoded.times(kMaximal) == strings.longer);
    }
  }
}

TEST_CASE("batch ends and value places of delta strings depend on the section alone") {
  // Of values of 1000 bytes and of none that is all of the value before, a batch ends with its bytes.
  std::vector<std::uint32_t> prefixes{0};
  std::vector<std::uint32_t> suffixes{1000};
  for (std::size_t i = 1; i < 3000; ++i) {
    prefixes.push_back(i % 5 == 0 ? 0 : i % 5 == 1 ? 999 : 1000);
    suffixes.push_back(i % 5 == 0 ? 1000 : i % 5 == 1 ? 1 : 0);
  }
  std::string data;
  for (const std::uint32_t size : suffixes)
    data += std::string(size, static_cast<char>('a' + data.size() % 26));
  const Bytes section = delta_stream(prefixes) + delta_stream(suffixes) + text(data);
  const Bytes large = delta_stream({0, 1}) + delta_stream({3'000'000, 0}) + text(std::string(3'000'000, 'x'));
  const auto batches = [&](bool after_large) {
    OwnDecoder own;
    std::vector<std::pair<std::uint64_t, std::vector<const std::uint8_t*>>> all;
    for (const Bytes* bytes : {after_large ? &large : &section, &section}) {
      const ValueSpec spec =
          spec_of(Encoding::DELTA_BYTE_ARRAY, Type::BYTE_ARRAY, bytes == &large ? 2 : 3000);
      own.budget.earn(100'000'000);
      all.clear();
      REQUIRE(own.open({*bytes, kBase, Space::page}, spec));
      for (Result<ValueBatch> batch = own.decoder.next();; batch = own.decoder.next()) {
        REQUIRE(batch);
        if (batch->count == 0) break;
        all.push_back({batch->count, {batch->stored, batch->stored + batch->count}});
      }
    }
    return all;
  };
  const auto alone = batches(false);
  CHECK((batches(true) == alone));
  CHECK(alone.size() > 2);
}

TEST_CASE("a delta string equal to the previous value has its place, across batches too") {
  std::vector<std::uint32_t> prefixes;
  std::vector<std::uint32_t> suffixes;
  for (std::size_t i = 0; i < 2 * kBatchValues + 10; ++i) {
    prefixes.push_back(i % 2 == 0 && i != 0 ? 3 : 0);
    suffixes.push_back(3 - prefixes.back());
  }
  const Bytes data(3 * prefixes.size(), 'x');
  const Bytes streams = delta_stream(prefixes) + delta_stream(suffixes);
  std::size_t size = streams.size();
  for (const std::uint32_t suffix : suffixes) size += suffix;
  const Decoded decoded = decode(cut(streams + data, size),
                                 spec_of(Encoding::DELTA_BYTE_ARRAY, Type::BYTE_ARRAY, prefixes.size()));
  REQUIRE_FALSE(decoded.error);
  CHECK(decoded.batches[1].first == kBatchValues);
  for (const std::size_t i : {std::size_t{2}, std::size_t{kBatchValues}, std::size_t{2 * kBatchValues}}) {
    CHECK(decoded.places[i].has_value());
    CHECK(decoded.places[i] == decoded.places[i - 1]);
  }
}

TEST_CASE("few short delta strings are decoded in little memory") {
  const Strings strings(3, 20, 26);
  const Bytes section = strings.section();
  const std::uint64_t before = fuzz::allocated_bytes();
  const Decoded decoded = decode(section, spec_of(Encoding::DELTA_BYTE_ARRAY, Type::BYTE_ARRAY, 3));
  CHECK(fuzz::allocated_bytes() - before < 8192);
  CHECK((decoded.byte_arrays == strings.values));
}

TEST_CASE("a prefix one longer than the previous value is an error, whatever the size of that value",
          "[delta-byte-array/prefix-range]") {
  for (const std::uint32_t longest : {8U, 32U, 64U, 130U}) {
    for (const std::size_t at :
         {std::size_t{1}, std::size_t{40}, std::size_t{kBatchValues}, std::size_t{4999}}) {
      INFO("value " << at << ", up to " << longest);
      Strings strings(5000, longest, 26);
      const std::size_t size = strings.values[at - 1].size();
      strings.prefixes[at] = static_cast<std::uint32_t>(size + 1);
      const Decoded decoded =
          decode(strings.section(), spec_of(Encoding::DELTA_BYTE_ARRAY, Type::BYTE_ARRAY, 5000));
      CHECK_ERROR(decoded.error, Rule::delta_byte_array_prefix_range, 0, size + 1, size);
      CHECK(decoded.error->ordinal == at);
    }
  }
}

}  // namespace parqproof
