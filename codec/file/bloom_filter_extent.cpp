#include "codec/file/bloom_filter_extent.hpp"

#include <algorithm>

#include "codec/format/bloom_filter_header.hpp"

namespace parqproof {

BloomFilterExtent read_bloom_filter_extent(PageReader& reader, std::uint64_t offset, std::uint64_t end,
                                           const thrift::Judged& judged) {
  const std::uint64_t room = std::min(end - offset, kMaxBloomFilterHeader);
  View bytes;
  std::uint64_t module_end = 0;
  if (reader.decrypts()) {
    const std::uint64_t most = kMaxBloomFilterHeader + encryption::kModuleFrameBytes;
    const auto module = reader.read_module(offset, offset + std::min(end - offset, most),
                                           encryption::ModuleType::bloom_filter_header);
    if (!module) return {.module = module.error()};
    bytes = module->bytes;
    module_end = module->end;
  } else {
    bytes = reader.read(offset, room);
    if (bytes.size() != room) return {};
  }
  thrift::Reader thrift(bytes, judged, reader.limits());
  BloomFilterHeader header;
  const bool framed = thrift.read(header);
  if (!framed) return {.damaged = thrift.damaged()};
  BloomFilterExtent extent{.header = header.fields.end - offset,
                           .damaged = thrift.damaged(),
                           .sound = thrift.sound() && !thrift.damaged(),
                           .faultless = thrift.faults() == 0};
  extent.bitset_at = extent.header;
  if (module_end != 0) {
    extent.bitset_at = module_end - offset + encryption::kModuleHeadBytes;
    extent.header = module_end - offset + encryption::kModuleFrameBytes;
  }
  extent.split_block = header.algorithm.has(BloomFilterAlgorithm::id_BLOCK) &&
                       header.hash.has(BloomFilterHash::id_XXHASH) &&
                       header.compression.has(BloomFilterCompression::id_UNCOMPRESSED);
  if (!header.has(BloomFilterHeader::id_numBytes)) return extent;
  extent.num_bytes = header.numBytes;
  if (header.numBytes >= 0) extent.bitset = static_cast<std::uint64_t>(header.numBytes);
  return extent;
}

}  // namespace parqproof
