#include "conformance/report/words/remains_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codec/base/text.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kRunsReported = 10;

std::string pages_of(const PageRun& run) {
  std::string text =
      fmt::format("{} with {}", counted(run.data_pages, "data page"), counted(run.values, "value"));
  if (run.dictionary_pages != 0) text += ", " + counted(run.dictionary_pages, "dictionary page");
  if (run.index_pages != 0) text += ", " + counted(run.index_pages, "index page");
  return text;
}

/// The bytes of a run or footer; the end is the offset behind the last one.
std::string extent(std::uint64_t offset, std::uint64_t length) {
  return fmt::format("from byte {} to byte {}", offset_text(offset), offset_text(offset + length));
}

/// Where names and types of the columns are whose pages were found.
std::string names_text(const Remains& remains) {
  if (remains.footers_found != 0) return "names and types of columns stand in the footer below";
  const std::uint64_t told = remains.cut_footer ? remains.cut_footer->columns.size() : 0;
  if (told == 0) return "the names and types of their columns stood in the footer, which is gone";
  return remains.cut_footer->complete_schema
             ? "the names and types of their columns stand in what is left of the footer, below"
             : "the names and types of the first " + counted(told, "column") +
                   " stand in what is left of the footer, below";
}

void report_runs(const Remains& remains, std::vector<std::string>& out) {
  if (remains.runs_found == 0) {
    out.emplace_back("no page header that can be read");
    return;
  }
  const PageRun& all = remains.pages;
  out.push_back(fmt::format("{}, in {} {}; {}", pages_of(all), counted(remains.runs_found, "run"),
                            extent(all.offset, all.length), names_text(remains)));
  if (remains.runs_found == 1) return;
  const std::size_t told = std::min(remains.runs.size(), kRunsReported);
  for (std::size_t i = 0; i < told; ++i) {
    const PageRun& run = remains.runs[i];
    out.push_back(fmt::format("run {} {}: {}", i + 1, extent(run.offset, run.length), pages_of(run)));
  }
  if (told < remains.runs_found)
    out.push_back(fmt::format("and {} more", counted(remains.runs_found - told, "run")));
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
    groups = fmt::format("{} of {} whole", grouped(footer.complete_row_groups),
                         counted(*footer.row_groups, "row group"));
    if (footer.complete_row_groups != 0)
      groups += ", with " + counted(static_cast<std::uint64_t>(footer.rows_of_complete_row_groups), "row");
  }
  std::string rows;
  if (footer.rows) rows = ", " + counted(static_cast<std::uint64_t>(*footer.rows), "row") + " in all";
  out.push_back(fmt::format("the beginning of a footer, {}, where it cannot be read on: {} {}{}; {}",
                            extent(footer.offset, footer.read_to - footer.offset),
                            footer.complete_schema ? "the schema of" : "a schema that is cut behind",
                            counted(footer.columns_found, "column"), rows, groups));
  std::string columns;
  for (const std::string& column : footer.columns)
    columns += (columns.empty() ? "" : ", ") + printable(column);
  if (footer.columns_found > footer.columns.size())
    columns += fmt::format(" and {} more", grouped(footer.columns_found - footer.columns.size()));
  if (!columns.empty()) out.push_back("its columns: " + columns);
}

void report_footers(const Remains& remains, std::vector<std::string>& out) {
  const auto framed = [](const CompleteFooter& footer) { return footer.footer_at.has_value(); };
  const auto last = std::ranges::find_if(remains.footers.rbegin(), remains.footers.rend(), framed);
  if (last != remains.footers.rend()) {
    const std::uint64_t end = *last->footer_at;
    out.push_back(fmt::format(
        "a whole footer of {}, {}: the first {} are a file of their own, which `check --footer-at {}` judges",
        rows_of(*last), extent(last->offset, end - last->offset), counted(end, "byte"), end));
  }
  for (const CompleteFooter& footer : remains.footers) {
    if (framed(footer)) continue;
    out.push_back(
        fmt::format("a whole FileMetaData of {}, {}, without its length and magic: the first {}, with the "
                    "bytes {} 50 41 52 31 behind them, are a file of their own",
                    rows_of(footer), extent(footer.offset, footer.length),
                    counted(footer.offset + footer.length, "byte"), length_word(footer.length)));
  }
  if (remains.footers_found > 1)
    out.push_back(fmt::format("{} in all; JSON lists them", counted(remains.footers_found, "footer")));
  if (remains.cut_footer) return report_cut_footer(*remains.cut_footer, out);
  if (remains.footers_found == 0) out.emplace_back("no other footer");
}

}  // namespace

std::vector<std::string> remains_text(const Remains& remains) {
  std::vector<std::string> out;
  report_runs(remains, out);
  report_footers(remains, out);
  return out;
}

}  // namespace parqproof
