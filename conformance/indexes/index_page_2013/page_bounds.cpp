#include <cstdint>
#include <utility>

#include "codec/encoding/min_max.hpp"
#include "conformance/indexes/index_observers.hpp"

namespace parqproof {
namespace {

class PageBoundsObserver final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage& use) override {
    scope_ = &scope;
    use_ = &use;
    order_ = order_of(scope.leaf);
    if (scope.services.page_values.bounds() == nullptr || order_ == Order::none) return {};
    width_ = scope.value_bytes();
    dictionary_ = {};
    values_ = MinMax(order_, scope.leaf.type, width_);
    return {.dictionary = true, .values = true, .pages = true};
  }

  void end_dictionary(const ValueSection& section) override {
    const std::uint64_t count = section.spec.count;
    if (!charge(section.bytes.size() + count * DictionaryView::kPerEntry) || !use_->ask_for_values()) return;
    dictionary_ = {use_->image().bytes, scope_->leaf.type, width_, count};
  }

  void values(const ValueSection&, const ValueBatch& batch) override {
    if (scope_->services.page_values.bounds()->overflown) return;
    const bool coded = batch.form == ValueBatch::Form::indices || batch.form == ValueBatch::Form::index_run;
    values_.add(coded ? dictionary_.values_of(batch) : batch);
  }

  void end_page(const PageEnd& end) override {
    PageBounds page;
    page.page = end.page.ordinal();
    page.any = !(values_.empty() || values_.only_nans());
    if (page.any) {
      const PlainBytes min = values_.min();
      const PlainBytes max = values_.max();
      page.min.assign(min.begin(), min.end());
      page.max.assign(max.begin(), max.end());
    }
    values_ = MinMax(order_, scope_->leaf.type, width_);
    if (!charge(page.min.size() + page.max.size())) return;
    page.known = end.values_known;
    scope_->services.page_values.bounds()->pages.push_back(std::move(page));
  }

 private:
  [[nodiscard]] bool charge(std::uint64_t bytes) noexcept {
    BoundsOfPages& bounds = *scope_->services.page_values.bounds();
    bounds.overflown = bounds.overflown || bytes > bounds.room;
    if (!bounds.overflown) bounds.room -= bytes;
    return !bounds.overflown;
  }

  const ChunkScope* scope_ = nullptr;
  DictionaryUsage* use_ = nullptr;
  Order order_ = Order::none;
  std::uint32_t width_ = 0;
  DictionaryLookup dictionary_;
  MinMax values_;  // of the page
};

}  // namespace

std::unique_ptr<ChunkObserver> page_bounds_observer() { return std::make_unique<PageBoundsObserver>(); }

}  // namespace parqproof
