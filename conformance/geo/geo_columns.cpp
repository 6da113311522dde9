#include "conformance/geo/geo_columns.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "codec/base/text.hpp"
#include "codec/schema/annotations.hpp"
#include "conformance/geo/crs.hpp"

namespace parqproof {
namespace {

constexpr std::string_view kSrid = "srid:";
constexpr std::string_view kProjJson = "projjson:";

bool is_digits(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_digit); }

/// Returns true for authority:code.
bool has_authority(std::string_view crs) {
  const std::size_t colon = crs.find(':');
  if (colon == crs.npos || colon == 0 || colon + 1 == crs.size()) return false;
  return std::ranges::all_of(crs.substr(0, colon), [](char c) { return is_alphanumeric(c, "_-"); });
}

/// The CRS of one column.
class CrsRules {
 public:
  CrsRules(FileCheck& check, std::size_t leaf)
      : check_(check),
        node_(check.footer.schema.leaf(leaf)),
        crs_(check.footer.schema.crs(check.footer.schema.leaf_index(leaf))),
        site_(FindingSite::of_schema_element(check, check.footer.schema.leaf_index(leaf),
                                             static_cast<std::int32_t>(leaf))) {}

  void run() const {
    const std::string_view crs = text_of(crs_);
    if (crs_.base == 0) return;  // the default
    if (crs.empty()) return report(Rule::geo_crs_empty, "an empty text", "a name, or absent");
    if (crs.starts_with('{')) {
      if (!is_json_object(crs)) return report(Rule::geo_crs_form, crs, "PROJJSON");
      return geographic(crs);
    }
    if (crs.starts_with(kSrid)) {
      if (!is_digits(crs.substr(kSrid.size()))) report(Rule::geo_crs_srid, crs, "srid: and a number");
      return;
    }
    if (crs.starts_with(kProjJson)) return key(crs.substr(kProjJson.size()));
    if (!has_authority(crs)) return report(Rule::geo_crs_form, crs, "PROJJSON or authority:code");
    geographic(crs);
  }

 private:
  void report(Rule rule, FindingValue found, FindingValue expected) const {
    site_.report(rule, "logicalType." + std::string(name_of(node_.logical.stated)) + ".crs",
                 contrast(std::move(found), std::move(expected)));
  }

  /// geo/crs-geographic; `crs` is PROJJSON or authority:code.
  void geographic(std::string_view crs) const {
    if (node_.logical.kind == LogicalKind::GEOGRAPHY && kind_of_crs(crs) == CrsKind::projected)
      report(Rule::geo_crs_geographic, text_of(crs_), "a geographic system");
  }

  /// geo/crs-key
  void key(std::string_view name) const {
    const std::optional<KeyEntry> entry = find_key(check_, name);
    if (!entry || !entry->has_value) return report(Rule::geo_crs_key, kAbsent, "PROJJSON");
    if (entry->value.size() > kMostJsonBytes) return;
    if (!is_json_object(entry->value)) return report(Rule::geo_crs_key, "not JSON", "PROJJSON");
    geographic(entry->value);
  }

  FileCheck& check_;
  const Node& node_;
  View crs_;
  FindingSite site_;
};

}  // namespace

void check_geo_columns(FileCheck& check) {
  const Schema& schema = check.footer.schema;
  for (std::size_t leaf = 0; leaf < schema.leaf_count(); ++leaf) {
    const LogicalKind kind = schema.leaf(leaf).logical.stated;
    if (kind == LogicalKind::GEOMETRY || kind == LogicalKind::GEOGRAPHY) CrsRules(check, leaf).run();
  }
}

}  // namespace parqproof
