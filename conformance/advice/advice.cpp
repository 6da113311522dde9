#include "conformance/advice/advice.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/advice/chunk_pages.hpp"
#include "conformance/advice/encoding_advice.hpp"
#include "conformance/advice/size_advice.hpp"
#include "conformance/advice/trial_encoding.hpp"

namespace parqproof {
namespace {

/// Bytes of values that are encoded for one file: a few seconds.
constexpr std::uint64_t kMaxWork = std::uint64_t{1} << 30;

struct Column : AdvisedColumn {
  std::vector<std::size_t> chunks;  ///< those with pages, in ParsedFooter::chunks
  bool usable = true;               ///< all chunks were read, without an error
};

/// The columns of the file with their chunks, those of most bytes first.
std::vector<Column> columns_of(const FileCheck& check) {
  std::vector<Column> columns(check.footer.schema.leaf_count());
  for (std::size_t i = 0; i < check.footer.chunks.size(); ++i) {
    const ChunkClaim& claim = check.footer.chunks[i];
    if (claim.leaf >= columns.size() || !check.takes(claim)) continue;
    Column& column = columns[claim.leaf];
    const ChunkTotal tally = check.tally(i);
    if (claim.file != 0 || !claim.readable || (!claim.no_pages && !(tally.walked && tally.sums_known))) {
      column.usable = false;
    } else if (tally.compressed > 0 && tally.values > 0) {
      column.chunks.push_back(i);
      column.stored += static_cast<std::uint64_t>(tally.compressed);
    }
  }
  for (const Finding& finding : check.outcome.findings.all()) {
    if (info(finding.rule).severity != Severity::error || finding.place.leaf < 0) continue;
    if (const auto leaf = static_cast<std::size_t>(finding.place.leaf); leaf < columns.size())
      columns[leaf].usable = false;
  }
  std::erase_if(columns, [](const Column& column) {
    return !column.usable || column.chunks.empty() || column.stored < kMinSavedBytes;
  });
  for (Column& column : columns) column.first_chunk = column.chunks.front();
  std::ranges::stable_sort(columns, std::ranges::greater(), &Column::stored);
  return columns;
}

/// The pages of the first, the middle and the last chunk of the column; empty if they cannot be read.
std::vector<ChunkPages> pages_of(const FileCheck& check, const Column& column) {
  std::vector<std::size_t> chosen{column.chunks.front()};
  for (const std::size_t i : {column.chunks[column.chunks.size() / 2], column.chunks.back()}) {
    if (i != chosen.back()) chosen.push_back(i);
  }
  std::vector<ChunkPages> pages;
  for (const std::size_t i : chosen) {
    std::optional<ChunkPages> read = ChunkPages::read(check, i);
    if (!read) return {};
    pages.push_back(std::move(*read));
  }
  return pages;
}

}  // namespace

void advise(FileCheck& check) {
  const Findings& findings = check.outcome.findings;
  const bool wants_encoding = check.options.tier == Tier::values && wants_encoding_advice(findings);
  const bool wants_sizes = findings.wants(Rule::page_size) || findings.wants(Rule::row_group_size);
  if (!wants_encoding && !wants_sizes) return;
  if (check.outcome.tallies.empty() || !check.footer.schema_usable || !check.tried.empty()) return;
  advise_row_group_size(check);
  TrialEncoding trials(check);
  std::size_t left = 0;
  for (const Column& column : columns_of(check)) {
    if (check.cancelled()) return;
    const std::vector<ChunkPages> pages = pages_of(check, column);
    if (pages.empty()) continue;
    advise_page_size(check, column, pages);
    if (!wants_encoding) continue;
    if (trials.work() > kMaxWork) {
      ++left;
    } else {
      advise_encoding(check, column, pages, trials);
    }
  }
  if (left != 0)
    check.outcome.not_run.push_back(
        {"the encodings of " + std::to_string(left) + (left == 1 ? " column" : " columns"),
         "the advice for larger columns took the time for it",
         {},
         {},
         true});
}

}  // namespace parqproof
