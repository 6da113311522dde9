#include "conformance/check/statistics_claims.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "codec/base/bits.hpp"
#include "codec/schema/value_text.hpp"

namespace parqproof {
namespace {

using Bytes = std::span<const std::uint8_t>;

/// Whether a bound of a BYTE_ARRAY begins with the length of its rest, as the values in a page do. That is no
/// fault by itself: the bytes may be a value.
bool has_length_word(const Node& leaf, const View& bound) {
  return leaf.type == Type::BYTE_ARRAY && bound.size() >= 4 &&
         load_le<std::uint32_t>(bound.data()) == bound.size() - 4;
}
/// statistics/bound-length: the bound begins with a length word that should not be there.
Contrast length_word_contrast(const View& bound) {
  const std::string rest = std::to_string(bound.size() - 4);
  return contrast("a length word of 4, and " + rest + " behind it", rest + ", without a length word");
}

/// The deprecated bounds compare as signed numbers; for byte arrays writers have never agreed what that
/// means.
Order signed_order(const Node& leaf) {
  const Order order = order_of(leaf);
  const bool is_signed = order == Order::signed_int || order == Order::floating || order == Order::boolean;
  return is_signed ? order : Order::none;
}

/// Calls `fault(rule, field, contrast)` for all that Statistics, whose bounds compare by `order`, say wrong
/// by themselves.
template <typename Fault>
void judge_statistics(const Node& leaf, Order order, const ChunkClaim& chunk, const Statistics& claims,
                      Fault&& fault) {
  if (claims.has(Statistics::id_null_count) && chunk.has_num_values) {
    const std::int64_t most = leaf.max_definition == 0 ? 0 : std::max<std::int64_t>(chunk.num_values, 0);
    // Where num_values is not what the pages hold, the pages tell of the nulls.
    const bool in_doubt = claims.null_count > 0 && leaf.max_definition != 0 && chunk.num_values <= 0 &&
                          (chunk.num_values < 0 || chunk.compressed > 0);
    if (!in_doubt && (claims.null_count < 0 || claims.null_count > most)) {
      fault(Rule::statistics_null_count_range, "null_count",
            contrast(claims.null_count, most == 0 ? "0" : "0 to " + std::to_string(most)));
    }
  }
  if (claims.has(Statistics::id_distinct_count) && chunk.has_num_values) {
    const std::int64_t entries = std::max<std::int64_t>(chunk.num_values, 0);
    const bool counted = claims.has(Statistics::id_null_count) && claims.null_count >= 0 &&
                         claims.null_count <= entries && leaf.max_definition != 0;
    const std::int64_t nulls = counted ? claims.null_count : 0;
    const std::int64_t most =
        entries - nulls + (nulls == 0 ? 0 : 1);  // the text does not say whether null is a value
    if (claims.distinct_count < 0 || claims.distinct_count > most) {
      fault(Rule::statistics_distinct_count_range, "distinct_count",
            contrast(claims.distinct_count, "0 to " + std::to_string(most)));
    }
  }
  struct Named {
    Statistics::Id id;
    std::string_view field;
    View Statistics::* member;
  };
  for (const Named& bound : {Named{Statistics::id_max, "max", &Statistics::max},
                             Named{Statistics::id_min, "min", &Statistics::min},
                             Named{Statistics::id_max_value, "max_value", &Statistics::max_value},
                             Named{Statistics::id_min_value, "min_value", &Statistics::min_value}}) {
    if (claims.has(bound.id) && !is_length_unknown(leaf) && !has_length(leaf, claims.*bound.member)) {
      fault(Rule::statistics_bound_length, bound.field,
            contrast((claims.*bound.member).size(), bound_length(leaf)));
    }
  }
  const auto usable = [&](Statistics::Id id, const View& bound) {
    return order != Order::none && claims.has(id) && has_length(leaf, bound);
  };
  const bool lower = usable(Statistics::id_min_value, claims.min_value);
  const bool upper = usable(Statistics::id_max_value, claims.max_value);
  if (lower && upper &&
      compare(order, claims.min_value.bytes, claims.max_value.bytes) == Comparison::greater) {
    if (has_length_word(leaf, claims.min_value) && has_length_word(leaf, claims.max_value)) {
      fault(Rule::statistics_bound_length, "max_value", length_word_contrast(claims.max_value));
      fault(Rule::statistics_bound_length, "min_value", length_word_contrast(claims.min_value));
    } else {
      fault(Rule::statistics_min_max_order, "min_value",
            told_apart(claims.min_value.bytes, claims.max_value.bytes, leaf));
    }
  }
  if (order == Order::floating || order == Order::float16) {
    const Rule rule = claims.has(Statistics::id_nan_count) ? Rule::statistics_nan_bound
                                                           : Rule::statistics_nan_bound_undated;
    if (upper && is_nan(order, claims.max_value.bytes)) fault(rule, "max_value", contrast("NaN", "a number"));
    if (lower && is_nan(order, claims.min_value.bytes)) fault(rule, "min_value", contrast("NaN", "a number"));
  }
}

}  // namespace

bool is_length_unknown(const Node& leaf) noexcept {
  return leaf.type == Type::FIXED_LEN_BYTE_ARRAY && leaf.type_length < 0;
}

std::int64_t bound_length(const Node& leaf) noexcept {
  if (leaf.type == Type::BYTE_ARRAY) return -1;
  if (leaf.type == Type::BOOLEAN) return 1;
  return fixed_width(leaf.type, static_cast<std::uint32_t>(std::max(leaf.type_length, 0)));
}

bool has_length(const Node& leaf, const View& bound) noexcept {
  const std::int64_t length = bound_length(leaf);
  return length < 0 || (bound.size() == static_cast<std::uint64_t>(length) && !is_length_unknown(leaf));
}

Contrast told_apart(Bytes found, Bytes expected, const Node& leaf) {
  Contrast values = contrast(short_text(found, leaf), short_text(expected, leaf));
  if (values.found != values.expected) return values;
  const auto at = std::ranges::mismatch(found, expected);
  if (at.in1 == found.end() || at.in2 == expected.end()) return values;
  const std::string place = ", byte " + std::to_string(at.in1 - found.begin()) + " is ";
  values.found += place + std::to_string(*at.in1);
  values.expected += place + std::to_string(*at.in2);
  return values;
}

bool leaves_out_parents(const Node& leaf, std::int64_t stated, std::uint64_t null_leaves,
                        std::uint64_t null_elements) noexcept {
  const bool optional = leaf.repetition == FieldRepetitionType::OPTIONAL;
  return stated == static_cast<std::int64_t>(optional ? null_leaves : 0) ||
         stated == static_cast<std::int64_t>(null_elements);
}

bool sound_statistics(const Node& leaf, const ChunkClaim& chunk, const Statistics& claims) {
  bool sound = true;
  judge_statistics(leaf, order_of(leaf), chunk, claims, [&sound](auto&&...) { sound = false; });
  return sound;
}

/// One of the four bounds that Statistics may state.
struct StatisticsClaims::Bound {
  Statistics::Id id;
  View value;
  std::string_view field;
  Rule rule;
  Order order;
  bool lower;
  bool exact;  // stated to be a value, and not only a bound

  [[nodiscard]] std::string_view exact_field() const {
    return lower ? "is_min_value_exact" : "is_max_value_exact";
  }
  [[nodiscard]] Rule exact_rule() const {
    return lower ? Rule::statistics_min_exact : Rule::statistics_max_exact;
  }
};

void ClaimSite::fault(const Judge& judge, Rule rule, std::string_view field, Contrast what) const {
  if (!judge.wants(rule)) return;
  judge.field(rule, place, bytes, type, std::string(path) + "." + std::string(field), std::move(what));
}

void check_statistics(FileCheck& check) {
  const FileFacts& facts = check.facts;
  if (!facts.schema_usable) return;
  const Judge judge(check.outcome.findings);
  Statistics claims;
  for (const ChunkClaim& chunk : facts.chunks) {
    if (chunk.statistics == 0) continue;
    const Node& leaf = facts.schema.leaf(chunk.leaf);
    const Order order = facts.orders[chunk.leaf];
    if (chunk.sound_statistics && (order == Order::none || order == order_of(leaf))) continue;
    thrift::Reader reader(facts.footer_from(chunk.statistics), {}, check.options.limits);
    if (!reader.read(claims)) continue;
    const ClaimSite site{facts.footer_from(chunk.struct_offset), ColumnChunk::kType, "meta_data.statistics",
                         place_of(chunk)};
    judge_statistics(leaf, order, chunk, claims, [&](Rule rule, std::string_view field, Contrast what) {
      site.fault(judge, rule, field, std::move(what));
    });
  }
}

StatisticsClaims::StatisticsClaims(const Statistics& claims, const Node& leaf, Order stated,
                                   const Judge& judge)
    : claims_(&claims), leaf_(&leaf), judge_(&judge), order_(stated), deprecated_(signed_order(leaf)) {
  if (order_ != Order::none && claims.has(Statistics::id_min_value) && claims.has(Statistics::id_max_value) &&
      has_length(leaf, claims.min_value) && has_length(leaf, claims.max_value) &&
      compare(order_, claims.min_value.bytes, claims.max_value.bytes) == Comparison::greater) {
    order_ = Order::none;  // statistics/min-max-order has been judged, or statistics/bound-length
    contradictory_ = true;
  }
  const std::array<Bound, 4> all = bounds();
  worded_ = std::ranges::any_of(all, [this](const Bound& bound) { return has_length_word(bound); });
  about_values_ = worded_ ||
                  std::ranges::any_of(all, [this](const Bound& bound) { return is_judged(bound); }) ||
                  (claims.has(Statistics::id_nan_count) && is_floating(order_of(leaf)));
}

Order StatisticsClaims::order() const noexcept { return order_ != Order::none ? order_ : order_of(*leaf_); }

std::array<StatisticsClaims::Bound, 4> StatisticsClaims::bounds() const {
  const auto exact = [this](Statistics::Id id, bool flag) { return claims_->has(id) && flag; };
  return {{
      {Statistics::id_max, claims_->max, "max", Rule::statistics_max, deprecated_, false, false},
      {Statistics::id_min, claims_->min, "min", Rule::statistics_min, deprecated_, true, false},
      {Statistics::id_max_value, claims_->max_value, "max_value", Rule::statistics_max_value, order_, false,
       exact(Statistics::id_is_max_value_exact, claims_->is_max_value_exact)},
      {Statistics::id_min_value, claims_->min_value, "min_value", Rule::statistics_min_value, order_, true,
       exact(Statistics::id_is_min_value_exact, claims_->is_min_value_exact)},
  }};
}

bool StatisticsClaims::is_judged(const Bound& bound) const {
  return bound.order != Order::none && claims_->has(bound.id) && has_length(*leaf_, bound.value) &&
         (judge_->wants(bound.rule) || (bound.exact && judge_->wants(bound.exact_rule())));
}

bool StatisticsClaims::has_length_word(const Bound& bound) const {
  const bool deprecated = bound.id == Statistics::id_max || bound.id == Statistics::id_min;
  return claims_->has(bound.id) && (deprecated || !contradictory_) &&
         parqproof::has_length_word(*leaf_, bound.value) && judge_->wants(Rule::statistics_bound_length);
}

bool StatisticsClaims::ask_for_use(const MinMax& entries) const {
  if (entries.nan_count() != 0 || worded_) return true;
  if (entries.empty()) return false;
  const std::vector<std::uint8_t> min = entries.min();
  const std::vector<std::uint8_t> max = entries.max();
  return std::ranges::any_of(bounds(), [&](const Bound& bound) {
    if (!is_judged(bound)) return false;
    const Comparison beyond = bound.lower ? compare(bound.order, min, bound.value.bytes)
                                          : compare(bound.order, bound.value.bytes, max);
    return bound.exact || beyond == Comparison::less;
  });
}

void StatisticsClaims::judge(const ClaimSite& site, const ValueTally& tally) const {
  judge_counts(site, tally);
  if (!about_values_) return;
  // The bound without its length word is the minimum or maximum itself, so the length word is the fault.
  const auto is_value_behind_word = [&](const Bound& bound) {
    return !tally.values.empty() && std::ranges::equal(bound.value.from(4).bytes,
                                                       bound.lower ? tally.values.min() : tally.values.max());
  };
  for (const Bound& bound : bounds()) {
    if (has_length_word(bound) && is_value_behind_word(bound)) {
      site.fault(*judge_, Rule::statistics_bound_length, bound.field, length_word_contrast(bound.value));
    } else if (is_judged(bound)) {
      judge_bound(site, bound, tally.values);
    }
  }
}

void StatisticsClaims::judge_counts(const ClaimSite& site, const ValueTally& tally) const {
  const auto nulls = static_cast<std::int64_t>(tally.nulls);
  const std::int64_t stated = claims_->null_count;
  const bool in_range = stated >= 0 && stated <= tally.entries && leaf_->max_definition != 0;
  if (claims_->has(Statistics::id_null_count) && in_range && stated != nulls) {
    const bool other_reading =
        leaves_out_parents(*leaf_, stated, tally.null_leaves, tally.null_elements);
    site.fault(*judge_, other_reading ? Rule::statistics_null_count_leaf : Rule::statistics_null_count,
               "null_count", contrast(stated, nulls));
  }
  const auto nans = static_cast<std::int64_t>(tally.nans);
  if (claims_->has(Statistics::id_nan_count) && is_floating(order_of(*leaf_)) && claims_->nan_count != nans)
    site.fault(*judge_, Rule::statistics_nan_count, "nan_count", contrast(claims_->nan_count, nans));
}

void StatisticsClaims::judge_bound(const ClaimSite& site, const Bound& bound, const MinMax& values) const {
  const Bytes stated = bound.value.bytes;
  const bool type_defined = bound.order != Order::total && bound.order != Order::total16;
  if (type_defined && is_nan(bound.order, stated)) return;
  if (values.empty() || (type_defined && values.only_nans())) {
    if (bound.exact) {
      site.fault(*judge_, bound.exact_rule(), bound.exact_field(),
                 contrast(short_text(stated, *leaf_), "none"));
    }
    return;
  }
  const std::vector<std::uint8_t> truth = bound.lower ? values.min() : values.max();
  const Comparison beyond =
      bound.lower ? compare(bound.order, truth, stated) : compare(bound.order, stated, truth);
  // Under the total order a bound is NaN if all values are NaN, and only then.
  const bool wrong_kind = is_nan(bound.order, stated) != values.only_nans();
  const auto both = [&] { return told_apart(stated, truth, *leaf_); };
  if (beyond == Comparison::less || wrong_kind) {
    site.fault(*judge_, bound.rule, bound.field, both());
  } else if (bound.exact && beyond == Comparison::greater) {
    site.fault(*judge_, bound.exact_rule(), bound.exact_field(), both());
  }
}

}  // namespace parqproof
