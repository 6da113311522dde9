#include "codec/page/page_content.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/page/checksum.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kLengthBytes = 4;

/// Returns the bytes of the levels before the values of a v2 page, which are never compressed.
std::size_t level_bytes(const Page& page) {
  return page.is_v2() ? static_cast<std::size_t>(page.level_bytes()) : 0;
}

/// Returns true if levels begin with a number that is the length of the rest.
bool has_length_prefix(View levels) noexcept {
  return levels.size() >= kLengthBytes &&
         load_le<std::uint32_t>(levels.data()) == levels.size() - kLengthBytes;
}

/// Removes such a length prefix from the front of the levels.
bool skip_length_prefix(View& levels) {
  if (!has_length_prefix(levels)) return false;
  levels = levels.from(kLengthBytes);
  return true;
}

/// Returns true if the levels can be read completely and have no fault.
bool are_clean(LevelReader levels, const DataPageParts& parts) {
  Notes notes;
  return levels.read(parts.repetition, parts.definition, parts.count, notes) && notes.all().empty() &&
         (levels.max_repetition() == 0 || levels.repetition_rest().empty()) &&
         (levels.max_definition() == 0 || levels.definition_rest().empty());
}

}  // namespace

bool says_compressed(const Page& page, CompressionCodec codec) noexcept {
  if (codec == CompressionCodec::UNCOMPRESSED) return false;
  // The format does not define whether index pages are compressed.
  if (page.is_index()) return page.header.uncompressed_page_size != page.content_size();
  return !page.is_v2() || page.header.data_page_header_v2.is_compressed;
}

bool PageContent::read(PageReader& reader, const Page& page) {
  checksum_ = Checksum::not_compared;
  mislabelled_ = levels_open_ = false;
  body_ = stored_ = image_ = reader.read_body(page);
  return stored_.size() == page.stored_size();
}

PageContent::State PageContent::open_stored(PageReader& reader, const Page& page) {
  if (!read(reader, page)) return State::unreadable;
  compare_checksum(page, false);
  return State::open;
}

PageContent::State PageContent::open(PageReader& reader, const Page& page, CompressionCodec codec,
                                     bool with_checksum, Buffer& room, Notes& notes) {
  if (!read(reader, page)) return State::unreadable;
  if (page.module) {
    auto opened = reader.open_body(page, body_, level_bytes(page));
    if (!opened) {
      if (with_checksum) compare_checksum(page, false);
      return close(std::move(opened.error()));
    }
    stored_ = image_ = opened->bytes;
    levels_open_ = opened->levels_open;
    if (level_bytes(page) > stored_.size()) return close_level_lengths(page);
  }
  const State state = expand(page, codec, room, notes);
  if (with_checksum) compare_checksum(page, state == State::open);
  return state;
}

PageContent::State PageContent::close(PageFault fault) {
  fault_ = std::move(fault);
  return State::closed;
}

/// page/v2-level-lengths
PageContent::State PageContent::close_level_lengths(const Page& page) {
  return close(PageFault::in_header(
      Rule::page_v2_level_lengths, "data_page_header_v2.definition_levels_byte_length",
      contrast(page.header.data_page_header_v2.definition_levels_byte_length, at_most(stored_.size()))));
}

/// Returns true if the bytes after the levels are compressed: according to the header or, in a mislabelled
/// page, because they expand to exactly the claimed size.
bool PageContent::is_compressed_body(const Page& page, CompressionCodec codec, std::size_t levels,
                                     Buffer& room) {
  if (says_compressed(page, codec)) return true;
  mislabelled_ = page.is_v2() && codec != CompressionCodec::UNCOMPRESSED &&
                 page.header.uncompressed_page_size != page.content_size();
  if (!mislabelled_) return false;
  const auto claimed = static_cast<std::size_t>(page.header.uncompressed_page_size);
  if (claimed < levels || stored_.size() < levels) return false;
  Notes ignored;
  const Result<std::size_t> expanded =
      decompressor_->expand(codec, stored_.from(levels), claimed - levels, room, levels, *limits_, ignored);
  return expanded && *expanded == claimed - levels;
}

PageContent::State PageContent::expand(const Page& page, CompressionCodec codec, Buffer& room, Notes& notes) {
  const std::size_t levels = level_bytes(page);
  if (!is_compressed_body(page, codec, levels, room)) return State::open;
  const std::string_view size_field = "uncompressed_page_size";
  const auto claimed = static_cast<std::size_t>(page.header.uncompressed_page_size);
  if (!room.resize(levels)) {
    // limit/memory
    return close(PageFault::in_header(Rule::limit_memory, size_field, contrast(claimed, "less")));
  }
  if (levels != 0) std::memcpy(room.data(), stored_.data(), levels);
  // page/compressed-size: no codec compresses a nonempty input to nothing
  if (stored_.empty() && claimed > levels)
    return close(
        PageFault::in_header(Rule::page_compressed_size, "compressed_page_size", contrast(0, or_more(1))));
  std::size_t produced = 0;
  if (const View section = stored_.from(levels); !section.empty()) {
    const Result<std::size_t> expanded = decompressor_->expand(
        codec, section, claimed - std::min(claimed, levels), room, levels, *limits_, notes);
    // page/uncompressed-size
    if (!expanded && expanded.error().rule == Rule::page_uncompressed_size) {
      return close(PageFault::in_header(Rule::page_uncompressed_size, size_field,
                                        contrast(claimed, more_than(claimed))));
    }
    if (!expanded) return close(PageFault::in_bytes(expanded.error()));
    produced = *expanded;
  }
  // page/uncompressed-size
  if (levels + produced != claimed) {
    return close(
        PageFault::in_header(Rule::page_uncompressed_size, size_field, contrast(claimed, levels + produced)));
  }
  image_ = {{room.data(), claimed}, 0, Space::page};
  return State::open;
}

void PageContent::compare_checksum(const Page& page, bool expanded) {
  if (!page.header.has(PageHeader::id_crc)) return;
  const auto stated = static_cast<std::uint32_t>(page.header.crc);
  computed_ = crc32(body_.bytes);
  checksum_ = stated == computed_                         ? Checksum::right
              : stated == crc32c(body_.bytes)             ? Checksum::castagnoli
              : expanded && stated == crc32(image_.bytes) ? Checksum::of_image
                                                          : Checksum::wrong;
}

std::optional<PageFault> PageContent::checksum_fault(const Page& page) const {
  if (checksum_ == Checksum::not_compared || checksum_ == Checksum::right) return std::nullopt;
  std::string why;
  if (checksum_ == Checksum::castagnoli) why = ", and its CRC-32C is what the header says";
  if (checksum_ == Checksum::of_image)
    why = ", and the CRC-32 of its uncompressed bytes is what the header says";
  return PageFault::in_header(
      Rule::crc_match, "crc",
      contrast(hex_word(static_cast<std::uint32_t>(page.header.crc)), hex_word(computed_), std::move(why)));
}

Result<LevelSection> cut_v1_levels(View& rest, std::uint32_t max, Encoding encoding, std::uint64_t count) {
  if (max == 0) return LevelSection{};
  if (encoding == Encoding::BIT_PACKED) {
    const Result<View> packed = cut_bit_packed(rest, bit_width_for(max), count);
    if (!packed) return std::unexpected(packed.error());
    rest = rest.from(packed->size());
    return LevelSection{*packed, Encoding::BIT_PACKED};
  }
  const bool cut = rest.size() < kLengthBytes;
  const std::size_t room = cut ? kLengthBytes : rest.size() - kLengthBytes;
  const std::size_t length = cut ? rest.size() : load_le<std::uint32_t>(rest.data());
  // levels/length-prefix
  if (cut || length > room) {
    return std::unexpected(Error{rest.base, static_cast<std::int64_t>(length),
                                 static_cast<std::int64_t>(room),
                                 static_cast<std::uint32_t>(std::min(rest.size(), kLengthBytes)),
                                 Rule::levels_length_prefix, rest.space});
  }
  const LevelSection levels{rest.part(kLengthBytes, length), Encoding::RLE};
  rest = rest.from(kLengthBytes + length);
  return levels;
}

Result<DataPageParts> split_data_page(const Page& page, View image, const Node& leaf) {
  DataPageParts parts;
  parts.count = static_cast<std::uint64_t>(page.num_values());
  parts.encoding = page.encoding();
  if (page.is_v2()) {
    const DataPageHeaderV2& data = page.header.data_page_header_v2;
    const auto repetition = static_cast<std::size_t>(data.repetition_levels_byte_length);
    const std::size_t both = level_bytes(page);
    // page/v2-level-lengths
    if (both > image.size()) {
      return std::unexpected(Error{image.base, static_cast<std::int64_t>(both),
                                   static_cast<std::int64_t>(image.size()), 0, Rule::page_v2_level_lengths,
                                   image.space});
    }
    parts.repetition.bytes = image.part(0, repetition);
    parts.definition.bytes = image.part(repetition, both - repetition);
    parts.values = image.from(both);
    return parts;
  }
  const DataPageHeader& data = page.header.data_page_header;
  parts.values = image;
  const Result<LevelSection> repetition =
      cut_v1_levels(parts.values, leaf.max_repetition, data.repetition_level_encoding, parts.count);
  if (!repetition) return std::unexpected(repetition.error());
  const Result<LevelSection> definition =
      cut_v1_levels(parts.values, leaf.max_definition, data.definition_level_encoding, parts.count);
  if (!definition) return std::unexpected(definition.error());
  parts.repetition = *repetition;
  parts.definition = *definition;
  return parts;
}

bool may_have_length_prefixes(const Page& page, const DataPageParts& parts) noexcept {
  return page.is_v2() &&
         (has_length_prefix(parts.repetition.bytes) || has_length_prefix(parts.definition.bytes));
}

bool skip_length_prefixes(const Page& page, const LevelReader& before, DataPageParts& parts) {
  if (!page.is_v2()) return false;
  DataPageParts after_prefix = parts;
  const bool repetition = skip_length_prefix(after_prefix.repetition.bytes);
  const bool definition = skip_length_prefix(after_prefix.definition.bytes);
  if ((!repetition && !definition) || are_clean(before, parts) || !are_clean(before, after_prefix))
    return false;
  parts = after_prefix;
  return true;
}

}  // namespace parqproof
