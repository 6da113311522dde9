#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "codec/base/bytes.hpp"
#include "codec/compression/decompress.hpp"
#include "codec/encoding/extremes.hpp"
#include "codec/encoding/values.hpp"
#include "codec/file/levels.hpp"
#include "codec/format/column_chunk.hpp"
#include "conformance/check/context.hpp"
#include "conformance/check/judge.hpp"

namespace parqproof {

/// Whether the Statistics of a chunk say nothing wrong by themselves if their bounds compare by the order of
/// the type, as nearly all do.
[[nodiscard]] bool sound_statistics(const Node& leaf, const ChunkClaim& chunk, const Statistics& claims);

/// What the Statistics of the column chunks say that can be wrong without a look at values: lengths of
/// bounds, ranges of counts, bounds that contradict each other. For when column_orders, which stands behind
/// the chunks, is known; those that are sound by the order that it gives are passed.
void check_statistics(FileCheck& context);

/// What the observers of a thread keep from chunk to chunk.
struct StatisticsBuffers {
  Buffer dictionary;               ///< the image of the dictionary page
  std::vector<std::uint8_t> used;  ///< per entry: 1 where a value refers to it
  std::vector<std::uint8_t> nans;  ///< per entry: 1 where it is NaN; empty where none is
};

/// Watches the values of one chunk for what its Statistics say of them (parquet.thrift#Statistics). It looks
/// at no more than a claim calls for; values in a dictionary are judged once per entry.
class StatisticsObserver {
 public:
  StatisticsObserver(const Context& context, std::uint32_t leaf, const ColumnMetaData& meta, Judge judge,
                     StatisticsBuffers& buffers);

  /// Entries of the dictionary page.
  void see_entries(const ValueBatch& batch) {
    if (watch_) entries_.see(batch);
  }
  /// The dictionary page has been decoded as `spec` says. If the image is in `buffer`, that may be taken
  /// away.
  void keep_dictionary(View image, Buffer& buffer, const ValueSpec& spec);
  /// Levels of a data page.
  void see_levels(std::uint64_t entries, const LevelSums& sums) noexcept {
    nulls_ += entries - sums.stored;
    null_leaves_ += sums.null_leaves;
    null_elements_ += sums.null_elements;
  }
  /// Values of a data page.
  void see_values(const ValueBatch& batch);

  /// Dictionary entries that no value refers to; 0 where nobody asked.
  [[nodiscard]] std::uint64_t unused_entries() const noexcept;

  /// Holds the claims of the chunk, whose ColumnChunk begins `chunk_bytes`, against what was seen. All its
  /// values have been.
  void judge(const Place& place, View chunk_bytes, Budget& budget);

 private:
  struct Bound;

  [[nodiscard]] std::array<Bound, 4> bounds() const;
  [[nodiscard]] bool judged(const Bound& bound) const;
  /// The bound looks like a value of a page, behind its length.
  [[nodiscard]] bool length_word(const Bound& bound) const;
  /// Behind that length stands the very value that the bound should be.
  [[nodiscard]] bool is_extreme_behind_word(const Bound& bound) const;
  void fault(Rule rule, std::string_view field, Seen what) const;
  void judge_counts() const;
  [[nodiscard]] bool counts_leaves(std::int64_t null_count) const noexcept;
  void judge_bound(const Bound& bound) const;
  void see_indices(const ValueBatch& batch);
  void take_used_entries(Budget& budget);

  const Context& context_;
  const ColumnMetaData& meta_;
  const Node& leaf_;
  Judge judge_;
  Place place_;
  View chunk_bytes_;
  Order order_ = Order::none;       // of min_value and max_value
  Order deprecated_ = Order::none;  // of min and max
  bool watch_ = false;              // something is claimed of values
  bool contradictory_ = false;      // min_value is above max_value
  bool exactly_ = false;            // not only whether values lie inside the bounds is asked
  bool mark_ = false;               // used entries are asked for
  bool indices_ = false;            // there are values that refer to the dictionary
  Extremes values_;                 // of values that are no indices, and at the end of all
  Extremes entries_;                // of the dictionary
  ValueSpec dictionary_;            // how it is decoded
  View dictionary_image_;           // its bytes
  Buffer& dictionary_bytes_;        // which own them
  std::vector<std::uint8_t>& used_;
  std::size_t first_unused_ = 0;  // none before it
  std::vector<std::uint8_t>& nans_;
  std::uint64_t nan_values_ = 0;  // that refer to those
  std::uint64_t nulls_ = 0;
  std::uint64_t null_leaves_ = 0;
  std::uint64_t null_elements_ = 0;
};

}  // namespace parqproof
