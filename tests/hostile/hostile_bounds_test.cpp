#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <ctime>

#include "fuzz/memory.hpp"
#include "tests/hostile/hostile_file.hpp"
#include "tests/support/compressed.hpp"
#include "tests/support/json_schema.hpp"
#include "tests/support/judged.hpp"
#include "tests/support/sources.hpp"
#include "tests/sweep/sweep.hpp"

namespace support {
namespace {

using namespace parqproof;
using thrift::Wire;

/// A huge file of zeros between a head and a tail.
class SparseSource final : public Source {
 public:
  SparseSource(std::uint64_t size, Bytes tail) : size_(size), tail_(std::move(tail)) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return size_; }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
    std::ranges::fill(into, std::uint8_t{0});
    constexpr std::string_view kMagic = "PAR1";
    const std::uint64_t tail = size_ - tail_.size();
    for (std::size_t i = 0; i < into.size(); ++i) {
      const std::uint64_t at = offset + i;
      if (at < kMagic.size()) into[i] = static_cast<std::uint8_t>(kMagic[at]);
      if (at >= tail) into[i] = tail_[at - tail];
    }
    return true;
  }

 private:
  std::uint64_t size_;
  Bytes tail_;
};

struct Cost {
  FileReport report;
  std::uint64_t memory = 0;  ///< peak
  std::uint64_t read = 0;
  double seconds = 0;  ///< CPU time
};

Cost cost_of(const Source& source, const CheckOptions& options = {}) {
  Cost cost;
  const CountingSource counting(source);
  const std::clock_t start = std::clock();
  const parqproof::fuzz::HeldBytes held;
  cost.report = check(counting, "hostile", options);
  cost.memory = held.most();
  cost.read = counting.bytes_read();
  cost.seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return cost;
}

HostileColumn nulls_column(std::int64_t count) {
  return {.optional = true,
          .num_values = count,
          .pages = data_page(count, Encoding::PLAIN, sized(run(static_cast<std::uint64_t>(count), 0)))};
}

const Bytes& honest_file() {
  static const Bytes file = file_of({nulls_column(10), nulls_column(10)}, 10);
  return file;
}

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;
/// A loose bound that separates seconds from minutes, on any machine and under sanitizers.
constexpr double kSeconds = 20;

/// Checks a file and compares its cost with that of a small valid file: at most 16 MB more memory, about as
/// many bytes read as there are, and kSeconds.
FileReport bounded(const Bytes& file, const CheckOptions& options = {}) {
  const Cost honest = cost_of(MemorySource(honest_file()));
  const Cost cost = cost_of(MemorySource(file), options);
  CHECK(cost.memory <= honest.memory + 16 * kMegabyte);
  CHECK(cost.read <= 4 * file.size() + kMegabyte);
  CHECK(cost.seconds < kSeconds);
  CHECK(validate_report(json_of(cost.report)) == "");
  return cost.report;
}

bool finds(const FileReport& report, std::string_view rule) {
  return std::ranges::any_of(report.findings,
                             [&](const ReportedFinding& one) { return info(one.finding.rule).id == rule; });
}

/// The first error, or the verdict if there is none, for a failed assertion.
std::string first_of(const FileReport& report) {
  return report.findings.empty() ? "no finding" : std::string(info(report.findings.front().finding.rule).id);
}

constexpr std::int64_t kMost = 2'147'483'647;  // INT32_MAX: values in a page, bytes in a page

TEST_CASE("two columns of 2^31-1 nulls, six bytes each, are checked at once") {
  const Bytes file = file_of({nulls_column(kMost), nulls_column(kMost)}, kMost);
  const Cost cost = cost_of(MemorySource(file));
  CAPTURE(first_of(cost.report));
  CHECK(cost.report.verdict == Verdict::conforming);
  CHECK(cost.report.values == 2 * static_cast<std::uint64_t>(kMost));
  CHECK(cost.seconds < 5);  // a look at each value would take longer
  bounded(file);
}

TEST_CASE("2^31-1 times the same dictionary entry is checked at once") {
  const HostileColumn column{.num_values = kMost,
                             .dictionary = dictionary_page(1, {7, 0, 0, 0}),
                             .pages = data_page(kMost, Encoding::RLE_DICTIONARY,
                                                Bytes{1} + run(static_cast<std::uint64_t>(kMost), 0)),
                             .encodings = {Encoding::PLAIN, Encoding::RLE_DICTIONARY}};
  const FileReport report = bounded(file_of({column}, kMost));
  CAPTURE(first_of(report));
  CHECK(report.verdict == Verdict::conforming);
}

TEST_CASE("2^31-1 booleans in one run are checked at once") {
  const HostileColumn column{
      .type = Type::BOOLEAN,
      .num_values = kMost,
      .pages = data_page(kMost, Encoding::RLE, sized(run(static_cast<std::uint64_t>(kMost), 1))),
      .encodings = {Encoding::RLE}};
  const FileReport report = bounded(file_of({column}, kMost));
  CAPTURE(first_of(report));
  CHECK(report.verdict == Verdict::conforming);
}

TEST_CASE("a file that claims 2^60 rows of ten values is bounded") {
  constexpr std::int64_t kRows = std::int64_t{1} << 60;
  HostileColumn column = nulls_column(10);
  CHECK(bounded(file_of({column}, kRows)).verdict == Verdict::nonconforming);
  column.num_values = kRows;
  const FileReport report = bounded(file_of({column}, kRows));
  CHECK(report.verdict == Verdict::nonconforming);
  CHECK(finds(report, "column-chunk/num-values"));
}

TEST_CASE("a page that claims 2^31-1 values without having them is bounded") {
  for (const Type type : {Type::BOOLEAN, Type::INT32, Type::INT64, Type::INT96, Type::FLOAT, Type::DOUBLE,
                          Type::BYTE_ARRAY, Type::FIXED_LEN_BYTE_ARRAY}) {
    for (const int encoding : {0, 3, 5, 6, 7, 8, 9, 10}) {
      CAPTURE(static_cast<int>(type), encoding);
      HostileColumn column{.type = type, .num_values = kMost, .encodings = {static_cast<Encoding>(encoding)}};
      if (type == Type::FIXED_LEN_BYTE_ARRAY) column.type_length = 4;
      column.pages = data_page(kMost, static_cast<Encoding>(encoding),
                               {0x80, 0x01, 0x04, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x00});
      CHECK(bounded(file_of({column}, kMost)).verdict != Verdict::conforming);
    }
  }
}

TEST_CASE("2^31-1 values of no bytes are bounded") {
  HostileColumn column{.type = Type::FIXED_LEN_BYTE_ARRAY, .type_length = 0, .num_values = kMost};
  for (const Encoding encoding : {Encoding::PLAIN, Encoding::BYTE_STREAM_SPLIT}) {
    column.encodings = {encoding};
    column.pages = data_page(kMost, encoding, {});
    bounded(file_of({column}, kMost));
  }
  const CheckOptions options{.advice = true};
  column.encodings = {Encoding::PLAIN, Encoding::RLE_DICTIONARY};
  column.dictionary = dictionary_page(kMost, {});
  column.pages =
      data_page(kMost, Encoding::RLE_DICTIONARY, Bytes{0} + run(static_cast<std::uint64_t>(kMost), 0));
  bounded(file_of({column}, kMost), options);
}

TEST_CASE("a delta stream of one block with 2^31-1 values of width 0 is bounded") {
  // Header: block size, 4 miniblocks, number of values, first value; then the minimum delta and four widths
  // of 0.
  Struct numbers;  // only for its varints
  Bytes stream;
  thrift::Emitter emitter(stream);
  emitter.varint(std::uint64_t{1} << 31);
  emitter.varint(4);
  emitter.varint(static_cast<std::uint64_t>(kMost));
  emitter.integer(0);
  emitter.integer(0);
  stream = stream + Bytes{0, 0, 0, 0};
  const HostileColumn column{.num_values = kMost,
                             .pages = data_page(kMost, Encoding::DELTA_BINARY_PACKED, stream),
                             .encodings = {Encoding::DELTA_BINARY_PACKED}};
  const FileReport report = bounded(file_of({column}, kMost));
  CHECK(report.counts.error == 0);
}

TEST_CASE("a dictionary of a few bytes that claims 2 GB and 2^31-1 entries is bounded") {
  for (const auto& [codec, stored] :
       {std::pair(CompressionCodec::UNCOMPRESSED, Bytes{1, 2, 3, 4}),
        {CompressionCodec::SNAPPY, Bytes{0xff, 0xff, 0xff, 0xff, 0x07, 0x00, 0x61}},
        {CompressionCodec::GZIP, gzip_of({1, 2, 3, 4})},
        {CompressionCodec::LZO, Bytes{0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 1, 0}},
        {CompressionCodec::BROTLI, Bytes{0x3f, 0, 0, 0}},
        {CompressionCodec::LZ4, Bytes{0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 1, 0}},
        {CompressionCodec::ZSTD, zstd_of({1, 2, 3, 4})},
        {CompressionCodec::LZ4_RAW, Bytes{0x10, 0x61}}}) {
    CAPTURE(static_cast<int>(codec));
    const HostileColumn column{.codec = codec,
                               .num_values = 4,
                               .dictionary = dictionary_page(kMost, stored, kMost),
                               .pages = data_page(4, Encoding::RLE_DICTIONARY, Bytes{1} + run(4, 0)),
                               .encodings = {Encoding::PLAIN, Encoding::RLE_DICTIONARY}};
    CHECK(bounded(file_of({column}, 4)).verdict != Verdict::conforming);
  }
}

TEST_CASE("a decompression bomb is expanded no further than the size of the page") {
  const Bytes zeros(64 * kMegabyte);
  for (const auto& [codec, stored] :
       {std::pair(CompressionCodec::GZIP, gzip_of(zeros)), {CompressionCodec::ZSTD, zstd_of(zeros)}}) {
    CAPTURE(static_cast<int>(codec), stored.size());
    HostileColumn column{.codec = codec, .num_values = 3, .pages = data_page(3, Encoding::PLAIN, stored, 12)};
    const FileReport report = bounded(file_of({column}, 3));
    CHECK(report.verdict == Verdict::malformed);
    CHECK(finds(report, "page/uncompressed-size"));

    // The claimed size is correct, and above the limit.
    column.pages = data_page(3, Encoding::PLAIN, stored, static_cast<std::int64_t>(zeros.size()));
    column.uncompressed = static_cast<std::int64_t>(zeros.size() + column.pages.size() - stored.size());
    const CheckOptions options{.limits = {.page_bytes = kMegabyte}};
    const FileReport refused = bounded(file_of({column}, 3), options);
    CHECK(refused.verdict == Verdict::limit);
    CHECK(finds(refused, "limit/page-size"));
  }
}

TEST_CASE("a footer of 4 GB at the end of 1 TB is above the limit") {
  const SparseSource source(std::uint64_t{1} << 40, {0xff, 0xff, 0xff, 0xff, 'P', 'A', 'R', '1'});
  const Cost cost = cost_of(source);
  CHECK(cost.report.verdict == Verdict::limit);
  CHECK(finds(cost.report, "limit/footer-size"));
  CHECK(cost.memory <= 16 * kMegabyte);
  CHECK(cost.read <= kMegabyte);
}

TEST_CASE("of a chunk of zeros that claims 1 TB only the first bytes are read") {
  Struct footer;
  constexpr std::int64_t kTerabyte = std::int64_t{1} << 40;
  add_schema(footer);
  footer.i64(3, 1).list(4, Wire::struct_, 1);
  begin_row_group(footer, 1, kTerabyte, kTerabyte - 1000);
  footer.end().i64(2, kTerabyte).i64(3, 1).end();
  const Bytes file = file_of(footer.bytes());
  const SparseSource source(static_cast<std::uint64_t>(kTerabyte), {file.begin() + 4, file.end()});
  const Cost cost = cost_of(source);
  CHECK(cost.report.verdict == Verdict::malformed);
  CHECK(cost.memory <= 16 * kMegabyte);
  CHECK(cost.read <= 64 * kMegabyte);
}

TEST_CASE("a footer longer than its file is malformed") {
  for (const std::uint8_t length : {std::uint8_t{0x7f}, std::uint8_t{0xff}}) {
    Bytes file = honest_file();
    for (std::size_t i = 5; i <= 8; ++i) file[file.size() - i] = length;
    const FileReport report = bounded(file);
    CHECK(report.verdict == Verdict::malformed);
    CHECK(finds(report, "file/footer-length"));
  }
}

TEST_CASE("a schema whose root claims a thousand million children is malformed") {
  for (const std::int64_t children : {std::int64_t{1'000'000'000}, kMost}) {
    Struct footer;
    footer.i32(1, 1).list(2, Wire::struct_, 1).element().text(4, "root").i32(5, children).end();
    footer.i64(3, 0).list(4, Wire::struct_, 0);
    const FileReport report = bounded(file_of(footer.bytes()));
    CHECK(report.verdict == Verdict::malformed);
    CHECK(finds(report, "schema/tree"));
  }
}

TEST_CASE("a list that claims 2^31-1 elements is malformed, wherever it is") {
  const auto most = static_cast<std::uint64_t>(kMost);
  for (const Wire wire :
       {Wire::bool_true, Wire::i8, Wire::i32, Wire::binary, Wire::list, Wire::map, Wire::struct_}) {
    for (const int id : {2, 4, 5, 7, 100}) {
      CAPTURE(static_cast<int>(wire), id);
      Struct footer;
      footer.i32(1, 1).list(id, wire, most).raw({0, 0, 0});
      CHECK(bounded(file_of(footer.bytes())).verdict == Verdict::malformed);
    }
  }
}

TEST_CASE("structs and lists that nest 100,000 deep are bounded") {
  constexpr std::size_t kDepth = 100'000;
  for (const std::uint8_t level : {std::uint8_t{0x1c}, std::uint8_t{0x19}}) {  // field 1: a struct, a list
    Struct footer;
    footer.i32(1, 1).list(2, Wire::struct_, 1).element().text(4, "root").i32(5, 0).end();
    footer.i64(3, 0).list(4, Wire::struct_, 0);
    Bytes nest;
    if (level == 0x1c) {
      nest = Bytes(kDepth, level) + Bytes(kDepth, 0);
    } else {
      nest = Bytes(kDepth, level) + Bytes{0x03};  // lists of one list, at last an empty list of bytes
    }
    footer.begin(100).raw(nest);
    footer.end();
    const FileReport report = bounded(file_of(footer.bytes()));
    CAPTURE(first_of(report));
    CHECK(report.verdict != Verdict::conforming);
    CHECK(finds(report, "thrift/nesting-depth"));
  }
}

TEST_CASE("groups that nest 100,000 deep are bounded", "[limit/schema-depth]") {
  constexpr std::uint64_t kDepth = 100'000;
  Struct footer;
  footer.i32(1, 1).list(2, Wire::struct_, kDepth + 1);
  for (std::uint64_t i = 0; i < kDepth; ++i) footer.element().i32(3, 1).text(4, "g").i32(5, 1).end();
  footer.element().i32(1, 1).i32(3, 1).text(4, "leaf").end();
  footer.i64(3, 0).list(4, Wire::struct_, 0);
  const Bytes file = file_of(footer.bytes());
  const Cost cost = cost_of(MemorySource(file));
  CAPTURE(first_of(cost.report));
  CHECK(cost.report.verdict == Verdict::limit);
  CHECK(finds(cost.report, "limit/schema-depth"));
  CHECK(cost.memory <= 16 * kMegabyte + 20 * file.size());  // as any schema of as many elements
  CHECK(cost.seconds < kSeconds);
}

TEST_CASE("a flat schema of 100,000 columns and 100 row groups without any is bounded") {
  constexpr std::uint64_t kColumns = 100'000;
  Struct footer;
  footer.i32(1, 1).list(2, Wire::struct_, kColumns + 1);
  footer.element().text(4, "root").i32(5, kColumns).end();
  for (std::uint64_t i = 0; i < kColumns; ++i)
    footer.element().i32(1, 1).i32(3, 0).text(4, std::to_string(i)).end();
  footer.i64(3, 0).list(4, Wire::struct_, 100);
  for (int i = 0; i < 100; ++i) footer.element().list(1, Wire::struct_, 0).i64(2, 0).i64(3, 0).end();
  const Bytes file = file_of(footer.bytes());
  const Cost cost = cost_of(MemorySource(file));
  CHECK(cost.report.verdict != Verdict::conforming);
  CHECK(cost.memory <= 16 * kMegabyte + 20 * file.size());
  CHECK(cost.seconds < kSeconds);
}

TEST_CASE("a chunk that 20,000 row groups share is not read 20,000 times") {
  constexpr std::uint64_t kGroups = 20'000;
  Bytes page;
  for (int i = 0; i < 100; ++i) page = page + data_page(1, Encoding::PLAIN, {1, 0, 0, 0});
  const auto stored = static_cast<std::int64_t>(page.size());
  Struct footer;
  add_schema(footer);
  footer.i64(3, 100 * static_cast<std::int64_t>(kGroups)).list(4, Wire::struct_, kGroups);
  for (std::uint64_t i = 0; i < kGroups; ++i) {
    begin_row_group(footer, 100, stored, stored);
    footer.end().i64(2, stored).i64(3, 100).end();
  }
  const Bytes file = file_of(footer.bytes(), page);
  for (const Tier tier : {Tier::pages, Tier::values}) {
    CheckOptions options{.tier = tier, .listed = 0};
    const Cost cost = cost_of(MemorySource(file), options);
    CAPTURE(file.size(), cost.read, cost.memory);
    CHECK(cost.report.verdict == Verdict::limit);
    CHECK(finds(cost.report, "limit/work"));
    CHECK(cost.read <= 100 * file.size());
    CHECK(cost.seconds < kSeconds);
    for (options.jobs = 2; options.jobs <= (few_cases() ? 2 : 3); ++options.jobs) {
      CHECK(json_of(check(MemorySource(file), "hostile", options)) == json_of(cost.report));
    }
  }
}

/// 10,000 chunks, each with an offset index of so many bytes, `apart` from that of the chunk before, in an
/// OffsetIndex of 100,000 pages.
Bytes many_indexes(std::int64_t length, std::int64_t apart) {
  constexpr std::int64_t kGroups = 10'000;
  Struct index;
  index.list(1, Wire::struct_, 100'000);
  for (int i = 0; i < 100'000; ++i) index.element().i64(1, 4).i32(2, 30).i64(3, 0).end();
  const Bytes before = index.bytes();
  Struct footer;
  add_schema(footer);
  footer.i64(3, 0).list(4, Wire::struct_, kGroups);
  for (std::int64_t i = 0; i < kGroups; ++i) {
    begin_row_group(footer, 1, 30, 30);
    footer.i64(4, 4 + i * apart).i32(5, length < 0 ? static_cast<std::int64_t>(before.size()) : length);
    footer.end().i64(2, 30).i64(3, 1).end();
  }
  return file_of(footer.bytes(), before);
}

TEST_CASE("an index that 10,000 column chunks share is not read 10,000 times") {
  const Bytes file = many_indexes(-1, 0);
  const Cost cost = cost_of(MemorySource(file));
  CHECK(finds(cost.report, "limit/work"));
  CHECK(cost.read <= 100 * file.size());
  CHECK(cost.seconds < kSeconds);
}

TEST_CASE("the search for 10,000 unreadable indexes is bounded") {
  for (const std::int64_t length : {0, 12, 40}) {
    for (const std::int64_t apart : {0, 12, 50}) {
      if (few_cases() && (length == 0) != (apart == 0)) continue;
      const Bytes file = many_indexes(length, apart);
      const Cost cost = cost_of(MemorySource(file));
      CAPTURE(length, apart, cost.seconds, cost.read, file.size());
      CHECK(cost.report.verdict == Verdict::malformed);
      CHECK(cost.read <= 100 * file.size());
      CHECK(cost.seconds < kSeconds);
    }
  }
}

/// A page whose levels claim more bytes than it has, followed by `unit` repeatedly where the next page should
/// be.
Bytes page_before(const Bytes& unit) {
  constexpr std::size_t kBytes = 60'000;
  Bytes bytes = data_page(10'000, Encoding::PLAIN, {0xFF, 0xFF, 0xFF, 0x7F});
  while (bytes.size() < kBytes) bytes = std::move(bytes) + unit;
  return bytes;
}

TEST_CASE("only few of the offsets that resemble a page header are parsed in full") {
  // Lists in lists of numbers with too many bytes: from nearly any of them on, all that follow are one value.
  Bytes unit{0x8B, 0x79, 0x31, 0x2F, 0xE6, 0xC5, 0xBC, 0x98, 0x17, 0xF3, 0x62, 0x5E, 0xCC};
  SECTION("none looks like one") {}
  SECTION("all look like one") {  // page type, sizes, and a struct with a long list
    unit = Bytes{0x15, 0x00, 0x15, 0x02, 0x15, 0x02, 0x2C, 0x99, 0xF4, 0xE8, 0x07} + unit;
  }
  const HostileColumn column{.optional = true, .num_values = 10'000, .pages = page_before(unit)};
  const Cost cost = cost_of(MemorySource(file_of({column}, 10'000)));
  CAPTURE(cost.seconds);
  CHECK(finds(cost.report, "levels/length-prefix"));
  CHECK(cost.seconds < kSeconds);
}

TEST_CASE("a hundred thousand faults of one kind cost time in proportion") {
  constexpr std::uint64_t kMany = 100'000;
  const auto begin = [](Struct& footer) { footer.i32(1, 1).list(2, Wire::struct_, kMany + 1); };
  const auto column = [](Struct& footer, const std::string& name) {
    footer.element().i32(1, 1).i32(3, 0).text(4, name).end();
  };
  const auto root = [](Struct& footer) { footer.element().text(4, "root").i32(5, kMany).end(); };
  Struct footer;
  SECTION("keys that are all the same") {
    footer.i32(1, 1).list(2, Wire::struct_, 1).element().text(4, "root").i32(5, 0).end();
    footer.i64(3, 0).list(4, Wire::struct_, 0);
    footer.list(5, Wire::struct_, kMany);
    for (std::uint64_t i = 0; i < kMany; ++i) footer.element().text(1, "k").end();
  }
  SECTION("column names that are all the same") {
    begin(footer);
    root(footer);
    for (std::uint64_t i = 0; i < kMany; ++i) column(footer, "a");
    footer.i64(3, 0).list(4, Wire::struct_, 0);
  }
  SECTION("column orders that are all wrong") {
    begin(footer);
    root(footer);
    for (std::uint64_t i = 0; i < kMany; ++i) column(footer, std::to_string(i));
    footer.i64(3, 0).list(4, Wire::struct_, 0).list(7, Wire::struct_, kMany);
    for (std::uint64_t i = 0; i < kMany; ++i) footer.element().begin(3).end().end();
  }
  SECTION("column orders without a member") {
    begin(footer);
    root(footer);
    for (std::uint64_t i = 0; i < kMany; ++i) column(footer, std::to_string(i));
    footer.i64(3, 0).list(4, Wire::struct_, 0).list(7, Wire::struct_, kMany);
    for (std::uint64_t i = 0; i < kMany; ++i) footer.element().end();
  }
  SECTION("encodings that nothing uses") {
    add_schema(footer);
    footer.i64(3, 0).list(4, Wire::struct_, 1).element().list(1, Wire::struct_, 1);
    footer.element().i64(2, 0).begin(3);
    footer.i32(1, 1).list(2, Wire::i32, kMany);
    for (std::uint64_t i = 0; i < kMany; ++i) footer.number(static_cast<std::int64_t>(i % 10));
    footer.list(3, Wire::binary, kMany);
    for (std::uint64_t i = 0; i < kMany; ++i) footer.name("a");
    footer.i32(4, 0).i64(5, 0).i64(6, 0).i64(7, 0).list(8, Wire::struct_, kMany);
    for (std::uint64_t i = 0; i < kMany; ++i) footer.element().text(1, "k").end();
    footer.i64(9, 4).list(13, Wire::struct_, kMany);
    for (std::uint64_t i = 0; i < kMany; ++i) footer.element().i32(1, 0).i32(2, 0).i32(3, 0).end();
    footer.end().end().i64(2, 0).i64(3, 0).list(4, Wire::struct_, kMany);
    for (std::uint64_t i = 0; i < kMany; ++i) footer.element().i32(1, 7).flag(2, true).flag(3, true).end();
    footer.end();
  }
  SECTION("fields that are repeated") {
    for (std::uint64_t i = 0; i < kMany; ++i) footer.raw({0x05, 0x02, 0x02});  // field 1 in the long form
  }
  SECTION("row groups without anything") {
    add_schema(footer);
    footer.i64(3, 0).list(4, Wire::struct_, kMany);
    for (std::uint64_t i = 0; i < kMany; ++i) footer.element().end();
  }
  const Bytes file = file_of(footer.bytes());
  const Cost cost = cost_of(MemorySource(file), {.advice = true});
  CAPTURE(file.size(), cost.seconds);
  CHECK(cost.report.findings.size() > 1);
  CHECK(cost.memory <= 40 * kMegabyte + 20 * file.size());
  CHECK(cost.seconds < kSeconds);
}

/// A file that is truncated while it is read: after `reads` reads its bytes from `length` on are gone.
class ShrinkingSource final : public Source {
 public:
  ShrinkingSource(const Bytes& bytes, std::uint64_t reads, std::uint64_t length)
      : source_(bytes), reads_(reads), length_(length) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return source_.size(); }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
    if (reads_ == 0 && offset + into.size() > length_) {
      failed_ = true;
      return false;
    }
    if (reads_ != 0) --reads_;
    return source_.read(offset, into);
  }
  [[nodiscard]] bool failed() const noexcept { return failed_; }

 private:
  MemorySource source_;
  mutable std::uint64_t reads_;
  std::uint64_t length_;
  mutable bool failed_ = false;
};

TEST_CASE("a file that shrinks while it is read is unreadable, unless the lost bytes are not needed") {
  std::uint64_t failures = 0;
  for (const char* path : {"corpus/witnesses/legal/dictionary-fallback/pass-a.parquet",
                           "corpus/writers/pyarrow/page-index-flat.parquet",
                           "corpus/writers/parquet-java/bloom-filters.parquet"}) {
    std::vector<std::string> paths = files_below("corpus", ".parquet");
    if (std::ranges::find(paths, path) == paths.end()) FAIL(path << " is not there");
    const Bytes bytes = read_bytes(path);
    const std::string intact = json_of(judged(bytes));
    for (std::uint64_t reads = 0; reads < 40; reads += few_cases() ? 3 : 1) {
      for (std::uint64_t length = 0; length < bytes.size(); length += 1 + bytes.size() / 50) {
        const ShrinkingSource source(bytes, reads, length);
        const FileReport report = check(source, "file", {});
        CAPTURE(path, reads, length);
        CHECK(validate_report(json_of(report)) == "");
        if (source.failed()) {
          ++failures;
          CHECK(report.verdict == Verdict::unreadable);
          CHECK(exit_code(report) == 2);
          CHECK_FALSE(report.not_run.empty());
        } else {
          CHECK(json_of(report) == intact);
        }
      }
    }
  }
  CHECK(failures > 0);
}

}  // namespace
}  // namespace support
