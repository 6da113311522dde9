#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace support {

/// Violations of a JSON Schema by `value`, as "path: complaint"; empty if there are none. Of draft
/// 2020-12 it supports the keywords of our schemas: type, properties, required, additionalProperties,
/// items, enum, const, minimum, pattern, anyOf, $ref into the same document. A schema with any other keyword
/// is reported too, so that no constraint is skipped.
[[nodiscard]] std::string validate(const nlohmann::json& schema, const nlohmann::json& value);

/// The same for the text of a report of `check` and conformance/json-schema/report.schema.json; text that is
/// no JSON is a complaint.
[[nodiscard]] std::string validate_report(std::string_view text);

}  // namespace support
