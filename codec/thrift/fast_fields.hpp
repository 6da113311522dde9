#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/thrift/reader.hpp"
#include "codec/thrift/table.hpp"

/// The fast path of the reader. It reads valid structs in their usual form and makes no findings. It stops at
/// anything else, where the strict Reader continues.
namespace parqproof::thrift {

/// Returns the length in bytes of the struct at the beginning of `bytes`; 0 if its framing is lost or it
/// nests deeper than `depth`.
[[nodiscard]] std::size_t skippable_length(std::span<const std::uint8_t> bytes, std::uint32_t depth) noexcept;

/// Reads into the C++ structs of the format. Everything that it has read is valid.
class FastReader {
 public:
  /// State of a struct that is being read.
  struct Fields {
    std::uint32_t present = 0;  ///< bit `id` for each field that was read
    std::uint32_t faulty = 0;   ///< bit `id` for each field that is present but could not be read
    std::int32_t previous = 0;  ///< id of the last field
    bool stopped = false;       ///< its stop byte has been read
  };

  /// Lists that `handler` takes are not read; null for no handler.
  FastReader(View bytes, const ElementHandler* handler, std::uint32_t nesting, PassedLists& passed) noexcept
      : front_(bytes.data()),
        end_(front_ + bytes.size()),
        base_(bytes.base),
        space_(bytes.space),
        handler_(handler),
        nesting_(nesting),
        passed_(&passed) {}

  /// Reads a struct inside `depth` others. Returns its length in bytes; 0 if it has a fault or an unusual
  /// form.
  [[nodiscard]] std::size_t structure(const StructType& type, std::byte* out,
                                      std::uint32_t depth) const noexcept;

  /// Reads fields of a struct at `depth` into `out`; null to discard them. Reads up to the stop byte, or as
  /// long as fields are known, ascending, in the short form and valid. Returns the bytes read.
  [[nodiscard]] std::size_t fields(const StructType& type, std::byte* out, std::uint32_t depth,
                                   Fields& state) const noexcept;

 private:
  using At = const std::uint8_t*;

  // Each reads from `at` and returns the address after what it read; null at a fault or an unusual form.
  /// Reads the value of a field whose header was read. Stores it in `slot` if kKept, else only checks it.
  template <bool kKept>
  At value(At at, const FieldRow& row, Wire wire, std::byte* slot, std::uint32_t depth) const noexcept;
  template <bool kKept>
  [[gnu::noinline]] At structure(At at, const StructType& type, std::byte* out,
                                 std::uint32_t depth) const noexcept;
  template <bool kKept>
  At list(At at, const Field& field, std::byte* slot, std::uint32_t depth) const noexcept;
  /// Reads the elements after a list header.
  At elements(At at, const Field& field, std::uint32_t count, std::uint32_t depth) const noexcept;
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
  PassedLists* passed_;
};

}  // namespace parqproof::thrift
