#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/format/schema_element.hpp"
#include "codec/schema/schema.hpp"
#include "codec/thrift/emitter.hpp"
#include "codec/variant/shredding.hpp"
#include "conformance/rewrite/shred/shred_options.hpp"
#include "conformance/rewrite/source_chunks.hpp"

namespace parqproof {

/// A VARIANT group that is written with other columns.
struct ShreddedGroup {
  variant::Group source;   ///< its columns in the schema of the source
  variant::Group written;  ///< its columns in the schema that is written
};

/// The schema of a file whose VARIANT groups get other columns. Other columns keep their order.
class ShreddedSchema {
 public:
  /// Finds the columns for the values of a group, whose first column has the index `first` among those that
  /// are written; returns nothing if they cannot be read.
  using Find = std::function<std::optional<ShreddedType>(const variant::Group& group, std::size_t first)>;

  /// `elements`: of the columns of the source that are written. Returns the reason why an option does not
  /// fit; empty if all do, or if `find` has failed.
  [[nodiscard]] std::string plan(const Schema& source, const thrift::List& elements,
                                 const std::vector<ShredOption>& options, const Limits& limits,
                                 const Find& find);
  /// Returns false if `find` has failed.
  [[nodiscard]] bool is_complete() const noexcept { return is_complete_; }

  [[nodiscard]] const thrift::ListBuilder<SchemaElement>& elements() const noexcept { return elements_; }
  [[nodiscard]] const Schema& schema() const noexcept { return schema_; }
  [[nodiscard]] const std::vector<ShreddedGroup>& groups() const noexcept { return groups_; }

  /// A column, or the columns of a group, in the order in which they are written.
  struct Piece {
    std::optional<std::size_t> group;  ///< in groups()
    std::size_t leaf = 0;  ///< the first of its columns in the source, among those that are written
  };
  [[nodiscard]] const std::vector<Piece>& pieces() const noexcept { return pieces_; }

  /// The column of the source, among those that are written, that a written column comes from; the first one
  /// of the group if the group has other columns.
  [[nodiscard]] std::size_t source_of(std::size_t written) const;
  /// The written column for such a column of the source; nothing if its group has other columns.
  [[nodiscard]] std::optional<std::size_t> written_of(std::size_t leaf) const;
  /// Number of columns that are written for a piece.
  [[nodiscard]] std::size_t columns_of(const Piece& piece) const;
  /// The forms of the written columns, from those of the source: `metadata` and `value` keep theirs, other
  /// columns of a group have the codec and the pages of `value`.
  [[nodiscard]] std::vector<ChunkForm> forms(const std::vector<ChunkForm>& source) const;

 private:
  struct Planned {
    std::uint32_t node = 0;  ///< in the schema of `elements`
    std::size_t first = 0;   ///< Piece::leaf
    variant::Group source;
    ShreddedType type;
  };
  [[nodiscard]] std::string find_group(const Schema& source, const Schema& part, const ShredOption& option);
  [[nodiscard]] std::string emit(const Schema& part, const std::vector<SchemaElement>& stored,
                                 const Limits& limits);

  std::vector<Planned> planned_;  // in the order of the schema
  thrift::ListBuilder<SchemaElement> elements_;
  Schema schema_;
  std::vector<ShreddedGroup> groups_;
  std::vector<Piece> pieces_;
  bool is_complete_ = true;
};

}  // namespace parqproof
