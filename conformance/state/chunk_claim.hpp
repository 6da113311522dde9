#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "conformance/state/parsed_footer.hpp"

namespace parqproof {

/// How much of a column chunk its metadata lets us read; the first that applies.
enum class ChunkState : std::uint8_t {
  encrypted,            ///< its metadata is encrypted
  without_metadata,     ///< meta_data is absent
  unreadable_metadata,  ///< meta_data could not be read
  unknown_column,       ///< the schema has no leaf for it, or is of no use itself
  damaged_type,         ///< the type, length or levels of its leaf are missing: Node::damaged
  unknown_type,         ///< the type or the levels of its leaf are not known: Node::readable
  incomplete,           ///< a size is negative, or a field without which no page can be read is absent
  usable,
};

/// Whether the fields of ColumnMetaData were read, whatever they say.
[[nodiscard]] constexpr bool has_metadata(ChunkState state) noexcept {
  return state >= ChunkState::unknown_column;
}

/// Whether the leaf of the chunk is known, with its type and levels.
[[nodiscard]] constexpr bool has_leaf(ChunkState state) noexcept { return state >= ChunkState::incomplete; }

/// For the chunk of the leaf with this ordinal.
[[nodiscard]] ChunkState state_of(const ParsedFooter& footer, const ColumnChunk& chunk, std::uint32_t leaf);

/// Whether the chunk states no path, or that of the leaf.
[[nodiscard]] bool is_path_of(const ColumnMetaData& meta, const Node& leaf);

/// The claim of a chunk with the numbers of its metadata, where `state` has any. Its file and the places of
/// its bytes are not known yet: FilePaths, place_pages().
[[nodiscard]] ChunkClaim claim_of(const ColumnChunk& chunk, ChunkState state, std::uint32_t row_group,
                                  std::uint32_t leaf);

/// dictionary_page_offset and where it should be, if data_page_offset is not behind it; one of the two is
/// wrong.
[[nodiscard]] std::optional<Contrast> dictionary_after_data(const ColumnMetaData& meta);

/// The numbers of a RowGroup that are kept; its chunks are not known yet.
[[nodiscard]] RowGroupClaim claim_of(const RowGroup& group, const Limits& limits);

}  // namespace parqproof
