#include "conformance/chunk/page_header.hpp"

#include <optional>
#include <string>
#include <string_view>

#include "codec/encoding/table.hpp"
#include "codec/page/header_faults.hpp"
#include "conformance/footer/proposals.hpp"
#include "conformance/indexes/index_page_2013/index_tree_rules.hpp"
#include "conformance/statistics/stated_statistics.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kLongHeader = 65'536;

bool known(Encoding encoding) { return !kEncodingEnum.name_of(static_cast<int>(encoding)).empty(); }

class HeaderRules {
 public:
  HeaderRules(const ChunkScope& chunk, std::optional<Encoding> dictionary, const Page& page)
      : chunk_(chunk), dictionary_(dictionary), page_(page), header_(page.header) {}

  HeaderJudgement run() {
    if (page_.header_bytes.size() > kLongHeader) {
      report_at(chunk_.site.findings, Rule::page_header_size, page_.place, page_.offset,
                page_.header_bytes.size(), contrast(page_.header_bytes.size(), kLongHeader));
    }
    if (header_.fields.misread) {
      out_.body = out_.sums = false;
      out_.damaged = true;
      return out_;
    }
    module();
    equal_sizes();
    for (const HeaderFault& fault : header_faults(page_, chunk_.leaf)) take(fault);
    if (!header_.has(PageHeader::id_type) || page_.has_unknown_type()) return out_;
    if (!page_.has_member()) return out_;
    extra_members();
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
  [[nodiscard]] FindingSite site() const { return FindingSite::of_page_header(chunk_.site.findings, page_); }
  void pass(std::string why) {
    out_.body = false;
    if (out_.why_not.empty()) out_.why_not = std::move(why);
  }

  /// Records why the body cannot be read.
  void take(const HeaderFault& fault) {
    const Rule rule = fault.fault.rule();
    // The entries are read as PLAIN; dictionary/page-encoding is reported.
    if (rule == Rule::page_unknown_encoding && page_.is_dictionary() &&
        chunk_.is_damaged(header_.dictionary_page_header.encoding)) {
      return;
    }
    // If the column metadata names another type that suits the encoding, that is the fault; but values of
    // the type in the schema cannot be read.
    const EncodingInfo* const row = page_.is_data() ? find_encoding(page_.encoding()) : nullptr;
    const bool about_type = row != nullptr && row->type_rule == rule;
    if (about_type && is_of_later_edition(row->encoding, chunk_.context.options.edition))
      return pass("a later edition has its encoding");
    if (about_type && chunk_.meta().has(ColumnMetaData::id_type) && row->codec(chunk_.meta().type).exists()) {
      out_.body = false;
      out_.damaged = true;
      return;
    }
    // The strict reader has reported a missing field.
    if (rule != Rule::thrift_required_field) report_page_fault(chunk_.site, page_.place, page_, fault.fault);
    switch (fault.means) {
      case HeaderFault::Means::no_numbers:
        out_.body = out_.sums = false;
        out_.damaged = true;
        break;
      case HeaderFault::Means::no_body:
        out_.body = false;
        out_.damaged = true;
        break;
      case HeaderFault::Means::unsupported:
        pass(why_unsupported(fault.fault));
        break;
    }
  }
  [[nodiscard]] std::string why_unsupported(const PageFault& fault) const {
    if (fault.rule() == Rule::page_unknown_type) return "a page of unknown type";
    const auto* const found = std::get_if<FindingValue::Symbol>(&fault.contrast.found.alternatives());
    const std::string encoding = name_of(static_cast<Encoding>(found == nullptr ? 0 : found->number));
    if (fault.rule() == Rule::page_unknown_level_encoding)
      return "levels in encoding " + encoding + " are not supported";
    if (page_.is_dictionary()) return "the dictionary's encoding is unknown";
    return "encoding " + encoding + " is not supported";
  }

  /// encryption/ordinal-limit, at the first page beyond it; and encryption/page-size
  void module() {
    constexpr std::int64_t kMost = std::int64_t{encryption::kMaxOrdinal} + 1;
    if (page_.is_data() && page_.module && page_.module->page == kMost)
      report_at(chunk_.site.findings, Rule::encryption_ordinal_limit, page_.place, page_.offset,
                page_.body - page_.offset,
                contrast("data pages is more than " + std::to_string(kMost), at_most(kMost)));
    if (!page_.wrong_size) return;
    site().report(Rule::encryption_page_size, "compressed_page_size",
                  contrast(*page_.wrong_size, header_.compressed_page_size));
  }

  /// page/uncompressed-equals-compressed
  void equal_sizes() {
    const bool v2_uncompressed = page_.is_v2() && header_.has(PageHeader::id_data_page_header_v2) &&
                                 !header_.data_page_header_v2.is_compressed;
    if (!header_.has(PageHeader::id_uncompressed_page_size) || header_.uncompressed_page_size < 0) return;
    if (chunk_.meta().codec != CompressionCodec::UNCOMPRESSED && !v2_uncompressed) return;
    // encryption/module-length
    if (header_.uncompressed_page_size == page_.content_size() || page_.has_other_length) return;
    site().report(Rule::page_uncompressed_equals_compressed, "uncompressed_page_size",
                  contrast(header_.uncompressed_page_size, page_.content_size()));
    out_.sums = false;
  }

  /// page/extra-header-member
  void extra_members() const {
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
      if (member.type != header_.type && header_.fields.mentions(member.id)) {
        site().report(Rule::page_extra_header_member, member.name,
                      contrast(member.name, symbol(kPageTypeEnum, header_.type)));
      }
    }
  }

  void empty(std::int32_t count, std::string_view field) const {
    if (count == 0 && chunk_.meta().num_values > 0)
      site().report(Rule::page_empty, field, contrast(0, or_more(1)));
  }

  void value_encoding(bool present, Encoding encoding, std::string_view field) const {
    if (!present) return;
    const bool dictionary = is_dictionary_encoding(encoding);
    if (encoding == Encoding::PLAIN_DICTIONARY) {
      site().report(Rule::dictionary_plain_dictionary_deprecated, field,
                    contrast("PLAIN_DICTIONARY", "RLE_DICTIONARY"));
    }
    if (dictionary && dictionary_ &&
        (*dictionary_ == Encoding::PLAIN_DICTIONARY) != (encoding == Encoding::PLAIN_DICTIONARY)) {
      site().report(Rule::dictionary_label_pairing, field,
                    contrast(symbol(kEncodingEnum, encoding), symbol(kEncodingEnum, *dictionary_)));
    }
    if (dictionary && chunk_.leaf.type == Type::BOOLEAN) {
      site().report(Rule::dictionary_boolean, field,
                    contrast(symbol(kEncodingEnum, encoding), "PLAIN or RLE"));
    }
    if (const EncodingInfo* const row = find_encoding(encoding)) choice_of_encoding(*row, field);
  }

  /// Reports an encoding if another one is preferable.
  void choice_of_encoding(const EncodingInfo& row, std::string_view field) const {
    const Type type = chunk_.leaf.type;
    const std::string_view name = kTypeEnum.name_of(static_cast<int>(type));
    if (row.encoding == Encoding::GROUP_VAR_INT)
      site().report(Rule::group_var_int_retired, field,
                    contrast(row.name(), "an encoding of the current edition"));
    if (row.type_rule && !row.codec(type).exists()) return;  // the rule of the encoding about its types
    if (row.encoding == Encoding::ALP) {
      site().report(Rule::alp_preview, field, contrast(row.name(), "an encoding that is not in preview"));
    } else if (row.encoding == Encoding::BYTE_STREAM_SPLIT && type != Type::FLOAT && type != Type::DOUBLE) {
      site().report(Rule::byte_stream_split_extended_types, field, contrast(name, "FLOAT and DOUBLE"));
    }
  }

  void level_encoding(bool present, Encoding encoding, std::uint32_t max_level,
                      std::string_view field) const {
    if (!present) return;
    if (max_level == 0 && encoding != Encoding::RLE && encoding != Encoding::BIT_PACKED) {
      site().report(Rule::page_absent_level_encoding, field,
                    contrast(symbol(kEncodingEnum, encoding), "RLE or BIT_PACKED"));
    } else if (max_level != 0 && encoding == Encoding::BIT_PACKED) {
      site().report(Rule::bit_packed_deprecated, field, contrast("BIT_PACKED", "RLE"));
    }
  }

  /// footer/column-orders-present, in a file whose footer has no bounds.
  void bounds_without_order(const Statistics& claims, std::string_view at) {
    if (!chunk_.context.footer.bounds_lack_orders) return;
    const bool max = claims.has(Statistics::id_max_value);
    if (!max && !claims.has(Statistics::id_min_value)) return;
    const std::string field = max ? "max_value" : "min_value";
    site().report(Rule::footer_column_orders_present, std::string(at) + "." + field,
                  contrast(field, "no bound without column_orders"));
  }

  /// statistics/*: judges Statistics without the values. `count`: entries, if the header states them.
  void statistics(bool stated, const Statistics& claims, std::string_view at, bool has_count,
                  std::int32_t count) {
    if (!stated) return;
    bounds_without_order(claims, at);
    const ParsedFooter& footer = chunk_.context.footer;
    const StatedOrder order{chunk_.column_order(),
                            footer.meta.fields.mentions(FileMetaData::id_column_orders)};
    const StatedEntries entries{count, has_count && count >= 0, count == 0};
    judge_statistics(site().within(at), chunk_.leaf, order, entries, claims, chunk_.claim.lacks_nan_count);
    if (chunk_.chunk.has(ColumnChunk::id_column_index_offset) && chunk_.chunk.column_index_offset != 0) {
      site().report(Rule::statistics_page_header_redundant, at, contrast("statistics", "a column index"));
    }
  }

  void data_page() {
    using Id = DataPageHeader::Id;
    const DataPageHeader& data = header_.data_page_header;
    if (data.has(Id::id_num_values)) empty(data.num_values, "data_page_header.num_values");
    value_encoding(data.has(Id::id_encoding), data.encoding, "data_page_header.encoding");
    level_encoding(data.has(Id::id_definition_level_encoding), data.definition_level_encoding,
                   chunk_.leaf.max_definition, "data_page_header.definition_level_encoding");
    level_encoding(data.has(Id::id_repetition_level_encoding), data.repetition_level_encoding,
                   chunk_.leaf.max_repetition, "data_page_header.repetition_level_encoding");
    statistics(data.has(Id::id_statistics), data.statistics, "data_page_header.statistics",
               data.has(Id::id_num_values), data.num_values);
  }

  void data_page_v2() {
    using Id = DataPageHeaderV2::Id;
    const DataPageHeaderV2& data = header_.data_page_header_v2;
    const bool sound = data.has(Id::id_num_values) && data.num_values >= 0;
    if (sound) empty(data.num_values, "data_page_header_v2.num_values");
    value_encoding(data.has(Id::id_encoding), data.encoding, "data_page_header_v2.encoding");
    if (sound && data.has(Id::id_num_nulls)) {
      const std::int32_t most = chunk_.leaf.max_definition == 0 ? 0 : data.num_values;
      if (data.num_nulls < 0 || data.num_nulls > most) {
        site().report(Rule::page_v2_num_nulls_range, "data_page_header_v2.num_nulls",
                      contrast(data.num_nulls, number_or_between(0, most)));
      }
    }
    if (sound && data.has(Id::id_num_rows)) {
      const bool flat = chunk_.leaf.max_repetition == 0;
      if (data.num_rows < 0 || data.num_rows > data.num_values ||
          (flat && data.num_rows != data.num_values)) {
        site().report(
            Rule::page_v2_num_rows_range, "data_page_header_v2.num_rows",
            contrast(data.num_rows, flat ? FindingValue(data.num_values) : between(0, data.num_values)));
      }
    }
    level_lengths(data);
    statistics(data.has(Id::id_statistics), data.statistics, "data_page_header_v2.statistics",
               data.has(Id::id_num_values), data.num_values);
  }

  /// page/v2-absent-levels, page/v2-zero-body
  void level_lengths(const DataPageHeaderV2& data) const {
    using Id = DataPageHeaderV2::Id;
    struct Levels {
      bool present;
      std::int32_t length;
      std::uint32_t max;
      std::string_view field;
    };
    const Levels both[] = {
        {data.has(Id::id_repetition_levels_byte_length), data.repetition_levels_byte_length,
         chunk_.leaf.max_repetition, "data_page_header_v2.repetition_levels_byte_length"},
        {data.has(Id::id_definition_levels_byte_length), data.definition_levels_byte_length,
         chunk_.leaf.max_definition, "data_page_header_v2.definition_levels_byte_length"},
    };
    std::int64_t room = page_.content_size();
    if (header_.uncompressed_page_size >= 0)
      room = std::min<std::int64_t>(room, header_.uncompressed_page_size);
    for (const Levels& levels : both) {
      if (!levels.present || levels.length < 0 || levels.length > room) return;
      room -= levels.length;
      if (levels.max == 0 && levels.length != 0)
        site().report(Rule::page_v2_absent_levels, levels.field, contrast(levels.length, 0));
    }
    const std::int64_t level_bytes = page_.level_bytes();
    if (chunk_.meta().codec != CompressionCodec::UNCOMPRESSED && data.is_compressed &&
        page_.content_size() == level_bytes && header_.uncompressed_page_size == level_bytes) {
      report_at(chunk_.site.findings, Rule::page_v2_zero_body, page_.place, page_.offset,
                page_.header_bytes.size(), contrast("zero bytes, is_compressed", "is_compressed = false"),
                "data_page_header_v2.is_compressed");
    }
  }

  /// Readers skip index pages, unless they follow the edition of 2013.
  void index_page() {
    site().report(Rule::index_page_unused, "type", contrast("INDEX_PAGE", ""));
    out_.body = out_.body && reads_index_tree(chunk_.context, chunk_.site.findings);
    if (header_.uncompressed_page_size > kIndexTreeRollOver) {
      site().report(Rule::index_page_size, "uncompressed_page_size",
                    contrast(header_.uncompressed_page_size, at_most(kIndexTreeRollOver)));
    }
  }

  void dictionary_page() {
    using Id = DictionaryPageHeader::Id;
    const DictionaryPageHeader& dictionary = header_.dictionary_page_header;
    if (dictionary_) {
      site().report(Rule::dictionary_at_most_one, "type", contrast("a second dictionary page", "one"));
      pass("a second dictionary page");
    } else if (page_.ordinal() != 0) {
      site().report(Rule::dictionary_page_first, "type",
                    contrast("page " + std::to_string(page_.ordinal()), "page 0"));
    }
    if (!dictionary.has(Id::id_encoding)) return;
    const std::string_view field = "dictionary_page_header.encoding";
    if (dictionary.encoding == Encoding::PLAIN_DICTIONARY) {
      site().report(Rule::dictionary_plain_dictionary_deprecated, field,
                    contrast("PLAIN_DICTIONARY", "PLAIN"));
    } else if ((known(dictionary.encoding) && dictionary.encoding != Encoding::PLAIN) ||
               chunk_.is_damaged(dictionary.encoding)) {
      site().report(Rule::dictionary_page_encoding, field,
                    contrast(symbol(kEncodingEnum, dictionary.encoding), "PLAIN"));
    }
  }

  const ChunkScope& chunk_;
  std::optional<Encoding> dictionary_;
  const Page& page_;
  const PageHeader& header_;
  HeaderJudgement out_;
};

}  // namespace

HeaderJudgement judge_page_header(const ChunkScope& chunk, std::optional<Encoding> dictionary,
                                  const Page& page) {
  return HeaderRules(chunk, dictionary, page).run();
}

void judge_page_type(const ChunkScope& chunk, std::optional<PageType> first, const Page& page) {
  if (!page.is_data() || !page.has_member() || !first || *first == page.header.type) return;
  FindingSite::of_page_header(chunk.site.findings, page)
      .report(Rule::column_chunk_mixed_page_versions, "type",
              contrast(symbol(kPageTypeEnum, page.header.type), symbol(kPageTypeEnum, *first)));
}

bool may_be_dictionary(const Page& page) noexcept {
  const std::optional<PageType> type = type_by_member(page);
  return page.is_dictionary() ||
         (type ? *type == PageType::DICTIONARY_PAGE : page.has_unknown_type() && page.ordinal() == 0);
}

}  // namespace parqproof
