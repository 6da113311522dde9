#pragma once

#include <cstdint>
#include <vector>

#include "codec/record/column_cursor.hpp"
#include "codec/write/chunk_writer.hpp"
#include "codec/write/options.hpp"
#include "conformance/rewrite/rewrite.hpp"
#include "conformance/rewrite/source_chunks.hpp"

namespace parqproof {

/// The form of the pages of a column, if those of the source that have it are copied as they are stored: they
/// need not be encoded and compressed again. Statistics and indexes are computed from the values all the
/// same.
struct CopiedForm {
  bool exists = false;  ///< false: no page is copied
  CompressionCodec codec{};
  unsigned page_version = 1;
  Encoding level_encoding{};
  bool historical = false;  ///< RewriteOptions::historical
};

/// The form that pages of leaf `leaf` of `written` are copied in.
[[nodiscard]] CopiedForm copied_form(const WriteOptions& write, const Schema& written, std::size_t leaf,
                                     const RewriteOptions& options);

/// Copies pages of a column chunk in which a check has found nothing.
class PageCopies {
 public:
  PageCopies(const CopiedForm& form, const SourceRowGroup::Chunk& chunk) : form_(form), chunk_(chunk) {}

  /// Call it before the entries of a page are added: begins the copy of the page, if it can be copied. The
  /// dictionary of the chunk comes before its first page.
  [[nodiscard]] WriteStatus begin_page(const ColumnCursor& cursor, ChunkWriter& to);

 private:
  [[nodiscard]] bool begins_at_rows(const Node& leaf) const noexcept;
  [[nodiscard]] bool has_form(const DataPages& pages) const;
  [[nodiscard]] WriteStatus begin_chunk(const DataPages& pages, ChunkWriter& to);

  const CopiedForm& form_;
  const SourceRowGroup::Chunk& chunk_;
  bool has_begun_ = false;
  bool has_dictionary_ = false;
  std::vector<std::uint8_t> body_;  // of the dictionary page
};

}  // namespace parqproof
