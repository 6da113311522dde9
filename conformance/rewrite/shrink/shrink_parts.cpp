#include "conformance/rewrite/shrink/shrink_parts.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "codec/model/parse.hpp"

namespace parqproof {

using model::ChunkId;
using model::NodeId;
using model::Segment;
using model::SegmentId;
using model::Tree;

namespace {

std::string without_ordinals(std::string path) {
  std::string out;
  bool is_ordinal = false;
  for (const char c : path) {
    if (c == ']') is_ordinal = false;
    if (!is_ordinal) out += c;
    if (c == '[') is_ordinal = true;
  }
  return out;
}

}  // namespace

std::unique_ptr<ShrinkFile> ShrinkFile::open(const Source& source, const Limits& limits) {
  auto parsed = model::parse(source, limits);
  if (!parsed || parsed->footer() == model::kNoSegment) return nullptr;
  std::unique_ptr<ShrinkFile> file(new ShrinkFile(std::move(*parsed), limits));
  if (file->model_.tree(file->model_.footer()) == nullptr) return nullptr;
  file->read_schema();
  file->by_chunk_.resize(file->model_.chunk_count());
  for (const SegmentId id : file->model_.order()) {
    const ChunkId chunk = file->model_.segment(id).chunk;
    if (chunk < file->by_chunk_.size()) file->by_chunk_[chunk].push_back(id);
  }
  return file;
}

std::vector<SegmentId> ShrinkFile::segments_of(Segment::Kind kind, ChunkId chunk) const {
  std::vector<SegmentId> segments;
  for (const SegmentId id : by_chunk_[chunk]) {
    if (model_.segment(id).kind == kind && !model_.segment(id).removed) segments.push_back(id);
  }
  return segments;
}

void ShrinkFile::read_schema() {
  static const Limits kLimits;
  if (footer().read_struct(model::kRoot, footer_bytes_, stated_)) {
    thrift::for_each<SchemaElement>(
        stated_.schema, kLimits, [&](const SchemaElement& element, std::uint32_t) { schema_.add(element); });
  }
  schema_.finish();
}

std::vector<NodeId> ShrinkFile::elements(std::string_view path, NodeId from) {
  const auto list = footer().find(path, from);
  return list ? footer().children(*list) : std::vector<NodeId>{};
}

std::vector<ChunkId> ShrinkFile::chunks_of(std::uint32_t row_group) {
  std::vector<ChunkId> chunks;
  for (ChunkId id = 0; id < model_.chunk_count(); ++id) {
    if (model_.chunk(id).row_group == row_group) chunks.push_back(id);
  }
  return chunks;
}

std::vector<SegmentId> ShrinkFile::data_pages(ChunkId chunk) {
  std::vector<SegmentId> pages = segments_of(Segment::Kind::page, chunk);
  std::erase_if(pages, [&](SegmentId id) {
    const auto type = static_cast<PageType>(model_.segment(id).page_type);
    return model_.segment(id).removed || (type != PageType::DATA_PAGE && type != PageType::DATA_PAGE_V2);
  });
  return pages;
}

std::vector<std::pair<Tree*, NodeId>> ShrinkFile::metadata_of(ChunkId chunk) {
  std::vector<std::pair<Tree*, NodeId>> all;
  const model::ChunkPlace& place = model_.chunk(chunk);
  const auto groups = elements("row_groups");
  const auto columns =
      place.row_group < groups.size() ? elements("columns", groups[place.row_group]) : std::vector<NodeId>{};
  const auto own = place.column < columns.size()
                       ? footer().field(columns[place.column], ColumnChunk::id_meta_data)
                       : std::nullopt;
  if (own) all.emplace_back(&footer(), *own);
  for (const SegmentId id : segments_of(Segment::Kind::column_metadata, chunk)) {
    Tree* const tree = model_.tree(id);
    if (tree == nullptr) continue;
    const auto node = &tree->type() == &ColumnChunk::kType
                          ? tree->field(model::kRoot, ColumnChunk::id_meta_data)
                          : std::optional(model::kRoot);
    if (node) all.emplace_back(tree, *node);
  }
  return all;
}

void ShrinkFile::remove_chunk(ChunkId chunk) {
  for (const SegmentId id : by_chunk_[chunk]) model_.remove(id);
}

// ---- Row groups ----

std::size_t ShrinkFile::row_groups() { return elements("row_groups").size(); }

bool ShrinkFile::remove_row_groups(std::size_t from, std::size_t count) {
  const std::vector<NodeId> groups = elements("row_groups");
  std::int64_t rows = 0;
  for (std::size_t i = from; i < from + count; ++i) {
    for (const ChunkId chunk : chunks_of(static_cast<std::uint32_t>(i))) remove_chunk(chunk);
    rows += footer().number("num_rows", groups[i]).value_or(0);
    footer().remove(groups[i]);
  }
  for (std::size_t i = from + count; i < groups.size(); ++i)
    footer().add(footer().field(groups[i], RowGroup::id_ordinal), -static_cast<std::int64_t>(count));
  footer().add(footer().find("num_rows"), -rows);
  return true;
}

// ---- Columns ----

std::size_t ShrinkFile::leaves() { return schema_.fault() == Schema::Fault::none ? schema_.leaf_count() : 0; }

bool ShrinkFile::remove_leaves(std::size_t from, std::size_t count) {
  Tree& tree = footer();
  const std::vector<NodeId> schema = elements("schema");
  std::vector<std::uint32_t> children(schema.size());
  for (std::size_t i = 1; i < schema.size(); ++i) ++children[schema_.nodes()[i].parent];
  for (std::size_t leaf = from; leaf < from + count; ++leaf) {
    // Groups without any other child go with the leaf; the root stays.
    for (std::uint32_t i = schema_.leaf_index(leaf); i != 0; i = schema_.nodes()[i].parent) {
      const std::uint32_t parent = schema_.nodes()[i].parent;
      tree.remove(schema[i]);
      if (--children[parent] != 0 || parent == 0) {
        const auto number = tree.field(schema[parent], SchemaElement::id_num_children);
        if (number) tree.set_number(*number, children[parent]);
        break;
      }
    }
  }
  const auto is_removed = [&](std::int64_t leaf) {
    return leaf >= static_cast<std::int64_t>(from) && leaf < static_cast<std::int64_t>(from + count);
  };
  const std::vector<NodeId> groups = elements("row_groups");
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    const std::vector<NodeId> columns = elements("columns", groups[g]);
    if (columns.size() != schema_.leaf_count()) return false;
    for (std::size_t leaf = from; leaf < from + count; ++leaf) {
      const std::int64_t size = tree.number("meta_data.total_uncompressed_size", columns[leaf]).value_or(0);
      tree.add(tree.field(groups[g], RowGroup::id_total_byte_size), -size);
      const ChunkId chunk = model_.chunk_at(g, static_cast<std::uint32_t>(leaf));
      if (chunk != model::kNoChunk) remove_chunk(chunk);
      tree.remove(columns[leaf]);
    }
    for (const NodeId sorting : elements("sorting_columns", groups[g])) {
      const auto index = tree.field(sorting, SortingColumn::id_column_idx);
      if (!index) continue;
      if (is_removed(tree.number(*index))) {
        tree.remove(sorting);
      } else if (tree.number(*index) >= static_cast<std::int64_t>(from)) {
        tree.add(index, -static_cast<std::int64_t>(count));
      }
    }
    const auto sorting = tree.field(groups[g], RowGroup::id_sorting_columns);
    if (sorting && tree.children(*sorting).empty()) tree.remove(*sorting);
  }
  const std::vector<NodeId> orders = elements("column_orders");
  for (std::size_t leaf = from; leaf < std::min(from + count, orders.size()); ++leaf)
    tree.remove(orders[leaf]);
  return true;
}

std::size_t ShrinkFile::fields() {
  if (leaves() == 0) return 0;
  std::size_t count = 0;
  for (std::uint32_t i = 1; i < schema_.nodes().size(); i = schema_.nodes()[i].end) ++count;
  return count;
}

bool ShrinkFile::remove_fields(std::size_t from, std::size_t count) {
  std::size_t ordinal = 0;
  std::size_t first = leaves();
  std::size_t end = 0;
  for (std::uint32_t i = 1; i < schema_.nodes().size(); i = schema_.nodes()[i].end, ++ordinal) {
    if (ordinal < from || ordinal >= from + count) continue;
    const std::size_t leaf = schema_.nodes()[i].leaf;
    first = std::min(first, leaf);
    end = std::max(end, leaf + schema_.leaves_below(i));
  }
  return first < end && remove_leaves(first, end - first);
}

// ---- Optional structures and fields ----

std::vector<SegmentId> ShrinkFile::removable() {
  std::vector<SegmentId> all;
  for (const SegmentId id : model_.order()) {
    const Segment& segment = model_.segment(id);
    const bool is_removable =
        segment.kind == Segment::Kind::column_index || segment.kind == Segment::Kind::offset_index ||
        segment.kind == Segment::Kind::bloom_filter || segment.kind == Segment::Kind::column_metadata ||
        segment.kind == Segment::Kind::unread || segment.kind == Segment::Kind::gap ||
        (segment.kind == Segment::Kind::footer && id != model_.footer()) ||
        (segment.kind == Segment::Kind::page &&
         segment.page_type == static_cast<std::int32_t>(PageType::INDEX_PAGE));
    if (is_removable && !segment.removed) all.push_back(id);
  }
  return all;
}

std::size_t ShrinkFile::structures() { return removable().size(); }

bool ShrinkFile::remove_structures(std::size_t from, std::size_t count) {
  const std::vector<SegmentId> all = removable();
  for (std::size_t i = from; i < from + count; ++i) {
    const Segment::Kind kind = model_.segment(all[i]).kind;
    const ChunkId chunk = model_.segment(all[i]).chunk;
    model_.remove(all[i]);
    if (chunk == model::kNoChunk) continue;
    const model::ChunkPlace& place = model_.chunk(chunk);
    const auto groups = elements("row_groups");
    if (place.row_group >= groups.size()) continue;
    const auto columns = elements("columns", groups[place.row_group]);
    if (place.column >= columns.size()) continue;
    const auto forget = [&](std::string_view path) {
      if (const auto node = footer().find(path, columns[place.column])) footer().remove(*node);
    };
    if (kind == Segment::Kind::column_index) {
      forget("column_index_offset");
      forget("column_index_length");
    } else if (kind == Segment::Kind::offset_index) {
      forget("offset_index_offset");
      forget("offset_index_length");
    } else if (kind == Segment::Kind::bloom_filter) {
      forget("meta_data.bloom_filter_offset");
      forget("meta_data.bloom_filter_length");
    }
  }
  return true;
}

std::vector<ShrinkFile::FieldPlace> ShrinkFile::field_places(bool only_footer) {
  std::vector<FieldPlace> places;
  for (const SegmentId id : model_.order()) {
    const Segment::Kind kind = model_.segment(id).kind;
    const bool is_wanted = id == model_.footer() || (!only_footer && (kind == Segment::Kind::page ||
                                                                      kind == Segment::Kind::column_index ||
                                                                      kind == Segment::Kind::offset_index));
    if (!is_wanted || model_.segment(id).removed || !model_.has_struct(id)) continue;
    Tree* const tree = model_.tree(id);
    if (tree == nullptr) continue;
    const std::string prefix = std::string(to_string(kind)) + " ";
    std::vector<NodeId> open{model::kRoot};
    while (!open.empty()) {
      const NodeId node = open.back();
      open.pop_back();
      for (const NodeId child : tree->children(node)) {
        open.push_back(child);
        const thrift::Field* const field = tree->known(child);
        const bool is_element = tree->node(child).id == 0;
        const std::string path = tree->path(child);
        if (is_element ? !path.starts_with("key_value_metadata") && !path.starts_with("row_groups")
                       : field != nullptr && field->presence == thrift::Presence::required)
          continue;
        const std::string general = without_ordinals(path);
        // Structures of their own, which other kinds of parts have.
        if (general == "row_groups[]" || general == "row_groups[].columns[]" ||
            general == "row_groups[].columns[].meta_data" || general == "schema[].num_children")
          continue;
        places.push_back({id, child, prefix + general});
      }
    }
  }
  return places;
}

std::size_t ShrinkFile::field_paths() {
  std::set<std::string> paths;
  for (const FieldPlace& place : field_places(false)) paths.insert(place.path);
  return paths.size();
}

bool ShrinkFile::remove_field_paths(std::size_t from, std::size_t count) {
  const std::vector<FieldPlace> places = field_places(false);
  std::set<std::string> paths;
  for (const FieldPlace& place : places) paths.insert(place.path);
  const auto first = std::next(paths.begin(), static_cast<std::ptrdiff_t>(from));
  const std::set<std::string> chosen(first, std::next(first, static_cast<std::ptrdiff_t>(count)));
  for (const FieldPlace& place : places) {
    if (chosen.contains(place.path)) model_.tree(place.segment)->remove(place.node);
  }
  return true;
}

std::size_t ShrinkFile::nodes() { return field_places(true).size(); }

bool ShrinkFile::remove_nodes(std::size_t from, std::size_t count) {
  const std::vector<FieldPlace> places = field_places(true);
  for (std::size_t i = from; i < from + count; ++i) footer().remove(places[i].node);
  return true;
}

}  // namespace parqproof
