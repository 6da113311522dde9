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

/// The entries of a dictionary page, as copies of the bytes of their values.
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
  /// Returns an entry; `index` < size().
  [[nodiscard]] std::span<const std::uint8_t> operator[](std::size_t index) const noexcept {
    const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::span(bytes_).subspan(begin, ends_[index] - begin);
  }

 private:
  std::vector<std::uint8_t> bytes_;
  std::vector<std::size_t> ends_;
};

/// The entries of a dictionary page, without copies: the caller keeps its uncompressed bytes alive.
class DictionaryView {
 public:
  /// Additional bytes for each BYTE_ARRAY entry.
  static constexpr std::uint64_t kPerEntry = sizeof(std::uint32_t);

  DictionaryView() = default;
  /// `image` is a dictionary page of `count` entries that was decoded before. Has no entries for BOOLEAN,
  /// whose entries share bytes, and for pages above 4 GiB. `width`: fixed_width() of the type.
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
  /// Returns an entry; `index` < size().
  [[nodiscard]] std::span<const std::uint8_t> operator[](std::size_t index) const noexcept {
    if (begins_.empty()) return image_.subspan(index * width_, width_);
    const std::uint32_t begin = begins_[index];
    return image_.subspan(begin, load_le<std::uint32_t>(image_.data() + begin - 4));
  }

 private:
  std::span<const std::uint8_t> image_;
  std::uint32_t width_ = 0;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> begins_;  // start of each BYTE_ARRAY after its length prefix
};

/// Calls `take(bytes, times)` for the values of a batch in order: PLAIN bytes, a BYTE_ARRAY without its
/// length prefix, a BOOLEAN as a byte; `times` exceeds 1 for a run. `width`: fixed_width() of the type.
/// `dictionary` is a DictionaryEntries or a DictionaryView; indices outside of it are skipped.
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
