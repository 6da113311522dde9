#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/encoding/pack.hpp"
#include "tests/encoding/decode.hpp"

namespace parqproof {

/// How a delta stream is cut, and which blocks of it depart from the canonical form. No miniblock that is
/// needed holds a single value.
struct DeltaShape {
  std::size_t count = 0;
  std::size_t block_size = 128;
  std::size_t miniblocks = 4;
  std::vector<std::size_t> above_min = {};  ///< blocks whose minimum relative delta is 7 instead of 0
  std::vector<std::size_t> wide =
      {};  ///< blocks whose miniblock with the minimum delta has a bit more than it needs
  std::vector<std::size_t> long_varint = {};  ///< blocks whose min delta takes eleven bytes
};

/// A delta stream that our encoder did not write: min delta and bit widths change from block to block
/// and from miniblock to miniblock, the relative delta 0 is in one miniblock of each block, and the
/// value after each delta is known from additions alone.
template <std::unsigned_integral U>
struct WrittenDeltas {
  Bytes bytes;
  std::vector<U> values;
  std::vector<std::size_t> blocks;  ///< where each block begins
  std::vector<std::size_t> widths;  ///< where its width bytes begin
  std::vector<std::size_t> mins;    ///< its miniblock with the minimum delta

  explicit WrittenDeltas(const DeltaShape& wanted) : shape(wanted) {
    append_uleb(bytes, shape.block_size);
    append_uleb(bytes, shape.miniblocks);
    append_uleb(bytes, shape.count);
    values.push_back(static_cast<U>(mixed(99)));
    append_uleb(bytes, zigzag(static_cast<std::make_signed_t<U>>(values[0])));
    while (values.size() < shape.count) add_block();
  }

 private:
  static bool has(const std::vector<std::size_t>& blocks_of, std::size_t block) {
    return std::ranges::find(blocks_of, block) != blocks_of.end();
  }

  void add_block() {
    const std::size_t block = blocks.size();
    const std::size_t size = shape.block_size / shape.miniblocks;
    const std::size_t used = std::min(shape.block_size, shape.count - values.size());
    const std::size_t used_miniblocks = (used + size - 1) / size;
    const std::size_t with_min = block % used_miniblocks;
    const auto min_delta = static_cast<std::make_signed_t<U>>(mixed(block) >> (block * 7 % 60));
    mins.push_back(with_min);
    blocks.push_back(bytes.size());
    append_uleb(bytes, zigzag(min_delta));
    if (has(shape.long_varint, block)) {
      bytes.back() |= 0x80;
      while (bytes.size() - blocks.back() < 10) bytes.push_back(0x80);
      bytes.push_back(0);
    }
    widths.push_back(bytes.size());
    std::vector<std::pair<std::vector<U>, unsigned>> packed;
    for (std::size_t m = 0; m < shape.miniblocks; ++m) {
      const std::size_t left = used - std::min(used, m * size);
      packed.push_back(relative_deltas(block, m, std::min(left, size), m == with_min));
      bytes.push_back(static_cast<std::uint8_t>(packed.back().second));
    }
    for (const auto& [deltas, width] : packed) {
      if (deltas.empty()) continue;
      append_packed(bytes, std::span<const U>(deltas), width, size, 0);
      for (const U delta : deltas) {
        values.push_back(static_cast<U>(values.back() + static_cast<U>(min_delta) + delta));
      }
    }
  }

  // The first of them alone needs all bits of the width, where that leaves numbers for the others.
  std::pair<std::vector<U>, unsigned> relative_deltas(std::size_t block, std::size_t miniblock,
                                                      std::size_t count, bool with_min) const {
    if (count == 0) return {};
    const U min = has(shape.above_min, block) ? 7 : 0;
    const unsigned shortest = min != 0 ? 4 : with_min ? 0 : 1;
    const auto bits = static_cast<unsigned>(sizeof(U) * 8);
    const bool surplus = with_min && has(shape.wide, block);
    const auto wanted =
        shortest + static_cast<unsigned>((block * 5 + miniblock * 11) % (bits + 1 - shortest));
    const unsigned width = surplus ? std::min(wanted, bits - 1) : wanted;
    const U highest = static_cast<U>(low_bits(width));
    const U most = width < 5 ? highest : static_cast<U>(highest >> 1);
    std::vector<U> deltas;
    for (std::size_t i = 0; i < count; ++i) {
      const U range = static_cast<U>(most - min);  // width 0: nothing but zeros
      const U chance = static_cast<U>(mixed(block * 1'000'003 + miniblock * 1009 + i));
      deltas.push_back(i == 0 || range == 0 ? highest : static_cast<U>(min + 1 + chance % range));
    }
    if (with_min) deltas[std::min<std::size_t>(5, count - 1)] = min;
    return {std::move(deltas), width + (surplus ? 1 : 0)};
  }

  DeltaShape shape;
};

}  // namespace parqproof
