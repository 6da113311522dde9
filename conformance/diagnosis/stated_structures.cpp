#include "conformance/diagnosis/stated_structures.hpp"

#include <algorithm>

#include "codec/base/each_block.hpp"
#include "codec/file/bloom_filter_extent.hpp"
#include "codec/format/chunk_start.hpp"
#include "codec/format/page_index.hpp"
#include "codec/page/page_search.hpp"
#include "codec/thrift/list_walk.hpp"

namespace parqproof {
namespace {

/// Max plausible offset and length; the sum of two does not overflow.
constexpr std::int64_t kMost = std::int64_t{1} << 60;

/// Huge if the sum is negative.
std::uint64_t shifted(std::uint64_t offset, std::int64_t shift) noexcept {
  return offset + static_cast<std::uint64_t>(shift);
}

}  // namespace

std::vector<Region> stated_structures(const FileCheck& check) {
  std::vector<Region> out;
  ColumnChunk chunk;
  for (const ChunkClaim& claim : check.footer.chunks) {
    if (claim.file != 0 || !check.footer.reread(claim, check.options.limits, chunk) ||
        chunk.fields.mentions(ColumnChunk::id_crypto_metadata))
      continue;
    const auto add = [&](Region::Kind kind, bool is_stated, std::int64_t offset, std::int64_t length) {
      if (is_stated && offset >= static_cast<std::int64_t>(kMagicBytes) && offset <= kMost && length > 0 &&
          length <= kMost)
        out.push_back(region_of(claim, kind, offset, length));
    };
    const ColumnMetaData& meta = chunk.meta_data;
    add(Region::Kind::column_chunk, !claim.no_pages, chunk_start(meta).offset, meta.total_compressed_size);
    add(Region::Kind::bloom_filter,
        meta.has(ColumnMetaData::id_bloom_filter_offset) && meta.has(ColumnMetaData::id_bloom_filter_length),
        meta.bloom_filter_offset, meta.bloom_filter_length);
    add(Region::Kind::column_index,
        chunk.has(ColumnChunk::id_column_index_offset) && chunk.has(ColumnChunk::id_column_index_length),
        chunk.column_index_offset, chunk.column_index_length);
    add(Region::Kind::offset_index,
        chunk.has(ColumnChunk::id_offset_index_offset) && chunk.has(ColumnChunk::id_offset_index_length),
        chunk.offset_index_offset, chunk.offset_index_length);
  }
  std::ranges::stable_sort(out, {}, &Region::offset);
  return out;
}

StructureProbe::StructureProbe(const FileCheck& check)
    : check_(check),
      data_end_(check.footer.frame.footer_offset),
      reader_(check.input.source, check.options.limits, 0),
      window_(check.input.source) {}

std::optional<StructureProbe::PageBytes> StructureProbe::page(std::uint64_t offset, std::int64_t shift) {
  ++probes_;
  const std::uint64_t at = shifted(offset, shift);
  if (exhausted() || at >= data_end_) return std::nullopt;
  const View first = window_.view(at, 1);
  if (first.empty() || first.data()[0] != kNextI32) return std::nullopt;
  Page page;
  const bool is_header = reader_.read_header(at, data_end_, {}, page) == PageReader::State::read &&
                         page.sound && page.faults == 0 && page.is_plausible();
  if (!is_header) return std::nullopt;
  return PageBytes{page.body, page.end(), page.header.has(PageHeader::id_crc), page.is_dictionary(),
                   page.num_values()};
}

template <typename Struct>
bool StructureProbe::takes_all(View bytes, std::uint64_t length, Struct& out) const {
  thrift::Reader thrift(bytes, {}, check_.options.limits);
  return bytes.size() == length && thrift.read(out) && thrift.sound() && thrift.faults() == 0 &&
         out.fields.end == bytes.end();
}

bool StructureProbe::is_at(const Region& stated, std::int64_t shift) {
  const std::uint64_t offset = shifted(stated.offset, shift);
  if (stated.kind == Region::Kind::column_chunk) {
    const std::optional<PageBytes> first = page(offset);
    return first && first->end <= offset + stated.length;
  }
  ++probes_;
  if (offset > data_end_) return false;
  if (stated.kind == Region::Kind::bloom_filter) {
    const BloomFilterExtent extent = read_bloom_filter_extent(reader_, offset, data_end_, {});
    return extent.sound && extent.length() == stated.length;
  }
  if (stated.length > data_end_ - offset) return false;
  const View bytes = window_.view(offset, stated.length);
  if (stated.kind == Region::Kind::offset_index) return takes_all(bytes, stated.length, offset_index_);
  ColumnIndex index;
  return takes_all(bytes, stated.length, index);
}

std::optional<std::uint64_t> StructureProbe::pages_up_to(std::uint64_t from, std::uint64_t end) {
  return end <= data_end_ && !exhausted() ? find_pages_up_to(end, from, reader_) : std::nullopt;
}

std::optional<std::uint64_t> StructureProbe::pages_of_length(std::uint64_t from, std::uint64_t to,
                                                             std::uint64_t length) {
  to = std::min(to, data_end_);
  for (std::uint64_t at = find_next_i32(window_, from, to); at < to && !exhausted();
       at = find_next_i32(window_, at + 1, to)) {
    if (end_of_pages_at({.offset = at, .length = length}, 0) == at + length) return at;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> StructureProbe::repeated(std::uint64_t begin, std::uint64_t end,
                                                      std::uint64_t count) {
  constexpr std::uint64_t kMin = 16;  // shorter matches may be chance
  constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;
  begin = std::max(begin, count) - count;
  if (count < kMin || end < begin + count || end - begin > kMostBytes || end > check_.input.source.size())
    return std::nullopt;
  std::optional<std::uint64_t> found;
  Window behind(check_.input.source);
  std::uint64_t equal = 0;
  const bool is_known = each_block(check_.input.source, begin, end - count, 0, [&](const View& first) {
    const View second = behind.view(first.base + count, first.size());
    for (std::size_t i = 0; i < second.size(); ++i) {
      equal = first.data()[i] == second.data()[i] ? equal + 1 : 0;
      if (equal != count) continue;
      if (found) return false;  // which of them is too many is not known
      found = first.base + i + 1;
    }
    return !second.empty();
  });
  return is_known && found && !has_short_period(*found - count, count) ? found : std::nullopt;
}

bool StructureProbe::has_short_period(std::uint64_t begin, std::uint64_t count) {
  constexpr std::uint64_t kMostBytes = 4096;
  constexpr std::size_t kLongest = 16;
  const View bytes = window_.view(begin, std::min(count, kMostBytes));
  for (std::size_t period = 1; period <= std::min(kLongest, bytes.size() / 2); ++period) {
    if (std::equal(bytes.data() + period, bytes.data() + bytes.size(), bytes.data())) return true;
  }
  return false;
}

std::vector<std::uint64_t> StructureProbe::page_offsets(const Region& offset_index, std::int64_t shift) {
  std::vector<std::uint64_t> out;
  if (!is_at(offset_index, shift)) return out;
  thrift::for_each<PageLocation>(
      offset_index_.page_locations, check_.options.limits, [&](const PageLocation& page, std::uint32_t) {
        out.push_back(static_cast<std::uint64_t>(std::max<std::int64_t>(page.offset, 0)));
      });
  return out;
}

}  // namespace parqproof
