#include "conformance/indexes/index_page_2013/index_tree_rules.hpp"

#include <algorithm>
#include <utility>

#include "codec/encoding/values.hpp"
#include "codec/schema/value_text.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kNone = IndexTreePages::kNone;

const RowGroupClaim& row_group(const ChunkScope& chunk) {
  return chunk.context.footer.row_groups[chunk.claim.row_group];
}

}  // namespace

bool reads_index_tree(const Context& context, const Findings& findings) {
  if (context.options.profile == Profile::historical) return true;
  return std::ranges::any_of(profile_rows(), [&](const ProfileRow& row) {
    return row.change == ProfileChange::only && findings.wants(row.rule);
  });
}

Place IndexTreeRules::at(const IndexTreePage& page) const noexcept {
  Place place = chunk_.place;
  place.page = page.ordinal;
  return place;
}

/// Makes a finding at bytes in the body of an index page.
void IndexTreeRules::fault(Rule rule, std::size_t page, View where, Contrast what) const {
  report_in_page(chunk_.site.findings, rule, at(pages_[page]), where, pages_[page].offset, std::move(what));
}

void IndexTreeRules::error(std::size_t page, const Error& error) const {
  report_error(chunk_.site.findings, at(pages_[page]), error, pages_[page].offset);
}

/// Makes a finding at the type in the header of a page.
void IndexTreeRules::type_fault(Rule rule, std::size_t page, Contrast what) const {
  const thrift::Extent& type = pages_[page].type_at;
  report_at(chunk_.site.findings, rule, at(pages_[page]), type.value, type.end - type.value, std::move(what),
            "type");
}

std::string IndexTreeRules::judge(bool bodies, std::vector<Lost>& lost) {
  if (pages_.index_pages() == 0) return {};
  const std::size_t root = find_root();
  if (!bodies) return {};
  if (pages_.bounds_overflown()) {
    chunk_.site.report(Rule::limit_memory, "meta_data.index_page_offset",
                       contrast("the smallest and largest values of pages with an index",
                                IndexTreePages::memory(chunk_.context.options.limits)));
  }
  if (root == kNone) return "the root of the index is not known";

  pages_.take_bounds();
  reading_ = read_index_tree(chunk_, pages_);
  for (const auto& [page, why] : reading_.errors) {
    error(page, why);
    if (info(why.rule).klass == Class::malformed) lost.push_back({LostPart::page, at(pages_[page])});
  }
  judge_reading(root);
  walk(root);
  // Pages stand before the index page that names them, so those below a page are summed up before it.
  for (const auto& [page, children] : children_) pages_.sum_up(page, children);
  if (reading_.form == IndexTreeForm::ordinals) {
    ordinals();
  } else {
    for (const std::size_t page : keys(reads_largest(root)))
      lost.push_back({LostPart::page, at(pages_[page])});
  }
  return {};
}

/// index-page/post-order of the root. The root is the last page of the chunk where that is an index page,
/// else the index page that index_page_offset leads to, else kNone.
std::size_t IndexTreeRules::find_root() const {
  const std::size_t stated = pages_.find(static_cast<std::uint64_t>(chunk_.meta().index_page_offset));
  const bool is_known = stated != kNone && pages_[stated].type == PageType::INDEX_PAGE;
  const IndexTreePage& last = pages_.back();
  if (is_known && stated + 1 != pages_.size()) {
    chunk_.site.report(Rule::index_page_post_order, "meta_data.index_page_offset",
                       contrast("the root index page stands at byte " + std::to_string(pages_[stated].offset),
                                "the last page of the column chunk, at byte " + std::to_string(last.offset)));
  }
  if (last.type == PageType::INDEX_PAGE) return pages_.size() - 1;
  return is_known ? stated : kNone;
}

/// index-page/offset-base and index-page/first-sort-column, at a root that could be taken apart.
void IndexTreeRules::judge_reading(std::size_t root) const {
  if (!reading_.nodes.contains(root)) return;
  if (reading_.base == 0 && reading_.good != 0) {
    fault(Rule::index_page_offset_base, root, *pages_.body(root),
          contrast("the beginning of the file", "the first data page"));
  }
  const auto sorting = row_group(chunk_).first_sorting_column;
  if (reading_.form == IndexTreeForm::values && sorting &&
      *sorting != static_cast<std::int32_t>(chunk_.claim.leaf)) {
    type_fault(Rule::index_page_first_sort_column, root,
               contrast("an index by values", "column " + std::to_string(*sorting)));
  }
}

/// index-page/child and index-page/post-order: walks the tree from its root. A page is entered once, and only
/// from an index page behind it, so the walk ends whatever the entries say.
void IndexTreeRules::walk(std::size_t root) {
  std::vector<bool> reached(pages_.size(), false);
  std::vector<std::size_t> open{root};
  reached[root] = true;
  bool whole = reading_.errors.empty();
  while (!open.empty()) {
    const std::size_t parent = open.back();
    open.pop_back();
    const auto at = reading_.nodes.find(parent);
    if (at == reading_.nodes.end()) {
      whole = whole && pages_[parent].type != PageType::INDEX_PAGE;
      continue;
    }
    Children& children = children_[parent];
    for (std::size_t i = 0; i < at->second.size(); ++i) {
      const IndexTreeEntry entry = at->second.entry(i);
      const View where = at->second.entry_bytes(i).part(4, 8);
      children.push_back(kNone);
      const std::size_t page = pages_.child(entry, reading_.base);
      const auto named = [&] {
        return std::to_string(entry.page_length) + " bytes at offset " + std::to_string(entry.page_offset);
      };
      if (page == kNone) {
        fault(Rule::index_page_child, parent, where,
              contrast("an index entry names " + named(), "a data or index page of the column chunk"));
      } else if (page >= parent) {
        fault(Rule::index_page_post_order, parent, where.part(0, 4),
              contrast("an index entry names the page at byte " + std::to_string(pages_[page].offset),
                       "a page before its index page at byte " + std::to_string(pages_[parent].offset)));
      } else if (reached[page]) {
        fault(Rule::index_page_child, parent, where,
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
  if (whole) not_named(reached);
}

/// index-page/child of the data pages that no entry names. It is judged of a whole tree alone: a fault above
/// may be why an entry was not reached.
void IndexTreeRules::not_named(const std::vector<bool>& reached) const {
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    if (reached[i] || pages_[i].type == PageType::DICTIONARY_PAGE || pages_[i].type == PageType::INDEX_PAGE)
      continue;
    type_fault(Rule::index_page_child, i,
               contrast("no index entry names the data page", "one entry for each page"));
  }
}

/// index-page/ordinal, and index-page/sorted where two ordinals are true. Where rows were lost before a page,
/// its ordinal has to be one that the row group has.
void IndexTreeRules::ordinals() const {
  const RowGroupClaim& group = row_group(chunk_);
  const std::int64_t last_row =
      group.has_num_rows ? std::max<std::int64_t>(group.num_rows - 1, 0) : INT32_MAX;
  for (const auto& [page, children] : children_) {
    const IndexTreeNode& node = reading_.nodes.at(page);
    std::int32_t before = INT32_MIN;  // the ordinal of the entry before, if that is true
    for (std::size_t entry = 0; entry < node.size(); ++entry) {
      const std::int32_t ordinal = node.entry(entry).key;
      const std::size_t child = children[entry];
      std::optional<std::int64_t> row;
      if (child != kNone) row = pages_[child].first_row;
      if (row ? ordinal != *row : ordinal < 0 || ordinal > last_row) {
        fault(Rule::index_page_ordinal, page, node.entry_bytes(entry).part(0, 4),
              contrast(ordinal, row ? std::to_string(*row) : "0 to " + std::to_string(last_row)));
        before = INT32_MIN;
        continue;
      }
      if (ordinal < before) {
        fault(Rule::index_page_sorted, page, node.entry_bytes(entry),
              contrast("ordinal " + std::to_string(ordinal), std::to_string(before) + " or more"));
      }
      before = ordinal;
    }
  }
}

/// The text of what a key would have to be, as the largest (`upper`) or smallest value of a page; empty where
/// it can be that, as far as the values of the page are known.
std::string IndexTreeRules::due(View key, std::size_t child, bool upper) const {
  const std::vector<std::uint8_t>* bound = child == kNone ? nullptr : pages_.bound(child, upper);
  if (bound == nullptr) return {};
  const Comparison wrong = upper ? Comparison::less : Comparison::greater;
  if (compare(pages_.order(), key.bytes, *bound) != wrong) return {};
  return short_text(*bound, chunk_.leaf) + (upper ? " or more" : " or less");
}

/// The same of the key of an entry. The key also divides the page of the entry from that of the next entry
/// (`upper`) or of the one before, provided that the keys of the two entries are in order.
std::string IndexTreeRules::due(const IndexTreeNode& node, const Children& children, std::size_t entry,
                                bool upper) const {
  const Result<View> key = node.key(entry);
  if (!key) return {};
  if (std::string own = due(*key, children[entry], upper); !own.empty()) return own;
  if (upper ? entry + 1 >= node.size() : entry == 0) return {};
  const std::size_t beside = upper ? entry + 1 : entry - 1;
  const Result<View> other = node.key(beside);
  if (!other) return {};
  const Comparison how = compare(pages_.order(), key->bytes, other->bytes);
  if (how == (upper ? Comparison::greater : Comparison::less)) return {};
  return due(*key, children[beside], !upper);
}

/// index-page/key-reading: whether the keys are read as the largest values of their pages. They are, unless
/// fewer of them are wrong as the smallest values.
bool IndexTreeRules::reads_largest(std::size_t root) const {
  if (pages_.order() == Order::none) return true;
  std::int64_t wrong[2] = {0, 0};
  for (const auto& [page, children] : children_) {
    const IndexTreeNode& node = reading_.nodes.at(page);
    for (std::size_t entry = 0; entry < node.size(); ++entry) {
      for (const bool upper : {false, true})
        wrong[upper] += due(node, children, entry, upper).empty() ? 0 : 1;
    }
  }
  const bool upper = wrong[true] <= wrong[false];
  if (wrong[upper] == 0 && wrong[!upper] != 0) {
    fault(Rule::index_page_key_reading, root, *pages_.body(root),
          contrast(upper ? "largest" : "smallest", ""));
  }
  return upper;
}

/// index-page/keys and index-page/keys-true, and index-page/sorted where two keys are true. `upper`: keys are
/// largest values. The pages of which a key cannot be decoded.
std::vector<std::size_t> IndexTreeRules::keys(bool upper) const {
  std::vector<std::size_t> damaged;
  const auto judge_entry = [&](std::size_t page, const Children& children, std::size_t entry) {
    const IndexTreeNode& node = reading_.nodes.at(page);
    const Result<View> key = node.key(entry);
    if (!key) {
      if (damaged.empty() || damaged.back() != page) damaged.push_back(page);
      return error(page, key.error());
    }
    if (pages_.order() == Order::none) return;
    if (std::string expected = due(node, children, entry, upper); !expected.empty()) {
      const View from = node.values_buffer().from(static_cast<std::size_t>(node.entry(entry).key));
      fault(Rule::index_page_keys_true, page, from.part(0, static_cast<std::size_t>(key->end() - from.base)),
            contrast(short_text(key->bytes, chunk_.leaf), expected));
      return;
    }
    if (entry == 0 || !due(node, children, entry - 1, upper).empty()) return;
    const Result<View> before = node.key(entry - 1);
    if (before && compare(pages_.order(), key->bytes, before->bytes) == Comparison::less) {
      fault(Rule::index_page_sorted, page, node.entry_bytes(entry),
            contrast("key " + short_text(key->bytes, chunk_.leaf),
                     short_text(before->bytes, chunk_.leaf) + " or more"));
    }
  };
  for (const auto& [page, children] : children_) {
    for (std::size_t entry = 0; entry < children.size(); ++entry) judge_entry(page, children, entry);
  }
  return damaged;
}

}  // namespace parqproof
