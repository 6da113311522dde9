// One fault in a section of many batches: in the first, in a later and in the last.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "codec/base/bits.hpp"
#include "codec/encoding/pack.hpp"
#include "codec/encoding/plain.hpp"
#include "codec/encoding/rle/bit_packed.hpp"
#include "codec/encoding/section.hpp"
#include "tests/encoding/decode.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kManyEntries = 3 * kBatchValues + 77;

// Calls `check(ordinal)` for values in the first batch, in the third and last.
template <typename Check>
void at_three_values(Check check) {
  for (const std::size_t at : {std::size_t{5}, std::size_t{2 * kBatchValues + 4}, kManyEntries - 1}) {
    INFO("value " << at);
    check(at);
  }
}

// Number of values delivered before the batch with value `at`.
std::size_t before(std::size_t at) { return at / kBatchValues * kBatchValues; }

void put_le(Bytes& bytes, std::size_t at, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

std::vector<std::uint32_t> small_numbers(std::uint32_t limit) {
  std::vector<std::uint32_t> numbers(kManyEntries);
  for (std::size_t i = 0; i < kManyEntries; ++i) numbers[i] = static_cast<std::uint32_t>(mixed(i) % limit);
  return numbers;
}

const EncodeOptions kPacked{.runs = EncodeOptions::Runs::packed};

}  // namespace

TEST_CASE("an INT96 value with nanoseconds outside a day is noted at its offset, in whichever batch",
          "[plain/int96-nanos]") {
  at_three_values([](std::size_t at) {
    Bytes section(kManyEntries * 12);
    put_le(section, at * 12, kNanosPerDay + 7, 8);
    const Decoded decoded = decode(section, spec_of(Encoding::PLAIN, Type::INT96, kManyEntries));
    CHECK_NOTE(decoded, Rule::plain_int96_nanos, at * 12, kNanosPerDay + 7, kNanosPerDay);
    CHECK(decoded.times(Rule::plain_int96_nanos) == 1);
  });
  Bytes section(kManyEntries * 12);
  for (const std::size_t at : {4000UL, 9000UL, kManyEntries - 1}) put_le(section, at * 12, kNanosPerDay, 8);
  const Decoded decoded = decode(section, spec_of(Encoding::PLAIN, Type::INT96, kManyEntries));
  CHECK_NOTE(decoded, Rule::plain_int96_nanos, 4000 * 12);
  CHECK(decoded.times(Rule::plain_int96_nanos) == 3);
}

TEST_CASE("a byte array that does not fit is an error at its length prefix, in whichever batch",
          "[plain/byte-array-length]") {
  Bytes section;
  std::vector<std::size_t> words;
  for (std::size_t i = 0; i < kManyEntries; ++i) {
    words.push_back(section.size());
    section.insert(section.end(), {static_cast<std::uint8_t>(i % 7), 0, 0, 0});
    section.insert(section.end(), i % 7, 'x');
  }
  const ValueSpec spec = spec_of(Encoding::PLAIN, Type::BYTE_ARRAY, kManyEntries);
  at_three_values([&](std::size_t at) {
    const Decoded longer = decode(with(section, words[at] + 2, 0xFF), spec);
    CHECK_ERROR(longer.error, Rule::plain_byte_array_length, words[at], at % 7 + 0xFF0000,
                section.size() - words[at] - 4);
    CHECK(longer.count == before(at));
    CHECK_ERROR(decode(cut(section, words[at] + 3), spec).error, Rule::plain_byte_array_length, words[at], 4,
                3);
    ValueSpec dictionary = spec;
    dictionary.dictionary_page = true;
    CHECK_ERROR(decode(cut(section, words[at]), dictionary).error, Rule::dictionary_entry_count, 0,
                kManyEntries, at);
    dictionary.count = at;
    CHECK_ERROR(decode(section, dictionary).error, Rule::dictionary_entry_count, 0, at, kManyEntries);
    ValueSpec prefix = spec;
    prefix.count = at;
    const Decoded trailing = decode(section, prefix);
    CHECK(trailing.count == at);
    CHECK_ERROR(trailing.error, Rule::page_trailing_bytes, words[at], section.size() - words[at], 0);
  });
}

TEST_CASE("bytes after the last PLAIN value are reported after many batches",
          "[plain/boolean-padding][page/trailing-bytes]") {
  const std::size_t bytes = (kManyEntries + 7) / 8;  // five bits in the last
  const ValueSpec booleans = spec_of(Encoding::PLAIN, Type::BOOLEAN, kManyEntries);
  const Decoded padded = decode(with(Bytes(bytes), bytes - 1, 0x48), booleans);
  CHECK(padded.booleans == [] {
    std::vector<std::uint8_t> expected(kManyEntries);
    expected[kManyEntries - 2] = 1;
    return expected;
  }());
  CHECK_NOTE(padded, Rule::plain_boolean_padding, bytes - 1, 0x48, 0x08);
  CHECK_ERROR(decode(Bytes(bytes + 2), booleans).error, Rule::page_trailing_bytes, bytes, 2, 0);
  const Decoded fixed =
      decode(Bytes(kManyEntries * 8 + 3), spec_of(Encoding::PLAIN, Type::INT64, kManyEntries));
  CHECK(fixed.count == kManyEntries);
  CHECK_ERROR(fixed.error, Rule::page_trailing_bytes, kManyEntries * 8, 3, 0);
}

TEST_CASE(
    "faults of groups are reported at their offsets, in whichever batch",
    "[group-var-int/group][group-var-int/shortest][group-var-int/selector-bit][group-var-int/padding]") {
  // Groups of five bytes, 1 1 1 1 each; the last has a single value.
  Bytes narrow;
  for (std::size_t i = 0; i < kManyEntries; i += 4) narrow = std::move(narrow) + hex("00 01010101");
  narrow = with(with(with(narrow, narrow.size() - 1, 0), narrow.size() - 2, 0), narrow.size() - 3, 0);
  const ValueSpec spec = spec_of(Encoding::GROUP_VAR_INT, Type::INT32, kManyEntries);
  CHECK(decode(narrow, spec).clean());
  at_three_values([&](std::size_t at) {
    const std::size_t group = at / 4 * 5;
    const Decoded missing = decode(cut(narrow, group + 3), spec);
    CHECK_ERROR(missing.error, Rule::group_var_int_group, group, 3, 5);
    CHECK(missing.count == before(at));
    Bytes longer = with(narrow, group, 0x80);  // the first number takes three bytes
    longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(group) + 2, {0, 0});
    const Decoded noted = decode(longer, spec);
    CHECK_FALSE(noted.error);
    CHECK(noted.fixed == decode(narrow, spec).fixed);
    CHECK_NOTE(noted, Rule::group_var_int_shortest, group + 1, 3, 1);
    CHECK(noted.times(Rule::group_var_int_shortest) == 1);
  });
  CHECK_NOTE(decode(with(narrow, narrow.size() - 1, 9), spec), Rule::group_var_int_padding, narrow.size() - 1,
             9, 0);

  constexpr std::size_t kWide = 13'000;  // in groups of five, batches of 4095
  Bytes wide;
  for (std::size_t i = 0; i < kWide; i += 5) wide = std::move(wide) + hex("0000 0102030405");
  const ValueSpec wide_spec = spec_of(Encoding::GROUP_VAR_INT, Type::INT64, kWide);
  for (const std::size_t at : {std::size_t{0}, std::size_t{8192}, kWide - 1}) {
    const std::size_t group = at / 5 * 7;
    const Decoded bit = decode(with(wide, group, 0x80), wide_spec);
    CHECK(bit.fixed == decode(wide, wide_spec).fixed);
    CHECK_NOTE(bit, Rule::group_var_int_selector_bit, group, 1, 0);
    const Decoded missing = decode(cut(wide, group + 6), wide_spec);
    CHECK_ERROR(missing.error, Rule::group_var_int_group, group, 6, 7);
    CHECK(missing.count == at / 4095 * 4095);
    CHECK_ERROR(decode(cut(wide, group + 1), wide_spec).error, Rule::group_var_int_group, group, 1, 7);
  }
  CHECK_ERROR(decode(wide + hex("0000"), wide_spec).error, Rule::page_trailing_bytes, wide.size(), 2, 0);
}

TEST_CASE("a dictionary index out of range is an error at its run, in whichever batch of it",
          "[dictionary/index-range]") {
  constexpr std::uint32_t kEntries = 300;
  ValueSpec spec = spec_of(Encoding::RLE_DICTIONARY, Type::BYTE_ARRAY, kManyEntries);
  spec.dictionary_size = kEntries;
  at_three_values([&](std::size_t at) {
    std::vector<std::uint32_t> indices = small_numbers(kEntries);
    indices[at] = kEntries + 11;
    if (at + 1 < kManyEntries)
      indices[at + 1] = kEntries + 200;  // the first of a batch is reported, not the largest
    Bytes section{9};
    append_hybrid(indices, 9, kPacked, section);
    const Decoded one_run = decode(section, spec);
    CHECK_ERROR(one_run.error, Rule::dictionary_index_range, 1, kEntries + 11, kEntries);
    CHECK(one_run.count == before(at));
    indices.resize(before(at));
    CHECK(one_run.indices == indices);
  });
  // In the third of many runs, and in the last.
  std::vector<std::uint32_t> ones(8, 1);
  for (const std::size_t bad : {std::size_t{0}, std::size_t{2}, std::size_t{499}}) {
    Bytes section{9};
    std::size_t at = 0;
    for (std::size_t run = 0; run < 500; ++run) {
      if (run == bad) at = section.size();
      const std::uint32_t index = run == bad ? kEntries : static_cast<std::uint32_t>(run % 3);
      append_uleb(section, 200 << 1);
      append_le(section, index, 2);
    }
    spec.count = 500 * 200;
    const Decoded decoded = decode(section, spec);
    CHECK_ERROR(decoded.error, Rule::dictionary_index_range, at, kEntries, kEntries);
    CHECK(decoded.count == bad * 200);
  }
}

TEST_CASE("faults of hybrid runs are reported at their offsets, after any number of batches",
          "[rle/header-varint][rle/truncated][rle/value-count][rle/repeated-value-range][rle/overshoot]"
          "[rle/header-canonical][rle/trailing-bytes]") {
  // A bit-packed run of some batches, then the faulty run.
  for (const std::size_t groups : {std::size_t{1}, std::size_t{1100}, std::size_t{1536}}) {
    INFO(groups << " groups before");
    const std::size_t front = groups * 8;
    std::vector<std::uint32_t> indices(front);
    for (std::size_t i = 0; i < front; ++i) indices[i] = static_cast<std::uint32_t>(mixed(i) % 900);
    Bytes runs{10};
    append_hybrid(indices, 10, kPacked, runs);
    const std::size_t at = runs.size();
    ValueSpec spec = spec_of(Encoding::RLE_DICTIONARY, Type::INT32, front + 100);
    spec.dictionary_size = 1000;
    const auto then = [&](const char* tail) {
      Decoded decoded = decode(runs + hex(tail), spec);
      indices.resize(std::min<std::size_t>(indices.size(), decoded.indices.size()));
      CHECK(std::equal(indices.begin(), indices.end(), decoded.indices.begin()));
      return decoded;
    };
    CHECK(then("c801 0700").clean());
    CHECK_ERROR(then("ffffffff1f 0700").error, Rule::rle_header_varint, at);
    CHECK_ERROR(then("1b ffff").error, Rule::rle_truncated, at, 2, 130);
    CHECK_ERROR(then("c801 07").error, Rule::rle_truncated, at, 1, 2);
    CHECK_ERROR(then("0a0700").error, Rule::rle_value_count, at + 3, front + 5, front + 100);
    CHECK_ERROR(then("c801 0704").error, Rule::rle_repeated_value_range, at + 2, 0x407, 1023);
    const Decoded beyond = then("ca01 0700");
    CHECK_FALSE(beyond.error);
    CHECK_NOTE(beyond, Rule::rle_overshoot, at, 101, 100);
    CHECK_NOTE(then("c88100 0700"), Rule::rle_header_canonical, at, 3, 2);
    const Decoded trailing = then("c801 0700 00");
    CHECK_ERROR(trailing.error, Rule::rle_trailing_bytes, at + 4, 1, 0);
    CHECK(trailing.count == front + 100);
  }
}

TEST_CASE("RLE booleans of many batches follow the rules of hybrid runs",
          "[rle/value-count][rle/overshoot][rle/trailing-bytes][rle/boolean-length]") {
  std::vector<std::uint32_t> bits = small_numbers(2);
  bits.resize(3 * kBatchValues);
  Bytes runs;
  append_hybrid(bits, 1, kPacked, runs);
  const std::size_t size = runs.size();
  const auto booleans = [&](const char* tail, std::uint64_t more) {
    const Bytes all = runs + hex(tail);
    Bytes section;
    append_le(section, all.size(), 4);
    const Decoded decoded = decode(section + all, spec_of(Encoding::RLE, Type::BOOLEAN, bits.size() + more));
    CHECK(std::equal(bits.begin(), bits.end(), decoded.booleans.begin()));
    return decoded;
  };
  CHECK(booleans("14 01", 10).clean());
  CHECK_ERROR(booleans("14 01", 11).error, Rule::rle_value_count, 4 + size + 2, bits.size() + 10,
              bits.size() + 11);
  CHECK_NOTE(booleans("14 01", 9), Rule::rle_overshoot, 4 + size, 10, 9);
  CHECK_ERROR(booleans("14 01 0000", 10).error, Rule::rle_trailing_bytes, 4 + size + 2, 2, 0);
  const Decoded bare = decode(runs, spec_of(Encoding::RLE, Type::BOOLEAN, bits.size()));
  CHECK(std::equal(bits.begin(), bits.end(), bare.booleans.begin()));
  CHECK_NOTE(bare, Rule::rle_boolean_length, 0, load_le<std::uint32_t>(runs.data()), size - 4);
}

TEST_CASE(
    "BIT_PACKED levels of many batches are judged at their last byte, and following bytes are not consumed",
    "[bit-packed/padding][bit-packed/length]") {
  const std::vector<std::uint32_t> levels = small_numbers(8);
  Bytes bytes;
  append_bit_packed(levels, 3, bytes);
  const std::size_t size = bytes.size();
  REQUIRE(kManyEntries * 3 % 8 == 7);  // one bit is padding
  Notes notes;
  BitPackedDecoder decoder;
  const Bytes padded = with(bytes, size - 1, bytes.back() | 1) + hex("aabb");
  REQUIRE(decoder.open({padded, kBase, Space::page}, 3, kManyEntries, notes));
  std::vector<std::uint32_t> read;
  for (auto batch = decoder.next(); batch.count != 0; batch = decoder.next()) {
    CHECK(batch.run_offset == kBase + read.size() * 3 / 8);
    read.insert(read.end(), batch.values, batch.values + batch.count);
  }
  CHECK(read == levels);
  CHECK(decoder.rest().base == kBase + size);
  CHECK(decoder.rest().size() == 2);
  REQUIRE(notes.all().size() == 1);
  CHECK_ERROR(notes.all()[0].error, Rule::bit_packed_padding, size - 1, bytes.back() | 1, bytes.back());
  const Status missing = decoder.open({bytes, kBase, Space::page}, 3, kManyEntries + 2, notes);
  REQUIRE_FALSE(missing);
  CHECK_ERROR(missing.error(), Rule::bit_packed_length, 0, size, size + 1);
}

TEST_CASE("a negative length is an error with the ordinal of its value, in whichever batch",
          "[delta-length-byte-array/negative-length]") {
  at_three_values([](std::size_t at) {
    std::vector<std::uint32_t> lengths = small_numbers(5);
    lengths[at] = static_cast<std::uint32_t>(-3);
    const Decoded decoded =
        decode(delta_stream(lengths) + Bytes(5 * kManyEntries),
               spec_of(Encoding::DELTA_LENGTH_BYTE_ARRAY, Type::BYTE_ARRAY, kManyEntries));
    CHECK_ERROR(decoded.error, Rule::delta_length_byte_array_negative_length, 0, -3, 0);
    CHECK(decoded.error->ordinal == at);
  });
}

TEST_CASE("lengths that do not add up report the complete sum, wherever the bytes end",
          "[delta-length-byte-array/data-length]") {
  const std::vector<std::uint32_t> lengths = small_numbers(9);
  const Bytes stream = delta_stream(lengths);
  std::vector<std::size_t> sums{0};
  for (const std::uint32_t length : lengths) sums.push_back(sums.back() + length);
  const auto read = [&](std::size_t bytes) {
    return decode(stream + Bytes(bytes, 'x'),
                  spec_of(Encoding::DELTA_LENGTH_BYTE_ARRAY, Type::BYTE_ARRAY, kManyEntries));
  };
  CHECK(read(sums.back()).clean());
  at_three_values([&](std::size_t at) {
    const std::size_t bytes = sums[at + 1] - 1;
    const Decoded decoded = read(bytes);
    CHECK_ERROR(decoded.error, Rule::delta_length_byte_array_data_length, stream.size(), bytes, sums.back());
    CHECK(decoded.count <= at);
  });
  const Decoded more = read(sums.back() + 5);
  CHECK_ERROR(more.error, Rule::delta_length_byte_array_data_length, stream.size(), sums.back() + 5,
              sums.back());
  CHECK(more.count == kManyEntries);
  // A negative length after the end of the bytes has no sum.
  std::vector<std::uint32_t> negative = lengths;
  negative[kManyEntries - 2] = static_cast<std::uint32_t>(-1);
  const Decoded with_trailing =
      decode(delta_stream(negative) + Bytes(40, 'x'),
             spec_of(Encoding::DELTA_LENGTH_BYTE_ARRAY, Type::BYTE_ARRAY, kManyEntries));
  CHECK_ERROR(with_trailing.error, Rule::delta_length_byte_array_negative_length, 0);
  CHECK(with_trailing.error->ordinal == kManyEntries - 2);
}

namespace {

// Delta strings that take their prefix from the value before: value i has 10 + i % 5 bytes, of which 10 are
// the first ten of all. The streams are open to changes.
struct DeltaStrings {
  std::vector<std::uint32_t> prefixes{0};
  std::vector<std::uint32_t> suffixes{10};
  std::uint32_t fixed = 0;

  DeltaStrings() {
    for (std::size_t i = 1; i < kManyEntries; ++i) {
      prefixes.push_back(10);
      suffixes.push_back(static_cast<std::uint32_t>(i % 5));
    }
  }
  [[nodiscard]] Decoded read() const {
    Bytes section = delta_stream(prefixes) + delta_stream(suffixes);
    for (std::size_t i = 0; i < kManyEntries; ++i) {
      section.insert(section.end(), suffixes[i],
                     static_cast<std::uint8_t>(i));  // unlike that of its neighbour
    }
    const Type type = fixed == 0 ? Type::BYTE_ARRAY : Type::FIXED_LEN_BYTE_ARRAY;
    return decode(section, spec_of(Encoding::DELTA_BYTE_ARRAY, type, kManyEntries, fixed));
  }
};

}  // namespace

TEST_CASE(
    "a prefix longer than the previous value is an error with the ordinal of its value, in whichever batch",
    "[delta-byte-array/prefix-range][delta-byte-array/first-prefix]") {
  CHECK(DeltaStrings().read().clean());
  // The last values of the first batch, and the first of the next, among others.
  for (const std::size_t at : {std::size_t{5}, std::size_t{4064}, std::size_t{4065}, std::size_t{4096},
                               std::size_t{8161}, std::size_t{8201}, std::size_t{12257}, kManyEntries - 1}) {
    INFO("value " << at);
    const std::size_t size = 10 + (at - 1) % 5;  // of the value before
    DeltaStrings longer;
    longer.prefixes[at] = static_cast<std::uint32_t>(size + 1);
    const Decoded decoded = longer.read();
    CHECK_ERROR(decoded.error, Rule::delta_byte_array_prefix_range, 0, size + 1, size);
    CHECK(decoded.error->ordinal == at);
    DeltaStrings negative;
    negative.prefixes[at] = static_cast<std::uint32_t>(-2);
    CHECK_ERROR(negative.read().error, Rule::delta_byte_array_prefix_range, 0, -2, size);
    DeltaStrings intact;
    intact.prefixes[at] = static_cast<std::uint32_t>(size);
    CHECK_FALSE(intact.read().error);
  }
  DeltaStrings first;
  first.prefixes[0] = 4;
  CHECK_ERROR(first.read().error, Rule::delta_byte_array_first_prefix, 5, 4, 0);
}

TEST_CASE("a delta string without a prefix, or that is a prefix only, has a place in the section") {
  // Short and long ones, by turns: none, a part, all, and again all of the previous value.
  std::vector<std::uint32_t> prefixes;
  std::vector<std::uint32_t> suffixes;
  std::vector<std::optional<std::uint64_t>> places;
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < kManyEntries; ++i) {
    const std::uint32_t size = i / 4 % 9 == 0 ? 100 : 9;
    const bool none = i % 4 == 0;
    const bool part = i % 4 == 1;
    prefixes.push_back(none ? 0 : part ? 5 : 7);
    suffixes.push_back(none ? size : part ? 2 : 0);
    places.push_back(none ? std::optional(at) : part ? std::nullopt : places.back());
    if (i % 8 == 5) {  // all of a value that has a place
      prefixes.back() = size;
      suffixes.back() = 0;
      places.back() = places[i - 1];
    } else if (i % 8 > 5) {
      prefixes.back() = prefixes[i - 1];
    }
    at += suffixes.back();
  }
  const Bytes streams = delta_stream(prefixes) + delta_stream(suffixes);
  for (std::optional<std::uint64_t>& place : places) {
    if (place) *place += streams.size();
  }
  Bytes section = streams;
  for (std::size_t i = 0; i < at; ++i) section.push_back(static_cast<std::uint8_t>(mixed(i)));
  const Decoded decoded =
      decode(section, spec_of(Encoding::DELTA_BYTE_ARRAY, Type::BYTE_ARRAY, kManyEntries));
  CHECK_FALSE(decoded.error);
  REQUIRE(decoded.places.size() == kManyEntries);
  CHECK(decoded.places == places);
  CHECK(decoded.places.front() == streams.size());
}

TEST_CASE("a prefix that could be longer is noted with its value, in whichever batch",
          "[delta-byte-array/prefix-maximal]") {
  const Rule rule = Rule::delta_byte_array_prefix_maximal;
  // Suffixes begin with the low byte of their ordinal, and the first ten bytes of all values are 0.
  for (const std::size_t at : {256U, 4096U, 8192U, 12288U}) {
    INFO("value " << at);
    DeltaStrings strings;
    strings.prefixes[at] = 9;
    strings.suffixes[at] += 1;
    const Decoded decoded = strings.read();
    CHECK_FALSE(decoded.error);
    CHECK_NOTE(decoded, rule, 0, 9, 10);
    CHECK(decoded.note(rule)->ordinal == at);
    CHECK(decoded.times(rule) == 1);
    DeltaStrings other;
    other.prefixes[at + 1] = 9;
    other.suffixes[at + 1] += 1;
    CHECK(other.read().clean());
  }
}

TEST_CASE(
    "a value of another size than its type is an error with the ordinal of the value, in whichever batch",
    "[delta-byte-array/fixed-length]") {
  for (const std::size_t at : {std::size_t{1}, std::size_t{4065}, std::size_t{8193}, kManyEntries - 1}) {
    INFO("value " << at);
    DeltaStrings strings;
    strings.fixed = 12;
    strings.suffixes.assign(kManyEntries, 2);
    strings.suffixes[0] = 12;
    CHECK_FALSE(strings.read().error);
    strings.suffixes[at] = 3;
    const Decoded decoded = strings.read();
    CHECK_ERROR(decoded.error, Rule::delta_byte_array_fixed_length, delta_stream(strings.prefixes).size(), 13,
                12);
    CHECK(decoded.error->ordinal == at);
  }
}

}  // namespace parqproof
