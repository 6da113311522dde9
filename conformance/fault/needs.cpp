#include "conformance/fault/needs.hpp"

#include <algorithm>

#include "codec/schema/nested.hpp"
#include "codec/variant/shredding.hpp"
#include "conformance/fault/bounds.hpp"
#include "conformance/fault/stored_values.hpp"

namespace parqproof::fault::needs {
namespace {

bool anything(File& /*file*/, const Site& /*site*/) { return true; }

/// The chunk of a site; null for sites of no chunk.
const Chunk* chunk_of(File& file, const Site& site) {
  return site.chunk == model::kNoChunk ? nullptr : &file.chunk_of(site);
}

std::size_t data_pages(File& file, const Site& site) {
  const Chunk* const chunk = chunk_of(file, site);
  return chunk == nullptr
             ? 0
             : static_cast<std::size_t>(std::ranges::count_if(chunk->pages, [&](std::uint32_t page) {
                 return file.pages()[page].is_data() && file.pages()[page].num_values > 0;
               }));
}

bool has_pages(File& file, const Site& site) { return data_pages(file, site) != 0; }
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

/// The node of a leaf, or of the leaf of a chunk.
const Node& leaf_at(File& file, const Site& site) {
  return site.chunk == model::kNoChunk ? file.schema().leaf(site.index) : file.leaf_of(site);
}
template <Type kType>
bool is_type(File& file, const Site& site) {
  return leaf_at(file, site).type == kType &&
         (site.chunk != model::kNoChunk ||
          leaf_at(file, site).logical.origin() == ResolvedType::Origin::none);
}
bool is_fixed(File& file, const Site& site) { return leaf_at(file, site).type == Type::FIXED_LEN_BYTE_ARRAY; }
bool is_float(File& file, const Site& site) {
  return leaf_at(file, site).type == Type::FLOAT || leaf_at(file, site).type == Type::DOUBLE;
}
bool is_boolean(File& file, const Site& site) { return leaf_at(file, site).type == Type::BOOLEAN; }

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

bool is_bare_int32(File& file, const Site& site) {
  if (!is_type<Type::INT32>(file, site) || file.is_sorted()) return false;
  return std::ranges::none_of(file.chunks(), [&](const Chunk& chunk) {
    return chunk.leaf == site.index &&
           (chunk.has_column_index || chunk.stated.has(ColumnMetaData::id_statistics));
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

bool has_statistics(File& file, const Site& site) {
  return has_pages(file, site) && file.footer().find("statistics", site.node).has_value();
}

bool is_not_sorted(File& file, const Site& site) { return !file.footer().find("sorting_columns", site.node); }

bool is_not_boolean(File& file, const Site& site) { return has_pages(file, site) && !is_boolean(file, site); }

bool is_v2_repeated(File& file, const Site& site) {
  return is_v2(file, site) && file.leaf_of(site).max_repetition > 0;
}

bool is_kind(File& file, const Site& site, LogicalKind kind) {
  return leaf_at(file, site).logical.kind == kind;
}
bool has_geo_key(File& file, const Site& /*site*/) { return file.value_of_key("geo").has_value(); }
bool is_geometry(File& file, const Site& site) { return is_kind(file, site, LogicalKind::GEOMETRY); }
bool is_geography(File& file, const Site& site) { return is_kind(file, site, LogicalKind::GEOGRAPHY); }
bool is_geo(File& file, const Site& site) { return is_geometry(file, site) || is_geography(file, site); }
bool has_geometry_box(File& file, const Site& site) { return is_geometry(file, site) && has_box(file, site); }
bool is_not_geo(File& file, const Site& site) { return has_pages(file, site) && !is_geo(file, site); }
bool is_geometry_alone(File& file, const Site& site) {
  return is_geometry(file, site) && !has_geo_key(file, site);
}
bool is_geography_alone(File& file, const Site& site) {
  return is_geography(file, site) && !has_geo_key(file, site);
}
bool has_wkb(File& file, const Site& site) { return is_geo(file, site) && has_stored_values(file, site); }
bool has_z(File& file, const Site& site) {
  return file.footer().find("geospatial_statistics.bbox.zmin", site.node).has_value();
}

bool is_list_group(File& file, const Site& site) { return is_list(file.schema().nodes(), site.index); }
bool is_map_group(File& file, const Site& site) { return is_map(file.schema().nodes(), site.index); }
bool is_variant_group(File& file, const Site& site) {
  return variant::is_variant(file.schema().nodes()[site.index]);
}

/// Returns true if neither the node nor a group around it has an annotation.
bool is_bare(const Nodes& nodes, std::uint32_t node) {
  for (; node != 0; node = nodes[node].parent) {
    const ResolvedType& type = nodes[node].logical;
    if (type.origin() != ResolvedType::Origin::none || type.is_unknown) return false;
  }
  return true;
}
bool is_struct(File& file, const Site& site) {
  const Nodes& nodes = file.schema().nodes();
  const bool has_bare_lists = std::ranges::any_of(nodes, [&](const Node& node) {
    return node.repetition == FieldRepetitionType::REPEATED &&
           nodes[node.parent].logical.origin() == ResolvedType::Origin::none;
  });
  return !has_bare_lists && child_count(nodes, site.index) > 1 &&
         nodes[site.index].repetition != FieldRepetitionType::REPEATED && is_bare(nodes, site.index);
}
bool is_free_name(File& file, const Site& site) {
  return is_bare(file.schema().nodes(), leaf_at(file, site).parent) && !has_geo_key(file, site);
}

bool is_shredded_name(File& file, const Site& site, std::string_view name, bool is_nested) {
  const Nodes& nodes = file.schema().nodes();
  const Node& leaf = leaf_at(file, site);
  if (text_of(leaf.name) != name) return false;
  bool has_typed = false;
  for (const Node& node : nodes)
    has_typed =
        has_typed || (node.depth != 0 && node.parent == leaf.parent && text_of(node.name) == "typed_value");
  if (!has_typed) return false;
  if (!is_nested && variant::is_variant(nodes[leaf.parent])) return true;
  for (std::uint32_t i = nodes[leaf.parent].parent; i != 0; i = nodes[i].parent) {
    if (variant::is_variant(nodes[i])) return true;
  }
  return false;
}

bool has_role(File& file, const Site& site, variant::Role role) {
  return leaf_at(file, site).type == Type::BYTE_ARRAY && has_stored_values(file, site) &&
         variant::role_of(file.schema(), leaf_at(file, site)) == role;
}
bool is_variant_metadata(File& file, const Site& site) {
  return has_role(file, site, variant::Role::metadata);
}
bool is_variant_value(File& file, const Site& site) { return has_role(file, site, variant::Role::value); }
bool is_shredded_metadata(File& file, const Site& site) {
  return is_variant_metadata(file, site) && is_shredded_name(file, site, "metadata", false);
}
bool is_shredded_value(File& file, const Site& site) {
  return is_variant_value(file, site) && is_shredded_name(file, site, "value", false);
}
bool is_shredded_string(File& file, const Site& site) {
  return is_kind(file, site, LogicalKind::STRING) && is_shredded_name(file, site, "typed_value", false);
}
bool is_shredded_field(File& file, const Site& site) { return is_shredded_name(file, site, "value", true); }

/// The names of the fields of a FILE group are those of the specification.
bool is_file_field(File& file, const Site& site, std::string_view name) {
  const Node& leaf = leaf_at(file, site);
  return file.schema().nodes()[leaf.parent].logical.kind == LogicalKind::FILE && text_of(leaf.name) == name;
}
bool has_file_field(File& file, const Site& site, std::string_view name) {
  return is_file_field(file, site, name) && has_stored_values(file, site);
}
bool has_checksums(File& file, const Site& site) { return has_file_field(file, site, "checksum"); }
bool has_content_types(File& file, const Site& site) { return has_file_field(file, site, "content_type"); }
bool has_uris(File& file, const Site& site) { return has_file_field(file, site, "uri"); }
bool has_file_sizes(File& file, const Site& site) { return has_file_field(file, site, "size"); }
bool has_uris_alone(File& file, const Site& site) {
  const std::uint32_t group = leaf_at(file, site).parent;
  return has_uris(file, site) && std::ranges::none_of(file.schema().nodes(), [&](const Node& node) {
           return node.parent == group && text_of(node.name) == "inline";
         });
}
bool is_file_text(File& file, const Site& site) {
  return is_file_field(file, site, "checksum") || is_file_field(file, site, "content_type");
}

bool has_no_file_columns(File& file, const Site& /*site*/) {
  return std::ranges::none_of(file.schema().nodes(),
                              [](const Node& node) { return node.logical.kind == LogicalKind::FILE; });
}

bool has_encrypted_metadata(File& file, const Site& site) {
  return file.footer().find("encrypted_column_metadata", site.node).has_value();
}
bool is_encrypted_file(File& file, const Site& /*site*/) {
  return file.footer().find("encryption_algorithm") &&
         std::ranges::any_of(file.chunks(), [&](const Chunk& chunk) {
           return file.footer().find("crypto_metadata", chunk.node).has_value();
         });
}
bool is_not_encrypted(File& file, const Site& /*site*/) {
  return !file.footer().find("encryption_algorithm");
}
/// The id of an extension, and what it becomes if its bytes are taken for a number.
bool has_no_extension(File& file, const Site& site) {
  return !file.footer().field(site.node, 32767) && !file.footer().field(site.node, -16384);
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
const Need kInt64{"an INT64 column without annotation", is_type<Type::INT64>};
const Need kByteArray{"a BYTE_ARRAY column without annotation", is_type<Type::BYTE_ARRAY>};
const Need kFixed{"a FIXED_LEN_BYTE_ARRAY column", is_fixed};
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
const Need kGeometry{"a GEOMETRY column without GeoParquet metadata", is_geometry_alone};
const Need kGeography{"a GEOGRAPHY column without GeoParquet metadata", is_geography_alone};
const Need kWkb{"a PLAIN page of a GEOMETRY or GEOGRAPHY column without Bloom filter and order", has_wkb};
const Need kGeoKey{"GeoParquet metadata", has_geo_key};
const Need kGeometryBox{"a GEOMETRY column chunk with a bounding box and types", has_geometry_box};
const Need kBoxZ{"a column chunk with a bounding box with z", has_z};
const Need kNotGeo{"a column chunk with data pages that is not geospatial", is_not_geo};
const Need kStruct{"a group of several fields without annotation around it, and all lists annotated",
                   is_struct};
const Need kList{"a LIST of three levels", is_list_group};
const Need kMap{"a MAP with a key and a value", is_map_group};
const Need kVariant{"a VARIANT group", is_variant_group};
const Need kVariantMetadata{"a PLAIN page of metadata of a Variant without Bloom filter and order",
                            is_variant_metadata};
const Need kVariantValue{"a PLAIN page of values of a Variant without Bloom filter and order",
                         is_variant_value};
const Need kShreddedMetadata{"a PLAIN page of metadata of a shredded Variant without Bloom filter and order",
                             is_shredded_metadata};
const Need kShreddedValue{
    "a PLAIN page of values of a Variant next to typed_value without Bloom filter and order",
    is_shredded_value};
const Need kShreddedString{"typed_value of a Variant with STRING", is_shredded_string};
const Need kShreddedField{"a shredded field of a Variant", is_shredded_field};
const Need kFileChecksum{"a PLAIN page of checksum of FILE without Bloom filter and order", has_checksums};
const Need kFileContentType{"a PLAIN page of content_type of FILE without Bloom filter and order",
                            has_content_types};
const Need kFileUri{"a PLAIN page of uri of FILE without Bloom filter and order", has_uris};
const Need kFileSize{"a PLAIN page of size of FILE without Bloom filter and order", has_file_sizes};
const Need kFileUriAlone{"a PLAIN page of uri of FILE without inline and without Bloom filter and order",
                         has_uris_alone};
const Need kFileText{"checksum or content_type of FILE", is_file_text};
const Need kBareByteArray{"a BYTE_ARRAY column without annotation", is_type<Type::BYTE_ARRAY>};
const Need kEncrypted{"a column chunk with encrypted metadata", has_encrypted_metadata};
const Need kEncryptedFile{"a plaintext footer of a file with encrypted columns", is_encrypted_file};
const Need kNotEncrypted{"a file without encryption", is_not_encrypted};
const Need kV1Optional{"a v1 data page with definition levels and no repetition levels", is_v1_optional};
const Need kV1OfByteArray{"a v1 data page of a BYTE_ARRAY column", is_v1_of_byte_array};
const Need kInteger{"a v1 data page of an INT32 or INT64 column", is_v1_of_integers};
const Need kNoExtension{"a footer without an extension", has_no_extension};
const Need kNoFileColumn{"a file without FILE columns", has_no_file_columns};
const Need kFlatNulls{"a column chunk of a flat column with nulls and with values", has_flat_nulls};
const Need kFreeName{"a column that no annotation of a group and no GeoParquet metadata names", is_free_name};
const Need kNulls{"a column chunk with nulls and with values", has_nulls};

}  // namespace parqproof::fault::needs
