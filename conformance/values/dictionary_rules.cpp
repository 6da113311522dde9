#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "codec/schema/value_text.hpp"
#include "conformance/observers/value_tally.hpp"
#include "conformance/values/value_observers.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kLengthBytes = 4;  // length prefix before a BYTE_ARRAY value

class DictionaryRules final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage& use) override {
    scope_ = &scope;
    use_ = &use;
    order_ = order_of_values(scope.leaf, scope.column_order());
    previous_.clear();
    entries_.clear();
    page_ = {};
    has_previous_ = unsorted_ = false;
    return {.dictionary = true, .end = true};
  }

  void dictionary(const ValueSection& section, const ValueBatch& batch) override {
    const bool sorted = section.page.header.dictionary_page_header.is_sorted;
    if (!sorted && !scope_->site.wants(Rule::dictionary_entries_distinct)) return;
    const std::uint32_t width = scope_->value_bytes();
    for (std::uint64_t i = 0; i < batch.count; ++i) {
      View at = section.place_of(batch, i);
      switch (batch.form) {
        case ValueBatch::Form::fixed:
          entry(section, {batch.fixed + i * width, width}, at.base);
          break;
        case ValueBatch::Form::byte_arrays:
          at.base -= kLengthBytes;
          entry(section, {batch.byte_arrays[i].data, batch.byte_arrays[i].size}, at.base, kLengthBytes);
          break;
        case ValueBatch::Form::booleans:
          at.base = batch.offset;
          entry(section, {batch.booleans + i, 1}, at.base);
          break;
        default:
          break;
      }
    }
  }

  void end_dictionary(const ValueSection& section) override {
    if (!scope_->site.wants(Rule::dictionary_unused_entries)) return;
    use_->ask();
    page_ = section.page.place;
    count_ =
        thrift::locate(section.page.header_bytes, PageHeader::kType, "dictionary_page_header.num_values");
  }

  void end_chunk(const ChunkEnd& end) override {
    if (!end.sums_known || page_.page < 0) return;
    const std::uint64_t unused = use_->unused();
    if (unused == 0) return;
    report_at(scope_->site.findings, Rule::dictionary_unused_entries, page_, count_.value,
              count_.end - count_.value, contrast(unused, 0), "dictionary_page_header.num_values");
  }

 private:
  /// Judges the entry at `at`, whose first `before` bytes are its length prefix.
  void entry(const ValueSection& section, std::span<const std::uint8_t> value, std::uint64_t at,
             std::size_t before = 0) {
    if (section.page.header.dictionary_page_header.is_sorted && !unsorted_ && order_ != Order::none) {
      if (has_previous_ && compare(order_, previous_, value) == Comparison::greater) {
        unsorted_ = true;
        FindingSite::of_page_header(scope_->site.findings, section.page)
            .report(Rule::dictionary_sorted, "dictionary_page_header.is_sorted",
                    contrast(short_value(value, scope_->leaf), short_value_or_more(previous_, scope_->leaf)));
      }
      if (compare(order_, value, value) == Comparison::equal) {  // NaN is not ordered
        previous_.assign(value.begin(), value.end());
        has_previous_ = true;
      }
    }
    if (scope_->site.wants(Rule::dictionary_entries_distinct) &&
        !entries_.emplace(reinterpret_cast<const char*>(value.data()), value.size()).second) {
      const View bytes =
          section.bytes.part(static_cast<std::size_t>(at - section.bytes.base), before + value.size());
      report_in_page(scope_->site.findings, Rule::dictionary_entries_distinct, section.page.place, bytes,
                     section.page.offset, contrast(short_value(value, scope_->leaf), "an entry of its own"));
    }
  }

  const ChunkScope* scope_ = nullptr;
  DictionaryUsage* use_ = nullptr;
  Order order_ = Order::none;
  std::vector<std::uint8_t> previous_;
  std::unordered_set<std::string> entries_;
  Place page_;            // of the dictionary
  thrift::Extent count_;  // of its num_values
  bool has_previous_ = false;
  bool unsorted_ = false;  // dictionary/sorted is violated
};

}  // namespace

std::unique_ptr<ChunkObserver> dictionary_rules() { return std::make_unique<DictionaryRules>(); }

}  // namespace parqproof
