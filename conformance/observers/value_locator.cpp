#include "conformance/observers/value_locator.hpp"

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

}  // namespace parqproof
