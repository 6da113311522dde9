#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "conformance/state/parsed_footer.hpp"

namespace parqproof {

/// The parts of a column chunk that can be read by its metadata; the first state that applies.
enum class ChunkState : std::uint8_t {
  encrypted,            ///< its metadata is encrypted
  without_metadata,     ///< meta_data is absent
  unreadable_metadata,  ///< meta_data could not be read
  unknown_column,       ///< the schema has no leaf for it, or is not usable
  damaged_type,         ///< the type, length or levels of its leaf are missing: Node::damaged
  unknown_type,         ///< the type or the levels of its leaf are not known: Node::readable
  incomplete,           ///< a size is negative, or a field that is required for reading pages is absent
  usable,
};

/// Returns true if the fields of ColumnMetaData were read, with valid values or not.
[[nodiscard]] constexpr bool has_metadata(ChunkState state) noexcept {
  return state >= ChunkState::unknown_column;
}

/// Returns true if the leaf of the chunk is known, with its type and levels.
[[nodiscard]] constexpr bool has_leaf(ChunkState state) noexcept { return state >= ChunkState::incomplete; }

/// `leaf`: the ordinal of the leaf of the chunk.
[[nodiscard]] ChunkState state_of(const ParsedFooter& footer, const ColumnChunk& chunk, std::uint32_t leaf);

/// Returns true if the sizes and offsets that locate the pages are present, and no size is negative.
[[nodiscard]] bool is_complete(const ColumnMetaData& meta);

/// Returns true if the metadata of an encrypted chunk is visible, but for what a plaintext footer leaves out,
/// and its leaf is known. `state`: that of the chunk.
[[nodiscard]] bool is_visible(const ParsedFooter& footer, const ColumnChunk& chunk, ChunkState state,
                              std::uint32_t leaf);

/// Returns true if the chunk states no path, or the path of the leaf.
[[nodiscard]] bool is_path_of(const ColumnMetaData& meta, const Node& leaf);

/// The claim of a chunk with the numbers of its metadata, if `state` has metadata. FilePaths and
/// place_pages() set its file and the positions of its bytes later.
[[nodiscard]] ChunkClaim claim_of(const ColumnChunk& chunk, ChunkState state, std::uint32_t row_group,
                                  std::uint32_t leaf);

/// dictionary_page_offset and its expected range, if it is not less than data_page_offset; one of the two is
/// wrong.
[[nodiscard]] std::optional<Contrast> dictionary_after_data(const ColumnMetaData& meta);

/// The numbers of a RowGroup that are kept; its chunks are added later.
[[nodiscard]] RowGroupClaim claim_of(const RowGroup& group, const Limits& limits);

}  // namespace parqproof
