#include "conformance/statistics/statistics_check.hpp"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

#include "codec/schema/value_text.hpp"
#include "conformance/values/value_legality.hpp"

namespace parqproof {
namespace {

using Bytes = std::span<const std::uint8_t>;

/// The deprecated bounds compare as signed numbers; for byte arrays writers have never agreed on a meaning.
Order signed_order(const Node& leaf) {
  const Order order = order_of(leaf);
  const bool is_signed = order == Order::signed_int || order == Order::floating || order == Order::boolean;
  return is_signed ? order : Order::none;
}

/// Compares as older writers did: byte by byte, each of them signed.
Comparison compare_signed_bytes(Bytes a, Bytes b) {
  const auto order = std::lexicographical_compare_three_way(
      a.begin(), a.end(), b.begin(), b.end(), [](std::uint8_t one, std::uint8_t other) {
        return static_cast<std::int8_t>(one) <=> static_cast<std::int8_t>(other);
      });
  return order < 0 ? Comparison::less : order > 0 ? Comparison::greater : Comparison::equal;
}

/// Returns true if the value is outside of the bound if both are signed.
bool is_outside_signed(Bytes value, const Node& leaf, bool lower, Bytes bound) {
  const bool is_integer = leaf.type == Type::INT32 || leaf.type == Type::INT64;
  const Comparison position =
      is_integer ? compare(Order::signed_int, value, bound) : compare_signed_bytes(value, bound);
  return position == (lower ? Comparison::less : Comparison::greater);
}

/// Returns true if the value is outside of the bound if both are unsigned.
bool is_outside_unsigned(Bytes value, const Node& leaf, bool lower, Bytes bound) {
  const bool is_integer = leaf.type == Type::INT32 || leaf.type == Type::INT64;
  return position_of(value, is_integer ? Order::unsigned_int : Order::unsigned_bytes, lower, bound) ==
         BoundPosition::outside;
}

/// Returns true if a bound may be a truncated value, with an incremented last character if it is an upper
/// bound.
bool may_be_shortened(Bytes bound, Bytes value, bool lower) {
  constexpr std::ptrdiff_t kMaxCharacterBytes = 4;
  if (bound.size() >= value.size()) return false;
  const auto shared = std::ranges::mismatch(bound, value).in1 - bound.begin();
  const std::ptrdiff_t rest = std::ssize(bound) - shared;
  if (lower || rest == 0) return rest == 0;
  // An incremented byte, or an incremented character of UTF-8.
  return rest == 1 || (shared > 0 && rest <= kMaxCharacterBytes);
}

}  // namespace

bool is_leaf_null_count(const Node& leaf, std::int64_t stated, std::uint64_t null_leaves,
                        std::uint64_t null_elements) noexcept {
  const bool optional = leaf.repetition == FieldRepetitionType::OPTIONAL;
  return stated == static_cast<std::int64_t>(optional ? null_leaves : 0) ||
         stated == static_cast<std::int64_t>(null_elements);
}

std::string describe_first_outside(bool lower, const std::string& value) {
  return (lower ? "; the first below it is " : "; the first above it is ") + value;
}

/// One of the four bounds that Statistics may state.
struct StatisticsCheck::Bound : BoundField {
  View value;
  Order order;
  std::optional<bool> exact;  // is_min_value_exact or is_max_value_exact, if stated

  [[nodiscard]] std::string_view exact_field() const {
    return lower ? "is_min_value_exact" : "is_max_value_exact";
  }
  [[nodiscard]] Rule exact_rule() const {
    return lower ? Rule::statistics_min_exact : Rule::statistics_max_exact;
  }
  [[nodiscard]] BoundPosition position_of(Bytes other) const {
    return parqproof::position_of(other, order, lower, value.bytes);
  }
};

StatisticsCheck::StatisticsCheck(const Statistics& statistics, const Node& leaf, const StatedOrder& stated,
                                 const Findings& findings)
    : statistics_(&statistics), leaf_(&leaf), findings_(&findings), order_(stated.order) {
  lacks_orders_ = !stated.any;
  if (lacks_orders_) order_ = order_of(leaf);
  deprecated_ = signed_order(leaf);
  if (deprecated_ == Order::none) {
    deprecated_ = order_of_bounds(leaf, Order::none);
    has_other_order_ = deprecated_ != Order::none;
  }
  // statistics/min-max-order or statistics/bound-length has been judged.
  contradictory_ =
      order_ != Order::none && !lacks_orders_ &&
      has_usable_bound(statistics, Statistics::id_min_value, leaf) &&
      has_usable_bound(statistics, Statistics::id_max_value, leaf) &&
      compare(order_, statistics.min_value.bytes, statistics.max_value.bytes) == Comparison::greater;
  const std::array<Bound, kBounds> all = bounds();
  has_length_prefix_ =
      std::ranges::any_of(all, [this](const Bound& bound) { return begins_with_length_prefix(bound); });
  counts_distinct_ = statistics.has(Statistics::id_distinct_count) && statistics.distinct_count >= 0 &&
                     findings.wants(Rule::statistics_distinct_count);
  needs_values_ = has_length_prefix_ || counts_distinct_ ||
                  std::ranges::any_of(all, [this](const Bound& bound) { return is_judged(bound); }) ||
                  (statistics.has(Statistics::id_nan_count) && is_floating(order_of(leaf)));
}

StatisticsCheck::Bound StatisticsCheck::bound(std::size_t number) const {
  const BoundField& field = kBoundFields[number];
  const Order order = field.is_deprecated() ? deprecated_ : order_;
  Bound out{field, statistics_->*field.member, order, {}};
  if (!field.is_deprecated() && lacks_orders_) {
    out.rule = Rule::statistics_bound_without_orders;
    return out;
  }
  const bool stated =
      statistics_->has(field.lower ? Statistics::id_is_min_value_exact : Statistics::id_is_max_value_exact);
  const bool exact = field.lower ? statistics_->is_min_value_exact : statistics_->is_max_value_exact;
  if (!field.is_deprecated() && stated && (exact || findings_->wants(Rule::statistics_exact_false)))
    out.exact = exact;
  return out;
}

std::array<StatisticsCheck::Bound, StatisticsCheck::kBounds> StatisticsCheck::bounds() const {
  return {bound(0), bound(1), bound(2), bound(3)};
}

bool StatisticsCheck::is_judged(const Bound& bound) const {
  return bound.order != Order::none && has_usable_bound(*statistics_, bound.id, *leaf_) &&
         (findings_->wants(bound.rule) || findings_->wants(bound.exact_rule()) ||
          findings_->wants(Rule::statistics_bound_value) ||
          findings_->wants(Rule::statistics_all_null_bounds));
}

bool StatisticsCheck::begins_with_length_prefix(const Bound& bound) const {
  return statistics_->has(bound.id) && (bound.is_deprecated() || !contradictory_) &&
         has_length_prefix(*leaf_, bound.value) && findings_->wants(Rule::statistics_bound_length);
}

bool StatisticsCheck::needs_used_entries(const MinMax& entries) const {
  if (entries.nan_count() != 0 || has_length_prefix_ || counts_distinct_) return true;
  if (entries.empty()) return false;
  const PlainBytes min = entries.min();
  const PlainBytes max = entries.max();
  return std::ranges::any_of(bounds(), [&](const Bound& bound) {
    if (!is_judged(bound)) return false;
    const BoundPosition position = bound.position_of(bound.lower ? min : max);
    return position == BoundPosition::outside ||
           (bound.exact && (*bound.exact || position != BoundPosition::inside));
  });
}

bool StatisticsCheck::is_broken_by(std::size_t number, const MinMax& values) const {
  const Bound one = bound(number);
  return is_judged(one) && is_broken_by(one, values);
}

/// A deprecated bound of a column whose order is not signed is broken if values are outside of it by each of
/// the readings: the order of the type, signed, and unsigned. Only min and max are known, so that the signed
/// or unsigned extreme may be missed; the bound is then not reported.
bool StatisticsCheck::is_broken_by(const Bound& bound, const MinMax& values) const {
  if (values.empty() || values.only_nans()) return false;
  const Bytes stated = bound.value.bytes;
  const PlainBytes min = values.min();
  const PlainBytes max = values.max();
  if (is_nan(bound.order, bound.lower ? min : max) ||
      bound.position_of(bound.lower ? min : max) != BoundPosition::outside) {
    return false;
  }
  if (!bound.is_deprecated() || !has_other_order_) return true;
  const auto any = [&](auto is_outside) {
    return is_outside(Bytes(min.data(), min.size()), *leaf_, bound.lower, stated) ||
           is_outside(Bytes(max.data(), max.size()), *leaf_, bound.lower, stated);
  };
  return any(is_outside_signed) && any(is_outside_unsigned);
}

bool StatisticsCheck::is_broken_by(std::size_t number, Bytes value) const {
  const Bound one = bound(number);
  return is_judged(one) && !is_nan(one.order, value) && one.position_of(value) == BoundPosition::outside;
}

bool StatisticsCheck::can_identify_wrong_bound(const MinMax& values) const {
  const auto is_broken = [&](const Bound& bound) {
    return bound.position_of(bound.lower ? values.min() : values.max()) == BoundPosition::outside;
  };
  const auto [max, min, max_value, min_value] = bounds();
  return !values.empty() && !values.only_nans() && !has_length_prefix(*leaf_, max_value.value) &&
         is_broken(max_value) != is_broken(min_value);
}

void StatisticsCheck::judge(const FindingSite& site, const ValueTally& tally, const Outside& outside) const {
  judge_counts(site, tally);
  judge_distinct(site, tally);
  if (!needs_values_) return;
  // The bound without its length prefix is the minimum or maximum itself, so the length prefix is the fault.
  const auto is_value_after_prefix = [&](const Bound& bound) {
    return !tally.values.empty() && std::ranges::equal(bound.value.from(4).bytes,
                                                       bound.lower ? tally.values.min() : tally.values.max());
  };
  const std::array<Bound, kBounds> all = bounds();
  std::array<bool, kBounds> sound{};
  const bool undecided = contradictory_ && !can_identify_wrong_bound(tally.values);
  for (std::size_t i = 0; i < kBounds; ++i) {
    const Bound& bound = all[i];
    if (undecided && !bound.is_deprecated()) continue;
    if (begins_with_length_prefix(bound) && is_value_after_prefix(bound)) {
      site.report(Rule::statistics_bound_length, bound.field, length_prefix_contrast(bound.value));
    } else if (is_judged(bound)) {
      sound[i] = judge_bound(site, bound, tally, outside[i]);
    }
  }
  for (std::size_t i = 0; i < 2; ++i) {  // the deprecated bounds, and those that replace them
    if (sound[i] && sound[i + 2])
      judge_pair(site, all[i], all[i + 2], all[i].lower ? tally.values.min() : tally.values.max());
  }
}

void StatisticsCheck::judge_counts(const FindingSite& site, const ValueTally& tally) const {
  const auto nulls = static_cast<std::int64_t>(tally.nulls);
  const std::optional<std::int64_t> stated = stated_nulls(*statistics_, *leaf_, tally.entries);
  if (stated && *stated != nulls) {
    const bool is_other_reading = is_leaf_null_count(*leaf_, *stated, tally.null_leaves, tally.null_elements);
    site.report(is_other_reading ? Rule::statistics_null_count_leaf : Rule::statistics_null_count,
                "null_count", contrast(*stated, nulls));
  }
  const auto nans = static_cast<std::int64_t>(tally.nans);
  const bool possible =
      statistics_->nan_count >= 0 && statistics_->nan_count <= tally.entries - stated.value_or(0);
  if (statistics_->has(Statistics::id_nan_count) && is_floating(order_of(*leaf_)) && possible &&
      statistics_->nan_count != nans) {
    site.report(Rule::statistics_nan_count, "nan_count", contrast(statistics_->nan_count, nans));
  }
}

/// parquet.thrift does not define if values are distinct by bits or as numbers: any count from by_value() to
/// by_bits() is valid.
void StatisticsCheck::judge_distinct(const FindingSite& site, const ValueTally& tally) const {
  if (!counts_distinct_ || tally.distinct.overflown()) return;
  const auto max = static_cast<std::int64_t>(tally.distinct.by_bits());
  const auto min = static_cast<std::int64_t>(tally.distinct.by_value());
  const std::int64_t stated = statistics_->distinct_count;
  const std::int64_t nulls = stated_nulls(*statistics_, *leaf_, tally.entries).value_or(0);
  const bool possible = stated <= tally.entries - nulls + (nulls == 0 ? 0 : 1);
  if ((stated >= min && stated <= max) || !possible) return;
  const bool null = tally.nulls != 0 && stated == max + 1;
  site.report(null ? Rule::statistics_distinct_count_null : Rule::statistics_distinct_count, "distinct_count",
              contrast(stated, number_or_between(min, max)));
}

/// Judges a bound that no value can confirm: there are no entries, all are null, or all values are NaN under
/// the type-defined order. Unless statistics/all-nan-bounds applies, an exact bound breaks the rule of its
/// flag; any other is wrong only if there are entries and all are null.
void StatisticsCheck::judge_without_value(const FindingSite& site, const Bound& bound,
                                          const ValueTally& tally) const {
  const Contrast what = contrast(short_value(bound.value.bytes, *leaf_), kAbsent);
  const bool is_exact = bound.exact == true;
  if (tally.values.only_nans()) {
    if (statistics_->has(Statistics::id_nan_count) && !bound.is_deprecated())
      return site.report(Rule::statistics_all_nan_bounds, bound.field, what);
  } else if (tally.entries > 0 && !is_exact) {
    return site.report(Rule::statistics_all_null_bounds, bound.field, what);
  }
  if (is_exact) site.report(bound.exact_rule(), bound.exact_field(), contrast(what.found, "none"));
}

/// Returns true if the bound has no fault.
bool StatisticsCheck::judge_bound(const FindingSite& site, const Bound& bound, const ValueTally& tally,
                                  const std::string& outside) const {
  const MinMax& values = tally.values;
  const Bytes stated = bound.value.bytes;
  const bool is_advice = bound.is_deprecated() ? has_other_order_ : lacks_orders_;
  if (is_advice) {
    if (!is_broken_by(bound, values)) return false;
    Contrast what = distinguished(stated, bound.lower ? values.min() : values.max(), *leaf_);
    what.detail = outside;
    site.report(bound.rule, bound.field, std::move(what));
    return false;
  }
  const bool type_defined = !is_total(bound.order);
  if (type_defined && is_nan(bound.order, stated)) return false;
  if (values.empty() || (type_defined && values.only_nans())) {
    judge_without_value(site, bound, tally);
    return false;
  }
  const PlainBytes truth = bound.lower ? values.min() : values.max();
  const BoundPosition position = bound.position_of(truth);
  // Under the total order a bound is NaN if all values are NaN, and only then.
  const bool wrong_kind = is_nan(bound.order, stated) != values.only_nans();
  const auto both = [&] { return distinguished(stated, truth, *leaf_); };
  if (position == BoundPosition::outside || wrong_kind) {
    Contrast what = both();
    what.detail = outside;
    site.report(bound.rule, bound.field, std::move(what));
    return false;
  }
  if (!bound.is_deprecated() && !judge_form(site, bound, truth)) return false;
  if (bound.exact == true && position == BoundPosition::inside) {
    // If the bound may be a truncated value, the flag is wrong, otherwise the bound.
    const bool is_flag_wrong =
        leaf_->type == Type::BYTE_ARRAY && may_be_shortened(stated, truth, bound.lower);
    site.report(bound.exact_rule(), is_flag_wrong ? bound.exact_field() : bound.field, both());
    return false;
  }
  if (bound.exact == false && position == BoundPosition::on_bound) {
    site.report(Rule::statistics_exact_false, bound.exact_field(), contrast("false", "true"));
  }
  if (!type_defined && position == BoundPosition::inside) {
    site.report(Rule::statistics_bound_attained, bound.field, both());
    return false;
  }
  return true;
}

/// Returns false if the bound is no value of the logical type although the values are.
bool StatisticsCheck::judge_form(const FindingSite& site, const Bound& bound, Bytes truth) const {
  const Bytes stated = bound.value.bytes;
  std::optional<FindingValue> violated = violated_requirement(stated, *leaf_);
  if (violated && !violated_requirement(truth, *leaf_)) {
    site.report(Rule::statistics_bound_value, bound.field,
                contrast(short_value(stated, *leaf_), *std::move(violated)));
    return false;
  }
  if (!violated && is_cut_off(stated, *leaf_) && !is_cut_off(truth, *leaf_)) {
    site.report(Rule::statistics_bound_document, bound.field,
                contrast(short_value(stated, *leaf_), "a whole document"));
    return false;
  }
  return true;
}

/// Two bounds that enclose the values but differ: the finding is at the one that is not the value itself.
void StatisticsCheck::judge_pair(const FindingSite& site, const Bound& deprecated, const Bound& bound,
                                 Bytes truth) const {
  if (compare(deprecated.order, deprecated.value.bytes, bound.value.bytes) == Comparison::equal) return;
  const bool is_new_wrong = compare(deprecated.order, deprecated.value.bytes, truth) == Comparison::equal;
  const Bound& at = is_new_wrong ? bound : deprecated;
  const Bound& other = is_new_wrong ? deprecated : bound;
  site.report(Rule::statistics_legacy_equals_new, at.field,
              distinguished(at.value.bytes, other.value.bytes, *leaf_));
}

}  // namespace parqproof
