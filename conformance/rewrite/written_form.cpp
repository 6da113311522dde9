#include "conformance/rewrite/written_form.hpp"

#include <algorithm>

#include "codec/base/text.hpp"
#include "codec/base/utf8.hpp"
#include "codec/compression/table.hpp"
#include "codec/schema/annotations.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/file_type/file_groups.hpp"
#include "conformance/geo/geo_key_columns.hpp"
#include "conformance/variant/variant_groups.hpp"

namespace parqproof {
namespace {

/// Schema elements of the nodes above and at some leaves.
class SchemaPart {
 public:
  SchemaPart(const Schema& schema, const std::vector<std::size_t>& leaves)
      : schema_(schema), leaves_(leaves) {}

  [[nodiscard]] thrift::ListBuilder<SchemaElement> elements(const thrift::List& all,
                                                            const Limits& limits) const {
    thrift::ListBuilder<SchemaElement> out;
    thrift::for_each<SchemaElement>(all, limits, [&](const SchemaElement& stored, std::uint32_t index) {
      if (index != 0 && !is_wanted(index)) return;
      SchemaElement element = stored;
      if (!schema_.nodes()[index].is_leaf) element.num_children = children_of(index);
      out.add(element);
    });
    return out;
  }

 private:
  [[nodiscard]] bool is_wanted(std::uint32_t index) const {
    const Node& node = schema_.nodes()[index];
    const std::size_t end = node.leaf + schema_.leaves_below(index);
    const auto first = std::ranges::lower_bound(leaves_, node.leaf);
    // Groups without leaves belong to the rows only if nothing was chosen.
    return first != leaves_.end()
               ? *first < end || (node.leaf == end && leaves_.size() == schema_.leaf_count())
               : node.leaf == end && leaves_.size() == schema_.leaf_count();
  }
  [[nodiscard]] std::int32_t children_of(std::uint32_t index) const {
    std::int32_t children = 0;
    for (std::uint32_t child = index + 1; child < schema_.nodes()[index].end;
         child = schema_.nodes()[child].end)
      children += is_wanted(child) ? 1 : 0;
    return children;
  }

  const Schema& schema_;
  const std::vector<std::size_t>& leaves_;
};

/// Returns true for a codec that files have only with RewriteOptions::historical.
bool is_outdated(CompressionCodec codec) {
  return codec == CompressionCodec::LZ4 || codec == CompressionCodec::LZO;
}

/// The encoding for a column that has this one, in the current format.
Encoding current(Encoding encoding, Type type, bool historical) {
  const EncodingInfo* const known = find_encoding(encoding);
  if (known == nullptr || is_dictionary_encoding(encoding) || !known->codec(type).exists())
    return Encoding::PLAIN;
  return is_written(*known, historical) ? encoding : Encoding::PLAIN;
}

CompressionCodec current(CompressionCodec codec, bool historical) {
  if (historical) return codec;
  if (codec == CompressionCodec::LZ4) return CompressionCodec::LZ4_RAW;
  if (codec == CompressionCodec::LZO) return CompressionCodec::SNAPPY;
  return codec;
}

bool column_options(const Schema& schema, std::size_t ordinal, const ChunkForm& form,
                    const RewriteOptions& options, ColumnOptions& out, std::string& why) {
  const Node& leaf = schema.leaf(ordinal);
  const std::string path = schema.dotted_path(schema.leaf_index(ordinal));
  if (form.known) {
    out.codec = current(form.codec, options.historical);
    out.dictionary = form.has_dictionary;
    out.encoding = current(form.encoding, leaf.type, options.historical);
    out.bloom_filter = form.has_bloom_filter && leaf.type != Type::BOOLEAN;
    out.page_statistics = form.has_page_statistics;
  }
  if (options.codec) out.codec = *options.codec;
  out.compress.level = options.level;
  out.statistics = options.statistics.value_or(true);
  out.geospatial_statistics = out.statistics;
  for (const auto& [column, encoding] : options.encodings) {
    if (!column.empty() && column != path) continue;
    if (is_dictionary_encoding(encoding)) {
      out.dictionary = true;
      out.encoding = Encoding::PLAIN;
      continue;
    }
    const EncodingInfo* const known = find_encoding(encoding);
    if (column.empty() && !known->codec(leaf.type).exists()) continue;
    if (known->status == EncodingStatus::retired && !options.historical) {
      why = "--encoding: " + std::string(known->name()) + " is retired; --profile historical allows it";
      return false;
    }
    out.dictionary = false;
    out.encoding = encoding;
  }
  const auto wants_filter = std::ranges::find(options.bloom_filters, path) != options.bloom_filters.end();
  out.bloom_filter = out.bloom_filter || wants_filter;
  return true;
}

/// Returns false if an option names no column that is written, or asks for an outdated codec.
bool check_names(const Schema& schema, const RewriteOptions& options, std::string& why) {
  const auto is_there = [&](const std::string& path) {
    for (std::size_t leaf = 0; leaf < schema.leaf_count(); ++leaf) {
      if (schema.dotted_path(schema.leaf_index(leaf)) == path) return true;
    }
    return false;
  };
  for (const auto& [column, encoding] : options.encodings) {
    if (column.empty() || is_there(column)) continue;
    why = "--encoding: no column is named '" + column + "'";
    return false;
  }
  for (const std::string& column : options.bloom_filters) {
    if (is_there(column)) continue;
    why = "--bloom: no column is named '" + column + "'";
    return false;
  }
  for (const auto& [column, key] :
       options.encryption ? options.encryption->column_keys : decltype(options.encryption->column_keys){}) {
    if (is_there(column)) continue;
    why = column.size() < encryption::kMinKeyBytes  // a longer name may be a key that was exchanged with it
              ? "--encryption: no column is named '" + column + "'"
              : "--encryption: a name in column_keys, of " + counted(column.size(), "character") +
                    ", is not that of a column";
    return false;
  }
  if (!options.codec || options.historical || !is_outdated(*options.codec)) return true;
  why = "--compression: " + std::string(find_compression(*options.codec)->name()) +
        " is outdated; --profile historical allows it";
  return false;
}

/// The entries of key_value_metadata that hold for the columns that are written.
void add_key_values(const RowFooter& footer, const Schema& written, const RewriteOptions& options,
                    WriteOptions& out) {
  const auto is_text = [](const View& bytes) { return utf8_error(bytes.bytes) == bytes.size(); };
  thrift::for_each<KeyValue>(footer.meta().key_value_metadata, options.limits,
                             [&](const KeyValue& one, std::uint32_t) {
                               const std::string key(text_of(one.key));
                               // It describes all columns, and the fields in them.
                               const bool is_other = !options.columns.empty() || !options.shred.empty();
                               if (is_other && (key == "ARROW:schema" || key == "pandas")) return;
                               if (options.salvage && !(is_text(one.key) && is_text(one.value))) return;
                               std::optional<std::string> value;
                               if (one.has(KeyValue::id_value)) value = std::string(text_of(one.value));
                               if (!options.columns.empty() && key == "geo" && value) {
                                 value = without_lost_columns(*value, written);
                                 if (!value) return;
                               }
                               out.key_values.emplace_back(key, std::move(value));
                             });
}

}  // namespace

std::string divided_group(const Schema& schema, const std::vector<std::size_t>& leaves) {
  const auto is_left = [&](std::size_t leaf) { return std::ranges::binary_search(leaves, leaf); };
  const auto has_some = [&](std::size_t first, std::size_t last) {
    const auto at = std::ranges::lower_bound(leaves, first);
    return at != leaves.end() && *at < last;
  };
  const auto without = [&](std::size_t leaf, std::uint32_t group) {
    return "--columns leaves out " + schema.dotted_path(schema.leaf_index(leaf)) + " of the " +
           std::string(name_of(schema.nodes()[group].logical.kind)) + " " + schema.dotted_path(group);
  };
  for (const std::uint32_t group : variant_groups(schema)) {
    const std::size_t first = schema.nodes()[group].leaf;
    const std::size_t last = first + schema.leaves_below(group);
    for (std::size_t leaf = first; leaf < last && has_some(first, last); ++leaf) {
      if (!is_left(leaf)) return without(leaf, group) + ", all columns of which make up its values";
    }
  }
  for (const FileGroup& group : file_groups(schema)) {
    if (!has_some(group.first, group.last)) continue;
    for (const FileField field :
         {FileField::uri, FileField::offset, FileField::size, FileField::inline_bytes}) {
      const std::optional<std::size_t> leaf = group.leaf(field);
      if (leaf && !is_left(*leaf)) return without(*leaf, group.node) + ", which refers to bytes by it";
    }
  }
  return {};
}

bool is_written(const EncodingInfo& encoding, bool historical) noexcept {
  return historical || encoding.status == EncodingStatus::current ||
         encoding.status == EncodingStatus::preview;
}

thrift::ListBuilder<SchemaElement> schema_of(const RowFooter& footer, const std::vector<std::size_t>& leaves,
                                             const Limits& limits) {
  return SchemaPart(footer.schema(), leaves).elements(footer.meta().schema, limits);
}

std::optional<WriteOptions> write_options_of(const RowFooter& footer, const Schema& written,
                                             const std::vector<ChunkForm>& forms,
                                             const RewriteOptions& options, std::string& why) {
  if (!check_names(written, options, why)) return std::nullopt;
  WriteOptions out;
  const auto first = std::ranges::find(forms, true, &ChunkForm::known);
  if (first != forms.end()) out.page_version = first->page_version;
  out.page_version = options.page_version.value_or(out.page_version);
  out.checksums = options.checksums.value_or(true);
  out.page_index = options.page_index.value_or(
      std::ranges::any_of(forms, [](const ChunkForm& form) { return form.has_page_index; }) ||
      first == forms.end());
  if (options.page_bytes) out.page_bytes = *options.page_bytes;
  if (options.page_rows) out.page_rows = *options.page_rows;
  add_key_values(footer, written, options, out);
  if (options.encryption) {
    out.encryption = options.encryption->form;
    for (std::size_t i = 0; i < written.leaf_count(); ++i) {
      const auto key = options.encryption->column_keys.find(written.dotted_path(written.leaf_index(i)));
      if (key != options.encryption->column_keys.end()) out.encryption->column_keys[i] = key->second;
    }
  }
  for (std::size_t i = 0; i < written.leaf_count(); ++i) {
    if (!column_options(written, i, forms[i], options, out.columns[i], why)) return std::nullopt;
  }
  return out;
}

}  // namespace parqproof
