#include "conformance/check/statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <string>

#include "codec/base/bits.hpp"
#include "codec/schema/value_text.hpp"

namespace parqproof {
namespace {

using Bytes = std::span<const std::uint8_t>;

bool is_floating(Order order) {
  return order == Order::floating || order == Order::float16 || order == Order::total ||
         order == Order::total16;
}

bool is_nan(Order order, Bytes value) {
  if (!is_floating(order)) return false;
  if (value.size() == 2) return std::isnan(half_to_float(load_le<std::uint16_t>(value.data())));
  return value.size() == 4 ? std::isnan(load_le<float>(value.data()))
                           : std::isnan(load_le<double>(value.data()));
}

/// schema/type-length has spoken.
bool is_length_unknown(const Node& leaf) {
  return leaf.type == Type::FIXED_LEN_BYTE_ARRAY && leaf.type_length < 0;
}

/// Bytes of a bound of this leaf; -1 where any number will do.
std::int64_t bound_length(const Node& leaf) {
  if (leaf.type == Type::BYTE_ARRAY) return -1;
  if (leaf.type == Type::BOOLEAN) return 1;
  return fixed_width(leaf.type, static_cast<std::uint32_t>(std::max(leaf.type_length, 0)));
}
bool has_length(const Node& leaf, const View& bound) {
  const std::int64_t length = bound_length(leaf);
  return length < 0 || (bound.size() == static_cast<std::uint64_t>(length) && !is_length_unknown(leaf));
}

/// A bound of a BYTE_ARRAY that begins with the length of its rest, as the values in a page do. It may be a
/// value of that form, so that is no fault by itself.
bool has_length_word(const Node& leaf, const View& bound) {
  return leaf.type == Type::BYTE_ARRAY && bound.size() >= 4 &&
         load_le<std::uint32_t>(bound.data()) == bound.size() - 4;
}
/// statistics/bound-length, where the length word is one too many.
Seen seen_length_word(const View& bound) {
  const std::string rest = std::to_string(bound.size() - 4);
  return seen("4 + " + rest, rest + ", without a length word");
}

/// The deprecated bounds compare as signed numbers; for byte arrays writers have never agreed what that
/// means.
Order signed_order(const Node& leaf) {
  const Order order = order_of(leaf);
  const bool is_signed = order == Order::signed_int || order == Order::floating || order == Order::boolean;
  return is_signed ? order : Order::none;
}

}  // namespace

/// One of the four bounds that Statistics may state.
struct StatisticsObserver::Bound {
  Statistics::Id id;
  View Statistics::* member;
  std::string_view field;
  Rule rule;
  Order order;
  bool lower;
  bool exact;

  [[nodiscard]] std::string_view exact_field() const {
    return lower ? "meta_data.statistics.is_min_value_exact" : "meta_data.statistics.is_max_value_exact";
  }
  [[nodiscard]] Rule exact_rule() const {
    return lower ? Rule::statistics_min_exact : Rule::statistics_max_exact;
  }
};

namespace {

/// Calls `fault(rule, field, seen)` for all that Statistics, whose bounds compare by `order`, say wrong by
/// themselves.
template <typename Fault>
void judge_statistics(const Node& leaf, Order order, const ChunkClaim& chunk, const Statistics& claims,
                      Fault&& fault) {
  if (claims.has(Statistics::id_null_count) && chunk.has_num_values) {
    const std::int64_t most = leaf.max_definition == 0 ? 0 : std::max<std::int64_t>(chunk.num_values, 0);
    if (claims.null_count < 0 || claims.null_count > most) {
      fault(Rule::statistics_null_count_range, "null_count",
            seen(claims.null_count, most == 0 ? "0" : "0 to " + std::to_string(most)));
    }
  }
  if (claims.has(Statistics::id_distinct_count) && chunk.has_num_values) {
    const std::int64_t entries = std::max<std::int64_t>(chunk.num_values, 0);
    const bool counted = claims.has(Statistics::id_null_count) && claims.null_count >= 0 &&
                         claims.null_count <= entries && leaf.max_definition != 0;
    const std::int64_t nulls = counted ? claims.null_count : 0;
    const std::int64_t most = entries - nulls + (nulls == 0 ? 0 : 1);  // whether null is a value is not said
    if (claims.distinct_count < 0 || claims.distinct_count > most) {
      fault(Rule::statistics_distinct_count_range, "distinct_count",
            seen(claims.distinct_count, "0 to " + std::to_string(most)));
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
            seen((claims.*bound.member).size(), bound_length(leaf)));
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
      fault(Rule::statistics_bound_length, "max_value", seen_length_word(claims.max_value));
      fault(Rule::statistics_bound_length, "min_value", seen_length_word(claims.min_value));
    } else {
      fault(Rule::statistics_min_max_order, "min_value",
            seen(short_text(claims.min_value.bytes, leaf), short_text(claims.max_value.bytes, leaf)));
    }
  }
  if (order == Order::floating || order == Order::float16) {
    const Rule rule = claims.has(Statistics::id_nan_count) ? Rule::statistics_nan_bound
                                                           : Rule::statistics_nan_bound_undated;
    if (upper && is_nan(order, claims.max_value.bytes)) fault(rule, "max_value", seen("NaN", "a number"));
    if (lower && is_nan(order, claims.min_value.bytes)) fault(rule, "min_value", seen("NaN", "a number"));
  }
}

}  // namespace

bool sound_statistics(const Node& leaf, const ChunkClaim& chunk, const Statistics& claims) {
  bool sound = true;
  judge_statistics(leaf, order_of(leaf), chunk, claims, [&sound](auto&&...) { sound = false; });
  return sound;
}

void check_statistics(Context& context) {
  if (!context.schema_usable) return;
  const Judge judge(context.findings);
  Statistics claims;
  for (const ChunkClaim& chunk : context.chunks) {
    if (chunk.statistics == 0) continue;
    const Node& leaf = context.schema.leaf(chunk.leaf);
    const Order order = context.orders[chunk.leaf];
    if (chunk.sound_statistics && (order == Order::none || order == order_of(leaf))) continue;
    thrift::Reader reader(context.footer_from(chunk.statistics), {}, context.options.limits);
    if (!reader.read(claims)) continue;
    judge_statistics(leaf, order, chunk, claims, [&](Rule rule, std::string_view field, Seen what) {
      judge.field(rule, place_of(chunk), context.footer_from(chunk.struct_offset), ColumnChunk::kType,
                  "meta_data.statistics." + std::string(field), std::move(what));
    });
  }
}

StatisticsObserver::StatisticsObserver(const Context& context, std::uint32_t leaf, const ColumnMetaData& meta,
                                       Judge judge, StatisticsBuffers& buffers)
    : context_(context),
      meta_(meta),
      leaf_(context.schema.leaf(leaf)),
      judge_(judge),
      dictionary_bytes_(buffers.dictionary),
      used_(buffers.used),
      nans_(buffers.nans) {
  used_.clear();
  nans_.clear();
  mark_ = judge_.wants(Rule::dictionary_unused_entries);
  if (!meta_.has(ColumnMetaData::id_statistics)) return;
  if (leaf < context.orders.size()) order_ = context.orders[leaf];
  deprecated_ = signed_order(leaf_);
  const Statistics& claims = meta_.statistics;
  if (order_ != Order::none && claims.has(Statistics::id_min_value) && claims.has(Statistics::id_max_value) &&
      has_length(leaf_, claims.min_value) && has_length(leaf_, claims.max_value) &&
      compare(order_, claims.min_value.bytes, claims.max_value.bytes) == Comparison::greater) {
    order_ = Order::none;  // statistics/min-max-order has spoken, or statistics/bound-length
    contradictory_ = true;
  }
  const auto worded = [this](const Bound& bound) { return length_word(bound); };
  exactly_ = std::ranges::any_of(bounds(), worded);
  watch_ = exactly_ || std::ranges::any_of(bounds(), [this](const Bound& bound) { return judged(bound); }) ||
           (claims.has(Statistics::id_nan_count) && is_floating(order_of(leaf_)));
  const Order order = order_ != Order::none ? order_ : order_of(leaf_);
  const std::uint32_t width =
      fixed_width(leaf_.type, static_cast<std::uint32_t>(std::max(leaf_.type_length, 0)));
  values_ = entries_ = Extremes(order, leaf_.type, width);
}

std::array<StatisticsObserver::Bound, 4> StatisticsObserver::bounds() const {
  const Statistics& claims = meta_.statistics;
  const auto exact = [&claims](Statistics::Id id, bool flag) { return claims.has(id) && flag; };
  return {{
      {Statistics::id_max, &Statistics::max, "meta_data.statistics.max", Rule::statistics_max, deprecated_,
       false, false},
      {Statistics::id_min, &Statistics::min, "meta_data.statistics.min", Rule::statistics_min, deprecated_,
       true, false},
      {Statistics::id_max_value, &Statistics::max_value, "meta_data.statistics.max_value",
       Rule::statistics_max_value, order_, false,
       exact(Statistics::id_is_max_value_exact, claims.is_max_value_exact)},
      {Statistics::id_min_value, &Statistics::min_value, "meta_data.statistics.min_value",
       Rule::statistics_min_value, order_, true,
       exact(Statistics::id_is_min_value_exact, claims.is_min_value_exact)},
  }};
}

bool StatisticsObserver::judged(const Bound& bound) const {
  return bound.order != Order::none && meta_.statistics.has(bound.id) &&
         has_length(leaf_, meta_.statistics.*bound.member) &&
         (judge_.wants(bound.rule) || (bound.exact && judge_.wants(bound.exact_rule())));
}

bool StatisticsObserver::length_word(const Bound& bound) const {
  const bool deprecated = bound.id == Statistics::id_max || bound.id == Statistics::id_min;
  return meta_.statistics.has(bound.id) && (deprecated || !contradictory_) &&
         has_length_word(leaf_, meta_.statistics.*bound.member) &&
         judge_.wants(Rule::statistics_bound_length);
}

void StatisticsObserver::keep_dictionary(View image, Buffer& buffer, const ValueSpec& spec) {
  if (spec.count == 0) return;
  // Where all entries lie inside the bounds, and none has to be met, their use is of no interest.
  if (watch_) {
    const std::vector<std::uint8_t> least = entries_.least();
    const std::vector<std::uint8_t> greatest = entries_.greatest();
    for (const Bound& bound : bounds()) {
      if (!judged(bound) || entries_.empty()) continue;
      const Bytes value = (meta_.statistics.*bound.member).bytes;
      const Comparison beyond =
          bound.lower ? compare(bound.order, least, value) : compare(bound.order, value, greatest);
      mark_ = mark_ || bound.exact || beyond == Comparison::less;
    }
    if (entries_.nan_count() != 0 || exactly_) mark_ = true;
  }
  if (!mark_) return;
  dictionary_ = spec;
  used_.assign(static_cast<std::size_t>(spec.count), 0);
  if (!watch_) return;
  const std::size_t size = image.size();
  if (image.data() == buffer.data() && buffer.capacity() / 2 <= size) {  // not much more than the image
    std::swap(dictionary_bytes_, buffer);
  } else if (dictionary_bytes_.resize(size)) {
    std::memcpy(dictionary_bytes_.data(), image.data(), size);
  } else {
    watch_ = false;
    return;
  }
  dictionary_image_ = {{dictionary_bytes_.data(), size}, image.base, image.space};
  if (entries_.nan_count() == 0) return;
  const std::size_t width = size / used_.size();
  nans_.assign(used_.size(), 0);
  for (std::size_t i = 0; i < nans_.size(); ++i) {
    nans_[i] = is_nan(order_of(leaf_), dictionary_image_.bytes.subspan(i * width, width)) ? 1 : 0;
  }
}

void StatisticsObserver::see_values(const ValueBatch& batch) {
  if (batch.form == ValueBatch::Form::indices || batch.form == ValueBatch::Form::index_run) {
    indices_ = true;
    if (mark_ && !used_.empty()) see_indices(batch);
  } else if (watch_) {
    values_.see(batch);
  }
}

void StatisticsObserver::see_indices(const ValueBatch& batch) {
  if (!nans_.empty()) {
    if (batch.form == ValueBatch::Form::index_run) {
      nan_values_ += nans_[batch.run] * batch.count;
    } else {
      for (std::uint64_t i = 0; i < batch.count; ++i) nan_values_ += nans_[batch.indices[i]];
    }
  }
  if (first_unused_ == used_.size()) return;
  if (batch.form == ValueBatch::Form::index_run) {
    used_[batch.run] = 1;
  } else {
    for (std::uint64_t i = 0; i < batch.count; ++i) used_[batch.indices[i]] = 1;
  }
  while (first_unused_ < used_.size() && used_[first_unused_] != 0) ++first_unused_;
}

std::uint64_t StatisticsObserver::unused_entries() const noexcept {
  return static_cast<std::uint64_t>(std::ranges::count(used_, std::uint8_t{0}));
}

void StatisticsObserver::take_used_entries(Budget& budget) {
  if (first_unused_ == used_.size()) return values_.add(entries_);
  Notes notes;
  ValueDecoder decoder;
  if (!decoder.open(dictionary_image_, dictionary_, context_.options.limits, budget, notes)) return;
  const std::uint32_t width = fixed_width(dictionary_.type, dictionary_.type_length);
  std::size_t entry = 0;
  for (;;) {
    const Result<ValueBatch> batch = decoder.next();
    if (!batch || batch->count == 0) return;
    const auto count = static_cast<std::size_t>(batch->count);
    for (std::size_t from = 0; from < count;) {
      const auto begin = used_.begin() + static_cast<std::ptrdiff_t>(entry + from);
      const auto last = used_.begin() + static_cast<std::ptrdiff_t>(entry + count);
      const bool is_used = *begin != 0;
      const auto until = static_cast<std::size_t>(std::find(begin, last, is_used ? 0 : 1) - begin);
      if (is_used) {
        ValueBatch part = *batch;
        part.count = until;
        if (part.form == ValueBatch::Form::fixed) part.fixed += from * width;
        if (part.form == ValueBatch::Form::byte_arrays) part.byte_arrays += from;
        if (part.form == ValueBatch::Form::booleans) part.booleans += from;
        values_.see(part);
      }
      from += until;
    }
    entry += count;
  }
}

void StatisticsObserver::fault(Rule rule, std::string_view field, Seen what) const {
  judge_.field(rule, place_, chunk_bytes_, ColumnChunk::kType, field, std::move(what));
}

void StatisticsObserver::judge(const Place& place, View chunk_bytes, Budget& budget) {
  if (!meta_.has(ColumnMetaData::id_statistics)) return;
  place_ = place;
  chunk_bytes_ = chunk_bytes;
  nan_values_ += values_.nan_count();
  if (watch_ && indices_) {
    if (used_.empty()) {
      values_.add(entries_);  // all inside the bounds
    } else {
      take_used_entries(budget);
    }
  }
  judge_counts();
  if (!watch_) return;
  for (const Bound& bound : bounds()) {
    if (length_word(bound) && is_extreme_behind_word(bound)) {
      fault(Rule::statistics_bound_length, bound.field, seen_length_word(meta_.statistics.*bound.member));
    } else if (judged(bound)) {
      judge_bound(bound);
    }
  }
}

/// Some count only the nulls whose parents are there, of which a required leaf has none; others count the
/// nulls among the elements of the innermost list, with those whose group is null.
bool StatisticsObserver::counts_leaves(std::int64_t null_count) const noexcept {
  const std::uint64_t leaves = leaf_.repetition == FieldRepetitionType::OPTIONAL ? null_leaves_ : 0;
  return null_count == static_cast<std::int64_t>(leaves) ||
         null_count == static_cast<std::int64_t>(null_elements_);
}

bool StatisticsObserver::is_extreme_behind_word(const Bound& bound) const {
  if (values_.empty()) return false;
  const View rest = (meta_.statistics.*bound.member).from(4);
  return std::ranges::equal(rest.bytes, bound.lower ? values_.least() : values_.greatest());
}

void StatisticsObserver::judge_counts() const {
  const Statistics& claims = meta_.statistics;
  const auto nulls = static_cast<std::int64_t>(nulls_);
  const bool in_range =
      claims.null_count >= 0 && claims.null_count <= meta_.num_values && leaf_.max_definition != 0;
  if (claims.has(Statistics::id_null_count) && in_range && claims.null_count != nulls) {
    fault(counts_leaves(claims.null_count) ? Rule::statistics_null_count_leaf : Rule::statistics_null_count,
          "meta_data.statistics.null_count", seen(claims.null_count, nulls));
  }
  const auto nans = static_cast<std::int64_t>(nan_values_);
  if (claims.has(Statistics::id_nan_count) && is_floating(order_of(leaf_)) && claims.nan_count != nans) {
    fault(Rule::statistics_nan_count, "meta_data.statistics.nan_count", seen(claims.nan_count, nans));
  }
}

void StatisticsObserver::judge_bound(const Bound& bound) const {
  const Bytes stated = (meta_.statistics.*bound.member).bytes;
  const bool type_defined = bound.order != Order::total && bound.order != Order::total16;
  if (type_defined && is_nan(bound.order, stated)) return;
  if (values_.empty() || (type_defined && values_.only_nans())) {
    if (bound.exact)
      fault(bound.exact_rule(), bound.exact_field(), seen(short_text(stated, leaf_), "absent"));
    return;
  }
  const std::vector<std::uint8_t> seen_value = bound.lower ? values_.least() : values_.greatest();
  const Comparison beyond =
      bound.lower ? compare(bound.order, seen_value, stated) : compare(bound.order, stated, seen_value);
  // Under the total order bounds are NaN where there is nothing else, and only there.
  const bool wrong_kind = is_nan(bound.order, stated) != values_.only_nans();
  const auto what = [&] { return seen(short_text(stated, leaf_), short_text(seen_value, leaf_)); };
  if (beyond == Comparison::less || wrong_kind) {
    fault(bound.rule, bound.field, what());
  } else if (bound.exact && beyond == Comparison::greater) {
    fault(bound.exact_rule(), bound.exact_field(), what());
  }
}

}  // namespace parqproof
