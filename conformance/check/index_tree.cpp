#include "conformance/check/index_tree.hpp"

#include <algorithm>
#include <utility>

#include "codec/encoding/values.hpp"
#include "codec/schema/value_text.hpp"

namespace parqproof {
namespace {

/// What the bodies of a chunk's index pages may take of Limits::memory_bytes, as a part of it.
constexpr std::uint64_t kMemoryPart = 16;

std::uint32_t type_length(const Node& leaf) {
  return static_cast<std::uint32_t>(std::max(leaf.type_length, 0));
}

}  // namespace

bool reads_index_tree(const Context& context, const Judge& judge) {
  if (context.options.profile == Profile::historical) return true;
  for (std::size_t i = 0; i < all_rules().size(); ++i) {
    if (!all_rules()[i].current() && judge.wants(static_cast<Rule>(i))) return true;
  }
  return false;
}

IndexTreeRules::IndexTreeRules(ChunkScope& chunk)
    : chunk_(chunk),
      group_(chunk.context.facts.row_groups[chunk.claim.row_group]),
      order_(order_of(chunk.leaf)),
      memory_left_(chunk.context.options.limits.memory_bytes / kMemoryPart) {
  const bool wanted = chunk.judge.wants(Rule::index_page_keys_true) ||
                      chunk.judge.wants(Rule::index_page_key_reading) ||
                      chunk.judge.wants(Rule::index_page_sorted);
  if (!wanted || order_ == Order::none) return;
  collected_.room = memory_left_;
  chunk.bounds = &collected_;
}

void IndexTreeRules::page(const Page& page, std::optional<std::int64_t> first_row) {
  by_offset_[page.offset] = pages_.size();
  if (page.is_index()) first_row.reset();  // that of what is below it
  PageInfo& known = pages_.emplace_back();
  known.offset = page.offset;
  known.end = page.end();
  known.first_row = first_row;
  known.ordinal = page.ordinal();
  known.type = page.header.type;
  known.type_at = thrift::locate(page.header_bytes, PageHeader::kType, "type");
  if (page.is_data() && !first_data_) first_data_ = page.offset;
}

/// Gives the data pages the bounds that were collected meanwhile.
void IndexTreeRules::take_bounds() {
  std::size_t page = 0;  // both lists are in the order of the file
  for (std::size_t i = 0; i < collected_.pages.size(); ++i) {
    const PageBounds& bounds = collected_.pages[i];
    while (page < pages_.size() && pages_[page].ordinal != bounds.page) ++page;
    if (page == pages_.size()) return;
    pages_[page].bounded = bounds.known;
    if (bounds.any) pages_[page].low = pages_[page].high = i;
  }
}

bool IndexTreeRules::body(View image) {
  if (image.size() > memory_left_) return false;
  memory_left_ -= image.size();
  pages_.back().image = images_.size();
  images_.push_back({{image.bytes.begin(), image.bytes.end()}, image.base, image.space});
  return true;
}

Place IndexTreeRules::at(const PageInfo& page) const noexcept {
  Place place = chunk_.place;
  place.page = page.ordinal;
  return place;
}

void IndexTreeRules::fault(Rule rule, const PageInfo& page, View where, Contrast what) const {
  if (!chunk_.judge.wants(rule)) return;
  Finding finding;
  finding.rule = rule;
  finding.place = at(page);
  finding.offset = where.base;
  finding.length = where.size();
  finding.space = where.space;
  if (where.space == Space::page) finding.page_offset = page.offset;
  finding.found = std::move(what.found);
  finding.expected = std::move(what.expected);
  chunk_.judge.findings().add(std::move(finding));
}

void IndexTreeRules::error(const PageInfo& page, const Error& error) const {
  chunk_.judge.error(at(page), error, page.offset);
}

/// Makes a finding at the type in the header of a page.
void IndexTreeRules::type_fault(Rule rule, const PageInfo& page, Contrast what) const {
  chunk_.judge.at(rule, at(page), page.type_at.value, page.type_at.end - page.type_at.value, std::move(what),
                  "type");
}

std::size_t IndexTreeRules::find(std::uint64_t offset) const {
  const auto at = by_offset_.find(offset);
  return at == by_offset_.end() ? kNone : at->second;
}

/// The data or index page that an entry names.
std::size_t IndexTreeRules::child(const IndexTreeEntry& entry, std::uint64_t base) const {
  if (entry.page_offset < 0 || entry.page_length < 0) return kNone;
  const std::size_t page = find(base + static_cast<std::uint64_t>(entry.page_offset));
  if (page == kNone || pages_[page].type == PageType::DICTIONARY_PAGE) return kNone;
  const PageInfo& named = pages_[page];
  return named.end - named.offset == static_cast<std::uint64_t>(entry.page_length) ? page : kNone;
}

/// Takes the index pages apart. Page offsets count from the first data page, unless more entries name pages
/// if they count from the beginning of the file.
IndexTreeRules::Reading IndexTreeRules::read(IndexTreeForm form) const {
  Reading reading;
  reading.form = form;
  std::int64_t good[2] = {0, 0};
  const std::uint64_t bases[2] = {first_data_.value_or(0), 0};
  std::int64_t entries = 0;
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    if (pages_[i].image == kNone) continue;
    const Result<IndexTreeNode> node =
        IndexTreeNode::open(images_[pages_[i].image].view(), form, chunk_.leaf.type, type_length(chunk_.leaf),
                            chunk_.context.options.limits);
    if (!node) {
      reading.errors.emplace_back(i, node.error());
      continue;
    }
    if (form == IndexTreeForm::values && !node->keys_are_affordable()) {
      const View image = images_[pages_[i].image].view();
      reading.errors.emplace_back(
          i, Error{image.base, static_cast<std::int64_t>(image.size()), 0, 0, Rule::limit_work, image.space});
      continue;
    }
    for (std::size_t entry = 0; entry < node->size(); ++entry) {
      ++entries;
      if (form == IndexTreeForm::values && !node->key(entry)) continue;
      for (std::size_t base = 0; base < 2; ++base)
        good[base] += child(node->entry(entry), bases[base]) != kNone ? 1 : 0;
    }
    reading.nodes.emplace(i, *node);
  }
  const bool from_file = good[1] > good[0];
  reading.base = from_file ? 0 : bases[0];
  reading.good = from_file ? good[1] : good[0];
  reading.bad = entries - reading.good;
  return reading;
}

/// Whether the entries name as many pages as a tree of all data and index pages has below its root.
bool IndexTreeRules::is_whole(const Reading& reading) const {
  const auto tree = std::ranges::count_if(
      pages_, [](const PageInfo& page) { return page.type != PageType::DICTIONARY_PAGE; });
  return reading.errors.empty() && reading.bad == 0 && reading.good == tree - 1;
}

/// The form that the column calls for, unless the pages are a whole tree in the other form alone. Without
/// sorting_columns, the form in which more entries name pages.
IndexTreeRules::Reading IndexTreeRules::choose() const {
  const auto sorting = group_.first_sorting_column;
  const bool by_values = !sorting || *sorting == static_cast<std::int32_t>(chunk_.claim.leaf);
  Reading first = read(by_values ? IndexTreeForm::values : IndexTreeForm::ordinals);
  if (is_whole(first)) return first;
  Reading second = read(by_values ? IndexTreeForm::ordinals : IndexTreeForm::values);
  const bool better = is_whole(second) || (!sorting && second.good - second.bad > first.good - first.bad);
  return better ? std::move(second) : std::move(first);
}

std::string IndexTreeRules::judge(bool bodies, std::vector<Lost>& lost) {
  const bool any =
      std::ranges::any_of(pages_, [](const PageInfo& page) { return page.type == PageType::INDEX_PAGE; });
  if (!any) return {};
  std::size_t root = find(static_cast<std::uint64_t>(chunk_.meta().index_page_offset));
  if (root != kNone && pages_[root].type != PageType::INDEX_PAGE) root = kNone;
  const PageInfo& last = pages_.back();
  // index-page/post-order: the root
  if (root != kNone && root + 1 != pages_.size()) {
    chunk_.judge.field(Rule::index_page_post_order, chunk_.place, chunk_.bytes, ColumnChunk::kType,
                       "meta_data.index_page_offset",
                       contrast("the root index page stands at byte " + std::to_string(pages_[root].offset),
                                "the last page of the column chunk, at byte " + std::to_string(last.offset)));
  }
  if (last.type == PageType::INDEX_PAGE) root = pages_.size() - 1;
  if (!bodies) return {};
  if (collected_.overflown) {
    chunk_.judge.field(Rule::limit_memory, chunk_.place, chunk_.bytes, ColumnChunk::kType,
                       "meta_data.index_page_offset",
                       contrast("the smallest and largest values of pages with an index",
                                chunk_.context.options.limits.memory_bytes / kMemoryPart));
  }
  if (root == kNone) return "the root of the index is not known";

  take_bounds();
  const Reading reading = choose();
  for (const auto& [page, why] : reading.errors) {
    error(pages_[page], why);
    if (info(why.rule).klass == Class::malformed) lost.push_back({"page", at(pages_[page]), {}});
  }
  if (reading.nodes.contains(root)) {
    if (reading.base == 0 && reading.good != 0) {
      fault(Rule::index_page_offset_base, pages_[root], images_[pages_[root].image].view(),
            contrast("the beginning of the file", "the first data page"));
    }
    // index-page/first-sort-column
    const auto sorting = group_.first_sorting_column;
    if (reading.form == IndexTreeForm::values && sorting &&
        *sorting != static_cast<std::int32_t>(chunk_.claim.leaf)) {
      type_fault(Rule::index_page_first_sort_column, pages_[root],
                 contrast("an index by values", "column " + std::to_string(*sorting)));
    }
  }
  tree(reading, root);
  sum_up();
  if (reading.form == IndexTreeForm::ordinals) {
    ordinals(reading);
  } else {
    keys(reading, root);
  }
  return {};
}

/// index-page/child and index-page/post-order: walks the tree from its root. A page is entered once, and only
/// from an index page behind it, so the walk ends whatever the entries say.
void IndexTreeRules::tree(const Reading& reading, std::size_t root) {
  std::vector<bool> reached(pages_.size(), false);
  std::vector<std::size_t> open{root};
  reached[root] = true;
  bool whole = reading.errors.empty();
  while (!open.empty()) {
    const std::size_t parent = open.back();
    open.pop_back();
    const auto at = reading.nodes.find(parent);
    if (at == reading.nodes.end()) {
      whole = whole && pages_[parent].type != PageType::INDEX_PAGE;
      continue;
    }
    std::vector<std::size_t>& children = children_[parent];
    for (std::size_t i = 0; i < at->second.size(); ++i) {
      const IndexTreeEntry entry = at->second.entry(i);
      const View where = at->second.entry_bytes(i).part(4, 8);
      children.push_back(kNone);
      const std::size_t page = child(entry, reading.base);
      const auto named = [&] {
        return std::to_string(entry.page_length) + " bytes at offset " + std::to_string(entry.page_offset);
      };
      if (page == kNone) {
        fault(Rule::index_page_child, pages_[parent], where,
              contrast("an index entry names " + named(), "a data or index page of the column chunk"));
      } else if (page >= parent) {
        fault(Rule::index_page_post_order, pages_[parent], where.part(0, 4),
              contrast("an index entry names the page at byte " + std::to_string(pages_[page].offset),
                       "a page before its index page at byte " + std::to_string(pages_[parent].offset)));
      } else if (reached[page]) {
        fault(Rule::index_page_child, pages_[parent], where,
              contrast("a second index entry names " + named(), "one entry for each page"));
      } else {
        reached[page] = true;
        children.back() = page;
        open.push_back(page);
        continue;
      }
      whole = false;
    }
  }
  if (!whole) return;  // what an entry should name is not reached because of it
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    if (reached[i] || pages_[i].type == PageType::DICTIONARY_PAGE || pages_[i].type == PageType::INDEX_PAGE)
      continue;
    type_fault(Rule::index_page_child, pages_[i],
               contrast("no index entry names the data page", "one entry for each page"));
  }
}

/// Gives each index page the rows and bounds of what is below it; pages stand before their index page.
void IndexTreeRules::sum_up() {
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    const auto children = children_.find(i);
    if (children == children_.end()) continue;
    PageInfo& page = pages_[i];
    page.bounded = true;
    bool first = true;
    for (const std::size_t child : children->second) {
      if (child == kNone) {
        page.bounded = false;
        continue;
      }
      const PageInfo& below = pages_[child];
      if (first || (page.first_row && below.first_row && *below.first_row < *page.first_row))
        page.first_row = below.first_row;
      first = false;
      page.bounded = page.bounded && below.bounded;
      if (below.low == kNone) continue;
      if (page.low == kNone || compare(order_, collected_.pages[below.low].min,
                                       collected_.pages[page.low].min) == Comparison::less)
        page.low = below.low;
      if (page.high == kNone || compare(order_, collected_.pages[below.high].max,
                                        collected_.pages[page.high].max) == Comparison::greater)
        page.high = below.high;
    }
  }
}

/// index-page/ordinal, and index-page/sorted where two ordinals are true. Where rows were lost before a page,
/// its ordinal has to be one that the row group has.
void IndexTreeRules::ordinals(const Reading& reading) const {
  const std::int64_t last_row =
      group_.has_num_rows ? std::max<std::int64_t>(group_.num_rows - 1, 0) : INT32_MAX;
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    const auto children = children_.find(i);
    if (children == children_.end()) continue;
    const IndexTreeNode& node = reading.nodes.at(i);
    std::int32_t before = INT32_MIN;  // the ordinal before, if that is true
    for (std::size_t entry = 0; entry < node.size(); ++entry) {
      const std::int32_t ordinal = node.entry(entry).key;
      const std::size_t child = children->second[entry];
      std::optional<std::int64_t> row;
      if (child != kNone) row = pages_[child].first_row;
      if (row ? ordinal != *row : ordinal < 0 || ordinal > last_row) {
        fault(Rule::index_page_ordinal, pages_[i], node.entry_bytes(entry).part(0, 4),
              contrast(ordinal, row ? std::to_string(*row) : "0 to " + std::to_string(last_row)));
        before = INT32_MIN;
        continue;
      }
      if (ordinal < before) {
        fault(Rule::index_page_sorted, pages_[i], node.entry_bytes(entry),
              contrast("ordinal " + std::to_string(ordinal), std::to_string(before) + " or more"));
      }
      before = ordinal;
    }
  }
}

/// What a key would have to be as a bound of a page, as far as the values of the page are known; empty where
/// it is that.
std::string IndexTreeRules::missed(View key, std::size_t child, bool upper) const {
  if (child == kNone || !pages_[child].bounded || pages_[child].low == kNone) return {};
  const std::vector<std::uint8_t>& bound =
      upper ? collected_.pages[pages_[child].high].max : collected_.pages[pages_[child].low].min;
  if (compare(order_, key.bytes, bound) != (upper ? Comparison::less : Comparison::greater)) return {};
  return short_text(bound, chunk_.leaf) + (upper ? " or more" : " or less");
}

/// The same of the key of an entry, which also parts its page from the one behind it (upper) or before it,
/// provided that the keys of the two are in order.
std::string IndexTreeRules::missed(const IndexTreeNode& node, const std::vector<std::size_t>& children,
                                   std::size_t entry, bool upper) const {
  const Result<View> key = node.key(entry);
  if (!key) return {};
  if (std::string own = missed(*key, children[entry], upper); !own.empty()) return own;
  if (upper ? entry + 1 >= node.size() : entry == 0) return {};
  const std::size_t beside = upper ? entry + 1 : entry - 1;
  const Result<View> other = node.key(beside);
  if (!other) return {};
  const Comparison how = compare(order_, key->bytes, other->bytes);
  if (how == (upper ? Comparison::greater : Comparison::less)) return {};
  return missed(*key, children[beside], !upper);
}

/// index-page/keys, index-page/keys-true and index-page/key-reading, and index-page/sorted where two keys are
/// true. The keys are read as largest values, unless fewer of them are wrong as smallest values.
void IndexTreeRules::keys(const Reading& reading, std::size_t root) const {
  std::int64_t wrong[2] = {0, 0};
  const auto each = [&](auto&& take) {
    for (std::size_t i = 0; i < pages_.size(); ++i) {
      const auto children = children_.find(i);
      if (children == children_.end()) continue;
      const IndexTreeNode& node = reading.nodes.at(i);
      for (std::size_t entry = 0; entry < node.size(); ++entry) take(i, node, children->second, entry);
    }
  };
  if (order_ != Order::none) {
    each([&](std::size_t, const IndexTreeNode& node, const auto& children, std::size_t entry) {
      for (const bool upper : {false, true})
        wrong[upper] += missed(node, children, entry, upper).empty() ? 0 : 1;
    });
  }
  const bool upper = wrong[true] <= wrong[false];
  if (wrong[upper] == 0 && wrong[!upper] != 0) {
    fault(Rule::index_page_key_reading, pages_[root], images_[pages_[root].image].view(),
          contrast(upper ? "largest" : "smallest", ""));
  }
  each([&](std::size_t i, const IndexTreeNode& node, const auto& children, std::size_t entry) {
    const Result<View> key = node.key(entry);
    if (!key) {
      error(pages_[i], key.error());
      return;
    }
    if (order_ == Order::none) return;
    if (std::string due = missed(node, children, entry, upper); !due.empty()) {
      const View from = node.values_buffer().from(static_cast<std::size_t>(node.entry(entry).key));
      fault(Rule::index_page_keys_true, pages_[i],
            from.part(0, static_cast<std::size_t>(key->end() - from.base)),
            contrast(short_text(key->bytes, chunk_.leaf), due));
      return;
    }
    if (entry == 0 || !missed(node, children, entry - 1, upper).empty()) return;
    const Result<View> before = node.key(entry - 1);
    if (before && compare(order_, key->bytes, before->bytes) == Comparison::less) {
      fault(Rule::index_page_sorted, pages_[i], node.entry_bytes(entry),
            contrast("key " + short_text(key->bytes, chunk_.leaf),
                     short_text(before->bytes, chunk_.leaf) + " or more"));
    }
  });
}

}  // namespace parqproof
