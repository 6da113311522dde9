#include "conformance/rewrite/scrub/scrub.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "codec/base/utf8.hpp"
#include "codec/write/sink.hpp"
#include "conformance/fault/apply.hpp"
#include "conformance/rewrite/broken_rules.hpp"
#include "conformance/rewrite/rewrite.hpp"
#include "conformance/rewrite/scrub/scrub_text.hpp"
#include "conformance/rewrite/scrub/scrub_values.hpp"
#include "fuzz/invariants.hpp"
#include "tests/support/judged.hpp"
#include "tests/support/process.hpp"

namespace parqproof {
namespace {

using support::Outcome, support::TemporaryFolder;
using Bytes = std::vector<std::uint8_t>;

constexpr std::string_view kNoFooter = "its footer cannot be read";
constexpr std::string_view kParts = " column, whose values have parts of their own";

/// Folders of witnesses whose files a scrub may refuse, with the reason.
constexpr std::pair<const char*, const char*> kRefused[] = {
    {"alp/exception-duplicate", "ALP is encoded again, without unusual exceptions"},
    {"alp/packed-padding", "ALP is encoded again, without unused bits"},
    {"bloom-filter/num-bytes", "the structure is in other bytes than its offset says"},
    {"column-chunk/codec", "the page is compressed in another way than the footer says"},
    {"column-chunk/data-page-offset", "likewise"},
    {"column-chunk/total-compressed-size", "likewise"},
    {"compression/format", "the page is compressed again, in the current format"},
    {"compression/lz4-frame", "likewise"},
    {"dictionary/num-values-negative", "the page may be one of several"},
    {"file/block-order", "the damage is in all bytes of the file"},
    {"file/bytes-inserted", "likewise"},
    {"file/bytes-missing", "likewise"},
    {"file/overwritten", "likewise"},
    {"file/structure-place", "likewise"},
    {"file/text-mode", "likewise"},
    {"file/transfer-framing", "likewise"},
    {"geoparquet/", "the JSON in an entry of key_value_metadata is replaced as a text"},
    {"limit/work", "few bytes have many values"},
    {"page/encoding", "the values are in another encoding than the header says"},
    {"page/header-member", "the header is that of another page"},
    {"page/trailing-bytes", "the page is compressed again, without trailing bytes"},
    {"plain/int96-halves", "the evidence is in the values"},
    {"schema/levels", "the schema has other levels than the pages"},
    {"schema/tree", "likewise"},
    {"schema/type-length", "the schema has another length than the values"},
};

bool may_be_refused(const std::string& path) {
  return std::ranges::any_of(kRefused, [&](const auto& one) {
    return path.find("/" + std::string(one.first)) != std::string::npos;
  });
}

/// All texts with four or more letters in rows, which are JSON Lines.
std::set<std::string> texts_of(const std::string& rows) {
  std::set<std::string> texts;
  const auto add = [&](const auto& self, const nlohmann::json& value) -> void {
    if (value.is_string()) {
      const auto& text = value.get_ref<const std::string&>();
      const auto letters = std::ranges::count_if(
          text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
      const bool is_number = text == "Infinity" || text == "-Infinity";
      if (letters >= 4 && !is_number) texts.insert(text);
    } else if (value.is_structured()) {
      for (const nlohmann::json& part : value) self(self, part);
    }
  };
  std::istringstream lines(rows);
  for (std::string line; std::getline(lines, line);) add(add, nlohmann::json::parse(line));
  return texts;
}

std::string rows_of(const Bytes& bytes) {
  RowOptions options;
  return fuzz::rows_of(MemorySource(bytes), options).text;
}

/// The rows of a file without compression.
Bytes uncompressed(const Bytes& bytes) {
  RewriteOptions options;
  options.codec = CompressionCodec::UNCOMPRESSED;
  Bytes out;
  MemorySink sink(out);
  ReadingFailure failure;
  (void)rewrite(MemorySource(bytes), options, sink, failure);
  return out;
}

Node leaf_of(Type type, LogicalKind kind = LogicalKind::none) {
  Node leaf;
  leaf.type = type;
  leaf.is_leaf = true;
  leaf.logical.kind = kind;
  return leaf;
}

template <typename T>
std::vector<T> mapped(const Node& leaf, std::vector<T> values) {
  ValueMap map(leaf);
  const auto bytes = [](T& value) {
    return std::span(reinterpret_cast<std::uint8_t*>(&value), sizeof value);
  };
  for (T& value : values) map.collect(bytes(value));
  map.finish();
  for (T& value : values) map.replace(bytes(value));
  return values;
}

std::vector<std::string> mapped_texts(const Node& leaf, std::vector<std::string> values) {
  ValueMap map(leaf);
  const auto bytes = [](std::string& value) {
    return std::span(reinterpret_cast<std::uint8_t*>(value.data()), value.size());
  };
  for (std::string& value : values) map.collect(bytes(value));
  map.finish();
  for (std::string& value : values) map.replace(bytes(value));
  return values;
}

}  // namespace

TEST_CASE("integers are replaced by others of the same order, sign and number of bits") {
  const std::vector<std::int32_t> values{-70'000, -5, -4, 0, 1, 700, 900, 1'000'000, 2'000'000'000};
  const auto fresh = mapped(leaf_of(Type::INT32), values);
  CHECK(std::ranges::is_sorted(fresh));
  CHECK(std::ranges::adjacent_find(fresh) == fresh.end());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto bits = [](std::int32_t value) {
      return std::bit_width(static_cast<std::uint32_t>(value < 0 ? ~value : value));
    };
    CHECK(bits(fresh[i]) == bits(values[i]));
    CHECK((fresh[i] < 0) == (values[i] < 0));
  }
  CHECK(fresh[5] != values[5]);
  CHECK(fresh[7] != values[7]);
  CHECK(fresh[3] == 0);
}

TEST_CASE("a time within the day stays within it, and another one stays outside") {
  Node leaf = leaf_of(Type::INT32, LogicalKind::TIME);
  leaf.logical.unit = SecondUnit::MILLIS;
  constexpr std::int32_t kDay = 86'400'000;
  const auto fresh = mapped<std::int32_t>(leaf, {-3, 70'000'000, kDay - 1, kDay, kDay + 5});
  CHECK(fresh[0] < 0);
  CHECK(fresh[2] < kDay);
  CHECK(fresh[3] >= kDay);
  CHECK(std::ranges::is_sorted(fresh));
}

TEST_CASE("floating-point numbers keep order, sign and exponent; zeros, NaN and infinities stay") {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> values{-infinity, -2.75, -1.1, -0.0, 3.14159, 3.5, 1e300, infinity};
  const auto fresh = mapped(leaf_of(Type::DOUBLE), values);
  CHECK(std::ranges::is_sorted(fresh));
  CHECK(fresh[0] == -infinity);
  CHECK(std::signbit(fresh[3]));
  CHECK(fresh[4] != values[4]);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i]) && values[i] != 0) CHECK(std::ilogb(fresh[i]) == std::ilogb(values[i]));
  }
  const auto nan = mapped<double>(leaf_of(Type::DOUBLE), {std::numeric_limits<double>::quiet_NaN()});
  CHECK(std::isnan(nan[0]));
}

TEST_CASE("texts keep length, order, common prefixes, signs and the validity of UTF-8") {
  const std::vector<std::string> values{"",       "Anna Smith", "Anna Stone", "bert",    "bertha",
                                        "müller", "caf\xE9",    "日本語",     "555-1234"};
  const auto fresh = mapped_texts(leaf_of(Type::BYTE_ARRAY, LogicalKind::STRING), values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    CHECK(fresh[i].size() == values[i].size());
    if (!values[i].empty()) CHECK(fresh[i] != values[i]);
    for (std::size_t k = 0; k < values.size(); ++k) CHECK((fresh[i] < fresh[k]) == (values[i] < values[k]));
    const auto valid = [](const std::string& text) {
      return utf8_error({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}) == text.size();
    };
    CHECK(valid(fresh[i]) == valid(values[i]));
  }
  CHECK(fresh[1].substr(0, 6) == fresh[2].substr(0, 6));
  CHECK(fresh[1][4] == ' ');
  CHECK(fresh[4].starts_with(fresh[3]));
  CHECK(fresh[8][3] == '-');
}

TEST_CASE("JSON stays JSON, and has other texts and numbers") {
  const std::string text = R"({"name": "Anna\u0041\n", "age": 42.5e1, "ok": true, "no": null})";
  const auto fresh = mapped_texts(leaf_of(Type::BYTE_ARRAY, LogicalKind::JSON), {text});
  CHECK(fresh[0].size() == text.size());
  CHECK(nlohmann::json::accept(fresh[0]));
  CHECK(fresh[0].find("Anna") == std::string::npos);
  CHECK(fresh[0].find("42") == std::string::npos);
  CHECK(fresh[0].find("true") != std::string::npos);
}

TEST_CASE("a BSON document has other texts after elements of each type") {
  const auto element = [](std::uint8_t type, const std::string& value) {
    return std::string(1, static_cast<char>(type)) + "k" + '\0' + value;
  };
  const auto number = [](std::uint32_t value) {
    return std::string{static_cast<char>(value), '\0', '\0', '\0'};
  };
  const std::string text = element(0x02, number(7) + "secret" + '\0');
  const std::pair<std::uint8_t, std::string> kinds[] = {
      {0x01, std::string(8, 'd')},
      {0x05, number(3) + '\0' + "bin"},
      {0x06, ""},
      {0x07, std::string(12, 'o')},
      {0x08, std::string(1, '\1')},
      {0x09, std::string(8, 't')},
      {0x0A, ""},
      {0x0B, std::string("re\0i\0", 5)},
      {0x10, std::string(4, 'i')},
      {0x12, std::string(8, 'l')},
      {0x13, std::string(16, 'q')},
      {0x7F, ""},
      {0xFF, ""},
      {0x03, number(5) + '\0'},
  };
  for (const auto& [type, value] : kinds) {
    if (type == 0x13) continue;  // a type that is not known: the rest stays
    const std::string elements = element(type, value) + text;
    std::string document = number(static_cast<std::uint32_t>(elements.size() + 5)) + elements + '\0';
    blank_text(std::span(reinterpret_cast<std::uint8_t*>(document.data()), document.size()), TextForm::bson);
    INFO(int{type});
    CHECK(document.find("secret") == std::string::npos);
    CHECK(document.find("xxxxxx") != std::string::npos);
  }
}

TEST_CASE("floating-point numbers that take few bits still do") {
  std::vector<double> values;
  for (int i = 1; i < 100; ++i) values.push_back(1 + i / 128.0);
  for (const double fresh : mapped(leaf_of(Type::DOUBLE), values))
    CHECK(fresh * 128 == std::floor(fresh * 128));
}

TEST_CASE("decimals stay below 10 to the power of the precision, and minimal") {
  Node leaf = leaf_of(Type::BYTE_ARRAY, LogicalKind::DECIMAL);
  leaf.logical.precision = 4;
  const std::string nine("\x27\x0F", 2);    // 9999
  const std::string ten("\x27\x10", 2);     // 10000, too many digits
  const std::string minus("\xD8\xF1", 2);   // -9999
  const std::string padded("\x00\x80", 2);  // 128, minimal
  const auto fresh = mapped_texts(leaf, {nine, ten, minus, padded});
  const auto number = [](const std::string& bytes) {
    return static_cast<std::int16_t>(static_cast<std::uint8_t>(bytes[0]) << 8 |
                                     static_cast<std::uint8_t>(bytes[1]));
  };
  CHECK(number(fresh[0]) <= 9'999);
  CHECK(number(fresh[1]) > 9'999);
  CHECK(number(fresh[2]) >= -9'999);
  CHECK(number(fresh[2]) < 0);
  CHECK(number(fresh[3]) >= 128);
  CHECK(number(fresh[3]) < number(fresh[0]));
}

TEST_CASE("names are numbered, and keep what rules see in them") {
  NameMap names;
  CHECK(names.of("customer") == "c0");
  CHECK(names.of("price") == "c1");
  CHECK(names.of("customer") == "c0");
  CHECK(names.of("Customer") == "C0");
  CHECK(names.of("a.b") == "c2.");
  CHECK(names.of("") == "");
  CHECK(names.of("list") == "list");
  CHECK(names.of("Metadata") == "Metadata");  // variant/fields reports it by its letters in lower case
  CHECK(names.of("customer_tuple") == "c0_tuple");
  CHECK(names.of_path("../secret/part-0.parquet") == "../c3/c4-.parquet");
  CHECK(names.of("zone") == "c5");
  CHECK(names.of("Zone") == "C5");
}

TEST_CASE("a scrubbed witness breaks the same rules, for at least 95 percent of those with a footer") {
  std::size_t scrubbed_files = 0;
  std::size_t refused = 0;
  const std::vector<std::string> paths = support::files_below("corpus/witnesses", ".parquet");
  std::size_t ordinal = 0;
  for (const std::string& path : paths) {
    if (path.find("/fail-") == std::string::npos || ordinal++ % 3 != 0) continue;
    INFO(path);
    const Bytes bytes = support::read_bytes(path);
    if (bytes.size() > 100'000) continue;
    const CheckOptions options;
    const auto scrubbed = scrub(MemorySource(bytes), options);
    if (!scrubbed) {
      if (scrubbed.error().starts_with(kNoFooter) || scrubbed.error().ends_with(kParts)) continue;
      INFO(scrubbed.error());
      CHECK(may_be_refused(path));
      ++refused;
      continue;
    }
    ++scrubbed_files;
    CHECK(broken_rules(scrubbed->bytes, options) == broken_rules(bytes, options));
  }
  CHECK(scrubbed_files > 900);
  CHECK(refused * 20 <= scrubbed_files + refused);
}

TEST_CASE("no text of the files of ten writers is left, neither in their bytes nor in their rows") {
  static constexpr std::array kFiles{"pyarrow/richest",
                                     "pyarrow/bloom-filters-several-row-groups",
                                     "parquet-java/several-pages-nested-v2",
                                     "duckdb/v2-flat-snappy",
                                     "polars/several-pages",
                                     "arrow-rs/bloom-filters-end",
                                     "clickhouse/long-values",
                                     "fastparquet/default-flat",
                                     "hyparquet/bloom-filters",
                                     "parquet-go/several-pages-nested-v1"};
  std::size_t texts = 0;
  for (const char* const name : kFiles) {
    INFO(name);
    const Bytes bytes = support::read_bytes("corpus/writers/" + std::string(name) + ".parquet");
    const auto scrubbed = scrub(MemorySource(bytes), {});
    REQUIRE(scrubbed.has_value());
    const std::set<std::string> before = texts_of(rows_of(bytes));
    const std::string rows = rows_of(scrubbed->bytes);
    const std::set<std::string> after = texts_of(rows);
    texts += before.size();
    for (const Bytes& out : {scrubbed->bytes, uncompressed(scrubbed->bytes)}) {
      const std::string_view all(reinterpret_cast<const char*>(out.data()), out.size());
      for (const std::string& text : before) {
        INFO(text);
        CHECK(!after.contains(text));
        CHECK(all.find(text) == std::string_view::npos);
      }
    }
    // The rows can be read, and are as many as before.
    CHECK(std::ranges::count(rows, '\n') == std::ranges::count(rows_of(bytes), '\n'));
  }
  CHECK(texts > 500);
}

/// The shape of a JSON value: its objects without names, its arrays, and the types of the other values.
std::string shape_of(const nlohmann::ordered_json& value) {
  std::string out;
  if (!value.is_structured()) return value.type_name();
  for (const nlohmann::ordered_json& part : value) out += shape_of(part) + ",";
  return value.is_array() ? "[" + out + "]" : "{" + out + "}";
}

TEST_CASE("names and values of VARIANT are replaced, and what is around them stays", "[rewrite][variant]") {
  std::size_t files = 0;
  std::size_t texts = 0;
  std::size_t refused = 0;
  for (const std::string& path : support::files_below("corpus", ".parquet")) {
    const std::string file = path.substr(path.rfind('/') + 1);
    const bool is_written = path.find("corpus/writers/") != std::string::npos && file.starts_with("variant");
    const bool is_witness = path.find("/witnesses/variant/") != std::string::npos ||
                            path.find("/witnesses/shredding/") != std::string::npos;
    if (!is_written && !is_witness) continue;
    INFO(path);
    const Bytes bytes = support::read_bytes(path);
    const auto scrubbed = scrub(MemorySource(bytes), {});
    if (!scrubbed) {  // bounds of the encoded values
      CHECK(scrubbed.error().contains("newly statistics/max-value"));
      ++refused;
      continue;
    }
    ++files;
    CHECK(broken_rules(scrubbed->bytes, {}) == broken_rules(bytes, {}));
    std::istringstream before(rows_of(bytes));
    std::istringstream after(rows_of(scrubbed->bytes));
    for (std::string one, other; std::getline(before, one);) {
      REQUIRE(std::getline(after, other));
      CHECK(shape_of(nlohmann::ordered_json::parse(one)) == shape_of(nlohmann::ordered_json::parse(other)));
    }
    const std::set<std::string> left = texts_of(rows_of(scrubbed->bytes));
    for (const std::string& text : texts_of(rows_of(bytes))) {
      INFO(text);
      CHECK(!left.contains(text));
      ++texts;
    }
  }
  CHECK(files > 150);
  CHECK(texts > 100);
  CHECK(refused <= 1);
}

TEST_CASE("a wrong bound in a file of many columns stays wrong") {
  const Bytes base = support::read_bytes("corpus/writers/pyarrow/richest.parquet");
  const MemorySource source(base);
  for (const char* const name : {"max-value-low", "page-crc", "location-first-row"}) {
    INFO(name);
    auto faulty = fault::apply(*fault::find_fault(name), source, 1);
    REQUIRE(faulty.has_value());
    Bytes bytes;
    REQUIRE(faulty->write([&](std::span<const std::uint8_t> more) {
      bytes.insert(bytes.end(), more.begin(), more.end());
      return true;
    }));
    const auto scrubbed = scrub(MemorySource(bytes), {});
    REQUIRE(scrubbed.has_value());
    CHECK(broken_rules(scrubbed->bytes, {})[static_cast<std::size_t>(fault::find_fault(name)->rule)]);
  }
}

TEST_CASE("rewrite --scrub names what it replaced, and refuses a file without a footer") {
  const TemporaryFolder folder;
  const std::string out = folder.path() + "/public.parquet";
  const std::string in = PARQPROOF_SOURCE_DIR "/corpus/writers/pyarrow/richest.parquet";
  const Outcome outcome = support::parqproof({"rewrite", "--scrub", in, out});
  CHECK(outcome.code == 0);
  CHECK(outcome.out.find("names and") != std::string::npos);
  CHECK(support::parqproof({"check", "--quiet", out}).code ==
        support::parqproof({"check", "--quiet", in}).code);
  std::filesystem::remove(out);
  const std::string cut = folder.write(
      "cut.parquet", support::source_file("corpus/writers/pyarrow/richest.parquet").substr(0, 500));
  support::check_rejected(support::parqproof({"rewrite", "--scrub", cut, out}), std::string(kNoFooter));
  support::check_rejected(support::parqproof({"rewrite", "--scrub", "--shrink", "crc/match", in, out}),
                          "--shrink has no effect with --scrub");
  support::check_rejected(support::parqproof({"rewrite", "--scrub", "--crc", in, out}),
                          "--crc has no effect with --scrub");
  CHECK(!std::filesystem::exists(out));
}

}  // namespace parqproof
