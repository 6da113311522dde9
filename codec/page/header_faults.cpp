#include "codec/page/header_faults.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "codec/encoding/table.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {
namespace {

using Means = HeaderFault::Means;

class HeaderReading {
 public:
  HeaderReading(const Page& page, const Node& leaf) : page_(page), header_(page.header), leaf_(leaf) {}

  std::vector<HeaderFault> run() {
    uncompressed_size();
    if (!required(header_.has(PageHeader::id_type), "type")) return std::move(faults_);
    // page/type
    if (const std::optional<PageType> type = type_by_member(page_)) {
      add(Means::no_numbers, Rule::page_type, "type",
          contrast(symbol(kPageTypeEnum, header_.type), symbol(kPageTypeEnum, *type)));
      return std::move(faults_);
    }
    if (page_.has_unknown_type()) {
      // page/unknown-type
      add(Means::unsupported, Rule::page_unknown_type, "type",
          contrast(static_cast<int>(header_.type), between(0, 3)));
      return std::move(faults_);
    }
    if (!page_.has_member()) {
      // page/header-member
      const std::string_view name = member_name(header_.type);
      if (!header_.fields.mentions(member_id(header_.type))) {
        add(Means::no_numbers, Rule::page_header_member, name, contrast(kAbsent, name));
      } else {
        required(false, name);
      }
      return std::move(faults_);
    }
    switch (header_.type) {
      case PageType::DATA_PAGE:
        data_page();
        break;
      case PageType::DATA_PAGE_V2:
        data_page_v2();
        break;
      case PageType::DICTIONARY_PAGE:
        dictionary_page();
        break;
      case PageType::INDEX_PAGE:
        break;
    }
    return std::move(faults_);
  }

 private:
  static std::string_view member_name(PageType type) {
    switch (type) {
      case PageType::DATA_PAGE:
        return "data_page_header";
      case PageType::INDEX_PAGE:
        return "index_page_header";
      case PageType::DICTIONARY_PAGE:
        return "dictionary_page_header";
      case PageType::DATA_PAGE_V2:
        return "data_page_header_v2";
    }
    return {};
  }
  static PageHeader::Id member_id(PageType type) {
    switch (type) {
      case PageType::DATA_PAGE:
        return PageHeader::id_data_page_header;
      case PageType::INDEX_PAGE:
        return PageHeader::id_index_page_header;
      case PageType::DICTIONARY_PAGE:
        return PageHeader::id_dictionary_page_header;
      case PageType::DATA_PAGE_V2:
        break;
    }
    return PageHeader::id_data_page_header_v2;
  }

  void add(Means means, Rule rule, std::string_view field, Contrast what) {
    faults_.push_back({PageFault::in_header(rule, field, std::move(what)), means});
  }
  /// Checks a field without which nothing can be read.
  bool required(bool present, std::string_view field) {
    if (!present) add(Means::no_numbers, Rule::thrift_required_field, field, contrast(kAbsent, field));
    return present;
  }

  /// page/size-negative
  void uncompressed_size() {
    const std::string_view field = "uncompressed_page_size";
    if (!required(header_.has(PageHeader::id_uncompressed_page_size), field)) return;
    if (header_.uncompressed_page_size < 0) {
      add(Means::no_numbers, Rule::page_size_negative, field,
          contrast(header_.uncompressed_page_size, or_more(0)));
    }
  }

  /// page/num-values-negative or dictionary/num-values-negative
  void count(bool present, std::int32_t num_values, std::string_view field,
             Rule rule = Rule::page_num_values_negative) {
    if (!required(present, field) || num_values >= 0) return;
    add(Means::no_numbers, rule, field, contrast(num_values, or_more(0)));
  }

  /// page/unknown-encoding, and the rule for the types of the encoding.
  void value_encoding(bool present, Encoding encoding, std::string_view field) {
    if (!required(present, field)) return;
    const EncodingInfo* const row = find_encoding(encoding);
    if (row == nullptr) {
      add(Means::unsupported, Rule::page_unknown_encoding, field,
          contrast(symbol(kEncodingEnum, encoding), "an encoding that is supported"));
    } else if (row->type_rule && !row->codec(leaf_.type).exists()) {
      add(Means::no_body, *row->type_rule, field,
          contrast(symbol(kTypeEnum, leaf_.type), types_of(encoding)));
    }
  }

  /// page/unknown-level-encoding, page/level-encoding
  void level_encoding(bool present, Encoding encoding, std::uint32_t max_level, std::string_view field) {
    if (!required(present, field)) return;
    if (max_level == 0 || encoding == Encoding::RLE || encoding == Encoding::BIT_PACKED) return;
    if (kEncodingEnum.name_of(static_cast<int>(encoding)).empty()) {
      add(Means::unsupported, Rule::page_unknown_level_encoding, field,
          contrast(symbol(kEncodingEnum, encoding), "RLE"));
    } else {
      add(Means::no_body, Rule::page_level_encoding, field,
          contrast(symbol(kEncodingEnum, encoding), "RLE or BIT_PACKED"));
    }
  }

  void data_page() {
    using Id = DataPageHeader::Id;
    const DataPageHeader& data = header_.data_page_header;
    count(data.has(Id::id_num_values), data.num_values, "data_page_header.num_values");
    value_encoding(data.has(Id::id_encoding), data.encoding, "data_page_header.encoding");
    level_encoding(data.has(Id::id_definition_level_encoding), data.definition_level_encoding,
                   leaf_.max_definition, "data_page_header.definition_level_encoding");
    level_encoding(data.has(Id::id_repetition_level_encoding), data.repetition_level_encoding,
                   leaf_.max_repetition, "data_page_header.repetition_level_encoding");
  }

  void data_page_v2() {
    using Id = DataPageHeaderV2::Id;
    const DataPageHeaderV2& data = header_.data_page_header_v2;
    count(data.has(Id::id_num_values), data.num_values, "data_page_header_v2.num_values");
    value_encoding(data.has(Id::id_encoding), data.encoding, "data_page_header_v2.encoding");
    level_lengths(data);
  }

  /// page/v2-level-lengths, page/v2-levels-present
  void level_lengths(const DataPageHeaderV2& data) {
    using Id = DataPageHeaderV2::Id;
    struct Levels {
      Id id;
      std::string_view field;
      std::int32_t length;
      std::uint32_t max;
    };
    const Levels both[] = {
        {Id::id_repetition_levels_byte_length, "data_page_header_v2.repetition_levels_byte_length",
         data.repetition_levels_byte_length, leaf_.max_repetition},
        {Id::id_definition_levels_byte_length, "data_page_header_v2.definition_levels_byte_length",
         data.definition_levels_byte_length, leaf_.max_definition},
    };
    std::int64_t room = page_.content_size();
    if (room < 0) return;  // encryption/module-length
    if (header_.uncompressed_page_size >= 0)
      room = std::min<std::int64_t>(room, header_.uncompressed_page_size);
    for (const Levels& levels : both) {
      if (!required(data.has(levels.id), levels.field)) return;
      if (levels.length < 0 || levels.length > room) {
        add(Means::no_body, Rule::page_v2_level_lengths, levels.field,
            contrast(levels.length, between(0, room)));
        return;
      }
      room -= levels.length;
      if (levels.max != 0 && levels.length == 0 && data.has(Id::id_num_values) && data.num_values > 0) {
        add(Means::no_body, Rule::page_v2_levels_present, levels.field, contrast(0, more_than(0)));
      }
    }
  }

  /// page/unknown-encoding; entries in another encoding than PLAIN are read as PLAIN nevertheless.
  void dictionary_page() {
    using Id = DictionaryPageHeader::Id;
    const DictionaryPageHeader& dictionary = header_.dictionary_page_header;
    const std::string_view field = "dictionary_page_header.encoding";
    count(dictionary.has(Id::id_num_values), dictionary.num_values, "dictionary_page_header.num_values",
          Rule::dictionary_num_values_negative);
    if (!required(dictionary.has(Id::id_encoding), field)) return;
    if (kEncodingEnum.name_of(static_cast<int>(dictionary.encoding)).empty()) {
      add(Means::unsupported, Rule::page_unknown_encoding, field,
          contrast(symbol(kEncodingEnum, dictionary.encoding), "PLAIN"));
    }
  }

  const Page& page_;
  const PageHeader& header_;
  const Node& leaf_;
  std::vector<HeaderFault> faults_;
};

}  // namespace

std::optional<PageType> type_by_member(const Page& page) noexcept {
  struct Member {
    PageHeader::Id id;
    PageType type;
  };
  static constexpr Member kMembers[] = {
      {PageHeader::id_data_page_header, PageType::DATA_PAGE},
      {PageHeader::id_index_page_header, PageType::INDEX_PAGE},
      {PageHeader::id_dictionary_page_header, PageType::DICTIONARY_PAGE},
      {PageHeader::id_data_page_header_v2, PageType::DATA_PAGE_V2},
  };
  if (!page.sound || !page.header.has(PageHeader::id_type)) return std::nullopt;
  std::optional<PageType> found;
  for (const Member& member : kMembers) {
    if (!page.header.fields.mentions(member.id)) continue;
    if (found || member.type == page.header.type || !page.header.has(member.id)) return std::nullopt;
    found = member.type;
  }
  if (found == PageType::INDEX_PAGE)
    return std::nullopt;  // its member has no fields, so any struct could be read as one
  return found;
}

std::vector<HeaderFault> header_faults(const Page& page, const Node& leaf) {
  return HeaderReading(page, leaf).run();
}

std::optional<PageFault> ceiling_fault(const Page& page, const Limits& limits, std::uint64_t held,
                                       std::uint64_t more) {
  const auto claimed = static_cast<std::uint64_t>(page.header.uncompressed_page_size);
  const auto fault = [](Rule rule, std::string_view field, std::uint64_t size, std::uint64_t ceiling) {
    return PageFault::in_header(rule, field, contrast(size, ceiling));
  };
  if (claimed > limits.page_bytes)
    return fault(Rule::limit_page_size, "uncompressed_page_size", claimed, limits.page_bytes);
  // Codecs expand incompressible bytes only slightly.
  if (page.stored_size() / 2 > std::max<std::uint64_t>(limits.page_bytes, 1024))
    return fault(Rule::limit_page_size, "compressed_page_size", page.stored_size(), limits.page_bytes);
  const std::uint64_t needed = held + claimed + page.stored_size() + more;
  if (needed > limits.memory_bytes)
    return fault(Rule::limit_memory, "uncompressed_page_size", needed, limits.memory_bytes);
  return std::nullopt;
}

std::string types_of(Encoding encoding) {
  const EncodingInfo* const row = find_encoding(encoding);
  std::string types;
  for (const thrift::EnumValue& type : kTypeEnum.values) {
    if (row == nullptr || !row->codec(static_cast<Type>(type.value)).exists()) continue;
    if (!types.empty()) types += ", ";
    types += type.name;
  }
  return types.empty() ? "levels" : types;
}

}  // namespace parqproof
