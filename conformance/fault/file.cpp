#include "conformance/fault/file.hpp"

#include <algorithm>

#include "codec/format/page_header.hpp"
#include "codec/model/parse.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof::fault {

using model::ChunkId;
using model::NodeId;
using model::Segment;
using model::SegmentId;
using model::Tree;

std::unique_ptr<File> File::open(const Source& source, std::string& why) {
  auto parsed = model::parse(source);
  if (!parsed) {
    const Error& error = parsed.error().error;
    why = parsed.error().why == model::ParseFailure::Why::unreadable
              ? "it cannot be read"
              : "its footer cannot be read: " + std::string(info(error.rule).id) + " at byte " +
                    std::to_string(error.offset);
    return nullptr;
  }
  std::unique_ptr<File> file(new File(std::move(*parsed)));
  if (file->model_.footer() == model::kNoSegment) {
    why = "its footer is encrypted";
    return nullptr;
  }
  if (!file->read_footer()) {
    why = "its schema or its row groups cannot be read";
    return nullptr;
  }
  file->read_pages();
  return file;
}

bool File::read_footer() {
  Tree& tree = footer();
  static const Limits kLimits;
  if (!tree.read_struct(model::kRoot, footer_bytes_, stated_)) return false;
  thrift::for_each<SchemaElement>(stated_.schema, kLimits,
                                  [&](const SchemaElement& element, std::uint32_t) { schema_.add(element); });
  schema_.finish();
  if (schema_.fault() != Schema::Fault::none) return false;
  std::vector<NodeId> nodes;
  if (const auto groups = tree.field(model::kRoot, FileMetaData::id_row_groups)) {
    for (const NodeId group : tree.children(*groups)) {
      const auto columns = tree.field(group, RowGroup::id_columns);
      if (columns) std::ranges::copy(tree.children(*columns), std::back_inserter(nodes));
    }
  }
  bool fits = true;
  thrift::for_each<RowGroup>(stated_.row_groups, kLimits, [&](const RowGroup& group, std::uint32_t ordinal) {
    fits = fits && group.columns.count == schema_.leaf_count();
    is_sorted_ = is_sorted_ || group.has(RowGroup::id_sorting_columns);
    thrift::for_each<ColumnChunk>(group.columns, kLimits, [&](const ColumnChunk& chunk, std::uint32_t leaf) {
      if (chunks_.size() == nodes.size()) return;
      const NodeId node = nodes[chunks_.size()];
      chunks_.push_back({.node = node,
                         .metadata = tree.field(node, ColumnChunk::id_meta_data),
                         .row_group = ordinal,
                         .leaf = leaf,
                         .stated = chunk.meta_data,
                         .pages = {},
                         .has_column_index = chunk.has(ColumnChunk::id_column_index_offset),
                         .has_offset_index = chunk.has(ColumnChunk::id_offset_index_offset)});
    });
  });
  return fits && chunks_.size() == nodes.size() && chunks_.size() == model_.chunk_count();
}

void File::read_pages() {
  static const Limits kLimits;
  std::vector<std::uint8_t> head;
  for (const SegmentId id : model_.order()) {
    const Segment& segment = model_.segment(id);
    if (segment.kind != Segment::Kind::page) continue;
    head.resize(static_cast<std::size_t>(segment.head.size()));
    PageHeader header;
    if (!model_.source().read(segment.head.offset(), head)) continue;
    thrift::Reader reader(View{head}, {}, kLimits);
    if (!reader.read(header)) continue;
    PageInfo page{.segment = id, .chunk = segment.chunk, .type = header.type};
    if (page.is_v2()) {
      page.encoding = header.data_page_header_v2.encoding;
      page.num_values = header.data_page_header_v2.num_values;
      page.num_nulls = header.data_page_header_v2.num_nulls;
      page.is_compressed = header.data_page_header_v2.is_compressed;
    } else if (page.is_dictionary()) {
      page.encoding = header.dictionary_page_header.encoding;
      page.num_values = header.dictionary_page_header.num_values;
    } else {
      page.encoding = header.data_page_header.encoding;
      page.num_values = header.data_page_header.num_values;
    }
    chunks_[segment.chunk].pages.push_back(static_cast<std::uint32_t>(pages_.size()));
    pages_.push_back(page);
    headers_.push_back(head.size());
  }
}

void File::add_element_sites(Where where, std::vector<Site>& sites) {
  const auto list = footer().field(model::kRoot, FileMetaData::id_schema);
  const std::vector<NodeId> elements = footer().children(*list);
  for (std::uint32_t i = 0; i < elements.size(); ++i) {
    const bool is_leaf = schema_.nodes()[i].is_leaf;
    const Where kind = i == 0 ? Where::root : is_leaf ? Where::leaf : Where::group;
    if (kind == where)
      sites.push_back({model_.footer(), elements[i], model::kNoChunk, is_leaf ? schema_.nodes()[i].leaf : i});
  }
}

std::vector<Site> File::sites(Where where) {
  std::vector<Site> sites;
  const SegmentId footer_id = model_.footer();
  switch (where) {
    case Where::file:
    case Where::footer:
      return {{footer_id}};
    case Where::root:
    case Where::group:
    case Where::leaf:
      add_element_sites(where, sites);
      break;
    case Where::row_group:
      if (const auto groups = footer().field(model::kRoot, FileMetaData::id_row_groups)) {
        for (const NodeId group : footer().children(*groups))
          sites.push_back({footer_id, group, model::kNoChunk, static_cast<std::uint32_t>(sites.size())});
      }
      break;
    case Where::chunk:
    case Where::metadata:
      for (ChunkId id = 0; id < chunks_.size(); ++id) {
        if (where == Where::chunk) sites.push_back({footer_id, chunks_[id].node, id});
        if (where == Where::metadata && chunks_[id].metadata)
          sites.push_back({footer_id, *chunks_[id].metadata, id});
      }
      break;
    case Where::page:
    case Where::dictionary_page:
    case Where::data_page:
    case Where::index_page:
      for (std::uint32_t i = 0; i < pages_.size(); ++i) {
        const PageInfo& page = pages_[i];
        const bool is_one = where == Where::page || (where == Where::data_page    ? page.is_data()
                                                     : where == Where::index_page ? page.is_index()
                                                                                  : page.is_dictionary());
        if (is_one) sites.push_back({page.segment, model::kRoot, page.chunk, i});
      }
      break;
    case Where::column_index:
    case Where::offset_index:
    case Where::bloom_filter: {
      const auto kind = where == Where::column_index   ? Segment::Kind::column_index
                        : where == Where::offset_index ? Segment::Kind::offset_index
                                                       : Segment::Kind::bloom_filter;
      for (const SegmentId id : model_.order()) {
        if (model_.segment(id).kind == kind) sites.push_back({id, model::kRoot, model_.segment(id).chunk});
      }
      break;
    }
  }
  return sites;
}

std::vector<std::pair<Tree*, NodeId>> File::metadata_of(ChunkId chunk) {
  std::vector<std::pair<Tree*, NodeId>> all;
  if (chunks_[chunk].metadata) all.emplace_back(&footer(), *chunks_[chunk].metadata);
  for (const SegmentId id : model_.segments_of(Segment::Kind::column_metadata, chunk)) {
    Tree* const tree = model_.tree(id);
    const auto node = &tree->type() == &ColumnChunk::kType
                          ? tree->field(model::kRoot, ColumnChunk::id_meta_data)
                          : std::optional(model::kRoot);
    if (node) all.emplace_back(tree, *node);
  }
  return all;
}

std::optional<model::PageImage> File::image_of(const Site& page) {
  return model::open_image(model_, page.segment, leaf_of(page), chunk_of(page).stated.codec);
}

bool File::set_image(const Site& page, model::PageImage& image) {
  const auto before = static_cast<std::int64_t>(image.size);
  if (!model::set_image(model_, page.segment, leaf_of(page), chunk_of(page).stated.codec, image))
    return false;
  add_to_totals(page.chunk, static_cast<std::int64_t>(image.size) - before);
  return true;
}

void File::add_to_totals(ChunkId chunk, std::int64_t more) {
  if (more == 0) return;
  for (const auto& [tree, node] : metadata_of(chunk))
    tree->add(tree->field(node, ColumnMetaData::id_total_uncompressed_size), more);
  const auto groups = footer().field(model::kRoot, FileMetaData::id_row_groups);
  const auto group = footer().element(*groups, chunks_[chunk].row_group);
  if (group) footer().add(footer().field(*group, RowGroup::id_total_byte_size), more);
}

bool File::rename(std::uint32_t node, std::string_view name) {
  const auto elements = footer().field(model::kRoot, FileMetaData::id_schema);
  const auto element = elements ? footer().element(*elements, node) : std::nullopt;
  if (!element) return false;
  footer().set_bytes(*footer().make("name", *element), bytes_of(name));
  const Node& renamed = schema_.nodes()[node];
  const std::size_t end = renamed.leaf + schema_.leaves_below(node);
  for (ChunkId chunk = 0; chunk < chunks_.size(); ++chunk) {
    if (chunks_[chunk].leaf < renamed.leaf || chunks_[chunk].leaf >= end) continue;
    for (const auto& [tree, metadata] : metadata_of(chunk)) {
      const auto path = tree->field(metadata, ColumnMetaData::id_path_in_schema);
      const auto part = path ? tree->element(*path, renamed.depth - 1) : std::nullopt;
      if (!part) return false;
      tree->set_bytes(*part, bytes_of(name));
    }
  }
  return true;
}

std::optional<NodeId> File::value_of_key(std::string_view key) {
  const auto pairs = footer().field(model::kRoot, FileMetaData::id_key_value_metadata);
  for (const NodeId pair : pairs ? footer().children(*pairs) : std::vector<NodeId>()) {
    const auto name = footer().field(pair, KeyValue::id_key);
    if (name && text_of(footer().bytes(*name)) == key) return footer().field(pair, KeyValue::id_value);
  }
  return std::nullopt;
}

void File::count_page(const Site& page, std::int64_t count) {
  const PageInfo& info = page_of(page);
  const std::int64_t image = tree_of(page).number("uncompressed_page_size").value_or(0);
  add_to_totals(page.chunk, count * (image + static_cast<std::int64_t>(headers_[page.index])));
  for (const auto& [tree, node] : metadata_of(page.chunk)) {
    const auto stats = tree->field(node, ColumnMetaData::id_encoding_stats);
    if (!stats) continue;
    for (const NodeId entry : tree->children(*stats)) {
      const auto number = tree->field(entry, PageEncodingStats::id_count);
      if (!number || tree->number("page_type", entry) != static_cast<std::int64_t>(info.type)) continue;
      tree->add(number, count);
      if (tree->number(*number) == 0) tree->remove(entry);
      break;
    }
  }
}

void File::finish() {
  model_.resolve();
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    const Segment& segment = model_.segment(pages_[i].segment);
    if (segment.tree == nullptr || segment.removed) continue;
    const auto now = static_cast<std::int64_t>(segment.tree->encoded_size());
    add_to_totals(pages_[i].chunk, now - static_cast<std::int64_t>(headers_[i]));
  }
}

}  // namespace parqproof::fault
