#include "conformance/indexes/offset_index_rules.hpp"

#include <string_view>

namespace parqproof {
namespace {

/// The page locations; empty if the OffsetIndex has a fault.
thrift::List locations_of(const PageIndex& index) {
  const bool known = index.offset.sound && index.offset.parsed.has(OffsetIndex::id_page_locations);
  return known ? index.offset.parsed.page_locations : thrift::List{};
}

}  // namespace

LocationRules::LocationRules(const ChunkScope& chunk)
    : chunk_(chunk), locations_(locations_of(chunk.page_index), chunk.context.options.limits) {}

void LocationRules::page(const Page& page, const RowPositions& trail, bool damaged) {
  if (!chunk_.is_offset_index_sound() || !chunk_.position().data_page) return;
  const std::uint64_t at = *chunk_.position().data_page;
  const PageLocation* const stated = locations_.at(at);
  if (stated == nullptr) return;
  if (stated->offset < 0 || static_cast<std::uint64_t>(stated->offset) != page.offset) {
    offset_.note(at, stated->offset, page.offset);
  } else {
    const std::uint64_t size = page.end() - page.offset;
    if (stated->compressed_page_size < 0 || static_cast<std::uint64_t>(stated->compressed_page_size) != size)
      size_.note(at, stated->compressed_page_size, size);
    first_row(at, stated->first_row_index, rows_known_ ? trail.first_row() : std::nullopt);
  }
  rows_known_ = rows_known_ && !damaged;
  after_empty_ = page.num_values() == 0;
}

/// `rows`: the rows that the page may begin with; nothing if not known.
void LocationRules::first_row(std::uint64_t at, std::int64_t stated, const std::optional<RowRange>& rows) {
  if (rows) {
    const bool wrong = stated < rows->first || stated > rows->last;
    if (wrong) row_.note(at, stated, rows->last);
    // The number is correct: two pages begin with the same row because the first of them is empty.
    if (!wrong && after_empty_ && stated <= previous_row_) order_.note(at, stated, more_than(previous_row_));
    previous_row_ = wrong ? rows->last : stated;
    return;
  }
  const RowGroupClaim& group = chunk_.context.footer.row_groups[chunk_.claim.row_group];
  if (stated <= previous_row_) {
    order_.note(at, stated, more_than(previous_row_));
  } else if (group.has_num_rows && group.num_rows >= 0 && stated > group.num_rows) {
    order_.note(at, stated, at_most(group.num_rows));
  } else {
    previous_row_ = stated;
  }
}

void LocationRules::end(bool counts_trusted) {
  if (!chunk_.is_offset_index_sound() || !chunk_.position().data_page) return;
  const std::uint64_t pages = *chunk_.position().data_page;
  if (locations_.count() != pages) {
    chunk_.offset_index_site().report(Rule::offset_index_page_count, "page_locations",
                                      contrast(locations_.count(), pages));
    return;
  }
  const auto report = [&](Rule rule, const FirstFault& fault, std::string_view field) {
    fault.report(chunk_.offset_index_site(), rule, "page_locations", field);
  };
  report(Rule::offset_index_offset, offset_, ".offset");
  report(Rule::offset_index_page_size, size_, ".compressed_page_size");
  if (counts_trusted) report(Rule::offset_index_first_row, row_, ".first_row_index");
  report(Rule::offset_index_first_row_order, order_, ".first_row_index");
  if (pages != 0 && offset_.times == pages) chunk_.services.is_offset_index_foreign = true;
}

}  // namespace parqproof
