#include "conformance/advice/chunk_pages.hpp"

#include <algorithm>

#include "codec/page/page_reader.hpp"
#include "codec/page/page_walk.hpp"

namespace parqproof {

std::optional<ChunkPages> ChunkPages::read(const FileCheck& check, std::size_t index) {
  const ChunkTotal tally = check.tally(index);
  const ChunkClaim& claim = check.footer.chunks[index];
  ColumnChunk chunk;
  if (!check.footer.reread(claim, check.options.limits, chunk)) return std::nullopt;
  ChunkPages out;
  out.claim_ = &claim;
  out.codec_ = chunk.meta_data.codec;
  out.end_ = tally.end;
  out.is_nested_ = check.footer.schema.leaf(claim.leaf).max_repetition != 0;
  PageReader reader(check.input.source, check.options.limits, 0);
  const RegionMap regions;
  PageWalk walk(reader, regions, {tally.start, tally.end, tally.end, tally.values}, place_of(claim));
  PageWalk::Step step = walk.next(nullptr);
  for (; step == PageWalk::Step::page; step = walk.next(nullptr)) {
    const Page& page = walk.page();
    out.header_bytes_ += page.header_bytes.size();
    const std::uint64_t stored = page.header_bytes.size() + page.stored_size();
    if (page.is_dictionary()) {
      out.dictionary_ = page.offset;
      out.dictionary_end_ = page.end();
      out.dictionary_entries_ = static_cast<std::uint64_t>(std::max<std::int64_t>(page.num_values(), 0));
    }
    if (!page.is_data() || page.num_values() <= 0 || page.header.uncompressed_page_size < 0) continue;
    if (out.pages_.size() == kMaxPages) return std::nullopt;
    const auto entries = static_cast<std::uint64_t>(page.num_values());
    out.pages_.push_back({.offset = page.offset,
                          .stored = stored,
                          .uncompressed = static_cast<std::uint64_t>(page.header.uncompressed_page_size),
                          .first_entry = out.entries_,
                          .entries = entries,
                          .ordinal = page.ordinal(),
                          .encoding = page.encoding()});
    out.entries_ += entries;
    out.version_ = page.is_v2() ? 2 : 1;
    if (!is_dictionary_encoding(page.encoding())) continue;
    out.indexed_entries_ += entries;
    out.indexed_bytes_ += stored;
  }
  if (step != PageWalk::Step::end || out.pages_.empty()) return std::nullopt;
  return out;
}

const PageOutline& ChunkPages::page_of(std::uint64_t entry) const noexcept {
  const auto after = std::ranges::upper_bound(pages_, entry, {}, &PageOutline::first_entry);
  return *(after - 1);
}

double ChunkPages::stored_bytes(const EntryRange& range) const noexcept {
  double bytes = 0;
  double indexed = 0;
  for (const PageOutline& page : pages_) {
    const std::uint64_t begin = std::max(range.begin, page.first_entry);
    const std::uint64_t end = std::min(range.end, page.first_entry + page.entries);
    if (begin >= end) continue;
    const auto inside = static_cast<double>(end - begin);
    bytes += static_cast<double>(page.stored) * inside / static_cast<double>(page.entries);
    if (is_dictionary_encoding(page.encoding)) indexed += inside;
  }
  if (indexed_entries_ != 0)
    bytes += static_cast<double>(dictionary_bytes()) * indexed / static_cast<double>(indexed_entries_);
  return bytes;
}

std::uint64_t ChunkPages::pages_in(const EntryRange& range) const noexcept {
  return static_cast<std::uint64_t>(std::ranges::count_if(pages_, [&](const PageOutline& page) {
    return page.first_entry < range.end && range.begin < page.first_entry + page.entries;
  }));
}

StoredChunk ChunkPages::from(const FileCheck& check, const PageOutline& page) const {
  StoredChunk stored;
  stored.row_group = claim_->row_group;
  stored.source = &check.input.source;
  stored.extent = {page.offset, end_, end_, static_cast<std::int64_t>(entries_ - page.first_entry)};
  stored.codec = codec_;
  stored.part = ChunkPart{.dictionary = dictionary_,
                          .dictionary_end = dictionary_end_,
                          .ordinal = page.ordinal,
                          .continues = is_nested_};
  return stored;
}

}  // namespace parqproof
