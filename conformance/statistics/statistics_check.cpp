#include "conformance/statistics/statistics_check.hpp"

#include <algorithm>
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

/// Returns true if a bound may be a truncated value, with an incremented last character if it is an upper
/// bound.
bool may_be_shortened(Bytes bound, Bytes value, bool lower) {
  constexpr std::ptrdiff_t kCharacter = 4;  // bytes, at most
  if (bound.size() >= value.size()) return false;
  const auto shared = std::ranges::mismatch(bound, value).in1 - bound.begin();
  const std::ptrdiff_t rest = std::ssize(bound) - shared;
  return lower ? rest == 0 : rest == 0 || (shared > 0 && rest <= kCharacter) || rest == 1;
}

}  // namespace

bool is_leaf_null_count(const Node& leaf, std::int64_t stated, std::uint64_t null_leaves,
                        std::uint64_t null_elements) noexcept {
  const bool optional = leaf.repetition == FieldRepetitionType::OPTIONAL;
  return stated == static_cast<std::int64_t>(optional ? null_leaves : 0) ||
         stated == static_cast<std::int64_t>(null_elements);
}

/// One of the four bounds that Statistics may state.
struct StatisticsCheck::Bound : BoundField {
  View value;
  Rule rule;
  Order order;
  std::optional<bool> exact;  // is_min_value_exact or is_max_value_exact, if stated

  [[nodiscard]] std::string_view exact_field() const {
    return lower ? "is_min_value_exact" : "is_max_value_exact";
  }
  [[nodiscard]] Rule exact_rule() const {
    return lower ? Rule::statistics_min_exact : Rule::statistics_max_exact;
  }
  /// Compares a value with the bound: less if it is outside.
  [[nodiscard]] Comparison beyond(Bytes other) const {
    return compare_with_bound(order, lower, value.bytes, other);
  }
};

StatisticsCheck::StatisticsCheck(const Statistics& claims, const Node& leaf, Order stated,
                                 const Findings& findings)
    : claims_(&claims), leaf_(&leaf), findings_(&findings), order_(stated), deprecated_(signed_order(leaf)) {
  if (order_ != Order::none && has_usable_bound(claims, Statistics::id_min_value, leaf) &&
      has_usable_bound(claims, Statistics::id_max_value, leaf) &&
      compare(order_, claims.min_value.bytes, claims.max_value.bytes) == Comparison::greater) {
    contradictory_ = true;  // statistics/min-max-order has been judged, or statistics/bound-length
  }
  const std::array<Bound, kBounds> all = bounds();
  worded_ = std::ranges::any_of(all, [this](const Bound& bound) { return is_worded(bound); });
  counts_distinct_ = claims.has(Statistics::id_distinct_count) && claims.distinct_count >= 0 &&
                     findings.wants(Rule::statistics_distinct_count);
  about_values_ = worded_ || counts_distinct_ ||
                  std::ranges::any_of(all, [this](const Bound& bound) { return is_judged(bound); }) ||
                  (claims.has(Statistics::id_nan_count) && is_floating(order_of(leaf)));
}

/// Lower bounds have odd numbers.
StatisticsCheck::Bound StatisticsCheck::bound(std::size_t number) const {
  constexpr std::array kRules{Rule::statistics_max, Rule::statistics_min, Rule::statistics_max_value,
                              Rule::statistics_min_value};
  const BoundField& field = kBoundFields[number];
  Bound out{field, claims_->*field.member, kRules[number], field.is_deprecated() ? deprecated_ : order_, {}};
  const bool stated =
      claims_->has(field.lower ? Statistics::id_is_min_value_exact : Statistics::id_is_max_value_exact);
  const bool exact = field.lower ? claims_->is_min_value_exact : claims_->is_max_value_exact;
  if (!field.is_deprecated() && stated && (exact || findings_->wants(Rule::statistics_exact_false)))
    out.exact = exact;
  return out;
}

std::array<StatisticsCheck::Bound, StatisticsCheck::kBounds> StatisticsCheck::bounds() const {
  return {bound(0), bound(1), bound(2), bound(3)};
}

bool StatisticsCheck::is_judged(const Bound& bound) const {
  return bound.order != Order::none && has_usable_bound(*claims_, bound.id, *leaf_) &&
         (findings_->wants(bound.rule) || findings_->wants(bound.exact_rule()) ||
          findings_->wants(Rule::statistics_bound_value) ||
          findings_->wants(Rule::statistics_all_null_bounds));
}

bool StatisticsCheck::is_worded(const Bound& bound) const {
  return claims_->has(bound.id) && (bound.is_deprecated() || !contradictory_) &&
         has_length_prefix(*leaf_, bound.value) && findings_->wants(Rule::statistics_bound_length);
}

bool StatisticsCheck::ask_for_use(const MinMax& entries) const {
  if (entries.nan_count() != 0 || worded_ || counts_distinct_) return true;
  if (entries.empty()) return false;
  const PlainBytes min = entries.min();
  const PlainBytes max = entries.max();
  return std::ranges::any_of(bounds(), [&](const Bound& bound) {
    if (!is_judged(bound)) return false;
    const Comparison beyond = bound.beyond(bound.lower ? min : max);
    return beyond == Comparison::less || (bound.exact && (*bound.exact || beyond != Comparison::greater));
  });
}

bool StatisticsCheck::is_broken_by(std::size_t number, const MinMax& values) const {
  if (values.empty() || values.only_nans()) return false;
  return is_broken_by(number, number % 2 != 0 ? values.min() : values.max());
}

bool StatisticsCheck::is_broken_by(std::size_t number, Bytes value) const {
  const Bound one = bound(number);
  return is_judged(one) && !is_nan(one.order, value) && one.beyond(value) == Comparison::less;
}

bool StatisticsCheck::names_wrong_field(const MinMax& values) const {
  const auto is_broken = [&](const Bound& bound) {
    return bound.beyond(bound.lower ? values.min() : values.max()) == Comparison::less;
  };
  const std::array<Bound, kBounds> all = bounds();
  return !values.empty() && !values.only_nans() && !has_length_prefix(*leaf_, claims_->max_value) &&
         is_broken(all[2]) != is_broken(all[3]);
}

std::string StatisticsCheck::words_for(std::size_t bound, const std::string& value) {
  return (bound % 2 != 0 ? "; the first below it is " : "; the first above it is ") + value;
}

void StatisticsCheck::judge(const FindingSite& site, const ValueTally& tally, const Outside& outside) const {
  judge_counts(site, tally);
  judge_distinct(site, tally);
  if (!about_values_) return;
  // The bound without its length prefix is the minimum or maximum itself, so the length prefix is the fault.
  const auto is_value_after_prefix = [&](const Bound& bound) {
    return !tally.values.empty() && std::ranges::equal(bound.value.from(4).bytes,
                                                       bound.lower ? tally.values.min() : tally.values.max());
  };
  const std::array<Bound, kBounds> all = bounds();
  std::array<bool, kBounds> sound{};
  const bool undecided = contradictory_ && !names_wrong_field(tally.values);
  for (std::size_t i = 0; i < kBounds; ++i) {
    const Bound& bound = all[i];
    if (undecided && !bound.is_deprecated()) continue;
    if (is_worded(bound) && is_value_after_prefix(bound)) {
      site.report(Rule::statistics_bound_length, bound.field, length_prefix_contrast(bound.value));
    } else if (is_judged(bound)) {
      sound[i] = judge_bound(site, bound, tally, outside[i]);
    }
  }
  for (std::size_t i = 0; i < 2; ++i) {
    if (sound[i] && sound[i + 2])
      judge_pair(site, all[i], all[i + 2], all[i].lower ? tally.values.min() : tally.values.max());
  }
}

void StatisticsCheck::judge_counts(const FindingSite& site, const ValueTally& tally) const {
  const auto nulls = static_cast<std::int64_t>(tally.nulls);
  const std::optional<std::int64_t> stated = stated_nulls(*claims_, *leaf_, tally.entries);
  if (stated && *stated != nulls) {
    const bool other_reading = is_leaf_null_count(*leaf_, *stated, tally.null_leaves, tally.null_elements);
    site.report(other_reading ? Rule::statistics_null_count_leaf : Rule::statistics_null_count, "null_count",
                contrast(*stated, nulls));
  }
  const auto nans = static_cast<std::int64_t>(tally.nans);
  const bool possible = claims_->nan_count >= 0 && claims_->nan_count <= tally.entries - stated.value_or(0);
  if (claims_->has(Statistics::id_nan_count) && is_floating(order_of(*leaf_)) && possible &&
      claims_->nan_count != nans) {
    site.report(Rule::statistics_nan_count, "nan_count", contrast(claims_->nan_count, nans));
  }
}

/// parquet.thrift does not define if values are distinct by bits or as numbers: any count between is valid.
void StatisticsCheck::judge_distinct(const FindingSite& site, const ValueTally& tally) const {
  if (!counts_distinct_ || tally.distinct.overflown()) return;
  const auto max = static_cast<std::int64_t>(tally.distinct.by_bits());
  const auto min = static_cast<std::int64_t>(tally.distinct.by_value());
  const std::int64_t stated = claims_->distinct_count;
  const std::int64_t nulls = stated_nulls(*claims_, *leaf_, tally.entries).value_or(0);
  const bool possible = stated <= tally.entries - nulls + (nulls == 0 ? 0 : 1);
  if ((stated >= min && stated <= max) || !possible) return;
  const bool null = tally.nulls != 0 && stated == max + 1;
  site.report(null ? Rule::statistics_distinct_count_null : Rule::statistics_distinct_count, "distinct_count",
              contrast(stated, number_or_between(min, max)));
}

/// A bound without values: all entries are null, or all values are NaN under the type-defined order.
void StatisticsCheck::judge_without_value(const FindingSite& site, const Bound& bound,
                                          const ValueTally& tally) const {
  const Contrast what = contrast(short_value(bound.value.bytes, *leaf_), kAbsent);
  if (tally.values.only_nans()) {
    if (claims_->has(Statistics::id_nan_count) && !bound.is_deprecated())
      return site.report(Rule::statistics_all_nan_bounds, bound.field, what);
  } else if (tally.entries > 0 && !bound.exact.value_or(false)) {
    return site.report(Rule::statistics_all_null_bounds, bound.field, what);
  }
  if (bound.exact.value_or(false))
    site.report(bound.exact_rule(), bound.exact_field(), contrast(what.found, "none"));
}

/// Returns true if the bound has no fault.
bool StatisticsCheck::judge_bound(const FindingSite& site, const Bound& bound, const ValueTally& tally,
                                  const std::string& outside) const {
  const MinMax& values = tally.values;
  const Bytes stated = bound.value.bytes;
  const bool type_defined = !is_total(bound.order);
  if (type_defined && is_nan(bound.order, stated)) return false;
  if (values.empty() || (type_defined && values.only_nans())) {
    judge_without_value(site, bound, tally);
    return false;
  }
  const PlainBytes truth = bound.lower ? values.min() : values.max();
  const Comparison beyond = bound.beyond(truth);
  // Under the total order a bound is NaN if all values are NaN, and only then.
  const bool wrong_kind = is_nan(bound.order, stated) != values.only_nans();
  const auto both = [&] { return distinguished(stated, truth, *leaf_); };
  if (beyond == Comparison::less || wrong_kind) {
    Contrast what = both();
    what.detail = outside;
    site.report(bound.rule, bound.field, std::move(what));
    return false;
  }
  if (!bound.is_deprecated() && !judge_form(site, bound, truth)) return false;
  if (bound.exact == true && beyond == Comparison::greater) {
    // A bound that may be a shortened value is a fault of the flag.
    const bool flag = leaf_->type == Type::BYTE_ARRAY && may_be_shortened(stated, truth, bound.lower);
    site.report(bound.exact_rule(), flag ? bound.exact_field() : bound.field, both());
    return false;
  }
  if (bound.exact == false && beyond == Comparison::equal) {
    site.report(Rule::statistics_exact_false, bound.exact_field(), contrast("false", "true"));
  }
  if (!type_defined && beyond == Comparison::greater) {
    site.report(Rule::statistics_bound_attained, bound.field, both());
    return false;
  }
  return true;
}

/// Returns true if the bound is a value of the logical type, or if the values themselves are not.
bool StatisticsCheck::judge_form(const FindingSite& site, const Bound& bound, Bytes truth) const {
  const Bytes stated = bound.value.bytes;
  std::optional<FindingValue> legal = violated_requirement(stated, *leaf_);
  if (legal && !violated_requirement(truth, *leaf_)) {
    site.report(Rule::statistics_bound_value, bound.field,
                contrast(short_value(stated, *leaf_), *std::move(legal)));
    return false;
  }
  if (!legal && is_cut_off(stated, *leaf_) && !is_cut_off(truth, *leaf_)) {
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
