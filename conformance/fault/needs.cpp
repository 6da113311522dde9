#include "conformance/fault/needs.hpp"

#include <algorithm>

#include "codec/schema/nested.hpp"
#include "conformance/fault/bounds.hpp"
#include "conformance/fault/need_predicates.hpp"
#include "conformance/fault/stored_values.hpp"

namespace parqproof::fault::needs {
namespace {

bool anything(File& /*file*/, const Site& /*site*/) { return true; }

bool has_several_pages(File& file, const Site& site) { return data_pages(file, site) > 1; }

bool has_dictionary(File& file, const Site& site) {
  const Chunk* const chunk = chunk_of(file, site);
  return chunk != nullptr && has_pages(file, site) &&
         std::ranges::any_of(chunk->pages,
                             [&](std::uint32_t page) { return file.pages()[page].is_dictionary(); });
}

bool has_no_dictionary(File& file, const Site& site) {
  return has_pages(file, site) && !has_dictionary(file, site);
}

bool has_several_columns(File& file, const Site& /*site*/) { return file.schema().leaf_count() > 1; }

bool is_v1(File& file, const Site& site) {
  return file.page_of(site).is_v1() && file.page_of(site).num_values > 0;
}

bool is_v2(File& file, const Site& site) {
  return file.page_of(site).is_v2() && file.page_of(site).num_values > 0;
}

bool is_v2_optional(File& file, const Site& site) {
  return is_v2(file, site) && file.leaf_of(site).max_definition > 0;
}

bool is_v2_flat(File& file, const Site& site) {
  return is_v2(file, site) && file.leaf_of(site).max_repetition == 0;
}

bool is_optional(File& file, const Site& site) {
  return file.leaf_of(site).max_definition > 0 && file.leaf_of(site).max_repetition == 0 &&
         has_pages(file, site);
}

bool is_required(File& file, const Site& site) {
  return file.leaf_of(site).max_definition == 0 && has_pages(file, site);
}

bool has_crc(File& file, const Site& site) { return file.tree_of(site).find("crc").has_value(); }

bool is_compressed(File& file, const Site& site) {
  const PageInfo& page = file.page_of(site);
  return file.chunk_of(site).stated.codec != CompressionCodec::UNCOMPRESSED &&
         (!page.is_v2() || page.is_compressed) && page.num_values > 0 &&
         file.model().segment(page.segment).body.size() > 8;
}

bool is_uncompressed(File& file, const Site& site) {
  return !is_compressed(file, site) && file.model().segment(file.page_of(site).segment).body.size() > 8;
}

bool has_nulls(File& file, const Site& site) {
  const auto nulls = file.footer().number("statistics.null_count", site.node);
  return nulls && *nulls > 0 && *nulls < file.chunk_of(site).stated.num_values;
}

/// Elsewhere, one null less may be the count of the nulls of the leaf alone.
bool has_flat_nulls(File& file, const Site& site) {
  return file.leaf_of(site).max_definition == 1 && file.leaf_of(site).depth == 1 && has_nulls(file, site);
}

/// The nulls of a v1 page are not stated; those of its chunk are.
bool has_no_nulls(File& file, const Site& site) {
  const PageInfo& page = file.page_of(site);
  if (page.is_v2()) return page.num_nulls == 0;
  const auto nulls = file.footer().number("meta_data.statistics.null_count", file.chunk_of(site).node);
  return file.leaf_of(site).max_definition == 0 || nulls == 0;
}

bool has_no_copy(File& file, const Site& site) {
  return has_pages(file, site) && file.metadata_of(site.chunk).size() == 1;
}

/// Returns true if a page header has statistics.
bool has_page_statistics(File& file, std::uint32_t page) {
  const model::Tree* const header = file.model().tree(file.pages()[page].segment);
  return header != nullptr && (header->find("data_page_header.statistics").has_value() ||
                               header->find("data_page_header_v2.statistics").has_value());
}

bool is_bare_int32(File& file, const Site& site) {
  if (!is_type<Type::INT32>(file, site) || file.is_sorted()) return false;
  return std::ranges::none_of(file.chunks(), [&](const Chunk& chunk) {
    return chunk.leaf == site.index &&
           (chunk.has_column_index || chunk.stated.has(ColumnMetaData::id_statistics) ||
            std::ranges::any_of(chunk.pages,
                                [&](std::uint32_t page) { return has_page_statistics(file, page); }));
  });
}

bool is_plain_group(File& file, const Site& site) {
  return file.schema().nodes()[site.index].logical.origin() == ResolvedType::Origin::none;
}

bool created_by_has(File& file, std::string_view word) {
  const auto created_by = file.footer().find("created_by");
  return created_by && !std::ranges::search(file.footer().bytes(*created_by), word).empty();
}

bool has_version(File& file, const Site& /*site*/) { return created_by_has(file, " version "); }

bool has_build(File& file, const Site& /*site*/) { return created_by_has(file, "(build "); }

bool has_any_bounds(File& file, const Site& /*site*/) {
  return std::ranges::any_of(file.chunks(), [](const Chunk& chunk) {
    return chunk.stated.has(ColumnMetaData::id_statistics) &&
           chunk.stated.statistics.has(Statistics::id_max_value);
  });
}

bool lists_rle(File& file, const Site& site) {
  bool is_listed = false;
  thrift::for_each_integer(file.chunk_of(site).stated.encodings, [&](std::int64_t number, std::uint32_t) {
    is_listed = is_listed || number == static_cast<std::int64_t>(Encoding::RLE);
  });
  return is_listed && has_pages(file, site);
}

bool is_compressed_v1(File& file, const Site& site) {
  return file.page_of(site).is_v1() && is_compressed(file, site);
}

bool has_marked_end(File& file, const Site& site) {
  const CompressionCodec codec = file.chunk_of(site).stated.codec;
  return is_compressed(file, site) && (codec == CompressionCodec::GZIP || codec == CompressionCodec::BROTLI);
}

bool has_exact_bounds(File& file, const Site& site) {
  const auto is_exact = [&](const char* path) { return file.footer().number(path, site.node) == 1; };
  return has_signed_bounds(file, site) && file.leaf_of(site).logical.kind == LogicalKind::none &&
         is_exact("statistics.is_max_value_exact") && is_exact("statistics.is_min_value_exact");
}

bool is_not_sorted(File& file, const Site& site) { return !file.footer().find("sorting_columns", site.node); }

bool is_not_boolean(File& file, const Site& site) { return has_pages(file, site) && !is_boolean(file, site); }

bool is_v2_repeated(File& file, const Site& site) {
  return is_v2(file, site) && file.leaf_of(site).max_repetition > 0;
}

bool is_decimal(File& file, const Site& site) {
  return is_kind(file, site, LogicalKind::DECIMAL) && file.footer().find("logicalType.DECIMAL", site.node) &&
         file.footer().number("precision", site.node).value_or(0) > 1;
}

bool has_several_row_groups(File& file, const Site& /*site*/) {
  return file.sites(Where::row_group).size() > 1;
}

bool is_string(File& file, const Site& site) {
  return is_kind(file, site, LogicalKind::STRING) && has_pages(file, site);
}

bool has_nan_count(File& file, const Site& site) {
  return has_pages(file, site) && file.footer().find("statistics.nan_count", site.node);
}

bool has_nan_count_and_other(File& file, const Site& site) {
  const auto number = [&](const char* path) { return file.footer().number(path, site.node).value_or(0); };
  return has_nan_count(file, site) && number("statistics.nan_count") + number("statistics.null_count") <
                                          file.chunk_of(site).stated.num_values;
}

/// Returns true if the column order of the leaf of a chunk is this member.
bool has_column_order(File& file, const Site& site, const char* member) {
  const auto orders = file.footer().find("column_orders");
  const auto order = orders ? file.footer().element(*orders, file.chunk_of(site).leaf) : std::nullopt;
  return order && file.footer().find(member, *order);
}

bool has_nan_count_in_type_order(File& file, const Site& site) {
  return has_nan_count(file, site) && has_column_order(file, site, "TYPE_ORDER");
}

bool has_nan_count_in_total_order(File& file, const Site& site) {
  return has_nan_count(file, site) && has_column_order(file, site, "IEEE_754_TOTAL_ORDER");
}

bool is_float_in_type_order(File& file, const Site& site) {
  return is_float(file, site) && has_column_order(file, site, "TYPE_ORDER");
}

bool has_statistics_of_int32(File& file, const Site& site) {
  return is_type<Type::INT32>(file, site) && has_statistics(file, site);
}

bool is_fixed_bytes(File& file, const Site& site) {
  return is_fixed(file, site) && leaf_at(file, site).logical.kind == LogicalKind::none;
}

/// Returns true if a data page of the leaf stores a value.
bool has_values_of_leaf(File& file, std::uint32_t leaf) {
  for (std::uint32_t i = 0; i < file.pages().size(); ++i) {
    const PageInfo& page = file.pages()[i];
    const Site site{page.segment, model::kRoot, page.chunk, i};
    if (page.is_data() && file.chunk_of(site).leaf == leaf && stored_count(file, site).value_or(0) != 0 &&
        level_encoding_of(file, site) == Encoding::RLE)
      return true;
  }
  return false;
}

bool is_int32_with_values(File& file, const Site& site) {
  return is_type<Type::INT32>(file, site) && has_values_of_leaf(file, site.index);
}
/// Returns true if a bound of the leaf needs more than one bit.
bool has_wide_int32(File& file, const Site& site) {
  return is_int32_with_values(file, site) && std::ranges::any_of(file.chunks(), [&](const Chunk& chunk) {
           const auto max = chunk.leaf == site.index && chunk.metadata
                                ? file.footer().find("statistics.max_value", *chunk.metadata)
                                : std::nullopt;
           const auto number = max ? integer_of(file.footer().bytes(*max), Type::INT32) : std::nullopt;
           return number && *number > 1;
         });
}
bool has_no_int96(File& file, const Site& /*site*/) {
  return std::ranges::none_of(file.schema().nodes(),
                              [](const Node& node) { return node.is_leaf && node.type == Type::INT96; });
}

bool is_of_own_group(File& file, const Site& site) {
  return is_bare_or_nested(file.schema().nodes(), leaf_at(file, site).parent);
}

bool ends_in_data_page(File& file, const Site& site) {
  return has_pages(file, site) && file.pages()[file.chunk_of(site).pages.back()].is_data();
}

bool has_bounded_integers(File& file, const Site& site) {
  const Type type = file.leaf_of(site).type;
  return (type == Type::INT32 || type == Type::INT64) && has_statistics(file, site) &&
         file.footer().find("statistics.max_value", site.node);
}
bool has_flat_pages(File& file, const Site& site) {
  return has_pages(file, site) && file.leaf_of(site).max_repetition == 0;
}
bool is_v1_flat(File& file, const Site& site) { return is_v1(file, site) && has_flat_pages(file, site); }

bool is_v2_with_values(File& file, const Site& site) {
  return is_v2_optional(file, site) && file.page_of(site).num_nulls < file.page_of(site).num_values;
}

bool is_v1_not_plain_like(File& file, const Site& site) {
  return is_v1(file, site) && file.page_of(site).encoding != Encoding::BYTE_STREAM_SPLIT &&
         stored_count(file, site).value_or(0) != 0;
}

bool is_row_group_with_pages(File& file, const Site& site) {
  bool all = true;
  bool any = false;
  for (model::ChunkId id = 0; id < file.chunks().size(); ++id) {
    if (file.chunks()[id].row_group != site.index) continue;
    any = true;
    all = all && has_pages(file, {site.segment, site.node, id, 0});
  }
  return any && all;
}

bool is_row_group_of_columns(File& file, const Site& site) {
  return has_several_columns(file, site) && is_row_group_with_pages(file, site);
}

bool is_list_group(File& file, const Site& site) { return is_list(file.schema().nodes(), site.index); }

bool is_map_group(File& file, const Site& site) { return is_map(file.schema().nodes(), site.index); }

bool is_struct(File& file, const Site& site) {
  const Nodes& nodes = file.schema().nodes();
  const bool has_bare_lists = std::ranges::any_of(nodes, [&](const Node& node) {
    return node.repetition == FieldRepetitionType::REPEATED &&
           nodes[node.parent].logical.origin() == ResolvedType::Origin::none;
  });
  return !has_bare_lists && child_count(nodes, site.index) > 1 &&
         nodes[site.index].repetition != FieldRepetitionType::REPEATED && is_bare(nodes, site.index);
}

bool is_bare_byte_array(File& file, const Site& site) {
  return is_type<Type::BYTE_ARRAY>(file, site) &&
         is_bare_or_nested(file.schema().nodes(), leaf_at(file, site).parent);
}
bool is_free_name(File& file, const Site& site) {
  return is_bare(file.schema().nodes(), leaf_at(file, site).parent) && !has_geo_key(file, site) &&
         !is_timestamp_of_bytes(leaf_at(file, site));
}

bool is_free_name_of_pages(File& file, const Site& site) {
  return is_free_name(file, site) && has_values_of_leaf(file, site.index);
}

bool has_no_file_columns(File& file, const Site& /*site*/) {
  const bool is_split = std::ranges::any_of(file.chunks(), [&](const Chunk& chunk) {
    return file.footer().find("file_path", chunk.node).has_value();
  });
  return !is_split && std::ranges::none_of(file.schema().nodes(), [](const Node& node) {
    return node.logical.kind == LogicalKind::FILE;
  });
}

bool is_v1_optional(File& file, const Site& site) { return is_v1(file, site) && is_optional(file, site); }

bool is_v1_of_byte_array(File& file, const Site& site) {
  return is_v1(file, site) && leaf_at(file, site).type == Type::BYTE_ARRAY;
}

bool is_v1_of_integers(File& file, const Site& site) {
  const Type type = leaf_at(file, site).type;
  return is_v1(file, site) && (type == Type::INT32 || type == Type::INT64);
}

}  // namespace

const Need kNothing{"", anything};
const Need kPages{"a column chunk with data pages", has_pages};
const Need kDictionary{"a column chunk with a dictionary page", has_dictionary};
const Need kNoDictionary{"a column chunk without a dictionary page", has_no_dictionary};
const Need kSeveralColumns{"two columns or more", has_several_columns};
const Need kSeveralPages{"a column chunk with two data pages or more", has_several_pages};
const Need kV1{"a v1 data page", is_v1};
const Need kV2{"a v2 data page", is_v2};
const Need kV2Optional{"a v2 data page with definition levels", is_v2_optional};
const Need kV2Flat{"a v2 data page without repetition levels", is_v2_flat};
const Need kOptional{"a page with definition levels and no repetition levels", is_optional};
const Need kRequired{"a page without levels", is_required};
const Need kCrc{"a page with a checksum", has_crc};
const Need kCompressed{"a compressed page", is_compressed};
const Need kUncompressed{"an uncompressed page", is_uncompressed};
const Need kInt32{"an INT32 column without annotation", is_type<Type::INT32>};
const Need kInt32WithValues{"an INT32 column without annotation and with values", is_int32_with_values};
const Need kWideInt32{"an INT32 column without annotation and with a max_value above 1", has_wide_int32};
const Need kNoInt96{"a file without INT96 columns, whose order would be lost with the rest of the footer",
                    has_no_int96};
const Need kFreeNameOfPages{
    "a column with values that no annotation of a group and no GeoParquet metadata names",
    is_free_name_of_pages};
const Need kOwnGroup{"a column outside of VARIANT and FILE", is_of_own_group};
const Need kEndsInDataPage{"a column chunk whose last page is a data page", ends_in_data_page};
const Need kBoundedIntegers{"a column chunk of integers with statistics.max_value", has_bounded_integers};
const Need kV1Flat{"a v1 data page without repetition levels", is_v1_flat};
const Need kFlatPages{"a column chunk with data pages and without repetition levels", has_flat_pages};
const Need kV2WithValues{"a v2 data page with definition levels and values", is_v2_with_values};
const Need kV1NotPlainLike{"a v1 data page with values, not in BYTE_STREAM_SPLIT", is_v1_not_plain_like};
const Need kRowGroupWithPages{"a row group whose chunks all have data pages", is_row_group_with_pages};
const Need kRowGroupOfColumns{"a row group of two columns or more whose chunks all have data pages",
                              is_row_group_of_columns};
const Need kInt64{"an INT64 column without annotation", is_type<Type::INT64>};
const Need kByteArray{"a BYTE_ARRAY column without annotation", is_type<Type::BYTE_ARRAY>};
const Need kFixed{"a FIXED_LEN_BYTE_ARRAY column", is_fixed};
const Need kDecimal{"a DECIMAL column", is_decimal};
const Need kSeveralRowGroups{"two row groups or more", has_several_row_groups};
const Need kString{"a STRING column", is_string};
const Need kNanCountAndOther{"a column chunk with statistics.nan_count and a value that is not NaN",
                             has_nan_count_and_other};
const Need kNanCountInTypeOrder{"a column chunk with statistics.nan_count under TYPE_ORDER",
                                has_nan_count_in_type_order};
const Need kNanCountInTotalOrder{"a column chunk with statistics.nan_count under IEEE_754_TOTAL_ORDER",
                                 has_nan_count_in_total_order};
const Need kFloatInTypeOrder{"a FLOAT or DOUBLE column under TYPE_ORDER", is_float_in_type_order};
const Need kNanCount{"a column chunk with statistics.nan_count", has_nan_count};
const Need kStatisticsOfInt32{"an INT32 column with statistics", has_statistics_of_int32};
const Need kFixedBytes{"a FIXED_LEN_BYTE_ARRAY column without annotation", is_fixed_bytes};
const Need kFloat{"a FLOAT or DOUBLE column", is_float};
const Need kBoolean{"a BOOLEAN column", is_boolean};
const Need kSignedBounds{"bounds of signed integers, min below max", has_signed_bounds};
const Need kBounds{"a column chunk with different min_value and max_value", has_bounds};
const Need kV2Repeated{"a v2 data page with repetition levels", is_v2_repeated};
const Need kNoNulls{"a page without nulls", has_no_nulls};
const Need kNoCopy{"a column chunk without a copy of its metadata", has_no_copy};
const Need kInt32Bare{"an INT32 column without annotation, statistics, column index and sorting columns",
                      is_bare_int32};
const Need kPlainGroup{"a group without annotation", is_plain_group};
const Need kVersion{"created_by with a version", has_version};
const Need kNotBoolean{"a column chunk with data pages that is not BOOLEAN", is_not_boolean};
const Need kBuild{"created_by with a build", has_build};
const Need kAnyBounds{"statistics with max_value", has_any_bounds};
const Need kListsRle{"a column chunk with RLE among its encodings", lists_rle};
const Need kCompressedV1{"a compressed v1 data page", is_compressed_v1};
const Need kMarkedEnd{"a page compressed with GZIP or BROTLI", has_marked_end};
const Need kExactBounds{"exact bounds of signed integers, min below max", has_exact_bounds};
const Need kStatistics{"a column chunk with statistics", has_statistics};
const Need kBox{"a column chunk with a bounding box and types of geospatial values", has_box};
const Need kNotSorted{"a row group without sorting columns", is_not_sorted};
const Need kGeoKey{"GeoParquet metadata", has_geo_key};
const Need kStruct{"a group of several fields without annotation around it, and all lists annotated",
                   is_struct};
const Need kList{"a LIST of three levels", is_list_group};
const Need kMap{"a MAP with a key and a value", is_map_group};
const Need kBareByteArray{"a BYTE_ARRAY column that neither has an annotation nor is part of a VARIANT",
                          is_bare_byte_array};
const Need kV1Optional{"a v1 data page with definition levels and no repetition levels", is_v1_optional};
const Need kV1OfByteArray{"a v1 data page of a BYTE_ARRAY column", is_v1_of_byte_array};
const Need kInteger{"a v1 data page of an INT32 or INT64 column", is_v1_of_integers};
const Need kNoFileColumn{"a file without FILE columns and without chunks in other files",
                         has_no_file_columns};
const Need kFlatNulls{"a column chunk of a flat column with nulls and with values", has_flat_nulls};
const Need kFreeName{"a column that no annotation of a group and no GeoParquet metadata names", is_free_name};
const Need kNulls{"a column chunk with nulls and with values", has_nulls};

}  // namespace parqproof::fault::needs
