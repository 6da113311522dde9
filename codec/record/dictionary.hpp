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

/// The entries of a dictionary page, as references into the bytes of the page.
class Dictionary {
 public:
  void clear() noexcept { known_ = false, entries_.clear(), count_ = 0; }
  [[nodiscard]] bool known() const noexcept { return known_; }
  [[nodiscard]] std::uint64_t size() const noexcept { return count_; }
  /// Number of calls of open(): entries of one version do not change.
  [[nodiscard]] std::uint64_t version() const noexcept { return version_; }
  /// Returns the PLAIN bytes of an entry, a BYTE_ARRAY without its length prefix, a BOOLEAN as one byte.
  /// `index` < size().
  [[nodiscard]] ByteArray operator[](std::uint32_t index) const noexcept {
    static constexpr std::uint8_t kBooleans[] = {0, 1};
    if (bits_) return {&kBooleans[bytes_[index / 8] >> index % 8 & 1], 1};
    if (!entries_.empty()) return entries_[index];
    return {bytes_ + std::size_t{index} * width_, width_};
  }
  /// Decodes the `count` entries of a dictionary page of a chunk of `leaf`. The caller keeps `bytes` alive
  /// while entries are used. Errors: those of PLAIN, dictionary/entry-count, limit/work.
  [[nodiscard]] Status open(View bytes, const Node& leaf, std::uint64_t count, const Limits& limits);

 private:
  bool known_ = false;
  std::uint64_t version_ = 0;
  bool bits_ = false;  // the entries are BOOLEAN bits
  std::uint64_t count_ = 0;
  std::uint32_t width_ = 0;
  const std::uint8_t* bytes_ = nullptr;
  std::vector<ByteArray> entries_;  // only for entries of different lengths
};

/// Formats dictionary/entry-count: the number in the header of the page, and the number in the page according
/// to `error`.
[[nodiscard]] Contrast entries_of(std::int64_t stated, const Error& error);

}  // namespace parqproof
