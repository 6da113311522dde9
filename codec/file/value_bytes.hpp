#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

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

/// Calls `take(bytes, times)` with the values of a batch in order: as in PLAIN, a BYTE_ARRAY without its
/// length word, a BOOLEAN as a byte; `times` above 1 for a run. `width`: fixed_width() of the type. Indices
/// that `dictionary` lacks are passed over.
template <typename Take>
void for_each_value(const ValueBatch& batch, std::uint32_t width, const DictionaryEntries& dictionary,
                    Take&& take) {
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
