#include "conformance/check/index_pages.hpp"

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

bool reads_index_pages(const Context& context) {
  if (context.options.profile == Profile::historical) return true;
  for (std::size_t i = 0; i < all_rules().size(); ++i) {
    if (!all_rules()[i].current() && context.findings.wants(static_cast<Rule>(i))) return true;
  }
  return false;
}

IndexRules::IndexRules(const IndexScene& scene)
    : scene_(scene),
      order_(order_of(scene.leaf)),
      memory_left_(scene.context.options.limits.memory_bytes / kMemoryPart) {
  const bool wanted = scene.judge.wants(Rule::index_page_keys_true) ||
                      scene.judge.wants(Rule::index_page_key_reading) ||
                      scene.judge.wants(Rule::index_page_sorted);
  if (wanted && order_ != Order::none)
    observer_.emplace(order_, fixed_width(scene.leaf.type, type_length(scene.leaf)), memory_left_);
}

void IndexRules::page(const Page& page, std::optional<std::int64_t> first_row) {
  by_offset_[page.offset] = pages_.size();
  if (page.header.type == PageType::INDEX_PAGE) first_row.reset();  // that of what is below it
  Seen& seen = pages_.emplace_back();
  seen.offset = page.offset;
  seen.end = page.end();
  seen.first_row = first_row;
  seen.ordinal = page.ordinal;
  seen.type = page.header.type;
  if (page.is_data() && !first_data_) first_data_ = page.offset;
}

void IndexRules::data(Bounds bounds) {
  Seen& page = pages_.back();
  page.bounded = bounds.known;
  if (!bounds.any) return;
  page.low = page.high = bounds_.size();
  bounds_.push_back(std::move(bounds));
}

bool IndexRules::body(View image) {
  if (image.size() > memory_left_) return false;
  memory_left_ -= image.size();
  pages_.back().image = images_.size();
  images_.push_back({{image.bytes.begin(), image.bytes.end()}, image.base, image.space});
  return true;
}

Place IndexRules::at(const Seen& page) const noexcept {
  Place place = place_of(scene_.claim);
  place.page = page.ordinal;
  return place;
}

void IndexRules::fault(Rule rule, const Seen& page, View where, parqproof::Seen what) const {
  if (!scene_.judge.wants(rule)) return;
  Finding finding;
  finding.rule = rule;
  finding.place = at(page);
  finding.offset = where.base;
  finding.length = where.size();
  finding.space = where.space;
  if (where.space == Space::page) finding.page_offset = page.offset;
  finding.found = std::move(what.found);
  finding.expected = std::move(what.expected);
  scene_.judge.findings().add(std::move(finding));
}

void IndexRules::error(const Seen& page, const Error& error) const {
  scene_.judge.error(at(page), error, page.offset);
}

void IndexRules::type_fault(Rule rule, const Seen& page, PageReader& reader, parqproof::Seen what) const {
  Page again;
  if (reader.read_header(page.offset, page.end, {}, again) != PageReader::State::read) return;
  scene_.judge.field(rule, at(page), again.header_bytes, PageHeader::kType, "type", std::move(what));
}

std::size_t IndexRules::find(std::uint64_t offset) const {
  const auto at = by_offset_.find(offset);
  return at == by_offset_.end() ? kNone : at->second;
}

/// The data or index page that an entry names.
std::size_t IndexRules::child(const IndexEntry& entry, std::uint64_t base) const {
  if (entry.page_offset < 0 || entry.page_length < 0) return kNone;
  const std::size_t page = find(base + static_cast<std::uint64_t>(entry.page_offset));
  if (page == kNone || pages_[page].type == PageType::DICTIONARY_PAGE) return kNone;
  const Seen& seen = pages_[page];
  return seen.end - seen.offset == static_cast<std::uint64_t>(entry.page_length) ? page : kNone;
}

/// Takes the index pages apart. Page offsets count from the first data page, unless more entries name pages
/// if they count from the beginning of the file.
IndexRules::Reading IndexRules::read(IndexForm form) const {
  Reading reading;
  reading.form = form;
  std::int64_t good[2] = {0, 0};
  const std::uint64_t bases[2] = {first_data_.value_or(0), 0};
  std::int64_t entries = 0;
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    if (pages_[i].image == kNone) continue;
    const Result<IndexPage> page = IndexPage::open(images_[pages_[i].image].view(), form, scene_.leaf.type,
                                                   type_length(scene_.leaf), scene_.context.options.limits);
    if (!page) {
      reading.errors.emplace_back(i, page.error());
      continue;
    }
    if (form == IndexForm::values && !page->keys_are_affordable()) {
      const View image = images_[pages_[i].image].view();
      reading.errors.emplace_back(
          i, Error{image.base, static_cast<std::int64_t>(image.size()), 0, 0, Rule::limit_work, image.space});
      continue;
    }
    for (std::size_t entry = 0; entry < page->size(); ++entry) {
      ++entries;
      if (form == IndexForm::values && !page->key(entry)) continue;
      for (std::size_t base = 0; base < 2; ++base)
        good[base] += child(page->entry(entry), bases[base]) != kNone ? 1 : 0;
    }
    reading.pages.emplace(i, *page);
  }
  const bool from_file = good[1] > good[0];
  reading.base = from_file ? 0 : bases[0];
  reading.good = from_file ? good[1] : good[0];
  reading.bad = entries - reading.good;
  return reading;
}

/// Whether the entries name as many pages as a tree of all data and index pages has below its root.
bool IndexRules::is_whole(const Reading& reading) const {
  const auto tree =
      std::ranges::count_if(pages_, [](const Seen& page) { return page.type != PageType::DICTIONARY_PAGE; });
  return reading.errors.empty() && reading.bad == 0 && reading.good == tree - 1;
}

/// The form that the column calls for, unless the pages are a whole tree in the other form alone. Without
/// sorting_columns, the form in which more entries name pages.
IndexRules::Reading IndexRules::choose() const {
  const auto sorting = scene_.group.first_sorting_column;
  const bool by_values = !sorting || *sorting == static_cast<std::int32_t>(scene_.claim.leaf);
  Reading first = read(by_values ? IndexForm::values : IndexForm::ordinals);
  if (is_whole(first)) return first;
  Reading second = read(by_values ? IndexForm::ordinals : IndexForm::values);
  const bool better = is_whole(second) || (!sorting && second.good - second.bad > first.good - first.bad);
  return better ? std::move(second) : std::move(first);
}

std::string IndexRules::judge(PageReader& reader, bool bodies, std::vector<Lost>& lost) {
  const bool any =
      std::ranges::any_of(pages_, [](const Seen& page) { return page.type == PageType::INDEX_PAGE; });
  if (!any) return {};
  std::size_t root = find(static_cast<std::uint64_t>(scene_.meta.index_page_offset));
  if (root != kNone && pages_[root].type != PageType::INDEX_PAGE) root = kNone;
  const Seen& last = pages_.back();
  // index-page/post-order: the root
  if (root != kNone && root + 1 != pages_.size()) {
    scene_.judge.field(Rule::index_page_post_order, place_of(scene_.claim), scene_.chunk_bytes,
                       ColumnChunk::kType, "meta_data.index_page_offset",
                       seen("the root index page stands at byte " + std::to_string(pages_[root].offset),
                            "the last page of the column chunk, at byte " + std::to_string(last.offset)));
  }
  if (last.type == PageType::INDEX_PAGE) root = pages_.size() - 1;
  if (!bodies) return {};
  if (observer_ && observer_->overflown()) {
    scene_.judge.field(Rule::limit_memory, place_of(scene_.claim), scene_.chunk_bytes, ColumnChunk::kType,
                       "meta_data.index_page_offset",
                       seen("the smallest and largest values of pages with an index",
                            scene_.context.options.limits.memory_bytes / kMemoryPart));
  }
  if (root == kNone) return "the root of the index is not known";

  const Reading reading = choose();
  for (const auto& [page, why] : reading.errors) {
    error(pages_[page], why);
    if (info(why.rule).klass == Class::malformed) lost.push_back({"page", at(pages_[page]), {}});
  }
  if (reading.pages.contains(root)) {
    if (reading.base == 0 && reading.good != 0) {
      fault(Rule::index_page_offset_base, pages_[root], images_[pages_[root].image].view(),
            seen("the beginning of the file", "the first data page"));
    }
    // index-page/first-sort-column
    const auto sorting = scene_.group.first_sorting_column;
    if (reading.form == IndexForm::values && sorting &&
        *sorting != static_cast<std::int32_t>(scene_.claim.leaf)) {
      type_fault(Rule::index_page_first_sort_column, pages_[root], reader,
                 seen("an index by values", "column " + std::to_string(*sorting)));
    }
  }
  tree(reading, root, reader);
  sum_up();
  if (reading.form == IndexForm::ordinals) {
    ordinals(reading);
  } else {
    keys(reading, root);
  }
  return {};
}

/// index-page/child and index-page/post-order: walks the tree from its root. A page is entered once, and only
/// from an index page behind it, so the walk ends whatever the entries say.
void IndexRules::tree(const Reading& reading, std::size_t root, PageReader& reader) {
  std::vector<bool> reached(pages_.size(), false);
  std::vector<std::size_t> open{root};
  reached[root] = true;
  bool whole = reading.errors.empty();
  while (!open.empty()) {
    const std::size_t parent = open.back();
    open.pop_back();
    const auto at = reading.pages.find(parent);
    if (at == reading.pages.end()) {
      whole = whole && pages_[parent].type != PageType::INDEX_PAGE;
      continue;
    }
    std::vector<std::size_t>& children = children_[parent];
    for (std::size_t i = 0; i < at->second.size(); ++i) {
      const IndexEntry entry = at->second.entry(i);
      const View where = at->second.entry_bytes(i).part(4, 8);
      children.push_back(kNone);
      const std::size_t page = child(entry, reading.base);
      const auto named = [&] {
        return std::to_string(entry.page_length) + " bytes at offset " + std::to_string(entry.page_offset);
      };
      if (page == kNone) {
        fault(Rule::index_page_child, pages_[parent], where,
              seen("an index entry names " + named(), "a data or index page of the column chunk"));
      } else if (page >= parent) {
        fault(Rule::index_page_post_order, pages_[parent], where.part(0, 4),
              seen("an index entry names the page at byte " + std::to_string(pages_[page].offset),
                   "a page before its index page at byte " + std::to_string(pages_[parent].offset)));
      } else if (reached[page]) {
        fault(Rule::index_page_child, pages_[parent], where,
              seen("a second index entry names " + named(), "one entry for each page"));
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
    type_fault(Rule::index_page_child, pages_[i], reader,
               seen("no index entry names the data page", "one entry for each page"));
  }
}

/// Gives each index page the rows and bounds of what is below it; pages stand before their index page.
void IndexRules::sum_up() {
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    const auto children = children_.find(i);
    if (children == children_.end()) continue;
    Seen& page = pages_[i];
    page.bounded = true;
    bool first = true;
    for (const std::size_t child : children->second) {
      if (child == kNone) {
        page.bounded = false;
        continue;
      }
      const Seen& below = pages_[child];
      if (first || (page.first_row && below.first_row && *below.first_row < *page.first_row))
        page.first_row = below.first_row;
      first = false;
      page.bounded = page.bounded && below.bounded;
      if (below.low == kNone) continue;
      if (page.low == kNone ||
          compare(order_, bounds_[below.low].min, bounds_[page.low].min) == Comparison::less)
        page.low = below.low;
      if (page.high == kNone ||
          compare(order_, bounds_[below.high].max, bounds_[page.high].max) == Comparison::greater)
        page.high = below.high;
    }
  }
}

/// index-page/ordinal, and index-page/sorted where two ordinals are true. Where rows were lost before a page,
/// its ordinal has to be one that the row group has.
void IndexRules::ordinals(const Reading& reading) const {
  const std::int64_t last_row =
      scene_.group.has_num_rows ? std::max<std::int64_t>(scene_.group.num_rows - 1, 0) : INT32_MAX;
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    const auto children = children_.find(i);
    if (children == children_.end()) continue;
    const IndexPage& page = reading.pages.at(i);
    std::int32_t before = INT32_MIN;  // the ordinal before, if that is true
    for (std::size_t entry = 0; entry < page.size(); ++entry) {
      const std::int32_t ordinal = page.entry(entry).key;
      const std::size_t child = children->second[entry];
      std::optional<std::int64_t> row;
      if (child != kNone) row = pages_[child].first_row;
      if (row ? ordinal != *row : ordinal < 0 || ordinal > last_row) {
        fault(Rule::index_page_ordinal, pages_[i], page.entry_bytes(entry).part(0, 4),
              seen(ordinal, row ? std::to_string(*row) : "0 to " + std::to_string(last_row)));
        before = INT32_MIN;
        continue;
      }
      if (ordinal < before) {
        fault(Rule::index_page_sorted, pages_[i], page.entry_bytes(entry),
              seen("ordinal " + std::to_string(ordinal), std::to_string(before) + " or more"));
      }
      before = ordinal;
    }
  }
}

/// What a key would have to be as a bound of a page, as far as the values of the page are known; empty where
/// it is that.
std::string IndexRules::missed(View key, std::size_t child, bool upper) const {
  if (child == kNone || !pages_[child].bounded || pages_[child].low == kNone) return {};
  const std::vector<std::uint8_t>& bound =
      upper ? bounds_[pages_[child].high].max : bounds_[pages_[child].low].min;
  if (compare(order_, key.bytes, bound) != (upper ? Comparison::less : Comparison::greater)) return {};
  return short_text(bound, scene_.leaf) + (upper ? " or more" : " or less");
}

/// The same of the key of an entry, which also parts its page from the one behind it (upper) or before it,
/// provided that the keys of the two are in order.
std::string IndexRules::missed(const IndexPage& page, const std::vector<std::size_t>& children,
                               std::size_t entry, bool upper) const {
  const Result<View> key = page.key(entry);
  if (!key) return {};
  if (std::string own = missed(*key, children[entry], upper); !own.empty()) return own;
  if (upper ? entry + 1 >= page.size() : entry == 0) return {};
  const std::size_t beside = upper ? entry + 1 : entry - 1;
  const Result<View> other = page.key(beside);
  if (!other) return {};
  const Comparison how = compare(order_, key->bytes, other->bytes);
  if (how == (upper ? Comparison::greater : Comparison::less)) return {};
  return missed(*key, children[beside], !upper);
}

/// index-page/keys, index-page/keys-true and index-page/key-reading, and index-page/sorted where two keys are
/// true. The keys are read as largest values, unless fewer of them are wrong as smallest values.
void IndexRules::keys(const Reading& reading, std::size_t root) const {
  std::int64_t wrong[2] = {0, 0};
  const auto each = [&](auto&& take) {
    for (std::size_t i = 0; i < pages_.size(); ++i) {
      const auto children = children_.find(i);
      if (children == children_.end()) continue;
      const IndexPage& page = reading.pages.at(i);
      for (std::size_t entry = 0; entry < page.size(); ++entry) take(i, page, children->second, entry);
    }
  };
  if (order_ != Order::none) {
    each([&](std::size_t, const IndexPage& page, const auto& children, std::size_t entry) {
      for (const bool upper : {false, true})
        wrong[upper] += missed(page, children, entry, upper).empty() ? 0 : 1;
    });
  }
  const bool upper = wrong[true] <= wrong[false];
  if (wrong[upper] == 0 && wrong[!upper] != 0) {
    fault(Rule::index_page_key_reading, pages_[root], images_[pages_[root].image].view(),
          seen(upper ? "largest" : "smallest", ""));
  }
  each([&](std::size_t i, const IndexPage& page, const auto& children, std::size_t entry) {
    const Result<View> key = page.key(entry);
    if (!key) {
      error(pages_[i], key.error());
      return;
    }
    if (order_ == Order::none) return;
    if (std::string due = missed(page, children, entry, upper); !due.empty()) {
      const View from = page.values_buffer().from(static_cast<std::size_t>(page.entry(entry).key));
      fault(Rule::index_page_keys_true, pages_[i],
            from.part(0, static_cast<std::size_t>(key->end() - from.base)),
            seen(short_text(key->bytes, scene_.leaf), due));
      return;
    }
    if (entry == 0 || !missed(page, children, entry - 1, upper).empty()) return;
    const Result<View> before = page.key(entry - 1);
    if (before && compare(order_, key->bytes, before->bytes) == Comparison::less) {
      fault(Rule::index_page_sorted, pages_[i], page.entry_bytes(entry),
            seen("key " + short_text(key->bytes, scene_.leaf),
                 short_text(before->bytes, scene_.leaf) + " or more"));
    }
  });
}

}  // namespace parqproof
