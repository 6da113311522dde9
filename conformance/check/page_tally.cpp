#include "conformance/check/page_tally.hpp"

namespace parqproof {

void PageTally::open(ChunkScope& scope, DictionaryUse& use) {
  scope_ = &scope;
  use_ = &use;
  order_ = StatisticsClaims::order_of_values(scope.leaf, scope.stated_order());
  has_dictionary_.reset();
}

bool PageTally::read_dictionary() {
  used_.begin_dictionary(order_, {});
  const std::uint64_t count = use_->size();
  if (count * UsedExtremes::kPerEntry > scope_->context.options.limits.memory_bytes / 16) return false;
  if (count == 0 || !use_->keep_image()) return false;
  used_.begin_dictionary(order_, {use_->image().bytes, scope_->leaf.type, scope_->width(), count});
  return used_.entries().size() == count;
}

bool PageTally::begin(const Page& page, bool with_values, bool with_distinct, const MinMax* entries) {
  stored_ = MinMax(order_, scope_->leaf.type, scope_->width());
  tally_ = {};
  tally_.values = stored_;
  with_distinct_ = with_distinct;
  if (with_distinct)
    tally_.distinct = DistinctValues(scope_->leaf, scope_->context.options.limits.memory_bytes / 16);
  const bool coded =
      page.encoding() == Encoding::PLAIN_DICTIONARY || page.encoding() == Encoding::RLE_DICTIONARY;
  used_.begin_page();
  entries_ = nullptr;
  if (!with_values || !coded) return true;
  // The first page: the use of the dictionary is its own.
  if (!with_distinct && entries != nullptr && entries->nan_count() == 0 && !use_->has_marks() &&
      use_->ask_for_values_again()) {
    entries_ = entries;
    return true;
  }
  if (!has_dictionary_) {
    has_dictionary_ = read_dictionary();
    used_.begin_page();
  }
  return *has_dictionary_;
}

void PageTally::add(const ValueBatch& batch) {
  stored_.add(batch);
  if (entries_ == nullptr) used_.add(batch);
  if (with_distinct_) tally_.distinct.add(batch, used_.entries());
}

const ValueTally& PageTally::end(const PageEnd& end) {
  tally_.entries = static_cast<std::int64_t>(end.entries);
  tally_.nulls = end.entries - end.levels.stored;
  tally_.null_leaves = end.levels.null_leaves;
  tally_.null_elements = end.levels.null_elements;
  tally_.nans = stored_.nan_count();
  tally_.values.add(stored_);
  if (entries_ != nullptr) {
    if (end.levels.stored == 0) return tally_;
    if (use_->all_used()) {
      tally_.values.add(*entries_);
    } else {
      use_->for_each_used(scope_->context.options.limits, scope_->budget,
                          [this](const ValueBatch& batch) { tally_.values.add(batch); });
    }
    return tally_;
  }
  if (!has_dictionary_.value_or(false)) return tally_;
  tally_.nans += used_.nan_count();
  if (used_.lowest()) {
    tally_.values.add(used_.entries()[*used_.lowest()]);
    tally_.values.add(used_.entries()[*used_.highest()]);
  }
  for (const std::uint32_t nan : used_.nan_entries()) tally_.values.add(used_.entries()[nan]);
  return tally_;
}

std::optional<FoundValue> PageTally::find(const PageEnd& end,
                                          const std::function<bool(std::span<const std::uint8_t>)>& is_it) {
  if (entries_ != nullptr && !has_dictionary_) has_dictionary_ = read_dictionary();
  return find_value(*scope_, end, used_.entries(), is_it);
}

}  // namespace parqproof
