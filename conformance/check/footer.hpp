#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "conformance/check/context.hpp"

namespace parqproof {

/// Reads the footer strictly and judges what it says of itself: FileMetaData, schema, row groups and column
/// metadata. Fills meta, schema, row_groups, chunks and regions of the context.
void check_footer(FileCheck& context);

/// footer/num-rows: the row count of the file against its row groups, each with the rows that its columns
/// bear out.
void check_num_rows(FileCheck& context);

/// The rules of a single schema element (schema/*), the one that was added to the schema last. `field_ids`:
/// those of the elements before it, where schema/field-id-unique is asked for.
void check_schema_element(FileCheck& context, const SchemaElement& element,
                          std::unordered_set<std::int32_t>& field_ids);

/// The rules of the whole tree (schema/*).
void check_schema(FileCheck& context);

/// The rules of column_orders, and the order that it gives each leaf. A footer without a usable schema has
/// none.
void check_column_orders(FileCheck& context);

/// footer/column-orders-present, once per file and at the first bound that stands there. For a footer that
/// was read to its stop byte, so that what is absent is absent.
void check_bounds_have_orders(FileCheck& context);

/// What the rules of a ColumnChunk remember of those before it.
struct ChunksBefore {
  /// encodings and encoding_stats of the last chunk whose lists nothing was said of.
  std::array<std::span<const std::uint8_t>, 2> sound_encodings;
  std::unordered_map<std::string, std::uint32_t> named_by_path;  ///< values of ChunkClaim::file
  bool paths_differ = false;  ///< summary/file-path-differs has been reported for the row group
};

/// The rules of one ColumnChunk that need no page (column-chunk/*, file/region-inside), and its claim and
/// regions.
void check_column_chunk(FileCheck& context, const ColumnChunk& chunk, std::uint32_t row_group,
                        std::uint32_t leaf, ChunksBefore& before);

/// Looks for the bytes of a chunk in the file that its file_path names, which `context` is about: completes
/// its claim and adds its regions.
void place_column_chunk(FileCheck& context, const ColumnChunk& chunk, ChunkClaim& claim);

/// footer/key-unique for one list of key/value pairs.
void check_keys(FileCheck& context, const Place& place, const thrift::List& pairs, std::string_view path);

}  // namespace parqproof
