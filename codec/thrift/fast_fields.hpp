#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/thrift/reader.hpp"
#include "codec/thrift/table.hpp"

/// The fast path of the reader. It reads what has no fault and the usual form, and makes no findings; at
/// anything else it stops, and the strict Reader goes on there.
namespace parqproof::thrift {

/// Bytes of the struct at the front of `bytes`; 0 where its framing is lost, or it nests deeper than `depth`.
[[nodiscard]] std::size_t skippable_length(std::span<const std::uint8_t> bytes, std::uint32_t depth) noexcept;

/// Reads into the C++ structs of the format. What it has read has no fault.
class FastReader {
 public:
  /// A struct while it is read.
  struct Fields {
    std::uint32_t present = 0;  ///< bit `id` for each field that was read
    std::uint32_t faulty = 0;   ///< bit `id` for each field that was there before but could not be read
    std::int32_t previous = 0;  ///< id of the last field
    bool stopped = false;       ///< its stop byte has been read
  };

  /// Lists that `handler` (null: none) takes are left to it.
  FastReader(View bytes, const ElementHandler* handler, std::uint32_t nesting, PassedList& passed) noexcept
      : front_(bytes.data()),
        end_(front_ + bytes.size()),
        base_(bytes.base),
        space_(bytes.space),
        handler_(handler),
        nesting_(nesting),
        passed_(&passed) {}

  /// Reads a struct inside `depth` others. Returns its bytes; 0 where it has a fault or an unusual form.
  [[nodiscard]] std::size_t whole(const StructType& type, std::byte* out, std::uint32_t depth) const noexcept;

  /// Reads fields of a struct, which is `depth` deep, into `out` (null: nowhere) up to its stop byte, or for
  /// as long as each is known, in its short form, ascending, and whole in every respect. Returns the bytes
  /// read.
  [[nodiscard]] std::size_t fields(const StructType& type, std::byte* out, std::uint32_t depth,
                                   Fields& state) const noexcept;

 private:
  using At = const std::uint8_t*;

  // Each begins at `at` and returns where it ended; null at a fault or an unusual form.
  /// The value of a field whose header was read. kKept: it is stored in `slot`; else it is only judged.
  template <bool kKept>
  At value(At at, const FieldRow& row, Wire wire, std::byte* slot, std::uint32_t depth) const noexcept;
  template <bool kKept>
  At structure(At at, const StructType& type, std::byte* out, std::uint32_t depth) const noexcept;
  template <bool kKept>
  At list(At at, const Field& field, std::byte* slot, std::uint32_t depth) const noexcept;
  /// The elements of a list behind its header.
  At elements(At at, const Field& field, Wire element, std::uint32_t count,
              std::uint32_t depth) const noexcept;
  template <bool kKept>
  At string(At at, bool text, std::byte* slot) const noexcept;
  [[nodiscard]] std::uint64_t offset(At at) const noexcept {
    return base_ + static_cast<std::uint64_t>(at - front_);
  }

  At front_;
  At end_;
  std::uint64_t base_;
  Space space_;
  const ElementHandler* handler_;
  std::uint32_t nesting_;
  PassedList* passed_;
};

}  // namespace parqproof::thrift
