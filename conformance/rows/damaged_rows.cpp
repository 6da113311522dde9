#include "conformance/rows/damaged_rows.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "codec/base/text.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {
namespace {

/// Columns of a row group that may fail although check() found them intact.
constexpr std::size_t kMaxCuts = 16;

}  // namespace

DamagedRowGroups::DamagedRowGroups(const RowReading& parts, const CheckOptions& options,
                                   DamageReading::FindMove find_move)
    : parts_(parts),
      reading_(parts.source, parts.output.options().folder, options, CheckOptions::ForRows::all,
               std::move(find_move)) {}

std::string DamagedRowGroups::column_of(std::int32_t leaf) const {
  return parts_.footer.schema().leaf_path(leaf);
}

void DamagedRowGroups::leave_out(const Place& place, std::optional<std::uint64_t> rows) {
  RowOutput& output = parts_.output;
  LeftOutPart part{place, place.page, column_of(place.leaf), {}, parts_.failure.release()};
  if (!rows) return left_out_.add(std::move(part));
  const std::uint64_t first = std::max(output.row(), output.options().first);
  const std::uint64_t end = std::min(output.row() + *rows, output.options().end);
  output.pass(*rows);
  if (first >= end) return;
  left_out_.requested += end - first;
  left_out_.rows += end - first;
  part.rows = RowRange{static_cast<std::int64_t>(first), static_cast<std::int64_t>(end - 1)};
  left_out_.add(std::move(part));
}

RowStep DamagedRowGroups::write(std::uint32_t row_group, const std::vector<FooterChunk>& columns) {
  const std::vector<std::size_t>& leaves = parts_.fields.leaves;
  ReadingFailure& failure = parts_.failure;
  damage_ = reading_.of(row_group);
  if (parts_.output.cancelled()) return RowStep::cancelled;
  row_group_ = row_group;
  first_ = parts_.output.row();
  reported_ends_.assign(leaves.size(), UINT64_MAX);
  contradicted_.begin(row_group, first_, std::move(damage_.contradicted));
  const Place place{static_cast<std::int32_t>(row_group), -1, -1};
  const auto lose = [&](std::size_t column) {
    damage_.of(leaves[column]).cut(0, *damage_.rows, -1, failure.release());
  };
  if (damage_.rows) {
    parts_.chunks.find(columns, leaves, row_group, lose);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (!parts_.footer.leaf_is_readable(leaves[i])) lose(i);
    }
  } else if (!std::ranges::all_of(leaves, [&](auto leaf) { return parts_.footer.leaf_is_readable(leaf); }) ||
             !parts_.chunks.find(columns, leaves, row_group)) {
    leave_out(place, std::nullopt);
    return RowStep::on;
  }
  // Each attempt but the first cuts one column off.
  for (std::size_t i = 0; i <= std::min(leaves.size(), kMaxCuts); ++i) {
    while (jump()) {
    }
    if (parts_.output.enough()) return RowStep::done;
    if (reopen()) {
      if (const std::optional<RowStep> step = rows()) return *step;
    }
    if (parts_.output.cancelled()) return RowStep::cancelled;
    if (failure.finding() == nullptr) return RowStep::failed;  // the medium failed
    if (!damage_.rows) break;
    const std::size_t failed = parts_.assembler.failed_column();
    damage_.of(leaves[failed]).cut(at(), *damage_.rows, parts_.assembler.failed_page(), failure.release());
  }
  leave_out(place, damage_.rows ? std::optional(*damage_.rows - at()) : std::nullopt);
  return RowStep::on;
}

/// Goes to the next row; false if a column cannot be read that far, or the reading was cancelled.
bool DamagedRowGroups::reopen() {
  Assembler& assembler = parts_.assembler;
  if (!assembler.open(parts_.chunks.all(), &damage_)) return false;
  while (assembler.rows() < at()) {
    if (parts_.output.cancelled() || assembler.skip() != Assembler::Step::row) return false;
    // num_rows may claim any number of rows that no column has, so they are passed over at once.
    if (assembler.has_no_column()) assembler.skip_to(at());
  }
  return true;
}

std::optional<RowStep> DamagedRowGroups::rows() {
  RowOutput& output = parts_.output;
  for (;;) {
    if (output.enough()) return RowStep::done;
    if (output.cancelled()) return RowStep::cancelled;
    if (jump()) {
      parts_.assembler.skip_to(at());
      continue;
    }
    const bool wanted = output.is_wanted();
    const Assembler::Step step = wanted ? parts_.assembler.next(text_) : parts_.assembler.skip();
    if (step == Assembler::Step::failed) return std::nullopt;
    if (step == Assembler::Step::end) return RowStep::on;
    if (parts_.assembler.has_no_column() && !parts_.budget.spend(1)) {
      // The number of rows that no column has is limited by the size of the file.
      report_at(
          parts_.failure.findings(), Rule::limit_work, {static_cast<std::int32_t>(row_group_), -1, -1}, 0, 0,
          contrast(counted(damage_.rows.value_or(0), "row") + " that no column has", parts_.budget.limit()));
      return RowStep::failed;
    }
    if (wanted) account(step);
    output.pass(1);
  }
}

/// Writes the row of the assembler, or counts it as left out.
void DamagedRowGroups::account(Assembler::Step step) {
  const bool is_row = step == Assembler::Step::row;
  const bool has_gaps = report_gaps(at(), at() + 1);
  ++left_out_.requested;
  if (!is_row) ++left_out_.rows;
  if (is_row && has_gaps) ++left_out_.with_null;
  const auto row = static_cast<std::int64_t>(parts_.output.row());
  if (is_row) {
    contradicted_.add(at(), [this](std::size_t leaf) { return has_gap(leaf); });
    return parts_.output.write(text_);
  }
  if (step == Assembler::Step::left_out && !has_gaps && !left_out_.parts.empty()) {
    // The row belongs to the rest of a page whose levels do not form a row.
    std::optional<RowRange>& rows = left_out_.parts.back().rows;
    if (left_out_.more == 0 && rows && rows->last == row - 1) rows->last = row;
  }
  if (step != Assembler::Step::broken) return;
  DamageCause cause = parts_.failure.release();
  const Place place = cause.finding ? cause.finding->place : Place{};
  left_out_.add({place, place.page, column_of(place.leaf), RowRange{row, row}, std::move(cause)});
}

/// Passes over rows that are left out because no column has a value, or because one column has none in any
/// remaining row; false if there are none.
bool DamagedRowGroups::jump() {
  RowOutput& output = parts_.output;
  if (output.options().damaged != DamagedRows::left_out || !damage_.rows || damage_.columns.empty())
    return false;
  std::uint64_t next = *damage_.rows;  // first row in which a column has a value
  bool is_over = false;
  for (const std::size_t leaf : parts_.fields.leaves) {
    const auto damaged = damage_.columns.find(leaf);
    if (damaged == damage_.columns.end()) {
      next = 0;
      continue;
    }
    const std::vector<RowPart>& parts = damaged->second.parts;
    const auto part = std::ranges::upper_bound(parts, at(), {}, &RowPart::end);
    is_over = is_over || part == parts.end();
    if (part != parts.end()) next = std::min(next, part->first);
  }
  const std::uint64_t to = is_over ? *damage_.rows : next;
  if (to <= at() || output.enough()) return false;
  const std::uint64_t passed = to - at();
  const std::uint64_t first = std::max(output.row(), output.options().first);
  const std::uint64_t end = std::min(output.row() + passed, output.options().end);
  if (first < end) {
    (void)report_gaps(first - first_, end - first_);
    left_out_.requested += end - first;
    left_out_.rows += end - first;
  }
  output.pass(passed);
  return true;
}

/// Reports each gap that the rows [first, end) of the row group are in, once; false if there is none.
bool DamagedRowGroups::report_gaps(std::uint64_t first, std::uint64_t end) {
  bool any = false;
  const std::vector<std::size_t>& leaves = parts_.fields.leaves;
  for (std::size_t i = 0; !damage_.columns.empty() && i < leaves.size(); ++i) {
    const auto damaged = damage_.columns.find(leaves[i]);
    if (damaged == damage_.columns.end()) continue;
    const std::vector<RowGap>& gaps = damaged->second.gaps;
    auto gap = std::ranges::upper_bound(gaps, first, {}, &RowGap::end);
    for (; gap != gaps.end() && gap->first < end; ++gap) {
      any = true;
      if (reported_ends_[i] == gap->end) continue;
      reported_ends_[i] = gap->end;
      Place place{static_cast<std::int32_t>(row_group_), static_cast<std::int32_t>(leaves[i]), -1};
      place.page = gap->first_page;
      const RowRange rows{static_cast<std::int64_t>(first_ + gap->first),
                          static_cast<std::int64_t>(first_ + gap->end - 1)};
      left_out_.add({place, gap->last_page, column_of(place.leaf), rows,
                     gap->cause ? *gap->cause : reading_.cause_at(place)});
    }
  }
  return any;
}

/// Returns true if the column has no value in this row.
bool DamagedRowGroups::has_gap(std::size_t leaf) const {
  const auto damaged = damage_.columns.find(leaf);
  if (damaged == damage_.columns.end()) return false;
  const std::vector<RowGap>& gaps = damaged->second.gaps;
  const auto gap = std::ranges::upper_bound(gaps, at(), {}, &RowGap::end);
  return gap != gaps.end() && gap->first <= at();
}

}  // namespace parqproof
