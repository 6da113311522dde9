#include <optional>
#include <string_view>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/encoding/table.hpp"
#include "conformance/diagnosis/page_repair.hpp"

namespace parqproof {

/// dictionary/indices-plain
std::optional<PageFields::Cure> PageFields::plain_indices(const Page& page) {
  if (!page.is_data() || !is_dictionary_encoding(page.encoding()) || known_.dictionary_size == UINT64_MAX)
    return std::nullopt;
  Notes notes;
  if (!open(page, chunk_.meta().codec, notes)) return std::nullopt;
  const std::optional<Entries> entries = read_levels(page, notes);
  if (!entries || breaks_rules(notes)) return std::nullopt;
  const View section = entries->parts.values;
  const std::uint64_t stored = entries->sums.stored;
  constexpr std::size_t kIndexBytes = 4;
  if (stored == 0 || section.size() / kIndexBytes != stored || section.size() % kIndexBytes != 0)
    return std::nullopt;
  for (std::size_t at = 0; at < section.size(); at += kIndexBytes) {
    if (load_le<std::uint32_t>(section.data() + at) >= known_.dictionary_size) return std::nullopt;
  }
  return Cure{PageFault::in_bytes({section.base, static_cast<std::int64_t>(stored), 0,
                                   static_cast<std::uint32_t>(section.size()), Rule::dictionary_indices_plain,
                                   section.space}),
              page};
}

/// page/encoding
std::optional<PageFields::Cure> PageFields::encoding(const Page& page) {
  if (!page.is_data()) return std::nullopt;
  Page other = page;
  std::optional<Cure> cure;
  const auto attempt = [&](Encoding& field, Encoding candidate, std::string_view path) {
    const Encoding stated = std::exchange(field, candidate);
    const bool fits = stated != candidate && is_intact(other);
    if (fits && !cure) {
      cure = Cure{
          PageFault::in_header(Rule::page_encoding, path,
                               contrast(symbol(kEncodingEnum, stated), symbol(kEncodingEnum, candidate))),
          other};
    }
    field = stated;
    return fits;
  };
  DataPageHeader& v1 = other.header.data_page_header;
  DataPageHeaderV2& v2 = other.header.data_page_header_v2;
  constexpr std::string_view kDefinition = "data_page_header.definition_level_encoding";
  for (const Encoding candidate : {Encoding::RLE, Encoding::BIT_PACKED}) {
    if (page.is_v2()) break;
    attempt(v1.definition_level_encoding, candidate, kDefinition);
    attempt(v1.repetition_level_encoding, candidate, "data_page_header.repetition_level_encoding");
    const Encoding stated = std::exchange(v1.repetition_level_encoding, candidate);  // both are wrong
    if (stated != candidate) attempt(v1.definition_level_encoding, candidate, kDefinition);
    v1.repetition_level_encoding = stated;
  }
  Encoding& stated = page.is_v2() ? v2.encoding : v1.encoding;
  const std::string_view path = page.is_v2() ? "data_page_header_v2.encoding" : "data_page_header.encoding";
  if (chunk_.meta().has(ColumnMetaData::id_encodings)) {
    thrift::for_each_integer(chunk_.meta().encodings, [&](std::int64_t number, std::uint32_t) {
      const auto candidate = static_cast<Encoding>(number);
      if (!cure && find_encoding(candidate) != nullptr) attempt(stated, candidate, path);
    });
  }
  if (cure) return cure;
  // The chunk does not list the encoding: only one may be able to read the values.
  constexpr std::size_t kEnoughBytes = 16;  // fewer may fit by chance
  unsigned fitting = 0;
  for (const Encoding candidate :
       {Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY, Encoding::DELTA_BINARY_PACKED,
        Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY, Encoding::BYTE_STREAM_SPLIT}) {
    const bool by_index = is_dictionary_encoding(candidate);
    if (!can_decode(candidate, chunk_.leaf.type) ||
        (by_index && (is_dictionary_encoding(stated) || known_.dictionary_size == UINT64_MAX))) {
      continue;
    }
    if (attempt(stated, candidate, path) && value_bytes_ >= kEnoughBytes) ++fitting;
  }
  return fitting == 1 ? cure : std::nullopt;
}

}  // namespace parqproof
