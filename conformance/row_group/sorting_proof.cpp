#include "conformance/row_group/sorting_proof.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/record/dictionary.hpp"
#include "conformance/row_group/sorting_columns.hpp"
#include "conformance/values/value_judges.hpp"

namespace parqproof {
namespace {

class SortingProof final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage& use) override {
    const RowGroupClaim& group = scope.context.footer.row_groups[scope.claim.row_group];
    if (!group.has_sorting_columns ||
        group.first_sorting_column != static_cast<std::int32_t>(scope.claim.leaf))
      return {};
    const std::optional<SortKey> key = first_sort_key(scope.context, group);
    if (!key) return {};
    scope_ = &scope;
    use_ = &use;
    key_ = *key;
    dictionary_.clear();
    has_previous_ = has_value_ = has_null_ = failed_ = ties_ = false;
    return {.dictionary = true, .levels = scope.leaf.max_definition > 0, .values = true, .end = true};
  }

  void end_dictionary(const ValueSection& section) override {
    const bool opened =
        use_->ask_for_values() &&
        dictionary_.open(use_->image(), scope_->leaf, section.spec.count, scope_->context.options.limits);
    if (!opened) dictionary_.clear();
  }

  void levels(const Page&, const LevelBatch& batch) override {
    const std::uint32_t there = scope_->leaf.max_definition;
    if (batch.definition == nullptr) {
      return batch.run_definition == there ? not_nulls() : nulls(batch.count);
    }
    for (std::uint64_t i = 0; i < batch.count; ++i) {
      if (batch.definition[i] == there) {
        not_nulls();
      } else {
        nulls(1);
      }
    }
  }

  void values(const ValueSection&, const ValueBatch& batch) override {
    if (failed_ || batch.count == 0) return;
    switch (batch.form) {
      case ValueBatch::Form::fixed:
        return fixed(batch);
      case ValueBatch::Form::indices:
      case ValueBatch::Form::index_run:
        return indices(batch);
      case ValueBatch::Form::boolean_run: {
        const auto value = static_cast<std::uint8_t>(batch.run);
        ties_ = ties_ || batch.count > 1;
        return step_across({&value, 1});
      }
      case ValueBatch::Form::byte_arrays:
      case ValueBatch::Form::booleans:
        break;
    }
    step(bytes_of(batch, 0, 0));
    for (std::uint64_t i = 1; i < batch.count && !failed_; ++i) {
      pair(bytes_of(batch, i - 1, 0), bytes_of(batch, i, 0));
    }
    const std::span<const std::uint8_t> last = bytes_of(batch, batch.count - 1, 0);
    previous_.assign(last.begin(), last.end());
    has_previous_ = true;
  }

  void end_chunk(const ChunkEnd& end) override {
    if (failed_ || !end.complete || !end.values_known) return;
    scope_->services.sort_proof = ties_ ? SortProof::sorted : SortProof::distinct;
  }

 private:
  void pair(std::span<const std::uint8_t> before, std::span<const std::uint8_t> value) {
    const Comparison found = compare(key_.order, before, value);
    ties_ = ties_ || found == Comparison::equal;
    const Comparison due = key_.descending ? Comparison::greater : Comparison::less;
    failed_ = failed_ || (found != Comparison::equal && found != due);
  }

  /// Adds the next value, which must stay valid until the next call.
  void step(std::span<const std::uint8_t> value) {
    if (has_previous_) {
      pair(previous_, value);
    } else {
      failed_ = failed_ || is_nan(key_.order, value);
    }
  }

  /// Adds the next value and keeps a copy of it.
  void step_across(std::span<const std::uint8_t> value) {
    step(value);
    previous_.assign(value.begin(), value.end());
    has_previous_ = true;
  }

  void nulls(std::uint64_t count) noexcept {
    failed_ = failed_ || (key_.nulls_first && has_value_);
    ties_ = ties_ || has_null_ || count > 1;
    has_null_ = true;
  }

  void not_nulls() noexcept {
    failed_ = failed_ || (!key_.nulls_first && has_null_);
    has_value_ = true;
  }

  void fixed(const ValueBatch& batch) {
    const std::uint32_t width = scope_->value_bytes();
    const auto count = static_cast<std::size_t>(batch.count);
    const bool narrow = width == sizeof(std::int32_t);
    const std::uint8_t* const values = batch.fixed;
    step_across({values, width});
    switch (key_.order) {
      case Order::signed_int:
        narrow ? numbers<std::int32_t>(values, count) : numbers<std::int64_t>(values, count);
        break;
      case Order::unsigned_int:
        narrow ? numbers<std::uint32_t>(values, count) : numbers<std::uint64_t>(values, count);
        break;
      case Order::floating:
        narrow ? numbers<float>(values, count) : numbers<double>(values, count);
        break;
      default:
        for (std::size_t i = 1; i < count && !failed_; ++i) step_across({values + i * width, width});
        return;
    }
    previous_.assign(values + (count - 1) * width, values + count * width);
  }

  template <typename T>
  void numbers(const std::uint8_t* values, std::size_t count) {
    bool ordered = true;
    bool distinct = true;
    T last = load_le<T>(values);
    for (std::size_t i = 1; i < count; ++i) {
      const T next = load_le<T>(values + i * sizeof(T));
      ordered &= key_.descending ? last >= next : last <= next;  // false if one is NaN
      distinct &= last != next;
      last = next;
    }
    failed_ = failed_ || !ordered;
    ties_ = ties_ || !distinct;
  }

  void indices(const ValueBatch& batch) {
    std::span<const std::uint8_t> value;
    if (batch.form == ValueBatch::Form::index_run) {
      ties_ = ties_ || batch.count > 1;
      if (entry(batch.run, value)) step_across(value);
      return;
    }
    const std::uint32_t* const indices = batch.indices;
    if (entry(indices[0], value)) step_across(value);
    for (std::uint64_t i = 1; i < batch.count && !failed_; ++i) {
      if (indices[i] == indices[i - 1]) {
        ties_ = true;
      } else if (entry(indices[i], value)) {
        step_across(value);
      }
    }
  }

  /// Gets a dictionary entry; returns false if there is none.
  [[nodiscard]] bool entry(std::uint32_t index, std::span<const std::uint8_t>& value) {
    failed_ = failed_ || index >= dictionary_.size();
    if (failed_) return false;
    const ByteArray bytes = dictionary_[index];
    value = {bytes.data, bytes.size};
    return true;
  }

  const ChunkScope* scope_ = nullptr;
  DictionaryUsage* use_ = nullptr;
  SortKey key_;
  Dictionary dictionary_;
  std::vector<std::uint8_t> previous_;
  bool has_previous_ = false;
  bool has_value_ = false;  // a value was seen in the levels
  bool has_null_ = false;
  bool failed_ = false;  // the proof failed
  bool ties_ = false;    // adjacent rows may be equal
};

}  // namespace

std::unique_ptr<ChunkObserver> sorting_proof() { return std::make_unique<SortingProof>(); }

}  // namespace parqproof
