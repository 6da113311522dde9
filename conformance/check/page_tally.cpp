#include "conformance/check/page_tally.hpp"

namespace parqproof {

void PageTally::open(ChunkScope& scope, DictionaryUse& use) {
  scope_ = &scope;
  use_ = &use;
  order_ = StatisticsClaims::order_of_values(scope.leaf, scope.stated_order());
  has_dictionary_.reset();
}

/// Its entries may take what is left of the memory for pages.
bool PageTally::read_dictionary() {
  used_.begin_dictionary(order_);
  std::uint64_t bytes = 0;
  const std::uint64_t ceiling = scope_->context.options.limits.memory_bytes / 16;
  const bool whole = use_->for_each_entry(
      scope_->context.options.limits, scope_->budget, [&](const ValueBatch& batch) {
        for_each_value(batch, scope_->width(), {}, [&](std::span<const std::uint8_t> value, std::uint64_t) {
          bytes += value.size() + UsedExtremes::kPerEntry;
          if (bytes <= ceiling) used_.add_entry(value);
        });
      });
  return whole && bytes <= ceiling;
}

bool PageTally::begin(const Page& page, bool with_values, bool with_distinct) {
  stored_ = MinMax(order_, scope_->leaf.type, scope_->width());
  tally_ = {};
  tally_.values = stored_;
  with_distinct_ = with_distinct;
  if (with_distinct)
    tally_.distinct = DistinctValues(scope_->leaf, scope_->context.options.limits.memory_bytes / 16);
  const bool coded =
      page.encoding() == Encoding::PLAIN_DICTIONARY || page.encoding() == Encoding::RLE_DICTIONARY;
  used_.begin_page();
  if (!with_values || !coded) return true;
  if (!has_dictionary_) {
    has_dictionary_ = read_dictionary();
    used_.begin_page();
  }
  return *has_dictionary_;
}

void PageTally::add(const ValueBatch& batch) {
  stored_.add(batch);
  used_.add(batch);
  if (with_distinct_) tally_.distinct.add(batch, used_.entries());
}

const ValueTally& PageTally::end(const PageEnd& end) {
  tally_.entries = static_cast<std::int64_t>(end.entries);
  tally_.nulls = end.entries - end.levels.stored;
  tally_.null_leaves = end.levels.null_leaves;
  tally_.null_elements = end.levels.null_elements;
  tally_.nans = stored_.nan_count();
  tally_.values.add(stored_);
  if (!has_dictionary_.value_or(false)) return tally_;
  tally_.nans += used_.nan_count();
  if (used_.lowest()) {
    tally_.values.add(used_.entries()[*used_.lowest()]);
    tally_.values.add(used_.entries()[*used_.highest()]);
  }
  for (const std::uint32_t nan : used_.nan_entries()) tally_.values.add(used_.entries()[nan]);
  return tally_;
}

}  // namespace parqproof
