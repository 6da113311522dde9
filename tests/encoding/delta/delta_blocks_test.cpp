// Delta streams of many blocks and batches: state that is carried from one to the next.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "codec/encoding/section.hpp"
#include "tests/encoding/decode.hpp"
#include "tests/encoding/delta/written_deltas.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kCount = 50'000;  // twelve batches
static_assert(kCount > 12 * kBatchValues);

template <typename U>
constexpr Type kTypeOf = sizeof(U) == 4 ? Type::INT32 : Type::INT64;

template <typename U>
Decoded deltas(const Bytes& section, std::uint64_t count = kCount) {
  return decode(section, spec_of(Encoding::DELTA_BINARY_PACKED, kTypeOf<U>, count));
}

// Ordinal of the first value of a block.
std::size_t first_of(std::size_t block, std::size_t block_size) { return 1 + block * block_size; }

// Each batch is attributed to the block of its last value, even if that value is the last of its block.
template <typename U>
void check_offsets(const Decoded& decoded, const WrittenDeltas<U>& written, std::size_t block_size) {
  CHECK(decoded.batches.size() > 12);
  for (std::size_t i = 0; i < decoded.batches.size(); ++i) {
    INFO("batch " << i);
    const std::uint64_t end = i + 1 < decoded.batches.size() ? decoded.batches[i + 1].first : decoded.count;
    const std::size_t block = (static_cast<std::size_t>(end) - 2) / block_size;
    CHECK(decoded.batches[i].offset == kBase + written.blocks[block]);
  }
}

template <typename U>
void check_values(std::size_t block_size, std::size_t miniblocks) {
  INFO(sizeof(U) * 8 << " bits, blocks of " << block_size << " in " << miniblocks);
  const WrittenDeltas<U> written({.count = kCount, .block_size = block_size, .miniblocks = miniblocks});
  REQUIRE(written.blocks.size() > 3);
  const Decoded decoded = deltas<U>(written.bytes);
  CHECK(decoded.clean());
  CHECK((decoded.numbers<U>() == written.values));
  check_offsets(decoded, written, block_size);
  const EncodeOptions options{.block_size = static_cast<std::uint32_t>(block_size),
                              .miniblocks = static_cast<std::uint32_t>(miniblocks)};
  const Decoded again =
      deltas<U>(encode(Encoding::DELTA_BINARY_PACKED, plain_numbers(kTypeOf<U>, written.values), options));
  CHECK(again.clean());
  CHECK((again.numbers<U>() == written.values));
}

// Calls `check(block)` for the first block, the third and the last one of `blocks`.
template <typename Check>
void in_three_blocks(std::size_t blocks, Check check) {
  for (const std::size_t block : {std::size_t{0}, std::size_t{2}, blocks - 1}) {
    INFO("block " << block << " of " << blocks);
    check(block);
  }
}

constexpr std::size_t kBlocks = (kCount - 1 + 127) / 128;

}  // namespace

TEST_CASE("values of a delta stream are the sums of its deltas, whatever its blocks and batches") {
  const auto [block_size, miniblocks] =
      GENERATE(std::pair{128, 4}, std::pair{128, 1}, std::pair{1024, 2}, std::pair{8192, 1},
               std::pair{8192, 256}, std::pair{12288, 4});
  check_values<std::uint32_t>(static_cast<std::size_t>(block_size), static_cast<std::size_t>(miniblocks));
  check_values<std::uint64_t>(static_cast<std::size_t>(block_size), static_cast<std::size_t>(miniblocks));
}

TEST_CASE("a block whose minimum relative delta is not 0 is noted, whichever it is, and no other",
          "[delta-binary-packed/min-delta]") {
  const Rule rule = Rule::delta_binary_packed_min_delta;
  const auto block_size = GENERATE(std::size_t{128}, std::size_t{8192});
  const std::size_t blocks = (kCount - 1 + block_size - 1) / block_size;
  in_three_blocks(blocks, [&](std::size_t block) {
    const WrittenDeltas<std::uint32_t> narrow(
        {.count = kCount, .block_size = block_size, .above_min = {block}});
    const Decoded decoded = deltas<std::uint32_t>(narrow.bytes);
    CHECK((decoded.numbers<std::uint32_t>() == narrow.values));
    CHECK_FALSE(decoded.error);
    CHECK_NOTE(decoded, rule, narrow.blocks[block], 7, 0);
    CHECK(decoded.note(rule)->length == narrow.widths[block] - narrow.blocks[block]);
    CHECK(decoded.times(rule) == 1);
    CHECK(decoded.notes.all().size() == 1);
    const WrittenDeltas<std::uint64_t> wide(
        {.count = kCount, .block_size = block_size, .above_min = {block}});
    CHECK_NOTE(deltas<std::uint64_t>(wide.bytes), rule, wide.blocks[block], 7, 0);
  });
  const WrittenDeltas<std::uint32_t> twice({.count = kCount, .block_size = block_size, .above_min = {1, 3}});
  CHECK_NOTE(deltas<std::uint32_t>(twice.bytes), rule, twice.blocks[1]);
  CHECK(deltas<std::uint32_t>(twice.bytes).times(rule) == 2);
}

TEST_CASE("miniblocks that are wider than their values are noted at their width bytes",
          "[delta-binary-packed/bit-width-minimal]") {
  const Rule rule = Rule::delta_binary_packed_bit_width_minimal;
  const auto check = [&]<typename U>(U /*type*/, std::size_t block_size, std::size_t miniblocks) {
    const std::size_t blocks = (kCount - 1 + block_size - 1) / block_size;
    in_three_blocks(blocks, [&](std::size_t block) {
      const WrittenDeltas<U> written(
          {.count = kCount, .block_size = block_size, .miniblocks = miniblocks, .wide = {block}});
      const Decoded decoded = deltas<U>(written.bytes);
      CHECK((decoded.numbers<U>() == written.values));
      const std::size_t at = written.widths[block] + written.mins[block];
      CHECK_NOTE(decoded, rule, at);
      const unsigned width = written.bytes[at];
      CHECK_NUMBERS(decoded.note(rule), width, width - 1);
      CHECK(decoded.times(rule) == 1);
    });
  };
  check(std::uint32_t{}, 128, 4);
  check(std::uint64_t{}, 128, 4);
  check(std::uint32_t{}, 12288, 1);  // a miniblock is three batches
  check(std::uint64_t{}, 12288, 1);
}

TEST_CASE("an overlong min delta is noted, whichever block it is in", "[delta-binary-packed/varint-long]") {
  const Rule rule = Rule::delta_binary_packed_varint_long;
  in_three_blocks(kBlocks, [&](std::size_t block) {
    const WrittenDeltas<std::uint32_t> usual({.count = kCount});
    const WrittenDeltas<std::uint32_t> written({.count = kCount, .long_varint = {block}});
    const Decoded decoded = deltas<std::uint32_t>(written.bytes);
    CHECK((decoded.numbers<std::uint32_t>() == written.values));
    CHECK_NOTE(decoded, rule, written.blocks[block], 11, usual.widths[block] - usual.blocks[block]);
    CHECK(decoded.times(rule) == 1);
  });
}

TEST_CASE(
    "a truncated delta stream is an error in the truncated block",
    "[delta-binary-packed/block][delta-binary-packed/width-bytes][delta-binary-packed/miniblock-full]") {
  const WrittenDeltas<std::uint64_t> written({.count = kCount});
  in_three_blocks(kBlocks, [&](std::size_t block) {
    const auto cut_at = [&](std::size_t size) { return deltas<std::uint64_t>(cut(written.bytes, size)); };
    CHECK_ERROR(cut_at(written.blocks[block]).error, Rule::delta_binary_packed_block, written.blocks[block],
                first_of(block, 128), kCount);
    const Decoded widths = cut_at(written.widths[block] + 3);
    CHECK_ERROR(widths.error, Rule::delta_binary_packed_width_bytes, written.widths[block], 3, 4);
    CHECK(widths.count == 0);  // a stream is checked before its first value is delivered
    const std::size_t next = block + 1 < kBlocks ? written.blocks[block + 1] : written.bytes.size();
    const Decoded body = cut_at(next - 1);
    const unsigned last_miniblock =
        static_cast<unsigned>(std::min<std::size_t>(3, (kCount - first_of(block, 128) - 1) / 32));
    const unsigned width = written.bytes[written.widths[block] + last_miniblock];
    REQUIRE(width != 0);
    CHECK_ERROR(body.error, Rule::delta_binary_packed_miniblock_full, next - 4 * width, 4 * width - 1,
                4 * width);
  });
}

TEST_CASE("an impossible width byte is an error at its offset, whichever block it is in",
          "[delta-binary-packed/bit-width][delta-binary-packed/bit-width-range]") {
  in_three_blocks(kBlocks, [&](std::size_t block) {
    const WrittenDeltas<std::uint64_t> wide({.count = kCount});
    CHECK_ERROR(deltas<std::uint64_t>(with(wide.bytes, wide.widths[block] + 1, 65)).error,
                Rule::delta_binary_packed_bit_width_range, wide.widths[block] + 1, 65, 64);
    // Miniblocks of 33 bits and more in a stream of 32-bit numbers.
    const WrittenDeltas<std::uint32_t> narrow({.count = kCount});
    CHECK_ERROR(deltas<std::uint32_t>(with(narrow.bytes, narrow.widths[block] + 1, 66)).error,
                Rule::delta_binary_packed_bit_width_range, narrow.widths[block] + 1, 66, 32);
  });
}

TEST_CASE("miniblocks wider than 32 bits give 32-bit numbers modulo 2^32, chunk after chunk",
          "[delta-binary-packed/bit-width]") {
  // The blocks of a 64-bit stream after the header of a 32-bit one.
  const WrittenDeltas<std::uint64_t> wide({.count = kCount, .block_size = 8192, .miniblocks = 2});
  Bytes section = hex("8040 02");
  append_uleb(section, kCount);
  append_uleb(section, zigzag(std::int32_t{1000}));
  section.insert(section.end(), wide.bytes.begin() + static_cast<std::ptrdiff_t>(wide.blocks[0]),
                 wide.bytes.end());
  std::vector<std::uint32_t> expected;
  for (const std::uint64_t value : wide.values) {
    expected.push_back(static_cast<std::uint32_t>(value - wide.values[0] + 1000));
  }
  const Decoded decoded = deltas<std::uint32_t>(section);
  CHECK_FALSE(decoded.error);
  CHECK((decoded.numbers<std::uint32_t>() == expected));
  const std::optional<Error> note = decoded.note(Rule::delta_binary_packed_bit_width);
  REQUIRE(note.has_value());
  CHECK(note->found > 32);
  CHECK(note->expected == 32);
}

TEST_CASE("only the surplus of the last block is padding, however many blocks precede it",
          "[delta-binary-packed/padding][delta-binary-packed/unneeded-width]") {
  // 50,000 values leave one full miniblock and part of a second in the last block, and two unneeded.
  const WrittenDeltas<std::uint32_t> written({.count = kCount});
  const std::size_t last = kBlocks - 1;
  const std::size_t left = kCount - first_of(last, 128);
  REQUIRE(left == 79);  // miniblocks of 32, 32 and 15
  const Decoded unneeded = deltas<std::uint32_t>(with(written.bytes, written.widths[last] + 3, 9));
  CHECK((unneeded.numbers<std::uint32_t>() == written.values));
  CHECK_NOTE(unneeded, Rule::delta_binary_packed_unneeded_width, written.widths[last] + 3, 9, 0);
  const std::size_t end = written.bytes.size();
  const Decoded padded = deltas<std::uint32_t>(with(written.bytes, end - 2, 0x60));
  CHECK((padded.numbers<std::uint32_t>() == written.values));
  CHECK_NOTE(padded, Rule::delta_binary_packed_padding, end - 2, 0x60, 0);
  CHECK(padded.notes.all().size() == 1);
}

TEST_CASE("bytes after a long delta stream are an error at the first of them", "[page/trailing-bytes]") {
  const WrittenDeltas<std::uint64_t> written({.count = kCount, .block_size = 1024});
  const Decoded decoded = deltas<std::uint64_t>(written.bytes + hex("000000"));
  CHECK((decoded.numbers<std::uint64_t>() == written.values));
  CHECK_ERROR(decoded.error, Rule::page_trailing_bytes, written.bytes.size(), 3, 0);
}

}  // namespace parqproof
