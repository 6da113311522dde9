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
  /// `group` is of this schema; both outlive the shredder. `most_depth`: of nested values.
  VariantShredder(const Schema& schema, const variant::Group& group, std::uint32_t most_depth);

  /// Adds a Variant, whose entry has the repetition level `repetition`. Fails if it breaks a rule of
  /// VariantEncoding.md, or if it has no place because a part has no field `value`; its columns are then of
  /// no use.
  [[nodiscard]] WriteStatus add(std::span<const std::uint8_t> metadata, std::span<const std::uint8_t> value,
                                std::uint32_t repetition);
  /// Adds an entry in which the group is not there.
  void add_missing(std::uint32_t repetition, std::uint32_t definition);

  /// The columns of the group, from its first one.
  [[nodiscard]] const std::vector<ShreddedColumn>& columns() const noexcept { return columns_; }
  /// Removes all entries.
  void clear();

 private:
  using Bytes = std::span<const std::uint8_t>;

  [[nodiscard]] ShreddedColumn& column(std::size_t leaf) { return columns_[leaf - group_.first]; }
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
  std::vector<std::uint8_t> bytes_;  // of the value that is added next
  std::vector<std::uint32_t> rest_;  // the fields of an object that have no columns
};

}  // namespace parqproof
