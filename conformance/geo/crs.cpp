#include "conformance/geo/crs.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "codec/base/text.hpp"

namespace parqproof {
namespace {

using nlohmann::json;

/// Codes of EPSG for projected systems: Web Mercator, national grids, and the zones of UTM.
constexpr std::array<std::pair<unsigned, unsigned>, 8> kProjected{{{2154, 2154},
                                                                   {3035, 3035},
                                                                   {3857, 3857},
                                                                   {25828, 25838},
                                                                   {26901, 26923},
                                                                   {27700, 27700},
                                                                   {32601, 32660},
                                                                   {32701, 32760}}};
constexpr std::array<unsigned, 4> kGeographic{4258, 4269, 4326, 4979};

CrsKind kind_of_type(std::string_view type) {
  if (type == "GeographicCRS" || type == "GeodeticCRS" || type == "DerivedGeographicCRS")
    return CrsKind::geographic;
  if (type == "ProjectedCRS" || type == "DerivedProjectedCRS" || type == "EngineeringCRS" ||
      type == "VerticalCRS" || type == "TemporalCRS" || type == "ParametricCRS")
    return CrsKind::projected;
  return CrsKind::unknown;
}

/// Discarded if the text is no JSON.
json parse_json(std::string_view text) {
  if (text.size() > kMostJsonBytes) return json(json::value_t::discarded);
  return json::parse(text.begin(), text.end(), nullptr, false);
}

/// The member `id` of PROJJSON as authority:code.
std::optional<std::string> id_of_projjson(const json& crs) {
  if (!crs.is_object()) return std::nullopt;
  const auto id = crs.find("id");
  if (id == crs.end() || !id->is_object()) return std::nullopt;
  const auto authority = id->find("authority");
  const auto code = id->find("code");
  if (authority == id->end() || !authority->is_string() || code == id->end()) return std::nullopt;
  std::string text = authority->get<std::string>() + ':';
  if (code->is_string()) {
    text += code->get_ref<const std::string&>();
  } else if (code->is_number_integer()) {
    text += code->dump();
  } else {
    return std::nullopt;
  }
  return text;
}

bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return is_alphanumeric(c, "_-."); });
}

/// Authority and code of a name of OGC: `urn:ogc:def:crs:EPSG::3857`, or
/// `http://www.opengis.net/def/crs/EPSG/0/3857`, each with a version between them.
std::optional<std::string> id_of_reference(std::string_view text) {
  const std::string lower = to_lower(text);
  for (const std::string_view prefix :
       {"urn:ogc:def:crs:", "http://www.opengis.net/def/crs/", "https://www.opengis.net/def/crs/"}) {
    if (!lower.starts_with(prefix)) continue;
    text.remove_prefix(prefix.size());
    const std::size_t first = text.find(prefix.back());
    const std::size_t last = text.rfind(prefix.back());
    if (first == text.npos || text.find(prefix.back(), first + 1) != last) return std::nullopt;
    return std::string(text.substr(0, first)) + ':' + std::string(text.substr(last + 1));
  }
  return std::nullopt;
}

/// Returns nullopt for what is not plain authority:code, such as another URL or WKT: what system it names is
/// not known.
std::optional<std::string> normal_id(std::string_view id) {
  const std::size_t colon = id.find(':');
  if (colon == id.npos || !is_word(id.substr(0, colon)) || !is_word(id.substr(colon + 1)))
    return std::nullopt;
  const std::string authority = to_lower(id.substr(0, colon));
  if (authority == "srid" || authority == "projjson" || authority == "urn") return std::nullopt;
  return is_same_crs(id, "EPSG:4326") ? std::string(kDefaultCrs) : std::string(id);
}

}  // namespace

bool is_json_object(std::string_view text) { return parse_json(text).is_object(); }

CrsKind kind_of_crs(std::string_view crs) {
  if (crs.starts_with('{')) {
    const json parsed = parse_json(crs);
    if (!parsed.is_object()) return CrsKind::unknown;
    const auto type = parsed.find("type");
    return type != parsed.end() && type->is_string() ? kind_of_type(type->get_ref<const std::string&>())
                                                     : CrsKind::unknown;
  }
  if (crs.starts_with("OGC:CRS")) return CrsKind::geographic;
  constexpr std::string_view kEpsg = "EPSG:";
  if (!crs.starts_with(kEpsg)) return CrsKind::unknown;
  unsigned code = 0;
  const char* const end = crs.data() + crs.size();
  const auto read = std::from_chars(crs.data() + kEpsg.size(), end, code);
  if (read.ec != std::errc() || read.ptr != end) return CrsKind::unknown;
  if (std::ranges::find(kGeographic, code) != kGeographic.end()) return CrsKind::geographic;
  const bool is_projected = std::ranges::any_of(
      kProjected, [&](const auto& range) { return code >= range.first && code <= range.second; });
  return is_projected ? CrsKind::projected : CrsKind::unknown;
}

std::optional<std::string> id_of_crs(std::string_view crs) {
  if (crs.starts_with('{')) return id_of_projjson(parse_json(crs)).and_then(normal_id);
  if (const std::optional<std::string> id = id_of_reference(crs)) return normal_id(*id);
  return normal_id(crs);
}

bool is_same_crs(std::string_view a, std::string_view b) { return to_lower(a) == to_lower(b); }

std::optional<KeyEntry> find_key(const FileCheck& check, std::string_view key) {
  const FileMetaData& meta = check.footer.meta;
  std::optional<KeyEntry> found;
  if (!meta.has(FileMetaData::id_key_value_metadata)) return found;
  thrift::for_each<KeyValue>(
      meta.key_value_metadata, check.options.limits, [&](const KeyValue& pair, std::uint32_t i) {
        if (found || !pair.has(KeyValue::id_key) || text_of(pair.key) != key) return;
        const bool has_value = pair.has(KeyValue::id_value);
        found =
            KeyEntry{i, pair.fields.offset, has_value ? text_of(pair.value) : std::string_view(), has_value};
      });
  return found;
}

}  // namespace parqproof
