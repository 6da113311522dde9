#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codec/compression/table.hpp"
#include "codec/encoding/encode.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof::fuzz {

/// The last eight bytes of an input: parameters for the bytes before them. The payload comes first,
/// so that a mutation of the parameters leaves it in place. `scripts/fuzz_seeds` writes the same bytes.
///
///   0    bits 0-2 type: an index among those that the encoding knows; 3-4 longest run, 5-6 longest prefix,
///        and needless exceptions, 7 blocks of suffixes, and placeholders
///   1    bytes of a FIXED_LEN_BYTE_ARRAY value, or bits of a level
///   2-3  count of values, little-endian, modulo 8192
///   4    bits 0-1 runs, 2-3 prefixes, 4 selector, 5 exceptions, 6-7 bytes of varints less one
///   5    bits 0-1 spare bits, 2-4 delta block, 5-7 miniblocks
///   6    padding; also the seed of the sizes of batches; bits 1 widths of unneeded miniblocks,
///        2 no bytes for no values
///   7    bits 0-2 kernel set, 3 fill, 4-7 vector size of ALP
///
/// For a compressed image:
///
///   0    level: unset, or one of those that the codec has
///   1    window: unset, or one of 2^10 to 2^24 bytes
///   2-3  size of a block, modulo 8192; 0: unset; also how much ZSTD and BROTLI skip
///   4    bits 0 content size, 1 checksum, 2 literals, 3-4 layout, 5-7 pieces less one
///   5    options of one codec only:
///          SNAPPY  bits 0-2 bytes of the length less one, 3-5 of the length of a literal
///          GZIP    bits 0 text, 1 time, 2 system, 3 extra, 4 name, 5 comment, 6 checksum, 7 effort
///          LZO     bits 6 no empty part, 7 an instruction for each run
///          BROTLI  bits 0-1 postfix, 2-5 direct distances, 6 skippable bytes, 7 postfix is set
///          LZ4     bits 0 checksum of blocks, 1-2 linked, 3-5 size of frame blocks, 6 no empty part
///          ZSTD    bit 6 a skippable frame
///   6    the byte that is appended to the stream
///   7    bits 3 fill, 4-7 max parts and literals, 0: one
class Tail {
 public:
  static constexpr std::size_t kBytes = 8;
  static constexpr std::uint64_t kMaxValues = 8191;

  explicit Tail(std::span<const std::uint8_t> input) noexcept {
    const std::size_t held = std::min(kBytes, input.size());
    payload_ = input.first(input.size() - held);
    std::ranges::copy(input.last(held), bytes_.begin());
  }

  [[nodiscard]] std::span<const std::uint8_t> payload() const noexcept { return payload_; }
  /// All of byte 0, for inputs without a type.
  [[nodiscard]] std::uint8_t first() const noexcept { return bytes_[0]; }
  [[nodiscard]] std::uint8_t type() const noexcept { return bytes_[0] & 7U; }
  [[nodiscard]] std::uint8_t width() const noexcept { return bytes_[1]; }
  [[nodiscard]] std::uint64_t count() const noexcept {
    return static_cast<std::uint64_t>(bytes_[2] | bytes_[3] << 8) & kMaxValues;
  }
  [[nodiscard]] bool selector_little_endian() const noexcept { return (bytes_[4] & 0x10) != 0; }
  [[nodiscard]] std::uint8_t cuts() const noexcept { return bytes_[6]; }
  [[nodiscard]] const Kernels& kernels() const noexcept {
    return *all_kernels()[(bytes_[7] & 7U) % all_kernels().size()];
  }
  [[nodiscard]] std::uint8_t fill() const noexcept { return (bytes_[7] & 8) != 0 ? 0xA5 : 0; }

  /// Options that every encoder accepts.
  [[nodiscard]] EncodeOptions options() const noexcept {
    EncodeOptions options;
    const unsigned runs = bytes_[4] & 3U;
    options.runs = static_cast<EncodeOptions::Runs>(runs % 3);
    options.prefixes = static_cast<EncodeOptions::Prefixes>((bytes_[4] >> 2 & 3U) % 2);
    options.selector_little_endian = selector_little_endian();
    options.exceptions_descending = (bytes_[4] & 0x20) != 0;
    options.varint_bytes = 1 + (bytes_[4] >> 6);
    constexpr std::uint32_t kRuns[] = {INT32_MAX, 1, 8, 100};
    options.longest_run = kRuns[bytes_[0] >> 3 & 3U];
    constexpr std::uint32_t kPrefixes[] = {INT32_MAX, 1, 5, 20};
    options.longest_prefix = kPrefixes[bytes_[0] >> 5 & 3U];
    options.needless_exceptions = bytes_[0] >> 5 & 3U;
    if ((bytes_[0] & 0x80) != 0) {
      options.suffix_block_size = 256;
      options.suffix_miniblocks = 2;
      options.placeholder = EncodeOptions::Placeholder::largest;
    }
    options.spare_bits = bytes_[5] & 3U;
    options.reference_slack = options.spare_bits * 7;
    if (const unsigned block = bytes_[5] >> 2 & 7U; block != 0) {
      options.block_size = 128U << (block - 1);
      const unsigned miniblocks = 1U << (bytes_[5] >> 5);
      options.miniblocks = std::min(miniblocks, *options.block_size / 32);
    }
    options.padding = bytes_[6];
    if ((bytes_[6] & 2) != 0) options.unneeded_width = static_cast<std::uint8_t>(~bytes_[6]);
    options.empty_header = (bytes_[6] & 4) == 0;
    if (const unsigned log = bytes_[7] >> 4; log >= 3) options.log_vector_size = log;
    return options;
  }

  /// Options that the compressor of a codec accepts.
  [[nodiscard]] CompressOptions compress_options(const CompressionInfo& row) const {
    CompressOptions options;
    if (row.levels && bytes_[0] != 0) {
      options.level = row.levels->min + (bytes_[0] - 1) % (row.levels->max - row.levels->min + 1);
    }
    if (bytes_[1] != 0) options.window_log = 10 + bytes_[1] % 15U;
    const auto size = static_cast<std::uint32_t>(count());
    if (size != 0) options.block_size = size;
    options.content_size = (bytes_[4] & 1U) == 0;
    options.checksum = (bytes_[4] & 2U) != 0;
    options.literals_only = (bytes_[4] & 4U) != 0;
    const unsigned layouts = row.codec == CompressionCodec::LZO ? 2 : 3;
    options.layout = static_cast<CompressOptions::Layout>((bytes_[4] >> 3 & 3U) % layouts);
    options.pieces = 1 + (bytes_[4] >> 5);
    const unsigned more = bytes_[5];
    options.length_bytes = 1 + (more & 7U) % 5;
    options.literal_length_bytes = (more >> 3 & 7U) % 5;
    options.first_byte_counts = (more & 0x80U) == 0;
    options.empty_part = (more & 0x40U) == 0;
    if ((more & 0x40U) != 0) options.skippable_bytes = size;
    if ((more & 0x80U) != 0) {
      options.postfix_bits = more & 3U;
      options.direct_distances = (more >> 2 & 15U) << (more & 3U);
    }
    options.block_checksum = (more & 1U) != 0;
    if (const unsigned linked = (more >> 1 & 3U) % 3; linked != 0) options.linked_blocks = linked == 1;
    if (const unsigned log = more >> 3 & 7U; log != 0) options.frame_block_log = 14 + 2 * (1 + log % 4);
    if (const unsigned parts = bytes_[7] >> 4; parts != 0) {
      options.part_size = static_cast<std::uint32_t>(payload_.size() / parts + 1);
      options.literal_size = options.part_size;
    }
    options.gzip = gzip_header();
    return options;
  }

 private:
  [[nodiscard]] GzipHeader gzip_header() const {
    const unsigned more = bytes_[5];
    GzipHeader header;
    header.text = (more & 1U) != 0;
    if ((more & 2U) != 0) header.time = 0xFFFFFFFF - static_cast<std::uint32_t>(count());
    if ((more & 4U) != 0) header.system = bytes_[1];
    if ((more & 8U) != 0) {
      const GzipHeader::Subfield field{{bytes_[1], 'x'}, std::vector<std::uint8_t>(bytes_[3])};
      header.extra = std::vector<GzipHeader::Subfield>(bytes_[2] % 4U, field);
    }
    if ((more & 0x10U) != 0) header.name = std::string(bytes_[2], 'n');
    if ((more & 0x20U) != 0) header.comment = std::string(bytes_[3], 'c');
    header.checksum = (more & 0x40U) != 0;
    if ((more & 0x80U) != 0) header.effort = static_cast<std::uint8_t>(bytes_[1] % 3 * 2);
    return header;
  }

  std::span<const std::uint8_t> payload_;
  std::array<std::uint8_t, kBytes> bytes_{};
};

}  // namespace parqproof::fuzz
