#include "codec/write/page_buffer.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "codec/base/append.hpp"
#include "codec/base/bits.hpp"
#include "codec/page/checksum.hpp"
#include "codec/thrift/emitter.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kMaxPageBytes = INT32_MAX;

/// The same for the levels of any page: EncodeOptions are about values.
const EncodeOptions kLevelOptions;

}  // namespace

PageHeader data_page_header(const PageFormat& format, const PageCounts& counts, Encoding encoding,
                            std::uint32_t repetition_bytes, std::uint32_t definition_bytes,
                            const Statistics& statistics) {
  PageHeader header;
  if (format.options.page_version == 1) {
    header.type = PageType::DATA_PAGE;
    thrift::set(header, PageHeader::id_data_page_header);
    DataPageHeader& own = header.data_page_header;
    thrift::set(own, DataPageHeader::id_num_values, DataPageHeader::id_encoding,
                DataPageHeader::id_definition_level_encoding, DataPageHeader::id_repetition_level_encoding);
    own.num_values = static_cast<std::int32_t>(counts.entries);
    own.encoding = encoding;
    own.definition_level_encoding = own.repetition_level_encoding = format.options.level_encoding;
    if (!format.column.page_statistics) return header;
    thrift::set(own, DataPageHeader::id_statistics);
    own.statistics = statistics;
    return header;
  }
  header.type = PageType::DATA_PAGE_V2;
  thrift::set(header, PageHeader::id_data_page_header_v2);
  DataPageHeaderV2& own = header.data_page_header_v2;
  thrift::set(own, DataPageHeaderV2::id_num_values, DataPageHeaderV2::id_num_nulls,
              DataPageHeaderV2::id_num_rows, DataPageHeaderV2::id_encoding,
              DataPageHeaderV2::id_definition_levels_byte_length,
              DataPageHeaderV2::id_repetition_levels_byte_length);
  own.num_values = static_cast<std::int32_t>(counts.entries);
  own.num_nulls = static_cast<std::int32_t>(counts.nulls());
  own.num_rows = static_cast<std::int32_t>(counts.rows);
  own.encoding = encoding;
  own.definition_levels_byte_length = static_cast<std::int32_t>(definition_bytes);
  own.repetition_levels_byte_length = static_cast<std::int32_t>(repetition_bytes);
  if (!format.column.page_statistics) return header;
  thrift::set(own, DataPageHeaderV2::id_statistics);
  own.statistics = statistics;
  return header;
}

PageHeader dictionary_page_header(const PageFormat& format, std::uint64_t entries) {
  PageHeader header;
  header.type = PageType::DICTIONARY_PAGE;
  thrift::set(header, PageHeader::id_dictionary_page_header);
  DictionaryPageHeader& own = header.dictionary_page_header;
  thrift::set(own, DictionaryPageHeader::id_num_values, DictionaryPageHeader::id_encoding);
  own.num_values = static_cast<std::int32_t>(entries);
  own.encoding = format.column.plain_dictionary ? Encoding::PLAIN_DICTIONARY : Encoding::PLAIN;
  return header;
}

WriteStatus StoredPage::make(const PageFormat& format, PageHeader header,
                             std::span<const std::uint8_t> levels, std::span<const std::uint8_t> values,
                             std::uint64_t ordinal) {
  const bool is_v2 = header.has(PageHeader::id_data_page_header_v2);
  bool is_compressed = format.column.codec != CompressionCodec::UNCOMPRESSED;
  compressed_.clear();
  if (is_compressed && !(is_v2 && values.empty())) {
    std::span<const std::uint8_t> image = values;
    if (!is_v2 && !levels.empty()) {
      image_.assign(levels.begin(), levels.end());
      image_.insert(image_.end(), values.begin(), values.end());
      image = image_;
    }
    const CompressStatus done =
        format.compressor.compress(format.column.codec, image, format.column.compress, compressed_);
    if (!done) return std::unexpected(std::string(done.error()));
  }
  // Only the header of a page of version 2 can say that its values are not compressed.
  if (is_v2 && is_compressed && compressed_.size() >= values.size()) is_compressed = false;
  Body body{levels, values, levels.size() + values.size(), is_compressed};
  if (is_compressed) {
    if (!is_v2) body.levels = {};
    body.values = compressed_;
  }
  return finish(format, header, body, ordinal);
}

WriteStatus StoredPage::make(const PageFormat& format, PageHeader header, const CopiedBody& body,
                             std::uint64_t ordinal) {
  return finish(format, header, {{}, body.bytes, body.uncompressed, body.is_compressed, body.crc}, ordinal);
}

/// Encrypts the body if the column is encrypted, and adds the sizes to the header.
WriteStatus StoredPage::finish(const PageFormat& format, PageHeader& header, Body body,
                               std::uint64_t ordinal) {
  encryption::ModulePlace place{encryption::ModuleType::data_page, format.row_group, format.leaf,
                                static_cast<std::int32_t>(std::min<std::uint64_t>(ordinal, INT32_MAX))};
  const bool is_dictionary = header.has(PageHeader::id_dictionary_page_header);
  if (format.cipher != nullptr) {
    if (is_dictionary) place.type = encryption::ModuleType::dictionary_page;
    if (!body.levels.empty()) {
      image_.assign(body.levels.begin(), body.levels.end());
      image_.insert(image_.end(), body.values.begin(), body.values.end());
      body.values = image_;
      body.levels = {};
    }
    module_.clear();
    if (WriteStatus done = format.cipher->append(place, body.values, module_); !done) return done;
    body.values = module_;
    body.crc.reset();
  }
  const std::size_t stored = body.levels.size() + body.values.size();
  if (body.uncompressed > kMaxPageBytes || stored > kMaxPageBytes)
    return std::unexpected("a page of more than 2147483647 bytes");
  thrift::set(header, PageHeader::id_type, PageHeader::id_uncompressed_page_size,
              PageHeader::id_compressed_page_size);
  header.uncompressed_page_size = static_cast<std::int32_t>(body.uncompressed);
  header.compressed_page_size = static_cast<std::int32_t>(stored);
  if (format.options.checksums) {
    thrift::set(header, PageHeader::id_crc);
    header.crc = body.crc ? *body.crc : static_cast<std::int32_t>(crc32(body.values, crc32(body.levels)));
  }
  if (header.has(PageHeader::id_data_page_header_v2)) {
    thrift::set(header.data_page_header_v2, DataPageHeaderV2::id_is_compressed);
    header.data_page_header_v2.is_compressed = body.is_compressed;
  }
  header_.clear();
  thrift::emit(header, header_);
  if (format.cipher != nullptr) {
    place.type = is_dictionary ? encryption::ModuleType::dictionary_page_header
                               : encryption::ModuleType::data_page_header;
    const std::vector<std::uint8_t> plain = std::exchange(header_, {});
    if (WriteStatus done = format.cipher->append(place, plain, header_); !done) return done;
  }
  parts_ = {header_, body.levels, body.values};
  uncompressed_bytes_ = header_.size() + body.uncompressed;
  return {};
}

std::uint64_t StoredPage::bytes() const noexcept {
  std::uint64_t bytes = 0;
  for (const std::span<const std::uint8_t> part : parts_) bytes += part.size();
  return bytes;
}

void StoredPage::append_to(std::vector<std::uint8_t>& out) const {
  for (const std::span<const std::uint8_t> part : parts_) out.insert(out.end(), part.begin(), part.end());
}

PageLevels::PageLevels(const PageFormat& format, const Node& leaf) : format_(format), leaf_(leaf) {}

void PageLevels::begin() {
  repetition_.clear();
  definition_.clear();
  bytes_.clear();
  const Encoding encoding = format_.options.level_encoding;
  // check_options() has refused encodings without levels.
  if (leaf_.max_repetition != 0)
    (void)repetitions_.open(encoding, {bit_width_for(leaf_.max_repetition), kLevelOptions, repetition_});
  if (leaf_.max_definition != 0)
    (void)definitions_.open(encoding, {bit_width_for(leaf_.max_definition), kLevelOptions, definition_});
}

void PageLevels::add(LevelEncoder& encoder, const Levels& levels, std::uint64_t count) {
  if (levels.values == nullptr) {
    encoder.add(levels.repeated, count);
  } else {
    encoder.add({levels.values, static_cast<std::size_t>(count)});
  }
}

void PageLevels::add(const Entries& entries) {
  if (leaf_.max_repetition != 0) add(repetitions_, entries.repetition, entries.count);
  if (leaf_.max_definition != 0) add(definitions_, entries.definition, entries.count);
}

/// RLE levels have a length prefix in pages of version 1 (Encodings.md#RLE).
void PageLevels::append(const std::vector<std::uint8_t>& section) {
  if (format_.options.page_version == 1 && format_.options.level_encoding == Encoding::RLE)
    append_le(bytes_, section.size(), 4);
  bytes_.insert(bytes_.end(), section.begin(), section.end());
}

void PageLevels::finish() {
  if (leaf_.max_repetition != 0) {
    repetitions_.finish();
    append(repetition_);
  }
  if (leaf_.max_definition != 0) {
    definitions_.finish();
    append(definition_);
  }
  repetition_bytes_ = static_cast<std::uint32_t>(repetition_.size());
  definition_bytes_ = static_cast<std::uint32_t>(definition_.size());
}

}  // namespace parqproof
