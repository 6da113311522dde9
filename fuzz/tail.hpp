#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "codec/compression/table.hpp"
#include "codec/encoding/encode.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof::fuzz {

/// The last eight bytes of an input: what the bytes before them are, and how they are treated. Payload first,
/// so that a mutation of the parameters leaves it in place. `scripts/fuzz_seeds` writes the same bytes.
///
///   0    bits 0-2 type: an index among those that the encoding knows; 3-4 longest run, 5-6 longest prefix
///   and
///        needless exceptions, 7 blocks of suffixes and placeholders
///   1    bytes of a FIXED_LEN_BYTE_ARRAY value, or bits of a level
///   2-3  count of values, little-endian, modulo 8192
///   4    bits 0-1 runs, 2-3 prefixes, 4 selector, 5 exceptions, 6-7 bytes of varints less one
///   5    bits 0-1 spare bits, 2-4 delta block, 5-7 miniblocks
///   6    padding; also the seed of how values are cut into batches
///   7    bits 0-2 kernel set, 3 fill, 4-7 vector size of ALP
///
/// Where an image is compressed:
///
///   0    level: unset, or one of those that the codec has
///   1    window: unset, or one of 2^10 to 2^24 bytes
///   2-3  size of a block, modulo 8192; 0: unset
///   4    bits 0 content size, 1 checksum, 2 literals, 3-4 layout, 5-7 pieces less one
///   6    the byte that is put behind the stream
class Tail {
 public:
  static constexpr std::size_t kBytes = 8;
  static constexpr std::uint64_t kMostValues = 8191;

  explicit Tail(std::span<const std::uint8_t> input) noexcept {
    const std::size_t held = std::min(kBytes, input.size());
    payload_ = input.first(input.size() - held);
    std::ranges::copy(input.last(held), bytes_.begin());
  }

  [[nodiscard]] std::span<const std::uint8_t> payload() const noexcept { return payload_; }
  /// Byte 0 as a whole, where there is no type.
  [[nodiscard]] std::uint8_t first() const noexcept { return bytes_[0]; }
  [[nodiscard]] std::uint8_t type() const noexcept { return bytes_[0] & 7U; }
  [[nodiscard]] std::uint8_t width() const noexcept { return bytes_[1]; }
  [[nodiscard]] std::uint64_t count() const noexcept {
    return static_cast<std::uint64_t>(bytes_[2] | bytes_[3] << 8) & kMostValues;
  }
  [[nodiscard]] bool selector_little_endian() const noexcept { return (bytes_[4] & 0x10) != 0; }
  [[nodiscard]] std::uint8_t cuts() const noexcept { return bytes_[6]; }
  [[nodiscard]] const Kernels& kernels() const noexcept {
    return *all_kernels()[(bytes_[7] & 7U) % all_kernels().size()];
  }
  [[nodiscard]] std::uint8_t fill() const noexcept { return (bytes_[7] & 8) != 0 ? 0xA5 : 0; }

  /// Options that every encoder takes.
  [[nodiscard]] EncodeOptions options() const noexcept {
    EncodeOptions options;
    const unsigned runs = bytes_[4] & 3U;
    options.runs = static_cast<EncodeOptions::Runs>(runs % 3);
    options.prefixes = static_cast<EncodeOptions::Prefixes>((bytes_[4] >> 2 & 3U) % 3);
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
    if (const unsigned log = bytes_[7] >> 4; log >= 3) options.log_vector_size = log;
    return options;
  }

  /// Options that the compressor of a codec takes.
  [[nodiscard]] CompressOptions compress_options(const CompressionInfo& row) const noexcept {
    CompressOptions options;
    if (row.levels && bytes_[0] != 0) {
      options.level = row.levels->least + (bytes_[0] - 1) % (row.levels->most - row.levels->least + 1);
    }
    if (bytes_[1] != 0) options.window_log = 10 + bytes_[1] % 15U;
    if (count() != 0) options.block_size = static_cast<std::uint32_t>(count());
    options.content_size = (bytes_[4] & 1U) == 0;
    options.checksum = (bytes_[4] & 2U) != 0;
    options.literals_only = (bytes_[4] & 4U) != 0;
    const unsigned layouts = row.codec == CompressionCodec::LZO ? 2 : 3;
    options.layout = static_cast<CompressOptions::Layout>((bytes_[4] >> 3 & 3U) % layouts);
    options.pieces = 1 + (bytes_[4] >> 5);
    return options;
  }

 private:
  std::span<const std::uint8_t> payload_;
  std::array<std::uint8_t, kBytes> bytes_{};
};

}  // namespace parqproof::fuzz
