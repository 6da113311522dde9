#include "conformance/indexes/index_page_2013/index_tree_reading.hpp"

#include <algorithm>
#include <optional>

namespace parqproof {
namespace {

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
