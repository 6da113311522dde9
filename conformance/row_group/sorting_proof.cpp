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
    state_ = {};
    return {.dictionary = true, .levels = scope.leaf.max_definition > 0, .values = true, .end = true};
  }

  void end_dictionary(const ValueSection& section) override {
    const Limits& limits = scope_->context.options.limits;
    // Without the dictionary the proof fails at the first index, and check_sorting() reads the rows.
    if (!use_->ask_for_values() || !dictionary_.open(use_->image(), scope_->leaf, section.spec.count, limits))
      dictionary_.clear();
  }

  void levels(const Page&, const LevelBatch& batch) override {
    const std::uint32_t max_definition = scope_->leaf.max_definition;
    if (batch.definition == nullptr) {
      return batch.run_definition == max_definition ? add_value_levels() : add_nulls(batch.count);
    }
    for (std::uint64_t i = 0; i < batch.count; ++i) {
      if (batch.definition[i] == max_definition) {
        add_value_levels();
      } else {
        add_nulls(1);
      }
    }
  }

  void values(const ValueSection&, const ValueBatch& batch) override {
    if (state_.failed || batch.count == 0) return;
    switch (batch.form) {
      case ValueBatch::Form::fixed:
        return add_fixed(batch);
      case ValueBatch::Form::indices:
      case ValueBatch::Form::index_run:
        return add_indices(batch);
      case ValueBatch::Form::boolean_run: {
        const auto value = static_cast<std::uint8_t>(batch.run);
        state_.may_have_ties |= batch.count > 1;
        return add({&value, 1});
      }
      case ValueBatch::Form::byte_arrays:
      case ValueBatch::Form::booleans:
        break;
    }
    compare_with_previous(bytes_of(batch, 0, 0));
    for (std::uint64_t i = 1; i < batch.count && !state_.failed; ++i) {
      compare_rows(bytes_of(batch, i - 1, 0), bytes_of(batch, i, 0));
    }
    keep(bytes_of(batch, batch.count - 1, 0));
  }

  void end_chunk(const ChunkEnd& end) override {
    if (state_.failed || !end.complete || !end.values_known) return;
    scope_->services.sort_proof = state_.may_have_ties ? SortProof::sorted : SortProof::distinct;
  }

 private:
  void compare_rows(std::span<const std::uint8_t> before, std::span<const std::uint8_t> value) {
    const Comparison found = compare(key_.order, before, value);
    const Comparison due = key_.descending ? Comparison::greater : Comparison::less;
    state_.may_have_ties |= found == Comparison::equal;
    state_.failed |= found != Comparison::equal && found != due;
  }

  void compare_with_previous(std::span<const std::uint8_t> value) {
    if (state_.has_previous) return compare_rows(previous_, value);
    // Later NaNs fail by comparison, unless the order is total.
    state_.failed |= is_nan(key_.order, value);
  }

  void keep(std::span<const std::uint8_t> value) {
    previous_.assign(value.begin(), value.end());
    state_.has_previous = true;
  }

  void add(std::span<const std::uint8_t> value) {
    compare_with_previous(value);
    keep(value);
  }

  void add_nulls(std::uint64_t count) noexcept {
    state_.failed |= key_.nulls_first && state_.has_value;
    state_.may_have_ties |= state_.has_null || count > 1;
    state_.has_null = true;
  }

  void add_value_levels() noexcept {
    state_.failed |= !key_.nulls_first && state_.has_null;
    state_.has_value = true;
  }

  void add_fixed(const ValueBatch& batch) {
    const std::uint32_t width = scope_->value_bytes();
    const auto count = static_cast<std::size_t>(batch.count);
    const bool is_narrow = width == sizeof(std::int32_t);
    const std::uint8_t* const values = batch.fixed;
    add({values, width});
    switch (key_.order) {
      case Order::signed_int:
        is_narrow ? compare_all<std::int32_t>(values, count) : compare_all<std::int64_t>(values, count);
        break;
      case Order::unsigned_int:
        is_narrow ? compare_all<std::uint32_t>(values, count) : compare_all<std::uint64_t>(values, count);
        break;
      case Order::floating:
        is_narrow ? compare_all<float>(values, count) : compare_all<double>(values, count);
        break;
      default:
        for (std::size_t i = 1; i < count && !state_.failed; ++i) add({values + i * width, width});
        return;
    }
    keep({values + (count - 1) * width, width});
  }

  /// Compares each of `count` > 0 numbers with the next.
  template <typename T>
  void compare_all(const std::uint8_t* values, std::size_t count) {
    bool ordered = true;
    bool distinct = true;
    T last = load_le<T>(values);
    for (std::size_t i = 1; i < count; ++i) {
      const T next = load_le<T>(values + i * sizeof(T));
      ordered &= key_.descending ? last >= next : last <= next;  // false if one is NaN
      distinct &= last != next;
      last = next;
    }
    state_.failed |= !ordered;
    state_.may_have_ties |= !distinct;
  }

  void add_indices(const ValueBatch& batch) {
    if (batch.form == ValueBatch::Form::index_run) {
      state_.may_have_ties |= batch.count > 1;
      return add_entry(batch.run);
    }
    const std::uint32_t* const indices = batch.indices;
    add_entry(indices[0]);
    for (std::uint64_t i = 1; i < batch.count && !state_.failed; ++i) {
      if (indices[i] == indices[i - 1]) {
        state_.may_have_ties = true;
      } else {
        add_entry(indices[i]);
      }
    }
  }

  /// Adds a dictionary entry; if there is none, the proof fails.
  void add_entry(std::uint32_t index) {
    state_.failed |= index >= dictionary_.size();
    if (state_.failed) return;
    const ByteArray bytes = dictionary_[index];
    add({bytes.data, bytes.size});
  }

  const ChunkScope* scope_ = nullptr;
  DictionaryUsage* use_ = nullptr;
  SortKey key_;
  Dictionary dictionary_;
  std::vector<std::uint8_t> previous_;
  struct State {
    bool has_previous = false;
    bool has_value = false;  // a value was seen in the levels
    bool has_null = false;
    bool failed = false;         // the proof failed
    bool may_have_ties = false;  // adjacent rows may be equal
  } state_;
};

}  // namespace

std::unique_ptr<ChunkObserver> sorting_proof() { return std::make_unique<SortingProof>(); }

}  // namespace parqproof
