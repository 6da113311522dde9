#include "conformance/advice/size_advice.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "codec/base/text.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kMinRowGroup = std::uint64_t{512} << 20;
constexpr std::uint64_t kMaxRowGroup = std::uint64_t{1} << 30;
constexpr std::uint64_t kMinPage = std::uint64_t{8} << 10;
constexpr std::uint64_t kMaxPage = std::uint64_t{1} << 20;

/// A file with less is read with one request, whatever its row groups are.
constexpr std::uint64_t kMinFile = std::uint64_t{64} << 10;
/// Writers end a page with the batch in which it has its size, so a mean up to a quarter above is no choice.
constexpr std::uint64_t kMaxMeanPage = kMaxPage + kMaxPage / 4;
/// A page of fewer values is as large as its values are.
constexpr std::uint64_t kMinPageEntries = 64;
/// Share of page headers in the bytes of a column from which small pages are reported, in percent. Many
/// writers end pages at 20,000 rows, which leaves pages of few bits a value small at no cost.
constexpr std::uint64_t kMaxHeaderPercent = 5;

/// A row group of the file with pages.
struct RowGroupSums {
  std::uint64_t groups = 0;
  std::uint64_t bytes = 0;
  std::uint64_t rows = 0;
};

}  // namespace

void advise_row_group_size(FileCheck& check) {
  if (!check.outcome.findings.wants(Rule::row_group_size)) return;
  RowGroupSums all;
  RowGroupSums last;
  for (const RowGroupClaim& group : check.footer.row_groups) {
    if (!group.complete || group.num_rows < 0) return;
    RowGroupSums own{1, 0, static_cast<std::uint64_t>(group.num_rows)};
    for (std::size_t i = 0; i < group.chunk_count; ++i) {
      const ChunkClaim& claim = check.footer.chunks[group.first_chunk + i];
      if (!claim.readable || claim.file != 0 || claim.compressed < 0) return;
      own.bytes += static_cast<std::uint64_t>(claim.compressed);
    }
    if (own.rows == 0) continue;
    all = {all.groups + 1, all.bytes + own.bytes, all.rows + own.rows};
    last = own;
  }
  if (all.groups == 0 || all.bytes < kMinFile) return;
  // The last row group has what is left of the rows.
  RowGroupSums full = all;
  if (all.groups > 1) full = {all.groups - 1, all.bytes - last.bytes, all.rows - last.rows};
  const std::uint64_t mean = full.bytes / full.groups;
  if (mean <= kMaxRowGroup && (mean >= kMinRowGroup || all.groups == 1)) return;
  FindingSite::of_row_group(check, 0, check.footer.row_groups.front())
      .report(Rule::row_group_size, "",
              contrast(count_of_bytes(mean), between(kMinRowGroup, kMaxRowGroup),
                       counted(all.groups, "row group") + " of " + counted(full.rows / full.groups, "row")));
}

void advise_page_size(FileCheck& check, const AdvisedColumn& column, std::span<const ChunkPages> chunks) {
  if (!check.outcome.findings.wants(Rule::page_size)) return;
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t entries = 0;
  std::uint64_t headers = 0;
  std::uint64_t stored = 0;
  for (const ChunkPages& chunk : chunks) {
    headers += chunk.header_bytes();
    stored += chunk.dictionary_bytes();
    for (const PageOutline& page : chunk.pages()) {
      ++pages;
      bytes += page.uncompressed;
      entries += page.entries;
      stored += page.stored;
    }
  }
  const std::uint64_t mean = bytes / pages;
  const std::uint64_t header_percent = 100 * headers / stored;
  // More bytes than the headers of a column cannot be saved.
  const auto of_column =
      static_cast<double>(column.stored) * static_cast<double>(headers) / static_cast<double>(stored);
  const bool too_small = mean < kMinPage && pages > chunks.size() && header_percent >= kMaxHeaderPercent &&
                         of_column >= static_cast<double>(kMinSavedBytes);
  const bool too_large = mean > kMaxMeanPage && entries / pages >= kMinPageEntries;
  if (!too_small && !too_large) return;
  std::string detail = "with " + counted(entries / pages, "value");
  if (too_small) detail += ", and page headers are " + std::to_string(header_percent) + " % of the column";
  const ChunkClaim& claim = check.footer.chunks[column.first_chunk];
  FindingSite::of_chunk(check, claim)
      .report(Rule::page_size, "meta_data.total_uncompressed_size",
              contrast(count_of_bytes(mean), between(kMinPage, kMaxPage), std::move(detail)));
}

}  // namespace parqproof
