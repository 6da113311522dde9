#include "tests/support/json_schema.hpp"

#include <regex.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

namespace support {
namespace {

using nlohmann::json;

/// Keywords of a schema without a constraint.
constexpr std::array kRemarks = {"$schema", "$defs", "$id", "title", "description"};

bool is_type(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "number") return value.is_number();
  if (type == "integer") return value.is_number_integer();
  return false;
}

/// Returns true if the text has a match of a POSIX extended regular expression. (std::regex calls itself for
/// each character, and ends the program on long texts.)
bool matches(const std::string& text, const std::string& pattern) {
  regex_t compiled;
  if (regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NOSUB) != 0) return false;
  const bool found = regexec(&compiled, text.c_str(), 0, nullptr, 0) == 0;
  regfree(&compiled);
  return found;
}

class Validator {
 public:
  explicit Validator(const json& document) : document_(document) {}

  std::string judge(const json& schema, const json& value, const std::string& path) const {
    for (const auto& [word, demand] : schema.items()) {
      const std::string complaint = judge(word, demand, schema, value, path);
      if (!complaint.empty()) return complaint;
    }
    return {};
  }

 private:
  std::string judge(const std::string& word, const json& demand, const json& schema, const json& value,
                    const std::string& path) const {
    const auto unless = [&](bool fine) {
      return fine ? std::string() : path + ": " + word + " " + demand.dump() + ", not " + value.dump();
    };
    if (std::ranges::find(kRemarks, word) != kRemarks.end()) return {};
    if (word == "$ref")
      return judge(document_.at(json::json_pointer(demand.get<std::string>().substr(1))), value, path);
    if (word == "type") {
      if (!demand.is_array()) return unless(is_type(value, demand));
      return unless(std::ranges::any_of(demand, [&](const json& type) { return is_type(value, type); }));
    }
    if (word == "const") return unless(value == demand);
    if (word == "enum") return unless(std::ranges::find(demand, value) != demand.end());
    if (word == "minimum") return unless(!value.is_number() || value >= demand);
    if (word == "pattern") {
      return unless(!value.is_string() || matches(value.get<std::string>(), demand.get<std::string>()));
    }
    if (word == "anyOf") {
      return unless(
          std::ranges::any_of(demand, [&](const json& one) { return judge(one, value, path).empty(); }));
    }
    if (word == "required") {
      return unless(!value.is_object() || std::ranges::all_of(demand, [&](const json& key) {
        return value.contains(key.get<std::string>());
      }));
    }
    if (word == "items") return items(demand, value, path);
    if (word == "minItems") return unless(!value.is_array() || value.size() >= demand);
    if (word == "maxItems") return unless(!value.is_array() || value.size() <= demand);
    if (word == "minProperties") return unless(!value.is_object() || value.size() >= demand);
    if (word == "maxProperties") return unless(!value.is_object() || value.size() <= demand);
    if (word == "properties") return properties(demand, value, path);
    if (word == "patternProperties") return pattern_properties(demand, value, path);
    if (word == "additionalProperties") return other_members(demand, schema, value, path);
    return path + ": the schema says " + word + ", which is not known here";
  }

  std::string other_members(const json& demand, const json& schema, const json& value,
                            const std::string& path) const {
    if (!value.is_object()) return {};
    for (const auto& [key, member] : value.items()) {
      if (schema.contains("properties") && schema["properties"].contains(key)) continue;
      if (schema.contains("patternProperties")) {
        const auto patterns = schema["patternProperties"].items();
        if (std::any_of(patterns.begin(), patterns.end(),
                        [&name = key](const auto& pattern) { return matches(name, pattern.key()); }))
          continue;
      }
      const std::string wrong =
          demand == false ? path + ": no key " + key : judge(demand, member, path + "/" + key);
      if (!wrong.empty()) return wrong;
    }
    return {};
  }

  std::string items(const json& schema, const json& value, const std::string& path) const {
    if (!value.is_array()) return {};
    for (std::size_t i = 0; i < value.size(); ++i) {
      const std::string complaint = judge(schema, value[i], path + "/" + std::to_string(i));
      if (!complaint.empty()) return complaint;
    }
    return {};
  }

  std::string properties(const json& schemas, const json& value, const std::string& path) const {
    if (!value.is_object()) return {};
    for (const auto& [key, schema] : schemas.items()) {
      if (!value.contains(key)) continue;
      const std::string complaint = judge(schema, value[key], path + "/" + key);
      if (!complaint.empty()) return complaint;
    }
    return {};
  }

  std::string pattern_properties(const json& schemas, const json& value, const std::string& path) const {
    if (!value.is_object()) return {};
    for (const auto& [pattern, schema] : schemas.items()) {
      for (const auto& [key, member] : value.items()) {
        if (!matches(key, pattern)) continue;
        const std::string complaint = judge(schema, member, path + "/" + key);
        if (!complaint.empty()) return complaint;
      }
    }
    return {};
  }

  const json& document_;
};

}  // namespace

std::string validate(const json& schema, const json& value) {
  return Validator(schema).judge(schema, value, "");
}

std::string validate_report(std::string_view text) {
  static const json schema =
      json::parse(std::ifstream(PARQPROOF_SOURCE_DIR "/conformance/json-schema/report.schema.json"));
  const json report = json::parse(text, nullptr, false);
  if (report.is_discarded()) return "no JSON";
  return validate(schema, report);
}

}  // namespace support
