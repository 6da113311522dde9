#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "codec/format/statistics.hpp"
#include "codec/schema/order.hpp"
#include "codec/schema/schema.hpp"
#include "conformance/observers/value_tally.hpp"
#include "conformance/state/file_check.hpp"
#include "conformance/state/finding_site.hpp"

namespace parqproof {

/// The number of entries that Statistics describe, as known before their levels are read.
struct StatedEntries {
  std::int64_t count = 0;
  bool known = false;     ///< `count` was stated
  bool doubtful = false;  ///< it does not match the pages, so nulls are judged with the pages
};

/// The order of the values of a column, by column_orders.
struct StatedOrder {
  Order order = Order::none;  ///< none if column_orders has no known order for the column
  bool any = false;           ///< column_orders is present
};

/// Max bytes of a useful bound; writers can shorten longer bounds.
inline constexpr std::size_t kMaxReasonableBoundBytes = 1024;

/// A bound in Statistics.
struct BoundField {
  Statistics::Id id;
  std::string_view field;
  View Statistics::* member;
  bool lower;
  Rule rule;  ///< the bound is that of the values

  [[nodiscard]] constexpr bool is_deprecated() const noexcept {
    return id == Statistics::id_max || id == Statistics::id_min;
  }
};
/// The deprecated bounds, then those that replace them.
inline constexpr std::array<BoundField, 4> kBoundFields{{
    {Statistics::id_max, "max", &Statistics::max, false, Rule::statistics_max},
    {Statistics::id_min, "min", &Statistics::min, true, Rule::statistics_min},
    {Statistics::id_max_value, "max_value", &Statistics::max_value, false, Rule::statistics_max_value},
    {Statistics::id_min_value, "min_value", &Statistics::min_value, true, Rule::statistics_min_value},
}};

/// Where a value is relative to a bound; the enumerators are those of Comparison.
enum class BoundPosition : std::uint8_t { outside, on_bound, inside, unordered };
[[nodiscard]] inline BoundPosition position_of(std::span<const std::uint8_t> value, Order order, bool lower,
                                               std::span<const std::uint8_t> bound) noexcept {
  return static_cast<BoundPosition>(lower ? compare(order, value, bound) : compare(order, bound, value));
}

/// Returns null_count if it is in range for so many entries; nothing for a required column.
[[nodiscard]] inline std::optional<std::int64_t> stated_nulls(const Statistics& statistics, const Node& leaf,
                                                              std::int64_t entries) noexcept {
  const bool in_range = statistics.has(Statistics::id_null_count) && statistics.null_count >= 0 &&
                        statistics.null_count <= entries && leaf.max_definition != 0;
  return in_range ? std::optional(statistics.null_count) : std::nullopt;
}
/// Returns true if the schema has no valid length for the values; schema/type-length is broken then.
[[nodiscard]] bool is_length_unknown(const Node& leaf) noexcept;
/// Bytes of a bound of this leaf; -1 if any length is valid.
[[nodiscard]] std::int64_t bound_length(const Node& leaf) noexcept;
/// Returns true if a bound has as many bytes as a value of the leaf.
[[nodiscard]] bool has_length(const Node& leaf, const View& bound) noexcept;
/// Returns true if a bound of a fixed-length type has too few bytes, but not none.
[[nodiscard]] bool is_shortened(const Node& leaf, const View& bound) noexcept;
/// Returns true if Statistics state a bound that is as long as a value of the leaf.
[[nodiscard]] bool has_usable_bound(const Statistics& statistics, Statistics::Id id, const Node& leaf);
/// The min and max that Statistics state of the values of a leaf, in the order of its type.
struct StatedBounds {
  View min;
  View max;
  bool is_deprecated = false;  ///< they are in the fields min and max
};
/// Returns nothing if a bound is missing or unusable, or if the min is greater than the max.
[[nodiscard]] std::optional<StatedBounds> stated_bounds(const Statistics& statistics, const Node& leaf);
/// Returns true if a bound of a BYTE_ARRAY begins with the length of its remaining bytes, like the values in
/// a page. That alone is no fault: the bytes may be a value.
[[nodiscard]] bool has_length_prefix(const Node& leaf, const View& bound);
/// statistics/bound-length: the bound begins with a length prefix that should not be there.
[[nodiscard]] Contrast length_prefix_contrast(const View& bound);
/// Two different values as text; if their shortened texts are equal, with the first different byte.
[[nodiscard]] Contrast distinguished(std::span<const std::uint8_t> found,
                                     std::span<const std::uint8_t> expected, const Node& leaf);

/// Judges Statistics without values: lengths of bounds, ranges of counts, contradicting bounds, and fields
/// that are required or forbidden. `nan_count_reported`: the missing nan_count was already reported for the
/// column chunk.
void judge_statistics(const FindingSite& site, const Node& leaf, const StatedOrder& stated,
                      const StatedEntries& entries, const Statistics& statistics,
                      bool nan_count_reported = false);

/// The result of judge_statistics() for a chunk, if its bounds compare by the order of the type, as nearly
/// all do.
struct SoundStatistics {
  bool sound = true;             ///< no fault except a missing nan_count
  bool lacks_nan_count = false;  ///< statistics/nan-count-undated is broken
};
[[nodiscard]] SoundStatistics sound_statistics(const Node& leaf, const ChunkClaim& chunk,
                                               const Statistics& statistics);

/// Calls judge_statistics() for the Statistics of the column chunks, once column_orders, which follows the
/// chunks in the footer, is known. Chunks that are sound by that order are skipped.
void check_statistics(FileCheck& check);

}  // namespace parqproof
