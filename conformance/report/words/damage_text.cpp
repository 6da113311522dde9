#include "conformance/report/words/damage_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "codec/base/text.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/words/wording.hpp"
#include "conformance/verdict/next_steps.hpp"

namespace parqproof {
namespace {

/// Whether the parts of the file next to a loss have a loss or an error, too. If not all errors are listed,
/// none of them is known to be intact.
class Neighbours {
 public:
  explicit Neighbours(const FileReport& file) : file_(file) {}

  /// The other row groups have no loss in the column; if the place has no column, in any.
  [[nodiscard]] bool other_row_groups_are_intact(const Place& place) const {
    const auto is_other = [&](const Place& at) {
      return at.row_group >= 0 && at.row_group != place.row_group &&
             (place.leaf < 0 || at.leaf < 0 || at.leaf == place.leaf);
    };
    return file_.row_groups > 1 && none_at(is_other);
  }
  /// The pages of the column chunk have no error, but for those with ordinals from `first` to `last`.
  [[nodiscard]] bool other_pages_are_intact(const Place& place, std::int32_t first, std::int32_t last) const {
    return none_at([&](const Place& at) {
      return at.row_group == place.row_group && (at.leaf < 0 || at.leaf == place.leaf) &&
             (at.page < first || at.page > last);
    });
  }

 private:
  template <typename Is>
  [[nodiscard]] bool none_at(const Is& is_there) const {
    if (file_.omitted.error != 0) return false;
    return std::ranges::none_of(file_.lost,
                                [&](const Lost& one) { return one.is_of_data() && is_there(one.place); }) &&
           std::ranges::none_of(file_.findings, [&](const ReportedFinding& one) {
             return one.severity == Severity::error && is_there(one.finding.place);
           });
  }

  const FileReport& file_;
};

/// Extent of a loss, as README.md#error-recovery promises it.
std::string promise(const Lost& lost, const Neighbours& neighbours) {
  const Place& place = lost.place;
  switch (lost.what) {
    case LostPart::file:
      return "the entire file: without a valid footer no reader can read it";
    case LostPart::column_chunk: {
      const bool others = neighbours.other_row_groups_are_intact(place);
      if (place.leaf < 0)
        return others ? "this row group; the other row groups are intact" : "this row group";
      return others ? "this column chunk; those of the same column in other row groups are intact"
                    : "this column chunk";
    }
    case LostPart::rest_of_chunk:
      return neighbours.other_pages_are_intact(place, place.page, INT32_MAX)
                 ? "the rest of this column chunk from this page on; the pages before it are intact"
                 : "the rest of this column chunk from this page on";
    case LostPart::page:
      return neighbours.other_pages_are_intact(place, place.page, place.page)
                 ? "this page; the other pages of its column chunk are intact"
                 : "this page";
    case LostPart::pages:
      return fmt::format("the bytes up to the next intact page, at byte {}{}", offset_text(lost.next_page),
                         neighbours.other_pages_are_intact(place, place.page, place.page)
                             ? "; other pages of its column chunk are not affected"
                             : "");
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
std::string share_text(std::int64_t part, std::int64_t all, const std::string& of_what) {
  const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(all);
  if (part == all) return "all of the " + of_what;
  if (percent < 0.1) return "less than 0.1 % of the " + of_what;
  const std::string text =
      percent < 10 ? fmt::format("{:.1f}", percent) : fmt::format("{:.0f}", std::min(percent, 99.0));
  return text + " % of the " + of_what;
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
  if (all && *all > last && first->first <= last)
    text += ", " + share_text(last - first->first + 1, *all, lost.first->place.leaf < 0 ? "file" : "column");
  return text;
}

LossText text_of(const LostPages& lost, std::optional<std::int64_t> all, const Neighbours& neighbours) {
  Place place = lost.first->place;
  constexpr std::size_t kName = 300;
  const std::string column = shortened(lost.first->column, kName);
  const std::string rows = rows_text(lost, all);
  if (lost.last == lost.first) return {place_text(place, column), rows, promise(*lost.first, neighbours)};
  const std::string pages = fmt::format(", pages {} to {}", place.page, lost.last->place.page);
  const bool others = neighbours.other_pages_are_intact(place, place.page, lost.last->place.page);
  place.page = -1;
  return {place_text(place, column) + pages, rows,
          others ? "these pages; the other pages of their column chunk are intact" : "these pages"};
}

constexpr std::size_t kRunsReported = 10;

std::string pages_of(const PageRun& run) {
  std::string text =
      fmt::format("{} with {}", counted(run.data_pages, "data page"), counted(run.values, "value"));
  if (run.dictionary_pages != 0) text += ", " + counted(run.dictionary_pages, "dictionary page");
  if (run.index_pages != 0) text += ", " + counted(run.index_pages, "index page");
  return text;
}

/// Text about the bytes of a run or footer, from its offset to its end offset.
std::string extent(std::uint64_t offset, std::uint64_t length) {
  return fmt::format("from byte {} to byte {}", offset_text(offset), offset_text(offset + length));
}

/// Location of the names and types of the columns whose pages were found.
std::string names_text(const Remains& remains) {
  if (remains.footers_found != 0) return "the names and types of the columns are in the footer below";
  const std::uint64_t listed = remains.cut_footer ? remains.cut_footer->columns.size() : 0;
  if (listed == 0) return "the names and types of their columns were in the lost footer";
  return remains.cut_footer->complete_schema
             ? "the names and types of their columns are in the rest of the footer, below"
             : "the names and types of the first " + counted(listed, "column") +
                   " are in the rest of the footer, below";
}

void report_runs(const Remains& remains, std::vector<std::string>& out) {
  if (remains.runs_found == 0) {
    out.emplace_back("no readable page header");
    return;
  }
  const PageRun& all = remains.pages;
  out.push_back(fmt::format("{}, in {} {}; {}", pages_of(all), counted(remains.runs_found, "run"),
                            extent(all.offset, all.length), names_text(remains)));
  if (remains.runs_found == 1) return;
  const std::size_t listed = std::min(remains.runs.size(), kRunsReported);
  for (std::size_t i = 0; i < listed; ++i) {
    const PageRun& run = remains.runs[i];
    out.push_back(fmt::format("run {} {}: {}", i + 1, extent(run.offset, run.length), pages_of(run)));
  }
  if (listed < remains.runs_found)
    out.push_back(fmt::format("and {} more", counted(remains.runs_found - listed, "run")));
}

std::string rows_of(const CompleteFooter& footer) {
  return fmt::format("{} in {}", counted(static_cast<std::uint64_t>(footer.rows), "row"),
                     counted(footer.row_groups, "row group"));
}

/// The four bytes of a little-endian number, in hex.
std::string length_word(std::uint64_t number) {
  return hex(std::array{static_cast<std::uint8_t>(number), static_cast<std::uint8_t>(number >> 8),
                        static_cast<std::uint8_t>(number >> 16), static_cast<std::uint8_t>(number >> 24)},
             " ");
}

void report_cut_footer(const CutFooter& footer, std::vector<std::string>& out) {
  std::string groups = "no list of row groups";
  if (footer.row_groups) {
    groups = fmt::format("{} of {} intact", grouped(footer.complete_row_groups),
                         counted(*footer.row_groups, "row group"));
    if (footer.complete_row_groups != 0)
      groups += ", with " + counted(static_cast<std::uint64_t>(footer.rows_of_complete_row_groups), "row");
  }
  std::string rows;
  if (footer.rows) rows = ", " + counted(static_cast<std::uint64_t>(*footer.rows), "row") + " in all";
  out.push_back(fmt::format("the start of a footer, {}, where it becomes unreadable: {} {}{}; {}",
                            extent(footer.offset, footer.read_to - footer.offset),
                            footer.complete_schema ? "the schema of" : "a schema that is cut after",
                            counted(footer.columns_found, "column"), rows, groups));
  std::string columns = printable(joined(footer.columns));
  if (footer.columns_found > footer.columns.size())
    columns += fmt::format(" and {} more", grouped(footer.columns_found - footer.columns.size()));
  if (!columns.empty()) out.push_back("its columns: " + columns);
}

/// What a trial has shown of a footer that is not the end of a complete file: "2 of its 4 row groups can be
/// read".
std::string readable_text(const CompleteFooter& footer) {
  if (!footer.trial) return "the bytes up to it were not checked";
  const std::string all = counted(footer.row_groups, "row group");
  if (footer.row_groups != 0 && footer.trial->is_intact(footer.row_groups))
    return "its " + all + " can be read";
  return fmt::format("{} of its {} can be read", grouped(footer.trial->intact_row_groups), all);
}

std::string framed_text(const CompleteFooter& footer) {
  const std::uint64_t end = *footer.footer_at;
  const std::string where = rows_of(footer) + ", " + extent(footer.offset, end - footer.offset);
  if (footer.is_complete_file()) {
    return fmt::format(
        "an intact footer of {}: the first {} are a complete file, which `check --footer-at {}` checks",
        where, counted(end, "byte"), end);
  }
  return fmt::format("an intact footer of {}: {}; `check --footer-at {}` has the errors", where,
                     readable_text(footer), end);
}

std::string unframed_text(const CompleteFooter& footer) {
  const std::string where = rows_of(footer) + ", " + extent(footer.offset, footer.length);
  if (footer.is_complete_file()) {
    return fmt::format(
        "an intact FileMetaData of {}, without length and magic: the first {}, followed by the bytes {} 50 "
        "41 52 31, "
        "are a complete file",
        where, counted(footer.offset + footer.length, "byte"), length_word(footer.length));
  }
  return fmt::format(
      "an intact FileMetaData of {}, without length and magic, which are the bytes {} 50 41 52 31: {}", where,
      length_word(footer.length), readable_text(footer));
}

void report_footers(const Remains& remains, std::vector<std::string>& out) {
  const auto framed = [](const CompleteFooter& footer) { return footer.footer_at.has_value(); };
  const auto last = std::ranges::find_if(remains.footers.rbegin(), remains.footers.rend(), framed);
  if (last != remains.footers.rend()) out.push_back(framed_text(*last));
  for (const CompleteFooter& footer : remains.footers) {
    if (!framed(footer)) out.push_back(unframed_text(footer));
  }
  if (remains.footers_found > 1)
    out.push_back(fmt::format("{} in all; JSON lists them", counted(remains.footers_found, "footer")));
  if (remains.cut_footer) return report_cut_footer(*remains.cut_footer, out);
  if (remains.footers_found == 0) out.emplace_back("no other footer");
}

}  // namespace

std::vector<LossText> loss_texts(const FileReport& file) {
  std::vector<LossText> out;
  const Neighbours neighbours(file);
  for (const LostPages& lost : folded(file.lost)) out.push_back(text_of(lost, file.rows, neighbours));
  return out;
}

std::string loss_line(const LossText& loss) {
  return with_place(loss.where + (loss.rows.empty() ? "" : " (" + loss.rows + ")"), loss.what);
}

std::vector<std::string> follow_texts(const std::vector<Consequence>& all) {
  constexpr std::size_t kListedRules = 8;
  std::vector<std::string> out;
  for (const Consequence& one : all) {
    if (out.size() == kListedRules) {
      out.push_back(counted(all.size() - kListedRules, "more rule"));
      break;
    }
    const std::string severity(to_string(one.severity));
    out.push_back(fmt::format("{} of {}", counted(one.times, severity.c_str()), info(one.rule).id));
  }
  return out;
}

std::string follow_line(const Cause& cause) { return joined(follow_texts(cause.consequences)); }

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

std::vector<std::string> remains_text(const Remains& remains) {
  std::vector<std::string> out;
  report_runs(remains, out);
  report_footers(remains, out);
  return out;
}

void write_next(JsonWriter& json, const std::vector<NextStep>& steps) {
  json.objects("next", steps, [&](const NextStep& step) {
    json.member("what", step.what);
    json.member("command", step.command);
  });
}

}  // namespace parqproof
