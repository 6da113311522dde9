#include "codec/file/page_image.hpp"

#include <algorithm>
#include <cstring>

#include "codec/base/bits.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kLengthBytes = 4;

std::unexpected<Error> fail(Rule rule, View where, std::uint64_t found, std::uint64_t expected) {
  return std::unexpected(Error{where.base, static_cast<std::int64_t>(found),
                               static_cast<std::int64_t>(expected), 0, rule, where.space});
}

/// Takes the levels of one kind off the front of a v1 page.
Result<LevelSection> cut_levels(View& rest, std::uint32_t max, Encoding encoding, std::uint64_t count) {
  if (max == 0) return LevelSection{};
  if (encoding == Encoding::BIT_PACKED) {
    const Result<View> packed = cut_bit_packed(rest, bit_width_for(max), count);
    if (!packed) return std::unexpected(packed.error());
    rest = rest.from(packed->size());
    return LevelSection{*packed, true};
  }
  const bool cut = rest.size() < kLengthBytes;
  const std::size_t room = cut ? kLengthBytes : rest.size() - kLengthBytes;
  const std::size_t length = cut ? rest.size() : load_le<std::uint32_t>(rest.data());
  // levels/length-prefix
  if (cut || length > room) {
    return std::unexpected(Error{rest.base, static_cast<std::int64_t>(length),
                                 static_cast<std::int64_t>(room), kLengthBytes, Rule::levels_length_prefix,
                                 rest.space});
  }
  const LevelSection levels{rest.part(kLengthBytes, length), false};
  rest = rest.from(kLengthBytes + length);
  return levels;
}

}  // namespace

bool is_sound(const Page& page) noexcept {
  const PageHeader& header = page.header;
  if (!page.can_be_passed() || !header.has(PageHeader::id_type) || !page.has_member() ||
      !header.has(PageHeader::id_uncompressed_page_size) || header.uncompressed_page_size < 0) {
    return false;
  }
  if (header.type == PageType::INDEX_PAGE) return true;
  if (page.num_values() < 0) return false;
  if (page.is_dictionary()) return header.dictionary_page_header.has(DictionaryPageHeader::id_num_values);
  if (header.type == PageType::DATA_PAGE) {
    const DataPageHeader& data = header.data_page_header;
    return data.has(DataPageHeader::id_num_values) && data.has(DataPageHeader::id_encoding) &&
           data.has(DataPageHeader::id_definition_level_encoding) &&
           data.has(DataPageHeader::id_repetition_level_encoding);
  }
  const DataPageHeaderV2& data = header.data_page_header_v2;
  return data.has(DataPageHeaderV2::id_num_values) && data.has(DataPageHeaderV2::id_encoding) &&
         data.has(DataPageHeaderV2::id_num_rows) && data.num_rows >= 0 &&
         data.has(DataPageHeaderV2::id_definition_levels_byte_length) &&
         data.definition_levels_byte_length >= 0 &&
         data.has(DataPageHeaderV2::id_repetition_levels_byte_length) &&
         data.repetition_levels_byte_length >= 0;
}

Result<View> expand_page(const Page& page, View stored, CompressionCodec codec, Decompressor& decompressor,
                         Buffer& room, const Limits& limits) {
  const PageHeader& header = page.header;
  const auto claimed = static_cast<std::size_t>(header.uncompressed_page_size);
  if (claimed > limits.page_bytes) return fail(Rule::limit_page_size, stored, claimed, limits.page_bytes);
  std::size_t plain = 0;  // bytes in front that are not compressed
  bool compressed = codec != CompressionCodec::UNCOMPRESSED;
  if (header.type == PageType::DATA_PAGE_V2) {
    const DataPageHeaderV2& data = header.data_page_header_v2;
    plain = static_cast<std::size_t>(data.repetition_levels_byte_length) +
            static_cast<std::size_t>(data.definition_levels_byte_length);
    // page/v2-level-lengths
    if (plain > std::min(claimed, stored.size()))
      return fail(Rule::page_v2_level_lengths, stored, plain, std::min(claimed, stored.size()));
    compressed = compressed && data.is_compressed;
  } else if (header.type == PageType::INDEX_PAGE) {
    compressed = compressed && header.uncompressed_page_size != header.compressed_page_size;
  }
  if (!compressed) return stored;
  if (!room.resize(plain)) return fail(Rule::limit_memory, stored, claimed, 0);
  if (plain != 0) std::memcpy(room.data(), stored.data(), plain);
  std::size_t produced = 0;
  if (const View section = stored.from(plain); !section.empty()) {
    Notes notes;
    const Result<std::size_t> expanded =
        can_decompress(codec)
            ? decompressor.expand(codec, section, claimed - plain, room, plain, limits, notes)
            : fail(Rule::compression_stream, section, 0, 0);
    if (!expanded) return std::unexpected(expanded.error());
    produced = *expanded;
  }
  // page/uncompressed-size
  if (plain + produced != claimed)
    return fail(Rule::page_uncompressed_size, stored, claimed, plain + produced);
  return View{{room.data(), claimed}, 0, Space::page};
}

Result<DataPageParts> split_data_page(const Page& page, View image, const Node& leaf) {
  DataPageParts parts;
  parts.count = static_cast<std::uint64_t>(page.num_values());
  if (page.header.type == PageType::DATA_PAGE_V2) {
    const DataPageHeaderV2& data = page.header.data_page_header_v2;
    const auto repetition = static_cast<std::size_t>(data.repetition_levels_byte_length);
    const auto definition = static_cast<std::size_t>(data.definition_levels_byte_length);
    // page/v2-level-lengths
    if (repetition + definition > image.size())
      return fail(Rule::page_v2_level_lengths, image, repetition + definition, image.size());
    parts.repetition.bytes = image.part(0, repetition);
    parts.definition.bytes = image.part(repetition, definition);
    parts.values = image.from(repetition + definition);
    parts.encoding = data.encoding;
    return parts;
  }
  const DataPageHeader& data = page.header.data_page_header;
  parts.values = image;
  parts.encoding = data.encoding;
  const Result<LevelSection> repetition =
      cut_levels(parts.values, leaf.max_repetition, data.repetition_level_encoding, parts.count);
  if (!repetition) return std::unexpected(repetition.error());
  const Result<LevelSection> definition =
      cut_levels(parts.values, leaf.max_definition, data.definition_level_encoding, parts.count);
  if (!definition) return std::unexpected(definition.error());
  parts.repetition = *repetition;
  parts.definition = *definition;
  return parts;
}

}  // namespace parqproof
