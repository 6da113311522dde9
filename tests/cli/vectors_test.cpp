#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "codec/encoding/table.hpp"
#include "codec/kernel/kernels.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/value_json.hpp"
#include "conformance/section/value_section.hpp"
#include "tests/support/json_schema.hpp"
#include "tests/support/process.hpp"
#include "tests/sweep/sweep.hpp"

namespace support {
namespace {

using nlohmann::json;
using parqproof::LoneSection;

const std::string kFolder = "corpus/vectors/";

/// The files of the corpus by their names.
std::map<std::string, json> corpus() {
  std::map<std::string, json> files;
  for (const auto& entry : std::filesystem::directory_iterator(PARQPROOF_SOURCE_DIR "/" + kFolder)) {
    const std::string name = entry.path().filename();
    if (name.ends_with(".json")) files[name] = json::parse(source_file(kFolder + name));
  }
  return files;
}

json vector_called(const std::string& file, const std::string& id) {
  const json document = json::parse(source_file(kFolder + file));
  for (const json& vector : document["vectors"]) {
    if (vector["id"] == id) return vector;
  }
  FAIL("no vector " << id);
  return {};
}

/// The bytes of a vector, in hex.
std::string hex_of(const json& vector) {
  std::string digits;
  for (const json& segment : vector["bytes"]) digits += segment["hex"].get<std::string>();
  return digits;
}

/// The same vector with all its bytes in one segment.
json with_bytes(json vector, const std::string& digits) {
  vector["bytes"] = {{{"hex", digits}, {"is", "bytes"}}};
  return vector;
}

/// A file of these vectors.
std::string document_of(const json& vectors) {
  return json{{"flags", json::object()}, {"vectors", vectors}}.dump();
}

/// Returns true if the vector is a section of one encoding.
bool is_section(const json& vector) { return vector.contains("encoding"); }

/// Returns true if the vector yields no values: a finding is an error or an unsupported feature.
bool is_refused(const json& vector) {
  return std::ranges::any_of(vector["checker"], [](const json& finding) {
    const auto& rule = info(*parqproof::find_rule(finding["rule"].get<std::string>()));
    return rule.severity == parqproof::Severity::error || rule.klass == parqproof::Class::unsupported;
  });
}

LoneSection section_of(const json& vector) {
  LoneSection section{.encoding = parqproof::find_encoding(vector["encoding"].get<std::string>())->encoding,
                      .levels = vector["type"] == "LEVEL"};
  for (const auto& type : parqproof::kTypeEnum.values) {
    if (vector["type"] == type.name) section.type = static_cast<parqproof::Type>(type.value);
  }
  section.type_length = vector.value("type_length", 0U);
  section.bit_width = vector.value("bit_width", 0U);
  section.count = vector["count"];
  section.selector_little_endian = vector.value("selector", "be") == "le";
  section.length_word = vector.value("length_word", false);
  return section;
}

/// The arguments of `decode` for a vector.
std::vector<std::string> arguments_of(const json& vector) {
  std::vector<std::string> arguments{
      "decode", "--hex",        "--encoding", vector["encoding"],
      "--type", vector["type"], "--count",    std::to_string(vector["count"].get<int>())};
  for (const auto& [key, option] :
       {std::pair("type_length", "--type-length"), {"bit_width", "--bit-width"}}) {
    if (!vector.contains(key)) continue;
    arguments.emplace_back(option);
    arguments.push_back(std::to_string(vector[key].get<int>()));
  }
  if (vector.contains("selector")) {
    arguments.emplace_back("--selector");
    arguments.push_back(vector["selector"]);
  }
  return arguments;
}

/// Values in one form, as decode writes them: a float is a float, whether written 1 or 1.0, and a NaN has no
/// has no payload.
std::string text_of(const json& values, const std::string& type) {
  json out = json::array();
  for (const json& value : values) {
    const bool real = (type == "FLOAT" || type == "DOUBLE") && value.is_number();
    if (value.is_string() && value.get_ref<const std::string&>().starts_with("nan:")) {
      out.push_back("NaN");
      continue;
    }
    out.push_back(real ? json(type == "FLOAT" ? value.get<float>() : value.get<double>()) : value);
  }
  return out.dump();
}

/// The output of `vectors` for this vector alone.
Outcome run(const json& vector) {
  const TemporaryFolder folder;
  return parqproof({"vectors", folder.write("one.json", document_of(json::array({vector})))});
}

TEST_CASE("all golden vectors pass, those built into the program and those of the corpus") {
  const Outcome built_in = parqproof({"vectors"});
  INFO(built_in.out);
  CHECK(built_in.code == 0);
  CHECK(built_in.err.empty());
  const Outcome folder = parqproof({"vectors", PARQPROOF_SOURCE_DIR "/" + kFolder});
  CHECK(folder.code == 0);
  std::size_t vectors = 0;
  for (const auto& [name, file] : corpus()) {
    vectors += file["vectors"].size();
    CHECK(built_in.out.contains(" " + name + "\n"));
    CHECK(folder.out.contains("/" + name + "\n"));
  }
  const std::string total = "\n" + std::to_string(vectors) + " vectors, all as they should be; kernels ";
  CHECK(built_in.out.contains(total));
  for (const parqproof::Kernels* const set : parqproof::all_kernels()) {
    CHECK(built_in.out.contains(set->name));
  }
}

TEST_CASE("every encoding has accepted and rejected vectors of all its types, and they fit the schema") {
  const json schema = json::parse(source_file("conformance/json-schema/vectors.schema.json"));
  std::set<std::string> ids;
  std::map<std::string, std::set<std::string>> accepted;
  std::map<std::string, std::set<std::string>> refused;
  for (const auto& [name, file] : corpus()) {
    CHECK(validate(schema, file) == "");
    for (const json& vector : file["vectors"]) {
      CAPTURE(vector["id"]);
      CHECK(ids.insert(vector["id"]).second);
      for (const json& flag : vector["flags"]) CHECK(file["flags"].contains(flag));
      for (const json& finding : vector["checker"]) {
        const auto rule = parqproof::find_rule(finding["rule"].get<std::string>()).value();
        CHECK(finding["severity"] == to_string(info(rule).severity));
      }
      const std::string owes = vector["reader"]["owes"];
      const bool comes_out = vector.contains("values") || vector.contains("image") ||
                             vector.contains("fields") || vector.contains("entries") ||
                             vector.contains("answers");
      if (owes == "accept") CHECK(comes_out);
      if (owes == "reject") CHECK_FALSE(comes_out);
      if (owes == "reject") CHECK(is_refused(vector));
      if (is_section(vector))
        (is_refused(vector) ? refused : accepted)[vector["encoding"]].insert(vector["type"]);
    }
  }
  for (const parqproof::EncodingInfo& row : parqproof::all_encodings()) {
    std::set<std::string> types;
    if (row.levels.exists()) types.insert("LEVEL");
    for (const auto& type : parqproof::kTypeEnum.values) {
      const LoneSection section{.encoding = row.encoding, .type = static_cast<parqproof::Type>(type.value)};
      if (why_impossible(section).empty()) types.insert(std::string(type.name));
    }
    CAPTURE(row.name());
    CHECK(accepted[std::string(row.name())] == types);
    CHECK(refused[std::string(row.name())] == types);
  }
}

TEST_CASE("a vector whose values differ from its bytes exits with 1") {
  const json accepted = vector_called("delta_binary_packed.json", "delta-ex1");
  const json refused = vector_called("alp.json", "alp-double-exponent-large");
  const json warned = vector_called("levels.json", "bitpacked-padding");
  const json stream = vector_called("compression.json", "snappy-twelve");
  const json page = vector_called("pages.json", "page-v1-optional");
  CHECK(run(page).code == 0);
  const json header = vector_called("thrift.json", "thrift-v1-plain");
  CHECK(run(header).code == 0);
  CHECK(run(accepted).code == 0);
  CHECK(run(stream).code == 0);
  CHECK(run(refused).code == 0);
  CHECK(run(warned).code == 0);
  const auto changed = [](json vector, const std::string& pointer, const json& value) {
    vector[json::json_pointer(pointer)] = value;
    return vector;
  };
  const json finding = {{"rule", "alp/exponent"}, {"offset", 0}, {"severity", "error"}};
  const json rejecting = {{"owes", "reject"}, {"clause", "README.md"}};
  json unvalued = accepted;
  unvalued.erase("values");
  for (const json& wrong : {changed(accepted, "/values/4", 6),
                            changed(accepted, "/values/4", "05"),
                            changed(accepted, "/values", {1}),
                            changed(accepted, "/values/5", 6),
                            changed(accepted, "/count", 4),
                            changed(accepted, "/type", "FLOAT"),
                            with_bytes(accepted, "80"),
                            with_bytes(accepted, "8"),
                            changed(accepted, "/bytes", "8001"),
                            changed(accepted, "/checker", json::array({finding})),
                            changed(accepted, "/reader", rejecting),
                            changed(accepted, "/encoding", "PLAIN"),
                            changed(accepted, "/encoding", "NONE"),
                            changed(accepted, "/selector", "le"),
                            changed(accepted, "/length_word", true),
                            changed(accepted, "/type_length", 4),
                            changed(accepted, "/checker", warned["checker"]),
                            changed(refused, "/checker/0/rule", "alp/factor"),
                            changed(refused, "/checker/0/offset", 12),
                            changed(refused, "/checker/0/severity", "warning"),
                            changed(refused, "/checker", json::array()),
                            changed(refused, "/reader/owes", "accept"),
                            changed(warned, "/checker/0/offset", 1),
                            changed(warned, "/checker", json::array()),
                            changed(stream, "/image", "00"),
                            changed(stream, "/image", "0"),
                            changed(stream, "/codec", "UNCOMPRESSED"),
                            changed(stream, "/codec", "NONE"),
                            changed(stream, "/size", 13),
                            changed(page, "/entries/values/0", 4),
                            changed(page, "/entries/values/1", 4),
                            changed(page, "/entries/definition_levels/0", 0),
                            changed(page, "/entries/repetition_levels/0", 1),
                            changed(page, "/entries/repetition_levels", 1),
                            changed(page, "/entries/definition_levels/0", -1),
                            changed(page, "/column", 1),
                            changed(page, "/column/type", "INT31"),
                            changed(page, "/before", "5041523"),
                            changed(page, "/before", "50415232"),
                            changed(page, "/after", ""),
                            changed(header, "/fields/type", 3),
                            changed(header, "/fields/crc", 0),
                            changed(header, "/struct", "DataPageHeader"),
                            unvalued}) {
    const Outcome outcome = run(wrong);
    CAPTURE(wrong.dump(), outcome.out);
    CHECK(outcome.code == 1);
    CHECK(outcome.err.empty());
    CHECK(outcome.out.contains("one.json: " + wrong["id"].get<std::string>()));
  }
}

TEST_CASE("vectors distinguish -0.0 from 0.0, and NaN payloads") {
  json vector = vector_called("plain.json", "plain-float");
  vector["values"] = {1.0, 0.0};
  CHECK(run(vector).code == 1);
  vector = with_bytes(vector, "0000803f0100c07f");
  vector["values"] = {1.0, "NaN"};
  CHECK(run(vector).code == 1);
  vector["values"] = {1.0, "nan:0x7fc00001"};
  CHECK(run(vector).code == 0);
}

TEST_CASE("a file that is no vector file exits with 2") {
  const TemporaryFolder folder;
  const std::string good = folder.write("good.json", document_of(json::array()));
  for (const char* text : {"", "{}", "[]", R"({"vectors":1})", R"({"vectors":[1]})", R"({"vectors":[{}]})",
                           R"({"vectors":[{"id":1}]})", "\xff"}) {
    const Outcome outcome = parqproof({"vectors", good, folder.write("bad.json", text)});
    CAPTURE(text);
    CHECK(outcome.code == 2);
    CHECK(outcome.err.contains("bad.json: "));
    CHECK(outcome.out.contains("good.json"));
  }
  const Outcome none = parqproof({"vectors", "/no/such/file"});
  CHECK(none.code == 2);
  CHECK_FALSE(none.out.contains("as they should be"));
  CHECK(parqproof({"vectors", PARQPROOF_SOURCE_DIR "/codec"}).code == 2);
}

TEST_CASE("decode agrees with the vectors") {
  std::uint64_t cases = 0;
  for (const auto& [name, file] : corpus()) {
    for (const json& vector : file["vectors"]) {
      if (!is_section(vector) || vector.contains("length_word")) continue;
      if (vector.value("case", "extremes") != "extremes") continue;  // `vectors` decodes these the same way
      if (few_cases() && cases++ % 256 != 0) continue;
      const Outcome outcome = parqproof(arguments_of(vector), hex_of(vector));
      CAPTURE(vector["id"], outcome.out, outcome.err);
      const json first = json::parse(outcome.err.substr(0, outcome.err.find('\n')), nullptr, false);
      if (!is_refused(vector)) {
        CHECK(outcome.code == 0);
        const json values = json::parse(outcome.out);
        if (vector["type"] == "VARIANT") {
          CHECK(values == vector["values"]);
        } else {
          CHECK(text_of(values, vector["type"]) == text_of(vector["values"], vector["type"]));
        }
        CHECK(outcome.err.empty() == vector["checker"].empty());
        if (!vector["checker"].empty()) CHECK(first["rule"] == vector["checker"][0]["rule"]);
        continue;
      }
      const auto& findings = vector["checker"];  // errors precede warnings
      const auto error =
          std::ranges::find(findings, "error", [](const json& each) { return each["severity"]; });
      const json& finding = error == findings.end() ? findings[0] : *error;
      CHECK(outcome.code == (finding["severity"] == "error" ? 1 : 2));
      CHECK(outcome.out.empty());
      CHECK(first["rule"] == finding["rule"]);
      CHECK(first["offset"] == finding["offset"]);
      CHECK_FALSE(first["message"].get<std::string>().empty());
    }
  }
}

/// All results of a section: values, then findings.
std::string all_of(const LoneSection& section, const std::vector<std::uint8_t>& bytes) {
  std::string text;
  parqproof::Out out(text);
  parqproof::JsonWriter values(out);
  values.begin_array();
  const parqproof::Findings findings =
      decode_section(section, bytes, {}, [&](const parqproof::ValueBatch& batch) {
        write_values(batch, section.type, section.type_length, values);
        return text.size() < 100'000;
      });
  values.end();
  for (const parqproof::Finding& finding : findings.all()) {
    text += std::string(parqproof::info(finding.rule).id) + " " + std::to_string(finding.offset) + "\n";
    // An offset is in the section, or directly after it.
    if (finding.offset > bytes.size()) text += "outside";
  }
  return text;
}

TEST_CASE("prefixes and changed bytes of every vector give the same result with all kernels") {
  const parqproof::Kernels& before = parqproof::kernels();
  std::size_t cases = 0;
  const auto compare = [&](const LoneSection& section, const std::vector<std::uint8_t>& bytes) {
    std::string expected;
    for (const parqproof::Kernels* const set : parqproof::all_kernels()) {
      parqproof::use_kernels(*set);
      const std::string found = all_of(section, bytes);
      if (expected.empty()) expected = found;
      if (found != expected || found.contains("outside")) FAIL(expected << found);
    }
    ++cases;
  };
  for (const auto& [name, file] : corpus()) {
    for (const json& vector : file["vectors"]) {
      CAPTURE(vector["id"]);
      std::vector<std::uint8_t> bytes;
      REQUIRE(parqproof::read_hex(hex_of(vector), bytes));
      // No kernel reads a VARIANT.
      if (!is_section(vector) || vector["type"] == "VARIANT" || bytes.size() > 200) continue;
      const LoneSection section = section_of(vector);
      for (std::size_t size = 0; size < bytes.size(); ++size) {
        compare(section, {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)});
      }
      for (std::size_t at = 0; at < bytes.size(); ++at) {
        for (const int change : {0x01, 0x80, 0xff}) {
          std::vector<std::uint8_t> changed = bytes;
          changed[at] = static_cast<std::uint8_t>(changed[at] ^ change);
          compare(section, changed);
        }
      }
    }
  }
  parqproof::use_kernels(before);
  CHECK(cases > 10'000);
}

}  // namespace
}  // namespace support
