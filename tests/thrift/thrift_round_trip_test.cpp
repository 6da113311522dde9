// Structs that we write and Apache Thrift reads, and the reverse.
#include <catch2/catch_test_macros.hpp>
#include <string_view>

#include "codec/rules/rule.hpp"
#include "codec/thrift/emitter.hpp"
#include "codec/thrift/reader.hpp"
#include "tests/support/random_struct.hpp"
#include "tests/support/structs.hpp"
#include "tests/thrift/apache.hpp"

namespace parqproof::test {
namespace {

constexpr int kInstances = 300;
RuleSet every_rule() { return RuleSet{}.set(); }

/// Ours -> Apache's reader and writer -> our reader and emitter; all three forms are the same bytes, and no
/// rule is broken.
template <typename Struct, typename Generated>
void round_trips(std::uint64_t seed) {
  RandomStructs random(seed);
  for (int i = 0; i < kInstances; ++i) {
    INFO(Struct::kType.name << ", instance " << i);
    const std::vector<std::uint8_t> ours = random.bytes(Struct::kType);
    std::size_t rest = 0;
    const std::vector<std::uint8_t> theirs = rewritten_by_apache<Generated>(ours, rest);
    REQUIRE(rest == 0);
    REQUIRE(theirs == ours);

    Findings findings(every_rule());
    const View view{theirs, 1000};
    thrift::Reader reader(view, {&findings, {}, {}}, kLimits);
    Struct read;
    REQUIRE(reader.read(read));
    for (const Finding& finding : findings.all())
      FAIL_CHECK(info(finding.rule).id << " at " << finding.offset);
    REQUIRE(reader.rest().empty());
    REQUIRE(read.fields.offset == view.base);
    REQUIRE(read.fields.end == view.end());
    std::vector<std::uint8_t> again;
    thrift::emit(read, again);
    REQUIRE(again == ours);
    random.clear();
  }
}

std::uint64_t seed_of(std::string_view name) {
  std::uint64_t seed = 17;
  for (const char letter : name) seed = seed * 31 + static_cast<unsigned char>(letter);
  return seed;
}

TEST_CASE("Apache Thrift and our reader read each other's structs alike", "[unit]"){
#define PARQPROOF_ROUND_TRIP(name) \
  SECTION(#name) { round_trips<name, parqproof_idl::name>(seed_of(#name)); }
    PARQPROOF_STRUCTS(PARQPROOF_ROUND_TRIP)
#undef PARQPROOF_ROUND_TRIP
}

TEST_CASE("a struct without fields is one stop byte to Apache Thrift and to us", "[unit]"){
#define PARQPROOF_EMPTY(name)                                              \
  SECTION(#name) {                                                         \
    const EmptyStruct plain;                                               \
    std::vector<std::uint8_t> ours;                                        \
    thrift::emit(k##name, &plain, ours);                                   \
    REQUIRE(ours == std::vector<std::uint8_t>{0});                         \
    std::size_t rest = 1;                                                  \
    REQUIRE(rewritten_by_apache<parqproof_idl::name>(ours, rest) == ours); \
    REQUIRE(rest == 0);                                                    \
  }
    PARQPROOF_EMPTY_STRUCTS(PARQPROOF_EMPTY)
#undef PARQPROOF_EMPTY
}

TEST_CASE("our reader reads the values that Apache Thrift was given in C++", "[unit]") {
  parqproof_idl::ColumnMetaData theirs;
  theirs.type = parqproof_idl::Type::FIXED_LEN_BYTE_ARRAY;
  theirs.encodings = {parqproof_idl::Encoding::BYTE_STREAM_SPLIT, parqproof_idl::Encoding::RLE};
  theirs.path_in_schema = {"a", "list", "\u00e9l\u00e9ment"};
  theirs.codec = parqproof_idl::CompressionCodec::LZ4_RAW;
  theirs.num_values = INT64_MIN;
  theirs.total_uncompressed_size = INT64_MAX;
  theirs.total_compressed_size = -1;
  theirs.data_page_offset = 4;
  theirs.__set_bloom_filter_length(INT32_MIN);
  parqproof_idl::Statistics statistics;
  statistics.__set_min_value(std::string("\0\xff", 2));
  statistics.__set_is_min_value_exact(false);
  theirs.__set_statistics(statistics);
  auto buffer = std::make_shared<apache::thrift::transport::TMemoryBuffer>();
  Protocol protocol(buffer);
  theirs.write(&protocol);
  const std::string bytes = buffer->getBufferAsString();

  thrift::Reader reader({{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}}, {}, kLimits);
  ColumnMetaData ours;
  REQUIRE(reader.read(ours));
  CHECK(reader.faults() == 0);
  CHECK(ours.type == Type::FIXED_LEN_BYTE_ARRAY);
  std::vector<std::int64_t> encodings;
  thrift::for_each_integer(ours.encodings,
                           [&](std::int64_t value, std::uint32_t) { encodings.push_back(value); });
  CHECK(encodings == std::vector<std::int64_t>{9, 3});
  std::vector<std::string> path;
  thrift::for_each_string(ours.path_in_schema, [&](View part, std::uint32_t) {
    path.emplace_back(reinterpret_cast<const char*>(part.data()), part.size());
  });
  CHECK(path == theirs.path_in_schema);
  CHECK(ours.codec == CompressionCodec::LZ4_RAW);
  CHECK(ours.num_values == INT64_MIN);
  CHECK(ours.total_uncompressed_size == INT64_MAX);
  CHECK(ours.total_compressed_size == -1);
  CHECK_FALSE(ours.has(ColumnMetaData::id_key_value_metadata));
  CHECK(ours.data_page_offset == 4);
  CHECK(ours.bloom_filter_length == INT32_MIN);
  CHECK(ours.has(ColumnMetaData::id_statistics));
  CHECK_FALSE(ours.statistics.has(Statistics::id_max_value));
  REQUIRE(ours.statistics.min_value.size() == 2);
  CHECK(ours.statistics.min_value.bytes[1] == 0xFF);
  CHECK(ours.statistics.has(Statistics::id_is_min_value_exact));
  CHECK_FALSE(ours.statistics.is_min_value_exact);
}

}  // namespace
}  // namespace parqproof::test
