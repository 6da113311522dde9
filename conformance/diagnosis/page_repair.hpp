#pragma once

#include <cstdint>
#include <optional>

#include "codec/page/page_content.hpp"
#include "codec/page/page_walk.hpp"
#include "conformance/diagnosis/structure_places.hpp"
#include "conformance/state/chunk_scope.hpp"

/// Finds the wrong field of a page that contradicts its header. A page is intact if its body can be
/// decompressed and decoded to its last byte. A field is reported as wrong if the page is intact with another
/// value of that field alone, and independent evidence supports this value: the next page, the sums and
/// encodings in the column metadata, or the levels.
namespace parqproof {

// Evidence about a page: its levels, and what its header, its chunk and the footer state.

/// Returns the size of the levels of one kind at the start of `bytes`; nullopt if they cannot be read.
[[nodiscard]] std::optional<std::int32_t> length_of_levels(View bytes, std::uint32_t max,
                                                           std::uint64_t count);
/// Returns true if the header states a length for levels that the column does not have.
[[nodiscard]] bool has_absent_levels(const DataPageHeaderV2& data, const Node& leaf);
/// Returns true if the counts of a v2 page are those of its levels.
[[nodiscard]] bool has_true_counts(const Page& page, const LevelSums& sums);
/// Returns the entries of a page of a flat column by num_rows, or by the size of its fixed-width values.
[[nodiscard]] std::optional<std::int64_t> flat_count(const ChunkScope& chunk, const Page& page);
/// Returns the null count of the page in its header or the ColumnIndex.
[[nodiscard]] std::optional<std::int64_t> stated_nulls(const ChunkScope& chunk, const Page& page);
/// Returns true if a level histogram in the metadata of the chunk agrees with its num_values.
[[nodiscard]] bool histogram_agrees(const ChunkScope& chunk);
/// Returns true if a neighbour is not compressed: a chunk of the column in the row group before or after,
/// or the chunk before or after in the row group.
[[nodiscard]] bool has_neighbour_without_compression(const ChunkScope& chunk);

}  // namespace parqproof
