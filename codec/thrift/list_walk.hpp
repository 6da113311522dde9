#pragma once

#include <cstdint>
#include <optional>

#include "codec/base/cursor.hpp"
#include "codec/base/limits.hpp"
#include "codec/thrift/reader.hpp"

/// Sequential access to the elements of lists that were read before. Ordinals passed to at() must ascend.
/// Only the position in the list is kept.
namespace parqproof::thrift {

/// A list of integers or enum values.
class IntegerWalk {
 public:
  IntegerWalk() noexcept : IntegerWalk(List{}) {}
  explicit IntegerWalk(const List& list) noexcept : cursor_(list.bytes, {}), count_(list.count) {}

  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
  /// Returns the element; nullopt if the list has no such element.
  [[nodiscard]] std::optional<std::int64_t> at(std::uint64_t ordinal) noexcept {
    while (next_ <= ordinal && next_ < count_) {
      const Result<Varint> number = cursor_.uleb<std::uint64_t>();
      if (!number) break;
      if (next_++ == ordinal) return unzigzag(number->value);
    }
    return std::nullopt;
  }

 private:
  Cursor cursor_;
  std::uint64_t next_ = 0;
  std::uint32_t count_;
};

/// A list of strings.
class StringWalk {
 public:
  StringWalk() noexcept : StringWalk(List{}) {}
  explicit StringWalk(const List& list) noexcept : cursor_(list.bytes, {}), count_(list.count) {}

  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
  /// Returns the element; nullopt if the list has no such element.
  [[nodiscard]] std::optional<View> at(std::uint64_t ordinal) noexcept {
    while (next_ <= ordinal && next_ < count_) {
      const Result<Varint> length = cursor_.uleb<std::uint32_t>();
      if (!length) break;
      const Result<View> string = cursor_.take(length->value);
      if (!string) break;
      if (next_++ == ordinal) return *string;
    }
    return std::nullopt;
  }

 private:
  Cursor cursor_;
  std::uint64_t next_ = 0;
  std::uint32_t count_;
};

/// A list of structs.
template <typename Struct>
class StructWalk {
 public:
  /// The caller keeps `limits` alive.
  StructWalk(const List& list, const Limits& limits) noexcept
      : reader_(list.bytes, {}, limits), count_(list.count) {}

  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
  /// Returns the element, valid until the next call; null if the list has no such element.
  [[nodiscard]] const Struct* at(std::uint64_t ordinal) {
    while (next_ <= ordinal && next_ < count_) {
      if (!reader_.read(element_)) break;
      if (next_++ == ordinal) return &element_;
    }
    return nullptr;
  }

 private:
  Reader reader_;
  Struct element_;
  std::uint64_t next_ = 0;
  std::uint32_t count_;
};

}  // namespace parqproof::thrift
