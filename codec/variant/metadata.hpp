#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "codec/base/bytes.hpp"
#include "codec/variant/faults.hpp"

namespace parqproof::variant {

/// Returns the number of bytes, 1 to 4, that `number` takes.
[[nodiscard]] constexpr unsigned bytes_for(std::uint64_t number) noexcept {
  return number < 0x100 ? 1 : number < 0x10000 ? 2 : number < 0x1000000 ? 3 : 4;
}

/// Reads an unsigned little-endian number of `width` bytes.
[[nodiscard]] constexpr std::uint32_t number_at(const std::uint8_t* bytes, unsigned width) noexcept {
  std::uint32_t number = 0;
  for (unsigned i = 0; i < width; ++i) number |= std::uint32_t{bytes[i]} << 8 * i;
  return number;
}

/// The dictionary of field names of a Variant (VariantEncoding.md#metadata-encoding). It refers to the bytes
/// that were read, which the caller keeps alive.
class Metadata {
 public:
  static constexpr std::uint8_t kVersion = 1;
  static constexpr unsigned kVersionMask = 0x0F;
  static constexpr unsigned kSorted = 0x10;
  static constexpr unsigned kReserved = 0x20;
  static constexpr unsigned kWidthShift = 6;

  /// Reads and judges the metadata. Returns false if names cannot be resolved; size() is 0 then.
  bool read(View bytes, Faults& faults);
  /// Number of bytes from the first one of `bytes` to the end that the last offset states. Returns nullopt if
  /// the offsets do not fit.
  [[nodiscard]] static std::optional<std::size_t> extent(std::span<const std::uint8_t> bytes) noexcept;

  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
  /// Returns false if field ids cannot be judged, because the metadata could not be read.
  [[nodiscard]] bool known() const noexcept { return known_; }
  /// Returns true if the strings ascend strictly, whatever the flag.
  [[nodiscard]] bool is_ascending() const noexcept { return ascending_; }
  /// Returns true if sorted_strings is set. Precondition: known().
  [[nodiscard]] bool claims_order() const noexcept { return (bytes_.bytes[0] & kSorted) != 0; }
  /// Bytes that smaller numbers would save. Precondition: known().
  [[nodiscard]] std::size_t surplus() const noexcept {
    return (width_ - needed_width()) * (std::size_t{size_} + 2);
  }
  /// `id` < size(). The string is empty if its offsets are wrong.
  [[nodiscard]] std::string_view name(std::uint32_t id) const noexcept { return text_of(name_bytes(id)); }
  [[nodiscard]] View name_bytes(std::uint32_t id) const noexcept;
  /// Returns an id of the name `wanted`, in logarithmic time after the first call for a dictionary.
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view wanted) const;
  [[nodiscard]] View bytes() const noexcept { return bytes_; }

  // The parts of the metadata, if known().
  [[nodiscard]] unsigned width() const noexcept { return width_; }
  [[nodiscard]] std::size_t strings_begin() const noexcept { return strings_; }
  [[nodiscard]] std::uint32_t offset(std::uint32_t i) const noexcept {
    return number_at(bytes_.data() + 1 + width_ * (std::size_t{i} + 1), width_);
  }

 private:
  [[nodiscard]] bool read_offsets(Faults& faults);
  /// The width that the numbers need; at most width_.
  [[nodiscard]] unsigned needed_width() const noexcept;
  void judge_strings(Faults& faults);
  [[nodiscard]] View offset_bytes(std::uint32_t i) const noexcept {
    return bytes_.part(1 + width_ * (std::size_t{i} + 1), width_);
  }

  View bytes_;
  unsigned width_ = 1;
  std::uint32_t size_ = 0;
  std::size_t strings_ = 0;  // of the first string
  bool known_ = false;
  bool ascending_ = false;
  mutable std::vector<std::uint32_t> order_;  // ids by name; empty until find() needs it
};

}  // namespace parqproof::variant
