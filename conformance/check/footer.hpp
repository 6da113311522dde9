#pragma once

#include "conformance/check/context.hpp"

namespace parqproof {

/// Reads the footer strictly and judges what it says of itself: FileMetaData, schema, row groups and column
/// metadata. Fills meta, schema, row_groups, chunks and regions of the context.
void check_footer(Context& context);

/// footer/num-rows: the row count of the file against its row groups, each with the rows that its columns
/// bear out.
void check_num_rows(Context& context);

/// The rules of a single schema element (schema/*), the one that was added to the schema last.
void check_schema_element(Context& context, const SchemaElement& element);

/// The rules of the whole tree (schema/*).
void check_schema(Context& context);

/// The rules of column_orders, and the order that it gives each leaf. A footer without a usable schema has
/// none.
void check_column_orders(Context& context);

/// footer/column-orders-present, once per file and at the first bound that stands there. For a footer that
/// was read to its stop byte, so that what is absent is absent.
void check_bounds_have_orders(Context& context);

/// The rules of one ColumnChunk that need no page (column-chunk/*, file/region-inside), and its claim and
/// regions.
void check_column_chunk(Context& context, const ColumnChunk& chunk, std::uint32_t row_group,
                        std::uint32_t leaf);

/// Looks for the bytes of a chunk in the file that its file_path names, which `context` is about: completes
/// its claim and adds its regions.
void place_column_chunk(Context& context, const ColumnChunk& chunk, ChunkClaim& claim);

/// footer/key-unique for one list of key/value pairs.
void check_keys(Context& context, const Place& place, const thrift::List& pairs, std::string_view path);

}  // namespace parqproof
