#include "conformance/chunk/page_header_tally.hpp"

#include "codec/page/header_faults.hpp"

namespace parqproof {
namespace {

bool is_known(Encoding encoding) { return !kEncodingEnum.name_of(static_cast<int>(encoding)).empty(); }

}  // namespace

void PageHeaderTally::add(const Page& page, const Node& leaf) {
  ++count;
  if (page.header.fields.mentions(PageHeader::id_crc)) {
    ++with_crc;
  } else if (!without_crc) {
    without_crc = {page.offset, page.header_bytes.size(), page.place};
  }
  if (page.has_unknown_type() || type_by_member(page)) {
    unknown_pages.insert(page.offset);
    ++unknown;
    return;
  }
  if (page.is_index()) index_pages.insert(page.offset);
  if (page.is_dictionary() && !dictionary)
    dictionary = {page.offset, page.header.dictionary_page_header.encoding, page.place,
                  thrift::locate(page.header_bytes, PageHeader::kType, "dictionary_page_header.encoding")};
  if (page.is_data() && !first_data) first_data = page.offset;
  if (!page.has_member()) return;
  if (page.is_dictionary()) {
    const Encoding label = page.header.dictionary_page_header.encoding;
    ++pages[{PageType::DICTIONARY_PAGE, label}];
    labels_known = labels_known && (label == Encoding::PLAIN || label == Encoding::PLAIN_DICTIONARY);
  }
  if (!page.is_data()) return;
  if (!data_type) data_type = page.header.type;
  ++pages[{page.header.type, page.encoding()}];
  if (!is_known(page.encoding())) ++unknown;
  if (page.is_v2()) return;
  // Other encodings of levels break a rule of their own.
  const auto levels = [this](std::uint32_t max, Encoding encoding) {
    if (max > 0 && (encoding == Encoding::RLE || encoding == Encoding::BIT_PACKED))
      level_encodings.insert(encoding);
  };
  levels(leaf.max_repetition, page.header.data_page_header.repetition_level_encoding);
  levels(leaf.max_definition, page.header.data_page_header.definition_level_encoding);
}

std::set<Encoding> PageHeaderTally::data_encodings() const {
  std::set<Encoding> found;
  for (const auto& [key, number] : pages) {
    if (key.first != PageType::DICTIONARY_PAGE && is_known(key.second)) found.insert(key.second);
  }
  return found;
}

std::set<Encoding> PageHeaderTally::other_encodings() const {
  std::set<Encoding> found = level_encodings;
  for (const auto& [key, number] : pages) {
    if (key.first == PageType::DICTIONARY_PAGE) found.insert(key.second);
  }
  return found;
}

}  // namespace parqproof
