#include "conformance/fault/needs.hpp"

#include <algorithm>

#include "conformance/fault/bounds.hpp"

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
  if (!is_type<Type::INT32>(file, site)) return false;
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
const Need kInt32Bare{"an INT32 column without annotation, statistics and column index", is_bare_int32};
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
const Need kNulls{"a column chunk with nulls and with values", has_nulls};

}  // namespace parqproof::fault::needs
