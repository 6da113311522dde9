#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>

#include "codec/base/bits.hpp"
#include "codec/encoding/min_max.hpp"
#include "codec/schema/value_text.hpp"
#include "conformance/values/value_observers.hpp"

namespace parqproof {
namespace {

constexpr std::int64_t kGregorian = -141'427;        ///< 1582-10-15, in days since 1970-01-01
constexpr std::int64_t kYear10000 = 2'932'897;       ///< 10000-01-01
constexpr std::int64_t kDrillShift = 2 * 2'440'588;  ///< days that Drill added

/// Quotient rounded toward negative infinity.
std::int64_t days_of(std::int64_t value, std::int64_t units_of_a_day) {
  return value / units_of_a_day - (value % units_of_a_day < 0 ? 1 : 0);
}

/// Returns the day of a value, in days since 1970-01-01; nullopt if its unit is unknown.
std::optional<std::int64_t> day_of(const Node& leaf, std::span<const std::uint8_t> value) {
  constexpr std::int64_t kMillis = 86'400'000;
  constexpr std::int64_t kJulianDay = 2'440'588;  // of 1970-01-01
  if (leaf.type == Type::INT96) return std::int64_t{load_le<std::int32_t>(value.data() + 8)} - kJulianDay;
  if (leaf.type == Type::INT32) return load_le<std::int32_t>(value.data());
  switch (leaf.logical.unit) {
    case SecondUnit::MILLIS:
      return days_of(load_le<std::int64_t>(value.data()), kMillis);
    case SecondUnit::MICROS:
      return days_of(load_le<std::int64_t>(value.data()), kMillis * 1'000);
    case SecondUnit::NANOS:
      return days_of(load_le<std::int64_t>(value.data()), kMillis * 1'000'000);
    case SecondUnit::none:
      break;
  }
  return std::nullopt;
}

/// Returns true if the values of the leaf are dates or timestamps in a suitable physical type.
bool has_days(const Node& leaf) {
  if (leaf.type == Type::INT96) return true;
  if (leaf.logical.kind == LogicalKind::DATE) return leaf.type == Type::INT32;
  return leaf.logical.kind == LogicalKind::TIMESTAMP && leaf.type == Type::INT64;
}

/// Formats a day like a value of a DATE column.
FindingValue::Literal date_of(std::int64_t day) {
  const auto number = static_cast<std::uint32_t>(day);
  std::array<std::uint8_t, 4> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(number >> 8 * i);
  std::string buffer;
  return {std::string(value_text(bytes, {.form = ValueForm::date}, buffer).text)};
}

bool concerns(const ChunkScope& scope, Rule rule) {
  return scope.site.wants(rule) && !scope.context.footer.bugs.of(rule, &scope.leaf).empty();
}

class CalendarValues final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage&) override {
    scope_ = &scope;
    const bool asked = has_days(scope.leaf) && (concerns(scope, Rule::known_writer_calendar) ||
                                                concerns(scope, Rule::known_writer_date_shift));
    if (!asked) return {};
    range_ = MinMax(scope.leaf.type == Type::INT96 ? Order::int96 : Order::signed_int, scope.leaf.type,
                    scope.value_bytes());
    return {.dictionary = true, .values = true, .end = true};
  }

  void dictionary(const ValueSection&, const ValueBatch& batch) override { range_.add(batch); }

  void values(const ValueSection&, const ValueBatch& batch) override { range_.add(batch); }

  void end_chunk(const ChunkEnd& end) override {
    if (!end.values_known || range_.empty()) return;
    const auto first = day_of(scope_->leaf, range_.min());
    const auto last = day_of(scope_->leaf, range_.max());
    if (first && *first < kGregorian && concerns(*scope_, Rule::known_writer_calendar)) {
      scope_->site.report(Rule::known_writer_calendar, "meta_data.type",
                          contrast(date_of(*first), date_of(kGregorian)));
    }
    if (last && *last >= kYear10000 && concerns(*scope_, Rule::known_writer_date_shift)) {
      scope_->site.report(Rule::known_writer_date_shift, "meta_data.type",
                          contrast(*last, date_of(*last - kDrillShift)));
    }
  }

 private:
  const ChunkScope* scope_ = nullptr;
  MinMax range_;
};

}  // namespace

std::unique_ptr<ChunkObserver> calendar_values() { return std::make_unique<CalendarValues>(); }

}  // namespace parqproof
