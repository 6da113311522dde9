#include "conformance/indexes/index_page_2013/index_tree_rules.hpp"

#include <algorithm>
#include <utility>

#include "codec/base/text.hpp"
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
  // Pages precede the index page that names them, so the children of a page are summed up before it.
  for (const auto& [page, children] : children_) pages_.sum_up(page, children);
  if (reading_.form == IndexTreeForm::ordinals) {
    ordinals();
  } else {
    for (const std::size_t page : keys(reads_largest(root)))
      lost.push_back({LostPart::page, at(pages_[page])});
  }
  return {};
}

/// index-page/post-order of the root. The root is the last page of the chunk if that is an index page, else
/// the index page at index_page_offset, else kNone.
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

/// index-page/offset-base and index-page/first-sort-column, at a root that could be parsed.
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
/// from a later index page, so the walk always terminates.
void IndexTreeRules::walk(std::size_t root) {
  std::vector<bool> reached(pages_.size(), false);
  std::vector<std::size_t> open{root};
  reached[root] = true;
  bool is_complete = reading_.errors.empty();
  while (!open.empty()) {
    const std::size_t parent = open.back();
    open.pop_back();
    const auto at = reading_.nodes.find(parent);
    if (at == reading_.nodes.end()) {
      is_complete = is_complete && pages_[parent].type != PageType::INDEX_PAGE;
      continue;
    }
    Children& children = children_[parent];
    for (std::size_t i = 0; i < at->second.size(); ++i) {
      const IndexTreeEntry entry = at->second.entry(i);
      const View where = at->second.entry_bytes(i).part(4, 8);
      children.push_back(kNone);
      const std::size_t page = pages_.child(entry, reading_.base);
      const auto named = [&] {
        return std::to_string(entry.page_length) + (entry.page_length == 1 ? " byte" : " bytes") +
               " at offset " + std::to_string(entry.page_offset);
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
      is_complete = false;
    }
  }
  if (is_complete) not_named(reached);
}

/// index-page/child of the data pages that no entry names. Only a complete tree is judged, because a fault in
/// an index page may hide its entries.
void IndexTreeRules::not_named(const std::vector<bool>& reached) const {
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    if (reached[i] || pages_[i].type == PageType::DICTIONARY_PAGE || pages_[i].type == PageType::INDEX_PAGE)
      continue;
    type_fault(Rule::index_page_child, i,
               contrast("no index entry names the data page", "one entry for each page"));
  }
}

/// index-page/ordinal, and index-page/sorted if two adjacent ordinals are correct. If rows were lost before a
/// page, its ordinal only has to be in the row group.
void IndexTreeRules::ordinals() const {
  const RowGroupClaim& group = row_group(chunk_);
  const std::int64_t last_row =
      group.has_num_rows ? std::max<std::int64_t>(group.num_rows - 1, 0) : INT32_MAX;
  for (const auto& [page, children] : children_) {
    const IndexTreeNode& node = reading_.nodes.at(page);
    std::int32_t before = INT32_MIN;  // the ordinal of the previous entry, if it is correct
    for (std::size_t entry = 0; entry < node.size(); ++entry) {
      const std::int32_t ordinal = node.entry(entry).key;
      const std::size_t child = children[entry];
      std::optional<std::int64_t> row;
      if (child != kNone) row = pages_[child].first_row;
      if (row ? ordinal != *row : ordinal < 0 || ordinal > last_row) {
        fault(Rule::index_page_ordinal, page, node.entry_bytes(entry).part(0, 4),
              contrast(ordinal, row ? FindingValue(*row) : between(0, last_row)));
        before = INT32_MIN;
        continue;
      }
      if (ordinal < before) {
        fault(Rule::index_page_sorted, page, node.entry_bytes(entry),
              contrast("ordinal " + std::to_string(ordinal), or_more(before)));
      }
      before = ordinal;
    }
  }
}

/// The expected key, as text, if keys are the largest (`upper`) or smallest values of pages; empty if the key
/// is possible, as far as the values of the page are known.
FindingValue IndexTreeRules::due(View key, std::size_t child, bool upper) const {
  const std::vector<std::uint8_t>* bound = child == kNone ? nullptr : pages_.bound(child, upper);
  if (bound == nullptr) return {};
  const Comparison wrong = upper ? Comparison::less : Comparison::greater;
  if (compare(pages_.order(), key.bytes, *bound) != wrong) return {};
  return upper ? short_value_or_more(*bound, chunk_.leaf) : short_value_or_less(*bound, chunk_.leaf);
}

/// The same for the key of an entry. The key also separates the page of the entry from that of the next entry
/// (`upper`) or of the previous entry, provided that the keys of the two entries are in order.
FindingValue IndexTreeRules::due(const IndexTreeNode& node, const Children& children, std::size_t entry,
                                 bool upper) const {
  const Result<View> key = node.key(entry);
  if (!key) return {};
  if (FindingValue own = due(*key, children[entry], upper); !own.empty()) return own;
  if (upper ? entry + 1 >= node.size() : entry == 0) return {};
  const std::size_t neighbor = upper ? entry + 1 : entry - 1;
  const Result<View> other = node.key(neighbor);
  if (!other) return {};
  const Comparison how = compare(pages_.order(), key->bytes, other->bytes);
  if (how == (upper ? Comparison::greater : Comparison::less)) return {};
  return due(*key, children[neighbor], !upper);
}

/// index-page/key-reading: returns true if keys are read as the largest values of their pages. They are,
/// unless fewer of them are wrong as the smallest values.
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

/// index-page/keys and index-page/keys-true, and index-page/sorted if two adjacent keys are correct. `upper`:
/// keys are largest values. Returns the pages with a key that cannot be decoded.
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
    if (FindingValue expected = due(node, children, entry, upper); !expected.empty()) {
      const View from = node.values_buffer().from(static_cast<std::size_t>(node.entry(entry).key));
      fault(Rule::index_page_keys_true, page, from.part(0, static_cast<std::size_t>(key->end() - from.base)),
            contrast(short_value(key->bytes, chunk_.leaf), std::move(expected)));
      return;
    }
    if (entry == 0 || !due(node, children, entry - 1, upper).empty()) return;
    const Result<View> before = node.key(entry - 1);
    if (before && compare(pages_.order(), key->bytes, before->bytes) == Comparison::less) {
      fault(Rule::index_page_sorted, page, node.entry_bytes(entry),
            contrast("key " + short_text(key->bytes, chunk_.leaf),
                     short_value_or_more(before->bytes, chunk_.leaf)));
    }
  };
  for (const auto& [page, children] : children_) {
    for (std::size_t entry = 0; entry < children.size(); ++entry) judge_entry(page, children, entry);
  }
  return damaged;
}

}  // namespace parqproof
