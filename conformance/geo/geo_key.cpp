#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "codec/base/text.hpp"
#include "codec/schema/annotations.hpp"
#include "conformance/geo/crs.hpp"
#include "conformance/geo/geo_columns.hpp"

namespace parqproof {
namespace {

using nlohmann::json;

/// The name of a type in geometry_types: "Point", "Polygon ZM".
std::string name_in_geoparquet(const geo::TypeCode& type) {
  std::string name(geo::name_of(type.shape));
  if (type.has_z || type.has_m) name += ' ';
  if (type.has_z) name += 'Z';
  if (type.has_m) name += 'M';
  return name;
}

std::string names_of(const geo::TypeSet& types) {
  std::string text;
  types.for_each([&](geo::TypeCode type) {
    if (!text.empty()) text += ", ";
    text += name_in_geoparquet(type);
  });
  return text;
}

/// "an array"
std::string_view kind_of(const json* value) {
  if (value == nullptr) return "absent";
  if (value->is_object()) return "an object";
  if (value->is_array()) return "an array";
  if (value->is_string()) return "a string";
  if (value->is_number()) return "a number";
  return value->is_null() ? "null" : "a boolean";
}

const json* member(const json& object, const char* name) {
  const auto at = object.find(name);
  return at == object.end() ? nullptr : &*at;
}

/// A PROJJSON with authority and code alone: printing all of it takes a stack frame for each level of
/// nesting.
std::string with_id_alone(const json& crs) {
  json id = json::object();
  const json* const stated = crs.is_object() ? member(crs, "id") : nullptr;
  for (const char* const name : {"authority", "code"}) {
    const json* const one = stated != nullptr && stated->is_object() ? member(*stated, name) : nullptr;
    if (one != nullptr && one->is_primitive()) id[name] = *one;
  }
  return json{{"id", std::move(id)}}.dump();
}

/// Returns true for three numbers separated by dots, perhaps with a suffix; the first is at most 2.
bool is_version(std::string_view version) {
  for (int part = 0; part < 3; ++part) {
    std::size_t digits = 0;
    while (digits < version.size() && std::isdigit(static_cast<unsigned char>(version[digits])) != 0)
      ++digits;
    if (digits == 0 || (part == 0 && (digits > 1 || version[0] > '2'))) return false;
    version.remove_prefix(digits);
    if (part == 2) break;
    if (!version.starts_with('.')) return false;
    version.remove_prefix(1);
  }
  return version.empty() || version.front() == '-';
}

/// Extent and types of all values of a column; nullopt if they are not known.
std::optional<geo::Summary> summary_of(const FileCheck& check, std::size_t leaf) {
  const ParsedFooter& footer = check.footer;
  if (check.outcome.tallies.empty() || !footer.row_groups_complete) return std::nullopt;
  geo::Summary all;
  for (const RowGroupClaim& group : footer.row_groups) {
    if (!group.complete) return std::nullopt;
    const std::size_t chunk = group.first_chunk + leaf;
    if (footer.chunks[chunk].no_pages) continue;
    const std::shared_ptr<geo::Summary>& one = check.outcome.tallies.details(chunk).geo;
    if (one == nullptr) return std::nullopt;
    all.add(*one);
  }
  return all;
}

class GeoKey {
 public:
  GeoKey(FileCheck& check, const KeyEntry& entry)
      : check_(check),
        site_{check.outcome.findings,
              {},
              check.footer.footer_from(entry.struct_offset),
              KeyValue::kType,
              "key_value_metadata[" + std::to_string(entry.index) + "]"} {}

  void run(const KeyEntry& entry) {
    if (!entry.has_value) return form("geo", "absent", "a JSON object");
    if (entry.value.size() > kMostJsonBytes) {
      check_.outcome.not_run.push_back({"the entry geo of key_value_metadata", "it is too long", {}, {}});
      return;
    }
    const json parsed = json::parse(entry.value.begin(), entry.value.end(), nullptr, false);
    if (parsed.is_discarded()) return form("geo", "not JSON", "a JSON object");
    if (!parsed.is_object()) return form("geo", kind_of(&parsed), "a JSON object");
    const json* const version = member(parsed, "version");
    const json* const primary = member(parsed, "primary_column");
    const json* const columns = member(parsed, "columns");
    if (version == nullptr || !version->is_string()) {
      form("version", kind_of(version), "a string");
    } else if (const auto& text = version->get_ref<const std::string&>(); !is_version(text)) {
      report(Rule::geoparquet_version, contrast(text, "a version up to 2"));
    } else {
      has_geometry_types_ = !text.starts_with("0.");
      constexpr std::array<std::string_view, 3> kBeforeProjjson{"0.1.", "0.2.", "0.3."};
      has_wkt_crs_ =
          std::ranges::any_of(kBeforeProjjson, [&](auto early) { return text.starts_with(early); });
    }
    if (columns == nullptr || !columns->is_object()) return form("columns", kind_of(columns), "an object");
    if (primary == nullptr || !primary->is_string()) {
      form("primary_column", kind_of(primary), "a string");
    } else if (const auto& name = primary->get_ref<const std::string&>(); !columns->contains(name)) {
      report(Rule::geoparquet_primary_column, contrast(name, "one of the columns"));
    }
    for (const auto& [name, claims] : columns->items()) column(name, claims);
  }

 private:
  void report(Rule rule, Contrast what) const { site_.report(rule, "value", std::move(what)); }
  void report(Rule rule, FindingValue found, FindingValue expected) const {
    report(rule, contrast(std::move(found), std::move(expected), name_));
  }
  void form(std::string where, std::string_view found, std::string_view expected) const {
    report(Rule::geoparquet_json, contrast(found, expected, std::move(where)));
  }

  /// geoparquet/json for a member of a column; returns null unless it is sound. `is_it`: has the right form.
  template <typename IsIt>
  [[nodiscard]] const json* sound(const json& claims, const char* name, bool is_required,
                                  std::string_view expected, IsIt&& is_it) const {
    const json* const value = member(claims, name);
    if (value == nullptr ? !is_required : is_it(*value)) return value;
    form(name_ + "." + name, value != nullptr && value->is_array() ? "another array" : kind_of(value),
         expected);
    return nullptr;
  }

  void column(const std::string& name, const json& claims) {
    name_ = name;
    if (!claims.is_object()) return form(name, kind_of(&claims), "an object");
    const auto is_string = [](const json& value) { return value.is_string(); };
    const json* const encoding = sound(claims, "encoding", true, "a string", is_string);
    const json* const types =
        sound(claims, "geometry_types", has_geometry_types_, "an array of strings",
              [&](const json& value) { return value.is_array() && std::ranges::all_of(value, is_string); });
    const json* const box =
        sound(claims, "bbox", false, "an array of 4, 6 or 8 numbers", [](const json& value) {
          const bool is_even =
              value.is_array() && value.size() >= 4 && value.size() <= 8 && value.size() % 2 == 0;
          return is_even && std::ranges::all_of(value, [](const json& one) { return one.is_number(); });
        });
    const json* const edges = sound(claims, "edges", false, "a string", is_string);
    const json* const crs =
        sound(claims, "crs", false, has_wkt_crs_ ? "a string, an object or null" : "an object or null",
              [&](const json& value) {
                return value.is_object() || value.is_null() || (has_wkt_crs_ && value.is_string());
              });
    const bool is_wkb = encoding != nullptr && encoding->get_ref<const std::string&>() == "WKB";
    const std::optional<std::size_t> leaf = find_column(name, is_wkb);
    if (!leaf || !is_geospatial(check_.footer.schema.leaf(*leaf))) return;
    if (encoding != nullptr && !is_wkb)
      report(Rule::geoparquet_encoding, encoding->get_ref<const std::string&>(), "WKB");
    judge_edges(*leaf, edges == nullptr ? "planar" : edges->get_ref<const std::string&>());
    judge_crs(*leaf, crs);
    const std::optional<geo::Summary> values = summary_of(check_, *leaf);
    if (!values || values->types.empty()) return;
    if (types != nullptr && !types->empty()) judge_types(*types, values->types);
    if (box != nullptr) judge_box(*box, values->box);
  }

  /// geoparquet/column. Other encodings have groups, which are not judged.
  [[nodiscard]] std::optional<std::size_t> find_column(const std::string& name, bool is_wkb) const {
    const Nodes& nodes = check_.footer.schema.nodes();
    std::uint32_t at = 1;
    while (at < nodes.size() && text_of(nodes[at].name) != name) at = nodes[at].end;
    constexpr const char* kExpected = "a BYTE_ARRAY leaf at the root";
    if (at >= nodes.size()) {
      report(Rule::geoparquet_column, kAbsent, kExpected);
    } else if (!nodes[at].is_leaf) {
      if (is_wkb) report(Rule::geoparquet_column, "a group", kExpected);
    } else if (nodes[at].repetition == FieldRepetitionType::REPEATED) {
      report(Rule::geoparquet_column, "repeated", kExpected);
    } else if (nodes[at].type != Type::BYTE_ARRAY) {
      report(Rule::geoparquet_column, symbol(kTypeEnum, nodes[at].type), kExpected);
    } else {
      return nodes[at].leaf;
    }
    return std::nullopt;
  }

  /// geoparquet/edges. Early versions have no name for other algorithms than `spherical`.
  void judge_edges(std::size_t leaf, const std::string& edges) const {
    const ResolvedType& type = check_.footer.schema.leaf(leaf).logical;
    std::string expected = "planar";
    if (type.kind == LogicalKind::GEOGRAPHY) {
      if (type.algorithm < 0 || edges == "spherical") return;
      expected = kEdgeInterpolationAlgorithmEnum.name_of(type.algorithm);
      std::ranges::transform(expected, expected.begin(), [](char c) {
        return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      });
    }
    if (edges != expected) report(Rule::geoparquet_edges, edges, expected);
  }

  /// geoparquet/crs, if both name their systems.
  void judge_crs(std::size_t leaf, const json* crs) const {
    const Schema& schema = check_.footer.schema;
    const View native = schema.crs(schema.leaf_index(leaf));
    const std::string_view text = native.base == 0 ? kDefaultCrs : text_of(native);
    const std::optional<std::string> expected = id_of_crs(text);
    if (!expected) return;
    if (crs != nullptr && crs->is_null()) return report(Rule::geoparquet_crs, "null", *expected);
    const std::optional<std::string> found =
        crs == nullptr ? std::string(kDefaultCrs) : id_of_crs(with_id_alone(*crs));
    if (found && !is_same_crs(*found, *expected)) report(Rule::geoparquet_crs, *found, *expected);
  }

  /// geoparquet/geometry-types: each type of the values, and each once. Before version 2 a type with m has no
  /// name of its own.
  void judge_types(const json& names, const geo::TypeSet& values) const {
    std::string found;
    std::vector<std::string> listed;
    for (const json& name : names) {
      listed.push_back(name.get<std::string>());
      if (!found.empty()) found += ", ";
      found += listed.back();
    }
    const auto has = [&](const std::string& name) { return std::ranges::find(listed, name) != listed.end(); };
    std::size_t known = 0;
    bool is_complete = true;
    values.for_each([&](geo::TypeCode type) {
      ++known;
      const geo::TypeCode without_m{type.shape, type.has_z, false};
      is_complete = is_complete &&
                    (has(name_in_geoparquet(type)) || (type.has_m && has(name_in_geoparquet(without_m))));
    });
    std::ranges::sort(listed);
    const auto twice = std::ranges::unique(listed);
    const auto distinct = static_cast<std::size_t>(twice.begin() - listed.begin());
    if (!is_complete || distinct != listed.size() || distinct > known)
      report(Rule::geoparquet_geometry_types, found, names_of(values));
  }

  /// geoparquet/bbox. A box whose west is greater than its east wraps around, and its x is not judged.
  void judge_box(const json& box, const geo::Box& values) const {
    const std::size_t axes = box.size() / 2;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      const geo::Interval& data = values.axes[axis];
      const auto low = box[axis].get<double>();
      const auto high = box[axis + axes].get<double>();
      if (data.empty() || (axis == 0 && low > high)) continue;
      if (low > data.min)
        report(Rule::geoparquet_bbox, FindingValue::Literal{shortest(low)}, shortest(data.min) + " or less");
      if (high < data.max)
        report(Rule::geoparquet_bbox, FindingValue::Literal{shortest(high)}, shortest(data.max) + " or more");
    }
  }

  FileCheck& check_;
  FindingSite site_;
  std::string name_;  // of the column that is judged
  // Of the version; where that is not known, what some versions allow is not reported.
  bool has_geometry_types_ = false;  // versions before 1 have geometry_type
  bool has_wkt_crs_ = true;          // versions before 0.4 have a crs in WKT2
};

}  // namespace

void check_geo_key(FileCheck& check) {
  if (!check.footer.schema_usable) return;
  const std::optional<KeyEntry> entry = find_key(check, "geo");
  if (entry) GeoKey(check, *entry).run(*entry);
}

}  // namespace parqproof
