#include "conformance/statistics/stated_statistics.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/encoding/values.hpp"
#include "codec/schema/annotations.hpp"
#include "codec/schema/value_text.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/observers/value_tally.hpp"

namespace parqproof {
namespace {

using Bytes = std::span<const std::uint8_t>;

/// The name of the type of a leaf: that of its annotation if it has one.
std::string type_of(const Node& leaf) {
  if (leaf.logical.kind == LogicalKind::FLOAT16) return "FLOAT16";
  return std::string(kTypeEnum.name_of(static_cast<int>(leaf.type)));
}

Contrast nan_count_absent() { return contrast(kAbsent, "a number, even if it is 0"); }

/// The rules of one Statistics struct; `fault(rule, field, what)` is called for each fault, where `what()` is
/// its Contrast. Properties of the leaf and of the bounds that several rules need are computed once, because
/// a footer may have a hundred thousand such structs.
template <typename Fault>
class Rules {
 public:
  /// `type_order`: order_of() the leaf.
  Rules(const Node& leaf, Order type_order, const StatedOrder& stated, const StatedEntries& entries,
        const Statistics& statistics, const Fault& fault)
      : leaf_(leaf),
        stated_(stated),
        entries_(entries),
        statistics_(statistics),
        fault_(fault),
        type_order_(type_order) {}

  /// Returns true if statistics/nan-count-undated is broken. NaN bounds break statistics/nan-bound-undated.
  [[nodiscard]] bool lacks_nan_count() const {
    return !statistics_.fields.mentions(Statistics::id_nan_count) && is_floating(type_order_) &&
           order() != Order::none && !is_total(order()) && !is_max_nan_ && !is_min_nan_ &&
           !has_deprecated_nan();
  }

  /// Judges all other rules.
  void run() const {
    null_count();
    distinct_count();
    nan_count();
    for (const BoundField& bound : kBoundFields) {
      const View& value = statistics_.*bound.member;
      if (statistics_.has(bound.id) && !is_surely_valid(bound, value)) judge(bound, value);
    }
    presence();
    both_bounds();
    if (order() == Order::floating || order() == Order::float16) floating();
    if (type_order_ == Order::floating && !is_total(order())) deprecated_nans();
  }

 private:
  [[nodiscard]] Order order() const { return stated_.order; }
  /// has_length(), with the length computed once.
  [[nodiscard]] bool has_valid_length(const View& bound) const {
    return length_ < 0 || (bound.size() == static_cast<std::uint64_t>(length_) && !is_length_unknown(leaf_));
  }
  /// Returns true if the bound is present, has a valid length, and the column has an order.
  [[nodiscard]] bool is_usable(Statistics::Id id, const View& bound) const {
    return statistics_.has(id) && order() != Order::none && has_valid_length(bound);
  }

  void null_count() const {
    if (!statistics_.fields.mentions(Statistics::id_null_count))
      return fault_(Rule::statistics_null_count_present, "",
                    [&] { return contrast(kAbsent, "a number, even if it is 0"); });
    if (!statistics_.has(Statistics::id_null_count) || !entries_.known) return;
    const std::int64_t most = leaf_.max_definition == 0 ? 0 : count_;
    const bool in_doubt = statistics_.null_count > 0 && leaf_.max_definition != 0 && entries_.doubtful;
    if (!in_doubt && (statistics_.null_count < 0 || statistics_.null_count > most)) {
      fault_(Rule::statistics_null_count_range, "null_count",
             [&] { return contrast(statistics_.null_count, number_or_between(0, most)); });
    }
  }

  void distinct_count() const {
    if (!statistics_.has(Statistics::id_distinct_count) || !entries_.known) return;
    // parquet.thrift does not define if null is a value
    const std::int64_t most = count_ - nulls_ + (nulls_ == 0 ? 0 : 1);
    if (statistics_.distinct_count < 0 || statistics_.distinct_count > most) {
      fault_(Rule::statistics_distinct_count_range, "distinct_count",
             [&] { return contrast(statistics_.distinct_count, between(0, most)); });
    }
  }

  void nan_count() const {
    const bool floats = is_floating(type_order_);
    if (!statistics_.fields.mentions(Statistics::id_nan_count)) {
      if (floats && is_total(order()))
        fault_(Rule::statistics_nan_count_present, "", [&] { return nan_count_absent(); });
    } else if (!floats) {
      fault_(Rule::statistics_nan_count_type, "nan_count",
             [&] { return contrast(type_of(leaf_), "FLOAT, DOUBLE and FLOAT16"); });
    } else if (statistics_.has(Statistics::id_nan_count) && entries_.known) {
      const std::int64_t most = count_ - nulls_;
      if (statistics_.nan_count < 0 || statistics_.nan_count > most) {
        fault_(Rule::statistics_nan_count_range, "nan_count",
               [&] { return contrast(statistics_.nan_count, between(0, most)); });
      }
    }
  }

  /// Fast path: returns true if no rule of judge() can be broken.
  [[nodiscard]] bool is_surely_valid(const BoundField& bound, const View& value) const {
    return !has_rules_of_type_ && value.size() <= kMaxReasonableBoundBytes && has_valid_length(value) &&
           !(is_unsigned_ && bound.is_deprecated());
  }

  /// One bound alone.
  void judge(const BoundField& bound, const View& value) const {
    if (!is_length_unknown(leaf_) && !has_valid_length(value)) {
      const Rule rule =
          is_shortened(leaf_, value) ? Rule::statistics_bound_shortened : Rule::statistics_bound_length;
      return fault_(rule, bound.field, [&] { return contrast(value.size(), bound_length(leaf_)); });
    }
    if (value.size() > kMaxReasonableBoundBytes)
      fault_(Rule::statistics_bound_size, bound.field,
             [&] { return contrast(value.size(), kMaxReasonableBoundBytes); });
    if (leaf_.type == Type::BOOLEAN && value.size() == 1 && value.bytes[0] > 1)
      fault_(Rule::statistics_boolean_bound, bound.field,
             [&] { return contrast(value.bytes[0], value.bytes[0] & 1); });
    // Without column_orders the new bounds break footer/column-orders-present.
    if (leaf_.type == Type::INT96 && order() != Order::int96 && (stated_.any || bound.is_deprecated())) {
      fault_(Rule::statistics_int96_order, bound.field,
             [&] { return contrast(stated_.any ? "another one" : "not stated", "INT96_TIMESTAMP_ORDER"); });
    }
    if (has_no_order(leaf_.logical.kind)) {
      fault_(Rule::statistics_undefined_order, bound.field,
             [&] { return contrast(name_of(leaf_.logical.kind), "no bound"); });
    }
    if (bound.is_deprecated() && is_unsigned_)
      fault_(Rule::statistics_legacy_order, bound.field,
             [&] { return contrast("unsigned", "signed orders"); });
  }

  /// Fields that require another field.
  void presence() const {
    const bool has_max = statistics_.fields.mentions(Statistics::id_max_value);
    const bool has_min = statistics_.fields.mentions(Statistics::id_min_value);
    if (has_max != has_min) {
      fault_(Rule::statistics_pair, has_max ? "max_value" : "min_value", [&] {
        return contrast(has_max ? "max_value alone" : "min_value alone",
                        has_max ? "min_value too" : "max_value too");
      });
    }
    if (statistics_.has(Statistics::id_is_max_value_exact) && !has_max) {
      fault_(Rule::statistics_exact_without_bound, "is_max_value_exact",
             [&] { return contrast("no bound", "max_value"); });
    }
    if (statistics_.has(Statistics::id_is_min_value_exact) && !has_min) {
      fault_(Rule::statistics_exact_without_bound, "is_min_value_exact",
             [&] { return contrast("no bound", "min_value"); });
    }
  }

  void both_bounds() const {
    const View& low = statistics_.min_value;
    const View& high = statistics_.max_value;
    if (!is_min_usable_ || !is_max_usable_ ||
        compare(order(), low.bytes, high.bytes) != Comparison::greater) {
      return;
    }
    if (has_length_prefix(leaf_, low) && has_length_prefix(leaf_, high)) {
      fault_(Rule::statistics_bound_length, "max_value", [&] { return length_prefix_contrast(high); });
      fault_(Rule::statistics_bound_length, "min_value", [&] { return length_prefix_contrast(low); });
    } else if (is_upper_wrong()) {
      fault_(Rule::statistics_min_max_order, "max_value",
             [&] { return distinguished(high.bytes, low.bytes, leaf_); });
    } else {
      fault_(Rule::statistics_min_max_order, "min_value",
             [&] { return distinguished(low.bytes, high.bytes, leaf_); });
    }
  }

  /// Returns true if the upper of two contradicting bounds is wrong, by the deprecated bounds.
  [[nodiscard]] bool is_upper_wrong() const {
    const bool is_number = type_order_ == Order::signed_int || type_order_ == Order::floating;
    return is_number && has_usable_bound(statistics_, Statistics::id_max, leaf_) &&
           has_usable_bound(statistics_, Statistics::id_min, leaf_) &&
           compare(type_order_, statistics_.min_value.bytes, statistics_.max.bytes) != Comparison::greater &&
           compare(type_order_, statistics_.max_value.bytes, statistics_.min.bytes) == Comparison::less;
  }

  [[nodiscard]] Rule nan_rule() const {
    return statistics_.has(Statistics::id_nan_count) ? Rule::statistics_nan_bound
                                                     : Rule::statistics_nan_bound_undated;
  }

  [[nodiscard]] bool is_deprecated_nan(const BoundField& bound) const {
    const View& value = statistics_.*bound.member;
    return bound.is_deprecated() && statistics_.has(bound.id) && type_order_ == Order::floating &&
           has_valid_length(value) && is_nan(type_order_, value.bytes);
  }
  [[nodiscard]] bool has_deprecated_nan() const {
    return std::ranges::any_of(kBoundFields,
                               [this](const BoundField& bound) { return is_deprecated_nan(bound); });
  }

  /// NaN in the deprecated bounds, which have the order of the type even without column_orders.
  void deprecated_nans() const {
    for (const BoundField& bound : kBoundFields) {
      if (is_deprecated_nan(bound))
        fault_(nan_rule(), bound.field, [&] { return contrast("NaN", "a number"); });
    }
  }

  /// NaN and zeros under the type-defined order.
  void floating() const {
    const Rule rule = nan_rule();
    if (is_max_nan_) fault_(rule, "max_value", [&] { return contrast("NaN", "a number"); });
    if (is_max_usable_ && is_zero(statistics_.max_value.bytes, true))
      fault_(Rule::statistics_zero_max, "max_value", [&] { return contrast("-0.0", "0.0"); });
    if (is_min_nan_) fault_(rule, "min_value", [&] { return contrast("NaN", "a number"); });
    if (is_min_usable_ && is_zero(statistics_.min_value.bytes, false))
      fault_(Rule::statistics_zero_min, "min_value", [&] { return contrast("0.0", "-0.0"); });
  }

  const Node& leaf_;
  const StatedOrder& stated_;
  const StatedEntries& entries_;
  const Statistics& statistics_;
  const Fault& fault_;
  std::int64_t count_ = std::max<std::int64_t>(entries_.count, 0);
  std::int64_t nulls_ = stated_nulls(statistics_, leaf_, count_).value_or(0);
  Order type_order_;                           ///< of the type, regardless of column_orders
  std::int64_t length_ = bound_length(leaf_);  ///< of each bound; negative: any
  bool is_unsigned_ = type_order_ == Order::unsigned_int || type_order_ == Order::unsigned_bytes;
  bool has_rules_of_type_ =
      leaf_.type == Type::BOOLEAN || leaf_.type == Type::INT96 || has_no_order(leaf_.logical.kind);
  bool is_max_usable_ = is_usable(Statistics::id_max_value, statistics_.max_value);
  bool is_min_usable_ = is_usable(Statistics::id_min_value, statistics_.min_value);
  bool is_max_nan_ = is_max_usable_ && is_nan(order(), statistics_.max_value.bytes);
  bool is_min_nan_ = is_min_usable_ && is_nan(order(), statistics_.min_value.bytes);
};

/// Many files are older than nan_count, so this finding has a fast path, which needs no FindingSite:
/// `make_site()` is called only for the first finding.
template <typename MakeSite>
void report_nan_count(Findings& findings, const Place& place, Space space, const MakeSite& make_site) {
  constexpr Rule kRule = Rule::statistics_nan_count_undated;
  if (!findings.counts_again(kRule, place, space)) make_site().report(kRule, "", nan_count_absent());
}

StatedEntries entries_of(const ChunkClaim& chunk) {
  // A chunk with bytes has entries, so num_values is wrong; the pages decide about the nulls.
  const bool doubtful = chunk.num_values < 0 || (chunk.num_values == 0 && chunk.compressed > 0);
  return {chunk.num_values, chunk.has_num_values, doubtful};
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

bool is_shortened(const Node& leaf, const View& bound) noexcept {
  const bool plain = leaf.type == Type::FIXED_LEN_BYTE_ARRAY && leaf.logical.kind == LogicalKind::none;
  return plain && !bound.empty() && static_cast<std::int64_t>(bound.size()) < bound_length(leaf);
}

bool has_usable_bound(const Statistics& statistics, Statistics::Id id, const Node& leaf) {
  const auto bound = std::ranges::find(kBoundFields, id, &BoundField::id);
  return bound != kBoundFields.end() && statistics.has(id) && has_length(leaf, statistics.*bound->member);
}

std::optional<StatedBounds> stated_bounds(const Statistics& statistics, const Node& leaf) {
  const Order order = order_of(leaf);
  const bool is_signed = order == Order::signed_int || order == Order::floating || order == Order::boolean;
  const auto has = [&](Statistics::Id id) { return has_usable_bound(statistics, id, leaf); };
  StatedBounds out;
  if (has(Statistics::id_min_value) && has(Statistics::id_max_value)) {
    out = {statistics.min_value, statistics.max_value, false};
  } else if (is_signed && has(Statistics::id_min) && has(Statistics::id_max)) {
    out = {statistics.min, statistics.max, true};
  } else {
    return std::nullopt;
  }
  const Comparison ends = compare(order, out.min.bytes, out.max.bytes);
  return ends == Comparison::less || ends == Comparison::equal ? std::optional(out) : std::nullopt;
}

bool has_length_prefix(const Node& leaf, const View& bound) {
  return leaf.type == Type::BYTE_ARRAY && bound.size() >= 4 &&
         load_le<std::uint32_t>(bound.data()) == bound.size() - 4;
}

Contrast length_prefix_contrast(const View& bound) {
  const std::string rest = std::to_string(bound.size() - 4);
  return contrast("a length word of 4, and " + rest + " behind it", rest + ", without a length word");
}

Contrast distinguished(Bytes found, Bytes expected, const Node& leaf) {
  Contrast values = contrast(short_value(found, leaf), short_value(expected, leaf));
  if (values.found != values.expected) return values;
  const auto at = std::ranges::mismatch(found, expected);
  if (at.in1 == found.end() || at.in2 == expected.end()) return values;
  const std::string place = ", byte " + std::to_string(at.in1 - found.begin()) + " is ";
  return contrast(short_text(found, leaf) + place + std::to_string(*at.in1),
                  short_text(expected, leaf) + place + std::to_string(*at.in2));
}

void judge_statistics(const FindingSite& site, const Node& leaf, const StatedOrder& stated,
                      const StatedEntries& entries, const Statistics& statistics, bool nan_count_reported) {
  const auto fault = [&](Rule rule, std::string_view field, const auto& what) {
    if (site.wants(rule)) site.report(rule, field, what());
  };
  const Rules rules(leaf, order_of(leaf), stated, entries, statistics, fault);
  if (!nan_count_reported && rules.lacks_nan_count()) {
    report_nan_count(site.findings, site.place, site.bytes.space,
                     [&]() -> const FindingSite& { return site; });
  }
  rules.run();
}

SoundStatistics sound_statistics(const Node& leaf, const ChunkClaim& chunk, const Statistics& statistics) {
  SoundStatistics result;
  const auto fault = [&result](Rule, std::string_view, const auto&) { result.sound = false; };
  const Order order = order_of(leaf);
  const StatedOrder stated{order, true};
  const StatedEntries entries = entries_of(chunk);
  const Rules rules(leaf, order, stated, entries, statistics, fault);
  result.lacks_nan_count = rules.lacks_nan_count();
  rules.run();
  return result;
}

void check_statistics(FileCheck& check) {
  const ParsedFooter& footer = check.footer;
  if (!footer.schema_usable) return;
  ColumnChunk metadata;
  for (const ChunkClaim& chunk : footer.chunks) {
    if (!chunk.has_statistics) continue;
    const Node& leaf = footer.schema.leaf(chunk.leaf);
    const Order order = footer.orders[chunk.leaf];
    // sound_statistics() used the type-defined order; without an order, fewer rules apply.
    const bool as_judged = chunk.sound_statistics && (order == Order::none || order == order_of(leaf));
    if (as_judged && (!chunk.lacks_nan_count || order == Order::none)) continue;
    const auto site = [&] { return FindingSite::of_chunk(check, chunk).within("meta_data.statistics"); };
    if (as_judged) {
      report_nan_count(check.outcome.findings, place_of(chunk), footer.frame.footer.space, site);
      continue;
    }
    if (!footer.reread(chunk, check.options.limits, metadata)) continue;
    judge_statistics(site(), leaf, {order, footer.meta.fields.mentions(FileMetaData::id_column_orders)},
                     entries_of(chunk), metadata.meta_data.statistics);
  }
}

}  // namespace parqproof
