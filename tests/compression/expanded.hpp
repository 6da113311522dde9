#pragma once

#include <optional>

#include "codec/compression/decompress.hpp"
#include "tests/support/compressed.hpp"

namespace parqproof {

/// Result of a stream: bytes or an error, and the notes.
struct Expanded {
  std::optional<support::Bytes> bytes;
  std::optional<Error> error;
  Notes notes;

  [[nodiscard]] std::optional<Error> note(Rule rule) const {
    for (const Notes::Note& note : notes.all()) {
      if (note.error.rule == rule) return note.error;
    }
    return std::nullopt;
  }
};

/// Expands a stream that begins at the byte `base` of a file.
inline Expanded expand(CompressionCodec codec, const support::Bytes& stored, std::size_t claimed,
                       std::uint64_t base = 1000) {
  Expanded expanded;
  const Limits limits;
  Buffer buffer;
  Decompressor decompressor;
  const Result<std::size_t> size =
      decompressor.expand(codec, {stored, base, Space::file}, claimed, buffer, 0, limits, expanded.notes);
  if (size) {
    expanded.bytes.emplace(buffer.data(), buffer.data() + *size);
  } else {
    expanded.error = size.error();
  }
  return expanded;
}

}  // namespace parqproof
