#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codec/record/entries.hpp"
#include "codec/schema/schema.hpp"
#include "codec/write/sink.hpp"

namespace parqproof {

/// The entries of one leaf in memory.
class ShreddedColumn {
 public:
  explicit ShreddedColumn(const Node& leaf) : leaf_(&leaf) {}

  void add_null(std::uint32_t repetition, std::uint32_t definition);
  /// Adds an entry with the PLAIN bytes of its value, a BYTE_ARRAY without length prefix, a BOOLEAN as one
  /// byte.
  void add_value(std::uint32_t repetition, std::span<const std::uint8_t> value);
  /// Adds the entries of a batch, of which the values are not indices of an unknown dictionary.
  void add(const Entries& entries);

  /// Bytes of the entries in memory.
  [[nodiscard]] std::size_t bytes() const noexcept {
    return bytes_.size() + ends_.size() * sizeof(std::size_t) +
           (repetition_.size() + definition_.size()) * sizeof(std::uint32_t);
  }
  /// All entries, valid until the next one is added.
  [[nodiscard]] Entries entries() const;

  friend bool operator==(const ShreddedColumn& one, const ShreddedColumn& other) {
    return one.repetition_ == other.repetition_ && one.definition_ == other.definition_ &&
           one.bytes_ == other.bytes_ && one.ends_ == other.ends_;
  }

 private:
  void add_bytes(std::span<const std::uint8_t> value);

  const Node* leaf_;
  std::vector<std::uint32_t> repetition_;
  std::vector<std::uint32_t> definition_;
  std::vector<std::uint8_t> bytes_;             // of all values
  std::vector<std::size_t> ends_;               // of each value in bytes_
  mutable std::vector<ByteArray> byte_arrays_;  // of entries()
};

/// Divides nested rows into the entries of their columns (README.md#nested-encoding), the inverse of reading
/// rows with cursors. The caller names the parts of each row in the order of the schema: all fields of a
/// group; of a repeated field its elements.
class Shredder {
 public:
  /// The schema is complete, and outlives this object.
  explicit Shredder(const Schema& schema);

  void begin_row();
  /// Fails if the calls since begin_row() do not match the schema. The columns are then of no use.
  [[nodiscard]] WriteStatus end_row();

  /// The next field is optional and null.
  void null();
  /// The next field or element is a leaf with this value: PLAIN bytes as in ShreddedColumn.
  void value(std::span<const std::uint8_t> bytes);
  /// The next field or element is a group; its fields follow.
  void begin_group();
  void end_group();
  /// The next field is repeated; its elements follow, or none.
  void begin_list();
  void end_list();

  /// By ordinal of the leaf.
  [[nodiscard]] const std::vector<ShreddedColumn>& columns() const noexcept { return columns_; }
  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }
  /// Removes all rows.
  void clear();

 private:
  /// A group whose fields are named, or a repeated field whose elements are.
  struct Open {
    std::uint32_t node = 0;
    std::uint32_t next = 0;        ///< index of the next field; of a list unused
    std::uint32_t repetition = 0;  ///< of the first entry in it
    std::uint32_t definition = 0;
    bool is_list = false;
    std::uint64_t elements = 0;
  };
  /// The levels at which a field or element begins.
  struct Begin {
    const Node* node = nullptr;
    std::uint32_t index = 0;
    std::uint32_t repetition = 0;
    std::uint32_t definition = 0;
  };

  [[nodiscard]] Begin next_field();
  [[nodiscard]] Begin next_value();
  void add_nulls(const Begin& at);
  void fail(const char* why) {
    if (status_) status_ = std::unexpected(why);
  }

  const Schema& schema_;
  std::vector<ShreddedColumn> columns_;
  std::vector<Open> open_;
  std::uint64_t rows_ = 0;
  WriteStatus status_;
};

}  // namespace parqproof
