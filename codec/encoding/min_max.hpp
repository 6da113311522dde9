#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "codec/encoding/values.hpp"
#include "codec/kernel/kernels.hpp"
#include "codec/schema/order.hpp"

namespace parqproof {

/// The PLAIN bytes of a value, without the length prefix of a BYTE_ARRAY. Owns the bytes of a number; others
/// are referenced.
class PlainBytes {
 public:
  PlainBytes() noexcept = default;
  explicit PlainBytes(std::span<const std::uint8_t> elsewhere) noexcept : elsewhere_(elsewhere) {}
  template <std::integral T>
  explicit PlainBytes(T number) noexcept : size_(sizeof number) {
    std::memcpy(number_.data(), &number, sizeof number);
  }

  [[nodiscard]] const std::uint8_t* data() const noexcept {
    return size_ != 0 ? number_.data() : elsewhere_.data();
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_ != 0 ? size_ : elsewhere_.size(); }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  [[nodiscard]] const std::uint8_t* begin() const noexcept { return data(); }
  [[nodiscard]] const std::uint8_t* end() const noexcept { return data() + size(); }

  friend bool operator==(const PlainBytes& one, const PlainBytes& other) noexcept {
    return std::ranges::equal(one, other);
  }
  friend bool operator==(const PlainBytes& one, std::span<const std::uint8_t> other) noexcept {
    return std::ranges::equal(one, other);
  }

 private:
  std::array<std::uint8_t, 8> number_{};
  std::size_t size_ = 0;  // bytes of a number; 0: the bytes are referenced
  std::span<const std::uint8_t> elsewhere_;
};

/// Computes the min and max of the values of one leaf in one order. NaNs are counted, and ignored unless all
/// values are NaN (parquet.thrift#ColumnOrder).
class MinMax {
 public:
  MinMax() = default;
  /// `order` must suit `type`; `width` is fixed_width() of the type.
  MinMax(Order order, Type type, std::uint32_t width) noexcept;

  /// Adds values. Batches of dictionary indices are ignored.
  void add(const ValueBatch& batch);
  /// Adds one value: its PLAIN bytes, without the length prefix of a BYTE_ARRAY.
  void add(std::span<const std::uint8_t> value);
  /// Adds the values of another MinMax with the same order.
  void add(const MinMax& other);

  /// Returns true if no value with a place in the order was added.
  [[nodiscard]] bool empty() const noexcept { return !bytes_.any && !numbers_.any() && !nans_.any(); }
  /// Returns true if there are values and all of them are NaN.
  [[nodiscard]] bool only_nans() const noexcept { return nans_.any() && !numbers_.any(); }
  [[nodiscard]] std::uint64_t nan_count() const noexcept { return nan_count_; }

  /// Empty if empty(). The bytes are valid until the next value is added.
  [[nodiscard]] PlainBytes min() const noexcept { return bytes_of(false); }
  [[nodiscard]] PlainBytes max() const noexcept { return bytes_of(true); }

  friend bool operator==(const MinMax&, const MinMax&) = default;

 private:
  /// Range of the keys of numbers of any width.
  struct Range {
    std::int64_t min = INT64_MAX;
    std::int64_t max = INT64_MIN;

    [[nodiscard]] bool any() const noexcept { return min <= max; }
    void add(std::int64_t low, std::int64_t high) noexcept {
      min = low < min ? low : min;
      max = high > max ? high : max;
    }
    friend bool operator==(const Range&, const Range&) = default;
  };
  struct Ends {
    std::vector<std::uint8_t> min;
    std::vector<std::uint8_t> max;
    bool any = false;
    friend bool operator==(const Ends&, const Ends&) = default;
  };

  void add_fixed(const ValueBatch& batch);
  template <typename T>
  void add_numbers(const std::uint8_t* values, std::uint64_t count);
  template <typename T>
  void add_nans(const std::uint8_t* values, std::uint64_t count);
  void add_bytes(const ByteArray* values, std::size_t count, const std::uint8_t* readable);
  [[nodiscard]] PlainBytes bytes_of(bool max) const noexcept;

  Order order_ = Order::none;
  NumberKey key_ = NumberKey::signed_int;
  bool prefixed_ = false;  // most comparisons are decided by the first bytes
  std::uint32_t width_ = 0;
  Range numbers_;
  Range nans_;
  Ends bytes_;
  std::uint64_t nan_count_ = 0;
};

}  // namespace parqproof
