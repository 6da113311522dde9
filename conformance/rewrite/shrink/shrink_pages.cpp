#include <algorithm>
#include <utility>

#include "codec/format/page_header.hpp"
#include "codec/format/page_index.hpp"
#include "conformance/rewrite/shrink/shrink_parts.hpp"

namespace parqproof {

using model::ChunkId;
using model::NodeId;
using model::Segment;
using model::SegmentId;
using model::Tree;

namespace {

void remove_at(Tree& tree, std::string_view list, std::size_t index) {
  const auto node = tree.find(list);
  const auto element = node ? tree.element(*node, index) : std::nullopt;
  if (element) tree.remove(*element);
}

/// Number of entries of a data page by its header.
std::int64_t entries_of(const Tree& header) {
  return header.number("data_page_header.num_values")
      .value_or(header.number("data_page_header_v2.num_values").value_or(0));
}

/// Moves the first rows of the pages from one on.
void move_rows(Tree& index, const std::vector<NodeId>& pages, std::size_t from, std::int64_t rows) {
  for (std::size_t i = from; i < pages.size(); ++i)
    index.add(index.field(pages[i], PageLocation::id_first_row_index), -rows);
}

}  // namespace

// ---- Pages ----

std::vector<ShrinkFile::PageRow> ShrinkFile::page_rows() {
  std::vector<PageRow> rows;
  const std::size_t groups = row_groups();
  for (std::uint32_t group = 0; group < groups; ++group) {
    std::size_t most = 0;
    for (const ChunkId chunk : chunks_of(group)) most = std::max(most, data_pages(chunk).size());
    for (std::size_t page = 0; page < most; ++page) rows.push_back({group, page});
  }
  return rows;
}

std::size_t ShrinkFile::pages() { return page_rows().size(); }

bool ShrinkFile::remove_pages(std::size_t from, std::size_t count) {
  const std::vector<PageRow> rows = page_rows();
  for (std::size_t i = from + count; i-- > from;) {  // later pages first: the ordinals of others stay
    if (!remove_page_row(rows[i])) return false;
  }
  return true;
}

std::optional<ShrinkFile::LeafForm> ShrinkFile::form_of(ChunkId chunk) {
  const std::uint32_t column = model_.chunk(chunk).column;
  if (leaves() <= column) return std::nullopt;
  const auto metadata = metadata_of(chunk);
  const auto codec =
      metadata.empty() ? std::nullopt : metadata.front().first->number("codec", metadata.front().second);
  return LeafForm{schema_.leaf(column), static_cast<CompressionCodec>(codec.value_or(0))};
}

std::optional<PageSums> ShrinkFile::sums_of(ChunkId chunk, SegmentId page) {
  const auto form = form_of(chunk);
  return form ? count_rows(model_, page, form->leaf, form->codec, limits_) : std::nullopt;
}

void ShrinkFile::subtract(ChunkId chunk, const PageSums& sums, std::int64_t bytes) {
  for (const auto& [tree, node] : metadata_of(chunk)) {
    tree->add(tree->field(node, ColumnMetaData::id_num_values), -sums.entries);
    tree->add(tree->field(node, ColumnMetaData::id_total_uncompressed_size), -bytes);
    tree->add(tree->find("statistics.null_count", node), -sums.nulls);
  }
  const auto groups = elements("row_groups");
  const std::uint32_t group = model_.chunk(chunk).row_group;
  if (group < groups.size())
    footer().add(footer().field(groups[group], RowGroup::id_total_byte_size), -bytes);
}

std::int64_t ShrinkFile::uncompressed_bytes(const Tree& header) {
  return static_cast<std::int64_t>(header.encoded_size()) +
         header.number("uncompressed_page_size").value_or(0);
}

std::optional<std::int64_t> ShrinkFile::remove_page(ChunkId chunk, std::size_t ordinal) {
  const SegmentId page = data_pages(chunk)[ordinal];
  Tree* const header = model_.tree(page);
  if (header == nullptr) return std::nullopt;
  const std::int64_t entries = entries_of(*header);
  const PageSums sums = sums_of(chunk, page).value_or(PageSums{entries, entries, 0});
  const std::int64_t rows = header->number("data_page_header_v2.num_rows").value_or(sums.rows);
  const auto type = header->number("type");
  for (const auto& [tree, node] : metadata_of(chunk)) {
    const auto stats = tree->field(node, ColumnMetaData::id_encoding_stats);
    if (!stats) continue;
    for (const NodeId entry : tree->children(*stats)) {
      const auto number = tree->field(entry, PageEncodingStats::id_count);
      if (!number || tree->number("page_type", entry) != type) continue;
      tree->add(number, -1);
      if (tree->number(*number) == 0) tree->remove(entry);
      break;
    }
  }
  subtract(chunk, {entries, rows, sums.nulls}, uncompressed_bytes(*header));
  forget_page(chunk, ordinal);
  model_.remove(page);
  return rows;
}

void ShrinkFile::subtract_rows(std::uint32_t row_group, std::int64_t rows) {
  footer().add(footer().field(elements("row_groups")[row_group], RowGroup::id_num_rows), -rows);
  footer().add(footer().find("num_rows"), -rows);
}

bool ShrinkFile::remove_page_row(const PageRow& row) {
  std::optional<std::int64_t> rows;
  for (const ChunkId chunk : chunks_of(row.row_group)) {
    if (row.page >= data_pages(chunk).size()) continue;
    const auto removed = remove_page(chunk, row.page);
    if (!removed) return false;
    if (!rows) rows = removed;
  }
  if (!rows) return false;
  subtract_rows(row.row_group, *rows);
  return true;
}

void ShrinkFile::forget_page(ChunkId chunk, std::size_t page) {
  for (const SegmentId id : segments_of(Segment::Kind::offset_index, chunk)) {
    Tree* const index = model_.tree(id);
    const auto locations = index == nullptr ? std::nullopt : index->find("page_locations");
    if (!locations) continue;
    const std::vector<NodeId> pages = index->children(*locations);
    if (page >= pages.size()) continue;
    if (page + 1 < pages.size()) {
      const std::int64_t rows = index->number("first_row_index", pages[page + 1]).value_or(0) -
                                index->number("first_row_index", pages[page]).value_or(0);
      move_rows(*index, pages, page + 1, rows);
    }
    index->remove(pages[page]);
    remove_at(*index, "unencoded_byte_array_data_bytes", page);
  }
  for (const SegmentId id : segments_of(Segment::Kind::column_index, chunk)) {
    Tree* const index = model_.tree(id);
    const auto flags = index == nullptr ? std::nullopt : index->find("null_pages");
    if (!flags) continue;
    const std::size_t pages = index->children(*flags).size();
    for (const char* const list : {"null_pages", "min_values", "max_values", "null_counts", "nan_counts"})
      remove_at(*index, list, page);
    for (const char* const list : {"repetition_level_histograms", "definition_level_histograms"}) {
      const auto node = index->find(list);
      const std::size_t each = node && pages != 0 ? index->children(*node).size() / pages : 0;
      for (std::size_t i = 0; i < each; ++i) remove_at(*index, list, page * each);
    }
  }
}

// ---- Rows ----

std::size_t ShrinkFile::rows() {
  std::size_t sum = 0;
  for (const std::size_t count : rows_of_groups()) sum += count;
  return sum;
}

std::vector<std::size_t> ShrinkFile::rows_of_groups() {
  std::vector<std::size_t> rows;
  for (const NodeId group : elements("row_groups")) {
    const std::int64_t stated = footer().number("num_rows", group).value_or(0);
    rows.push_back(static_cast<std::size_t>(std::clamp<std::int64_t>(stated, 0, INT32_MAX)));
  }
  return rows;
}

bool ShrinkFile::remove_rows(std::size_t from, std::size_t count) {
  std::size_t first = 0;  // of the row group, in the file
  const std::vector<std::size_t> groups = rows_of_groups();
  for (std::uint32_t group = 0; group < groups.size(); ++group) {
    const std::size_t end = first + groups[group];
    const std::size_t begin = std::clamp(from, first, end);
    const std::size_t stop = std::clamp(from + count, first, end);
    if (begin != stop && !remove_group_rows(group, begin - first, stop - first)) return false;
    first = end;
  }
  return true;
}

bool ShrinkFile::remove_group_rows(std::uint32_t row_group, std::uint64_t from, std::uint64_t to) {
  for (const ChunkId chunk : chunks_of(row_group)) {
    std::vector<std::uint64_t> ends;  // of the rows of each page
    for (const SegmentId page : data_pages(chunk)) {
      const auto sums = sums_of(chunk, page);
      if (!sums) return false;
      ends.push_back((ends.empty() ? 0 : ends.back()) + static_cast<std::uint64_t>(sums->rows));
    }
    if (ends.empty() || ends.back() < to) return false;
    for (std::size_t i = ends.size(); i-- != 0;) {  // later pages first: the ordinals of others stay
      const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
      const std::uint64_t first = std::clamp(from, begin, ends[i]) - begin;
      const std::uint64_t end = std::clamp(to, begin, ends[i]) - begin;
      if (first == end) continue;
      const bool is_complete = end - first == ends[i] - begin;
      if (is_complete ? !remove_page(chunk, i) : !remove_page_rows(chunk, i, first, end)) return false;
    }
  }
  subtract_rows(row_group, static_cast<std::int64_t>(to - from));
  return true;
}

bool ShrinkFile::remove_page_rows(ChunkId chunk, std::size_t ordinal, std::uint64_t first,
                                  std::uint64_t end) {
  const auto form = form_of(chunk);
  const SegmentId page = data_pages(chunk)[ordinal];
  if (!form || model_.tree(page) == nullptr) return false;
  const std::int64_t before = uncompressed_bytes(*model_.tree(page));
  const auto removed = parqproof::remove_rows(model_, page, form->leaf, form->codec, first, end, limits_);
  if (!removed) return false;
  subtract(chunk, *removed, before - uncompressed_bytes(*model_.tree(page)));
  for (const SegmentId id : segments_of(Segment::Kind::offset_index, chunk)) {
    Tree* const index = model_.tree(id);
    const auto locations = index == nullptr ? std::nullopt : index->find("page_locations");
    if (locations) move_rows(*index, index->children(*locations), ordinal + 1, removed->rows);
  }
  for (const SegmentId id : segments_of(Segment::Kind::column_index, chunk)) {
    Tree* const index = model_.tree(id);
    const auto counts = index == nullptr ? std::nullopt : index->find("null_counts");
    const auto own = counts ? index->element(*counts, ordinal) : std::nullopt;
    if (own) index->add(own, -removed->nulls);
  }
  return true;
}

}  // namespace parqproof
