#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace support {

/// What is wrong with `value` by a JSON Schema, as "path: complaint"; empty where nothing is. Of draft
/// 2020-12 it knows the words that our schemas use: type, properties, required, additionalProperties,
/// items, enum, const, minimum, pattern, anyOf, $ref into the same document. A schema with any other word is
/// a complaint too, so that no demand is passed over.
[[nodiscard]] std::string validate(const nlohmann::json& schema, const nlohmann::json& value);

/// The same for the text of a report of `check` and conformance/json-schema/report.schema.json; text that is
/// no JSON is a complaint.
[[nodiscard]] std::string validate_report(std::string_view text);

}  // namespace support
