#include "conformance/chunk/value_origin.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "codec/rules/rule.hpp"
#include "conformance/known_writers/bug_evidence.hpp"
#include "conformance/values/value_legality.hpp"

namespace parqproof {
namespace {

/// Max bytes of the bounds of the pages of a chunk, and of its dictionary.
constexpr std::uint64_t kMaxBoundsBytes = std::uint64_t{64} << 20;

bool is_contradiction(const Finding& finding) {
  return evidence(finding.rule, Suspicion::values_outside) != 0 && is_error(finding);
}

std::uint64_t contradictions_in(const Findings& findings) {
  std::uint64_t times = 0;
  for (const Finding& one : findings.primary()) times += is_contradiction(one) ? one.times : 0;
  return times;
}

/// Returns true if a published bug of the writer explains the finding: the values are right then.
bool is_bug_of_writer(const ChunkScope& chunk, const Finding& finding) {
  return !chunk.context.footer.bugs.of(BugClues{.finding = finding}, &chunk.leaf).empty();
}

/// The contradiction at this page of the chunk, or else the last one of the chunk; null if there is none.
const Finding* find_contradiction(const ChunkScope& chunk, std::int32_t page) {
  const Finding* last = nullptr;
  for (const Finding& one : chunk.site.findings.primary()) {
    if (!is_contradiction(one) || is_bug_of_writer(chunk, one)) continue;
    if (one.place.page == page) return &one;
    last = &one;
  }
  return last;
}

bool is_less(Order order, std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) {
  return compare(order, a, b) == Comparison::less;
}

/// The finding of one bound of the Statistics that values are outside of.
Finding finding_of(const ChunkScope& chunk, const StatedBounds& stated, bool lower,
                   std::span<const std::uint8_t> value) {
  const BoundField& bound = *std::ranges::find_if(kBoundFields, [&](const BoundField& one) {
    return one.lower == lower && one.is_deprecated() == stated.is_deprecated;
  });
  Findings findings(RuleSet().set(static_cast<std::size_t>(bound.rule)));
  const FindingSite site{findings, chunk.site.place, chunk.site.bytes, chunk.site.type};
  site.within("meta_data.statistics")
      .report(bound.rule, bound.field,
              distinguished((lower ? stated.min : stated.max).bytes, value, chunk.leaf));
  return findings.all().empty() ? Finding() : findings.all().front();
}

}  // namespace

void OriginCheck::start(ChunkServices& services, const Limits& limits) {
  bounds_.emplace().room = std::min(kMaxBoundsBytes, limits.memory_bytes / 8);
  services.page_values.subscribe(*bounds_);
}

void OriginCheck::begin_page(const Findings& findings) {
  if (bounds_) before_ = contradictions_in(findings);
}

void OriginCheck::end_page(const ChunkScope& chunk, const Page& page, std::optional<RowRange> rows,
                           bool verified) {
  if (!bounds_ || !rows || !page.is_data()) return;
  if (!bounds_->pages.empty() && bounds_->pages.back().page == page.ordinal()) {
    bounds_->pages.back().rows = rows;
    bounds_->pages.back().verified = verified;
  }
  if (verified || contradictions_in(chunk.site.findings) == before_) return;
  const std::int32_t ordinal = page.ordinal();
  const Finding* const finding = find_contradiction(chunk, ordinal);
  if (finding != nullptr) out_.contradicted.push_back({ordinal, ordinal, *rows, *finding});
}

/// Adds the pages whose values are outside of the Statistics of the chunk.
void OriginCheck::add_pages_outside(const ChunkScope& chunk, const StatedBounds& stated) {
  const Order order = order_of(chunk.leaf);
  std::vector<ContradictedPages> found;
  for (const PageBounds& page : bounds_->pages) {
    if (!page.rows || page.verified || !page.any || !page.known) continue;
    const bool is_low = is_less(order, page.min, stated.min.bytes);
    if (!is_low && !is_less(order, stated.max.bytes, page.max)) continue;
    Finding finding = finding_of(chunk, stated, is_low, is_low ? page.min : page.max);
    if (!is_bug_of_writer(chunk, finding))
      found.push_back({page.page, page.page, *page.rows, std::move(finding)});
  }
  for (ContradictedPages& one : found) {
    if (std::ranges::find(out_.contradicted, one.first, &ContradictedPages::first) == out_.contradicted.end())
      out_.contradicted.push_back(std::move(one));
  }
  std::ranges::sort(out_.contradicted, {}, &ContradictedPages::first);
}

/// Adds all pages without checksum: it is not known whose values contradict the Statistics.
void OriginCheck::add_all_pages(const std::vector<PageBounds>& pages, const Finding& finding) {
  ContradictedPages all{-1, -1, {INT64_MAX, -1}, finding};
  for (const PageBounds& page : pages) {
    if (!page.rows || page.verified) continue;
    all.rows.first = std::min(all.rows.first, page.rows->first);
    all.rows.last = std::max(all.rows.last, page.rows->last);
  }
  if (all.rows.first <= all.rows.last) out_.contradicted.push_back(std::move(all));
}

/// Keeps the bounds of all values if both are others than the Statistics state.
void OriginCheck::compare_ends(const ChunkScope& chunk, const std::optional<StatedBounds>& stated) {
  if (!stated) return;
  const Order order = order_of(chunk.leaf);
  const PageBounds* low = nullptr;
  const PageBounds* high = nullptr;
  for (const PageBounds& page : bounds_->pages) {
    if (!page.rows || !page.any || !page.known) continue;
    if (low == nullptr || is_less(order, page.min, low->min)) low = &page;
    if (high == nullptr || is_less(order, high->max, page.max)) high = &page;
  }
  if (low == nullptr || compare(order, low->min, high->max) == Comparison::equal) return;
  if (compare(order, low->min, stated->min.bytes) == Comparison::equal ||
      compare(order, high->max, stated->max.bytes) == Comparison::equal)
    return;
  out_.min = low->min;
  out_.max = high->max;
  out_.all_outside =
      is_less(order, high->max, stated->min.bytes) || is_less(order, stated->max.bytes, low->min);
}

std::shared_ptr<ValueOrigin> OriginCheck::end_chunk(const ChunkScope& chunk) {
  if (!bounds_ || bounds_->overflown) return nullptr;
  std::optional<StatedBounds> stated;
  if (chunk.meta().has(ColumnMetaData::id_statistics))
    stated = stated_bounds(chunk.meta().statistics, chunk.leaf);
  if (stated) add_pages_outside(chunk, *stated);
  if (out_.contradicted.empty() && contradictions_in(chunk.site.findings) != before_) {
    if (const Finding* const finding = find_contradiction(chunk, -1)) add_all_pages(bounds_->pages, *finding);
  }
  compare_ends(chunk, stated);
  if (out_.contradicted.empty() && out_.min.empty() && out_.max.empty()) return nullptr;
  return std::make_shared<ValueOrigin>(std::move(out_));
}

}  // namespace parqproof
