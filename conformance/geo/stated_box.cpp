#include "conformance/geo/stated_box.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "codec/base/text.hpp"
#include "codec/schema/annotations.hpp"
#include "codec/thrift/list_walk.hpp"
#include "conformance/geo/crs.hpp"
#include "conformance/geo/geo_columns.hpp"
#include "conformance/observers/first_fault.hpp"

namespace parqproof {
namespace {

constexpr int kMaxLongitude = 180;
constexpr int kMaxLatitude = 90;

FindingValue number(double value) {
  if (!std::isfinite(value)) return shortest(value);
  return FindingValue::Literal{shortest(value)};
}

/// The largest number on an axis of GEOGRAPHY; nullopt if there is none.
std::optional<int> limit_of(geo::Axis axis) noexcept {
  if (axis == geo::Axis::x) return kMaxLongitude;
  return axis == geo::Axis::y ? std::optional(kMaxLatitude) : std::nullopt;
}

bool is_beyond(double value, std::optional<int> limit) noexcept {
  return limit && (value < -*limit || value > *limit);
}

/// The rules for the struct alone.
class BoxRules {
 public:
  BoxRules(const FindingSite& site, LogicalKind kind, CrsKind crs, const GeospatialStatistics& stated)
      : site_(site), kind_(kind), crs_(crs), stated_(stated) {}

  void box() const {
    const BoundingBox& box = stated_.bbox;
    if (!stated_.has(GeospatialStatistics::id_bbox) || box.fields.misread) return;
    for (const AxisFields& fields : kAxisFields) axis(box, fields);
  }

  /// geo/types-unique and geo/types-known
  void types() const {
    if (!stated_.has(GeospatialStatistics::id_geospatial_types)) return;
    std::unordered_set<std::int64_t> codes;
    FirstFault twice;
    FirstFault unknown;
    thrift::for_each_integer(stated_.geospatial_types, [&](std::int64_t code, std::uint32_t i) {
      const bool is_code = std::in_range<std::uint32_t>(code);
      if (!codes.insert(code).second) {
        twice.note(i, code, "each type once");
      } else if (!is_code || !geo::TypeCode::of(static_cast<std::uint32_t>(code))) {
        unknown.note(i, code, "1 to 7, plus 0, 1000, 2000 or 3000");
      }
    });
    twice.report(site_, Rule::geo_types_unique, "geospatial_types");
    unknown.report(site_, Rule::geo_types_known, "geospatial_types");
  }

 private:
  void report(Rule rule, std::string_view field, FindingValue found, FindingValue expected) const {
    site_.report(rule, "bbox." + std::string(field), contrast(std::move(found), std::move(expected)));
  }

  void axis(const BoundingBox& box, const AxisFields& fields) const {
    const bool has_min = box.has(fields.min_id);
    const bool has_max = box.has(fields.max_id);
    const bool is_optional = fields.axis == geo::Axis::z || fields.axis == geo::Axis::m;
    if (has_min != has_max && is_optional && !box.fields.mentions(has_min ? fields.max_id : fields.min_id)) {
      const std::string_view alone = has_min ? fields.min_field : fields.max_field;
      report(Rule::geo_bbox_pairs, alone, alone,
             std::string(fields.min_field) + " and " + std::string(fields.max_field));
    }
    bool is_sound = has_min && has_max;
    if (has_min) is_sound = bound(box.*fields.min, fields.min_field, fields.axis) && is_sound;
    if (has_max) is_sound = bound(box.*fields.max, fields.max_field, fields.axis) && is_sound;
    if (is_sound && box.*fields.min > box.*fields.max) order(box, fields);
  }

  /// geo/bbox-nan and geo/bbox-range; returns true if the bound is a finite number in range.
  bool bound(double value, std::string_view field, geo::Axis axis) const {
    if (std::isnan(value)) {
      report(Rule::geo_bbox_nan, field, number(value), "a number");
      return false;
    }
    const std::optional<int> limit = limit_of(axis);
    if (kind_ == LogicalKind::GEOGRAPHY && is_beyond(value, limit)) {
      report(Rule::geo_bbox_range, field, number(value), between(-*limit, *limit));
      return false;
    }
    return std::isfinite(value);
  }

  /// geo/bbox-order and geo/bbox-wrap
  void order(const BoundingBox& box, const AxisFields& fields) const {
    const double min = box.*fields.min;
    const double max = box.*fields.max;
    const std::string expected = shortest(max) + " or less";
    if (fields.axis != geo::Axis::x) {
      report(Rule::geo_bbox_order, fields.min_field, number(min), expected);
      return;
    }
    const bool is_longitude = min <= kMaxLongitude && max >= -kMaxLongitude;
    if (kind_ == LogicalKind::GEOMETRY && (!is_longitude || crs_ == CrsKind::projected))
      report(Rule::geo_bbox_wrap, fields.min_field, number(min), expected);
  }

  FindingSite site_;
  LogicalKind kind_;
  CrsKind crs_;
  const GeospatialStatistics& stated_;
};

}  // namespace

StatedAxis stated_axis(const BoundingBox& box, const AxisFields& fields) noexcept {
  StatedAxis axis;
  const bool has_min = box.has(fields.min_id);
  const bool has_max = box.has(fields.max_id);
  axis.is_mentioned = box.fields.mentions(fields.min_id) || box.fields.mentions(fields.max_id);
  if (!has_min || !has_max) return axis;
  axis.min = box.*fields.min;
  axis.max = box.*fields.max;
  const bool is_ordered = axis.min <= axis.max;
  axis.wraps = fields.axis == geo::Axis::x && axis.min > axis.max;
  axis.is_sound = std::isfinite(axis.min) && std::isfinite(axis.max) && (is_ordered || axis.wraps);
  return axis;
}

bool has_range_of_values(const FileCheck& check, const Place& place) {
  const ParsedFooter& footer = check.footer;
  const auto row_group = static_cast<std::size_t>(place.row_group);
  if (check.outcome.tallies.empty() || row_group >= footer.row_groups.size()) return false;
  const RowGroupClaim& group = footer.row_groups[row_group];
  if (!group.complete || place.leaf < 0) return false;
  const std::size_t index = group.first_chunk + static_cast<std::size_t>(place.leaf);
  const std::shared_ptr<geo::Summary> values = check.outcome.tallies.details(index).geo;
  ColumnChunk chunk;
  if (values == nullptr || !footer.reread(footer.chunks[index], check.options.limits, chunk)) return false;
  const BoundingBox& box = chunk.meta_data.geospatial_statistics.bbox;
  return std::ranges::all_of(kAxisFields, [&](const AxisFields& fields) {
    const std::optional<int> limit = limit_of(fields.axis);
    const geo::Interval& extent = values->box[fields.axis];
    const auto is_of_values = [&](BoundingBox::Id id, double bound, double value) {
      return !box.has(id) || !is_beyond(bound, limit) || bound == value;
    };
    return is_of_values(fields.min_id, box.*fields.min, extent.min) &&
           is_of_values(fields.max_id, box.*fields.max, extent.max);
  });
}

void judge_geospatial_statistics(const FindingSite& chunk, const Schema& schema, std::size_t leaf,
                                 const ColumnMetaData& meta) {
  const Node& node = schema.leaf(leaf);
  const GeospatialStatistics& stated = meta.geospatial_statistics;
  if (!meta.has(ColumnMetaData::id_geospatial_statistics) || stated.fields.misread) return;
  if (node.logical.is_unknown) return;
  const LogicalKind kind = node.logical.stated;
  if (kind != LogicalKind::GEOMETRY && kind != LogicalKind::GEOGRAPHY) {
    const FindingValue found = node.logical.kind != LogicalKind::none
                                   ? FindingValue(name_of(node.logical.kind))
                                   : symbol(kTypeEnum, node.type);
    chunk.report(Rule::geo_statistics_type, "meta_data.geospatial_statistics",
                 contrast(found, "GEOMETRY or GEOGRAPHY"));
    return;
  }
  const View crs = schema.crs(schema.leaf_index(leaf));
  const FindingSite site = chunk.within("meta_data.geospatial_statistics");
  const BoxRules rules(site, kind, crs.empty() ? CrsKind::geographic : kind_of_crs(text_of(crs)), stated);
  rules.box();
  rules.types();
}

}  // namespace parqproof
