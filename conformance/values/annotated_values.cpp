#include "conformance/values/annotated_values.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace parqproof {

ChunkObserver::Wants AnnotatedValues::open(const ChunkScope& scope, DictionaryUsage& use) {
  scope_ = &scope;
  use_ = &use;
  dictionary_page_ = {};
  faulty_entries_ = false;
  tallies_.clear();
  values_ = 0;
  judge_ = judge_of_values(scope.leaf, scope.site.findings);
  if (judge_ == nullptr) return {};
  const bool entries = judge_->judges_entries();
  return {.dictionary = entries, .levels = false, .values = true, .pages = true, .end = entries};
}

template <typename Find>
void AnnotatedValues::count(const FaultyValue& faulty, const ValueBatch& batch, std::uint64_t first,
                            Find&& place) {
  auto tally = std::ranges::find(tallies_, faulty.rule, &Tally::rule);
  if (tally == tallies_.end()) {
    tallies_.push_back({faulty.rule, 0, first + faulty.i, place(faulty.i),
                        judge_->describe(faulty.rule, bytes_of(batch, faulty.i, scope_->value_bytes()))});
    tally = tallies_.end() - 1;
  }
  tally->times += faulty.times;
}

void AnnotatedValues::report(const Place& page, std::uint64_t page_offset) {
  for (Tally& tally : tallies_) {
    tally.what.detail = std::to_string(tally.ordinal);
    report_in_page(scope_->site.findings, tally.rule, page, tally.at, page_offset, std::move(tally.what),
                   tally.times);
  }
  tallies_.clear();
}

void AnnotatedValues::dictionary(const ValueSection&, const ValueBatch& batch) {
  if (faulty_entries_) return;
  faulty_.clear();
  judge_->judge(batch, faulty_);
  faulty_entries_ = !faulty_.empty();
}

/// Keeps the dictionary until the end of the chunk, where it is known which faulty entries are used.
void AnnotatedValues::end_dictionary(const ValueSection& section) {
  if (!faulty_entries_ || !use_->ask_for_values()) return;
  dictionary_page_ = section.page.place;
  dictionary_offset_ = section.page.offset;
}

void AnnotatedValues::begin_page(const Page&) {
  tallies_.clear();
  values_ = 0;
}

void AnnotatedValues::values(const ValueSection& section, const ValueBatch& batch) {
  faulty_.clear();
  judge_->judge(batch, faulty_);
  for (const FaultyValue& faulty : faulty_)
    count(faulty, batch, values_, [&](std::uint64_t i) { return section.place_of(batch, i); });
  values_ += batch.count;
}

void AnnotatedValues::end_page(const PageEnd& end) {
  if (!end.misread) report(end.page.place, end.page.offset);
}

void AnnotatedValues::end_chunk(const ChunkEnd&) {
  if (dictionary_page_.page < 0) return;  // no faulty entry, or the dictionary could not be read to its end
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

}  // namespace parqproof
