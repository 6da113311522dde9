#include "conformance/rewrite/page_copies.hpp"

#include <algorithm>
#include <string>

#include "codec/encoding/table.hpp"
#include "conformance/rewrite/written_form.hpp"

namespace parqproof {
CopiedForm copied_form(const WriteOptions& write, const Schema& written, std::size_t leaf,
                       const RewriteOptions& options) {
  const std::string path = written.dotted_path(written.leaf_index(leaf));
  const bool other_encoding = std::ranges::any_of(
      options.encodings, [&](const auto& one) { return one.first.empty() || one.first == path; });
  const bool other_pages = options.codec || options.level || options.page_version || options.page_bytes ||
                           options.page_rows || options.row_group_rows;
  if (other_encoding || other_pages || options.salvage || options.encryption) return {};
  return {true, write.of(leaf).codec, write.page_version, write.level_encoding, options.historical};
}

/// A list that goes on in the next page cannot end with a copied one. Pages of version 1 begin at rows only
/// where there is an offset index.
bool PageCopies::begins_at_rows(const Node& leaf) const noexcept {
  return leaf.max_repetition == 0 || form_.page_version == 2 || chunk_.has_offset_index;
}

bool PageCopies::has_form(const DataPages& pages) const {
  const Page& page = pages.page();
  const EncodingInfo* const encoding = find_encoding(page.encoding());
  const bool is_kept = is_dictionary_encoding(page.encoding())
                           ? has_dictionary_
                           : encoding != nullptr && is_written(*encoding, form_.historical);
  if (page.module || !is_kept) return false;
  if (page.is_v2()) return form_.page_version == 2;
  const DataPageHeader& header = page.header.data_page_header;
  const Node& leaf = pages.leaf();
  return form_.page_version == 1 &&
         (leaf.max_repetition == 0 || header.repetition_level_encoding == form_.level_encoding) &&
         (leaf.max_definition == 0 || header.definition_level_encoding == form_.level_encoding);
}

WriteStatus PageCopies::begin_chunk(const DataPages& pages, ChunkWriter& to) {
  has_begun_ = true;
  const DictionaryPage& page = pages.dictionary_page();
  if (!pages.dictionary().known() || page.is_encrypted) return {};
  body_.resize(static_cast<std::size_t>(page.bytes));
  if (!chunk_.stored.source->read(page.body, body_)) return {};
  has_dictionary_ = true;
  CopiedBody body;
  body.bytes = body_;
  body.uncompressed = page.uncompressed;
  body.entries = page.entries;
  body.is_compressed = form_.codec != CompressionCodec::UNCOMPRESSED;
  return to.copy_dictionary(body);
}

WriteStatus PageCopies::begin_page(const ColumnCursor& cursor, ChunkWriter& to) {
  const DataPages& pages = cursor.pages();
  if (!form_.exists || chunk_.stored.codec != form_.codec || !begins_at_rows(cursor.leaf())) return {};
  if (!has_begun_) {
    if (WriteStatus begun = begin_chunk(pages, to); !begun) return begun;
  }
  if (cursor.repetition() != 0 || !has_form(pages)) return {};
  const PageHeader& header = pages.page().header;
  CopiedBody body;
  body.bytes = pages.stored().bytes;
  body.uncompressed = static_cast<std::uint64_t>(header.uncompressed_page_size);
  body.entries = pages.parts().count;
  body.encoding = pages.page().encoding();
  body.is_compressed = form_.codec != CompressionCodec::UNCOMPRESSED;
  if (pages.page().is_v2()) {
    const DataPageHeaderV2& own = header.data_page_header_v2;
    body.repetition_bytes = static_cast<std::uint32_t>(own.repetition_levels_byte_length);
    body.definition_bytes = static_cast<std::uint32_t>(own.definition_levels_byte_length);
    body.is_compressed = says_compressed(pages.page(), form_.codec);
  }
  if (pages.is_verified()) body.crc = header.crc;
  return to.copy_page(body);
}

}  // namespace parqproof
