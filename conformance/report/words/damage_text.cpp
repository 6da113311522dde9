#include "conformance/report/words/damage_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "codec/rules/rule.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof {
namespace {

std::string counted_findings(std::uint64_t count, Severity severity) {
  return counted(count, std::string(to_string(severity)).c_str());
}

/// Extent of a loss, as README.md#error-recovery promises it.
std::string promise(const Lost& lost) {
  switch (lost.what) {
    case LostPart::file:
      return "the entire file: without a valid footer no reader can read it";
    case LostPart::column_chunk:
      return "this column chunk; those of the same column in other row groups are intact";
    case LostPart::rest_of_chunk:
      return "the rest of this column chunk from this page on; the pages before it are intact";
    case LostPart::page:
      return "this page; the other pages of its column chunk are intact";
    case LostPart::pages:
      return fmt::format(
          "the bytes up to the next intact page, at byte {}; other pages of its column chunk are not "
          "affected",
          offset_text(lost.next_page));
    case LostPart::column_index:
      return "the column index; its column chunk can be read without it";
    case LostPart::offset_index:
      return "the offset index; its column chunk can be read without it";
    case LostPart::bloom_filter:
      return "the bloom filter; its column chunk can be read without it";
  }
  return {};
}

/// Consecutive lost pages of one chunk, which share one line.
struct LostPages {
  const Lost* first;
  const Lost* last;
};

std::vector<LostPages> folded(const std::vector<Lost>& all) {
  std::vector<LostPages> out;
  for (const Lost& lost : all) {
    const Place& place = lost.place;
    if (!out.empty() && lost.what == LostPart::page && out.back().first->what == LostPart::page) {
      Place next = out.back().last->place;
      ++next.page;
      if (place == next) {
        out.back().last = &lost;
        continue;
      }
    }
    out.push_back({&lost, &lost});
  }
  return out;
}

/// "25 % of the column", "less than 0.1 % of the column"
std::string share_text(std::int64_t part, std::int64_t all) {
  const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(all);
  if (part == all) return "all of the column";
  if (percent < 0.1) return "less than 0.1 % of the column";
  const std::string text =
      percent < 10 ? fmt::format("{:.1f}", percent) : fmt::format("{:.0f}", std::min(percent, 99.0));
  return text + " % of the column";
}

/// Rows of consecutive pages, if known; a leading dictionary page has none. `all` is the number of rows in
/// the file.
std::string rows_text(const LostPages& lost, std::optional<std::int64_t> all) {
  const bool skips = !lost.first->rows && lost.first != lost.last;
  const std::optional<RowRange>& first = (skips ? lost.first + 1 : lost.first)->rows;
  if (!first || !lost.last->rows) return {};
  const std::int64_t last = lost.last->rows->last;
  const auto number = [](std::int64_t row) { return grouped(static_cast<std::uint64_t>(row)); };
  std::string text = first->first == last ? "row " + number(last)
                                          : fmt::format("rows {} to {}", number(first->first), number(last));
  if (all && *all > last && first->first <= last) text += ", " + share_text(last - first->first + 1, *all);
  return text;
}

LossText text_of(const LostPages& lost, std::optional<std::int64_t> all) {
  Place place = lost.first->place;
  constexpr std::size_t kName = 300;
  const std::string column = shortened(lost.first->column, kName);
  const std::string rows = rows_text(lost, all);
  if (lost.last == lost.first) return {place_text(place, column), rows, promise(*lost.first)};
  const std::string pages = fmt::format(", pages {} to {}", place.page, lost.last->place.page);
  place.page = -1;
  return {place_text(place, column) + pages, rows,
          "these pages; the other pages of their column chunk are intact"};
}

}  // namespace

std::vector<LossText> loss_texts(const FileReport& file) {
  std::vector<LossText> out;
  for (const LostPages& lost : folded(file.lost)) out.push_back(text_of(lost, file.rows));
  return out;
}

std::string loss_line(const LossText& loss) {
  return with_place(loss.where + (loss.rows.empty() ? "" : " (" + loss.rows + ")"), loss.what);
}

std::vector<std::string> follow_texts(const std::vector<Consequence>& all) {
  constexpr std::size_t kListed = 8;
  std::vector<std::string> out;
  for (const Consequence& one : all) {
    if (out.size() == kListed) {
      out.push_back(counted(all.size() - kListed, "more rule"));
      break;
    }
    out.push_back(counted_findings(one.times, one.severity) + " of " + std::string(info(one.rule).id));
  }
  return out;
}

std::string follow_line(const Cause& cause) {
  std::string text;
  for (const std::string& one : follow_texts(cause.consequences)) text += (text.empty() ? "" : ", ") + one;
  return text;
}

std::vector<std::string> loss_lines(const FileReport& file, std::size_t most) {
  std::vector<std::string> out;
  const std::vector<LossText> lost = loss_texts(file);
  for (std::size_t i = 0; i < std::min(most, lost.size()); ++i) out.push_back("Lost: " + loss_line(lost[i]));
  if (lost.size() > most) out.push_back("Lost: " + grouped(lost.size() - most) + " more");
  return out;
}

std::vector<std::string> next_lines(const FileReport& file) {
  std::vector<std::string> out;
  out.reserve(file.next.size());
  for (const NextStep& step : file.next) out.push_back("Next, " + step.what + ": " + step.command);
  return out;
}

}  // namespace parqproof
