#pragma once

#include <cstdint>
#include <vector>

#include "codec/format/page_index.hpp"
#include "codec/schema/order.hpp"
#include "codec/schema/schema.hpp"
#include "codec/thrift/emitter.hpp"
#include "codec/write/bounds.hpp"

namespace parqproof {

/// Builds the ColumnIndex and the OffsetIndex of one column chunk, page by page (PageIndex.md).
class PageIndexBuilder {
 public:
  /// `order`: of the bounds; none: there is no ColumnIndex. `with_sizes`: level histograms and bytes of byte
  /// arrays too.
  PageIndexBuilder(const Node& leaf, Order order, bool with_sizes, bool with_nan_counts);

  /// Adds the next data page. `bounds` of its values, if it has any.
  void add(const PageCounts& counts, const Bounds& bounds, std::uint64_t nan_count);
  /// Adds the place of the next data page: the offset and bytes of header and body, and its first row.
  void add_location(std::uint64_t offset, std::uint64_t bytes, std::uint64_t first_row);

  /// Appends the ColumnIndex. Returns false if there is none: the values have no order, or a page has values
  /// but no bounds.
  [[nodiscard]] bool emit_column_index(std::vector<std::uint8_t>& out) const;
  void emit_offset_index(std::vector<std::uint8_t>& out) const;
  [[nodiscard]] std::size_t pages() const noexcept { return null_pages_.list().count; }

 private:
  void compare(const Bounds& bounds);

  const Node& leaf_;
  Order order_;
  bool with_sizes_;
  bool with_nan_counts_;
  bool complete_ = true;  // each page with values has bounds
  bool ascending_ = true;
  bool descending_ = true;
  Bounds previous_;
  thrift::ListBuilder<bool> null_pages_;
  thrift::ListBuilder<View> mins_;
  thrift::ListBuilder<View> maxes_;
  thrift::ListBuilder<std::int64_t> null_counts_;
  thrift::ListBuilder<std::int64_t> nan_counts_;
  thrift::ListBuilder<std::int64_t> repetitions_;
  thrift::ListBuilder<std::int64_t> definitions_;
  thrift::ListBuilder<std::int64_t> byte_array_bytes_;
  thrift::ListBuilder<PageLocation> locations_;
};

}  // namespace parqproof
