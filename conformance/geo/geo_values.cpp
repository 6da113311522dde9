#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/base/text.hpp"
#include "codec/geo/wkb.hpp"
#include "codec/thrift/list_walk.hpp"
#include "conformance/geo/geo_columns.hpp"
#include "conformance/geo/stated_box.hpp"
#include "conformance/observers/first_fault.hpp"
#include "conformance/observers/rule_tally.hpp"

namespace parqproof {
namespace {

FindingValue number(double value) {
  std::string text = shortest(value);
  if (std::isfinite(value)) return FindingValue::Literal{std::move(text)};
  return text;
}

/// "1, 1003"
std::string text_of(const geo::TypeSet& types) {
  std::string text;
  types.for_each([&](geo::TypeCode type) {
    if (!text.empty()) text += ", ";
    text += std::to_string(type.code());
  });
  return text.empty() ? "none" : text;
}

/// Compares the GeospatialStatistics of a chunk with its values.
class StatisticsOfValues {
 public:
  StatisticsOfValues(const ChunkScope& scope, const geo::Summary& values, const geo::Gap& gap)
      : site_(scope.site.within("meta_data.geospatial_statistics")),
        stated_(scope.meta().geospatial_statistics),
        is_planar_(scope.leaf.logical.kind == LogicalKind::GEOMETRY),
        values_(values),
        gap_(gap) {}

  void judge() const {
    if (stated_.fields.misread) return;
    if (stated_.has(GeospatialStatistics::id_bbox) && !stated_.bbox.fields.misread) judge_box();
    if (stated_.has(GeospatialStatistics::id_geospatial_types) && stated_.geospatial_types.count != 0)
      judge_types();
  }

 private:
  void report(Rule rule, std::string_view field, FindingValue found, FindingValue expected) const {
    site_.report(rule, "bbox." + std::string(field), contrast(std::move(found), std::move(expected)));
  }

  void judge_box() const {
    const BoundingBox& box = stated_.bbox;
    for (const AxisFields& fields : kAxisFields) {
      const StatedAxis axis = stated_axis(box, fields);
      const geo::Interval& values = values_.box[fields.axis];
      const bool is_required = fields.axis == geo::Axis::x || fields.axis == geo::Axis::y;
      if (is_planar_ || !is_required) {
        if (box.has(fields.min_id)) judge_infinite(fields.min_field, box.*fields.min, values, values.min);
        if (box.has(fields.max_id)) judge_infinite(fields.max_field, box.*fields.max, values, values.max);
      }
      if (values.empty()) {
        if (axis.is_sound) report(Rule::geo_bbox_axis, fields.min_field, number(axis.min), kAbsent);
        if (axis.is_sound && is_required) return;
      } else if (!axis.is_mentioned && !is_required) {
        report(Rule::geo_bbox_axis_missing, fields.min_field, kAbsent,
               shortest(values.min) + " to " + shortest(values.max));
      } else if (can_be_compared(fields, axis, values)) {
        judge_axis(fields, axis, values);
      }
    }
  }

  /// Returns true if both bounds are there, and each is finite or a coordinate of a value.
  [[nodiscard]] bool can_be_compared(const AxisFields& fields, const StatedAxis& axis,
                                     const geo::Interval& values) const {
    const BoundingBox& box = stated_.bbox;
    return box.has(fields.min_id) && box.has(fields.max_id) && (axis.min <= axis.max || axis.wraps) &&
           (std::isfinite(axis.min) || axis.min == values.min) &&
           (std::isfinite(axis.max) || axis.max == values.max);
  }

  /// geo/bbox-infinite. A coordinate that is infinite is a value like another; that of a GEOGRAPHY breaks
  /// geo/bbox-range.
  void judge_infinite(std::string_view field, double bound, const geo::Interval& values,
                      double of_values) const {
    if (std::isinf(bound) && (values.empty() || bound != of_values))
      report(Rule::geo_bbox_infinite, field, number(bound), "a finite number");
  }

  /// geo/bbox and geo/bbox-tight
  void judge_axis(const AxisFields& fields, const StatedAxis& axis, const geo::Interval& values) const {
    if (axis.wraps) {
      if (gap_.is_hit)
        report(Rule::geo_bbox, fields.min_field, number(axis.min), shortest(gap_.hit) + " or less");
      return;
    }
    if (axis.min > values.min)
      report(Rule::geo_bbox, fields.min_field, number(axis.min), shortest(values.min) + " or less");
    if (axis.max < values.max)
      report(Rule::geo_bbox, fields.max_field, number(axis.max), shortest(values.max) + " or more");
    if (!is_planar_) return;
    if (axis.min < values.min)
      report(Rule::geo_bbox_tight, fields.min_field, number(axis.min), number(values.min));
    if (axis.max > values.max)
      report(Rule::geo_bbox_tight, fields.max_field, number(axis.max), number(values.max));
  }

  /// geo/types and geo/types-surplus
  void judge_types() const {
    geo::TypeSet listed;
    geo::TypeSet by_flags;  // geo/types-known
    FirstFault surplus;
    thrift::for_each_integer(stated_.geospatial_types, [&](std::int64_t code, std::uint32_t i) {
      if (!std::in_range<std::int32_t>(code)) return;
      const auto bits = static_cast<std::uint32_t>(code);
      const std::optional<geo::TypeCode> type = geo::TypeCode::of(bits);
      if (!type) {
        if (const std::optional<geo::TypeCode> meant = geo::type_of_ewkb(bits)) by_flags.add(*meant);
        return;
      }
      if (!values_.types.contains(*type) && !listed.contains(*type))
        surplus.note(i, code, text_of(values_.types));
      listed.add(*type);
    });
    surplus.report(site_, Rule::geo_types_surplus, "geospatial_types");
    std::optional<std::uint32_t> first;
    std::uint64_t missing = 0;
    values_.types.for_each([&](geo::TypeCode type) {
      const bool is_listed = listed.contains(type) || by_flags.contains(type);
      if (!is_listed && missing++ == 0) first = type.code();
    });
    if (first) site_.report(Rule::geo_types, "geospatial_types", contrast(kAbsent, *first), missing);
  }

  FindingSite site_;
  const GeospatialStatistics& stated_;
  bool is_planar_;
  const geo::Summary& values_;
  const geo::Gap& gap_;
};

class GeoValues final : public ChunkObserver, private geo::Faults {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage& use) override {
    scope_ = &scope;
    use_ = &use;
    summary_ = {};
    gap_.reset();
    tallies_.clear();
    values_ = 0;
    is_known_ = true;
    has_indices_ = false;
    dictionary_page_ = {};
    if (!is_geospatial(scope.leaf)) return {};
    walker_ = geo::Walker(static_cast<std::uint32_t>(scope.context.options.limits.schema_depth));
    walker_.judge_ranges(scope.leaf.logical.kind == LogicalKind::GEOGRAPHY);
    const StatedAxis x = stated_axis(scope.meta().geospatial_statistics.bbox, kAxisFields.front());
    if (x.wraps) {
      gap_ = geo::Gap{x.max, x.min};
      walker_.set_gaps({&*gap_, 1});
    }
    return {.dictionary = true, .values = true, .pages = true, .end = true};
  }

  /// Keeps the dictionary until the end of the chunk, where the used entries are known.
  void end_dictionary(const ValueSection& section) override {
    if (!use_->ask_for_values()) {
      is_known_ = false;
      return;
    }
    dictionary_page_ = section.page.place;
    dictionary_offset_ = section.page.offset;
  }

  void begin_page(const Page&) override {
    tallies_.clear();
    values_ = 0;
  }

  void values(const ValueSection& section, const ValueBatch& batch) override {
    if (batch.form == ValueBatch::Form::byte_arrays) {
      for (std::uint64_t i = 0; i < batch.count; ++i) {
        walk(batch.byte_arrays[i], values_ + i);
        if (!described_.empty()) settle([&] { return section.place_of(batch, i); });
      }
    } else {
      has_indices_ = true;
    }
    values_ += batch.count;
  }

  void end_page(const PageEnd& end) override {
    if (end.misread) {
      is_known_ = false;
    } else {
      report(end.page.place, end.page.offset);
    }
  }

  void end_chunk(const ChunkEnd& end) override {
    if (dictionary_page_.page >= 0) {
      if (end.entries_trusted) walk_dictionary();
    } else if (has_indices_) {
      is_known_ = false;
      scope_->services.not_run.push_back(
          {"the values of the dictionary as WKB", "its dictionary cannot be kept", scope_->place, {}});
    }
    if (!end.complete || !end.values_known || !is_known_) return;
    scope_->services.geo = std::make_shared<geo::Summary>(summary_);
    if (scope_->meta().has(ColumnMetaData::id_geospatial_statistics))
      StatisticsOfValues(*scope_, summary_, gap_.value_or(geo::Gap{})).judge();
  }

 private:
  [[nodiscard]] bool count(Rule rule) override {
    auto tally = std::ranges::find(tallies_, rule, &RuleTally::rule);
    const bool is_first = tally == tallies_.end();
    if (is_first) {
      tallies_.push_back({rule, 0, ordinal_, {}, {}});
      tally = tallies_.end() - 1;
    }
    ++tally->times;
    return is_first;
  }

  void describe(geo::Fault fault) override {
    RuleTally& tally = *std::ranges::find(tallies_, fault.rule, &RuleTally::rule);
    tally.at = fault.at;
    tally.what = contrast(std::move(fault.found), std::move(fault.expected));
    described_.push_back(static_cast<std::size_t>(&tally - tallies_.data()));
  }

  void walk(const ByteArray& value, std::uint64_t ordinal) {
    ordinal_ = ordinal;
    described_.clear();
    if (!walker_.walk({{value.data, value.size}}, *this)) {
      is_known_ = false;
      return;
    }
    summary_.box.add(walker_.box());
    summary_.types.add(walker_.type());
  }

  /// Sets the places of the violations of the last value, whose bytes `find` returns. A value whose encoding
  /// stores no bytes of its own has only the place of its section.
  template <typename Find>
  void settle(Find&& find) {
    const View value = find();
    for (const std::size_t i : described_) {
      View& at = tallies_[i].at;
      const auto offset = static_cast<std::size_t>(at.base);
      at = offset + at.size() <= value.size() ? value.part(offset, at.size()) : value.part(0, 0);
    }
    described_.clear();
  }

  void walk_dictionary() {
    const View image = use_->image();
    tallies_.clear();
    const auto take = [&](const ValueBatch& batch, std::uint64_t first) {
      for (std::uint64_t i = 0; i < batch.count; ++i) {
        const ByteArray& value = batch.byte_arrays[i];
        walk(value, first + i);
        if (described_.empty()) continue;
        settle([&] { return image.part(static_cast<std::size_t>(value.data - image.data()), value.size); });
      }
    };
    use_->for_each_used(scope_->context.options.limits, scope_->services.budget, take);
    report(dictionary_page_, dictionary_offset_);
  }

  void report(const Place& page, std::uint64_t page_offset) {
    report_values(scope_->site.findings, tallies_, page, page_offset);
  }

  const ChunkScope* scope_ = nullptr;
  DictionaryUsage* use_ = nullptr;
  geo::Walker walker_{0};
  geo::Summary summary_;                // of the values so far
  std::optional<geo::Gap> gap_;         // of a stated box that wraps around
  std::vector<RuleTally> tallies_;      // of the page so far, one per rule
  std::vector<std::size_t> described_;  // tallies of the current value whose places are not set
  std::uint64_t values_ = 0;            // of the page so far
  std::uint64_t ordinal_ = 0;           // of the current value
  bool is_known_ = true;                // the summary has all values
  bool has_indices_ = false;
  Place dictionary_page_;
  std::uint64_t dictionary_offset_ = 0;
};

}  // namespace

std::unique_ptr<ChunkObserver> geo_values() { return std::make_unique<GeoValues>(); }

}  // namespace parqproof
