#include "conformance/check/page_header.hpp"

#include <optional>
#include <string>
#include <string_view>

#include "codec/encoding/table.hpp"
#include "conformance/check/index_pages.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kLongHeader = 65'536;

/// The physical types that an encoding is for.
std::string types_of(const EncodingInfo& row) {
  std::string types;
  for (const thrift::EnumValue& type : kTypeEnum.values) {
    if (!row.codec(static_cast<Type>(type.value)).exists()) continue;
    if (!types.empty()) types += ", ";
    types += type.name;
  }
  return types.empty() ? "levels" : types;
}

bool known(Encoding encoding) { return !kEncodingEnum.name_of(static_cast<int>(encoding)).empty(); }

class HeaderRules {
 public:
  HeaderRules(const HeaderScene& scene, const Page& page)
      : scene_(scene), page_(page), header_(page.header) {}

  HeaderJudgement run() {
    if (page_.header_bytes.size() > kLongHeader) {
      scene_.judge.at(Rule::page_header_size, scene_.place, page_.offset, page_.header_bytes.size(),
                      seen(page_.header_bytes.size(), kLongHeader));
    }
    sizes();
    if (!header_.has(PageHeader::id_type)) {
      damage();
      return out_;
    }
    const int type = static_cast<int>(header_.type);
    if (kPageTypeEnum.name_of(type).empty()) {
      fault(Rule::page_unknown_type, "type", seen(type, "0 to 3"));
      pass("a page of unknown type");
      return out_;
    }
    members();
    if (!page_.has_member()) {
      damage();
      return out_;
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
        index_page();
        break;
    }
    return out_;
  }

 private:
  void fault(Rule rule, std::string_view path, Seen what) const {
    scene_.judge.field(rule, scene_.place, page_.header_bytes, PageHeader::kType, path, std::move(what));
  }
  void damage() {
    out_.body = out_.sums = false;
    out_.damaged = true;
  }
  void pass(std::string why) {
    out_.body = false;
    if (out_.why_not.empty()) out_.why_not = std::move(why);
  }

  void sizes() {
    if (!header_.has(PageHeader::id_uncompressed_page_size)) {
      damage();
    } else if (header_.uncompressed_page_size < 0) {
      fault(Rule::page_size_negative, "uncompressed_page_size",
            seen(header_.uncompressed_page_size, "0 or more"));
      damage();
    } else if (scene_.meta.codec == CompressionCodec::UNCOMPRESSED || !v2_compressed()) {
      if (header_.uncompressed_page_size == header_.compressed_page_size) return;
      fault(Rule::page_uncompressed_equals_compressed, "uncompressed_page_size",
            seen(header_.uncompressed_page_size, header_.compressed_page_size));
      out_.sums = false;
    }
  }
  [[nodiscard]] bool v2_compressed() const {
    return header_.type != PageType::DATA_PAGE_V2 || !header_.has(PageHeader::id_data_page_header_v2) ||
           header_.data_page_header_v2.is_compressed;
  }

  void members() const {
    struct Member {
      PageHeader::Id id;
      PageType type;
      std::string_view name;
    };
    static constexpr Member kMembers[] = {
        {PageHeader::id_data_page_header, PageType::DATA_PAGE, "data_page_header"},
        {PageHeader::id_index_page_header, PageType::INDEX_PAGE, "index_page_header"},
        {PageHeader::id_dictionary_page_header, PageType::DICTIONARY_PAGE, "dictionary_page_header"},
        {PageHeader::id_data_page_header_v2, PageType::DATA_PAGE_V2, "data_page_header_v2"},
    };
    for (const Member& member : kMembers) {
      const bool there = header_.fields.mentions(member.id);
      if (member.type == header_.type && !there) {
        fault(Rule::page_header_member, member.name, seen("absent", member.name));
      } else if (member.type != header_.type && there) {
        fault(Rule::page_extra_header_member, member.name,
              seen(member.name, kPageTypeEnum.name_of(static_cast<int>(header_.type))));
      }
    }
  }

  /// Whether num_values is there and no negative number.
  bool counted(const thrift::Presences& fields, int id, std::int32_t count, const std::string& path) {
    if (!fields.has(id)) {
      damage();
      return false;
    }
    if (count >= 0) return true;
    fault(Rule::page_num_values_negative, path + ".num_values", seen(count, "0 or more"));
    damage();
    return false;
  }

  void empty(std::int32_t count, const std::string& path) const {
    if (count == 0 && scene_.meta.num_values > 0) {
      fault(Rule::page_empty, path + ".num_values", seen(0, "1 or more"));
    }
  }

  void value_encoding(bool present, Encoding encoding, const std::string& path) {
    if (!present) {
      damage();
      return;
    }
    const std::string field = path + ".encoding";
    const bool dictionary = encoding == Encoding::PLAIN_DICTIONARY || encoding == Encoding::RLE_DICTIONARY;
    if (encoding == Encoding::PLAIN_DICTIONARY) {
      fault(Rule::dictionary_plain_dictionary_deprecated, field, seen("PLAIN_DICTIONARY", "RLE_DICTIONARY"));
    }
    if (dictionary && scene_.dictionary &&
        (*scene_.dictionary == Encoding::PLAIN_DICTIONARY) != (encoding == Encoding::PLAIN_DICTIONARY)) {
      fault(Rule::dictionary_label_pairing, field, seen(name_of(encoding), name_of(*scene_.dictionary)));
    }
    if (dictionary && scene_.leaf.type == Type::BOOLEAN) {
      fault(Rule::dictionary_boolean, field, seen(name_of(encoding), "PLAIN or RLE"));
    }
    const EncodingInfo* const row = find_encoding(encoding);
    if (row == nullptr) {
      fault(Rule::page_unknown_encoding, field, seen(name_of(encoding), "an encoding that is supported"));
      pass("encoding " + name_of(encoding) + " is not supported");
      return;
    }
    types(*row, field);
  }

  /// What an encoding says of the type of its values.
  void types(const EncodingInfo& row, const std::string& field) {
    const Type type = scene_.leaf.type;
    const std::string_view name = kTypeEnum.name_of(static_cast<int>(type));
    if (row.encoding == Encoding::GROUP_VAR_INT)
      fault(Rule::group_var_int_retired, field, seen(row.name(), ""));
    // Where the column metadata names another type, one of the two is enough.
    const bool suits = row.codec(type).exists() ||
                       (scene_.meta.has(ColumnMetaData::id_type) && row.codec(scene_.meta.type).exists());
    if (row.type_rule && !suits) {
      fault(*row.type_rule, field, seen(name, types_of(row)));
      out_.body = false;
      out_.damaged = true;
    } else if (row.encoding == Encoding::ALP) {
      fault(Rule::alp_preview, field, seen(row.name(), "an encoding that is not in preview"));
    } else if (row.encoding == Encoding::PLAIN && type == Type::BYTE_ARRAY) {
      fault(Rule::delta_length_byte_array_preferred, field, seen("PLAIN", "DELTA_LENGTH_BYTE_ARRAY"));
    } else if (row.encoding == Encoding::BYTE_STREAM_SPLIT && type != Type::FLOAT && type != Type::DOUBLE) {
      fault(Rule::byte_stream_split_extended_types, field, seen(name, "FLOAT and DOUBLE"));
    }
  }

  void level_encoding(bool present, Encoding encoding, std::uint32_t max_level, const std::string& field) {
    if (!present) {
      damage();
      return;
    }
    const bool hybrid = encoding == Encoding::RLE;
    if (max_level == 0) {
      if (!hybrid && encoding != Encoding::BIT_PACKED) {
        fault(Rule::page_absent_level_encoding, field, seen(name_of(encoding), "RLE or BIT_PACKED"));
      }
    } else if (encoding == Encoding::BIT_PACKED) {
      fault(Rule::bit_packed_deprecated, field, seen("BIT_PACKED", "RLE"));
    } else if (!known(encoding)) {
      fault(Rule::page_unknown_level_encoding, field, seen(name_of(encoding), "RLE"));
      pass("levels in encoding " + name_of(encoding) + " are not supported");
    } else if (!hybrid) {
      fault(Rule::page_level_encoding, field, seen(name_of(encoding), "RLE or BIT_PACKED"));
      out_.body = false;
      out_.damaged = true;
    }
  }

  /// footer/column-orders-present, in a file whose footer states no bound.
  void bounds_without_order(bool stated, const Statistics& claims, const std::string& path) {
    if (!stated || !scene_.context.facts.bounds_lack_orders) return;
    const bool max = claims.has(Statistics::id_max_value);
    if (!max && !claims.has(Statistics::id_min_value)) return;
    const std::string field = max ? "max_value" : "min_value";
    fault(Rule::footer_column_orders_present, path + ".statistics." + field,
          seen(field, "no bound without column_orders"));
  }

  void data_page() {
    using Id = DataPageHeader::Id;
    const DataPageHeader& data = header_.data_page_header;
    static const std::string kPath = "data_page_header";
    if (counted(data.fields, Id::id_num_values, data.num_values, kPath)) empty(data.num_values, kPath);
    value_encoding(data.has(Id::id_encoding), data.encoding, kPath);
    level_encoding(data.has(Id::id_definition_level_encoding), data.definition_level_encoding,
                   scene_.levels.max_definition(), kPath + ".definition_level_encoding");
    level_encoding(data.has(Id::id_repetition_level_encoding), data.repetition_level_encoding,
                   scene_.levels.max_repetition(), kPath + ".repetition_level_encoding");
    bounds_without_order(data.has(Id::id_statistics), data.statistics, kPath);
  }

  void data_page_v2() {
    using Id = DataPageHeaderV2::Id;
    const DataPageHeaderV2& data = header_.data_page_header_v2;
    static const std::string kPath = "data_page_header_v2";
    const bool sound = counted(data.fields, Id::id_num_values, data.num_values, kPath);
    if (sound) empty(data.num_values, kPath);
    value_encoding(data.has(Id::id_encoding), data.encoding, kPath);
    if (sound && data.has(Id::id_num_nulls)) {
      const std::int32_t most = scene_.levels.max_definition() == 0 ? 0 : data.num_values;
      if (data.num_nulls < 0 || data.num_nulls > most) {
        fault(Rule::page_v2_num_nulls_range, kPath + ".num_nulls",
              seen(data.num_nulls, "0 to " + std::to_string(most)));
      }
    }
    if (sound && data.has(Id::id_num_rows)) {
      const bool flat = scene_.levels.max_repetition() == 0;
      if (data.num_rows < 0 || data.num_rows > data.num_values ||
          (flat && data.num_rows != data.num_values)) {
        fault(Rule::page_v2_num_rows_range, kPath + ".num_rows",
              seen(data.num_rows,
                   flat ? std::to_string(data.num_values) : "0 to " + std::to_string(data.num_values)));
      }
    }
    level_lengths(data, sound);
    bounds_without_order(data.has(Id::id_statistics), data.statistics, kPath);
  }

  void level_lengths(const DataPageHeaderV2& data, bool sound) {
    using Id = DataPageHeaderV2::Id;
    struct Levels {
      Id id;
      std::string_view field;
      std::int32_t length;
      std::uint32_t max;
    };
    const Levels both[] = {
        {Id::id_repetition_levels_byte_length, "data_page_header_v2.repetition_levels_byte_length",
         data.repetition_levels_byte_length, scene_.levels.max_repetition()},
        {Id::id_definition_levels_byte_length, "data_page_header_v2.definition_levels_byte_length",
         data.definition_levels_byte_length, scene_.levels.max_definition()},
    };
    std::int64_t room = std::min(header_.compressed_page_size, std::max(header_.uncompressed_page_size, 0));
    for (const Levels& levels : both) {
      if (!data.has(levels.id)) {
        damage();
        return;
      }
      if (levels.length < 0 || levels.length > room) {
        fault(Rule::page_v2_level_lengths, levels.field, seen(levels.length, "0 to " + std::to_string(room)));
        out_.body = false;
        out_.damaged = true;
        return;
      }
      room -= levels.length;
      if (levels.max == 0 && levels.length != 0) {
        fault(Rule::page_v2_absent_levels, levels.field, seen(levels.length, 0));
      } else if (levels.max != 0 && levels.length == 0 && sound && data.num_values > 0) {
        fault(Rule::page_v2_levels_present, levels.field, seen(0, "more than 0"));
        out_.body = false;
        out_.damaged = true;
      }
    }
    const std::int64_t level_bytes =
        std::int64_t{data.repetition_levels_byte_length} + data.definition_levels_byte_length;
    if (scene_.meta.codec != CompressionCodec::UNCOMPRESSED && data.is_compressed &&
        header_.compressed_page_size == level_bytes && header_.uncompressed_page_size == level_bytes) {
      scene_.judge.at(Rule::page_v2_zero_body, scene_.place, page_.offset, page_.header_bytes.size(),
                      seen("zero bytes, is_compressed", "is_compressed = false"),
                      "data_page_header_v2.is_compressed");
    }
  }

  /// A reader passes over index pages unless it goes by the edition of 2013.
  void index_page() {
    fault(Rule::index_page_unused, "type", seen("INDEX_PAGE", ""));
    out_.body = reads_index_pages(scene_.context, scene_.judge);
    if (header_.uncompressed_page_size > kIndexPageRollOver) {
      fault(Rule::index_page_size, "uncompressed_page_size",
            seen(header_.uncompressed_page_size, "at most " + std::to_string(kIndexPageRollOver)));
    }
  }

  void dictionary_page() {
    using Id = DictionaryPageHeader::Id;
    const DictionaryPageHeader& dictionary = header_.dictionary_page_header;
    static const std::string kPath = "dictionary_page_header";
    if (scene_.dictionary) {
      fault(Rule::dictionary_at_most_one, "type", seen("a second dictionary page", "one"));
      pass("a second dictionary page");
    } else if (scene_.pages_before != 0) {
      fault(Rule::dictionary_page_first, "type",
            seen("page " + std::to_string(scene_.pages_before), "page 0"));
    }
    counted(dictionary.fields, Id::id_num_values, dictionary.num_values, kPath);
    if (!dictionary.has(Id::id_encoding)) {
      damage();
      return;
    }
    const std::string field = kPath + ".encoding";
    if (dictionary.encoding == Encoding::PLAIN_DICTIONARY) {
      fault(Rule::dictionary_plain_dictionary_deprecated, field, seen("PLAIN_DICTIONARY", "PLAIN"));
    } else if (!known(dictionary.encoding)) {
      fault(Rule::page_unknown_encoding, field, seen(name_of(dictionary.encoding), "PLAIN"));
      pass("the dictionary's encoding is unknown");
    } else if (dictionary.encoding != Encoding::PLAIN) {
      fault(Rule::dictionary_page_encoding, field, seen(name_of(dictionary.encoding), "PLAIN"));
    }
  }

  const HeaderScene& scene_;
  const Page& page_;
  const PageHeader& header_;
  HeaderJudgement out_;
};

}  // namespace

HeaderJudgement judge_page_header(const HeaderScene& scene, const Page& page) {
  return HeaderRules(scene, page).run();
}

}  // namespace parqproof
