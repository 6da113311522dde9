#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/base/source.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/page/page_reader.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof {

/// A column chunk as a footer states it.
struct StatedChunk {
  ColumnChunk chunk;  // refers to FooterPart::bytes
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// A row group as a footer states it.
struct StatedRowGroup {
  RowGroup group;
  std::vector<StatedChunk> chunks;
  bool is_usable = true;  // its metadata says where its pages are

  [[nodiscard]] std::uint64_t begin() const {
    return std::ranges::min(chunks, {}, &StatedChunk::begin).begin;
  }
  [[nodiscard]] std::uint64_t end() const { return std::ranges::max(chunks, {}, &StatedChunk::end).end; }
};

/// The readable part of a footer.
struct FooterPart {
  std::vector<SchemaElement> elements;  // refer to `bytes`
  bool has_schema = false;              // all elements
  std::vector<StatedRowGroup> row_groups;
  std::uint32_t row_groups_stated = 0;
  std::vector<std::pair<std::string, std::optional<std::string>>> key_values;
  std::vector<std::uint8_t> bytes;
  std::uint64_t end_of_structures = 0;
  thrift::List column_orders;  // refers to `bytes`; empty if not all of it can be read

  [[nodiscard]] std::size_t leaves() const {
    return static_cast<std::size_t>(std::ranges::count_if(elements, [](const SchemaElement& one) {
      return one.has(SchemaElement::id_type) &&
             !(one.has(SchemaElement::id_num_children) && one.num_children > 0);
    }));
  }
};

/// Reads the FileMetaData at `offset`, whose bytes up to `read_to` are intact. Returns false if it has no
/// schema element.
[[nodiscard]] bool read_part(const Source& source, std::uint64_t offset, std::uint64_t read_to,
                             const Limits& limits, FooterPart& out);

/// Makes the schema; returns false if it is no tree with columns.
[[nodiscard]] bool make_schema(const FooterPart& part, Schema& out);

/// Returns true if both have the same names, types and repetitions, as far as `part` goes. Damage to a schema
/// changes it from some element on.
[[nodiscard]] bool agrees(const FooterPart& part, const FooterPart& sibling);

/// Returns true if a page begins at `begin`, in a chunk that ends at `end`.
[[nodiscard]] bool begins_with_page(const Source& source, std::uint64_t begin, std::uint64_t end,
                                    const Limits& limits);

/// Returns true if a column chunk of the row group begins with a page.
[[nodiscard]] bool begins_with_pages(const Source& source, const StatedRowGroup& group, const Limits& limits);

/// The pages of a chunk by their headers.
struct WalkedChunk {
  std::vector<Page> pages;
  bool is_exact = false;            // they end where the chunk does
  std::optional<Page> beyond = {};  // the page after them, which ends after the chunk
};

[[nodiscard]] WalkedChunk walk_chunk(const Source& source, std::uint64_t begin, std::uint64_t end,
                                     const Limits& limits);

}  // namespace parqproof
