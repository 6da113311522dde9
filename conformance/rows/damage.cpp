#include "conformance/rows/damage.hpp"

#include <algorithm>
#include <ranges>
#include <string_view>
#include <utility>

#include "codec/page/page_walk.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/diagnosis/doubts.hpp"
#include "conformance/diagnosis/schema_repair.hpp"
#include "conformance/file/judge_file.hpp"
#include "conformance/policy/policy.hpp"
#include "conformance/row_group/row_group_totals.hpp"
#include "conformance/row_group/sorting_columns.hpp"
#include "conformance/verdict/intact_pages.hpp"
#include "conformance/verdict/next_steps.hpp"
#include "conformance/verdict/report_of.hpp"

namespace parqproof {
namespace {

/// Rank of a finding as the cause of a loss at a place; lower is better. Empty if it does not explain the
/// loss.
std::optional<int> rank_of(const ReportedFinding& reported, const Place& place) {
  const Finding& finding = reported.finding;
  const Place& at = finding.place;
  const bool states_class = reported.klass != Class::invalid;
  if (reported.severity == Severity::info || (reported.severity == Severity::warning && !states_class))
    return std::nullopt;
  const int doubt = reported.klass == Class::invalid && finding.rule != Rule::crc_match ? 1 : 0;
  if (at == place) return doubt;
  const bool is_chunk = at.row_group == place.row_group && at.leaf == place.leaf;
  const bool is_before = at.page < 0 || place.page < 0 || at.page < place.page;
  if (is_chunk) return (is_before ? 2 : 12) + doubt;
  const std::string path = "row_groups[" + std::to_string(place.row_group) + "]";
  const std::string column = path + ".columns[" + std::to_string(place.leaf) + "]";
  if (at.row_group < 0 && finding.field.starts_with(column)) return 4 + doubt;
  if (at.row_group == place.row_group && at.leaf < 0) return 6 + doubt;
  if (at.row_group < 0 && finding.field.starts_with(path)) return 8 + doubt;
  return at.row_group < 0 ? std::optional(10 + doubt) : std::nullopt;
}

/// Returns true if the finding is about an index or a filter of a column chunk.
bool is_of_index(const Finding& finding) {
  const std::string_view field = finding.field;
  return field.find("column_index") != field.npos || field.find("offset_index") != field.npos ||
         field.find("bloom_filter") != field.npos;
}

/// Returns true if the finding may be about the body of a page, and not about metadata alone.
bool may_be_of_body(const Finding& finding) {
  const std::string_view field = finding.field;
  return field.empty() ||
         (finding.place.page >= 0 && !is_of_index(finding) && field.find("statistics") == field.npos);
}

/// Returns true if an error is in the pages of the row group, or a part of them is lost. Indexes and filters
/// do not count, because they were moved with the bytes from `moved` on.
bool has_error_before(const FileReport& report, std::uint64_t ordinal, std::uint64_t moved) {
  const auto row_group = static_cast<std::int32_t>(ordinal);
  return std::ranges::any_of(
             report.lost,
             [&](const Lost& one) { return one.place.row_group == row_group && one.is_of_data(); }) ||
         std::ranges::any_of(report.findings, [&](const ReportedFinding& one) {
           const Finding& finding = one.finding;
           return one.severity == Severity::error && finding.place.row_group == row_group &&
                  !(is_of_index(finding) && finding.file_position() >= moved);
         });
}

/// Returns true if an error is in the row group, or a part of it is lost.
bool has_error_in(const FileReport& report, std::uint64_t ordinal) {
  const auto row_group = static_cast<std::int32_t>(ordinal);
  return std::ranges::any_of(report.lost,
                             [&](const Lost& one) { return one.place.row_group == row_group; }) ||
         std::ranges::any_of(report.findings, [&](const ReportedFinding& one) {
           return one.severity == Severity::error && one.finding.place.row_group == row_group;
         });
}

/// Returns true if the row group begins with a page, or does not exist.
bool begins_with_page(const FileCheck& check, std::uint64_t row_group) {
  if (row_group >= check.footer.row_groups.size()) return true;
  const RowGroupClaim& group = check.footer.row_groups[static_cast<std::size_t>(row_group)];
  if (group.chunk_count == 0 || group.first_chunk >= check.footer.chunks.size()) return true;
  const ChunkClaim& chunk = check.footer.chunks[group.first_chunk];
  if (chunk.no_pages || !chunk.readable || chunk.file != 0) return true;
  PageReader reader(check.input.source, check.options.limits, 0);
  const RegionMap alone;
  const ChunkExtent extent =
      chunk_extent(chunk.start, chunk.compressed, chunk.num_values, check.footer.frame.footer_offset);
  return PageWalk(reader, alone, extent, place_of(chunk)).starts_with_page();
}

/// Returns true if a column chunk of the row group ends after this byte.
bool reaches(const FileCheck& check, std::uint64_t row_group, std::uint64_t offset) {
  const RowGroupClaim& group = check.footer.row_groups[static_cast<std::size_t>(row_group)];
  for (std::size_t i = 0; i < group.chunk_count; ++i) {
    const ChunkClaim& chunk = check.footer.chunks[group.first_chunk + i];
    if (chunk.compressed > 0 && chunk.start + static_cast<std::uint64_t>(chunk.compressed) > offset)
      return true;
  }
  return false;
}

}  // namespace

void ChunkDamage::cut(std::uint64_t row, std::uint64_t rows, std::int32_t page,
                      std::optional<DamageCause> cause) {
  std::erase_if(parts, [row](const RowPart& part) { return part.first >= row; });
  std::erase_if(gaps, [row](const RowGap& gap) { return gap.first >= row; });
  if (!parts.empty()) parts.back().end = std::min(parts.back().end, row);
  if (!gaps.empty()) gaps.back().end = std::min(gaps.back().end, row);
  if (row < rows) gaps.push_back({row, rows, page, page, std::move(cause)});
}

ChunkDamage& RowGroupDamage::of(std::size_t leaf) {
  const auto [at, fresh] = columns.try_emplace(leaf);
  if (fresh) at->second.parts.push_back({0, *rows});
  return at->second;
}

DamageReading::DamageReading(const Source& source, const Folder* folder, const CheckOptions& options,
                             CheckOptions::ForRows use, FindMove find_move)
    : source_(source), folder_(folder), options_(options), use_(use), find_move_(std::move(find_move)) {
  options_.listed = 0;
  options_.with_remains = false;
}

RowGroupDamage DamageReading::of(std::uint32_t row_group) {
  if (row_group < first_ || row_group - first_ >= read_.size()) {
    read(row_group, row_group + width_);
    width_ *= 2;
  }
  const std::size_t index = row_group - first_;
  return index < read_.size() ? std::move(read_[index]) : RowGroupDamage();
}

void DamageReading::judge(std::optional<FileCheck>& check, std::vector<ByteRange> gone) {
  const Policy policy(options_);
  check.emplace(source_, options_, policy.wanted());
  if (folder_ != nullptr) check->input.path = folder_->own_name();
  check->input.folder = folder_;
  check->input.gone = std::move(gone);
  reports_.assign(1, {});
  judge_file(*check, policy, diagnosis(), &reports_);
  // The report takes the outcome of the check; the tallies remain.
  reports_.front() = report_of(*check, policy, {});
}

void DamageReading::read(std::uint64_t first, std::uint64_t end) {
  options_.row_groups = RowGroups{first, end};
  first_ = first;
  read_.clear();
  std::optional<FileCheck> check;
  judge(check, {});
  end = std::min<std::uint64_t>(end, check->footer.row_groups.size());
  const auto has_error = [&](std::uint64_t i) { return has_error_in(reports_.front(), i); };
  const auto all = std::views::iota(first, std::max(first, end));
  const bool any_error = std::ranges::any_of(all, has_error);
  // Bytes that are missing or inserted in the last page may leave a trace only in what follows.
  const bool is_followed = begins_with_page(*check, end);
  const Moved* const moved = any_error || !is_followed ? find_move_() : nullptr;
  if (moved != nullptr && moved->in_place) judge(check, moved->gone);
  // What is next to damage matters only where there is some.
  if ((moved == nullptr || !moved->in_place) && any_error) {
    options_.for_rows = use_;
    judge(check, {});
    options_.for_rows = CheckOptions::ForRows::no;
  }
  for (const std::uint64_t i : all) {
    RowGroupDamage damage = damage_of(*check, static_cast<std::size_t>(i));
    reject_other_rows(*check, static_cast<std::size_t>(i), damage);
    if (moved != nullptr) {
      for (auto& [leaf, of_leaf] : damage.columns) {
        for (RowGap& gap : of_leaf.gaps) gap.cause = DamageCause{moved->cause, {}, {}};
      }
    }
    if (moved != nullptr && !moved->in_place && damage.rows &&
        (reaches(*check, i, moved->cause.offset) ||
         has_error_before(reports_.front(), i, moved->cause.offset))) {
      for (std::size_t leaf = 0; leaf < check->footer.row_groups[i].chunk_count; ++leaf)
        damage.of(leaf).cut(0, *damage.rows, -1, DamageCause{moved->cause, {}, {}});
    }
    read_.push_back(std::move(damage));
  }
}

void DamageReading::reject_other_rows(const FileCheck& check, std::size_t row_group,
                                      RowGroupDamage& damage) const {
  if (!damage.rows) return;
  const std::optional<std::size_t> of_other = leaf_of_other_rows(check, row_group);
  if (!of_other) return;
  const Place place{static_cast<std::int32_t>(row_group), static_cast<std::int32_t>(*of_other), -1};
  const std::vector<ReportedFinding>& findings = reports_.front().findings;
  const auto statistics = std::ranges::find_if(findings, [&](const ReportedFinding& one) {
    return one.finding.place.row_group == place.row_group && one.finding.place.leaf == place.leaf &&
           evidence(one.finding.rule, Suspicion::values_outside) != 0;
  });
  const DamageCause cause =
      statistics == findings.end() ? cause_at(place) : DamageCause{statistics->finding, {}, {}};
  if (!cause.is_broken()) return;
  damage.contradicted.clear();
  for (std::size_t leaf = 0; leaf < check.footer.row_groups[row_group].chunk_count; ++leaf) {
    ChunkDamage& of_leaf = damage.of(leaf);
    if (!of_leaf.parts.empty()) of_leaf.cut(0, *damage.rows, -1, cause);
  }
}

FirstGap DamageReading::first_gap(std::uint32_t row_group, const std::vector<std::size_t>& leaves) {
  FirstGap first;
  RowGroupDamage damage = of(row_group);
  first.contradicted = std::move(damage.contradicted);
  for (const std::size_t leaf : leaves) {
    const auto damaged = damage.columns.find(leaf);
    if (damaged == damage.columns.end()) continue;
    for (const RowGap& gap : damaged->second.gaps) {
      if (gap.first >= first.row) break;
      const Place place{static_cast<std::int32_t>(row_group), static_cast<std::int32_t>(leaf),
                        gap.first_page};
      DamageCause cause = gap.cause ? *gap.cause : cause_at(place);
      if (!cause.is_broken()) continue;
      first.row = gap.first;
      first.cause = std::move(cause);
    }
  }
  return first;
}

bool DamageReading::is_sorted(std::uint32_t row_group) const {
  const auto is_here = [row_group](const Place& place) {
    return place.row_group < 0 || static_cast<std::uint32_t>(place.row_group) == row_group;
  };
  return std::ranges::none_of(reports_, [&](const FileReport& report) {
    return std::ranges::any_of(report.findings,
                               [&](const ReportedFinding& one) {
                                 return matches("sorting/*", one.finding.rule) && is_here(one.finding.place);
                               }) ||
           std::ranges::any_of(report.not_run, [&](const NotRun& one) {
             return one.what == kOrderOfRows && is_here(one.place);
           });
  });
}

std::vector<bool> DamageReading::sound_chunks(std::uint32_t row_group, std::size_t leaves) const {
  std::vector<bool> sound(leaves, true);
  const auto doubt = [&](const Place& place) {
    if (place.row_group >= 0 && std::cmp_not_equal(place.row_group, row_group)) return;
    if (place.leaf < 0) {
      sound.assign(leaves, false);
    } else if (std::cmp_less(place.leaf, leaves)) {
      sound[static_cast<std::size_t>(place.leaf)] = false;
    }
  };
  for (const FileReport& report : reports_) {
    for (const Lost& one : report.lost) doubt(one.place);
    for (const NotRun& one : report.not_run) {
      if (!one.by_choice) doubt(one.place);  // other row groups are not judged by choice
    }
    for (const ReportedFinding& one : report.findings) {
      const bool is_error_of_file = one.severity == Severity::error && one.finding.place.row_group < 0;
      if (is_error_of_file || (one.severity != Severity::info && may_be_of_body(one.finding)))
        doubt(one.finding.place);
    }
  }
  return sound;
}

DamageCause DamageReading::cause_at(const Place& place) const {
  DamageCause cause;
  std::optional<int> best;
  for (const FileReport& report : reports_) {
    for (const ReportedFinding& reported : report.findings) {
      const std::optional<int> rank = rank_of(reported, place);
      if (!rank || (best && *best <= *rank)) continue;
      best = rank;
      cause.finding = reported.finding;
      cause.file = report.path;
    }
  }
  if (!best) cause.words = "it cannot be read";
  return cause;
}

RowGroupDamage damage_of(const FileCheck& check, std::size_t row_group) {
  RowGroupDamage out;
  const std::optional<std::int64_t> rows = rows_of_group(check, row_group);
  if (!rows) return out;
  out.rows = static_cast<std::uint64_t>(*rows);
  const RowGroupClaim& group = check.footer.row_groups[row_group];
  for (std::size_t leaf = 0; leaf < group.chunk_count; ++leaf) {
    if (const auto& origin = check.outcome.tallies.details(group.first_chunk + leaf).origin;
        origin && !origin->contradicted.empty())
      out.contradicted[leaf] = origin->contradicted;
    const IntactPages intact = intact_pages(check, row_group, leaf, *rows);
    const ReadablePages* const pages = intact.some;
    if (intact.all) continue;
    if (pages == nullptr) {
      // It is unknown which of its values belongs to which row.
      out.of(leaf).cut(0, *out.rows, -1, std::nullopt);
      continue;
    }
    ChunkDamage& damage = out.columns[leaf];
    std::uint64_t reached = 0;
    // If no page is left, the faulty page is unknown.
    std::int32_t page = pages->stretches().empty() ? -1 : pages->dictionary() ? 1 : 0;
    const auto gap_to = [&](std::uint64_t row, std::int32_t next_page) {
      if (row <= reached) return;
      damage.gaps.push_back({reached, row, page, next_page - 1, {}});
    };
    for (const PageStretch& stretch : pages->stretches()) {
      const auto first = static_cast<std::uint64_t>(stretch.first_row());
      const auto end = static_cast<std::uint64_t>(stretch.end_row());
      if (first < reached || first >= end) continue;
      gap_to(first, stretch.first);
      RowPart part{first, end, ChunkExtent{stretch.offset, stretch.end, stretch.end, 0}, {}};
      if (const auto& dictionary = pages->dictionary())
        part.part = {dictionary->offset, dictionary->end, 0, false};
      part.part.ordinal = stretch.first;
      part.part.continues = stretch.continues;
      damage.parts.push_back(part);
      reached = end;
      page = stretch.last + 1;
    }
    gap_to(*out.rows, 0);
  }
  return out;
}

}  // namespace parqproof
