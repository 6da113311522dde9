#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/file/bloom_filter.hpp"
#include "conformance/indexes/index_observers.hpp"

namespace parqproof {
namespace {

/// Above this share of set bits the filter excludes few values: with 0.9 for each of eight bits, 43 % pass.
constexpr double kSaturated = 0.9;

/// Min number of bits that a value sets.
constexpr std::string_view kMinBits = "8 or more";

class BloomFilterObserver final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage& use) override {
    scope_ = &scope;
    use_ = &use;
    entries_.clear();
    entries_known_ = false;
    values_ = times_ = 0;
    if (!scope.filter || !read_bits() || !judge_bits()) return {};
    const bool asked =
        scope.site.wants(empty_ ? Rule::bloom_filter_empty : Rule::bloom_filter_false_negative);
    const bool by_value = asked && !empty_;
    return {.dictionary = by_value, .values = asked, .pages = by_value, .end = by_value};
  }

  void dictionary(const ValueSection&, const ValueBatch& batch) override {
    for_each_missed(batch, [this](const Missed& missed) { entries_.push_back(missed); });
    values_ += batch.count;
  }

  void end_dictionary(const ValueSection&) override {
    entries_known_ = true;
    if (!entries_.empty()) use_->ask();
  }

  void begin_page(const Page&) override { values_ = times_ = 0; }

  void values(const ValueSection&, const ValueBatch& batch) override {
    if (empty_) {
      if (times_++ == 0) judge_empty();
      return;
    }
    for_each_missed(batch, [this](const Missed& missed) {
      if (times_++ == 0 || missed.bit.word_offset() < first_.bit.word_offset()) first_ = missed;
    });
    values_ += batch.count;
  }

  void end_page(const PageEnd& end) override {
    // Values of a damaged page are no evidence.
    if (times_ != 0 && end.values_known) report(first_, "page " + std::to_string(end.page.ordinal()), times_);
  }

  void end_chunk(const ChunkEnd& end) override {
    if (!entries_known_ || !end.entries_trusted) return;
    std::uint64_t used = 0;
    const Missed* first = nullptr;
    for (const Missed& entry : entries_) {
      if (!use_->is_used(static_cast<std::size_t>(entry.ordinal))) continue;
      if (used++ == 0 || entry.bit.word_offset() < first->bit.word_offset()) first = &entry;
    }
    if (first != nullptr) report(*first, "the dictionary", used);
  }

 private:
  /// A value that is not found.
  struct Missed {
    std::uint64_t ordinal = 0;  ///< of the value in its page
    BloomFilter::Bit bit;       ///< the first missing bit
  };

  [[nodiscard]] bool read_bits() {
    bits_ = scope_->filter->decrypted;
    bits_.resize(static_cast<std::size_t>(scope_->filter->size));
    if (scope_->filter->decrypted.empty() &&
        !scope_->context.input.source.read(scope_->filter->offset, bits_))
      return false;
    filter_ = BloomFilter(bits_);
    empty_ = std::ranges::all_of(bits_, [](std::uint8_t byte) { return byte == 0; });
    return true;
  }

  /// Judges the bits. Returns true if they can be the result of values.
  [[nodiscard]] bool judge_bits() const {
    if (empty_) {
      // At tier values, the values themselves show that the chunk has one.
      if (scope_->context.options.tier != Tier::values && claims_values()) judge_empty();
      return true;
    }
    const BloomFilter::BrokenBlocks broken = filter_.broken_blocks();
    if (broken.words != 0) {
      // bloom-filter/block-words
      at_word(Rule::bloom_filter_block_words, broken.first, broken.words,
              contrast(0, "a bit that is set", std::to_string(broken.first.block)));
      return false;
    }
    if (scope_->site.wants(Rule::bloom_filter_fill) || scope_->site.wants(Rule::bloom_filter_saturated))
      report_fill();
    return true;
  }

  /// bloom-filter/fill, or bloom-filter/saturated.
  void report_fill() const {
    const BloomFilter::Fill fill = filter_.fill();
    const double share = static_cast<double>(fill.bits) / (8 * static_cast<double>(bits_.size()));
    const std::string found =
        fmt::format("{:.3g} %, as by about {:.0f} distinct values; {:.3g} % of absent values pass",
                    100 * share, fill.values, 100 * fill.false_positives);
    const bool saturated = share > kSaturated;
    report_at(scope_->site.findings, saturated ? Rule::bloom_filter_saturated : Rule::bloom_filter_fill,
              scope_->place, scope_->filter->offset, bits_.size(),
              contrast(found, saturated ? "90 % at most" : ""));
  }

  /// Returns true if the chunk has a value that is not null by its metadata.
  [[nodiscard]] bool claims_values() const {
    const ColumnMetaData& meta = scope_->meta();
    if (scope_->leaf.max_definition == 0) return meta.num_values > 0;
    const Statistics& statistics = meta.statistics;
    return meta.has(ColumnMetaData::id_statistics) && statistics.has(Statistics::id_null_count) &&
           statistics.null_count >= 0 && meta.num_values > statistics.null_count;
  }

  /// bloom-filter/empty
  void judge_empty() const {
    report_at(scope_->site.findings, Rule::bloom_filter_empty, scope_->place, scope_->filter->offset,
              bits_.size(), contrast(0, kMinBits));
  }

  template <typename Take>
  void for_each_missed(const ValueBatch& batch, Take&& take) const {
    filter_.for_each_missing(batch, scope_->value_bytes(), [&](std::uint64_t i, std::uint64_t hash) {
      take(Missed{values_ + i, *filter_.missing(hash)});
    });
  }

  /// Makes a finding at the word of the bit, with `times` occurrences.
  void at_word(Rule rule, const BloomFilter::Bit& bit, std::uint64_t times, Contrast what) const {
    Finding finding;
    finding.rule = rule;
    finding.place = scope_->place;
    finding.offset = scope_->filter->offset + bit.word_offset();
    finding.length = sizeof(std::uint32_t);
    finding.times = times;
    finding.found = std::move(what.found);
    finding.expected = std::move(what.expected);
    finding.detail = std::move(what.detail);
    scope_->site.findings.add(std::move(finding));
  }

  /// bloom-filter/false-negative: `times` values are not found; `first` is the value whose missing bit is in
  /// the first word of the filter.
  void report(const Missed& first, std::string_view from, std::uint64_t times) const {
    at_word(
        Rule::bloom_filter_false_negative, first.bit, times,
        contrast(fmt::format("bit {} of word {} in block {}", first.bit.bit, first.bit.word, first.bit.block),
                 1, fmt::format("value {} of {}", first.ordinal, from)));
  }

  const ChunkScope* scope_ = nullptr;
  DictionaryUsage* use_ = nullptr;
  std::vector<std::uint8_t> bits_;
  BloomFilter filter_;
  bool empty_ = false;           // no bit is set
  std::vector<Missed> entries_;  // dictionary entries that are not found
  bool entries_known_ = false;   // the dictionary was read to its end
  std::uint64_t values_ = 0;     // of the page so far
  std::uint64_t times_ = 0;      // values of the page that are not found
  Missed first_;                 // the one with the first word of the filter
};

}  // namespace

std::unique_ptr<ChunkObserver> bloom_filter_observer() { return std::make_unique<BloomFilterObserver>(); }

}  // namespace parqproof
