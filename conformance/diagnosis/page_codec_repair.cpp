#include <cstddef>

#include "conformance/diagnosis/page_repair.hpp"

namespace parqproof {

/// Returns true if a neighbour is not compressed: a chunk of the column in the row group before or after, or
/// the chunk before or after in the row group.
bool PageFields::has_neighbour_without_compression() const {
  const ParsedFooter& footer = chunk_.context.footer;
  const std::size_t group = chunk_.claim.row_group;
  const std::size_t leaf = chunk_.claim.leaf;
  const auto is_uncompressed = [&](std::size_t row_group, std::size_t column) {
    if (row_group >= footer.row_groups.size() || column >= footer.row_groups[row_group].chunk_count)
      return false;
    const ChunkClaim& claim = footer.chunks[footer.row_groups[row_group].first_chunk + column];
    ColumnChunk other;
    return claim.compressed == claim.uncompressed && footer.reread(claim, limits_, other) &&
           other.has(ColumnChunk::id_meta_data) && other.meta_data.has(ColumnMetaData::id_codec) &&
           other.meta_data.codec == CompressionCodec::UNCOMPRESSED;
  };
  // Row group or column -1 is beyond all others.
  return is_uncompressed(group - 1, leaf) || is_uncompressed(group + 1, leaf) ||
         is_uncompressed(group, leaf - 1) || is_uncompressed(group, leaf + 1);
}

/// Returns true if the next page can be read with the codec too. Without a next page the bytes of this page
/// are the evidence, unless the codec accepts any bytes.
bool PageFields::next_agrees(const Page& page, CompressionCodec codec) {
  if (page.end() >= walk_.extent().metadata_end) {
    const bool is_undefined = !can_decompress(chunk_.meta().codec);
    return codec != CompressionCodec::UNCOMPRESSED || (is_undefined && has_neighbour_without_compression()) ||
           (chunk_.leaf.max_definition != 0 && !page.is_v2() && page.is_data());
  }
  const RegionMap alone;
  const ChunkExtent rest{page.end(), walk_.extent().metadata_end, walk_.extent().metadata_end, 0};
  PageWalk walk(reader_, alone, rest, {});
  return walk.starts_with_page() && is_intact(walk.page(), codec);
}

/// column-chunk/codec
std::optional<PageFields::Cure> PageFields::codec(const Page& page) {
  using Codec = CompressionCodec;
  const Codec stated = chunk_.meta().codec;
  if (known_.opened) return std::nullopt;
  for (const Codec candidate :
       {Codec::SNAPPY, Codec::GZIP, Codec::ZSTD, Codec::LZ4_RAW, Codec::BROTLI, Codec::UNCOMPRESSED}) {
    if (candidate == stated || !is_intact(page, candidate) || !next_agrees(page, candidate)) continue;
    return Cure{PageFault::in_chunk(Rule::column_chunk_codec, "meta_data.codec",
                                    contrast(symbol(kCompressionCodecEnum, stated),
                                             symbol(kCompressionCodecEnum, candidate))),
                page, true};
  }
  return std::nullopt;
}

}  // namespace parqproof
