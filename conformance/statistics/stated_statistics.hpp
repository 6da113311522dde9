#pragma once

#include <cstdint>
#include <string_view>

#include "codec/format/statistics.hpp"
#include "codec/schema/order.hpp"
#include "codec/schema/schema.hpp"
#include "conformance/state/file_check.hpp"
#include "conformance/state/finding_site.hpp"

namespace parqproof {

/// What is known of the entries that Statistics describe before their levels are read.
struct StatedEntries {
  std::int64_t count = 0;
  bool known = false;     ///< `count` was stated
  bool doubtful = false;  ///< it is not what the pages hold, so that the pages tell of nulls
};

/// How the values of a column compare, by column_orders.
struct StatedOrder {
  Order order = Order::none;  ///< none: it says nothing of the column, or nothing that is known
  bool any = false;           ///< there is a list of orders
};

/// Whether the schema gives no valid length for the values; schema/type-length is broken then.
[[nodiscard]] bool is_length_unknown(const Node& leaf) noexcept;
/// Bytes of a bound of this leaf; -1 where any number will do.
[[nodiscard]] std::int64_t bound_length(const Node& leaf) noexcept;
/// Whether a bound has as many bytes as a value of the leaf.
[[nodiscard]] bool has_length(const Node& leaf, const View& bound) noexcept;
/// Whether a bound of plain bytes of a fixed length has some of them, but not all.
[[nodiscard]] bool is_shortened(const Node& leaf, const View& bound) noexcept;
/// Whether Statistics state a bound that is as long as a value of the leaf.
[[nodiscard]] bool has_usable_bound(const Statistics& claims, Statistics::Id id, const Node& leaf);
/// Whether a bound of a BYTE_ARRAY begins with the length of its rest, as the values in a page do. That is no
/// fault by itself: the bytes may be a value.
[[nodiscard]] bool has_length_word(const Node& leaf, const View& bound);
/// statistics/bound-length: the bound begins with a length word that should not be there.
[[nodiscard]] Contrast length_word_contrast(const View& bound);
/// Two values that differ, as text; where long ones read the same, with the first byte that tells them apart.
[[nodiscard]] Contrast distinguished(std::span<const std::uint8_t> found,
                                     std::span<const std::uint8_t> expected, const Node& leaf);

/// What Statistics say that can be wrong without a look at values: lengths of bounds, ranges of counts,
/// bounds that contradict each other, what has to stand there or must not. `nan_count_reported`: it was told
/// of the column chunk already that nan_count is missing.
void judge_statistics(const FindingSite& site, const Node& leaf, const StatedOrder& stated,
                      const StatedEntries& entries, const Statistics& claims,
                      bool nan_count_reported = false);

/// What the Statistics of a chunk say by themselves, if their bounds compare by the order of the type, as
/// nearly all do.
struct SoundStatistics {
  bool sound = true;             ///< nothing is wrong but what follows
  bool lacks_nan_count = false;  ///< statistics/nan-count-undated is broken
};
[[nodiscard]] SoundStatistics sound_statistics(const Node& leaf, const ChunkClaim& chunk,
                                               const Statistics& claims);

/// judge_statistics() for the Statistics of the column chunks. For when column_orders, which stands behind
/// the chunks, is known; those that are sound by the order that it gives are passed.
void check_statistics(FileCheck& check);

}  // namespace parqproof
