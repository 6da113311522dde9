#pragma once

#include <memory>

#include "conformance/observers/chunk_observer.hpp"

namespace parqproof {

/// bloom-filter/*: judges the bits of the filter of a chunk, and looks up each value. Values in a dictionary
/// are looked up once per entry, and count if values refer to them. No value is looked up if the bits cannot
/// be the result of any values.
[[nodiscard]] std::unique_ptr<ChunkObserver> bloom_filter_observer();
/// column-index/*: compares the ColumnIndex of a chunk with the levels and values of each data page.
/// statistics_observer() tallies the values once for all claims about a page.
[[nodiscard]] std::unique_ptr<ChunkObserver> column_index_observer();
/// Judges the ColumnIndex of a chunk without pages.
void check_column_index_without_pages(const ChunkScope& scope);
/// Collects BoundsOfPages, page by page, until their memory is used up. Keeps the dictionary of the chunk.
[[nodiscard]] std::unique_ptr<ChunkObserver> page_bounds_observer();

}  // namespace parqproof
