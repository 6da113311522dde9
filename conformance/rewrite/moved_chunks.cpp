#include "conformance/rewrite/moved_chunks.hpp"

#include <algorithm>
#include <cstdlib>

#include "codec/base/text.hpp"
#include "codec/file/frame.hpp"
#include "codec/format/chunk_start.hpp"
#include "conformance/report/words/wording.hpp"
#include "conformance/rewrite/page_chains.hpp"

namespace parqproof {
namespace {

void move(StatedChunk& chunk, std::uint64_t by) {
  chunk.begin += by;
  chunk.end += by;
}

/// Writes the place of a chunk into its metadata, and leaves out its indexes, whose offsets are wrong.
void correct(StatedChunk& chunk) {
  ColumnChunk& out = chunk.chunk;
  ColumnMetaData& meta = out.meta_data;
  const auto by = static_cast<std::int64_t>(chunk.begin) - chunk_start(meta).offset;
  meta.data_page_offset += by;
  if (meta.has(ColumnMetaData::id_dictionary_page_offset) && meta.dictionary_page_offset > 0)
    meta.dictionary_page_offset += by;
  meta.total_compressed_size = static_cast<std::int64_t>(chunk.end - chunk.begin);
  for (const auto id : {ColumnChunk::id_offset_index_offset, ColumnChunk::id_offset_index_length,
                        ColumnChunk::id_column_index_offset, ColumnChunk::id_column_index_length})
    out.fields.present &= ~(1U << id);
  meta.fields.present &=
      ~(1U << ColumnMetaData::id_bloom_filter_offset | 1U << ColumnMetaData::id_bloom_filter_length |
        1U << ColumnMetaData::id_index_page_offset);
}

}  // namespace

std::vector<StatedChunk*> MovedChunks::chunks_in_order() {
  std::vector<StatedChunk*> chunks;
  for (StatedRowGroup& group : part_.row_groups) {
    if (!group.is_usable) continue;
    for (StatedChunk& chunk : group.chunks) {
      if (chunk.begin < chunk.end) chunks.push_back(&chunk);
    }
  }
  std::ranges::sort(chunks, {}, &StatedChunk::begin);
  return chunks;
}

bool MovedChunks::is_at(const StatedChunk& chunk, std::int64_t distance) const {
  const std::int64_t begin = static_cast<std::int64_t>(chunk.begin) + distance;
  const std::int64_t end = static_cast<std::int64_t>(chunk.end) + distance;
  return begin >= static_cast<std::int64_t>(kMagicBytes) && end <= static_cast<std::int64_t>(data_end_) &&
         walk_chunk(source_, static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(end), limits_)
             .is_exact;
}

bool MovedChunks::relocate() {
  const std::vector<StatedChunk*> chunks = chunks_in_order();
  std::size_t first = 0;  // after the chunks that are at their places
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (walk_chunk(source_, chunks[i]->begin, chunks[i]->end, limits_).is_exact) first = i + 1;
  }
  std::optional<std::int64_t> distance;
  // The footer follows the last structure.
  const bool knows_all = part_.row_groups.size() == part_.row_groups_stated &&
                         std::ranges::all_of(part_.row_groups, &StatedRowGroup::is_usable);
  const std::int64_t by_footer =
      knows_all ? static_cast<std::int64_t>(data_end_) - static_cast<std::int64_t>(part_.end_of_structures)
                : 0;
  if (first == chunks.size()) {
    if (by_footer == 0 || chunks.empty()) return false;
    suspect_last_page(*chunks.back());
    forget_indexes();
    notes_.push_back(counted(static_cast<std::uint64_t>(std::abs(by_footer)), "byte") +
                     (by_footer < 0 ? " missing" : " inserted") +
                     " after the start of the last column chunk: indexes and filters are not used");
    return true;
  }
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 20;
  const StatedChunk& last = *chunks.back();
  if (by_footer != 0 && std::abs(by_footer) <= kMostBytes &&
      (first + 1 == chunks.size() || is_at(last, by_footer)))
    distance = by_footer;
  if (!distance && first + 1 < chunks.size())
    distance = nearest(last, first == 0 ? kMagicBytes : chunks[first - 1]->end);
  if (!distance) return false;
  const auto by = static_cast<std::uint64_t>(*distance);  // modulo 2^64
  // The bytes are missing or inserted in the first chunk that is not at its place, or before it.
  std::size_t moved = chunks.size();
  while (moved > first && is_at(*chunks[moved - 1], *distance)) --moved;
  for (std::size_t i = first; i < moved; ++i) {
    const bool begins = begins_with_page(source_, chunks[i]->begin, chunks[i]->end, limits_);
    const bool is_last =
        i + 1 == moved || !begins_with_page(source_, chunks[i + 1]->begin, chunks[i + 1]->end, limits_);
    if (!begins || i != first || !is_last) {
      if (!begins) move(*chunks[i], by);
      continue;
    }
    chunks[i]->end += by;
    lose_broken_page(*chunks[i]);
  }
  for (std::size_t i = moved; i < chunks.size(); ++i) move(*chunks[i], by);
  if (moved == first && first != 0) suspect_last_page(*chunks[first - 1]);
  forget_indexes();
  notes_.push_back(std::string(*distance < 0 ? "missing" : "inserted") +
                   " bytes: the column chunks from byte " +
                   std::to_string(chunks[std::min(moved, chunks.size() - 1)]->begin) + " on have moved by " +
                   counted(static_cast<std::uint64_t>(std::abs(*distance)), "byte"));
  return true;
}

void MovedChunks::forget_indexes() {
  for (StatedRowGroup& group : part_.row_groups) {
    for (StatedChunk& chunk : group.chunks) correct(chunk);
  }
}

/// The nearest place after `from` that a chunk fits exactly.
std::optional<std::int64_t> MovedChunks::nearest(const StatedChunk& chunk, std::uint64_t from) const {
  constexpr std::uint64_t kWindow = std::uint64_t{1} << 12;
  const std::uint64_t length = chunk.end - chunk.begin;
  for (std::uint64_t away = 1; away <= kWindow; ++away) {
    for (const std::uint64_t begin : {chunk.begin - away, chunk.begin + away}) {
      if (begin < from || begin > data_end_ || length > data_end_ - begin) continue;
      if (walk_chunk(source_, begin, begin + length, limits_).is_exact)
        return static_cast<std::int64_t>(begin - chunk.begin);
    }
  }
  return std::nullopt;
}

/// Bytes are missing or inserted after the start of the last page of a chunk. The sizes in its headers fill
/// the chunk all the same; a structure that follows at its place shows that the page is intact.
void MovedChunks::suspect_last_page(const StatedChunk& chunk) {
  const std::uint64_t after = end_of_structure(source_, chunk.end, data_end_, limits_);
  if (after == chunk.end) lose_broken_page(chunk);
}

/// Bytes are missing or inserted in the last page that can be reached, or in the header after it. Without a
/// checksum the page counts as lost, because its values may have moved.
void MovedChunks::lose_broken_page(const StatedChunk& chunk) {
  if (chunk.end <= chunk.begin) return;
  const WalkedChunk walked = walk_chunk(source_, chunk.begin, chunk.end, limits_);
  if (walked.pages.empty() && !walked.beyond) return;
  const Page& page = walked.beyond ? *walked.beyond : walked.pages.back();
  // Damage to its first bytes would count as damage to the page before it.
  constexpr std::uint64_t kKept = 2;
  if (!page.header.has(PageHeader::id_crc)) lost_.emplace_back(page.offset + kKept, page.body);
}

}  // namespace parqproof
