// Each advice with a file where it is given, with the figure that writing the column so confirms, and with a
// neighbour where it is not.
#include "conformance/advice/advice.hpp"

#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "codec/base/append.hpp"
#include "codec/rules/rule.hpp"
#include "codec/write/file_writer.hpp"
#include "conformance/advice/encoding_advice.hpp"
#include "tests/support/judged.hpp"
#include "tests/support/leaves.hpp"

namespace parqproof {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// A column `a` of fixed width or of byte arrays, and how it is written.
struct Column {
  Type type = Type::INT64;
  Bytes fixed;                     ///< in PLAIN, one byte for a BOOLEAN
  std::vector<std::string> texts;  ///< of BYTE_ARRAY
  WriteOptions options = {};
  std::size_t group_rows = SIZE_MAX;
  std::vector<std::uint32_t> definition = {};  ///< levels of an optional column; empty: required
  std::vector<std::uint32_t> repetition = {};  ///< levels of a repeated column
  std::int32_t type_length = 0;                ///< of FIXED_LEN_BYTE_ARRAY
};

std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

std::size_t width_of(Type type, std::int32_t length = 0) {
  return type == Type::BOOLEAN ? 1 : fixed_width(type, static_cast<std::uint32_t>(length));
}

Column numbers(Type type, std::size_t count, const std::function<std::uint64_t(std::size_t)>& number) {
  Column column{.type = type, .fixed = {}, .texts = {}};
  for (std::size_t i = 0; i < count; ++i)
    append_le(column.fixed, number(i), static_cast<unsigned>(width_of(type)));
  column.options.page_index = false;
  column.options.column.dictionary = false;
  column.options.column.codec = CompressionCodec::UNCOMPRESSED;
  return column;
}

Column texts(std::size_t count, const std::function<std::string(std::size_t)>& text) {
  Column column = numbers(Type::INT32, 0, {});
  column.type = Type::BYTE_ARRAY;
  for (std::size_t i = 0; i < count; ++i) column.texts.push_back(text(i));
  return column;
}

Bytes written(const Column& column) {
  SchemaElement root;
  support::set(root, {SchemaElement::id_name, SchemaElement::id_num_children});
  root.name = view_of("schema");
  root.num_children = 1;
  SchemaElement leaf;
  support::set(leaf, {SchemaElement::id_name, SchemaElement::id_type, SchemaElement::id_repetition_type});
  leaf.name = view_of("a");
  leaf.type = column.type;
  if (column.type_length != 0) leaf.fields.present |= 1U << SchemaElement::id_type_length;
  leaf.type_length = column.type_length;
  leaf.repetition_type = !column.repetition.empty()   ? FieldRepetitionType::REPEATED
                         : !column.definition.empty() ? FieldRepetitionType::OPTIONAL
                                                      : FieldRepetitionType::REQUIRED;
  thrift::ListBuilder<SchemaElement> schema;
  schema.add(root);
  schema.add(leaf);
  Bytes out;
  MemorySink sink(out);
  FileWriter writer(sink, column.options, schema.list());
  REQUIRE(writer.begin());
  std::vector<ByteArray> arrays;
  for (const std::string& text : column.texts)
    arrays.push_back(
        {reinterpret_cast<const std::uint8_t*>(text.data()), static_cast<std::uint32_t>(text.size())});
  const std::size_t width = width_of(column.type, column.type_length);
  const std::size_t values = arrays.empty() ? column.fixed.size() / width : arrays.size();
  const std::size_t rows = column.definition.empty() ? values : column.definition.size();
  for (std::size_t from = 0; from < rows;) {
    const std::size_t count = std::min(column.group_rows, rows - from);
    Entries entries;
    entries.count = count;
    entries.values.count = count;
    if (!column.definition.empty()) {
      entries.definition.values = column.definition.data();
      if (!column.repetition.empty()) entries.repetition.values = column.repetition.data();
      entries.values.count = entries.definition.count(1, count);
      REQUIRE(count == rows);
    }
    if (!arrays.empty()) {
      entries.values.form = ValueBatch::Form::byte_arrays;
      entries.values.byte_arrays = arrays.data() + from;
    } else if (column.type == Type::BOOLEAN) {
      entries.values.form = ValueBatch::Form::booleans;
      entries.values.booleans = column.fixed.data() + from;
    } else {
      entries.values.fixed = column.fixed.data() + from * width;
    }
    REQUIRE(writer.begin_row_group());
    const auto chunk = writer.next_column();
    REQUIRE(chunk);
    REQUIRE((*chunk)->add(entries));
    REQUIRE(writer.end_row_group());
    from += count;
  }
  REQUIRE(writer.finish());
  return out;
}

FileReport report_of(const Bytes& file, const std::vector<std::string>& only = {}) {
  CheckOptions options;
  options.advice = true;
  options.only = only;
  const FileReport report = support::judged(file, options);
  CHECK(report.verdict == Verdict::conforming);
  return report;
}

const Finding* find(const FileReport& report, std::string_view id) {
  const auto at = std::ranges::find_if(
      report.findings, [&](const ReportedFinding& one) { return info(one.finding.rule).id == id; });
  return at == report.findings.end() ? nullptr : &at->finding;
}

std::uint64_t number_of(const FindingValue& value) {
  const auto* const count = std::get_if<FindingValue::Count>(&value.alternatives());
  REQUIRE(count != nullptr);
  return count->number;
}

/// Bytes of the pages of all row groups.
std::uint64_t stored_bytes(const Bytes& file) {
  constexpr std::size_t kTailBytes = 8;
  const std::size_t length = load_le<std::uint32_t>(file.data() + file.size() - kTailBytes);
  const Limits limits;
  thrift::Reader reader(View{std::span(file).subspan(file.size() - kTailBytes - length, length)}, {}, limits);
  FileMetaData meta;
  REQUIRE(reader.read(meta));
  std::uint64_t sum = 0;
  thrift::for_each<RowGroup>(meta.row_groups, limits, [&](const RowGroup& group, std::uint32_t) {
    thrift::for_each<ColumnChunk>(group.columns, limits, [&](const ColumnChunk& chunk, std::uint32_t) {
      sum += static_cast<std::uint64_t>(chunk.meta_data.total_compressed_size);
    });
  });
  return sum;
}

/// Checks that the advice is given, that `found` are the bytes of the column, and that `expected` are those
/// that it takes if it is written so, within a tenth.
void check_advice(const Column& column, std::string_view rule, const ColumnOptions& advised,
                  std::vector<std::string> only = {}) {
  INFO(rule);
  const Bytes file = written(column);
  const FileReport report = report_of(file, only);
  const Finding* const finding = find(report, rule);
  REQUIRE(finding != nullptr);
  CHECK(finding->place.row_group == 0);
  CHECK(finding->place.leaf == 0);
  CHECK(finding->field == "meta_data.encodings");
  CHECK(number_of(finding->found) == stored_bytes(file));
  Column other = column;
  other.options.column = advised;
  const auto bytes = static_cast<double>(stored_bytes(written(other)));
  const auto stated = static_cast<double>(number_of(finding->expected));
  CHECK(std::abs(stated - bytes) <= bytes / 10);
  const auto encoding = advised_encoding(*finding);
  REQUIRE(encoding);
  CHECK(encoding->encoding == (advised.dictionary ? Encoding::RLE_DICTIONARY : advised.encoding));
  CHECK(encoding->saved == number_of(finding->found) - number_of(finding->expected));
}

/// Checks that no encoding is advised.
void check_silent(const Column& column, std::vector<std::string> only = {}) {
  const FileReport report = report_of(written(column), only);
  for (const ReportedFinding& one : report.findings) CHECK(!advised_encoding(one.finding).has_value());
}

ColumnOptions with(const Column& column, Encoding encoding) {
  ColumnOptions options = column.options.column;
  options.dictionary = encoding == Encoding::RLE_DICTIONARY;
  options.encoding = options.dictionary ? Encoding::PLAIN : encoding;
  return options;
}

}  // namespace

TEST_CASE("DELTA_BINARY_PACKED is advised for ascending numbers, and not for random ones", "[advice]") {
  const Column steps = numbers(Type::INT64, 30'000, [](std::size_t i) { return 7 * i + mixed(i) % 8; });
  check_advice(steps, "delta-binary-packed/smaller", with(steps, Encoding::DELTA_BINARY_PACKED));
  check_silent(numbers(Type::INT64, 30'000, mixed));
}

TEST_CASE("a dictionary is advised for few values, and not for distinct ones", "[advice]") {
  const Column few = numbers(Type::INT64, 30'000, [](std::size_t i) { return mixed(mixed(i) % 60); });
  check_advice(few, "dictionary/smaller", with(few, Encoding::RLE_DICTIONARY));
  check_silent(numbers(Type::INT32, 30'000, mixed));
}

TEST_CASE("RLE is advised for runs of BOOLEAN, and not for random ones", "[advice]") {
  const Column runs = numbers(Type::BOOLEAN, 400'000, [](std::size_t i) { return i / 5'000 % 2; });
  check_advice(runs, "rle/smaller", with(runs, Encoding::RLE));
  check_silent(numbers(Type::BOOLEAN, 400'000, [](std::size_t i) { return mixed(i) % 2; }));
}

TEST_CASE("BYTE_STREAM_SPLIT is advised for numbers that differ in few bytes, of compressed columns",
          "[advice]") {
  const auto smooth = [](std::size_t i) {
    return std::bit_cast<std::uint64_t>(1.0) + (mixed(i) & 0xFFFF) + (i << 16);
  };
  Column column = numbers(Type::DOUBLE, 30'000, smooth);
  check_silent(column, {"byte-stream-split/smaller"});
  column.options.column.codec = CompressionCodec::ZSTD;
  check_advice(column, "byte-stream-split/smaller", with(column, Encoding::BYTE_STREAM_SPLIT));
}

TEST_CASE("BYTE_STREAM_SPLIT is not advised for integers", "[advice]") {
  Column column = numbers(Type::INT64, 30'000, [](std::size_t i) { return (mixed(i) & 0xFFFF) + (i << 16); });
  column.options.column.codec = CompressionCodec::ZSTD;
  CHECK(find(report_of(written(column), {"byte-stream-split/smaller"}), "byte-stream-split/smaller") ==
        nullptr);
}

TEST_CASE("DELTA_LENGTH_BYTE_ARRAY is advised for short texts, and not for long ones", "[advice]") {
  const auto random = [](std::size_t i, std::size_t size) {
    std::string text;
    for (std::size_t at = 0; at < size; ++at) text += static_cast<char>('!' + mixed(i * 1'000 + at) % 90);
    return text;
  };
  const Column small = texts(20'000, [&](std::size_t i) { return random(i, 5); });
  check_advice(small, "delta-length-byte-array/preferred", with(small, Encoding::DELTA_LENGTH_BYTE_ARRAY));
  check_silent(texts(2'000, [&](std::size_t i) { return random(i, 60); }));
}

TEST_CASE("DELTA_BYTE_ARRAY is advised for texts that begin alike, and not for others", "[advice]") {
  const Column alike = texts(20'000, [](std::size_t i) {
    return "https://www.example.org/a/folder/" + std::to_string(1'000'000 + 13 * i);
  });
  check_advice(alike, "delta-byte-array/smaller", with(alike, Encoding::DELTA_BYTE_ARRAY));
  const Column reversed = texts(
      20'000, [](std::size_t i) { return std::to_string(mixed(i)) + "/https://www.example.org/a/folder/"; });
  check_silent(reversed);
}

TEST_CASE("PLAIN is advised where a codec finds repeats that an encoding hides", "[advice]") {
  const auto repeated = [](std::size_t i) { return mixed(i % 1'001); };
  Column column = numbers(Type::INT32, 60'000, repeated);
  column.options.column.codec = CompressionCodec::ZSTD;
  column.options.column.encoding = Encoding::DELTA_BINARY_PACKED;
  check_advice(column, "plain/smaller", with(column, Encoding::PLAIN), {"plain/smaller"});
  column.options.column.codec = CompressionCodec::UNCOMPRESSED;
  check_silent(column, {"plain/smaller"});
}

TEST_CASE("savings below 8 KB, or below a fifth of the column, are not advised", "[advice]") {
  const auto steps = [](std::size_t i) { return 7 * i + mixed(i) % 8; };
  // 8,192 bytes are the margin: PLAIN takes 8 bytes a value, the deltas about 1.
  check_silent(numbers(Type::INT64, 1'000, steps));
  const Column enough = numbers(Type::INT64, 1'400, steps);
  check_advice(enough, "delta-binary-packed/smaller", with(enough, Encoding::DELTA_BINARY_PACKED));
  // Deltas of 27 of 32 bits save a sixth, those of 24 bits a quarter.
  const auto of_bits = [](unsigned bits) {
    return numbers(Type::INT32, 30'000, [bits](std::size_t i) { return mixed(i) & ((1U << bits) - 1); });
  };
  check_silent(of_bits(26));
  const Column narrow = of_bits(23);
  check_advice(narrow, "delta-binary-packed/smaller", with(narrow, Encoding::DELTA_BINARY_PACKED));
}

TEST_CASE("another compression level is no advice", "[advice]") {
  Column column = texts(30'000, [](std::size_t i) { return std::to_string(mixed(i % 3'000) % 100'000'000); });
  column.options.column.codec = CompressionCodec::GZIP;
  column.options.column.compress.level = 1;
  check_silent(column, {"plain/smaller"});
}

TEST_CASE("a dictionary that was given up is reported if its values are smaller without it", "[advice]") {
  // The first page has each value twice; then nearly all are new, until the dictionary is full.
  const auto number = [](std::size_t i) { return mixed(i < 2'000 ? i / 2 : i); };
  Column column = numbers(Type::INT32, 60'000, number);
  column.options.page_rows = 2'000;
  column.options.column.dictionary = true;
  column.options.column.dictionary_bytes = 80'000;
  const Bytes file = written(column);
  const FileReport report = report_of(file);
  const Finding* const finding = find(report, "dictionary/fallback");
  REQUIRE(finding != nullptr);
  const auto encoding = advised_encoding(*finding);
  REQUIRE(encoding);
  CHECK(encoding->encoding == Encoding::PLAIN);
  // About 20,000 values that take 4 bytes each, and 4 and 2 with a dictionary.
  CHECK(number_of(finding->expected) >= 76'000);
  CHECK(number_of(finding->expected) <= 88'000);
  CHECK(number_of(finding->found) >= 105'000);
  CHECK(number_of(finding->found) <= 125'000);
  CHECK(finding->detail == "a dictionary of 19000 values was given up after 20000 of 60000 values");
  // The same with values that all occur twice: the dictionary is worth its bytes.
  Column twice = numbers(Type::INT64, 60'000, [](std::size_t i) { return mixed(i / 8); });
  twice.options.page_rows = 2'000;
  twice.options.column.dictionary = true;
  twice.options.column.dictionary_bytes = 40'000;
  CHECK(find(report_of(written(twice), {"dictionary/fallback"}), "dictionary/fallback") == nullptr);
}

TEST_CASE("the encoding of a nested column and of one with nulls has its figure", "[advice]") {
  Column column = numbers(Type::INT64, 30'000, [](std::size_t i) { return 7 * i + mixed(i) % 8; });
  for (std::size_t i = 0; i < 40'000; ++i) column.definition.push_back(i % 4 == 3 ? 0 : 1);
  check_advice(column, "delta-binary-packed/smaller", with(column, Encoding::DELTA_BINARY_PACKED));
  column.definition.assign(30'000, 1);
  for (std::size_t i = 0; i < 30'000; ++i) column.repetition.push_back(i % 3 == 0 ? 0 : 1);
  column.options.page_rows = 700;
  check_advice(column, "delta-binary-packed/smaller", with(column, Encoding::DELTA_BINARY_PACKED));
}

TEST_CASE("a column of several row groups is sampled in the first, the middle and the last", "[advice]") {
  // The last third can be packed, the others cannot.
  const auto number = [](std::size_t i) { return i < 60'000 ? mixed(i) : 7 * i; };
  Column column = numbers(Type::INT64, 90'000, number);
  column.group_rows = 30'000;
  check_advice(column, "delta-binary-packed/smaller", with(column, Encoding::DELTA_BINARY_PACKED),
               {"delta-binary-packed/smaller"});
}

TEST_CASE("a column of one row group is sampled in its middle", "[advice]") {
  // A fifth of the values can be packed, those of the second of three runs.
  Column column = numbers(Type::INT64, 100'000,
                          [](std::size_t i) { return i < 40'000 || i >= 60'000 ? mixed(i) : 7 * i; });
  column.options.page_rows = 7'000;
  const Bytes file = written(column);
  const FileReport report = report_of(file, {"delta-binary-packed/smaller"});
  const Finding* const finding = find(report, "delta-binary-packed/smaller");
  REQUIRE(finding != nullptr);
  const auto share =
      static_cast<double>(number_of(finding->expected)) / static_cast<double>(stored_bytes(file));
  CHECK(share > 0.6);  // two runs of random numbers, and one of a few bits
  CHECK(share < 0.75);
}

TEST_CASE("values of FIXED_LEN_BYTE_ARRAY are sampled with their length", "[advice]") {
  Column column = numbers(Type::FIXED_LEN_BYTE_ARRAY, 0, {});
  column.type_length = 24;
  for (std::size_t i = 0; i < 90'000; ++i) {
    std::string text = "a common beginning" + std::to_string(100'000 + i);
    column.fixed.insert(column.fixed.end(), text.begin(), text.end());
  }
  check_advice(column, "delta-byte-array/smaller", with(column, Encoding::DELTA_BYTE_ARRAY));
}

TEST_CASE("pages of few values are reported with their mean size, and larger ones are not", "[advice]") {
  Column column = numbers(Type::INT64, 20'000, mixed);
  column.options.page_rows = 20;
  const FileReport report = report_of(written(column));
  const Finding* const finding = find(report, "page/size");
  REQUIRE(finding != nullptr);
  CHECK(number_of(finding->found) == 160);
  CHECK(finding->field == "meta_data.total_uncompressed_size");
  for (const std::uint64_t rows : {1'024U, 4'000U}) {
    column.options.page_rows = rows;
    CHECK(find(report_of(written(column)), "page/size") == nullptr);
  }
  // Small pages whose headers are below 8 KB.
  Column small = numbers(Type::INT64, 2'000, mixed);
  small.options.page_rows = 20;
  CHECK(find(report_of(written(small)), "page/size") == nullptr);
}

TEST_CASE("pages above 1 MB are reported with their mean size, but for few large values", "[advice]") {
  Column column = numbers(Type::INT64, 400'000, mixed);
  column.options.page_rows = 200'000;
  column.options.page_bytes = std::uint64_t{4} << 20;
  const FileReport report = report_of(written(column));
  const Finding* const finding = find(report, "page/size");
  REQUIRE(finding != nullptr);
  CHECK(number_of(finding->found) == 1'600'000);
  column.options.page_rows = 160'000;  // a quarter above 1 MB is 1,310,720
  CHECK(find(report_of(written(column)), "page/size") == nullptr);
  Column large =
      texts(40, [](std::size_t i) { return std::string(100'000, static_cast<char>('a' + i % 20)); });
  large.options.page_bytes = std::uint64_t{8} << 20;
  CHECK(find(report_of(written(large)), "page/size") == nullptr);
}

TEST_CASE("small row groups are reported with the mean of all but the last", "[advice]") {
  Column column = numbers(Type::INT64, 25'000, mixed);
  column.group_rows = 10'000;
  const Bytes file = written(column);
  const FileReport report = report_of(file);
  const Finding* const finding = find(report, "row-group/size");
  REQUIRE(finding != nullptr);
  Column first = numbers(Type::INT64, 20'000, mixed);
  first.group_rows = 10'000;
  CHECK(number_of(finding->found) == stored_bytes(written(first)) / 2);
  CHECK(finding->place.row_group == 0);
  column.group_rows = SIZE_MAX;
  CHECK(find(report_of(written(column)), "row-group/size") == nullptr);
  Column small = numbers(Type::INT64, 6'000, mixed);
  small.group_rows = 2'000;  // below 64 KB
  CHECK(find(report_of(written(small)), "row-group/size") == nullptr);
}

TEST_CASE("a column with an error gets no advice", "[advice]") {
  const Column steps = numbers(Type::INT64, 30'000, [](std::size_t i) { return 7 * i + mixed(i) % 8; });
  Bytes file = written(steps);
  CheckOptions options;
  options.advice = true;
  file[1'000] ^= 1;  // the checksum of the first page
  const FileReport report = support::judged(file, options);
  CHECK(report.verdict != Verdict::conforming);
  CHECK(find(report, "delta-binary-packed/smaller") == nullptr);
}

}  // namespace parqproof
