#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/encoding/values.hpp"
#include "codec/rules/notes.hpp"

namespace parqproof::fuzz {

/// All results of decoding, with the values in one form for any batches.
struct Collected {
  std::vector<std::uint8_t> bytes;     ///< fixed-width values, one byte for each boolean, byte arrays
  std::vector<std::uint32_t> numbers;  ///< indices and levels, or the sizes of byte arrays
  std::uint64_t count = 0;
  std::optional<Error> error;
  Notes notes;

  void append(const ValueBatch& batch, std::uint32_t width);

  /// Returns true if there is no error, and no note of a rule of the encoding above severity info.
  [[nodiscard]] bool clean() const;
  [[nodiscard]] bool same_values(const Collected& other) const {
    return count == other.count && bytes == other.bytes && numbers == other.numbers;
  }
  [[nodiscard]] bool same_findings(const Collected& other) const;
  /// Calls take(batch) with the values in batches of a few or of many, depending on `cuts`.
  template <typename Take>
  void batches(ValueBatch::Form form, std::uint32_t width, std::uint8_t cuts, Take take) const;
};

/// Text of the first finding.
[[nodiscard]] std::string described(const Collected& collected);

/// Number of the `left` values in the next batch: all for `cuts` 0, otherwise 1 to 64, drawn from `cuts` and
/// `step`.
[[nodiscard]] std::uint64_t next_cut(std::uint8_t cuts, std::uint64_t step, std::uint64_t left) noexcept;

/// The values [first, first + count) of a batch without runs.
[[nodiscard]] ValueBatch some_of(ValueBatch batch, std::uint64_t first, std::uint64_t count,
                                 std::uint32_t width) noexcept;

template <typename Take>
void Collected::batches(ValueBatch::Form form, std::uint32_t width, std::uint8_t cuts, Take take) const {
  std::vector<ByteArray> windows;
  if (form == ValueBatch::Form::byte_arrays) {
    const std::uint8_t* data = bytes.data();
    for (const std::uint32_t size : numbers) {
      windows.push_back({data, size});
      data += size;
    }
  }
  ValueBatch all;
  all.form = form;
  all.fixed = bytes.data();
  all.booleans = bytes.data();
  all.byte_arrays = windows.data();
  all.indices = numbers.data();
  std::uint64_t step = 0;
  for (std::uint64_t done = 0; done < count; ++step) {
    const std::uint64_t some = next_cut(cuts, step, count - done);
    take(some_of(all, done, some, width));
    done += some;
  }
}

}  // namespace parqproof::fuzz
