#include "codec/compression/lz4_block.hpp"

#include <lz4.h>

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <optional>
#include <random>

#include "tests/compression/written_streams.hpp"

namespace parqproof {
namespace {

using support::Bytes;

std::mt19937_64 random_numbers(20130730);

// Reads and writes memory of exactly these sizes, so that a sanitizer detects every access beyond them.
std::optional<Bytes> expand(const Bytes& block, std::size_t size, int fill = 0) {
  const std::unique_ptr<std::uint8_t[]> in(new std::uint8_t[block.size()]);
  std::copy(block.begin(), block.end(), in.get());
  const std::unique_ptr<std::uint8_t[]> out(new std::uint8_t[size]);
  std::fill_n(out.get(), size, static_cast<std::uint8_t>(fill));
  if (!expand_sound_lz4_block({{in.get(), block.size()}}, out.get(), size)) return std::nullopt;
  return Bytes(out.get(), out.get() + size);
}

Bytes compress(const Bytes& data) {
  Bytes block(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(data.size()))));
  const int size =
      LZ4_compress_default(reinterpret_cast<const char*>(data.data()), reinterpret_cast<char*>(block.data()),
                           static_cast<int>(data.size()), static_cast<int>(block.size()));
  block.resize(static_cast<std::size_t>(size));
  return block;
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

// A length after a nibble.
void append_length(Bytes& block, std::size_t length) {
  if (length < 15) return;
  for (length -= 15; length >= 255; length -= 255) block.push_back(255);
  block.push_back(static_cast<std::uint8_t>(length));
}
void append_sequence(Bytes& block, Bytes& data, std::size_t literals, std::size_t distance,
                     std::size_t match) {
  block.push_back(static_cast<std::uint8_t>(std::min<std::size_t>(literals, 15) << 4 |
                                            std::min<std::size_t>(match - 4, 15)));
  append_length(block, literals);
  for (std::size_t i = 0; i < literals; ++i) {
    block.push_back(static_cast<std::uint8_t>(random_numbers()));
    data.push_back(block.back());
  }
  support::append_number(block, distance, 2);
  append_length(block, match - 4);
  for (std::size_t i = 0; i < match; ++i) data.push_back(data[data.size() - distance]);
}
void append_last(Bytes& block, Bytes& data, std::size_t literals) {
  block.push_back(static_cast<std::uint8_t>(std::min<std::size_t>(literals, 15) << 4));
  append_length(block, literals);
  for (std::size_t i = 0; i < literals; ++i) {
    block.push_back(static_cast<std::uint8_t>(random_numbers()));
    data.push_back(block.back());
  }
}

}  // namespace

TEST_CASE("LZ4 blocks written by the library expand to their data, whatever their size") {
  for (unsigned kind = 0; kind < 4; ++kind) {
    for (std::size_t size = 0; size < 300; ++size) {
      const Bytes data = mixed(size, kind);
      for (const int fill : {0x00, 0xA5}) {
        if (expand(compress(data), size, fill) != data) FAIL("size " << size << ", kind " << kind);
      }
    }
    for (const std::size_t size : {1000UL, 4096UL, 65'535UL, 65'536UL, 200'000UL}) {
      const Bytes data = mixed(size, kind);
      if (expand(compress(data), size) != data) FAIL("size " << size << ", kind " << kind);
    }
  }
  const Bytes zeros(100'000);
  CHECK(expand(compress(zeros), zeros.size()) == zeros);
}

TEST_CASE("matches of every small distance and length may be anywhere in an LZ4 block") {
  for (std::size_t distance = 1; distance <= 40; ++distance) {
    for (std::size_t match = 4; match <= 60; ++match) {
      for (const std::size_t literals_after : {12UL, 30UL, 200UL}) {
        Bytes block;
        Bytes data;
        append_sequence(block, data, 40, distance, match);
        append_sequence(block, data, match % 20, distance, 300 + match);
        append_sequence(block, data, 0, distance, match);
        append_last(block, data, literals_after);
        if (expand(block, data.size()) != data) FAIL("distance " << distance << ", match " << match);
      }
    }
  }
}

TEST_CASE("a damaged LZ4 block, or one of another size, is rejected if the library rejects it") {
  std::size_t taken = 0;
  for (int round = 0; round < 30'000; ++round) {
    const Bytes data = mixed(1 + random_numbers() % 400, static_cast<unsigned>(round) % 4);
    Bytes block = compress(data);
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
    Bytes block;
    Bytes data;
    append_sequence(block, data, 20, distance, match);
    append_last(block, data, literals_after);
    return std::pair(block, data);
  };
  const auto sound = block_of(3, 8, 5);
  CHECK(expand(sound.first, sound.second.size()) == sound.second);
  CHECK(!expand(sound.first, sound.second.size() + 1));
  CHECK(!expand(sound.first, sound.second.size() - 1));
  const auto short_end = block_of(3, 8, 4);
  CHECK(!expand(short_end.first, short_end.second.size()));
  const auto late_match = block_of(3, 6, 5);
  CHECK(!expand(late_match.first, late_match.second.size()));
  for (const std::size_t literals_after : {20UL, 100UL}) {
    auto [block, data] = block_of(3, 8, literals_after);
    const std::size_t at = 1 + 1 + 20;  // token, length, literals
    for (const unsigned distance : {0U, 21U}) {
      block[at] = static_cast<std::uint8_t>(distance);
      CHECK(!expand(block, data.size()));
    }
    block[at] = 20;
    CHECK(expand(block, data.size()));
  }
}

}  // namespace parqproof
