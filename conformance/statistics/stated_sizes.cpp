#include "conformance/statistics/stated_sizes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/format/column_chunk.hpp"

namespace parqproof {
namespace {

using Id = SizeStatistics::Id;

constexpr std::string_view kRepetition = "repetition_level_histogram";
constexpr std::string_view kDefinition = "definition_level_histogram";
constexpr std::string_view kUnencoded = "unencoded_byte_array_data_bytes";

/// Faults of SizeStatistics: counted if `wanted` wants their rule, and reported at `site`; either may be
/// null.
class Faults {
 public:
  Faults(const Findings* wanted, const FindingSite* site) noexcept : wanted_(wanted), site_(site) {}

  /// `what` returns the Contrast; it is called only if a finding is made.
  template <typename What>
  void add(Rule rule, std::string_view field, What&& what) {
    if (wanted_ != nullptr && wanted_->wants(rule)) ++count_;
    if (site_ != nullptr) site_->report(rule, field, what());
  }
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

 private:
  const Findings* wanted_;
  const FindingSite* site_;
  std::uint64_t count_ = 0;
};

/// The counters of a histogram; a small histogram needs no allocation.
class Counters {
 public:
  void read(const thrift::List& list) {
    thrift::for_each_integer(list, [this](std::int64_t counter, std::uint32_t) {
      if (count_ == few_.size()) many_.assign(few_.begin(), few_.end());
      if (count_ >= few_.size()) {
        many_.push_back(counter);
      } else {
        few_[count_] = counter;
      }
      ++count_;
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

/// The histograms of a SizeStatistics struct; only those without a fault of their own are read.
struct Histograms {
  Counters repetition;
  Counters definition;
};

/// The rules for one SizeStatistics struct alone.
class SizeRules {
 public:
  SizeRules(const SizeStatistics& sizes, const Node& leaf, Faults& faults)
      : sizes_(sizes), leaf_(leaf), faults_(faults) {}

  SizeClaims run(Histograms& read) {
    SizeClaims sound;
    if (sizes_.fields.misread || sizes_.fields.faulty != 0) return sound;
    sound.unencoded = unencoded();
    sound.repetition = histogram(Id::id_repetition_level_histogram, sizes_.repetition_level_histogram,
                                 kRepetition, leaf_.max_repetition, 0, read.repetition);
    sound.definition = histogram(Id::id_definition_level_histogram, sizes_.definition_level_histogram,
                                 kDefinition, leaf_.max_definition, 1, read.definition);
    return sound;
  }

 private:
  bool unencoded() {
    if (!sizes_.has(Id::id_unencoded_byte_array_data_bytes)) return false;
    const std::int64_t bytes = sizes_.unencoded_byte_array_data_bytes;
    if (leaf_.type != Type::BYTE_ARRAY) {
      faults_.add(Rule::size_statistics_unencoded_type, kUnencoded,
                  [&] { return contrast(symbol(kTypeEnum, leaf_.type), "BYTE_ARRAY"); });
      return false;
    }
    if (bytes < 0)
      faults_.add(Rule::size_statistics_negative, kUnencoded, [&] { return contrast(bytes, or_more(0)); });
    return bytes >= 0;
  }

  /// `redundant_max`: up to this maximum level the histogram follows from num_values and null_count.
  bool histogram(Id id, const thrift::List& list, std::string_view field, std::uint32_t max,
                 std::uint32_t redundant_max, Counters& read) {
    const std::uint64_t counters = std::uint64_t{max} + 1;
    if (!sizes_.fields.mentions(id)) {
      const bool others = sizes_.fields.present != 0;
      if (max > redundant_max && others)
        faults_.add(Rule::size_statistics_histogram_omitted, field,
                    [&] { return contrast(kAbsent, std::to_string(counters) + " counters"); });
      return false;
    }
    if (!sizes_.has(id)) return false;
    if (list.count != counters) {
      const Rule rule =
          list.count == 0 ? Rule::size_statistics_histogram_empty : Rule::size_statistics_histogram_length;
      faults_.add(rule, field, [&] { return contrast(list.count, counters); });
      return false;
    }
    read.read(list);
    const std::span<const std::int64_t> all = read.all();
    bool sound = true;
    for (std::size_t level = 0; level < all.size(); ++level) {
      if (all[level] >= 0) continue;
      sound = false;
      faults_.add(Rule::size_statistics_negative, std::string(field) + "[" + std::to_string(level) + "]",
                  [&] { return contrast(all[level], or_more(0)); });
    }
    return sound;
  }

  const SizeStatistics& sizes_;
  const Node& leaf_;
  Faults& faults_;
};

std::int64_t sum_of(std::span<const std::int64_t> counters) {
  std::int64_t sum = 0;
  for (const std::int64_t counter : counters) sum = saturating_add(sum, counter);
  return sum;
}

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

/// size-statistics/histogram-sum, size-statistics/rows, size-statistics/defined for the histograms that are
/// `sound` alone; returns the histograms without a finding.
SizeClaims judge_sums(const ColumnMetaData& meta, const Node& leaf, const EntryCounts& counts,
                      SizeClaims sound, const Histograms& histograms, Faults& faults) {
  const auto adds_up = [&](std::span<const std::int64_t> counters, std::string_view field) {
    const std::int64_t sum = sum_of(counters);
    if (sum != counts.entries)
      faults.add(Rule::size_statistics_histogram_sum, field, [&] { return contrast(sum, counts.entries); });
    return sum == counts.entries;
  };
  if (sound.repetition) {
    const std::span<const std::int64_t> counters = histograms.repetition.all();
    sound.repetition = adds_up(counters, kRepetition);
    if (sound.repetition && counts.rows && counters.front() != *counts.rows) {
      sound.repetition = false;
      faults.add(Rule::size_statistics_rows, std::string(kRepetition) + "[0]",
                 [&] { return contrast(counters.front(), *counts.rows); });
    }
  }
  if (!sound.definition) return sound;
  const std::span<const std::int64_t> counters = histograms.definition.all();
  sound.definition = adds_up(counters, kDefinition);
  const Statistics& statistics = meta.statistics;
  const bool has_nulls = meta.has(ColumnMetaData::id_statistics) &&
                         statistics.has(Statistics::id_null_count) && statistics.null_count >= 0 &&
                         statistics.null_count <= counts.entries;
  if (sound.definition && has_nulls && leaf.max_definition != 0 &&
      !may_be_nulls(statistics.null_count, counters)) {
    sound.definition = false;
    faults.add(Rule::size_statistics_defined,
               std::string(kDefinition) + "[" + std::to_string(leaf.max_definition) + "]",
               [&] { return contrast(counters.back(), counts.entries - statistics.null_count); });
  }
  return sound;
}

}  // namespace

SizeVerdict verdict_on_sizes(const ColumnMetaData& meta, const Node& leaf,
                             const std::optional<EntryCounts>& counts, const Findings& findings) {
  Faults faults(&findings, nullptr);
  Histograms histograms;
  SizeClaims sound = SizeRules(meta.size_statistics, leaf, faults).run(histograms);
  if (counts) sound = judge_sums(meta, leaf, *counts, sound, histograms, faults);
  SizeVerdict verdict{faults.count() == 0, std::nullopt};
  if (counts && sound.repetition) verdict.rows = histograms.repetition.all().front();
  return verdict;
}

SizeClaims sound_sizes(const ColumnMetaData& meta, const Node& leaf) {
  if (!meta.has(ColumnMetaData::id_size_statistics)) return {};
  Faults faults(nullptr, nullptr);
  Histograms histograms;
  return SizeRules(meta.size_statistics, leaf, faults).run(histograms);
}

SizeClaims judge_size_sums(const FindingSite& chunk, const ColumnMetaData& meta, const Node& leaf,
                           const EntryCounts& counts) {
  const FindingSite site = chunk.within("meta_data.size_statistics");
  if (!meta.has(ColumnMetaData::id_size_statistics)) return {};
  Faults faults(nullptr, &site);
  Faults none(nullptr, nullptr);
  Histograms histograms;
  const SizeClaims sound = SizeRules(meta.size_statistics, leaf, none).run(histograms);
  return judge_sums(meta, leaf, counts, sound, histograms, faults);
}

void check_size_statistics(FileCheck& check) {
  const ParsedFooter& footer = check.footer;
  for (const ChunkClaim& claim : footer.chunks) {
    if (!claim.sizes_reported) continue;
    ColumnChunk chunk;
    if (!footer.reread(claim, check.options.limits, chunk)) continue;
    const Node& leaf = footer.schema.leaf(claim.leaf);
    const FindingSite in_footer = FindingSite::of_chunk(check, claim);
    const FindingSite site = in_footer.within("meta_data.size_statistics");
    Faults faults(nullptr, &site);
    Histograms histograms;
    (void)SizeRules(chunk.meta_data.size_statistics, leaf, faults).run(histograms);
    if (check.options.tier != Tier::footer || !claim.has_num_values || claim.num_values < 0) continue;
    EntryCounts counts{claim.num_values, std::nullopt};
    const RowGroupClaim& group = footer.row_groups[claim.row_group];
    if (group.has_num_rows && group.num_rows >= 0) counts.rows = group.num_rows;
    (void)judge_size_sums(in_footer, chunk.meta_data, leaf, counts);
  }
}

}  // namespace parqproof
