// Needs of columns with values of their own rules, and of encrypted files.
#include <algorithm>

#include "codec/variant/shredding.hpp"
#include "conformance/fault/bounds.hpp"
#include "conformance/fault/need_predicates.hpp"
#include "conformance/fault/needs.hpp"
#include "conformance/fault/stored_values.hpp"

namespace parqproof::fault::needs {
namespace {

bool is_geometry(File& file, const Site& site) { return is_kind(file, site, LogicalKind::GEOMETRY); }

bool is_geography(File& file, const Site& site) { return is_kind(file, site, LogicalKind::GEOGRAPHY); }

bool is_geo(File& file, const Site& site) { return is_geometry(file, site) || is_geography(file, site); }

bool has_geometry_box(File& file, const Site& site) { return is_geometry(file, site) && has_box(file, site); }

bool has_geography_box(File& file, const Site& site) {
  return is_geography(file, site) && has_box(file, site);
}

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

bool has_z_or_m(File& file, const Site& site) {
  return has_z(file, site) || file.footer().find("geospatial_statistics.bbox.mmin", site.node).has_value();
}

bool has_geography_wkb(File& file, const Site& site) {
  return is_geography_alone(file, site) && has_stored_values(file, site);
}

bool has_values_of(File& file, const Site& site, LogicalKind kind) {
  return is_kind(file, site, kind) && has_stored_values(file, site) &&
         is_bare_or_nested(file.schema().nodes(), leaf_at(file, site).parent);
}

bool has_strings(File& file, const Site& site) { return has_values_of(file, site, LogicalKind::STRING); }

bool has_json(File& file, const Site& site) { return has_values_of(file, site, LogicalKind::JSON); }

bool has_bson(File& file, const Site& site) { return has_values_of(file, site, LogicalKind::BSON); }

bool has_small_integers(File& file, const Site& site) {
  return has_values_of(file, site, LogicalKind::INTEGER) && leaf_at(file, site).type == Type::INT32 &&
         leaf_at(file, site).logical.bit_width < 32;
}

bool has_times(File& file, const Site& site) {
  return has_values_of(file, site, LogicalKind::TIME) && leaf_at(file, site).type == Type::INT64;
}

bool has_decimals(File& file, const Site& site) {
  return has_values_of(file, site, LogicalKind::DECIMAL) && leaf_at(file, site).type == Type::INT64;
}

bool has_geo_statistics(File& file, const Site& site) {
  return is_geo(file, site) && has_statistics(file, site) &&
         !file.footer().find("statistics.min_value", site.node) &&
         !file.footer().find("statistics.min", site.node);
}

bool is_variant_group(File& file, const Site& site) {
  return variant::is_variant(file.schema().nodes()[site.index]);
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

bool is_shredded_top(File& file, const Site& site) {
  const auto group = variant::group_around(file.schema(), leaf_at(file, site));
  return group && group->is_shredded() && group->top.value == leaf_at(file, site).leaf;
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

}  // namespace

const Need kStringValues{"a PLAIN page of a STRING column without Bloom filter and order", has_strings};
const Need kJsonValues{"a PLAIN page of a JSON column without Bloom filter and order", has_json};
const Need kBsonValues{"a PLAIN page of a BSON column without Bloom filter and order", has_bson};
const Need kSmallIntegers{"a PLAIN page of an INTEGER column of 8 or 16 bits without Bloom filter and order",
                          has_small_integers};
const Need kTimes{"a PLAIN page of a TIME column in INT64 without Bloom filter and order", has_times};
const Need kDecimals{"a PLAIN page of a DECIMAL column in INT64 without Bloom filter and order",
                     has_decimals};
const Need kGeoStatistics{"a geospatial column with statistics and without bounds", has_geo_statistics};
const Need kGeometry{"a GEOMETRY column without GeoParquet metadata", is_geometry_alone};
const Need kGeography{"a GEOGRAPHY column without GeoParquet metadata", is_geography_alone};
const Need kWkb{"a PLAIN page of a GEOMETRY or GEOGRAPHY column without Bloom filter and order", has_wkb};
const Need kGeometryBox{"a GEOMETRY column chunk with a bounding box and types", has_geometry_box};
const Need kGeographyBox{"a GEOGRAPHY column chunk with a bounding box and types", has_geography_box};
const Need kBoxOfAxes{"a column chunk with a bounding box with z or m", has_z_or_m};
const Need kGeographyWkb{
    "a PLAIN page of a GEOGRAPHY column without GeoParquet metadata, Bloom filter and order",
    has_geography_wkb};
const Need kShreddedTop{"a page of values of a shredded Variant", is_shredded_top};
const Need kBoxZ{"a column chunk with a bounding box with z", has_z};
const Need kNotGeo{"a column chunk with data pages that is not geospatial", is_not_geo};
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
const Need kEncrypted{"a column chunk with encrypted metadata", has_encrypted_metadata};
const Need kEncryptedFile{"a plaintext footer of a file with encrypted columns", is_encrypted_file};
const Need kNotEncrypted{"a file without encryption", is_not_encrypted};
const Need kNoExtension{"a footer without an extension", has_no_extension};

}  // namespace parqproof::fault::needs
