#pragma once

#include <algorithm>

#include "conformance/fault/file.hpp"

/// What several needs of faults have in common.
namespace parqproof::fault::needs {

/// The chunk of a site; null for sites of no chunk.
inline const Chunk* chunk_of(File& file, const Site& site) {
  return site.chunk == model::kNoChunk ? nullptr : &file.chunk_of(site);
}

inline std::size_t data_pages(File& file, const Site& site) {
  const Chunk* const chunk = chunk_of(file, site);
  return chunk == nullptr
             ? 0
             : static_cast<std::size_t>(std::ranges::count_if(chunk->pages, [&](std::uint32_t page) {
                 return file.pages()[page].is_data() && file.pages()[page].num_values > 0;
               }));
}

inline bool has_pages(File& file, const Site& site) { return data_pages(file, site) != 0; }

/// The node of a leaf, or of the leaf of a chunk.
inline const Node& leaf_at(File& file, const Site& site) {
  return site.chunk == model::kNoChunk ? file.schema().leaf(site.index) : file.leaf_of(site);
}

template <Type kType>
bool is_type(File& file, const Site& site) {
  return leaf_at(file, site).type == kType &&
         (site.chunk != model::kNoChunk ||
          leaf_at(file, site).logical.origin() == ResolvedType::Origin::none);
}

inline bool is_fixed(File& file, const Site& site) {
  return leaf_at(file, site).type == Type::FIXED_LEN_BYTE_ARRAY &&
         leaf_at(file, site).logical.stated != LogicalKind::TIMESTAMP;
}

inline bool is_float(File& file, const Site& site) {
  return leaf_at(file, site).type == Type::FLOAT || leaf_at(file, site).type == Type::DOUBLE;
}

inline bool is_boolean(File& file, const Site& site) { return leaf_at(file, site).type == Type::BOOLEAN; }

inline bool has_statistics(File& file, const Site& site) {
  return has_pages(file, site) && file.footer().find("statistics", site.node).has_value();
}

/// Returns true if no group around the node has rules for its values: VARIANT and FILE.
inline bool is_bare_or_nested(const Nodes& nodes, std::uint32_t node) {
  for (; node != 0; node = nodes[node].parent) {
    const LogicalKind kind = nodes[node].logical.stated;
    if (kind == LogicalKind::VARIANT || kind == LogicalKind::FILE) return false;
  }
  return true;
}

inline bool is_kind(File& file, const Site& site, LogicalKind kind) {
  return leaf_at(file, site).logical.kind == kind;
}

inline bool has_geo_key(File& file, const Site& /*site*/) { return file.value_of_key("geo").has_value(); }

/// Returns true if neither the node nor a group around it has an annotation.
inline bool is_bare(const Nodes& nodes, std::uint32_t node) {
  for (; node != 0; node = nodes[node].parent) {
    const ResolvedType& type = nodes[node].logical;
    if (type.origin() != ResolvedType::Origin::none || type.is_unknown) return false;
  }
  return true;
}

/// Returns true for TIMESTAMP of FIXED_LEN_BYTE_ARRAY, whose type and length have rules of its own.
inline bool is_timestamp_of_bytes(const Node& leaf) {
  return leaf.type == Type::FIXED_LEN_BYTE_ARRAY && leaf.logical.stated == LogicalKind::TIMESTAMP;
}

}  // namespace parqproof::fault::needs
