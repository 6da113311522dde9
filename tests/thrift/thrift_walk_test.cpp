// thrift::walk() compared with a walk of Apache Thrift's TCompactProtocol. Both report the values and their
// offsets. They differ only where a rule is broken:
// - thrift/compact-protocol: Apache Thrift takes a header with an id delta and type 0 for a stop byte;
// - thrift/compact-protocol: Apache Thrift rejects an empty list whose unused element type is 13 to 15;
// - thrift/compact-protocol: Apache Thrift begins a list or map of elements of type 0, and fails at its first
//   element;
// - thrift/list-size, thrift/binary-length: Apache Thrift truncates sizes to 32 bits, and begins a list that
//   does not fit the remaining bytes;
// - thrift/varint-overflow: Apache Thrift truncates i16 and i32 to their width;
// - no rule: Apache Thrift 0.17 does not support type 13, UUID.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <map>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/format/page_index.hpp"
#include "codec/thrift/list_walk.hpp"
#include "tests/support/random_struct.hpp"
#include "tests/support/structs.hpp"
#include "tests/thrift/apache.hpp"

namespace parqproof::test {
namespace {

using thrift::Event;
using thrift::Wire;
using Bytes = std::vector<std::uint8_t>;

enum class Difference { none, uuid, stop_with_delta, empty_list_type, element_type, claim, number_cut };

bool container(Wire wire) { return wire == Wire::list || wire == Wire::set || wire == Wire::map; }

/// The reason why the binary, list, set or map cannot be read: its size exceeds the bytes after it, or the
/// type of its elements is 0.
Difference refusal(const Bytes& bytes, const NamelessEvent& event) {
  std::size_t at = event.at;
  std::uint64_t count = 0;
  bool size_follows = true;
  std::uint64_t min_bytes = 1;
  if (event.wire == Wire::list || event.wire == Wire::set) {
    count = bytes.at(at) >> 4;
    size_follows = count == 15;
    if (count != 0 && (bytes.at(at) & 15) == 0) return Difference::element_type;
    if ((bytes.at(at) & 15) == 7) min_bytes = 8;
    ++at;
  }
  if (size_follows) {
    count = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint64_t bits = bytes.at(at) & 0x7F;
      if (shift == 63 && bits > 1) return Difference::claim;
      count |= bits << shift;
      if (bytes.at(at++) < 0x80) break;
    }
  }
  if (event.wire == Wire::map && at < bytes.size()) {
    const std::uint8_t types = bytes[at++];
    if ((types >> 4) == 0 || (types & 15) == 0) return Difference::element_type;
    min_bytes = ((types >> 4) == 7 ? 8 : 1) + ((types & 15) == 7 ? 8 : 1);
  }
  return count > INT32_MAX || count > (bytes.size() - at) / min_bytes ? Difference::claim : Difference::none;
}

/// Apache Thrift's value of an integer that does not fit its type.
std::int64_t cut(const NamelessEvent& ours) {
  const std::int32_t low = unzigzag(static_cast<std::uint32_t>(zigzag(ours.integer)));
  return ours.wire == Wire::i16 ? static_cast<std::int16_t>(low) : low;
}

/// Fails the test if the two walks differ for no known reason; else returns the last reason.
Difference compare(const Bytes& bytes, const NamelessWalk& ours, const NamelessWalk& theirs) {
  Difference last = Difference::none;
  std::size_t i = 0;
  for (; i < ours.events.size() && i < theirs.events.size(); ++i) {
    if (ours.events[i] == theirs.events[i]) continue;
    NamelessEvent narrow = ours.events[i];
    if (narrow.wire == Wire::i16 || narrow.wire == Wire::i32) narrow.integer = cut(narrow);
    if (narrow != theirs.events[i]) break;
    last = Difference::number_cut;
  }
  const NamelessEvent* our_next = i < ours.events.size() ? &ours.events[i] : nullptr;
  const NamelessEvent* their_next = i < theirs.events.size() ? &theirs.events[i] : nullptr;
  if (our_next == nullptr && their_next == nullptr) {
    REQUIRE(ours.intact == theirs.intact);
    if (ours.intact) REQUIRE(ours.end == theirs.end);
    return last;
  }
  if (our_next == nullptr) {
    REQUIRE_FALSE(ours.intact);
    if (their_next->what == Event::What::end_struct) {
      REQUIRE(bytes.at(their_next->at) != 0);
      REQUIRE((bytes.at(their_next->at) & 15) == 0);
      return Difference::stop_with_delta;
    }
    REQUIRE((container(their_next->wire) || their_next->wire == Wire::binary));
    const Difference why = refusal(bytes, *their_next);
    REQUIRE(why != Difference::none);
    if (why == Difference::element_type) REQUIRE_FALSE(theirs.intact);
    return why;
  }
  REQUIRE(their_next == nullptr);
  REQUIRE_FALSE(theirs.intact);
  if (our_next->wire == Wire::uuid || (container(our_next->wire) && our_next->integer != 0))
    return Difference::uuid;
  REQUIRE((our_next->wire == Wire::list || our_next->wire == Wire::set));
  REQUIRE(our_next->integer == 0);
  REQUIRE((bytes.at(our_next->at) & 15) > 12);
  return Difference::empty_list_type;
}

using Tally = std::map<Difference, int>;

void compare(const Bytes& bytes, const thrift::StructType* type, Tally& tally) {
  INFO(Catch::StringMaker<Bytes>::convert(bytes));
  const NamelessWalk theirs = walk_with_apache(bytes);
  const NamelessWalk bare = walk_with_ours(bytes, nullptr);
  ++tally[compare(bytes, bare, theirs)];
  // A field table adds names and nothing else.
  if (type != nullptr) {
    const NamelessWalk named = walk_with_ours(bytes, type);
    REQUIRE(named.events == bare.events);
    REQUIRE(named.intact == bare.intact);
    REQUIRE(named.end == bare.end);
  }
}

TEST_CASE("a walk reports the same as TCompactProtocol for every struct", "[unit]") {
  RandomStructs random(1);
  for (const thrift::StructType* type : kAllStructs) {
    INFO(type->name);
    Tally tally;
    for (int i = 0; i < 60; ++i) compare(random.bytes(*type), type, tally);
    REQUIRE(tally == Tally{{Difference::none, 60}});
    random.clear();
  }
}

TEST_CASE("of a damaged struct, a walk and TCompactProtocol report the same up to a broken rule", "[unit]") {
  RandomStructs random(2);
  Tally tally;
  for (const thrift::StructType* type : kAllStructs) {
    INFO(type->name);
    for (int i = 0; i < 300; ++i) {
      Bytes bytes = random.bytes(*type);
      if (bytes.size() > 3000) bytes.resize(3000);
      for (std::uint64_t change = 0, changes = 1 + random.below(3); change < changes; ++change) {
        const auto at = static_cast<std::ptrdiff_t>(random.below(bytes.size()));
        const auto byte = static_cast<std::uint8_t>(random.random()());
        switch (random.below(4)) {
          case 0:
            bytes.insert(bytes.begin() + at, byte);
            break;
          case 1:
            bytes[static_cast<std::size_t>(at)] = byte;
            break;
          case 2:
            bytes[static_cast<std::size_t>(at)] ^= static_cast<std::uint8_t>(1U << random.below(8));
            break;
          default:
            if (bytes.size() > 1) bytes.erase(bytes.begin() + at);
        }
      }
      compare(bytes, type, tally);
    }
    random.clear();
  }
  CHECK(tally[Difference::none] > 5000);
  CHECK(tally[Difference::stop_with_delta] > 0);
  CHECK(tally[Difference::claim] > 0);
}

TEST_CASE("of random bytes, a walk and TCompactProtocol report the same up to a broken rule", "[unit]") {
  RandomStructs random(3);
  Tally tally;
  for (int i = 0; i < 40'000; ++i) {
    Bytes bytes(1 + random.below(60));
    const bool headers = random.below(2) == 0;  // bytes that look like headers of fields and lists
    for (std::uint8_t& byte : bytes) {
      byte = static_cast<std::uint8_t>(headers ? random.below(4) << 4 | random.below(14) : random.random()());
    }
    compare(bytes, kAllStructs[static_cast<std::size_t>(i) % kAllStructs.size()], tally);
  }
  CHECK(tally[Difference::none] > 10'000);
  CHECK(tally[Difference::stop_with_delta] > 0);
  CHECK(tally[Difference::empty_list_type] > 0);
  CHECK(tally[Difference::claim] > 0);
}

TEST_CASE("where a walk and TCompactProtocol differ, a rule is broken", "[unit]") {
  const auto difference = [](const Bytes& bytes) {
    return compare(bytes, walk_with_ours(bytes, nullptr), walk_with_apache(bytes));
  };
  CHECK(difference({0x15, 0x02, 0x00}) == Difference::none);
  CHECK(difference({0x15, 0x02, 0x30}) == Difference::stop_with_delta);
  CHECK(difference({0x19, 0x0D, 0x00}) == Difference::empty_list_type);
  CHECK(difference({0x19, 0x00, 0x00}) == Difference::none);
  CHECK(difference({0x19, 0x20, 0x02, 0x02, 0x00}) == Difference::element_type);
  CHECK(difference({0x1B, 0x01, 0x50, 0x02, 0x02, 0x00}) == Difference::element_type);
  CHECK(difference({0x19, 0x35, 0x02, 0x00}) == Difference::claim);
  // Type 13 is younger than libthrift 0.17.
  CHECK(difference({0x1D, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 0x00}) == Difference::uuid);
  // A length of 2^32 + 1 is 1 to Apache Thrift.
  CHECK(difference({0x18, 0x81, 0x80, 0x80, 0x80, 0x10, 0x61, 0x00}) == Difference::claim);
  // 2^31 is no i32; the zigzag number 2^32 is cut to 0.
  CHECK(difference({0x15, 0x80, 0x80, 0x80, 0x80, 0x10, 0x00}) == Difference::number_cut);
  CHECK(difference({0x14, 0x80, 0x80, 0x04, 0x00}) == Difference::number_cut);
  // Longer than needed, or for the field id: the same to both.
  CHECK(difference({0x15, 0x82, 0x80, 0x80, 0x80, 0x80, 0x00, 0x00}) == Difference::none);
  CHECK(difference({0x05, 0x82, 0x80, 0x80, 0x80, 0x10, 0x02, 0x00}) == Difference::none);
  // An id that exceeds 16 bits.
  CHECK(difference({0x05, 0xFE, 0xFF, 0x03, 0x02, 0xF5, 0x02, 0x00}) == Difference::none);
  // Eleven bytes of a number.
  CHECK(difference({0x16, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00, 0x00}) ==
        Difference::none);
}

TEST_CASE("a walk ends at its depth limit", "[unit]") {
  for (const std::uint8_t header : {std::uint8_t{0x1C}, std::uint8_t{0x19}}) {
    Bytes nested(100'000, header);
    const NamelessWalk ours = walk_with_ours(nested, nullptr);
    CHECK_FALSE(ours.intact);
    CHECK(ours.events.size() <= 64);
    CHECK(compare(nested, ours, walk_with_apache(nested)) == Difference::none);
  }
}

/// A ColumnIndex of two pages: min_values "a" and "bc", null_counts 1, 300 and -1.
const Bytes kColumnIndex{0x19, 0x21, 0x02, 0x02, 0x19, 0x28, 0x01, 0x61, 0x02, 0x62, 0x63, 0x19, 0x28, 0x01,
                         0x61, 0x02, 0x62, 0x63, 0x15, 0x00, 0x19, 0x36, 0x02, 0xD8, 0x04, 0x01, 0x00};

ColumnIndex column_index() {
  thrift::Reader reader({kColumnIndex, 0}, {}, kLimits);
  ColumnIndex index;
  REQUIRE(reader.read(index));
  return index;
}

TEST_CASE("a walk over a list of integers can skip elements", "[unit]") {
  thrift::IntegerWalk all(column_index().null_counts);
  REQUIRE(all.count() == 3);
  CHECK(all.at(0) == 1);
  CHECK(all.at(1) == 300);
  CHECK(all.at(2) == -1);
  CHECK_FALSE(all.at(3));
  thrift::IntegerWalk last(column_index().null_counts);
  CHECK(last.at(2) == -1);
  CHECK_FALSE(last.at(2));
  CHECK_FALSE(thrift::IntegerWalk().at(0));
}

TEST_CASE("a walk over a list of strings visits all elements", "[unit]") {
  thrift::StringWalk all(column_index().min_values);
  REQUIRE(all.count() == 2);
  CHECK(all.at(0)->size() == 1);
  CHECK(all.at(1)->size() == 2);
  CHECK_FALSE(all.at(2));
  CHECK(thrift::StringWalk(column_index().min_values).at(1)->size() == 2);
  CHECK_FALSE(thrift::StringWalk().at(0));
}

TEST_CASE("a walk over a list of structs visits all elements", "[unit]") {
  const Bytes bytes{0x19, 0x2C, 0x16, 0x02, 0x15, 0x04, 0x16, 0x06, 0x00,
                    0x16, 0x08, 0x15, 0x0A, 0x16, 0x0C, 0x00, 0x00};
  thrift::Reader reader({bytes, 0}, {}, kLimits);
  OffsetIndex index;
  REQUIRE(reader.read(index));
  thrift::StructWalk<PageLocation> all(index.page_locations, kLimits);
  REQUIRE(all.count() == 2);
  REQUIRE(all.at(0) != nullptr);
  CHECK(all.at(1)->offset == 4);
  CHECK(all.at(2) == nullptr);
  CHECK(thrift::StructWalk<PageLocation>(index.page_locations, kLimits).at(1)->first_row_index == 6);
}

}  // namespace
}  // namespace parqproof::test
