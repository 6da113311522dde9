#include "codec/write/file_writer.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "codec/base/append.hpp"
#include "codec/base/text.hpp"
#include "codec/compression/table.hpp"
#include "codec/encoding/table.hpp"
#include "codec/file/frame.hpp"
#include "codec/format/row_group.hpp"
#include "codec/thrift/reader.hpp"
#include "codec/write/metadata.hpp"

namespace parqproof {
namespace {

using thrift::set;

std::vector<std::uint8_t> little_endian(std::uint32_t number) {
  std::vector<std::uint8_t> out;
  append_le(out, number, 4);
  return out;
}

WriteStatus check_column(const ColumnOptions& column, const Node& leaf) {
  if (leaf.damaged || !leaf.readable) return std::unexpected("its type or levels are not known");
  const std::string name(kEncodingEnum.name_of(static_cast<int>(column.encoding)));
  if (is_dictionary_encoding(column.encoding))
    return std::unexpected("encoding: " + name + " is written with the option dictionary");
  if (!can_decode(column.encoding, leaf.type))
    return std::unexpected("encoding: " + name + " has no values of type " +
                           std::string(kTypeEnum.name_of(static_cast<int>(leaf.type))));
  if (const EncodeStatus status = check_options(column.encode); !status)
    return std::unexpected("encoding: " + std::string(status.error()));
  if (column.bloom_filter && !(column.bloom_false_positives > 0 && column.bloom_false_positives < 1))
    return std::unexpected("bloom_false_positives is not between 0 and 1");
  if (column.bloom_filter && leaf.type == Type::BOOLEAN)
    return std::unexpected("bloom_filter: there is none for BOOLEAN");
  if (column.dictionary_bytes > INT32_MAX) return std::unexpected("dictionary_bytes is above 2147483647");
  const CompressionInfo* const codec = find_compression(column.codec);
  if (codec == nullptr) return std::unexpected("codec: an undefined number");
  return {};
}

}  // namespace

WriteStatus check_options(const WriteOptions& options, const Schema& schema) {
  if (options.page_version != 1 && options.page_version != 2)
    return std::unexpected("page_version: " + std::to_string(options.page_version) + " is not 1 or 2");
  if (options.page_bytes == 0) return std::unexpected("page_bytes is 0");
  if (options.page_rows == 0) return std::unexpected("page_rows is 0");
  const EncodingInfo* const levels = find_encoding(options.level_encoding);
  if (levels == nullptr || !levels->levels.exists())
    return std::unexpected("level_encoding: levels are RLE or BIT_PACKED");
  if (options.page_version == 2 && options.level_encoding != Encoding::RLE)
    return std::unexpected("level_encoding: those of pages of version 2 are RLE");
  if (options.encryption) {
    if (options.index_pages != IndexPages::none)
      return std::unexpected("index_pages: there is no module for them in an encrypted file");
    if (options.metadata_copies)
      return std::unexpected("metadata_copies: they would be open in an encrypted file");
    if (options.footer_every != 0) return std::unexpected("footer_every: an encrypted file has one footer");
    if (WriteStatus status = check_encryption(*options.encryption, schema); !status) return status;
  }
  for (const auto& [leaf, column] : options.columns) {
    if (leaf >= schema.leaf_count())
      return std::unexpected("columns: the schema has no leaf " + std::to_string(leaf));
  }
  for (std::size_t i = 0; i < schema.leaf_count(); ++i) {
    const WriteStatus status = check_column(options.of(i), schema.leaf(i));
    if (!status)
      return std::unexpected("column " + schema.dotted_path(schema.leaf_index(i)) + ": " + status.error());
  }
  return {};
}

FileWriter::FileWriter(Sink& sink, WriteOptions options, const thrift::List& schema)
    : out_(sink),
      options_(std::move(options)),
      elements_(schema.bytes.bytes.begin(), schema.bytes.bytes.end()),
      schema_list_{{elements_, 0, Space::file}, schema.count, schema.element} {
  if (options_.created_by.empty()) options_.created_by = "parqproof version " PARQPROOF_VERSION;
}

FileWriter::~FileWriter() = default;

WriteStatus FileWriter::begin() {
  const Limits limits;
  schema_.reserve(schema_list_.count);
  thrift::for_each<SchemaElement>(
      schema_list_, limits, [this](const SchemaElement& element, std::uint32_t) { schema_.add(element); });
  schema_.finish();
  if (schema_.fault() != Schema::Fault::none || schema_.nodes().size() != schema_list_.count)
    return std::unexpected("the schema is not a tree");
  if (WriteStatus status = check_options(options_, schema_); !status) return status;
  if (!options_.encryption) return out_.write(little_endian(kPlainMagic));
  cipher_ = std::make_unique<FileCipher>(*options_.encryption, schema_);
  if (WriteStatus status = cipher_->begin(); !status) return status;
  return out_.write(little_endian(options_.encryption->encrypted_footer ? kEncryptedMagic : kPlainMagic));
}

Order FileWriter::order_of_leaf(std::size_t leaf) const {
  return order_of(schema_.leaf(leaf), column_order_of(schema_.leaf(leaf), options_.of(leaf)));
}

FileCipher* FileWriter::cipher_of(std::size_t leaf) const {
  return cipher_ != nullptr && options_.encryption->encrypts(leaf) ? cipher_.get() : nullptr;
}

WriteStatus FileWriter::begin_row_group(std::vector<SortColumn> sorting) {
  groups_.emplace_back();
  groups_.back().sorting = std::move(sorting);
  groups_.back().offset = out_.offset;
  return {};
}

std::expected<ChunkWriter*, std::string> FileWriter::next_column() {
  if (WriteStatus ended = end_column(); !ended) return std::unexpected(ended.error());
  const PlacedRowGroup& group = groups_.back();
  const std::size_t leaf = group.chunks.size();
  if (leaf == schema_.leaf_count()) return std::unexpected("the row group has all of its columns");
  const bool by_value = !group.sorting.empty() && group.sorting.front().leaf == leaf;
  column_ = std::make_unique<ChunkWriter>(options_, compressor_, room_, schema_, leaf, order_of_leaf(leaf),
                                          by_value, out_.offset, out_, cipher_of(leaf),
                                          static_cast<std::int32_t>(groups_.size() - 1));
  return column_.get();
}

WriteStatus FileWriter::end_column() {
  if (column_ == nullptr) return {};
  std::expected<WrittenChunk, std::string> written = column_->finish();
  column_.reset();
  if (!written) return std::unexpected(written.error());
  PlacedRowGroup& group = groups_.back();
  group.chunks.push_back({std::move(*written), {}, {}, {}, 0});
  if (!options_.metadata_copies) return {};
  return put_metadata_copy(group.chunks.back(), group.chunks.size() - 1);
}

WriteStatus FileWriter::put_metadata_copy(PlacedChunk& chunk, std::size_t leaf) {
  std::vector<std::uint8_t> bytes;
  with_metadata(chunk.written, schema_, leaf, order_of_leaf(leaf), options_.of(leaf),
                [&bytes](ColumnMetaData& meta) { thrift::emit(meta, bytes); });
  chunk.metadata_copy = out_.offset;
  return out_.write(bytes);
}

WriteStatus FileWriter::end_row_group(std::uint64_t rows) {
  if (WriteStatus ended = end_column(); !ended) return ended;
  PlacedRowGroup& group = groups_.back();
  if (group.chunks.size() != schema_.leaf_count())
    return std::unexpected("the row group lacks columns: it has " + std::to_string(group.chunks.size()) +
                           " of " + std::to_string(schema_.leaf_count()));
  group.rows = group.chunks.empty() ? rows : group.chunks.front().written.counts.rows;
  for (std::size_t i = 0; i < group.chunks.size(); ++i) {
    const std::uint64_t own = group.chunks[i].written.counts.rows;
    if (own != group.rows)
      return std::unexpected("column " + schema_.dotted_path(schema_.leaf_index(i)) + " has " +
                             counted(own, "row") + ", and the first one " + std::to_string(group.rows));
  }
  if (WriteStatus agree = check_siblings(group); !agree) return agree;
  rows_ += group.rows;
  if (WriteStatus put = put_bloom_filters(group); !put) return put;
  const bool due = options_.footer_every != 0 && groups_.size() % options_.footer_every == 0;
  return due ? put_footer() : WriteStatus();
}

/// Columns must have the same lists and nulls in the nodes that they share (README.md#nested-encoding).
WriteStatus FileWriter::check_siblings(const PlacedRowGroup& group) {
  std::map<std::uint32_t, std::pair<std::size_t, LevelFingerprint::Value>>
      first;  // by node: leaf, its levels
  for (std::size_t leaf = 0; leaf < group.chunks.size(); ++leaf) {
    const AncestorPrints& prints = group.chunks[leaf].written.prints;
    const std::vector<LevelFingerprint::Value> values = prints.values();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto [at, is_new] = first.try_emplace(prints.ancestors()[i], leaf, values[i]);
      if (is_new || at->second.second == values[i]) continue;
      disagreeing_ = {at->second.first, leaf};
      return std::unexpected("columns " + schema_.dotted_path(schema_.leaf_index(at->second.first)) +
                             " and " + schema_.dotted_path(schema_.leaf_index(leaf)) +
                             " have other lists or nulls of " + schema_.dotted_path(at->first));
    }
  }
  return {};
}

WriteStatus FileWriter::put(const std::vector<std::uint8_t>& bytes, std::optional<Range>& range) {
  if (bytes.empty()) return {};
  range = Range{out_.offset, bytes.size()};
  return out_.write(bytes);
}

WriteStatus FileWriter::put(const encryption::ModulePlace& place, const std::vector<std::uint8_t>& bytes,
                            std::optional<Range>& range) {
  FileCipher* const cipher = cipher_of(static_cast<std::size_t>(place.column));
  if (cipher == nullptr || bytes.empty()) return put(bytes, range);
  std::vector<std::uint8_t> module;
  if (WriteStatus status = cipher->append(place, bytes, module); !status) return status;
  return put(module, range);
}

WriteStatus FileWriter::put_bloom_filters(PlacedRowGroup& group) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < group.chunks.size(); ++i) {
    PlacedChunk& chunk = group.chunks[i];
    if (!chunk.written.bloom_filter || chunk.written.counts.stored == 0) continue;
    bytes.clear();
    const std::size_t header = chunk.written.bloom_filter->emit(options_.of(i).bloom_false_positives, bytes);
    chunk.written.bloom_filter.reset();
    if (FileCipher* const cipher = cipher_of(i)) {
      using encryption::ModuleType;
      const auto row_group = static_cast<std::int32_t>(groups_.size() - 1);
      const auto column = static_cast<std::int32_t>(i);
      const std::span<const std::uint8_t> plain(bytes);
      std::vector<std::uint8_t> modules;
      WriteStatus done = cipher->append({ModuleType::bloom_filter_header, row_group, column, 0},
                                        plain.first(header), modules);
      if (done)
        done = cipher->append({ModuleType::bloom_filter_bitset, row_group, column, 0}, plain.subspan(header),
                              modules);
      if (!done) return done;
      bytes = std::move(modules);
    }
    if (WriteStatus status = put(bytes, chunk.bloom_filter); !status) return status;
  }
  return {};
}

/// Column indexes of all chunks, then their offset indexes (PageIndex.md).
WriteStatus FileWriter::put_indexes() {
  using encryption::ModuleType;
  for (const ModuleType type : {ModuleType::column_index, ModuleType::offset_index}) {
    encryption::ModulePlace place{type, 0, 0, 0};
    for (PlacedRowGroup& group : groups_) {
      place.column = 0;
      for (PlacedChunk& chunk : group.chunks) {
        const bool is_column_index = type == ModuleType::column_index;
        const WriteStatus status =
            put(place, is_column_index ? chunk.written.column_index : chunk.written.offset_index,
                is_column_index ? chunk.column_index : chunk.offset_index);
        if (!status) return status;
        ++place.column;
      }
      ++place.row_group;
    }
  }
  return {};
}

WriteStatus FileWriter::finish() {
  if (WriteStatus status = put_indexes(); !status) return status;
  const bool is_there =
      options_.footer_every != 0 && !groups_.empty() && groups_.size() % options_.footer_every == 0;
  return is_there && !options_.page_index ? WriteStatus() : put_footer();
}

WriteStatus FileWriter::add_chunk(const PlacedChunk& placed, std::int32_t row_group, std::size_t leaf,
                                  thrift::ListBuilder<ColumnChunk>& out) {
  WriteStatus status;
  ColumnChunk chunk;
  set(chunk, ColumnChunk::id_file_offset);
  set(chunk, ColumnChunk::id_meta_data);
  chunk.file_offset = static_cast<std::int64_t>(placed.metadata_copy);
  if (placed.offset_index) {
    set(chunk, ColumnChunk::id_offset_index_offset);
    set(chunk, ColumnChunk::id_offset_index_length);
    chunk.offset_index_offset = static_cast<std::int64_t>(placed.offset_index->offset);
    chunk.offset_index_length = static_cast<std::int32_t>(placed.offset_index->length);
  }
  if (placed.column_index) {
    set(chunk, ColumnChunk::id_column_index_offset);
    set(chunk, ColumnChunk::id_column_index_length);
    chunk.column_index_offset = static_cast<std::int64_t>(placed.column_index->offset);
    chunk.column_index_length = static_cast<std::int32_t>(placed.column_index->length);
  }
  with_metadata(placed.written, schema_, leaf, order_of_leaf(leaf), options_.of(leaf),
                [&](ColumnMetaData& meta) {
                  if (placed.bloom_filter) {
                    set(meta, ColumnMetaData::id_bloom_filter_offset);
                    set(meta, ColumnMetaData::id_bloom_filter_length);
                    meta.bloom_filter_offset = static_cast<std::int64_t>(placed.bloom_filter->offset);
                    meta.bloom_filter_length = static_cast<std::int32_t>(placed.bloom_filter->length);
                  }
                  chunk.meta_data = meta;
                  const auto add = [&out](const ColumnChunk& one) { out.add(one); };
                  if (FileCipher* const cipher = cipher_of(leaf)) {
                    status = cipher->with_crypto(row_group, leaf, chunk, add);
                  } else {
                    add(chunk);
                  }
                });
  return status;
}

WriteStatus FileWriter::add_row_group(std::size_t ordinal, thrift::ListBuilder<RowGroup>& out) {
  const PlacedRowGroup& placed = groups_[ordinal];
  RowGroup group;
  set(group, RowGroup::id_columns, RowGroup::id_total_byte_size, RowGroup::id_num_rows,
      RowGroup::id_total_compressed_size);
  thrift::ListBuilder<ColumnChunk> chunks;
  for (std::size_t leaf = 0; leaf < placed.chunks.size(); ++leaf) {
    const WrittenChunk& written = placed.chunks[leaf].written;
    group.total_byte_size += static_cast<std::int64_t>(written.uncompressed_bytes);
    group.total_compressed_size += static_cast<std::int64_t>(written.compressed_bytes);
    const WriteStatus added =
        add_chunk(placed.chunks[leaf], static_cast<std::int32_t>(ordinal), leaf, chunks);
    if (!added) return added;
  }
  group.columns = chunks.list();
  group.num_rows = static_cast<std::int64_t>(placed.rows);
  thrift::ListBuilder<SortingColumn> sorting;
  for (const SortColumn& key : placed.sorting) {
    SortingColumn column;
    set(column, SortingColumn::id_column_idx, SortingColumn::id_descending, SortingColumn::id_nulls_first);
    column.column_idx = static_cast<std::int32_t>(key.leaf);
    column.descending = key.descending;
    column.nulls_first = key.nulls_first;
    sorting.add(column);
  }
  if (!placed.sorting.empty()) {
    set(group, RowGroup::id_sorting_columns);
    group.sorting_columns = sorting.list();
  }
  if (!placed.chunks.empty()) {
    set(group, RowGroup::id_file_offset);
    group.file_offset = static_cast<std::int64_t>(placed.offset);
  }
  if (ordinal <= INT16_MAX) {
    set(group, RowGroup::id_ordinal);
    group.ordinal = static_cast<std::int16_t>(ordinal);
  }
  out.add(group);
  return {};
}

WriteStatus FileWriter::put_footer() {
  thrift::ListBuilder<RowGroup> groups;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (WriteStatus added = add_row_group(i, groups); !added) return added;
  }
  FileMetaData meta;
  set(meta, FileMetaData::id_version, FileMetaData::id_schema, FileMetaData::id_num_rows,
      FileMetaData::id_row_groups, FileMetaData::id_created_by, FileMetaData::id_column_orders);
  meta.version = 2;
  meta.schema = schema_list_;
  meta.num_rows = static_cast<std::int64_t>(rows_);
  meta.row_groups = groups.list();
  meta.created_by = view_of(options_.created_by);
  thrift::ListBuilder<KeyValue> key_values;
  for (const auto& [key, value] : options_.key_values) {
    KeyValue one;
    set(one, KeyValue::id_key);
    one.key = view_of(key);
    if (value) {
      set(one, KeyValue::id_value);
      one.value = view_of(*value);
    }
    key_values.add(one);
  }
  if (!options_.key_values.empty()) {
    set(meta, FileMetaData::id_key_value_metadata);
    meta.key_value_metadata = key_values.list();
  }
  thrift::ListBuilder<ColumnOrder> orders;
  for (std::size_t i = 0; i < schema_.leaf_count(); ++i)
    orders.add(column_order_of(schema_.leaf(i), options_.of(i)));
  meta.column_orders = orders.list();
  return cipher_ != nullptr ? cipher_->put_footer(meta, out_) : write_footer(meta, out_);
}

}  // namespace parqproof
