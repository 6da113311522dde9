#include "conformance/rows/second_reading.hpp"

#include <compare>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/diagnosis/doubts.hpp"
#include "conformance/diagnosis/schema_repair.hpp"
#include "conformance/diagnosis/transfer/restored_check.hpp"
#include "conformance/file/judge_file.hpp"
#include "conformance/policy/policy.hpp"
#include "conformance/state/file_check.hpp"
#include "conformance/verdict/report_of.hpp"

namespace parqproof {
namespace {

/// Max size of a file that is checked completely to find out if its schema is wrong.
constexpr std::uint64_t kMaxCheckedBytes = std::uint64_t{64} << 20;

/// Rank of a finding as the explanation of a symptom; lower is better.
struct Rank {
  bool far = false;  // in another column, or in the footer outside the row group
  int weight = 0;    // smaller for a larger loss
  int steps = 0;     // distance from the symptom

  friend auto operator<=>(const Rank&, const Rank&) = default;
};

/// Returns true for the loss of a structure that no row depends on.
bool is_next_to_data(LostPart part) {
  return part == LostPart::column_index || part == LostPart::offset_index || part == LostPart::bloom_filter;
}

bool is_same(const Finding& a, const Finding& b) {
  return a.rule == b.rule && a.place == b.place && a.space == b.space && a.offset == b.offset;
}

/// Returns true if a finding in the footer is in the ColumnChunk at `place` or, if the place has no leaf, in
/// the RowGroup.
bool is_in_metadata_of(const Finding& finding, const Place& place) {
  if (finding.place.row_group >= 0 || place.row_group < 0) return false;
  std::string path = "row_groups[" + std::to_string(place.row_group) + "]";
  if (place.leaf >= 0) path += ".columns[" + std::to_string(place.leaf) + "]";
  return finding.field.starts_with(path);
}

/// Distance of a finding from the symptom: 0 at its page or structure, 1 in the same column chunk, 2 in an
/// earlier page, 3 elsewhere in the row group, 4 elsewhere in the footer. Empty for a later page.
std::optional<int> steps_between(const Finding& finding, const Place& symptom) {
  const Place& place = finding.place;
  if (place == symptom) return 0;
  if (is_in_metadata_of(finding, symptom)) return 1;
  if (place.row_group != symptom.row_group) {
    const bool one_is_of_file = place.row_group < 0 || symptom.row_group < 0;
    return one_is_of_file ? std::optional(4) : std::nullopt;
  }
  if (place.leaf != symptom.leaf) return 3;
  if (place.page < 0 || symptom.page < 0) return 1;
  return place.page < symptom.page ? std::optional(2) : std::nullopt;
}

/// Returns true if `a` may be reported for the symptom `b`, when pages can be decoded but rows cannot be
/// assembled.
bool is_alike(Rule a, Rule b) {
  const auto is_of_levels = [](Rule rule) { return std::string_view(info(rule).id).starts_with("levels/"); };
  const bool is_count = a == Rule::column_chunk_num_values && b == Rule::column_chunk_rows;
  return a == b || is_count || (is_of_levels(a) && is_of_levels(b));
}

/// Returns true if the finding is about the meaning of values, which can be read all the same.
bool is_about_meaning(const Finding& finding) {
  return (finding.rule == Rule::edition_undefined || finding.rule == Rule::thrift_unknown_union_member) &&
         finding.field.starts_with("schema[") && !finding.field.ends_with(".repetition_type");
}

/// An invalid finding is_alike() the symptom.
int weight_of(Class klass) { return klass == Class::invalid ? 0 : klass == Class::malformed ? 1 : 2; }

std::optional<Rank> rank_of(const ReportedFinding& reported, const Finding& symptom) {
  if (is_same(reported.finding, symptom)) return Rank{false, -1, 0};
  if (is_about_meaning(reported.finding)) return std::nullopt;
  // A limit on rows may not exist in a check.
  const Class klass = info(symptom.rule).klass;
  if (klass == Class::limit && reported.finding.rule != symptom.rule) return std::nullopt;
  if (reported.klass == Class::invalid &&
      (klass != Class::invalid || !is_alike(reported.finding.rule, symptom.rule)))
    return std::nullopt;
  const std::optional<int> steps = steps_between(reported.finding, symptom.place);
  if (!steps) return std::nullopt;
  // Of one class, an error explains more than a warning.
  const int warning = reported.severity == Severity::warning ? 1 : 0;
  return Rank{*steps >= 3, 2 * weight_of(reported.klass) + warning, *steps};
}

/// The first of the findings that explain the symptom best, or null.
const Finding* best_of(const std::vector<ReportedFinding>& findings, const Finding& symptom) {
  const Finding* best = nullptr;
  std::optional<Rank> best_rank;
  for (const ReportedFinding& reported : findings) {
    const std::optional<Rank> rank = rank_of(reported, symptom);
    if (!rank || (best_rank && *best_rank <= *rank)) continue;
    best_rank = rank;
    best = &reported.finding;
  }
  return best;
}

}  // namespace

SecondReading::SecondReading(const Source& source, const Folder* folder, const CheckOptions& options)
    : source_(source), folder_(folder), options_(options), work_(source.size(), options.limits) {
  options_.listed = 0;
  options_.with_remains = false;
}

void SecondReading::read(std::optional<std::uint32_t> row_group) {
  const std::optional<RowGroups> requested =
      row_group ? std::optional(RowGroups{*row_group, std::uint64_t{*row_group} + 1}) : std::nullopt;
  if (has_read_ && options_.row_groups == requested) return;
  reports_.clear();
  pages_.clear();
  has_read_ = true;
  options_.row_groups = requested;
  options_.tier = row_group ? Tier::values : Tier::footer;
  const Policy policy(options_);
  reports_.resize(1);
  std::optional<FileCheck> judged;
  const auto judge_now = [&] {
    judged.emplace(source_, options_, policy.wanted());
    if (folder_ != nullptr) judged->input.path = folder_->own_name();
    judged->input.folder = folder_;
    judged->input.change = change_;
    if (change_) return judge_changed(*judged, policy);
    judge_file(*judged, policy, diagnosis(), &reports_);
  };
  judge_now();
  if (!change_ && !knows_schema_ && doubts_schema(*judged)) {
    knows_schema_ = row_group.has_value();
    change_ = row_group ? change_by_all_row_groups() : schema_change_of(*judged, policy);
    if (change_) judge_now();
  }
  FileCheck& check = *judged;
  std::uint64_t bytes = check.outcome.bytes;
  for (const FileReport& other : reports_) bytes += other.bytes;
  const bool too_much = !work_.afford(bytes);
  const std::size_t group = row_group.value_or(0);
  const bool tallied = row_group && !check.outcome.tallies.empty();
  if (tallied && !too_much && group < check.footer.row_groups.size())
    keep_pages(check, check.footer.row_groups[group]);
  reports_.front() = report_of(check, policy, check.input.path);
}

std::optional<SchemaChange> SecondReading::change_by_all_row_groups() const {
  if (source_.size() > kMaxCheckedBytes) return std::nullopt;
  CheckOptions options = options_;
  options.row_groups.reset();
  const Policy policy(options);
  FileCheck check(source_, options, policy.wanted());
  judge_file(check, policy, diagnosis(), nullptr);
  return schema_change_of(check, policy);
}

void SecondReading::keep_pages(const FileCheck& check, const RowGroupClaim& group) {
  pages_.resize(group.chunk_count);
  for (std::size_t i = 0; i < group.chunk_count; ++i) {
    const ChunkTotal tally = check.tally(group.first_chunk + i);
    pages_[i].complete = true;
    if (tally.walked) pages_[i].extent = ChunkExtent{tally.start, tally.end, tally.end, tally.values};
  }
  if (change_ && change_->field == SchemaElement::id_type) {
    const std::size_t leaf = check.footer.schema.nodes()[change_->index].leaf;
    if (leaf < pages_.size()) pages_[leaf].other_type = true;
  }
  for (const Lost& lost : check.outcome.lost) {
    for (std::size_t i = 0; i < pages_.size(); ++i) {
      const bool here = lost.place.leaf < 0 || lost.place.leaf == static_cast<std::int32_t>(i);
      if (here && !is_next_to_data(lost.what)) pages_[i].complete = false;
    }
  }
}

std::optional<FoundPages> SecondReading::pages_of(std::uint32_t row_group, std::size_t leaf) {
  if (work_.spent() > work_.ceiling()) return std::nullopt;
  read(row_group);
  return leaf < pages_.size() ? std::optional(pages_[leaf]) : std::nullopt;
}

const Moved* SecondReading::move() {
  if (std::exchange(knows_move_, true)) return move_ ? &*move_ : nullptr;
  if (source_.keys() != nullptr && source_.keys()->opened() != nullptr) return nullptr;
  CheckOptions options = options_;
  options.row_groups.reset();
  options.tier = Tier::values;
  const Policy policy(options);
  FileCheck check(source_, options, policy.wanted());
  if (folder_ != nullptr) check.input.path = folder_->own_name();
  judge_file(check, policy, diagnosis(), nullptr);
  TrialBudget budget(check);
  std::vector<std::string_view> tried;
  if (const std::unique_ptr<RestoredCheck> restored = RestoredCheck::find(check, policy, budget, tried)) {
    const bool in_place = restored->cause().rule == Rule::file_overwritten;
    move_ = Moved{restored->cause(), restored->check().input.gone, in_place};
  }
  return move_ ? &*move_ : nullptr;
}

DamageCause SecondReading::find_cause(const Finding& symptom, const std::string& file) {
  if (file.empty() && is_judgement(info(symptom.rule).klass) && move() != nullptr)
    return {move_->cause, {}, {}};
  const std::int32_t row_group = symptom.place.row_group;
  read(row_group < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(row_group)));
  for (const FileReport& report : reports_) {  // of a named file, whose row groups may have other ordinals
    if (file.empty() || report.path != file) continue;
    for (const ReportedFinding& reported : report.findings) {
      if (is_same(reported.finding, symptom)) return {reported.finding, {}, file};
    }
  }
  const Finding* const found = best_of(reports_.front().findings, symptom);
  return found == nullptr ? DamageCause() : DamageCause{*found, {}, {}};
}

}  // namespace parqproof
