#include "conformance/indexes/index_page_2013/index_tree_pages.hpp"

#include <algorithm>
#include <utility>

#include "codec/encoding/values.hpp"

namespace parqproof {
namespace {

/// Divisor of Limits::memory_bytes for the bodies of a chunk's index pages.
constexpr std::uint64_t kMemoryPart = 16;

/// Parses the body of one index page. Errors: those of IndexTreeNode::open, limit/work.
Result<IndexTreeNode> open_node(const ChunkScope& chunk, View body, IndexTreeForm form) {
  const auto type_length = static_cast<std::uint32_t>(std::max(chunk.leaf.type_length, 0));
  Result<IndexTreeNode> node =
      IndexTreeNode::open(body, form, chunk.leaf.type, type_length, chunk.context.options.limits);
  if (node && form == IndexTreeForm::values && !node->keys_are_affordable())
    return std::unexpected(
        Error{body.base, static_cast<std::int64_t>(body.size()), 0, 0, Rule::limit_work, body.space});
  return node;
}

IndexTreeReading read_as(const ChunkScope& chunk, const IndexTreePages& pages, IndexTreeForm form) {
  IndexTreeReading reading;
  reading.form = form;
  std::int64_t good[2] = {0, 0};
  const std::uint64_t bases[2] = {pages.first_data(), 0};
  std::int64_t entries = 0;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const std::optional<View> body = pages.body(i);
    if (!body) continue;
    const Result<IndexTreeNode> node = open_node(chunk, *body, form);
    if (!node) {
      reading.errors.emplace_back(i, node.error());
      continue;
    }
    for (std::size_t entry = 0; entry < node->size(); ++entry) {
      ++entries;
      if (form == IndexTreeForm::values && !node->key(entry)) continue;
      for (std::size_t base = 0; base < 2; ++base)
        good[base] += pages.child(node->entry(entry), bases[base]) != IndexTreePages::kNone ? 1 : 0;
    }
    reading.nodes.emplace(i, *node);
  }
  const bool from_file = good[1] > good[0];
  reading.base = from_file ? 0 : bases[0];
  reading.good = from_file ? good[1] : good[0];
  reading.bad = entries - reading.good;
  return reading;
}

}  // namespace

IndexTreePages::IndexTreePages(const ChunkScope& chunk)
    : order_(order_of(chunk.leaf)), memory_left_(memory(chunk.context.options.limits)) {
  const bool wanted = chunk.site.wants(Rule::index_page_keys_true) ||
                      chunk.site.wants(Rule::index_page_key_reading) ||
                      chunk.site.wants(Rule::index_page_sorted);
  if (!wanted || order_ == Order::none) return;
  bounds_.room = memory_left_;
  chunk.services.page_values.subscribe(bounds_);
}

std::uint64_t IndexTreePages::memory(const Limits& limits) noexcept {
  return limits.memory_bytes / kMemoryPart;
}

void IndexTreePages::add(const Page& page, std::optional<std::int64_t> first_row) {
  by_offset_[page.offset] = pages_.size();
  if (page.is_index()) first_row.reset();  // sum_up() finds that of the pages below it
  IndexTreePage& known = pages_.emplace_back();
  known.offset = page.offset;
  known.end = page.end();
  known.first_row = first_row;
  known.ordinal = page.ordinal();
  known.type = page.header.type;
  known.type_at = thrift::locate(page.header_bytes, PageHeader::kType, "type");
  if (page.is_data() && !first_data_) first_data_ = page.offset;
}

bool IndexTreePages::add_body(View body) {
  if (body.size() > memory_left_) return false;
  memory_left_ -= body.size();
  bodies_[pages_.size() - 1] = {{body.bytes.begin(), body.bytes.end()}, body.base, body.space};
  return true;
}

void IndexTreePages::take_bounds() {
  std::size_t page = 0;  // both lists are in the order of the file
  for (std::size_t i = 0; i < bounds_.pages.size(); ++i) {
    const PageBounds& bounds = bounds_.pages[i];
    while (page < pages_.size() && pages_[page].ordinal != bounds.page) ++page;
    if (page == pages_.size()) return;
    pages_[page].bounded = bounds.known;
    if (!bounds.any) continue;
    pages_[page].has_values = true;
    pages_[page].low = pages_[page].high = i;
  }
}

void IndexTreePages::sum_up(std::size_t parent, const std::vector<std::size_t>& children) {
  IndexTreePage& page = pages_[parent];
  const std::vector<PageBounds>& bounds = bounds_.pages;
  page.bounded = true;
  bool first = true;
  for (const std::size_t child : children) {
    if (child == kNone) {
      page.bounded = false;
      continue;
    }
    const IndexTreePage& below = pages_[child];
    if (first || (page.first_row && below.first_row && *below.first_row < *page.first_row))
      page.first_row = below.first_row;
    first = false;
    page.bounded = page.bounded && below.bounded;
    if (!below.has_values) continue;
    if (!page.has_values || compare(order_, bounds[below.low].min, bounds[page.low].min) == Comparison::less)
      page.low = below.low;
    if (!page.has_values ||
        compare(order_, bounds[below.high].max, bounds[page.high].max) == Comparison::greater)
      page.high = below.high;
    page.has_values = true;
  }
}

std::size_t IndexTreePages::index_pages() const noexcept {
  return static_cast<std::size_t>(std::ranges::count(pages_, PageType::INDEX_PAGE, &IndexTreePage::type));
}

std::size_t IndexTreePages::tree_pages() const noexcept {
  return pages_.size() - static_cast<std::size_t>(
                             std::ranges::count(pages_, PageType::DICTIONARY_PAGE, &IndexTreePage::type));
}

std::optional<View> IndexTreePages::body(std::size_t page) const noexcept {
  const auto at = bodies_.find(page);
  if (at == bodies_.end()) return std::nullopt;
  return View{at->second.bytes, at->second.base, at->second.space};
}

std::size_t IndexTreePages::find(std::uint64_t offset) const {
  const auto at = by_offset_.find(offset);
  return at == by_offset_.end() ? kNone : at->second;
}

std::size_t IndexTreePages::child(const IndexTreeEntry& entry, std::uint64_t base) const {
  if (entry.page_offset < 0 || entry.page_length < 0) return kNone;
  const std::size_t page = find(base + static_cast<std::uint64_t>(entry.page_offset));
  if (page == kNone || pages_[page].type == PageType::DICTIONARY_PAGE) return kNone;
  const IndexTreePage& seen = pages_[page];
  return seen.end - seen.offset == static_cast<std::uint64_t>(entry.page_length) ? page : kNone;
}

const std::vector<std::uint8_t>* IndexTreePages::bound(std::size_t page, bool upper) const noexcept {
  const IndexTreePage& known = pages_[page];
  if (!known.bounded || !known.has_values) return nullptr;
  return upper ? &bounds_.pages[known.high].max : &bounds_.pages[known.low].min;
}

bool IndexTreeReading::is_intact(const IndexTreePages& pages) const noexcept {
  return errors.empty() && bad == 0 && good == static_cast<std::int64_t>(pages.tree_pages()) - 1;
}

IndexTreeReading read_index_tree(const ChunkScope& chunk, const IndexTreePages& pages) {
  const auto sorting = chunk.context.footer.row_groups[chunk.claim.row_group].first_sorting_column;
  const bool by_values = !sorting || *sorting == static_cast<std::int32_t>(chunk.claim.leaf);
  IndexTreeReading first = read_as(chunk, pages, by_values ? IndexTreeForm::values : IndexTreeForm::ordinals);
  if (first.is_intact(pages)) return first;
  IndexTreeReading second =
      read_as(chunk, pages, by_values ? IndexTreeForm::ordinals : IndexTreeForm::values);
  const bool better =
      second.is_intact(pages) || (!sorting && second.good - second.bad > first.good - first.bad);
  return better ? std::move(second) : std::move(first);
}

}  // namespace parqproof
