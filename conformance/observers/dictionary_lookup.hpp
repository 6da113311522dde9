#pragma once

#include <cstdint>
#include <vector>

#include "codec/encoding/values.hpp"
#include "codec/page/value_bytes.hpp"

namespace parqproof {

/// Copies the values that indices refer to into one array, as if the page had stored them.
class DictionaryLookup {
 public:
  DictionaryLookup() = default;
  DictionaryLookup(std::span<const std::uint8_t> image, Type type, std::uint32_t width, std::uint64_t count)
      : entries_(image, type, width, count), type_(type), width_(width), end_(image.data() + image.size()) {}

  [[nodiscard]] const DictionaryView& entries() const noexcept { return entries_; }
  /// The values of a batch of indices, all of which are less than the number of entries. Valid until the next
  /// call. A run becomes one value; there is no value if the dictionary cannot be read.
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
