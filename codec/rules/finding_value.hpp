#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace parqproof {

/// An integer of any type; equal numbers are equal.
class Integer {
 public:
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  constexpr Integer(T number) noexcept  // NOLINT(google-explicit-constructor): a number is a number
      : bits_(static_cast<std::uint64_t>(number)), negative_(std::cmp_less(number, 0)) {}

  [[nodiscard]] constexpr bool is_negative() const noexcept { return negative_; }
  /// The number where it is not negative.
  [[nodiscard]] constexpr std::uint64_t as_unsigned() const noexcept { return bits_; }
  /// The number where it is negative.
  [[nodiscard]] constexpr std::int64_t as_signed() const noexcept { return static_cast<std::int64_t>(bits_); }

  friend constexpr bool operator==(const Integer&, const Integer&) = default;

 private:
  std::uint64_t bits_;
  bool negative_;
};

/// What a finding found or expected, as a value: conformance/report makes the text of it. It has no text of
/// its own but that of a phrase, so code that needs the number takes the number.
class FindingValue {
 public:
  /// The field, or what else the rule asks for, is not there.
  struct Absent {
    friend bool operator==(const Absent&, const Absent&) = default;
  };

  /// A value of an enumeration of the format; shown as its number where it has no name.
  struct Symbol {
    std::int64_t number = 0;
    std::string_view name;  ///< in static storage

    friend bool operator==(const Symbol&, const Symbol&) = default;
  };

  /// So many of something: "12 bytes".
  struct Count {
    std::uint64_t number = 0;
    std::string_view noun;  ///< in static storage; as it is shown

    friend bool operator==(const Count&, const Count&) = default;
  };

  /// Integers between two bounds, both of them included, or beyond one bound.
  class Range {
   public:
    /// How it is bounded, which its text says in the same words.
    enum class Form : std::uint8_t { min_to_max, or_more, or_less, at_least, at_most, more_than, less_than };

    constexpr Range(Integer min, Integer max) noexcept : Range(Form::min_to_max, min, max) {}
    constexpr Range(Form form, Integer bound) noexcept : Range(form, bound, bound) {}

    [[nodiscard]] constexpr Form form() const noexcept { return form_; }
    /// The lower bound, or the only one.
    [[nodiscard]] constexpr Integer min() const noexcept { return integer(min_, min_is_negative_); }
    /// The upper bound, or the only one.
    [[nodiscard]] constexpr Integer max() const noexcept { return integer(max_, max_is_negative_); }

    friend bool operator==(const Range&, const Range&) = default;

   private:
    constexpr Range(Form form, Integer min, Integer max) noexcept
        : min_(min.as_unsigned()),
          max_(max.as_unsigned()),
          form_(form),
          min_is_negative_(min.is_negative()),
          max_is_negative_(max.is_negative()) {}

    static constexpr Integer integer(std::uint64_t bits, bool is_negative) noexcept {
      return is_negative ? Integer(static_cast<std::int64_t>(bits)) : Integer(bits);
    }

    // Apart from each other, as two of Integer would take twice the bytes.
    std::uint64_t min_;
    std::uint64_t max_;
    Form form_;
    bool min_is_negative_;
    bool max_is_negative_;
  };

  /// A few bytes: in hex, or those of a magic number.
  struct Bytes {
    static constexpr std::size_t kMost = 4;

    std::array<std::uint8_t, kMost> bytes{};
    std::uint8_t size = 0;
    bool is_magic = false;  ///< shown as text where all of them are printable

    friend bool operator==(const Bytes&, const Bytes&) = default;
  };

  /// A value of a column that is a number or a date but no integer: "1.50", "2024-02-29".
  struct Literal {
    std::string text;

    friend bool operator==(const Literal&, const Literal&) = default;
  };

  /// Words of the program's own, or text of the file.
  struct Phrase {
    std::string text;

    friend bool operator==(const Phrase&, const Phrase&) = default;
  };

  using Alternatives =
      std::variant<std::monostate, Absent, Integer, Symbol, Count, Range, Bytes, Literal, Phrase>;

  /// Nothing; a report leaves it out.
  FindingValue() noexcept = default;
  // NOLINTBEGIN(google-explicit-constructor): each is one way to write what was found
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  FindingValue(T number) noexcept : value_(Integer(number)) {}
  FindingValue(Integer number) noexcept : value_(number) {}
  FindingValue(Absent absent) noexcept : value_(absent) {}
  FindingValue(Symbol symbol) noexcept : value_(symbol) {}
  FindingValue(Count count) noexcept : value_(count) {}
  FindingValue(Range range) noexcept : value_(range) {}
  FindingValue(Bytes bytes) noexcept : value_(bytes) {}
  FindingValue(Literal literal) noexcept : value_(std::move(literal)) {}
  /// Text is a phrase; where it is empty, nothing.
  FindingValue(std::string text) {
    if (!text.empty()) value_ = Phrase{std::move(text)};
  }
  FindingValue(std::string_view text) : FindingValue(std::string(text)) {}
  FindingValue(const char* text) : FindingValue(std::string(text)) {}
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] const Alternatives& alternatives() const noexcept { return value_; }
  /// Returns true if there is nothing.
  [[nodiscard]] bool empty() const noexcept { return std::holds_alternative<std::monostate>(value_); }
  /// The number; null where it is no integer.
  [[nodiscard]] const Integer* integer() const noexcept { return std::get_if<Integer>(&value_); }
  /// The number; nullopt where it is no integer, or a negative one.
  [[nodiscard]] std::optional<std::uint64_t> natural() const noexcept {
    const Integer* const number = integer();
    if (number == nullptr || number->is_negative()) return std::nullopt;
    return number->as_unsigned();
  }
  /// Cuts a text that is longer than `most` bytes, and marks it as cut.
  void shorten(std::size_t most);

  friend bool operator==(const FindingValue&, const FindingValue&) = default;

 private:
  Alternatives value_;
};

inline constexpr FindingValue::Absent kAbsent{};

[[nodiscard]] constexpr FindingValue::Range at_least(Integer min) noexcept {
  return {FindingValue::Range::Form::at_least, min};
}
[[nodiscard]] constexpr FindingValue::Range at_most(Integer max) noexcept {
  return {FindingValue::Range::Form::at_most, max};
}
[[nodiscard]] constexpr FindingValue::Range or_more(Integer min) noexcept {
  return {FindingValue::Range::Form::or_more, min};
}
[[nodiscard]] constexpr FindingValue::Range or_less(Integer max) noexcept {
  return {FindingValue::Range::Form::or_less, max};
}
[[nodiscard]] constexpr FindingValue::Range more_than(Integer bound) noexcept {
  return {FindingValue::Range::Form::more_than, bound};
}
[[nodiscard]] constexpr FindingValue::Range less_than(Integer bound) noexcept {
  return {FindingValue::Range::Form::less_than, bound};
}
[[nodiscard]] constexpr FindingValue::Range between(Integer min, Integer max) noexcept { return {min, max}; }
/// The same, but the number where both are the same.
[[nodiscard]] inline FindingValue number_or_between(Integer min, Integer max) noexcept {
  if (min == max) return min;
  return between(min, max);
}

/// The value of an enumeration whose names are `names`.
template <typename Names, typename T>
[[nodiscard]] FindingValue symbol(const Names& names, T value) noexcept {
  std::int64_t number = 0;
  if constexpr (std::is_enum_v<T>) {
    number = static_cast<std::int64_t>(std::to_underlying(value));
  } else {
    number = static_cast<std::int64_t>(value);
  }
  return FindingValue::Symbol{number, names.name_of(number)};
}

/// A number of 32 bits in hex.
[[nodiscard]] inline FindingValue hex_word(std::uint32_t word) noexcept {
  return FindingValue::Bytes{{static_cast<std::uint8_t>(word >> 24), static_cast<std::uint8_t>(word >> 16),
                              static_cast<std::uint8_t>(word >> 8), static_cast<std::uint8_t>(word)},
                             4};
}

/// "1 byte", "2 bytes".
[[nodiscard]] constexpr FindingValue::Count count_of_bytes(std::uint64_t bytes) noexcept {
  return {bytes, bytes == 1 ? "byte" : "bytes"};
}

}  // namespace parqproof
