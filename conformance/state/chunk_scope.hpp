#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/encoding/values.hpp"
#include "codec/format/column_chunk.hpp"
#include "conformance/state/chunk_services.hpp"
#include "conformance/state/file_check.hpp"
#include "conformance/state/page_index.hpp"

namespace parqproof {

/// Byte range of a Bloom filter bitset in the file; at least one block.
struct FilterBitset {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::vector<std::uint8_t> decrypted = {};  ///< the bits, if the filter is encrypted
};

/// What the rules of a column chunk share: its metadata, known before the pages are read, and ChunkServices,
/// the state that changes with them. It outlives the rules.
struct ChunkScope {
  /// `chunk_claim`: of `column_chunk`; its leaf is in the schema. All references must outlive this object.
  ChunkScope(const Context& file_context, const ChunkClaim& chunk_claim, const ColumnChunk& column_chunk,
             Findings& findings, ChunkServices& chunk_services, const PageIndex& indexes = {},
             std::optional<FilterBitset> filter_bitset = {});

  [[nodiscard]] const ColumnMetaData& meta() const noexcept { return chunk.meta_data; }
  [[nodiscard]] FindingSite column_index_site() const;
  [[nodiscard]] FindingSite offset_index_site() const;
  /// Returns the entry of column_orders for the column; Order::none if there is none.
  [[nodiscard]] Order column_order() const noexcept;
  /// Returns true if an encoding is undefined, and encodings of the column metadata lists no undefined one:
  /// that of a later edition would be listed, so the number is damaged.
  [[nodiscard]] bool is_damaged(Encoding encoding) const noexcept;
  /// Returns the parameters for decoding `count` values of the column.
  [[nodiscard]] ValueSpec value_spec(Encoding encoding, std::uint64_t count) const noexcept;
  /// Returns the bytes of a value; 0 if its width is not fixed.
  [[nodiscard]] std::uint32_t value_bytes() const noexcept;

  /// Returns true if the OffsetIndex was read without faults, and nothing shows that it locates other pages.
  [[nodiscard]] bool is_offset_index_sound() const noexcept {
    return page_index.offset.sound && !services.is_offset_index_foreign;
  }
  [[nodiscard]] const ChunkPosition& position() const noexcept { return services.position; }

  const Context& context;
  const ChunkClaim& claim;  ///< the numbers of `chunk` that the footer phase kept
  const ColumnChunk& chunk;
  const Node& leaf;
  FindingSite site;  ///< the ColumnChunk in the footer
  Place place;
  std::string_view undecodable_reason;  ///< why values cannot be decoded; empty if they can
  ChunkServices& services;
  PageIndex page_index;
  std::optional<FilterBitset> filter;  ///< set if values can be looked up in the filter of the chunk
};

}  // namespace parqproof
