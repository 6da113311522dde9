#include "conformance/state/chunk_totals.hpp"

#include <algorithm>

#include "codec/base/bits.hpp"

namespace parqproof {
namespace {

/// The tally of a chunk whose pages match its metadata and its row group.
ChunkTotal as_claimed(const ParsedFooter& footer, std::size_t chunk) {
  const ChunkClaim& claim = footer.chunks[chunk];
  ChunkTotal tally;
  tally.start = claim.start;
  tally.end = claim.start + static_cast<std::uint64_t>(claim.compressed);
  tally.compressed = claim.compressed;
  tally.uncompressed = claim.uncompressed;
  tally.values = claim.num_values;
  tally.rows = footer.row_groups[claim.row_group].num_rows;
  tally.walked = tally.sums_known = true;
  return tally;
}

}  // namespace

void ChunkTotal::count(const Page& page) noexcept {
  // The header of an encrypted page counts with the frame of its module.
  const auto header = static_cast<std::int64_t>(page.body - page.offset);
  compressed = saturating_add(compressed, header + page.header.compressed_page_size);
  uncompressed = saturating_add(uncompressed, header + std::max(page.header.uncompressed_page_size, 0));
}

void ChunkTotals::set(const ParsedFooter& footer, std::size_t chunk, const ChunkTotal& tally,
                      ChunkDetails details) {
  if (details.empty() && tally == as_claimed(footer, chunk)) {
    marks_[chunk] = kAsClaimed;
    return;
  }
  marks_[chunk] = kFirstKept + static_cast<std::uint32_t>(kept_.size());
  kept_.push_back({tally, std::move(details)});
}

ChunkTotal ChunkTotals::tally(const ParsedFooter& footer, std::size_t chunk) const {
  const std::uint32_t mark = chunk < marks_.size() ? marks_[chunk] : kNotRead;
  if (mark >= kFirstKept) return kept_[mark - kFirstKept].tally;
  return mark == kAsClaimed ? as_claimed(footer, chunk) : ChunkTotal();
}

const ChunkDetails& ChunkTotals::details(std::size_t chunk) const noexcept {
  static const ChunkDetails none;
  const std::uint32_t mark = chunk < marks_.size() ? marks_[chunk] : kNotRead;
  return mark >= kFirstKept ? kept_[mark - kFirstKept].details : none;
}

}  // namespace parqproof
