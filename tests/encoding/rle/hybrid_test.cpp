#include "codec/encoding/rle/hybrid.hpp"

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <numeric>

#include "codec/base/bits.hpp"
#include "codec/encoding/pack.hpp"
#include "tests/encoding/decode.hpp"
#include "tests/rapidcheck.hpp"
#include "tests/support/exact.hpp"

namespace parqproof {
namespace {

struct Runs : support::Faults {
  std::vector<std::uint32_t> values;
  std::size_t rest = 0;
  std::size_t batches = 0;
  std::size_t ahead = 0;  // values that next_short_runs() gave
};

// Short runs of values up to `max` are read in one call wherever there are any, at most `room` values at
// once.
Runs read_short_runs(const Bytes& bytes, unsigned width, std::uint64_t count, std::uint32_t max,
                     std::optional<std::size_t> room, const HybridRules& rules = data_rules()) {
  const support::Exact<std::uint8_t> exact(bytes);
  const support::Exact<std::uint32_t> taken(room.value_or(0));
  const auto decoder = std::make_unique<HybridDecoder>();
  Runs runs;
  decoder->open({{exact.data(), exact.size()}, kBase, Space::page}, width, count, rules, runs.notes);
  for (;; ++runs.batches) {
    const std::size_t ahead = room ? decoder->next_short_runs(max, {taken.data(), *room}) : 0;
    runs.ahead += ahead;
    runs.values.insert(runs.values.end(), taken.data(), taken.data() + ahead);
    if (ahead != 0 && *std::max_element(taken.data(), taken.data() + ahead) > max) FAIL("a value above max");
    const auto batch = decoder->next();
    if (!batch) {
      runs.error = batch.error();
      break;
    }
    if (batch->count == 0) break;
    if (batch->values != nullptr) {
      runs.values.insert(runs.values.end(), batch->values, batch->values + batch->count);
    } else if (batch->count < 10'000) {
      runs.values.insert(runs.values.end(), static_cast<std::size_t>(batch->count), batch->repeated);
    }
  }
  runs.rest = decoder->rest().size();
  return runs;
}

Runs read(const Bytes& bytes, unsigned width, std::uint64_t count, const HybridRules& rules = data_rules()) {
  return read_short_runs(bytes, width, count, 0, std::nullopt, rules);
}

bool same(const std::optional<Error>& a, const std::optional<Error>& b) {
  if (!a || !b) return !a && !b;
  return a->rule == b->rule && a->offset == b->offset && a->found == b->found && a->expected == b->expected &&
         a->length == b->length;
}

std::vector<std::uint32_t> zero_to_seven() { return {0, 1, 2, 3, 4, 5, 6, 7}; }

}  // namespace

TEST_CASE("a bit-packed run holds the example of the specification") {
  const Runs runs = read(hex("03 88c6fa"), 3, 8);  // Encodings.md#RLE
  CHECK(runs.values == zero_to_seven());
  CHECK_FALSE(runs.error);
  CHECK(runs.notes.all().empty());
}

TEST_CASE("repeated and bit-packed runs mix, and the padding of the last group gives no values") {
  const Runs runs = read(hex("14 05 03 d10000"), 3, 13);  // Encodings.md#RLE
  CHECK(runs.values == std::vector<std::uint32_t>{5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 1, 2, 3});
  CHECK(runs.notes.all().empty());
}

TEST_CASE("a repeated value takes as many bytes as its width needs, and none for width 0") {
  CHECK(read(hex("08 2c01"), 9, 4).values == std::vector<std::uint32_t>(4, 300));
  CHECK(read(hex("0a"), 0, 5).values == std::vector<std::uint32_t>(5, 0));
  CHECK(read(hex("02 ffffffff"), 32, 1).values == std::vector<std::uint32_t>{0xFFFFFFFF});
}

TEST_CASE("a repeated run of 2^31-1 values is one batch") {
  const Runs runs = read(hex("feffffff0f 01"), 1, INT32_MAX);
  CHECK_FALSE(runs.error);
  CHECK(runs.notes.all().empty());
  CHECK(runs.batches == 1);
}

TEST_CASE("a bit-packed run of width 0 is one batch, as it takes no bytes") {
  const Runs runs = read(hex("81808080 01"), 0, 1U << 30);  // 2^27 groups
  CHECK_FALSE(runs.error);
  CHECK(runs.notes.all().empty());
  CHECK(runs.batches == 1);
}

TEST_CASE("bytes after the run that reaches the count are the rest", "[rle/trailing-bytes]") {
  CHECK(read(hex("10 01 aabb"), 1, 8).rest == 2);
  CHECK(read(hex("03 88c6fa cc"), 3, 8).rest == 1);
}

TEST_CASE("a run header in more bytes than it needs is noted at its offset",
          "[rle/header-canonical][rle/header-long]") {
  const Runs canonical = read(hex("02 01 8e00 00"), 1, 8);
  CHECK(canonical.values == std::vector<std::uint32_t>{1, 0, 0, 0, 0, 0, 0, 0});
  CHECK_NOTE(canonical, Rule::rle_header_canonical, 2, 2, 1);
  CHECK_NOTE(read(hex("9080808000 01"), 1, 8), Rule::rle_header_canonical, 0);
  const Runs six = read(hex("908080808000 01"), 1, 8);
  CHECK_NOTE(six, Rule::rle_header_long, 0);
  CHECK(six.values.size() == 8);
  for (const std::size_t zeros : {8U, 9U, 10U, 300U}) {
    Bytes bytes(zeros, 0x80);
    bytes.front() = 0x90;
    bytes.insert(bytes.end(), {0x00, 0x01});
    const Runs runs = read(bytes, 1, 8);
    CHECK(runs.values.size() == 8);
    CHECK(runs.note(Rule::rle_header_long)->found == static_cast<std::int64_t>(zeros) + 1);
  }
}

TEST_CASE("a run header that is truncated, or 2^32 and more, is an error at its first byte",
          "[rle/header-varint]") {
  for (const char* header : {"ff", "80 80", "8080808010", "ffffffffffffffffff01", "8080808080808080808001"}) {
    INFO(header);
    CHECK_ERROR(read(hex("02 01") + hex(header), 1, 9).error, Rule::rle_header_varint, 2);
  }
}

TEST_CASE("a run of no values is noted and skipped", "[rle/run-length]") {
  const Runs runs = read(hex("02 01 00 00 01 0e 01"), 1, 8);
  CHECK(runs.values == std::vector<std::uint32_t>(8, 1));
  CHECK_NOTE(runs, Rule::rle_run_length, 2);
  CHECK(runs.notes.all()[0].times == 2);
}

TEST_CASE("a bit-packed run of more than 2^31-1 values is noted once, and read as far as needed",
          "[rle/run-length]") {
  const Runs runs = read(hex("8180808002"), 0, 5);  // 2^28 groups
  CHECK(runs.values == std::vector<std::uint32_t>(5, 0));
  CHECK_NOTE(runs, Rule::rle_run_length, 0);
  CHECK(runs.notes.all().size() == 1);
  CHECK(runs.notes.all()[0].error.found == std::int64_t{1} << 31);
}

TEST_CASE("a repeated value that does not fit its width is an error at the value",
          "[rle/repeated-value-range]") {
  CHECK_ERROR(read(hex("02 01 06 04"), 2, 4).error, Rule::rle_repeated_value_range, 3, 4, 3);
  CHECK(read(hex("02 01 06 03"), 2, 4).values.back() == 3);
}

TEST_CASE("a truncated run is an error at its header", "[rle/truncated]") {
  CHECK_ERROR(read(hex("02 0100 06 01"), 9, 4).error, Rule::rle_truncated, 3);
  CHECK_ERROR(read(hex("06"), 1, 3).error, Rule::rle_truncated, 0);
  CHECK_ERROR(read(hex("05 ff"), 1, 9).error, Rule::rle_truncated, 0, 1, 2);
}

TEST_CASE("a truncated last group with all needed values is noted", "[rle/last-group]") {
  const Runs runs = read(hex("03 8801"), 3, 4);  // needs 12 of the 24 bits
  CHECK(runs.values == std::vector<std::uint32_t>{0, 1, 6, 0});
  CHECK_FALSE(runs.error);
  CHECK_NOTE(runs, Rule::rle_last_group, 0, 2, 3);
  CHECK(runs.rest == 0);
}

TEST_CASE("a run of more groups than are needed lacks more than padding if it is truncated",
          "[rle/truncated]") {
  CHECK_ERROR(read(hex("05 8801"), 3, 4).error, Rule::rle_truncated, 0, 2, 6);
  CHECK_ERROR(read(hex("05 88c6fa"), 3, 8).error, Rule::rle_truncated, 0, 3, 6);  // one group too many
  CHECK(read(hex("05 880100000000"), 3, 4).values.size() == 4);
}

TEST_CASE("a stream that ends before its count is reached is an error at its end",
          "[rle/value-count][levels/count]") {
  CHECK_ERROR(read(hex("0601"), 1, 8).error, Rule::rle_value_count, 2, 3, 8);
  CHECK_ERROR(read(hex("0601"), 1, 8, level_rules()).error, Rule::levels_count, 2);
  CHECK_ERROR(read({}, 1, 8).error, Rule::rle_value_count, 0);
}

TEST_CASE("a last run with more values than are left is noted, the padding of a group is not",
          "[rle/overshoot][levels/overshoot]") {
  const Runs repeated = read(hex("0601 0a01"), 1, 7);
  CHECK(repeated.values.size() == 7);
  CHECK_NOTE(repeated, Rule::rle_overshoot, 2, 5, 4);
  CHECK_NOTE(read(hex("05 ffff"), 1, 8, level_rules()), Rule::levels_overshoot, 0);
  CHECK(read(hex("05 ffff"), 1, 9).notes.all().empty());
}

TEST_CASE("hybrid runs round-trip, whatever the width, the runs and the padding") {
  check_property("hybrid round trip", [] {
    const auto width = *rc::gen::inRange<unsigned>(0, 33);
    // Runs of equal values, from one to a few groups long.
    const auto lengths = *rc::gen::container<std::vector<unsigned>>(rc::gen::inRange(1U, 40U));
    std::vector<std::uint32_t> values;
    for (const unsigned length : lengths) {
      const auto value = static_cast<std::uint32_t>(*rc::gen::arbitrary<std::uint64_t>() & low_bits(width));
      values.insert(values.end(), length, value);
    }
    EncodeOptions options;
    options.runs = *rc::gen::element(EncodeOptions::Runs::automatic, EncodeOptions::Runs::repeated,
                                     EncodeOptions::Runs::packed);
    options.padding = *rc::gen::arbitrary<std::uint8_t>();
    Bytes bytes;
    append_hybrid(values, width, options, bytes);
    const Runs runs = read(bytes, width, values.size());
    RC_ASSERT(!runs.error);
    RC_ASSERT(runs.values == values);
    RC_ASSERT(runs.notes.all().empty());
    RC_ASSERT(runs.rest == 0U);
  });
}

TEST_CASE("short runs read in one call equal those read one by one, valid or not") {
  std::size_t ahead = 0;
  check_property("short runs", [&] {
    const auto width = *rc::gen::inRange<unsigned>(0, 33);
    // Either kind of run, up to the longest that a header of one byte can claim, a little longer, and longer
    // than a batch.
    const auto claims = *rc::gen::container<std::vector<unsigned>>(
        rc::gen::weightedOneOf<unsigned>({{8, rc::gen::inRange(0U, 12U)},
                                          {8, rc::gen::inRange(0U, 140U)},
                                          {1, rc::gen::inRange(500U, 1100U)}}));
    const auto noise = *rc::gen::arbitrary<std::uint32_t>();
    Bytes bytes;
    std::uint64_t count = 0;
    for (const unsigned claim : claims) {
      const std::uint64_t header = claim * 2 + (mixed(noise + bytes.size()) & 1);
      append_uleb(bytes, header);
      const bool packed = (header & 1) != 0;
      const std::size_t length = packed ? claim * width : ceil_div(width, 8);
      const std::uint64_t value = mixed(noise ^ bytes.size()) & low_bits(width);
      for (std::size_t i = 0; i < length; ++i)
        bytes.push_back(static_cast<std::uint8_t>(packed ? mixed(noise + i) : value >> (8 * i)));
      count += packed ? claim * 8 : claim;
    }
    if (!bytes.empty() && *rc::gen::arbitrary<bool>())
      bytes[noise % bytes.size()] ^= *rc::gen::arbitrary<std::uint8_t>();
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        count += *rc::gen::inRange(0U, 600U);
        break;
      case 1:
        count -= std::min<std::uint64_t>(count, *rc::gen::inRange(0U, 600U));
        break;
      default:
        break;
    }
    const auto max = static_cast<std::uint32_t>(
        *rc::gen::element<std::uint64_t>(low_bits(width), low_bits(width) / 2, noise & low_bits(width)));
    const Runs runs = read(bytes, width, count);
    const Runs taken =
        read_short_runs(bytes, width, count, max, *rc::gen::element<std::size_t>(0, 504, 505, 1100, 4096));
    RC_ASSERT(taken.values == runs.values);
    RC_ASSERT(same(taken.error, runs.error));
    RC_ASSERT(taken.notes.all().size() == runs.notes.all().size());
    for (const Notes::Note& note : runs.notes.all()) RC_ASSERT(same(taken.note(note.error.rule), note.error));
    RC_ASSERT(taken.rest == runs.rest);
    ahead += taken.ahead;
  });
  CHECK(ahead > 1000);
}

TEST_CASE("a truncated short run is left for the error to be reported", "[rle/truncated]") {
  for (const unsigned width : {1U, 3U, 8U, 32U}) {
    for (const std::size_t missing : {0U, 1U, 2U}) {
      INFO("width " << width << ", " << missing << " bytes missing");
      Bytes bytes(1 + 63 * std::size_t{width} - missing);
      bytes[0] = 63 * 2 + 1;
      const Runs runs = read_short_runs(bytes, width, 504, static_cast<std::uint32_t>(low_bits(width)), 504);
      CHECK(runs.ahead == (missing == 0 ? 504 : 0));
      if (missing != 0) CHECK_ERROR(runs.error, Rule::rle_truncated, 0);
    }
  }
}

TEST_CASE("short runs end before the run with a value above the maximum, whichever it is") {
  for (const std::size_t bad : {0U, 1000U, 1700U}) {
    Bytes bytes;
    for (std::size_t i = 0; i < 2000; ++i) {
      bytes.push_back(4);  // a run of 2 values
      bytes.push_back(i == bad ? 6 : 5);
    }
    const auto decoder = std::make_unique<HybridDecoder>();
    Notes notes;
    decoder->open({bytes, kBase, Space::page}, 3, 4000, level_rules(), notes);
    std::vector<std::uint32_t> room(1000);
    std::size_t all = 0;
    while (const std::size_t some = decoder->next_short_runs(5, room)) all += some;
    CHECK(all == 2 * bad);
  }
}

TEST_CASE("bit-packed runs longer than a batch continue where the batch before ended") {
  std::vector<std::uint32_t> values(3 * HybridDecoder::kBatch + 5);
  std::iota(values.begin(), values.end(), 0);
  for (const unsigned width : {14U, 15U, 17U}) {
    Bytes bytes;
    append_hybrid(values, width, {.runs = EncodeOptions::Runs::packed}, bytes);
    CHECK(read(bytes, width, values.size()).values == values);
  }
}

namespace {

// Runs of all lengths, also such as hold many batches, and values without a run between them.
std::vector<std::uint32_t> runs_and_literals() {
  std::vector<std::uint32_t> values;
  for (const std::size_t length : {1U, 7U, 9U, 5000U, 40U, 9'900U, 3U}) {
    values.insert(values.end(), length, static_cast<std::uint32_t>(length % 8));
    for (std::uint32_t i = 0; i < 1000 + length % 13; ++i) values.push_back(i * i / 3 % 8);
  }
  return values;
}

}  // namespace

TEST_CASE("eight equal values at the start of a group become a repeated run, fewer are bit-packed") {
  using Values = std::vector<std::uint32_t>;
  const auto write = [](const Values& values, std::uint32_t longest_run = INT32_MAX) {
    Bytes bytes;
    append_hybrid(values, 3, {.longest_run = longest_run}, bytes);
    CHECK(read(bytes, 3, values.size()).values == values);
    return bytes;
  };
  CHECK(write(Values(8, 5)) == hex("10 05"));
  CHECK(write(Values(7, 5)) == hex("03 6ddb16"));
  CHECK(write(Values(300, 5)) == hex("d804 05"));
  // One value, then equal ones: seven of them complete the group.
  Values after_one(1, 1);
  after_one.insert(after_one.end(), 14, 5);
  CHECK(write(after_one) == hex("05 69dbb6 6ddb16"));
  after_one.push_back(5);
  CHECK(write(after_one) == hex("03 69dbb6 10 05"));
  // A repeated run between two bit-packed ones.
  Values mixed = zero_to_seven();
  mixed.insert(mixed.end(), 9, 2);
  mixed.insert(mixed.end(), {3, 3, 3});
  CHECK(write(mixed) == hex("03 88c6fa 12 02 03 db0000"));
  CHECK(write(Values(16, 5), 7) == hex("03 6ddbb6 03 6ddbb6"));
  CHECK(write(Values(20, 5), 8) == hex("10 05 10 05 08 05"));
}

TEST_CASE("no run is longer than the options allow, wherever it is") {
  const std::vector<std::uint32_t> values = runs_and_literals();
  constexpr unsigned kWidth = 3;
  for (const std::uint32_t longest : {1U, 7U, 8U, 17U, 100U, 504U, 4097U, 9'000U}) {
    for (const auto runs :
         {EncodeOptions::Runs::automatic, EncodeOptions::Runs::repeated, EncodeOptions::Runs::packed}) {
      Bytes bytes;
      append_hybrid(values, kWidth, {.runs = runs, .longest_run = longest}, bytes);
      CHECK((read(bytes, kWidth, values.size()).values == values));
      std::uint64_t most[2] = {};  // values of a repeated run, of a bit-packed one
      for (std::size_t at = 0; at < bytes.size();) {
        std::uint64_t header = 0;
        for (unsigned shift = 0;; shift += 7) {
          header |= (bytes[at] & 0x7FULL) << shift;
          if (bytes[at++] < 0x80) break;
        }
        const bool packed = (header & 1) != 0;
        const std::uint64_t count = (header >> 1) * (packed ? 8 : 1);
        most[packed ? 1 : 0] = std::max(most[packed ? 1 : 0], count);
        at += packed ? static_cast<std::size_t>(count / 8 * kWidth) : 1;
      }
      INFO(longest << " " << static_cast<int>(runs));
      const std::uint64_t groups = std::max(1U, longest / 8) * std::uint64_t{8};
      CHECK((most[0] <= longest && most[1] <= groups));
      if (runs == EncodeOptions::Runs::repeated) CHECK(most[0] == longest);
      if (runs == EncodeOptions::Runs::packed) CHECK(most[1] == groups);
    }
  }
}

}  // namespace parqproof
