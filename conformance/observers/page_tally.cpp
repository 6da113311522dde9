#include "conformance/observers/page_tally.hpp"

#include "codec/schema/value_text.hpp"
#include "conformance/state/row_positions.hpp"

namespace parqproof {
namespace {

/// Finds the row of the value with an ordinal among the values that a page stores.
class RowOfValue final : public LevelVisitor {
 public:
  RowOfValue(std::uint64_t ordinal, std::uint32_t max_definition) noexcept
      : ordinal_(ordinal), max_definition_(max_definition) {}

  void levels(const LevelBatch& batch) override {
    if (rows_) return;
    std::uint64_t values = batch.values_before;
    std::uint64_t rows = batch.rows_before;
    if (batch.definition == nullptr && batch.repetition == nullptr) {
      const bool stored = batch.run_definition == max_definition_;
      if (!stored || ordinal_ - values >= batch.count) return;
      rows_ = rows + (batch.run_repetition == 0 ? ordinal_ - values + 1 : 0);
      return;
    }
    for (std::uint64_t i = 0; i < batch.count; ++i) {
      if (batch.repetition_at(i) == 0) ++rows;
      if (batch.definition_at(i) != max_definition_) continue;
      if (values++ != ordinal_) continue;
      rows_ = rows;
      return;
    }
  }

  /// Rows that begin in the page up to and including the row of the value.
  [[nodiscard]] std::optional<std::uint64_t> rows() const noexcept { return rows_; }

 private:
  std::uint64_t ordinal_;
  std::uint32_t max_definition_;
  std::optional<std::uint64_t> rows_;
};

/// The row in the row group of the value with this ordinal in the page, if known.
std::optional<std::int64_t> row_of(const ChunkScope& scope, const PageEnd& end, std::uint64_t ordinal) {
  if (scope.position().trail == nullptr || !scope.position().trail->before()) return {};
  std::uint64_t rows = ordinal + 1;
  if (scope.leaf.max_definition != 0) {
    LevelReader levels(scope.context.footer.schema, scope.claim.leaf);
    RowOfValue found(ordinal, scope.leaf.max_definition);
    Notes notes;
    const DataPageParts& parts = *end.parts;
    if (!levels.read(parts.repetition, parts.definition, parts.count, notes, &found) || !found.rows())
      return {};
    rows = *found.rows();
  }
  return *scope.position().trail->before() + static_cast<std::int64_t>(rows) - 1;
}

}  // namespace

std::string FoundValue::text(const Node& leaf, bool with_page) const {
  std::string out = short_text(value, leaf);
  if (with_page) out += " in page " + std::to_string(page);
  if (row) out += (with_page ? ", row " : " in row ") + std::to_string(*row) + " of the row group";
  return out;
}

std::optional<FoundValue> find_value(const ChunkScope& scope, const PageEnd& end,
                                     const DictionaryView& dictionary,
                                     const std::function<bool(std::span<const std::uint8_t>)>& is_it) {
  if (end.parts == nullptr || !end.values_known || end.spec.count == 0) return {};
  Notes notes;
  Budget budget = scope.services.budget;
  ValueDecoder decoder;
  if (!decoder.open(end.parts->values, end.spec, scope.context.options.limits, budget, notes)) return {};
  std::optional<FoundValue> found;
  std::uint64_t ordinal = 0;  // of the next value
  while (!found) {
    const Result<ValueBatch> batch = decoder.next();
    if (!batch || batch->count == 0) return {};
    for_each_value(*batch, scope.value_bytes(), dictionary,
                   [&](std::span<const std::uint8_t> value, std::uint64_t times) {
                     if (found) return;
                     if (is_it(value)) {
                       found = FoundValue{{value.begin(), value.end()}, end.page.ordinal(), {}};
                     } else {
                       ordinal += times;
                     }
                   });
  }
  found->row = row_of(scope, end, ordinal);
  return found;
}

std::string describe_foreign_values(const ChunkScope& scope, const PageEnd& end,
                                    const DictionaryView& dictionary,
                                    const std::function<bool(std::span<const std::uint8_t>)>& is_outside) {
  // Values between two that are outside may be inside by chance.
  constexpr std::uint64_t kMaxGapFactor = 2;
  if (end.parts == nullptr || !end.values_known || end.page.header.has(PageHeader::id_crc)) return {};
  Notes notes;
  Budget budget = scope.services.budget;
  ValueDecoder decoder;
  if (!decoder.open(end.parts->values, end.spec, scope.context.options.limits, budget, notes)) return {};
  std::uint64_t ordinal = 0;  // of the next value
  std::uint64_t outside = 0;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  for (;;) {
    const Result<ValueBatch> batch = decoder.next();
    if (!batch) return {};
    if (batch->count == 0) break;
    for_each_value(*batch, scope.value_bytes(), dictionary,
                   [&](std::span<const std::uint8_t> value, std::uint64_t times) {
                     if (is_outside(value)) {
                       if (outside == 0) first = ordinal;
                       outside += times;
                       last = ordinal + times - 1;
                     }
                     ordinal += times;
                   });
  }
  const bool is_one_piece = outside > 1 && last - first < kMaxGapFactor * outside;
  // Sorted values above a bound that is too small end with the page.
  const bool is_inside_page = first != 0 && last + 1 < ordinal;
  if (!is_one_piece || !is_inside_page) return {};
  std::string out = "; page " + std::to_string(end.page.ordinal()) + " has no checksum, and its values " +
                    std::to_string(first) + " to " + std::to_string(last) + " of " + std::to_string(ordinal) +
                    " look foreign";
  const std::optional<std::int64_t> row = row_of(scope, end, first);
  const std::optional<std::int64_t> end_row = row_of(scope, end, last);
  if (row && end_row) out += " (rows " + std::to_string(*row) + " to " + std::to_string(*end_row) + ")";
  return out;
}

void PageTally::open(const ChunkScope& scope, DictionaryUsage& use) {
  scope_ = &scope;
  use_ = &use;
  order_ = order_of_bounds(scope.leaf, scope.column_order());
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
  const bool coded = is_dictionary_encoding(page.encoding());
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
