// thrift::locate() compared with the positions of Apache Thrift's TCompactProtocol.
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>

#include "codec/thrift/locate.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/random_struct.hpp"
#include "tests/support/structs.hpp"
#include "tests/thrift/apache.hpp"

namespace parqproof::test {
namespace {

using support::kBase;
using thrift::Event;
using thrift::Extent;
using thrift::Wire;
using Bytes = std::vector<std::uint8_t>;

/// Places in a struct by path, and the structs with their missing fields.
struct Atlas {
  std::map<std::string, Extent> present;
  std::map<std::string, Extent> structs;
  std::map<std::string, Extent> absent;
};

/// Adds names to the events of Apache Thrift by the field tables.
class Mapper {
 public:
  Mapper(const std::vector<NamelessEvent>& events, Atlas& atlas) : events_(&events), atlas_(&atlas) {}

  void structure(const thrift::StructType& type, const std::string& path, std::uint64_t begin) {
    std::map<std::string, bool> there;
    while (next().what == Event::What::field) {
      const NamelessEvent& event = next();
      const thrift::Field* field = type.find(event.id);
      REQUIRE(field != nullptr);
      const std::string name(field->name);
      there[name] = true;
      value(*field, field->kind, path.empty() ? name : path + "." + name);
    }
    const Extent extent{begin + kBase, begin + kBase, next().at + 1 + kBase, false};
    ++at_;
    atlas_->structs[path] = extent;
    for (const thrift::Field& field : type.fields) {
      const std::string name(field.name);
      if (!there[name]) atlas_->absent[path.empty() ? name : path + "." + name] = extent;
    }
  }

 private:
  const NamelessEvent& next() const { return events_->at(at_); }

  void value(const thrift::Field& field, thrift::Kind kind, const std::string& path) {
    const NamelessEvent event = next();
    ++at_;
    Extent extent{event.header + kBase, event.at + kBase, event.end + kBase, true};
    if (kind == thrift::Kind::structure) {
      structure(*field.type, path, event.at);
      extent.end = events_->at(at_ - 1).at + 1 + kBase;
    } else if (kind == thrift::Kind::list) {
      for (std::int64_t i = 0; i < event.integer; ++i) {
        value(field, field.element, path + "[" + std::to_string(i) + "]");
      }
      extent.end = next().at + kBase;
      ++at_;
    }
    atlas_->present[path] = extent;
  }

  const std::vector<NamelessEvent>* events_;
  Atlas* atlas_;
  std::size_t at_ = 0;
};

void check(const Bytes& bytes, const thrift::StructType& type, const std::string& path,
           const Extent& expected) {
  const Extent found = thrift::locate({bytes, kBase}, type, path);
  INFO(type.name << " " << path);
  REQUIRE(found.present == expected.present);
  REQUIRE(found.header == expected.header);
  REQUIRE(found.value == expected.value);
  REQUIRE(found.end == expected.end);
}

TEST_CASE("every field and element is found where Apache Thrift read it; an absent one gives its struct",
          "[unit]") {
  RandomStructs random(4);
  for (const thrift::StructType* type : kAllStructs) {
    for (int i = 0; i < 20; ++i) {
      const Bytes bytes = random.bytes(*type);
      const NamelessWalk walk = walk_with_apache(bytes);
      REQUIRE(walk.intact);
      Atlas atlas;
      Mapper(walk.events, atlas).structure(*type, "", 0);
      // Large instances hold thousands of places; some hundreds of each are enough.
      const std::size_t every = 1 + (atlas.present.size() + atlas.absent.size()) / 400;
      std::size_t n = 0;
      for (const auto& [path, extent] : atlas.present) {
        if (n++ % every == 0) check(bytes, *type, path, extent);
      }
      for (const auto& [path, extent] : atlas.absent) {
        if (n++ % every == 0) check(bytes, *type, path, extent);
        if (n % 5 == 0) check(bytes, *type, path + "[0].x", extent);
      }
    }
    random.clear();
  }
}

const Bytes kElement{0x19, 0x2C, 0x48, 0x01, 0x61, 0x00, 0x48, 0x01, 0x62, 0x00, 0x00};

TEST_CASE("an element past the end of its list gives the struct around the list", "[unit]") {
  // A struct with one list of two schema elements, read as FileMetaData: its field 1 is no list, so shift it
  // to 2.
  Bytes bytes = kElement;
  bytes[0] = 0x29;
  const thrift::StructType& type = FileMetaData::kType;
  check(bytes, type, "schema", {kBase, kBase + 1, kBase + 10, true});
  check(bytes, type, "schema[1]", {kBase + 6, kBase + 6, kBase + 10, true});
  check(bytes, type, "schema[1].name", {kBase + 6, kBase + 7, kBase + 9, true});
  check(bytes, type, "schema[1].type", {kBase + 6, kBase + 6, kBase + 10, false});
  check(bytes, type, "schema[2]", {kBase, kBase, kBase + 11, false});
  check(bytes, type, "schema[2].name", {kBase, kBase, kBase + 11, false});
  check(bytes, type, "schema.name", {kBase, kBase, kBase + 11, false});
  check(bytes, type, "row_groups[0].columns[3].meta_data.codec", {kBase, kBase, kBase + 11, false});
  check(bytes, type, "nothing", {kBase, kBase, kBase + 11, false});
  check(bytes, type, "", {kBase, kBase, kBase + 11, true});
}

TEST_CASE("of a repeated field the first is found, and one of a wrong type is not found", "[unit]") {
  const Bytes twice{0x15, 0x02, 0x05, 0x02, 0x04, 0x00};
  check(twice, FileMetaData::kType, "version", {kBase, kBase + 1, kBase + 2, true});
  const Bytes wrong{0x16, 0x02, 0x00};
  check(wrong, FileMetaData::kType, "version", {kBase, kBase, kBase + 3, false});
}

TEST_CASE("in truncated bytes the innermost started value is found", "[unit]") {
  const Bytes bytes{0x15, 0x02, 0x19, 0x1C, 0x48, 0x05, 0x61};
  const thrift::StructType& type = FileMetaData::kType;
  check(bytes, type, "version", {kBase, kBase + 1, kBase + 2, true});
  const Extent element = thrift::locate({bytes, kBase}, type, "schema[0].name");
  CHECK_FALSE(element.present);
  CHECK(element.value == kBase + 4);
  const Extent list = thrift::locate({bytes, kBase}, type, "schema");
  CHECK(list.present);
  CHECK(list.value == kBase + 3);
  CHECK(list.end >= list.value);
}

TEST_CASE("malformed paths are absent", "[unit]") {
  for (const char* path :
       {"[", "]", "[]", "[0]", ".", "..", "schema[", "schema[x]", "schema[99999999999999999999]", "[0][0]"}) {
    INFO(path);
    const Extent extent = thrift::locate({kElement, kBase}, FileMetaData::kType, path);
    CHECK(extent.value >= kBase);
    CHECK(extent.end <= kBase + kElement.size());
  }
}

}  // namespace
}  // namespace parqproof::test
