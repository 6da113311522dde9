#pragma once

#include <cstdint>
#include <vector>

#include "codec/encoding/values.hpp"
#include "codec/page/value_bytes.hpp"

namespace parqproof {

/// Puts the values that indices stand for next to each other, as if the page had stored them.
class DictionaryLookup {
 public:
  DictionaryLookup() = default;
  DictionaryLookup(std::span<const std::uint8_t> image, Type type, std::uint32_t width, std::uint64_t count)
      : entries_(image, type, width, count), type_(type), width_(width), end_(image.data() + image.size()) {}

  [[nodiscard]] const DictionaryView& entries() const noexcept { return entries_; }
  /// A batch of indices, all of which are below the number of entries, as one of values. It holds until the
  /// next call. A run becomes one value; no value where the dictionary cannot be looked at.
  [[nodiscard]] ValueBatch values_of(const ValueBatch& indices);

 private:
  DictionaryView entries_;
  Type type_{};
  std::uint32_t width_ = 0;
  const std::uint8_t* end_ = nullptr;  // of the image
  std::vector<std::uint8_t> fixed_;
  std::vector<ByteArray> byte_arrays_;
};

}  // namespace parqproof
