#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/schema/schema.hpp"
#include "codec/variant/judge.hpp"
#include "codec/variant/metadata.hpp"
#include "codec/variant/shredding.hpp"
#include "codec/write/shredder.hpp"
#include "codec/write/sink.hpp"

namespace parqproof {

/// Divides Variants into the entries of the columns of their group (VariantShredding.md#value-shredding), the
/// inverse of variant::Assembly: a value that typed_value can represent is there, any other one in `value`.
/// A type is represented by itself alone; an int8 is not widened.
class VariantShredder {
 public:
  /// `group` is of this schema; both outlive the shredder. `most_depth`: of nested values. `most_bytes`: in
  /// memory, of the entries of one Variant, which may be many if values overlap.
  VariantShredder(const Schema& schema, const variant::Group& group, std::uint32_t most_depth,
                  std::uint64_t most_bytes = UINT64_MAX);

  /// Adds a Variant, whose entry has the repetition level `repetition`. Fails if it breaks a rule of
  /// VariantEncoding.md, if its entries have no room, or if it has no place because a part has no field
  /// `value`; its columns are then of no use.
  [[nodiscard]] WriteStatus add(std::span<const std::uint8_t> metadata, std::span<const std::uint8_t> value,
                                std::uint32_t repetition);
  /// Adds an entry in which the group is not there.
  void add_missing(std::uint32_t repetition, std::uint32_t definition);

  /// Returns true if the last add() has failed because of `most_bytes`.
  [[nodiscard]] bool is_too_large() const noexcept { return is_too_large_; }

  /// The columns of the group, from its first one.
  [[nodiscard]] const std::vector<ShreddedColumn>& columns() const noexcept { return columns_; }
  /// Removes all entries.
  void clear();

 private:
  using Bytes = std::span<const std::uint8_t>;

  [[nodiscard]] ShreddedColumn& column(std::size_t leaf) { return columns_[leaf - group_.first]; }
  void begin();
  [[nodiscard]] bool spend(std::uint64_t bytes);
  void add_null(std::size_t leaf, std::uint32_t repetition, std::uint32_t definition);
  void add_value(std::size_t leaf, std::uint32_t repetition, Bytes value);
  void add_nulls(std::size_t first, std::size_t last, std::uint32_t repetition, std::uint32_t definition);
  void part(const variant::Part& part, Bytes value, std::uint32_t repetition);
  void object(const variant::Part& part, const variant::Item& item, Bytes value, std::uint32_t repetition);
  void array(const variant::Part& part, const variant::Item& item, Bytes value, std::uint32_t repetition);
  void put_value(const variant::Part& part, Bytes value, std::uint32_t repetition);

  const Schema& schema_;
  const variant::Group& group_;
  variant::Judge judge_;
  std::vector<ShreddedColumn> columns_;
  variant::Metadata metadata_;
  WriteStatus status_;
  std::uint64_t most_bytes_;
  std::uint64_t bytes_left_ = 0;  // for the entries of the current Variant
  bool is_too_large_ = false;
  std::vector<std::uint8_t> bytes_;  // of the value that is added next
  std::vector<std::uint32_t> rest_;  // the fields of an object that have no columns
};

}  // namespace parqproof
