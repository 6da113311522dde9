#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "codec/schema/schema.hpp"
#include "conformance/rows/reading_failure.hpp"
#include "conformance/state/chunk_totals.hpp"

namespace parqproof {

/// By leaf: pages that can be read, although the statistics contradict their values.
using ContradictedLeaves = std::map<std::size_t, std::vector<ContradictedPages>>;

/// Counts the rows that are written and have values of such pages, and names each page once.
class ContradictedRows {
 public:
  /// `leaves`: those of the rows. All arguments outlive this object.
  ContradictedRows(const Schema& schema, const std::vector<std::size_t>& leaves, LeftOut& out)
      : schema_(schema), leaves_(leaves), out_(out) {}

  /// Begins a row group; `first` is its first row in the file.
  void begin(std::uint32_t row_group, std::uint64_t first, ContradictedLeaves pages);

  /// Adds a row, by its ordinal in the row group. `has_gap(leaf)`: a column has no value in it.
  template <typename HasGap>
  void add(std::uint64_t row, HasGap&& has_gap) {
    bool any = false;
    for (const auto& [leaf, pages] : pages_) any = (!has_gap(leaf) && names(leaf, pages, row)) || any;
    if (any) ++out_.contradicted_rows;
  }

 private:
  /// Names the page of the row, if that was not done; false if it is none of these.
  bool names(std::size_t leaf, const std::vector<ContradictedPages>& pages, std::uint64_t row);

  const Schema& schema_;
  const std::vector<std::size_t>& leaves_;
  LeftOut& out_;
  ContradictedLeaves pages_;
  std::uint32_t row_group_ = 0;
  std::uint64_t first_ = 0;
  std::map<std::size_t, std::int64_t> named_;  // by leaf: last row of the last such page
};

}  // namespace parqproof
