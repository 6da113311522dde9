#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/observers/rule_tally.hpp"
#include "conformance/values/value_judges.hpp"
#include "conformance/values/value_observers.hpp"

namespace parqproof {
namespace {

/// Applies the rules of a ValueJudge to pages and dictionaries. A dictionary entry counts only if a value
/// refers to it.
class AnnotatedValues final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage& use) override {
    scope_ = &scope;
    use_ = &use;
    dictionary_page_ = {};
    faulty_entries_ = false;
    tallies_.clear();
    values_ = 0;
    judge_ = judge_of_values(scope.leaf, scope.site.findings);
    if (judge_ == nullptr) return {};
    const bool entries = judge_->judges_entries();
    return {.dictionary = entries, .values = true, .pages = true, .end = entries};
  }

  void dictionary(const ValueSection&, const ValueBatch& batch) override {
    if (faulty_entries_) return;
    faulty_.clear();
    judge_->judge(batch, faulty_);
    faulty_entries_ = !faulty_.empty();
  }

  /// Keeps the dictionary until the end of the chunk, where it is known which faulty entries are used.
  void end_dictionary(const ValueSection& section) override {
    if (!faulty_entries_ || !use_->ask_for_values()) return;
    dictionary_page_ = section.page.place;
    dictionary_offset_ = section.page.offset;
  }

  void begin_page(const Page&) override {
    tallies_.clear();
    values_ = 0;
  }

  void values(const ValueSection& section, const ValueBatch& batch) override {
    faulty_.clear();
    judge_->judge(batch, faulty_);
    for (const FaultyValue& faulty : faulty_)
      count(faulty, batch, values_, [&](std::uint64_t i) { return section.place_of(batch, i); });
    values_ += batch.count;
  }

  void end_page(const PageEnd& end) override {
    if (!end.misread) report(end.page.place, end.page.offset);
  }

  void end_chunk(const ChunkEnd& end) override {
    // Without a page there is no faulty entry, or the dictionary could not be read to its end.
    if (dictionary_page_.page < 0 || !end.entries_trusted) return;
    const View image = use_->image();
    tallies_.clear();
    const auto take = [&](const ValueBatch& batch, std::uint64_t first) {
      faulty_.clear();
      judge_->judge(batch, faulty_);
      for (const FaultyValue& faulty : faulty_) {
        count(faulty, batch, first, [&](std::uint64_t i) {
          const std::span<const std::uint8_t> value = bytes_of(batch, i, scope_->value_bytes());
          return image.part(static_cast<std::size_t>(value.data() - image.data()), value.size());
        });
      }
    };
    use_->for_each_used(scope_->context.options.limits, scope_->services.budget, take);
    report(dictionary_page_, dictionary_offset_);
  }

 private:
  /// Counts a faulty value of a batch whose first value has the ordinal `first`; `place` returns the bytes of
  /// a value.
  template <typename Find>
  void count(const FaultyValue& faulty, const ValueBatch& batch, std::uint64_t first, Find&& place) {
    auto tally = std::ranges::find(tallies_, faulty.rule, &RuleTally::rule);
    if (tally == tallies_.end()) {
      tallies_.push_back({faulty.rule, 0, first + faulty.i, place(faulty.i),
                          judge_->describe(faulty.rule, bytes_of(batch, faulty.i, scope_->value_bytes()))});
      tally = tallies_.end() - 1;
    }
    tally->times += faulty.times;
  }

  void report(const Place& page, std::uint64_t page_offset) {
    report_values(scope_->site.findings, tallies_, page, page_offset);
  }

  const ChunkScope* scope_ = nullptr;
  DictionaryUsage* use_ = nullptr;
  std::unique_ptr<ValueJudge> judge_;  // null if no rule applies
  std::vector<FaultyValue> faulty_;    // of a batch
  std::vector<RuleTally> tallies_;     // of the page so far, one per rule
  std::uint64_t values_ = 0;           // of the page so far
  bool faulty_entries_ = false;        // the dictionary has faulty entries
  Place dictionary_page_;
  std::uint64_t dictionary_offset_ = 0;
};

}  // namespace

std::unique_ptr<ChunkObserver> annotated_values() { return std::make_unique<AnnotatedValues>(); }

}  // namespace parqproof
