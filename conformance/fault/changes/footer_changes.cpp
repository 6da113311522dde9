// Changes of row groups, column chunks and the metadata of the file.
#include "codec/schema/order.hpp"
#include "conformance/fault/bounds.hpp"
#include "conformance/fault/changes.hpp"

namespace parqproof::fault {

using model::NodeId;
using model::Tree;

bool swap_chunks(File& file, const Site& site, const Change& /*change*/) {
  // Neighbours of one type and depth, so that each chunk could be that of the other column.
  const std::vector<Chunk>& chunks = file.chunks();
  if (file.footer().find("sorting_columns", site.node)) return false;  // the rows of another column
  for (std::size_t i = 1; i < chunks.size(); ++i) {
    const Chunk& first = chunks[i - 1];
    if (first.row_group != site.index || chunks[i].row_group != site.index) continue;
    const Node& one = file.schema().leaf(first.leaf);
    const Node& other = file.schema().leaf(chunks[i].leaf);
    const LogicalKind around = file.schema().nodes()[one.parent].logical.kind;
    if (around == LogicalKind::VARIANT || around == LogicalKind::FILE) continue;  // read together
    const bool has_filter = first.stated.has(ColumnMetaData::id_bloom_filter_offset) ||
                            chunks[i].stated.has(ColumnMetaData::id_bloom_filter_offset);
    if (has_filter || one.type != other.type || one.max_definition != other.max_definition ||
        one.max_repetition != 0 || other.max_repetition != 0 || one.logical.kind != LogicalKind::none ||
        other.logical.kind != LogicalKind::none)
      continue;
    if (first.stated.data_page_offset > chunks[i].stated.data_page_offset) continue;
    file.footer().swap_with_next(first.node);
    return true;
  }
  return false;
}

bool remove_chunk(File& file, const Site& site, const Change& /*change*/) {
  Tree& footer = file.footer();
  const auto columns = footer.find("columns", site.node);
  if (!columns || footer.node(*columns).size < 2) return false;
  footer.remove(footer.node(*columns).last);
  return true;
}

bool add_rows(File& file, const Site& site, const Change& change) {
  Tree& footer = file.footer();
  const auto group = footer.find("num_rows", site.node);
  const auto all = footer.find("num_rows");
  if (!group || !all) return false;
  for (const NodeId node : {*group, *all}) footer.set_number(node, footer.number(node) + change.number);
  return true;
}

bool repeat_key(File& file, const Site& /*site*/, const Change& /*change*/) {
  Tree& footer = file.footer();
  const auto first = footer.find("key_value_metadata[0]");
  if (!first) return false;
  footer.duplicate(*first);
  return true;
}

bool sort_by(File& file, const Site& site, const Change& change) {
  Tree& footer = file.footer();
  if (footer.find("sorting_columns", site.node)) return false;
  const NodeId list = *footer.make("sorting_columns", site.node);
  const NodeId column = footer.add_element(list);
  footer.set_number(*footer.make("column_idx", column), change.number);
  footer.set_number(*footer.make("descending", column), change.text == "descending" ? 1 : 0);
  footer.set_number(*footer.make("nulls_first", column), change.text == "descending" ? 1 : 0);
  return true;
}

bool data_offset_to_dictionary(File& file, const Site& site, const Change& /*change*/) {
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto data = tree->find("data_page_offset", node);
    const auto dictionary = tree->find("dictionary_page_offset", node);
    if (!data || !dictionary || tree->number(*dictionary) == 0) return false;
    tree->set_number(*data, tree->number(*dictionary));
  }
  return true;
}

bool other_path(File& file, const Site& site, const Change& /*change*/) {
  static constexpr std::uint8_t kName[] = {'n', 'o', ' ', 's', 'u', 'c', 'h'};
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto path = tree->find("path_in_schema", node);
    if (!path || tree->node(*path).last == model::kNoNode) return false;
    tree->set_bytes(tree->node(*path).last, kName);
  }
  return true;
}

bool unused_encoding(File& file, const Site& site, const Change& /*change*/) {
  constexpr Encoding kCandidates[] = {Encoding::BYTE_STREAM_SPLIT, Encoding::DELTA_BYTE_ARRAY};
  for (const Encoding candidate : kCandidates) {
    bool is_listed = false;
    for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
      const auto list = tree->find("encodings", node);
      if (!list) return false;
      for (const NodeId encoding : tree->children(*list))
        is_listed = is_listed || tree->number(encoding) == static_cast<std::int64_t>(candidate);
    }
    if (is_listed) continue;
    for (const auto& [tree, node] : file.metadata_of(site.chunk))
      tree->set_number(tree->add_element(*tree->find("encodings", node)),
                       static_cast<std::int64_t>(candidate));
    return true;
  }
  return false;
}

bool remove_encoding(File& file, const Site& site, const Change& /*change*/) {
  const Chunk& chunk = file.chunk_of(site);
  const Encoding used = file.pages()[chunk.pages.back()].encoding;
  if (used == Encoding::RLE || used == Encoding::PLAIN) return false;  // also of levels, and of dictionaries
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto list = tree->find("encodings", node);
    if (!list) return false;
    for (const NodeId encoding : tree->children(*list)) {
      if (tree->number(encoding) == static_cast<std::int64_t>(used)) tree->remove(encoding);
    }
  }
  return true;
}

bool split_encoding_stats(File& file, const Site& site, const Change& /*change*/) {
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto list = tree->find("encoding_stats", node);
    bool done = false;
    for (const NodeId entry : list ? tree->children(*list) : std::vector<NodeId>()) {
      const auto count = tree->find("count", entry);
      if (done || !count || tree->number(*count) < 2) continue;
      const NodeId copy = tree->duplicate(entry);
      tree->set_number(*count, tree->number(*count) - 1);
      tree->set_number(*tree->find("count", copy), 1);
      done = true;
    }
    if (!done) return false;
  }
  return true;
}

bool index_page_offset(File& file, const Site& site, const Change& /*change*/) {
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto data = tree->find("data_page_offset", node);
    if (!data || tree->find("index_page_offset", node)) return false;
    tree->set_number(*tree->make("index_page_offset", node), tree->number(*data));
  }
  return true;
}

bool zero_column_index(File& file, const Site& site, const Change& /*change*/) {
  const auto offset = file.footer().find("column_index_offset", site.node);
  if (!offset) return false;
  for (const model::SegmentId id : file.model().segments_of(model::Segment::Kind::column_index, site.chunk))
    file.model().remove(id);
  file.footer().set_number(*offset, 0);
  return true;
}

bool remove_offset_index(File& file, const Site& site, const Change& /*change*/) {
  model::Tree& footer = file.footer();
  const auto offset = footer.find("offset_index_offset", site.node);
  const auto length = footer.find("offset_index_length", site.node);
  if (!offset || !length || !footer.find("column_index_offset", site.node)) return false;
  footer.remove(*offset);
  footer.remove(*length);
  for (const model::SegmentId id : file.model().segments_of(model::Segment::Kind::offset_index, site.chunk))
    file.model().remove(id);
  return true;
}

bool sort_by_unsorted(File& file, const Site& site, const Change& change) {
  Change sorted = change;
  for (const Chunk& chunk : file.chunks()) {
    if (!chunk.metadata || chunk.row_group != site.index ||
        file.schema().leaf(chunk.leaf).max_repetition != 0)
      continue;
    Site metadata{site.segment, *chunk.metadata, 0, 0};
    metadata.chunk = static_cast<model::ChunkId>(&chunk - file.chunks().data());
    const auto nulls = file.footer().number("statistics.null_count", *chunk.metadata);
    if (!has_signed_bounds(file, metadata) || !nulls || *nulls != 0 || chunk.stated.num_values < 4) continue;
    sorted.number = chunk.leaf;
    return sort_by(file, site, sorted);
  }
  return false;
}

bool other_codec(File& file, const Site& site, const Change& /*change*/) {
  constexpr std::uint64_t kMinBytes = 16;  // of a page that shows its codec
  const CompressionCodec codec = file.chunk_of(site).stated.codec;
  const auto is_compressed = [&](std::uint32_t page) {
    const PageInfo& info = file.pages()[page];
    return info.is_data() && (info.is_v1() || info.is_compressed) &&
           file.model().segment(info.segment).body.size() >= kMinBytes;
  };
  if (std::ranges::none_of(file.chunk_of(site).pages, is_compressed) ||
      (codec != CompressionCodec::SNAPPY && codec != CompressionCodec::GZIP &&
       codec != CompressionCodec::ZSTD))
    return false;
  const bool is_gzip = codec == CompressionCodec::GZIP;
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto field = tree->find("codec", node);
    if (!field) return false;
    tree->set_number(*field,
                     static_cast<std::int64_t>(is_gzip ? CompressionCodec::ZSTD : CompressionCodec::GZIP));
  }
  return true;
}

bool stats_of_other_version(File& file, const Site& site, const Change& /*change*/) {
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    bool done = false;
    const auto list = tree->find("encoding_stats", node);
    for (const NodeId entry : list ? tree->children(*list) : std::vector<NodeId>()) {
      const auto type = tree->find("page_type", entry);
      if (!type || tree->number(*type) != static_cast<std::int64_t>(PageType::DATA_PAGE_V2)) continue;
      tree->set_number(*type, static_cast<std::int64_t>(PageType::DATA_PAGE));
      done = true;
    }
    if (!done) return false;
  }
  return true;
}

bool remove_level_encoding(File& file, const Site& site, const Change& /*change*/) {
  constexpr auto kRle = static_cast<std::int64_t>(Encoding::RLE);
  const Node& leaf = file.leaf_of(site);
  if (leaf.max_definition == 0 && leaf.max_repetition == 0) return false;
  for (const std::uint32_t page : file.chunk_of(site).pages) {
    const PageInfo& info = file.pages()[page];
    if (!info.is_dictionary() && (!info.is_v1() || info.encoding == Encoding::RLE)) return false;
  }
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto list = tree->find("encodings", node);
    if (!list) return false;
    bool done = false;
    for (const NodeId encoding : tree->children(*list)) {
      if (tree->number(encoding) != kRle) continue;
      tree->remove(encoding);
      done = true;
    }
    if (!done) return false;
  }
  return true;
}

bool sort_by_kind(File& file, const Site& site, const Change& change) {
  const bool wants_repeated = change.text == "repeated";
  for (std::uint32_t leaf = 0; leaf < file.schema().leaf_count(); ++leaf) {
    const Node& node = file.schema().leaf(leaf);
    const bool is_one = wants_repeated
                            ? node.max_repetition != 0
                            : node.max_repetition == 0 && order_of(node) == Order::none &&
                                  node.logical.kind != LogicalKind::UNKNOWN && node.type != Type::INT96;
    if (is_one) return sort_by(file, site, {.apply = change.apply, .number = leaf});
  }
  return false;
}

bool other_column_order(File& file, const Site& site, const Change& change) {
  Tree& footer = file.footer();
  const auto orders = footer.find("column_orders");
  const auto order = orders ? footer.element(*orders, site.index) : std::nullopt;
  const auto type_order = order ? footer.find("TYPE_ORDER", *order) : std::nullopt;
  if (!type_order || !footer.make(change.text, *order)) return false;
  footer.remove(*type_order);
  return true;
}

}  // namespace parqproof::fault
