#include "conformance/observers/page_tally.hpp"

namespace parqproof {

void PageTally::open(const ChunkScope& scope, DictionaryUsage& use) {
  scope_ = &scope;
  use_ = &use;
  order_ = order_of_values(scope.leaf, scope.column_order());
  has_dictionary_.reset();
  dictionary_ = {};
}

bool PageTally::read_dictionary() {
  const std::uint64_t count = use_->size();
  if (count == 0)
    return true;  // a page without values needs no entry; the values of other pages are not known
  if (count * DictionaryView::kPerEntry > scope_->context.options.limits.memory_bytes / 16) return false;
  if (!use_->keep_image()) return false;
  dictionary_ = {use_->image().bytes, scope_->leaf.type, scope_->value_bytes(), count};
  return dictionary_.entries().size() == count;
}

bool PageTally::begin(const Page& page, bool with_values, bool with_distinct, const MinMax* entries) {
  coded_ = stored_ = MinMax(order_, scope_->leaf.type, scope_->value_bytes());
  tally_ = {};
  tally_.values = stored_;
  more_nans_ = 0;
  by_use_ = false;
  entries_ = entries != nullptr && entries->nan_count() == 0 ? entries : nullptr;
  with_distinct_ = with_distinct;
  if (with_distinct)
    tally_.distinct = DistinctCounter(scope_->leaf, scope_->context.options.limits.memory_bytes / 16);
  const bool coded =
      page.encoding() == Encoding::PLAIN_DICTIONARY || page.encoding() == Encoding::RLE_DICTIONARY;
  if (!with_values || !coded) return true;
  by_use_ = !with_distinct && entries_ != nullptr && !use_->has_marks() && use_->ask_for_values_again();
  if (!by_use_ && !has_dictionary_) has_dictionary_ = read_dictionary();
  return by_use_ || *has_dictionary_;
}

void PageTally::add(const ValueBatch& batch) {
  const bool coded = batch.form == ValueBatch::Form::indices || batch.form == ValueBatch::Form::index_run;
  if (coded && use_->size() == 0) return;
  if (with_distinct_) tally_.distinct.add(batch, dictionary_.entries());
  if (!coded) return stored_.add(batch);
  // Once the page has the min and the max entry, others make no difference.
  if (by_use_ || (entries_ != nullptr && coded_ == *entries_)) return;
  const std::uint64_t nans = coded_.nan_count();
  coded_.add(dictionary_.values_of(batch));
  if (batch.form == ValueBatch::Form::index_run && coded_.nan_count() != nans) more_nans_ += batch.count - 1;
}

const ValueTally& PageTally::end(const PageEnd& end) {
  tally_.entries = static_cast<std::int64_t>(end.entries);
  tally_.nulls = end.entries - end.levels.stored;
  tally_.null_leaves = end.levels.null_leaves;
  tally_.null_elements = end.levels.null_elements;
  if (by_use_ && end.levels.stored != 0) {
    if (use_->all_used()) {
      coded_ = *entries_;
    } else {
      use_->for_each_used(scope_->context.options.limits, scope_->services.budget,
                          [this](const ValueBatch& batch) { coded_.add(batch); });
    }
  }
  tally_.values.add(stored_);
  tally_.values.add(coded_);
  tally_.nans = tally_.values.nan_count() + more_nans_;
  return tally_;
}

std::optional<FoundValue> PageTally::find(const PageEnd& end,
                                          const std::function<bool(std::span<const std::uint8_t>)>& is_it) {
  if (by_use_ && !has_dictionary_) has_dictionary_ = read_dictionary();
  return find_value(*scope_, end, dictionary_.entries(), is_it);
}

}  // namespace parqproof
