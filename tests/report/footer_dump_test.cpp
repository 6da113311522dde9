#include "conformance/report/metadata/footer_dump.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/process.hpp"

namespace parqproof {
namespace {

using nlohmann::json;

struct Dump {
  DumpEnd end = DumpEnd::complete;
  std::string text;
  json value;
};

Dump dump(const std::string& file) {
  const MemorySource source({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()});
  Dump result;
  std::string text;
  {
    Out out(text);
    result.end = dump_footer_json(source, "f", out);
  }
  result.value = json::parse(text);
  Out out(result.text);
  CHECK(dump_footer_text(source, "f", out) == result.end);
  return result;
}

Dump dump_witness(const std::string& name) {
  return dump(support::source_file("corpus/witnesses/" + name + ".parquet"));
}

TEST_CASE("a dump has every field with its name, value and offset") {
  const Dump footer = dump_witness("footer/version/fail-a");
  CHECK(footer.end == DumpEnd::complete);
  CHECK(footer.value["footer_offset"] == 33);
  CHECK(
      footer.value["fields"][0] ==
      json::parse(R"({"id":1,"name":"version","type":"i32","header":33,"offset":34,"length":1,"value":0})"));
  const json& schema = footer.value["fields"][1];
  CHECK(schema["count"] == 2);
  CHECK(
      schema["elements"][1]["fields"][0] ==
      json::parse(
          R"({"id":1,"name":"type","type":"Type","header":43,"offset":44,"length":1,"value":1,"symbol":"INT32"})"));
  CHECK(footer.text.find("          34    version = 0\n") != footer.text.npos);
  CHECK(footer.text.find("          44        type = 1 (INT32)\n") != footer.text.npos);
}

TEST_CASE("lengths of a dump add up to the footer") {
  const Dump footer = dump_witness("footer/version/fail-a");
  const json& last = footer.value["fields"].back();
  CHECK(last["offset"].get<int>() + last["length"].get<int>() + 1 == 33 + footer.value["length"].get<int>());
  CHECK(footer.value["length"] == footer.value["footer_length"]);
}

TEST_CASE("an unknown field and an unknown enum value are printed as unknown") {
  const Dump field = dump_witness("thrift/unknown-field/fail-a");
  CHECK(field.value["fields"].back()["unknown"] == true);
  CHECK(field.text.find("unknown field 10: i32 = 1\n") != field.text.npos);
  const Dump value = dump_witness("thrift/unknown-enum-value/fail-a");
  CHECK(value.text.find("converted_type = 22 (unknown ConvertedType)\n") != value.text.npos);
  CHECK(value.end == DumpEnd::complete);
}

TEST_CASE("an extension is printed by its name, under either id") {
  const Dump footer = dump_witness("extension/wire-id/fail-a");
  CHECK(footer.text.find("extension: binary = 000102030405060708090a0b0c0d0e0f\n") != footer.text.npos);
  CHECK(footer.value["fields"].back()["name"] == "extension");
  CHECK(footer.value["fields"].back()["id"] == -16384);
  CHECK(dump_witness("extension/wire-id/pass-a").value["fields"].back()["id"] == 32767);
  const Dump typed = dump_witness("extension/field-type/fail-a");
  CHECK(typed.text.find("extension: i32 = 7  (not the type of the field)\n") != typed.text.npos);
}

TEST_CASE("a field of a wrong type keeps its name") {
  const Dump footer = dump_witness("thrift/field-type/fail-a");
  CHECK(footer.text.find("version: i64 = 1  (not the type of the field)\n") != footer.text.npos);
  CHECK(footer.value["fields"][0]["name"] == "version");
  CHECK(footer.value["fields"][0]["type"] == "i64");
}

TEST_CASE("a dump ends at the first unreadable byte, and reports its offset") {
  const Dump footer = dump_witness("thrift/list-size/fail-a");
  CHECK(footer.end == DumpEnd::stopped);
  CHECK(footer.value["stopped"]["offset"] == 36);
  CHECK(footer.value["fields"][0]["name"] == "version");
  CHECK(footer.text.find("stopped at byte 36 (0x24): thrift/list-size: ") != footer.text.npos);
}

TEST_CASE("of a file without a footer the reason is reported") {
  CHECK(dump("").end == DumpEnd::stopped);
  CHECK(dump("PAR1").value["stopped"]["offset"] == 0);
  CHECK(dump_witness("file/tail-magic/fail-a").end == DumpEnd::stopped);
}

TEST_CASE("the plaintext part of an encrypted footer is printed") {
  const Dump footer = dump(support::source_file("corpus/writers/pyarrow/encrypted-footer.parquet"));
  CHECK(footer.end == DumpEnd::encrypted);
  CHECK(footer.value["type"] == "FileCryptoMetaData");
  CHECK(footer.value["encrypted"] == true);
}

TEST_CASE("a dump of any prefix and of any changed byte ends without an error of the program") {
  const std::string file = support::source_file("corpus/witnesses/footer/version/fail-a.parquet");
  for (std::size_t at = 0; at < file.size(); ++at) {
    CHECK(dump(file.substr(0, at)).end != DumpEnd::unreadable);
    for (const int change : {0x01, 0x80, 0xFF}) {
      std::string changed = file;
      changed[at] = static_cast<char>(changed[at] ^ change);
      CHECK(dump(changed).end != DumpEnd::unreadable);
    }
  }
}

}  // namespace
}  // namespace parqproof
