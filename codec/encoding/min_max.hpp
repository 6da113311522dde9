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

/// The PLAIN bytes of a value, of a BYTE_ARRAY without length word. It holds those of a number itself; others
/// are where they were found.
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
  std::size_t size_ = 0;  // of a number; 0: the bytes are elsewhere
  std::span<const std::uint8_t> elsewhere_;
};

/// An observer of batches: the minimum and the maximum of one leaf in one order. NaNs are counted, and
/// left out as long as there is another value (parquet.thrift#ColumnOrder).
class MinMax {
 public:
  MinMax() = default;
  /// For values of `type` in an order that suits it; `width` is fixed_width() of the type.
  MinMax(Order order, Type type, std::uint32_t width) noexcept;

  /// The next values. Batches of dictionary indices are none, and are passed over.
  void add(const ValueBatch& batch);
  /// One more value: its PLAIN bytes, of a BYTE_ARRAY without length word.
  void add(std::span<const std::uint8_t> value);
  /// The values that went into another MinMax of the same order.
  void add(const MinMax& other);

  /// No value so far has a place in the order.
  [[nodiscard]] bool empty() const noexcept { return !bytes_.any && !numbers_.any() && !nans_.any(); }
  /// All values so far are NaN, and there is one.
  [[nodiscard]] bool only_nans() const noexcept { return nans_.any() && !numbers_.any(); }
  [[nodiscard]] std::uint64_t nan_count() const noexcept { return nan_count_; }

  /// Nothing where empty(). The bytes hold until the next value is added.
  [[nodiscard]] PlainBytes min() const noexcept { return bytes_of(false); }
  [[nodiscard]] PlainBytes max() const noexcept { return bytes_of(true); }

  friend bool operator==(const MinMax&, const MinMax&) = default;

 private:
  /// Keys of numbers, whatever their width.
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
  bool prefixed_ = false;  // the first bytes decide most comparisons
  std::uint32_t width_ = 0;
  Range numbers_;
  Range nans_;
  Ends bytes_;
  std::uint64_t nan_count_ = 0;
};

}  // namespace parqproof
