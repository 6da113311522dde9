#include "conformance/values/dictionary_rules.hpp"

#include "codec/schema/value_text.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kLengthBytes = 4;  // length word before a BYTE_ARRAY value

}  // namespace

ChunkObserver::Wants DictionaryRules::open(const ChunkScope& scope, DictionaryUsage& use) {
  scope_ = &scope;
  use_ = &use;
  const Order stated = scope.column_order();
  order_ = stated != Order::none ? stated : order_of(scope.leaf);
  previous_.clear();
  entries_.clear();
  page_ = {};
  has_previous_ = unsorted_ = false;
  return {.dictionary = true, .levels = false, .values = false, .pages = false, .end = true};
}

void DictionaryRules::dictionary(const ValueSection& section, const ValueBatch& batch) {
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

void DictionaryRules::entry(const ValueSection& section, std::span<const std::uint8_t> value,
                            std::uint64_t at, std::size_t before) {
  const auto broken = [&](Rule rule, FindingValue expected) {
    const View bytes =
        section.bytes.part(static_cast<std::size_t>(at - section.bytes.base), before + value.size());
    report_in_page(scope_->site.findings, rule, section.page.place, bytes, section.page.offset,
                   contrast(short_value(value, scope_->leaf), std::move(expected)));
  };
  if (section.page.header.dictionary_page_header.is_sorted && !unsorted_ && order_ != Order::none) {
    if (has_previous_ && compare(order_, previous_, value) == Comparison::greater) {
      unsorted_ = true;
      const thrift::Extent flag =
          thrift::locate(section.page.header_bytes, PageHeader::kType, "dictionary_page_header.is_sorted");
      report_at(scope_->site.findings, Rule::dictionary_sorted, section.page.place, flag.value,
                flag.end - flag.value,
                contrast(short_value(value, scope_->leaf), short_value_or_more(previous_, scope_->leaf)),
                "dictionary_page_header.is_sorted");
    }
    if (compare(order_, value, value) == Comparison::equal) {  // NaN is not ordered
      previous_.assign(value.begin(), value.end());
      has_previous_ = true;
    }
  }
  if (scope_->site.wants(Rule::dictionary_entries_distinct) &&
      !entries_.emplace(reinterpret_cast<const char*>(value.data()), value.size()).second) {
    broken(Rule::dictionary_entries_distinct, "an entry of its own");
  }
}

void DictionaryRules::end_dictionary(const ValueSection& section) {
  if (!scope_->site.wants(Rule::dictionary_unused_entries)) return;
  use_->ask();
  page_ = section.page.place;
  count_ = thrift::locate(section.page.header_bytes, PageHeader::kType, "dictionary_page_header.num_values");
}

void DictionaryRules::end_chunk(const ChunkEnd& end) {
  if (!end.sums_known || page_.page < 0) return;
  const std::uint64_t unused = use_->unused();
  if (unused == 0) return;
  report_at(scope_->site.findings, Rule::dictionary_unused_entries, page_, count_.value,
            count_.end - count_.value, contrast(unused, 0), "dictionary_page_header.num_values");
}

}  // namespace parqproof
