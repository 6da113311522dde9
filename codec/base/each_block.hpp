#pragma once

#include <algorithm>
#include <cstdint>

#include "codec/base/source.hpp"

namespace parqproof {

/// Hands the bytes [from, to) of a file to `take(bytes)`, a block after the other, each with up to `more`
/// bytes of the next, until that is false. Returns false then, and if bytes cannot be read.
template <typename Take>
bool each_block(const Source& source, std::uint64_t from, std::uint64_t to, std::uint64_t more, Take&& take) {
  constexpr std::uint64_t kBlock = std::uint64_t{1} << 16;
  Window window(source);
  for (std::uint64_t at = from; at < to; at += kBlock) {
    const View bytes = window.view(at, std::min(kBlock + more, to - at));
    if (bytes.empty() || !take(bytes)) return false;
  }
  return true;
}

/// Returns the offset of these bytes at or after `from`; the size of the file if there is none.
template <typename Bytes>
[[nodiscard]] std::uint64_t find_bytes(const Source& source, std::uint64_t from, const Bytes& wanted) {
  std::uint64_t found = source.size();
  each_block(source, from, source.size(), wanted.size() - 1, [&](const View& bytes) {
    const auto at = std::search(bytes.bytes.begin(), bytes.bytes.end(), wanted.begin(), wanted.end());
    if (at != bytes.bytes.end()) found = bytes.base + static_cast<std::uint64_t>(at - bytes.bytes.begin());
    return at == bytes.bytes.end();
  });
  return found;
}

}  // namespace parqproof
