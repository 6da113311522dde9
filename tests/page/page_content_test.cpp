#include "codec/page/page_content.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <tuple>

#include "codec/page/checksum.hpp"
#include "codec/page/header_faults.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/report/words/wording.hpp"
#include "tests/page/written_levels.hpp"
#include "tests/page/written_pages.hpp"
#include "tests/support/compressed.hpp"

namespace support {
namespace {

using namespace parqproof;
using State = PageContent::State;
using Means = HeaderFault::Means;

constexpr std::size_t kImageBytes = 3000;
const Bytes kImage(kImageBytes, 0x41);

/// A page and its opened content.
struct Opened {
  explicit Opened(const PageShape& shape, CompressionCodec codec = CompressionCodec::UNCOMPRESSED,
                  bool with_checksum = true)
      : in(shape) {
    REQUIRE(in.state == PageReader::State::read);
    state = content.open(in.reader, in.page, codec, with_checksum, room, notes);
  }
  [[nodiscard]] Bytes image() const { return {content.image().bytes.begin(), content.image().bytes.end()}; }

  PageInBytes in;
  Decompressor decompressor;
  PageContent content{decompressor, in.limits};
  Buffer room;
  Notes notes;
  State state{};
};

PageShape snappy_page() { return {.body = snappy_of(kImage), .uncompressed = kImageBytes}; }

/// A leaf with a maximum of each kind of levels.
Node leaf_of(std::uint32_t max_definition, std::uint32_t max_repetition, Type type = Type::INT32) {
  return {.max_definition = max_definition, .max_repetition = max_repetition, .type = type, .is_leaf = true};
}

using Fault = std::tuple<Rule, std::string, Means>;

std::vector<Fault> faults_of(const PageShape& shape, const Node& leaf = leaf_of(1, 1)) {
  const PageInBytes in(shape);
  REQUIRE(in.page.can_be_skipped());
  std::vector<Fault> faults;
  for (const HeaderFault& fault : header_faults(in.page, leaf)) {
    CHECK(fault.fault.at == PageFault::At::header);
    faults.emplace_back(fault.fault.rule(), fault.fault.field, fault.means);
  }
  return faults;
}

TEST_CASE("a stored page is its own image, and a compressed one is expanded") {
  const Opened stored({.body = kImage});
  CHECK(stored.state == State::open);
  CHECK_FALSE(stored.content.is_compressed());
  CHECK(stored.content.image().data() == stored.content.stored().data());
  CHECK(stored.content.image().base == stored.in.page.body);
  CHECK(stored.image() == kImage);
  const Opened compressed(snappy_page(), CompressionCodec::SNAPPY);
  CHECK(compressed.state == State::open);
  CHECK(compressed.content.is_compressed());
  CHECK(compressed.content.image().space == Space::page);
  CHECK(compressed.image() == kImage);
  CHECK(compressed.content.stored().size() == snappy_of(kImage).size());
}

TEST_CASE("levels of a v2 page are not compressed, and precede its image nevertheless") {
  const Bytes levels{2, 1, 2, 0};
  const Opened page({.type = PageType::DATA_PAGE_V2,
                     .body = levels + snappy_of(kImage),
                     .uncompressed = kImageBytes + 4,
                     .definition_bytes = 2,
                     .repetition_bytes = 2},
                    CompressionCodec::SNAPPY);
  CHECK(page.state == State::open);
  CHECK(page.content.is_compressed());
  CHECK(page.image() == levels + kImage);
  CHECK_FALSE(page.content.is_mislabelled());
}

TEST_CASE("a v2 page that claims to be uncompressed is recognized by its bytes") {
  PageShape shape{.type = PageType::DATA_PAGE_V2,
                  .body = snappy_of(kImage),
                  .uncompressed = kImageBytes,
                  .is_compressed = false};
  const Opened expanded(shape, CompressionCodec::SNAPPY);
  CHECK(expanded.state == State::open);
  CHECK(expanded.content.is_mislabelled());
  CHECK(expanded.image() == kImage);
  shape.body = Bytes(20, 0xff);  // no stream of the codec
  const Opened as_stored(shape, CompressionCodec::SNAPPY);
  CHECK(as_stored.state == State::open);
  CHECK(as_stored.content.is_mislabelled());
  CHECK_FALSE(as_stored.content.is_compressed());
  CHECK(as_stored.image() == shape.body);
  CHECK(as_stored.notes.all().empty());
  shape.uncompressed = 20;
  CHECK_FALSE(Opened(shape, CompressionCodec::SNAPPY).content.is_mislabelled());
  shape.uncompressed = kImageBytes;
  CHECK_FALSE(Opened(shape, CompressionCodec::UNCOMPRESSED).content.is_mislabelled());
}

TEST_CASE("faults of one page are not reported for the next") {
  const PageShape mislabelled{.type = PageType::DATA_PAGE_V2,
                              .body = snappy_of(kImage),
                              .uncompressed = kImageBytes,
                              .is_compressed = false};
  const PageInBytes v2(
      {.type = PageType::DATA_PAGE_V2, .body = snappy_of(kImage), .uncompressed = kImageBytes});
  const PageInBytes v1(snappy_page());
  const PageInBytes plain({.body = kImage});
  for (const auto& [next, codec] :
       {std::pair{&v2, CompressionCodec::SNAPPY}, std::pair{&v1, CompressionCodec::SNAPPY},
        std::pair{&plain, CompressionCodec::UNCOMPRESSED}}) {
    Opened page(mislabelled, CompressionCodec::SNAPPY);
    REQUIRE(page.content.is_mislabelled());
    PageReader reader(next->source, next->limits, 0);
    CHECK(page.content.open(reader, next->page, codec, true, page.room, page.notes) == State::open);
    CHECK_FALSE(page.content.is_mislabelled());
    CHECK(page.content.is_compressed() == (codec == CompressionCodec::SNAPPY));
    CHECK(page.image() == kImage);
  }
}

TEST_CASE("a page whose bytes do not expand to what its header says is closed, with the reason",
          "[page/uncompressed-size][compression/stream]") {
  PageShape shape = snappy_page();
  shape.uncompressed = kImageBytes + 1;
  const Opened less(shape, CompressionCodec::SNAPPY);
  REQUIRE(less.state == State::closed);
  CHECK(less.content.fault().rule() == Rule::page_uncompressed_size);
  CHECK(less.content.fault().field == "uncompressed_page_size");
  CHECK(less.content.fault().contrast.found == 3001);
  CHECK(less.content.fault().contrast.expected == 3000);
  shape.uncompressed = kImageBytes - 1;
  const Opened more(shape, CompressionCodec::SNAPPY);
  REQUIRE(more.state == State::closed);
  CHECK(more.content.fault().rule() == Rule::page_uncompressed_size);
  CHECK(more.content.fault().contrast.expected == more_than(2999));
  shape = snappy_page();
  shape.body[5] = 0xff;
  shape.body.resize(8);
  const Opened broken(shape, CompressionCodec::SNAPPY);
  REQUIRE(broken.state == State::closed);
  CHECK(broken.content.fault().rule() == Rule::compression_stream);
  CHECK(broken.content.fault().at == PageFault::At::bytes);
  CHECK(broken.content.fault().error.offset == broken.in.page.body);
}

TEST_CASE("a checksum is correct, or a known confusion of writers, or wrong", "[crc/match]") {
  const auto opened = [](std::optional<std::uint32_t> crc, bool asked = true) {
    PageShape shape = snappy_page();
    shape.crc = crc;
    const Opened page(shape, CompressionCodec::SNAPPY, asked);
    const std::optional<PageFault> fault = page.content.checksum_fault(page.in.page);
    return std::tuple(page.content.checksum(), fault ? fault->contrast.detail : "none");
  };
  const Bytes body = snappy_of(kImage);
  CHECK(opened({}) == std::tuple(Checksum::not_compared, "none"));
  CHECK(opened(1, false) == std::tuple(Checksum::not_compared, "none"));
  CHECK(opened(crc32(body)) == std::tuple(Checksum::right, "none"));
  CHECK(opened(crc32c(body)) ==
        std::tuple(Checksum::castagnoli, ", and its CRC-32C is what the header says"));
  CHECK(opened(crc32(kImage)) ==
        std::tuple(Checksum::of_image, ", and the CRC-32 of its uncompressed bytes is what the header says"));
  CHECK(opened(crc32(body) ^ 1) == std::tuple(Checksum::wrong, ""));
}

TEST_CASE("the checksum of a page is compared without opening it, and that of the next page starts anew",
          "[crc/match]") {
  PageShape shape{.body = Bytes(20, 0xff), .uncompressed = 7};
  shape.crc = crc32(shape.body);
  PageInBytes in(shape);
  Decompressor decompressor;
  PageContent content(decompressor, in.limits);
  CHECK(content.open_stored(in.reader, in.page) == State::open);
  CHECK(content.checksum() == Checksum::right);
  in.page.header.crc ^= 1;
  CHECK(content.open_stored(in.reader, in.page) == State::open);
  CHECK(content.checksum() == Checksum::wrong);
  const std::optional<PageFault> fault = content.checksum_fault(in.page);
  REQUIRE(fault);
  CHECK(fault->rule() == Rule::crc_match);
  CHECK(fault->field == "crc");
  Buffer room;
  Notes notes;
  CHECK(content.open(in.reader, in.page, CompressionCodec::SNAPPY, true, room, notes) == State::closed);
  CHECK(content.checksum() == Checksum::wrong);
  CHECK(content.open(in.reader, in.page, CompressionCodec::UNCOMPRESSED, false, room, notes) == State::open);
  CHECK(content.checksum() == Checksum::not_compared);
}

TEST_CASE("a length prefix before v2 levels is skipped if they are readable only without it",
          "[levels/v2-prefix]") {
  const Schema schema = schema_of(1, {{"c", FieldRepetitionType::OPTIONAL}});
  const LevelReader before(schema, 0);
  const auto levels_after = [&](const Bytes& levels, PageType type, std::int64_t count) {
    const PageInBytes in({.type = type, .body = levels, .num_values = count});
    DataPageParts parts;
    parts.definition.bytes = {levels, 0, Space::page};
    parts.count = static_cast<std::uint64_t>(count);
    const bool passed = skip_length_prefixes(in.page, before, parts);
    CHECK(parts.definition.bytes.size() == levels.size() - (passed ? 4 : 0));
    return passed;
  };
  const Bytes prefixed = sized(run(100, 1));
  CHECK(levels_after(prefixed, PageType::DATA_PAGE_V2, 100));
  CHECK_FALSE(levels_after(prefixed, PageType::DATA_PAGE, 100));
  CHECK_FALSE(levels_after(run(100, 1), PageType::DATA_PAGE_V2, 100));
  CHECK_FALSE(levels_after(prefixed + Bytes{0}, PageType::DATA_PAGE_V2, 100));  // the word is no length
  CHECK_FALSE(levels_after(sized(run(99, 1)), PageType::DATA_PAGE_V2, 100));    // no better without
  // The first four bytes are a run of 24 zeros, and the length of the others by chance.
  const Bytes chance = sized(run(100, 1) + run(50, 1) + run(30, 0));
  REQUIRE(chance[0] == 7);
  CHECK_FALSE(levels_after(chance, PageType::DATA_PAGE_V2, 204));
}

TEST_CASE("a page above the limits reports which of its sizes is above", "[limit/page-size]") {
  PageInBytes in({.body = Bytes(4000), .uncompressed = 5000});
  const auto fault = [&](std::uint64_t page_bytes, std::uint64_t memory, std::uint64_t held = 0,
                         std::uint64_t more = 0) -> std::string {
    const Limits limits{.page_bytes = page_bytes, .memory_bytes = memory};
    const std::optional<PageFault> found = ceiling_fault(in.page, limits, held, more);
    if (!found) return "";
    return std::string(info(found->rule()).id) + " " + std::string(found->field) + " " +
           plain_text(found->contrast.found) + " " + plain_text(found->contrast.expected);
  };
  CHECK(fault(5000, 9000) == "");
  CHECK(fault(4999, 9000) == "limit/page-size uncompressed_page_size 5000 4999");
  CHECK(fault(5000, 8999) == "limit/memory uncompressed_page_size 9000 8999");
  CHECK(fault(5000, 9000, 1) == "limit/memory uncompressed_page_size 9001 9000");
  CHECK(fault(5000, 9000, 0, 2) == "limit/memory uncompressed_page_size 9002 9000");
  in.page.header.uncompressed_page_size = 10;
  CHECK(fault(1999, 9000) == "limit/page-size compressed_page_size 4000 1999");
  CHECK(fault(2000, 9000) == "");
  in.page.header.compressed_page_size = 2049;  // 1,024 bytes are always allowed
  CHECK(fault(10, 9000) == "");
}

TEST_CASE("a header of any type needs sizes, type and member",
          "[thrift/required-field][page/size-negative][page/header-member][page/unknown-type]") {
  const std::tuple<PageType, int, std::string, std::string> types[] = {
      {PageType::DATA_PAGE, 5, "data_page_header", "data_page_header.num_values"},
      {PageType::DATA_PAGE_V2, 8, "data_page_header_v2", "data_page_header_v2.num_values"},
      {PageType::DICTIONARY_PAGE, 7, "dictionary_page_header", "dictionary_page_header.num_values"}};
  for (const auto& [type, member, name, num_values] : types) {
    INFO(name);
    const Node leaf = leaf_of(0, 0);
    CHECK(faults_of({.type = type}, leaf).empty());
    CHECK(faults_of({.type = type, .without = {2}}, leaf) ==
          std::vector{Fault{Rule::thrift_required_field, "uncompressed_page_size", Means::no_numbers}});
    CHECK(faults_of({.type = type, .uncompressed = -3}, leaf) ==
          std::vector{Fault{Rule::page_size_negative, "uncompressed_page_size", Means::no_numbers}});
    CHECK(faults_of({.type = type, .without = {1}}, leaf) ==
          std::vector{Fault{Rule::thrift_required_field, "type", Means::no_numbers}});
    CHECK(faults_of({.type = type, .without = {member}}, leaf) ==
          std::vector{Fault{Rule::page_header_member, name, Means::no_numbers}});
    const Rule negative = type == PageType::DICTIONARY_PAGE ? Rule::dictionary_num_values_negative
                                                            : Rule::page_num_values_negative;
    CHECK(faults_of({.type = type, .num_values = -1}, leaf) ==
          std::vector{Fault{negative, num_values, Means::no_numbers}});
    CHECK(faults_of({.type = type, .member_without = {1}}, leaf) ==
          std::vector{Fault{Rule::thrift_required_field, num_values, Means::no_numbers}});
    const int encoding_id = type == PageType::DATA_PAGE_V2 ? 4 : 2;
    CHECK(faults_of({.type = type, .member_without = {encoding_id}}, leaf) ==
          std::vector{Fault{Rule::thrift_required_field, name + ".encoding", Means::no_numbers}});
    CHECK(faults_of({.type = type, .encoding = static_cast<Encoding>(77)}, leaf) ==
          std::vector{Fault{Rule::page_unknown_encoding, name + ".encoding", Means::unsupported}});
  }
  CHECK(faults_of({.type = PageType::INDEX_PAGE}).empty());
  CHECK(faults_of({.type = static_cast<PageType>(9)}) ==
        std::vector{Fault{Rule::page_unknown_type, "type", Means::unsupported}});
}

TEST_CASE("the encodings of a v1 page have to be for its type and for levels",
          "[page/level-encoding][page/unknown-level-encoding]") {
  const std::string definition = "data_page_header.definition_level_encoding";
  const std::string repetition = "data_page_header.repetition_level_encoding";
  CHECK(faults_of({.definition_encoding = Encoding::BIT_PACKED}).empty());
  CHECK(faults_of({.definition_encoding = Encoding::PLAIN}) ==
        std::vector{Fault{Rule::page_level_encoding, definition, Means::no_body}});
  CHECK(faults_of({.repetition_encoding = static_cast<Encoding>(77)}) ==
        std::vector{Fault{Rule::page_unknown_level_encoding, repetition, Means::unsupported}});
  const PageShape both{.definition_encoding = Encoding::PLAIN, .repetition_encoding = Encoding::PLAIN};
  CHECK(faults_of(both).size() == 2);
  CHECK(faults_of(both, leaf_of(1, 0)).size() == 1);
  CHECK(faults_of(both, leaf_of(0, 0)).empty());  // levels that are not stored have no encoding
  const std::vector<Fault> of_type =
      faults_of({.encoding = Encoding::DELTA_BINARY_PACKED}, leaf_of(0, 0, Type::DOUBLE));
  REQUIRE(of_type.size() == 1);
  CHECK(std::get<1>(of_type[0]) == "data_page_header.encoding");
  CHECK(std::get<2>(of_type[0]) == Means::no_body);
}

TEST_CASE("the lengths of v2 levels have to fit in the page, and not be 0 if levels are required",
          "[page/v2-level-lengths][page/v2-levels-present]") {
  const std::string definition = "data_page_header_v2.definition_levels_byte_length";
  const std::string repetition = "data_page_header_v2.repetition_levels_byte_length";
  const auto v2 = [](std::int64_t repetition_bytes, std::int64_t definition_bytes,
                     std::int64_t uncompressed = 10, std::int64_t num_values = 1) {
    return PageShape{.type = PageType::DATA_PAGE_V2,
                     .body = Bytes(10),
                     .uncompressed = uncompressed,
                     .num_values = num_values,
                     .definition_bytes = definition_bytes,
                     .repetition_bytes = repetition_bytes};
  };
  const auto lengths = [](const std::string& field) {
    return std::vector{Fault{Rule::page_v2_level_lengths, field, Means::no_body}};
  };
  const auto present = [](const std::string& field) {
    return Fault{Rule::page_v2_levels_present, field, Means::no_body};
  };
  CHECK(faults_of(v2(4, 6)).empty());
  CHECK(faults_of(v2(4, 7)) == lengths(definition));
  CHECK(faults_of(v2(11, 1)) == lengths(repetition));
  CHECK(faults_of(v2(-1, 1)) == lengths(repetition));
  CHECK(faults_of(v2(1, -1)) == lengths(definition));
  CHECK(faults_of(v2(4, 6, 9)) == lengths(definition));  // the smaller of the two sizes counts
  CHECK(faults_of(v2(0, 0)) == std::vector{present(repetition), present(definition)});
  CHECK(faults_of(v2(0, 0, 10, 0)).empty());
  CHECK(faults_of(v2(0, 0), leaf_of(0, 0)).empty());
  PageShape lacking = v2(1, 1);
  lacking.member_without = {6};
  CHECK(faults_of(lacking) == std::vector{Fault{Rule::thrift_required_field, repetition, Means::no_numbers}});
}

TEST_CASE("checksums have the check values of their catalogues") {
  CHECK(crc32(bytes_of("123456789")) == 0xCBF43926U);
  CHECK(crc32c(bytes_of("123456789")) == 0xE3069283U);
  CHECK(crc32({}) == 0);
  CHECK(crc32c({}) == 0);
}

}  // namespace
}  // namespace support
