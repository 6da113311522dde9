#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

#include "codec/base/bits.hpp"
#include "codec/base/bytes.hpp"
#include "codec/base/result.hpp"

namespace parqproof {

/// The rules that a Cursor reports when a read fails.
struct CursorRules {
  Rule truncated;  ///< the bytes end inside the item
  Rule overlong;   ///< a varint has more bytes than its type can need
  Rule range;      ///< a number does not fit its type
};

/// A decoded ULEB128 number and its form.
struct Varint {
  std::uint64_t value = 0;
  std::uint32_t length = 0;  ///< bytes that encode it
  bool canonical = true;     ///< encoded in the fewest bytes
};

/// Reads forward over a View. A failed read consumes nothing and reports the first byte of the item that
/// failed.
class Cursor {
 public:
  Cursor(View view, CursorRules rules) noexcept : view_(view), rules_(rules) {}

  [[nodiscard]] std::size_t remaining() const noexcept { return view_.size() - position_; }
  [[nodiscard]] std::size_t position() const noexcept { return position_; }
  [[nodiscard]] std::uint64_t offset() const noexcept { return view_.base + position_; }
  [[nodiscard]] View rest() const noexcept { return view_.from(position_); }
  [[nodiscard]] const std::uint8_t* data() const noexcept { return view_.data() + position_; }

  /// Returns the next `count` bytes. Fails with `truncated` if fewer remain.
  [[nodiscard]] Result<View> take(std::uint64_t count) noexcept {
    if (count > remaining())
      return fail(rules_.truncated, static_cast<std::int64_t>(remaining()), clamp(count));
    const View part = view_.part(position_, static_cast<std::size_t>(count));
    position_ += static_cast<std::size_t>(count);
    return part;
  }

  /// Returns the next sizeof(T) bytes as a little-endian number. Fails with `truncated` if fewer remain.
  template <typename T>
  [[nodiscard]] Result<T> le() noexcept {
    if (sizeof(T) > remaining())
      return fail(rules_.truncated, static_cast<std::int64_t>(remaining()), sizeof(T));
    const T value = load_le<T>(data());
    position_ += sizeof(T);
    return value;
  }

  /// No limit on the length of a varint.
  static constexpr std::uint32_t kAnyLength = UINT32_MAX;

  /// Returns a ULEB128 number that fits U. Accepts forms longer than needed, up to `max_bytes` bytes.
  template <std::unsigned_integral U>
  [[nodiscard]] Result<Varint> uleb(std::uint32_t max_bytes = (sizeof(U) * 8 + 6) / 7) noexcept {
    const std::size_t left = remaining();
    if (left != 0 && data()[0] < 0x80) {
      const Varint one{data()[0], 1, true};
      ++position_;
      return one;
    }
    std::uint64_t value = 0;
    bool overflow = false;
    for (std::uint32_t i = 0;; ++i) {
      if (i == max_bytes) return fail(rules_.overlong, i + 1, max_bytes, i);
      if (i == left) return fail(rules_.truncated, static_cast<std::int64_t>(left), i + 1, i);
      const std::uint64_t bits = data()[i] & 0x7FU;
      const unsigned shift = 7 * (i < 10 ? i : 10);  // 10 groups of 7 bits hold 64 bits
      if (shift >= 64 ? bits != 0 : ((bits << shift) >> shift) != bits) overflow = true;
      if (shift < 64) value |= bits << shift;
      if (data()[i] < 0x80) {
        if (overflow || value > std::numeric_limits<U>::max()) {
          return fail(rules_.range, clamp(value), clamp(std::numeric_limits<U>::max()), i + 1);
        }
        position_ += i + 1;
        return Varint{value, i + 1, i == 0 || data()[-1] != 0};
      }
    }
  }

  /// Returns the Error of `rule` at the next byte.
  [[nodiscard]] std::unexpected<Error> fail(Rule rule, std::int64_t found = 0, std::int64_t expected = 0,
                                            std::uint32_t length = 0) const noexcept {
    return std::unexpected(Error{offset(), found, expected, length, rule, view_.space});
  }

 private:
  [[nodiscard]] static std::int64_t clamp(std::uint64_t value) noexcept {
    constexpr std::uint64_t max = std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(value < max ? value : max);
  }

  View view_;
  CursorRules rules_;
  std::size_t position_ = 0;
};

}  // namespace parqproof
