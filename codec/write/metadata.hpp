#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "codec/format/column_chunk.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/schema/order.hpp"
#include "codec/schema/schema.hpp"
#include "codec/write/chunk_writer.hpp"
#include "codec/write/options.hpp"
#include "codec/write/sink.hpp"

namespace parqproof {

/// Calls `use` with the ColumnMetaData of a chunk, whose lists live as long as the call. The offset of a
/// Bloom filter is left to `use`.
void with_metadata(const WrittenChunk& chunk, const Schema& schema, std::size_t leaf, Order order,
                   const ColumnOptions& options, const std::function<void(ColumnMetaData&)>& use);

/// The entry of column_orders for a leaf.
[[nodiscard]] ColumnOrder column_order_of(const Node& leaf, const ColumnOptions& options);

/// Writes a footer with its length and magic (README.md#file-format).
[[nodiscard]] WriteStatus write_footer(const FileMetaData& meta, Sink& sink);

}  // namespace parqproof
