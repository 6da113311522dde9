#include "conformance/geo/geo_key_columns.hpp"

#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

#include "codec/base/text.hpp"
#include "conformance/geo/crs.hpp"

namespace parqproof {
namespace {

using nlohmann::json;
using Names = std::unordered_set<std::string_view>;

constexpr int kMostDepth = 100;  // printing takes a stack frame for each level of nesting

/// Discarded if the text is no JSON, or is nested too deep.
json parse_shallow(std::string_view text) {
  if (text.size() > kMostJsonBytes) return json(json::value_t::discarded);
  bool is_deep = false;
  const auto take = [&](int depth, json::parse_event_t, json&) {
    is_deep = is_deep || depth > kMostDepth;
    return !is_deep;
  };
  json parsed = json::parse(text.begin(), text.end(), take, false);
  return is_deep ? json(json::value_t::discarded) : parsed;
}

/// The names of the fields of the root.
Names fields_of(const Schema& schema) {
  const Nodes& nodes = schema.nodes();
  Names names;
  for (std::uint32_t at = 1; at < nodes.size(); at = nodes[at].end) names.insert(text_of(nodes[at].name));
  return names;
}

/// Returns true if `covering` of a column names, with a path, a field that the schema does not have.
bool covers_lost_column(const json& covering, const Names& fields) {
  for (const auto& box : covering) {
    for (const auto& path : box) {
      const bool has_name = path.is_array() && !path.empty() && path.front().is_string();
      if (has_name && !fields.contains(path.front().get_ref<const std::string&>())) return true;
    }
  }
  return false;
}

}  // namespace

std::optional<std::string> without_lost_columns(std::string_view geo, const Schema& schema) {
  json parsed = parse_shallow(geo);
  const auto columns = parsed.is_object() ? parsed.find("columns") : parsed.end();
  if (columns == parsed.end() || !columns->is_object()) return std::nullopt;
  const Names fields = fields_of(schema);
  bool is_changed = false;
  for (auto at = columns->begin(); at != columns->end();) {
    const bool is_lost = !fields.contains(at.key());
    is_changed = is_changed || is_lost;
    at = is_lost ? columns->erase(at) : std::next(at);
  }
  for (auto& column : *columns) {
    const auto covering = column.is_object() ? column.find("covering") : column.end();
    if (covering == column.end() || !covering->is_object() || !covers_lost_column(*covering, fields))
      continue;
    column.erase(covering);
    is_changed = true;
  }
  if (columns->empty()) return std::nullopt;
  if (!is_changed) return std::string(geo);
  const auto primary = parsed.find("primary_column");
  const bool is_lost = primary != parsed.end() && primary->is_string() &&
                       !columns->contains(primary->get_ref<const std::string&>());
  if (is_lost) *primary = columns->begin().key();
  return parsed.dump();
}

}  // namespace parqproof
