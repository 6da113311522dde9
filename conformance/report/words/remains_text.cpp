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
std::string length_bytes(std::uint64_t number) {
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
        "an intact footer of {}, {}: the first {} are a complete file, which `check --footer-at {}` checks",
        rows_of(*last), extent(last->offset, end - last->offset), counted(end, "byte"), end));
  }
  for (const CompleteFooter& footer : remains.footers) {
    if (framed(footer)) continue;
    out.push_back(fmt::format(
        "an intact FileMetaData of {}, {}, without length and magic: the first {}, followed by the "
        "bytes {} 50 41 52 31, are a complete file",
        rows_of(footer), extent(footer.offset, footer.length), counted(footer.offset + footer.length, "byte"),
        length_bytes(footer.length)));
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
