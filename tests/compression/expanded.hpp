#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cstring>

#include "codec/compression/decompress.hpp"
#include "tests/support/compressed.hpp"
#include "tests/support/faults.hpp"

namespace parqproof {

/// Result of a stream: bytes or an error, and the notes.
struct Expanded : support::Faults {
  std::optional<support::Bytes> bytes;
  std::size_t capacity = 0;  ///< of the buffer
};

using support::kBase;

inline Expanded expand(CompressionCodec codec, const support::Bytes& stored, std::size_t claimed) {
  constexpr std::size_t kFront = 5;  // levels precede the values of a v2 page
  Expanded expanded;
  const Limits limits;
  Buffer buffer;
  REQUIRE(buffer.resize(kFront));
  std::memcpy(buffer.data(), "front", kFront);
  // One decompressor for all streams, as a reader has one for all pages: no state leaks into the next stream.
  static Decompressor decompressor;
  const Result<std::size_t> size = decompressor.expand(codec, {stored, kBase, Space::page}, claimed, buffer,
                                                       kFront, limits, expanded.notes);
  expanded.capacity = buffer.capacity();
  CHECK(std::memcmp(buffer.data(), "front", kFront) == 0);
  if (size) {
    expanded.bytes.emplace(buffer.data() + kFront, buffer.data() + kFront + *size);
  } else {
    expanded.error = size.error();
  }
  return expanded;
}

}  // namespace parqproof
