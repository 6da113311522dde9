#include "codec/write/metadata.hpp"

#include <set>

#include "codec/base/append.hpp"
#include "codec/file/frame.hpp"
#include "codec/thrift/emitter.hpp"

namespace parqproof {
namespace {

using thrift::set;

thrift::ListBuilder<std::int64_t> list_of(const std::vector<std::uint64_t>& counts) {
  thrift::ListBuilder<std::int64_t> list;
  for (const std::uint64_t count : counts) list.add(static_cast<std::int64_t>(count));
  return list;
}

}  // namespace

void with_metadata(const WrittenChunk& chunk, const Schema& schema, std::size_t leaf, Order order,
                   const ColumnOptions& options, const std::function<void(ColumnMetaData&)>& use) {
  const Node& node = schema.leaf(leaf);
  ColumnMetaData meta;
  set(meta, ColumnMetaData::id_type, ColumnMetaData::id_encodings, ColumnMetaData::id_path_in_schema,
      ColumnMetaData::id_codec, ColumnMetaData::id_num_values, ColumnMetaData::id_total_uncompressed_size,
      ColumnMetaData::id_total_compressed_size, ColumnMetaData::id_data_page_offset);
  meta.type = node.type;
  std::set<Encoding> used;
  thrift::ListBuilder<PageEncodingStats> stats;
  for (const auto& [page, count] : chunk.pages) {
    used.insert(page.second);
    PageEncodingStats one;
    set(one, PageEncodingStats::id_page_type, PageEncodingStats::id_encoding, PageEncodingStats::id_count);
    one.page_type = page.first;
    one.encoding = page.second;
    one.count = count;
    stats.add(one);
  }
  if (chunk.level_encoding) used.insert(*chunk.level_encoding);
  thrift::ListBuilder<Encoding> encodings;
  for (const Encoding encoding : used) encodings.add(encoding);
  meta.encodings = encodings.list();
  thrift::ListBuilder<View> path;
  for (const View& name : schema.path(schema.leaf_index(leaf))) path.add(name);
  meta.path_in_schema = path.list();
  meta.codec = chunk.codec;
  meta.num_values = static_cast<std::int64_t>(chunk.counts.entries);
  meta.total_uncompressed_size = static_cast<std::int64_t>(chunk.uncompressed_bytes);
  meta.total_compressed_size = static_cast<std::int64_t>(chunk.compressed_bytes);
  meta.data_page_offset = static_cast<std::int64_t>(chunk.data_page_offset);
  if (chunk.index_page_offset) {
    set(meta, ColumnMetaData::id_index_page_offset);
    meta.index_page_offset = static_cast<std::int64_t>(*chunk.index_page_offset);
  }
  if (chunk.dictionary_page_offset) {
    set(meta, ColumnMetaData::id_dictionary_page_offset);
    meta.dictionary_page_offset = static_cast<std::int64_t>(*chunk.dictionary_page_offset);
  }
  if (options.statistics) {
    set(meta, ColumnMetaData::id_statistics);
    meta.statistics = statistics_of(chunk.bounds, chunk.counts, chunk.values, order, options);
  }
  if (options.encoding_stats && !chunk.pages.empty()) {
    set(meta, ColumnMetaData::id_encoding_stats);
    meta.encoding_stats = stats.list();
  }
  const thrift::ListBuilder<std::int64_t> repetitions = list_of(chunk.counts.repetitions);
  const thrift::ListBuilder<std::int64_t> definitions = list_of(chunk.counts.definitions);
  if (options.size_statistics) {
    SizeStatistics& sizes = meta.size_statistics;
    if (node.type == Type::BYTE_ARRAY) {
      set(sizes, SizeStatistics::id_unencoded_byte_array_data_bytes);
      sizes.unencoded_byte_array_data_bytes = static_cast<std::int64_t>(chunk.counts.byte_array_bytes);
    }
    if (node.max_repetition != 0) {
      set(sizes, SizeStatistics::id_repetition_level_histogram);
      sizes.repetition_level_histogram = repetitions.list();
    }
    if (node.max_definition != 0) {
      set(sizes, SizeStatistics::id_definition_level_histogram);
      sizes.definition_level_histogram = definitions.list();
    }
    if (sizes.fields.present != 0) set(meta, ColumnMetaData::id_size_statistics);
  }
  thrift::ListBuilder<std::int32_t> types;
  if (const auto geospatial = chunk.geospatial ? chunk.geospatial->statistics(types) : std::nullopt) {
    set(meta, ColumnMetaData::id_geospatial_statistics);
    meta.geospatial_statistics = *geospatial;
  }
  use(meta);
}

ColumnOrder column_order_of(const Node& leaf, const ColumnOptions& options) {
  ColumnOrder order;
  const Order by_type = order_of(leaf);
  if (options.total_order && (by_type == Order::floating || by_type == Order::float16)) {
    set(order, ColumnOrder::id_IEEE_754_TOTAL_ORDER);
  } else if (options.total_order && leaf.type == Type::INT96) {
    set(order, ColumnOrder::id_INT96_TIMESTAMP_ORDER);
  } else {
    set(order, ColumnOrder::id_TYPE_ORDER);
  }
  return order;
}

WriteStatus write_footer(const FileMetaData& meta, Sink& sink) {
  std::vector<std::uint8_t> footer;
  thrift::emit(meta, footer);
  if (footer.size() > UINT32_MAX) return std::unexpected("a footer of more than 4294967295 bytes");
  append_le(footer, footer.size(), 4);
  append_le(footer, kPlainMagic, 4);
  return sink.write(footer);
}

}  // namespace parqproof
