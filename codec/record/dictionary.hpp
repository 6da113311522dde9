#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/base/result.hpp"
#include "codec/encoding/values.hpp"
#include "codec/rules/finding.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof {

/// The entries of a dictionary page, as windows into the bytes of the page.
class Dictionary {
 public:
  void clear() noexcept { known_ = false, entries_.clear(), count_ = 0; }
  [[nodiscard]] bool known() const noexcept { return known_; }
  [[nodiscard]] std::uint64_t size() const noexcept { return count_; }
  /// The PLAIN bytes of the entry at an index below size(), a BYTE_ARRAY without its length word, a BOOLEAN
  /// as one byte.
  [[nodiscard]] ByteArray operator[](std::uint32_t index) const noexcept {
    static constexpr std::uint8_t kBooleans[] = {0, 1};
    if (bits_) return {&kBooleans[bytes_[index / 8] >> index % 8 & 1], 1};
    if (!entries_.empty()) return entries_[index];
    return {bytes_ + std::size_t{index} * width_, width_};
  }
  /// Decodes the `count` entries of a dictionary page of the chunk of `leaf`. `bytes` stay where they are for
  /// as long as entries are asked for. Errors: those of PLAIN, dictionary/entry-count, limit/work.
  [[nodiscard]] Status open(View bytes, const Node& leaf, std::uint64_t count, const Limits& limits);

 private:
  bool known_ = false;
  bool bits_ = false;  // of BOOLEAN
  std::uint64_t count_ = 0;
  std::uint32_t width_ = 0;
  const std::uint8_t* bytes_ = nullptr;
  std::vector<ByteArray> entries_;  // where they are of different lengths
};

/// dictionary/entry-count: the number in the header of the page, and what `error` says that the page holds.
[[nodiscard]] Contrast entries_of(std::int64_t stated, const Error& error);

}  // namespace parqproof
