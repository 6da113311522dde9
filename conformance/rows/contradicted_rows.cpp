#include "conformance/rows/contradicted_rows.hpp"

#include <algorithm>
#include <utility>

namespace parqproof {

void ContradictedRows::begin(std::uint32_t row_group, std::uint64_t first, ContradictedLeaves pages) {
  row_group_ = row_group;
  first_ = first;
  pages_ = std::move(pages);
  std::erase_if(pages_, [this](const auto& one) { return !std::ranges::binary_search(leaves_, one.first); });
  named_.clear();
}

bool ContradictedRows::names(std::size_t leaf, const std::vector<ContradictedPages>& pages,
                             std::uint64_t row) {
  const auto last_row = [](const ContradictedPages& one) { return one.rows.last; };
  const auto found = std::ranges::lower_bound(pages, static_cast<std::int64_t>(row), {}, last_row);
  if (found == pages.end() || std::cmp_greater(found->rows.first, row)) return false;
  const auto [named, is_first] = named_.try_emplace(leaf, found->rows.last);
  if (!is_first && named->second == found->rows.last) return true;
  named->second = found->rows.last;
  const Place place{static_cast<std::int32_t>(row_group_), static_cast<std::int32_t>(leaf), found->first};
  const auto first = static_cast<std::int64_t>(first_);
  out_.add_contradicted({place, found->last, schema_.dotted_path(schema_.leaf_index(leaf)),
                         RowRange{first + found->rows.first, first + found->rows.last},
                         DamageCause{found->finding, {}, {}}});
  return true;
}

}  // namespace parqproof
