#include "codec/format/page_header.hpp"

#include <cstddef>

namespace parqproof {
namespace {

using thrift::Field;
using enum thrift::Kind;
using enum thrift::Presence;

constexpr Field kDataPageHeaderFields[] = {
    Field{1, "num_values", i32, required, offsetof(DataPageHeader, num_values)},
    Field{2, "encoding", enumeration, required, offsetof(DataPageHeader, encoding)}
        .of(kEncodingEnum)
        .judged_by_its_own_rule(),
    Field{3, "definition_level_encoding", enumeration, required,
          offsetof(DataPageHeader, definition_level_encoding)}
        .of(kEncodingEnum)
        .judged_by_its_own_rule(),
    Field{4, "repetition_level_encoding", enumeration, required,
          offsetof(DataPageHeader, repetition_level_encoding)}
        .of(kEncodingEnum)
        .judged_by_its_own_rule(),
    Field{5, "statistics", structure, optional, offsetof(DataPageHeader, statistics)}.of(Statistics::kType),
};

constexpr Field kDictionaryPageHeaderFields[] = {
    Field{1, "num_values", i32, required, offsetof(DictionaryPageHeader, num_values)},
    Field{2, "encoding", enumeration, required, offsetof(DictionaryPageHeader, encoding)}
        .of(kEncodingEnum)
        .judged_by_its_own_rule(),
    Field{3, "is_sorted", boolean, optional, offsetof(DictionaryPageHeader, is_sorted)},
};

constexpr Field kDataPageHeaderV2Fields[] = {
    Field{1, "num_values", i32, required, offsetof(DataPageHeaderV2, num_values)},
    Field{2, "num_nulls", i32, required, offsetof(DataPageHeaderV2, num_nulls)},
    Field{3, "num_rows", i32, required, offsetof(DataPageHeaderV2, num_rows)},
    Field{4, "encoding", enumeration, required, offsetof(DataPageHeaderV2, encoding)}
        .of(kEncodingEnum)
        .judged_by_its_own_rule(),
    Field{5, "definition_levels_byte_length", i32, required,
          offsetof(DataPageHeaderV2, definition_levels_byte_length)},
    Field{6, "repetition_levels_byte_length", i32, required,
          offsetof(DataPageHeaderV2, repetition_levels_byte_length)},
    Field{7, "is_compressed", boolean, optional, offsetof(DataPageHeaderV2, is_compressed)},
    Field{8, "statistics", structure, optional, offsetof(DataPageHeaderV2, statistics)}.of(Statistics::kType),
};

constexpr Field kPageHeaderFields[] = {
    Field{1, "type", enumeration, required, offsetof(PageHeader, type)}
        .of(kPageTypeEnum)
        .judged_by_its_own_rule(),
    Field{2, "uncompressed_page_size", i32, required, offsetof(PageHeader, uncompressed_page_size)},
    Field{3, "compressed_page_size", i32, required, offsetof(PageHeader, compressed_page_size)},
    Field{4, "crc", i32, optional, offsetof(PageHeader, crc)},
    Field{5, "data_page_header", structure, optional, offsetof(PageHeader, data_page_header)}.of(
        DataPageHeader::kType),
    Field{6, "index_page_header", structure, optional, offsetof(PageHeader, index_page_header)}.of(
        kIndexPageHeader),
    Field{7, "dictionary_page_header", structure, optional, offsetof(PageHeader, dictionary_page_header)}.of(
        DictionaryPageHeader::kType),
    Field{8, "data_page_header_v2", structure, optional, offsetof(PageHeader, data_page_header_v2)}.of(
        DataPageHeaderV2::kType),
};

}  // namespace

constexpr thrift::StructType DataPageHeader::kType{"DataPageHeader", kDataPageHeaderFields};
constexpr thrift::StructType DictionaryPageHeader::kType{"DictionaryPageHeader", kDictionaryPageHeaderFields};
constexpr thrift::StructType DataPageHeaderV2::kType{"DataPageHeaderV2", kDataPageHeaderV2Fields};
constexpr thrift::StructType PageHeader::kType{"PageHeader", kPageHeaderFields};

}  // namespace parqproof
