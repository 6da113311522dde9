#include "codec/compression/lz4_block.hpp"

#include <lz4.h>

#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <random>

#include "tests/compression/written_streams.hpp"
#include "tests/support/exact.hpp"

namespace parqproof {
namespace {

using namespace support;

std::mt19937_64 random_numbers(20130730);

// Reads and writes memory of exactly these sizes, so that a sanitizer detects every access beyond them.
std::optional<Bytes> expand(const Bytes& block, std::size_t size, int fill = 0) {
  const Exact<std::uint8_t> in(block);
  const Exact<std::uint8_t> out(size, fill);
  if (!expand_sound_lz4_block({{in.data(), in.size()}}, out.data(), size)) return std::nullopt;
  return out.all();
}

// The library's result for a block; it accepts a distance of 0, which is invalid.
std::optional<Bytes> expand_by_library(const Bytes& block, std::size_t size) {
  Bytes out(size);
  const int produced =
      LZ4_decompress_safe(reinterpret_cast<const char*>(block.data()), reinterpret_cast<char*>(out.data()),
                          static_cast<int>(block.size()), static_cast<int>(size));
  if (produced < 0 || static_cast<std::size_t>(produced) != size) return std::nullopt;
  return out;
}

// Data with matches of many distances and lengths.
Bytes mixed(std::size_t size, unsigned kind) {
  Bytes data;
  while (data.size() < size) {
    const std::size_t length = 1 + random_numbers() % (kind % 2 == 0 ? 20 : 600);
    const std::size_t distance = 1 + random_numbers() % (kind < 2 ? 20 : 70'000);
    if (random_numbers() % 3 == 0 || distance > data.size()) {
      for (std::size_t i = 0; i < length; ++i) data.push_back(static_cast<std::uint8_t>(random_numbers()));
    } else {
      for (std::size_t i = 0; i < length; ++i) data.push_back(data[data.size() - distance]);
    }
  }
  data.resize(size);
  return data;
}

}  // namespace

TEST_CASE("LZ4 blocks written by the library expand to their data, whatever their size") {
  for (unsigned kind = 0; kind < 4; ++kind) {
    for (std::size_t size = 0; size < 300; ++size) {
      const Bytes data = mixed(size, kind);
      for (const int fill : {0x00, 0xA5}) {
        if (expand(lz4_of(data), size, fill) != data) FAIL("size " << size << ", kind " << kind);
      }
    }
    for (const std::size_t size : {1000UL, 4096UL, 65'535UL, 65'536UL, 200'000UL}) {
      const Bytes data = mixed(size, kind);
      if (expand(lz4_of(data), size) != data) FAIL("size " << size << ", kind " << kind);
    }
  }
  const Bytes zeros(100'000);
  CHECK(expand(lz4_of(zeros), zeros.size()) == zeros);
}

TEST_CASE("matches of every small distance and length may be anywhere in an LZ4 block") {
  for (std::size_t distance = 1; distance <= 40; ++distance) {
    for (std::size_t match = 4; match <= 60; ++match) {
      for (const std::size_t literals_after : {12UL, 30UL, 200UL}) {
        Lz4 block;
        block.sequence(40, distance, match);
        block.sequence(match % 20, distance, 300 + match);
        block.sequence(0, distance, match);
        block.last(literals_after);
        if (expand(block.stream, block.data.size()) != block.data)
          FAIL("distance " << distance << ", match " << match);
      }
    }
  }
}

TEST_CASE("a damaged LZ4 block, or one of another size, is rejected if the library rejects it") {
  std::size_t taken = 0;
  for (int round = 0; round < 30'000; ++round) {
    const Bytes data = mixed(1 + random_numbers() % 400, static_cast<unsigned>(round) % 4);
    Bytes block = lz4_of(data);
    const std::size_t changes = random_numbers() % 3;
    for (std::size_t i = 0; i < changes; ++i)
      block[random_numbers() % block.size()] =
          static_cast<std::uint8_t>(random_numbers() % 4 == 0 ? 0 : random_numbers());
    if (random_numbers() % 8 == 0) block.resize(random_numbers() % (block.size() + 1));
    const std::size_t size = data.size() + (random_numbers() % 8 == 0 ? random_numbers() % 3 : 0);
    const auto mine = expand(block, size);
    if (!mine) continue;
    ++taken;
    if (mine != expand_by_library(block, size)) FAIL("round " << round);
  }
  CHECK(taken > 5000);
  CHECK(taken < 25'000);
}

TEST_CASE("an LZ4 block with a wrong end, or a match before its first byte, is rejected") {
  const auto block_of = [](std::size_t distance, std::size_t match, std::size_t literals_after) {
    Lz4 block;
    block.sequence(20, distance, match);
    block.last(literals_after);
    return block;
  };
  const Lz4 sound = block_of(3, 8, 5);
  CHECK(expand(sound.stream, sound.data.size()) == sound.data);
  CHECK(!expand(sound.stream, sound.data.size() + 1));
  CHECK(!expand(sound.stream, sound.data.size() - 1));
  const Lz4 short_end = block_of(3, 8, 4);
  CHECK(!expand(short_end.stream, short_end.data.size()));
  const Lz4 late_match = block_of(3, 6, 5);
  CHECK(!expand(late_match.stream, late_match.data.size()));
  for (const std::size_t literals_after : {20UL, 100UL}) {
    Lz4 block = block_of(3, 8, literals_after);
    const std::size_t at = 1 + 1 + 20;  // token, length, literals
    for (const unsigned distance : {0U, 21U}) {
      block.stream[at] = static_cast<std::uint8_t>(distance);
      CHECK(!expand(block.stream, block.data.size()));
    }
    block.stream[at] = 20;
    CHECK(expand(block.stream, block.data.size()));
  }
}

}  // namespace parqproof
