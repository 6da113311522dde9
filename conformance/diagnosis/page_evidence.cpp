#include "codec/base/bits.hpp"
#include "codec/thrift/list_walk.hpp"
#include "conformance/diagnosis/page_repair.hpp"

namespace parqproof {
namespace {

/// Returns true if an encoding in the header of a data page is undefined, and not one of a later edition.
bool has_damaged_encoding(const ChunkScope& chunk, const Page& page) {
  if (page.is_v2()) return chunk.is_damaged(page.encoding());
  const DataPageHeader& data = page.header.data_page_header;
  return chunk.is_damaged(page.encoding()) ||
         (chunk.leaf.max_definition != 0 && chunk.is_damaged(data.definition_level_encoding)) ||
         (chunk.leaf.max_repetition != 0 && chunk.is_damaged(data.repetition_level_encoding));
}

}  // namespace

bool has_absent_levels(const DataPageHeaderV2& data, const Node& leaf) {
  return (leaf.max_repetition == 0 && data.repetition_levels_byte_length != 0) ||
         (leaf.max_definition == 0 && data.definition_levels_byte_length != 0);
}

std::optional<std::int32_t> length_of_levels(View bytes, std::uint32_t max, std::uint64_t count) {
  if (max == 0) return 0;
  Notes notes;
  HybridDecoder decoder;
  decoder.open(bytes, bit_width_for(max), count, level_rules(), notes);
  for (;;) {
    const auto batch = decoder.next();
    if (!batch || !notes.all().empty()) return std::nullopt;
    if (batch->count == 0) return static_cast<std::int32_t>(bytes.size() - decoder.rest().size());
  }
}

bool has_true_counts(const Page& page, const LevelSums& sums) {
  if (!page.is_v2()) return true;
  const DataPageHeaderV2& data = page.header.data_page_header_v2;
  const auto nulls = static_cast<std::int64_t>(static_cast<std::uint64_t>(page.num_values()) - sums.stored);
  return (!data.has(DataPageHeaderV2::id_num_nulls) || data.num_nulls == nulls) &&
         (!data.has(DataPageHeaderV2::id_num_rows) || data.num_rows == static_cast<std::int64_t>(sums.rows));
}

bool ChunkDiagnosis::is_in_doubt(const ChunkScope& chunk, const PageWalk& walk, const Page& page) const {
  const bool v2 = page.is_v2() && page.has_member();
  const PageHeader& header = page.header;
  const DataPageHeaderV2& data = header.data_page_header_v2;
  const bool stored = chunk.meta().codec == CompressionCodec::UNCOMPRESSED || (v2 && !data.is_compressed);
  if ((stored || header.compressed_page_size == 0) &&
      header.uncompressed_page_size != header.compressed_page_size) {
    return true;
  }
  if (!page.is_data() || !page.has_member()) return false;
  if (has_damaged_encoding(chunk, page)) return true;
  if (v2 && (data.num_rows > data.num_values || data.num_nulls > data.num_values ||
             page.level_bytes() > header.uncompressed_page_size ||
             (chunk.leaf.max_repetition == 0 && data.num_rows != data.num_values))) {
    return true;
  }
  return walk.entries() == 0 && page.end() == walk.extent().metadata_end &&
         page.num_values() != chunk.claim.num_values;
}

std::optional<std::int64_t> flat_count(const ChunkScope& chunk, const Page& page) {
  const Node& leaf = chunk.leaf;
  if (leaf.max_repetition != 0) return std::nullopt;
  if (page.is_v2()) {
    const DataPageHeaderV2& data = page.header.data_page_header_v2;
    return data.has(DataPageHeaderV2::id_num_rows) ? std::optional<std::int64_t>(data.num_rows)
                                                   : std::nullopt;
  }
  const std::uint32_t width = chunk.value_bytes();
  if (leaf.max_definition != 0 || page.encoding() != Encoding::PLAIN || width == 0) return std::nullopt;
  return page.header.uncompressed_page_size / static_cast<std::int64_t>(width);
}

bool histogram_agrees(const ChunkScope& chunk) {
  const SizeStatistics& sizes = chunk.meta().size_statistics;
  const auto agrees = [&](const thrift::List& histogram) {
    std::uint64_t entries = 0;
    const auto add = [&](std::int64_t count, std::uint32_t) { entries += static_cast<std::uint64_t>(count); };
    thrift::for_each_integer(histogram, add);
    return histogram.count != 0 && entries == static_cast<std::uint64_t>(chunk.claim.num_values);
  };
  return chunk.meta().has(ColumnMetaData::id_size_statistics) &&
         (agrees(sizes.definition_level_histogram) || agrees(sizes.repetition_level_histogram));
}

std::optional<std::int64_t> stated_nulls(const ChunkScope& chunk, const Page& page) {
  const DataPageHeader& v1 = page.header.data_page_header;
  const DataPageHeaderV2& v2 = page.header.data_page_header_v2;
  if (page.is_v2() && v2.has(DataPageHeaderV2::id_num_nulls)) return v2.num_nulls;
  const bool has_statistics = !page.is_v2() && v1.has(DataPageHeader::id_statistics);
  if (has_statistics && v1.statistics.has(Statistics::id_null_count)) return v1.statistics.null_count;
  const IndexOfPages<ColumnIndex>& index = chunk.page_index.column;
  std::optional<std::int64_t> nulls;
  if (!index.sound || !index.parsed.has(ColumnIndex::id_null_counts) || !chunk.position().data_page)
    return nulls;
  thrift::for_each_integer(index.parsed.null_counts, [&](std::int64_t count, std::uint32_t at) {
    if (at == *chunk.position().data_page) nulls = count;
  });
  return nulls;
}

bool has_neighbour_without_compression(const ChunkScope& chunk) {
  const ParsedFooter& footer = chunk.context.footer;
  const std::size_t group = chunk.claim.row_group;
  const std::size_t leaf = chunk.claim.leaf;
  const auto is_uncompressed = [&](std::size_t row_group, std::size_t column) {
    if (row_group >= footer.row_groups.size() || column >= footer.row_groups[row_group].chunk_count)
      return false;
    const ChunkClaim& claim = footer.chunks[footer.row_groups[row_group].first_chunk + column];
    ColumnChunk other;
    return claim.compressed == claim.uncompressed &&
           footer.reread(claim, chunk.context.options.limits, other) &&
           other.has(ColumnChunk::id_meta_data) && other.meta_data.has(ColumnMetaData::id_codec) &&
           other.meta_data.codec == CompressionCodec::UNCOMPRESSED;
  };
  // Row group or column -1 is beyond all others.
  return is_uncompressed(group - 1, leaf) || is_uncompressed(group + 1, leaf) ||
         is_uncompressed(group, leaf - 1) || is_uncompressed(group, leaf + 1);
}

}  // namespace parqproof
