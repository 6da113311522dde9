#include "conformance/statistics/stated_sizes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/base/text.hpp"
#include "codec/format/column_chunk.hpp"

namespace parqproof {
namespace {

using Id = SizeStatistics::Id;

constexpr std::string_view kRepetition = "repetition_level_histogram";
constexpr std::string_view kDefinition = "definition_level_histogram";
constexpr std::string_view kUnencoded = "unencoded_byte_array_data_bytes";

/// The counters of a histogram; a small histogram needs no allocation.
class Counters {
 public:
  void read(const thrift::List& list) {
    thrift::for_each_integer(list, [this](std::int64_t counter, std::uint32_t) {
      if (count_ < few_.size()) {
        few_[count_++] = counter;
        return;
      }
      if (count_++ == few_.size()) many_.assign(few_.begin(), few_.end());
      many_.push_back(counter);
    });
  }

  [[nodiscard]] std::span<const std::int64_t> all() const noexcept {
    return count_ > few_.size() ? std::span<const std::int64_t>(many_) : std::span(few_).first(count_);
  }

 private:
  std::array<std::int64_t, 8> few_;
  std::vector<std::int64_t> many_;  // all counters of a large histogram
  std::size_t count_ = 0;
};

/// Returns true if this can be the number of nulls. Writers do not agree on whether values that are absent
/// because of a null parent are counted.
bool may_be_nulls(std::int64_t nulls, std::span<const std::int64_t> counters) {
  std::int64_t sum = 0;
  if (nulls == 0 && counters.size() == 1) return true;
  for (std::size_t level = counters.size() - 1; level-- > 0;) {
    sum = saturating_add(sum, counters[level]);
    if (sum == nulls) return true;
  }
  return false;
}

/// The rules for the SizeStatistics of one column chunk.
class SizeRules {
 public:
  SizeRules(const ColumnMetaData& meta, const Node& leaf)
      : meta_(meta), sizes_(meta.size_statistics), leaf_(leaf) {}

  /// Counts further faults that break one of these rules.
  void count(const Findings& wanted) noexcept { wanted_ = &wanted; }
  /// Makes findings of further faults.
  void report(const FindingSite& chunk) { site_.emplace(chunk.within("meta_data.size_statistics")); }

  /// Judges the struct alone.
  void alone() {
    if (sizes_.fields.misread || sizes_.fields.faulty != 0) return;
    sound_.unencoded = unencoded();
    sound_.repetition = histogram(Id::id_repetition_level_histogram, sizes_.repetition_level_histogram,
                                  kRepetition, leaf_.max_repetition, 0, repetition_);
    sound_.definition = histogram(Id::id_definition_level_histogram, sizes_.definition_level_histogram,
                                  kDefinition, leaf_.max_definition, 1, definition_);
  }

  /// size-statistics/histogram-sum, size-statistics/rows, size-statistics/defined for the histograms that are
  /// sound alone.
  void sums(const EntryCounts& counts) {
    if (sound_.repetition) {
      sound_.repetition = adds_up(repetition_, kRepetition, counts.entries);
      if (sound_.repetition && counts.rows && rows() != *counts.rows) {
        sound_.repetition = false;
        fault(Rule::size_statistics_rows, std::string(kRepetition) + "[0]",
              [&] { return contrast(rows(), *counts.rows); });
      }
    }
    if (!sound_.definition) return;
    sound_.definition = adds_up(definition_, kDefinition, counts.entries);
    const std::optional<std::int64_t> nulls = meta_.has(ColumnMetaData::id_statistics)
                                                  ? stated_nulls(meta_.statistics, leaf_, counts.entries)
                                                  : std::nullopt;
    if (sound_.definition && nulls && !may_be_nulls(*nulls, definition_.all())) {
      sound_.definition = false;
      fault(Rule::size_statistics_defined,
            std::string(kDefinition) + "[" + std::to_string(leaf_.max_definition) + "]",
            [&] { return contrast(definition_.all().back(), counts.entries - *nulls); });
    }
  }

  /// The claims without a fault.
  [[nodiscard]] const SizeClaims& sound() const noexcept { return sound_; }
  [[nodiscard]] std::uint64_t faults() const noexcept { return faults_; }
  /// The number of rows by the repetition level histogram, which is sound.
  [[nodiscard]] std::int64_t rows() const noexcept { return repetition_.all().front(); }

 private:
  /// `what` returns the Contrast; it is called only if a finding is made.
  template <typename What>
  void fault(Rule rule, std::string_view field, What&& what) {
    if (wanted_ != nullptr && wanted_->wants(rule)) ++faults_;
    if (site_) site_->report(rule, field, what());
  }

  bool unencoded() {
    if (!sizes_.has(Id::id_unencoded_byte_array_data_bytes)) return false;
    const std::int64_t bytes = sizes_.unencoded_byte_array_data_bytes;
    if (leaf_.type != Type::BYTE_ARRAY) {
      fault(Rule::size_statistics_unencoded_type, kUnencoded,
            [&] { return contrast(symbol(kTypeEnum, leaf_.type), "BYTE_ARRAY"); });
      return false;
    }
    if (bytes < 0)
      fault(Rule::size_statistics_negative, kUnencoded, [&] { return contrast(bytes, or_more(0)); });
    return bytes >= 0;
  }

  /// `redundant_max`: up to this maximum level the histogram follows from num_values and null_count.
  bool histogram(Id id, const thrift::List& list, std::string_view field, std::uint32_t max,
                 std::uint32_t redundant_max, Counters& read) {
    const std::uint64_t counters = std::uint64_t{max} + 1;
    if (!sizes_.fields.mentions(id)) {
      const bool others = sizes_.fields.present != 0;
      if (max > redundant_max && others)
        fault(Rule::size_statistics_histogram_omitted, field,
              [&] { return contrast(kAbsent, counted(counters, "counter")); });
      return false;
    }
    if (!sizes_.has(id)) return false;
    if (list.count != counters) {
      fault(list.count == 0 ? Rule::size_statistics_histogram_empty : Rule::size_statistics_histogram_length,
            field, [&] { return contrast(list.count, counters); });
      return false;
    }
    read.read(list);
    const std::span<const std::int64_t> all = read.all();
    bool sound = true;
    for (std::size_t level = 0; level < all.size(); ++level) {
      if (all[level] >= 0) continue;
      sound = false;
      fault(Rule::size_statistics_negative, std::string(field) + "[" + std::to_string(level) + "]",
            [&] { return contrast(all[level], or_more(0)); });
    }
    return sound;
  }

  bool adds_up(const Counters& counters, std::string_view field, std::int64_t entries) {
    std::int64_t sum = 0;
    for (const std::int64_t counter : counters.all()) sum = saturating_add(sum, counter);
    if (sum != entries)
      fault(Rule::size_statistics_histogram_sum, field, [&] { return contrast(sum, entries); });
    return sum == entries;
  }

  const ColumnMetaData& meta_;
  const SizeStatistics& sizes_;
  const Node& leaf_;
  const Findings* wanted_ = nullptr;
  std::optional<FindingSite> site_;
  std::uint64_t faults_ = 0;
  SizeClaims sound_;
  Counters repetition_;  // read unless the histogram has a fault of its own
  Counters definition_;
};

}  // namespace

SizeVerdict verdict_on_sizes(const ColumnMetaData& meta, const Node& leaf,
                             const std::optional<EntryCounts>& counts, const Findings& findings) {
  SizeRules rules(meta, leaf);
  rules.count(findings);
  rules.alone();
  if (counts) rules.sums(*counts);
  SizeVerdict verdict{rules.faults() == 0, std::nullopt};
  if (counts && rules.sound().repetition) verdict.rows = rules.rows();
  return verdict;
}

SizeClaims sound_sizes(const ColumnMetaData& meta, const Node& leaf) {
  SizeRules rules(meta, leaf);
  if (meta.has(ColumnMetaData::id_size_statistics)) rules.alone();
  return rules.sound();
}

SizeClaims judge_size_sums(const FindingSite& chunk, const ColumnMetaData& meta, const Node& leaf,
                           const EntryCounts& counts) {
  if (!meta.has(ColumnMetaData::id_size_statistics)) return {};
  SizeRules rules(meta, leaf);
  rules.alone();
  rules.report(chunk);
  rules.sums(counts);
  return rules.sound();
}

void check_size_statistics(FileCheck& check) {
  const ParsedFooter& footer = check.footer;
  for (const ChunkClaim& claim : footer.chunks) {
    if (!claim.sizes_reported) continue;
    ColumnChunk chunk;
    if (!footer.reread(claim, check.options.limits, chunk)) continue;
    SizeRules rules(chunk.meta_data, footer.schema.leaf(claim.leaf));
    rules.report(FindingSite::of_chunk(check, claim));
    rules.alone();
    if (check.options.tier != Tier::footer || !claim.has_num_values || claim.num_values < 0) continue;
    EntryCounts counts{claim.num_values, std::nullopt};
    const RowGroupClaim& group = footer.row_groups[claim.row_group];
    if (group.has_num_rows && group.num_rows >= 0) counts.rows = group.num_rows;
    rules.sums(counts);
  }
}

}  // namespace parqproof
