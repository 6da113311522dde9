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

/// The bitset of the Bloom filter of a chunk, in the file: one block or several.
struct FilterBitset {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// The metadata of a column chunk before its pages are read. It is const for all rules of the chunk, and
/// outlives them.
struct ChunkScope {
  /// `claim` is that of `chunk`, and its leaf is in the schema.
  ChunkScope(const Context& file, const ChunkClaim& stated, const ColumnChunk& metadata, Findings& findings,
             ChunkServices& shared, const PageIndex& index = {}, std::optional<FilterBitset> bitset = {});

  [[nodiscard]] const ColumnMetaData& meta() const noexcept { return chunk.meta_data; }
  [[nodiscard]] FindingSite column_index_site() const;
  [[nodiscard]] FindingSite offset_index_site() const;
  /// The order that column_orders states for the column; none where it states none.
  [[nodiscard]] Order stated_order() const noexcept;
  /// How values of the column are decoded.
  [[nodiscard]] ValueSpec value_spec(Encoding encoding, std::uint64_t count) const noexcept;
  /// Bytes of a value of fixed width, else 0.
  [[nodiscard]] std::uint32_t width() const noexcept;

  /// Returns true if the OffsetIndex was read to its end and is that of these pages, as far as is known.
  [[nodiscard]] bool is_offset_index_sound() const noexcept {
    return page_index.offset.sound && !services.is_offset_index_foreign;
  }
  [[nodiscard]] const ChunkPosition& position() const noexcept { return services.position; }

  const Context& context;
  const ChunkClaim& claim;
  const ColumnChunk& chunk;
  const Node& leaf;
  FindingSite site;  ///< the ColumnChunk in the footer
  Place place;
  std::string_view doubt;  ///< the reason why values cannot be decoded; empty if they can
  ChunkServices& services;
  PageIndex page_index;
  std::optional<FilterBitset> filter;  ///< set if values can be looked up in the filter of the chunk
};

}  // namespace parqproof
