#include "conformance/cli/input/shred_option.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "conformance/cli/options.hpp"

namespace parqproof::cli {
namespace {

using nlohmann::ordered_json;
using variant::Kind;

constexpr int kMostSchemaDepth = 50;

[[noreturn]] void refuse_schema(const std::string& why) { refuse("--shred: " + why); }

/// boolean, string ... or decimal4(2).
ShreddedType shredded_primitive(const std::string& text) {
  const std::size_t bracket = text.find('(');
  const std::string name = text.substr(0, bracket);
  ShreddedType type;
  for (std::uint8_t i = 1; i <= variant::kLastPrimitive; ++i) {
    const auto kind = static_cast<Kind>(i);
    if (kind != Kind::boolean_false && variant::name_of(kind) == name) type.kind = kind;
  }
  if (type.kind == Kind::null)
    refuse_schema(
        "'" + text +
        "' is no type; expected boolean, int8 ... int64, float, double, decimal4(SCALE) ..., "
        "date, time, timestamp, timestamp_ntz, timestamp_nanos, timestamp_ntz_nanos, string, binary or uuid");
  if (bracket == text.npos) {
    if (is_decimal(type.kind)) refuse_schema("'" + text + "' has no scale; expected " + name + "(SCALE)");
    return type;
  }
  int scale = -1;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + bracket + 1, end, scale);
  const bool is_closed = read.ec == std::errc() && read.ptr + 1 == end && *read.ptr == ')';
  if (!is_decimal(type.kind) || !is_closed || scale < 0 || scale > digits_of(type.kind))
    refuse_schema("'" + text + "' has no scale from 0 to the digits of a decimal");
  type.scale = static_cast<std::uint8_t>(scale);
  return type;
}

ShreddedType shredded_type(const ordered_json& schema) {
  ShreddedType type;
  if (schema.is_string()) return shredded_primitive(schema.get<std::string>());
  if (schema.is_object() && !schema.empty()) {
    type.kind = Kind::object;
    for (const auto& [name, part] : schema.items()) {
      if (name.empty()) refuse_schema("a field has no name");
      type.parts.push_back(shredded_type(part));
      type.parts.back().name = name;
    }
  } else if (schema.is_array() && schema.size() == 1) {
    type.kind = Kind::array;
    type.parts.push_back(shredded_type(schema.front()));
    type.parts.back().name = "element";
  } else if (!schema.is_null()) {
    refuse_schema("a part of the schema is no type, object with fields, or array with one type");
  }
  return type;
}

/// Parses JSON that is nested `kMostSchemaDepth` deep at most, and in which no object has a member twice.
ordered_json parse_schema(std::string_view text) {
  std::vector<std::vector<std::string>> open;
  std::string why;
  const auto look = [&](int depth, ordered_json::parse_event_t event, ordered_json& parsed) {
    using enum ordered_json::parse_event_t;
    if (depth > kMostSchemaDepth) why = "the schema is nested too deep";
    if (event == object_start) open.emplace_back();
    if (event == object_end) open.pop_back();
    if (event != key) return why.empty();
    const auto name = parsed.get<std::string>();
    if (std::ranges::find(open.back(), name) != open.back().end())
      why = "the schema has the field '" + name + "' twice";
    open.back().push_back(name);
    return why.empty();
  };
  ordered_json parsed_schema = ordered_json::parse(text.begin(), text.end(), look, false);
  if (!why.empty()) refuse_schema(why);
  if (parsed_schema.is_discarded())
    refuse_schema("'" + std::string(text) + "' is neither none nor a schema in JSON");
  return parsed_schema;
}

}  // namespace

ShredOption read_shred_option(const std::string& text) {
  const std::size_t split = text.find('=');
  ShredOption option{.column = text.substr(0, split)};
  if (option.column.empty()) refuse_schema("'" + text + "' has no column before =");
  if (split == text.npos) return option;
  const std::string_view schema = std::string_view(text).substr(split + 1);
  if (schema == "none") {
    option.form = ShredOption::Form::none;
    return option;
  }
  option.form = ShredOption::Form::stated;
  option.type = shredded_type(parse_schema(schema));
  if (option.type.kind == Kind::null) refuse_schema("null is no schema; none writes no typed_value");
  return option;
}

}  // namespace parqproof::cli
