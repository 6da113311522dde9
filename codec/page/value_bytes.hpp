#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/encoding/values.hpp"

namespace parqproof {

/// The entries of a dictionary page, kept as the bytes of their values.
class DictionaryEntries {
 public:
  void clear() noexcept {
    bytes_.clear();
    ends_.clear();
  }
  void add(std::span<const std::uint8_t> value) {
    bytes_.insert(bytes_.end(), value.begin(), value.end());
    ends_.push_back(bytes_.size());
  }
  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  /// The entry at an index below size().
  [[nodiscard]] std::span<const std::uint8_t> operator[](std::size_t index) const noexcept {
    const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::span(bytes_).subspan(begin, ends_[index] - begin);
  }

 private:
  std::vector<std::uint8_t> bytes_;
  std::vector<std::size_t> ends_;
};

/// The entries of a dictionary page where they stand: its uncompressed bytes outlive the view.
class DictionaryView {
 public:
  /// Bytes that an entry of a BYTE_ARRAY takes here.
  static constexpr std::uint64_t kPerEntry = sizeof(std::uint32_t);

  DictionaryView() = default;
  /// The page of `count` entries that were decoded once; no entries where they are BOOLEANs, which share
  /// bytes, or the page is larger than 4 GiB. `width`: fixed_width() of the type.
  DictionaryView(std::span<const std::uint8_t> image, Type type, std::uint32_t width, std::uint64_t count)
      : image_(image), width_(width) {
    if (type == Type::BOOLEAN || image.size() > UINT32_MAX) return;
    size_ = static_cast<std::size_t>(count);
    if (type != Type::BYTE_ARRAY) return;
    begins_.reserve(size_);
    std::size_t at = 0;
    while (begins_.size() < size_ && image.size() - at >= 4) {
      begins_.push_back(static_cast<std::uint32_t>(at + 4));
      const std::uint64_t size = load_le<std::uint32_t>(image.data() + at);
      at += 4 + static_cast<std::size_t>(std::min<std::uint64_t>(size, image.size() - at - 4));
    }
    size_ = begins_.size();
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// The entry at an index below size().
  [[nodiscard]] std::span<const std::uint8_t> operator[](std::size_t index) const noexcept {
    if (begins_.empty()) return image_.subspan(index * width_, width_);
    const std::uint32_t begin = begins_[index];
    return image_.subspan(begin, load_le<std::uint32_t>(image_.data() + begin - 4));
  }

 private:
  std::span<const std::uint8_t> image_;
  std::uint32_t width_ = 0;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> begins_;  // of BYTE_ARRAYs, behind their length words
};

/// Calls `take(bytes, times)` with the values of a batch in order: as in PLAIN, a BYTE_ARRAY without its
/// length word, a BOOLEAN as a byte; `times` above 1 for a run. `width`: fixed_width() of the type. Indices
/// that `dictionary`, a DictionaryEntries or a DictionaryView, lacks are passed over.
template <typename Dictionary = DictionaryEntries, typename Take>
void for_each_value(const ValueBatch& batch, std::uint32_t width, const Dictionary& dictionary, Take&& take) {
  using Form = ValueBatch::Form;
  const auto entry = [&](std::uint32_t index, std::uint64_t times) {
    if (index < dictionary.size()) take(dictionary[index], times);
  };
  const auto boolean = [&](std::uint8_t value, std::uint64_t times) {
    take(std::span<const std::uint8_t>(&value, 1), times);
  };
  if (batch.form == Form::index_run) return entry(batch.run, batch.count);
  if (batch.form == Form::boolean_run) return boolean(static_cast<std::uint8_t>(batch.run), batch.count);
  for (std::uint64_t i = 0; i < batch.count; ++i) {
    switch (batch.form) {
      case Form::fixed:
        take(std::span<const std::uint8_t>(batch.fixed + i * width, width), std::uint64_t{1});
        break;
      case Form::byte_arrays:
        take(std::span<const std::uint8_t>(batch.byte_arrays[i].data, batch.byte_arrays[i].size),
             std::uint64_t{1});
        break;
      case Form::booleans:
        boolean(batch.booleans[i], 1);
        break;
      default:
        entry(batch.indices[i], 1);
        break;
    }
  }
}

}  // namespace parqproof
