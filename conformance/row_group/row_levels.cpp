#include "conformance/row_group/row_levels.hpp"

#include <cstdint>
#include <optional>

#include "codec/page/levels.hpp"
#include "codec/record/data_pages.hpp"
#include "conformance/state/finding_site.hpp"

namespace parqproof {
namespace {

/// The repetition levels of a page.
struct RowLevels {
  Place place;
  View bytes;
  std::uint64_t page_offset = 0;
};

/// Returns true if num_rows of a v2 page is not the number of its entries with repetition level 0.
bool contradicts_header(const DataPages& pages, LevelReader& levels) {
  const Page& page = pages.page();
  const DataPageHeaderV2& header = page.header.data_page_header_v2;
  if (!page.is_v2() || !header.has(DataPageHeaderV2::id_num_rows)) return false;
  Notes notes;
  const DataPageParts& parts = pages.parts();
  const Result<LevelSums> sums = levels.read(parts.repetition, parts.definition, parts.count, notes);
  return sums && header.num_rows != static_cast<std::int64_t>(sums->rows);
}

/// Returns the levels of the only page, or of the first whose header contradicts them. If no header does, any
/// of several pages may be wrong: the place is then the column chunk, and the bytes are those of its first
/// page.
std::optional<RowLevels> find_row_levels(DataPages& pages, LevelReader& levels) {
  std::optional<RowLevels> first;
  for (;;) {
    const PageResult<bool> next = pages.next();
    if (!next) return std::nullopt;
    if (!*next) return first;
    const RowLevels here{pages.place(), pages.parts().repetition.bytes, pages.page().offset};
    if (contradicts_header(pages, levels)) return here;
    if (first) {
      first->place.page = -1;
    } else {
      first = here;
    }
  }
}

}  // namespace

bool report_at_row_levels(FileCheck& check, const ChunkClaim& claim, const ChunkTotal& total,
                          const Contrast& what) {
  ColumnChunk chunk;
  if (!total.walked || !check.footer.reread(claim, check.options.limits, chunk)) return false;
  ReadingContext context{check.footer.schema, check.options.limits};
  DataPages pages(context, claim.leaf, kHeaderReadAhead);
  StoredChunk stored;
  stored.row_group = claim.row_group;
  stored.source = &check.input.source;
  stored.extent = {total.start, total.end, total.end, total.values};
  stored.codec = chunk.meta_data.codec;
  pages.open(stored);
  LevelReader levels(check.footer.schema, claim.leaf);
  const std::optional<RowLevels> found = find_row_levels(pages, levels);
  if (!found || found->bytes.empty()) return false;
  // The offset in the image of one of several pages would say nothing about the others.
  if (found->place.page < 0 && found->bytes.space == Space::page) return false;
  report_in_page(check.outcome.findings, Rule::column_chunk_rows, found->place, found->bytes,
                 found->page_offset, what);
  return true;
}

}  // namespace parqproof
