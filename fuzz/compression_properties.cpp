// Properties of compressed pages.
#include <algorithm>
#include <cstring>

#include "codec/compression/compress.hpp"
#include "codec/compression/decompress.hpp"
#include "codec/compression/table.hpp"
#include "fuzz/collected.hpp"
#include "fuzz/memory.hpp"
#include "fuzz/property.hpp"
#include "fuzz/tail.hpp"

namespace parqproof::fuzz {
namespace {

constexpr std::size_t kMaxClaimed = std::size_t{1} << 16;
constexpr std::uint64_t kLibraryBytes = std::uint64_t{1}
                                        << 22;  // allowance for the contexts of the libraries

/// The decompressed bytes of a page whose header states a size of `claimed` bytes.
Collected expanded(CompressionCodec codec, std::span<const std::uint8_t> stored, std::size_t claimed,
                   std::uint8_t fill) {
  const FilledMemory filled(fill);
  Collected collected;
  Decompressor decompressor;
  Buffer out;
  const Limits limits;
  const View view{stored, kBase};
  const auto size = decompressor.expand(codec, view, claimed, out, 0, limits, collected.notes);
  if (!size) {
    collected.error = size.error();
    return collected;
  }
  collected.count = *size;
  if (*size != 0) collected.bytes.assign(out.data(), out.data() + *size);
  return collected;
}

std::string decompress_fault(CompressionCodec codec, std::span<const std::uint8_t> input) {
  const Tail tail(input);
  const auto stored = tail.payload();
  const std::size_t claimed = (tail.count() << 3 | tail.type() % 8U) % kMaxClaimed;
  const std::uint64_t before = allocated_bytes();
  const Collected one = expanded(codec, stored, claimed, 0);
  if (allocated_bytes() - before > kLibraryBytes + 4 * claimed)
    return "more memory is taken than the claim accounts for";
  if (one.count > claimed) return "more bytes are decompressed than the page header states";
  const Collected other = expanded(codec, stored, claimed, 0xA5);
  if (!one.same_values(other) || !one.same_findings(other))
    return "the outcome depends on the content of new memory";
  if (one.error) {
    const bool inside = one.error->offset >= kBase && one.error->offset - kBase <= stored.size();
    return inside ? "" : described(one) + " is outside the stored bytes";
  }
  // A larger claim has no other effect.
  const Collected more = expanded(codec, stored, claimed + 1, 0);
  if (!more.error && one.clean() && more.clean() && !one.same_values(more)) {
    return "the decompressed bytes depend on the claim";
  }
  return {};
}

/// The stream of an image, after bytes that the compressor must keep; empty if the image is refused.
constexpr std::uint8_t kFront[] = {0xA5, 0, 0x5A};
std::vector<std::uint8_t> compressed(Compressor& compressor, CompressionCodec codec,
                                     std::span<const std::uint8_t> image, const CompressOptions& options) {
  std::vector<std::uint8_t> out(std::begin(kFront), std::end(kFront));
  if (!compressor.compress(codec, image, options, out) ||
      !std::ranges::equal(kFront, std::span(out).first<3>()))
    return {};
  out.erase(out.begin(), out.begin() + sizeof kFront);
  return out;
}

/// The rule that is noted for unusual options.
std::optional<Rule> promised(CompressionCodec codec, const CompressOptions& options) {
  if (codec == CompressionCodec::GZIP && options.pieces > 1) return Rule::compression_gzip_members;
  if (codec == CompressionCodec::ZSTD && (options.pieces > 1 || options.skippable_bytes))
    return Rule::compression_zstd_frames;
  if (codec == CompressionCodec::LZ4 && options.layout == CompressOptions::Layout::frame)
    return Rule::compression_lz4_frame;
  if (codec == CompressionCodec::LZ4 && options.layout == CompressOptions::Layout::bare)
    return Rule::compression_lz4_layout;
  return std::nullopt;
}

/// Headers of each piece, block, part and literal, a little for incompressible bytes, and the bytes that the
/// options add at the start.
std::size_t most_stored(CompressionCodec codec, std::size_t size, const CompressOptions& options) {
  constexpr std::size_t kHeaders = 40;
  std::size_t items = options.pieces;
  for (const auto& most : {options.block_size, options.part_size, options.literal_size})
    items += most ? size / *most + 1 : 1;
  std::size_t front = 0;
  if (codec == CompressionCodec::ZSTD || codec == CompressionCodec::BROTLI)
    front = options.skippable_bytes.value_or(0);
  if (codec == CompressionCodec::GZIP) {
    const GzipHeader& header = options.gzip;
    front = header.name.value_or("").size() + header.comment.value_or("").size();
    if (header.extra) {
      for (const GzipHeader::Subfield& field : *header.extra) front += kHeaders + field.bytes.size();
    }
    front *= options.pieces;
  }
  return size + size / 64 + kHeaders * items + front;
}

std::string compress_fault(const CompressionInfo& row, std::span<const std::uint8_t> input) {
  const Tail tail(input);
  const auto image = tail.payload();
  const CompressOptions options = tail.compress_options(row);
  std::vector<std::uint8_t> stored;
  {
    const FilledMemory filled(0);
    Compressor compressor;
    stored = compressed(compressor, row.codec, image, options);
  }
  {
    const FilledMemory filled(0xA5);
    Compressor compressor;
    static_cast<void>(compressed(compressor, row.codec, input, {}));
    if (compressed(compressor, row.codec, image, options) != stored)
      return "the stream depends on the content of new memory, or on what was compressed before";
  }
  if (stored.empty() && !(image.empty() && row.codec == CompressionCodec::UNCOMPRESSED))
    return "the compressor refuses the image";
  if (stored.size() > most_stored(row.codec, image.size(), options))
    return "the stream is longer than necessary";
  const Collected back = expanded(row.codec, stored, image.size(), tail.fill());
  if (back.error) return "what was compressed cannot be expanded: " + described(back);
  if (!std::ranges::equal(back.bytes, image)) return "the decompressed bytes differ from the image";
  const auto noted = back.notes.all();
  const std::optional<Rule> rule = promised(row.codec, options);
  if (noted.size() != (rule ? 1U : 0U) || (rule && noted[0].error.rule != *rule))
    return "the noted rules do not match the options: " + described(back);
  const auto unnoticed = [&](std::span<const std::uint8_t> changed) {
    const Collected other = expanded(row.codec, changed, image.size(), tail.fill());
    return !other.error && other.count == image.size() && other.notes.all().size() == noted.size();
  };
  if (!stored.empty() && unnoticed(std::span(stored).first(stored.size() - 1)))
    return "a stream without its last byte is sound";
  stored.push_back(tail.cuts());
  if (unnoticed(stored)) return "a stream with an extra byte is sound";
  return {};
}

/// Any options are either refused, with nothing written, or give a stream that expands to the image. The
/// first bytes are the options; the count of the tail is the codec.
std::string compress_options_fault(std::span<const std::uint8_t> input) {
  constexpr std::size_t kOptionBytes = 14;
  constexpr std::uint32_t kTooMuch = (1U << 24) + 1;  // skippable bytes of BROTLI
  const Tail tail(input);
  const auto payload = tail.payload();
  if (payload.size() < kOptionBytes) return {};
  const CompressionInfo& row = all_compression_codecs()[tail.count() % all_compression_codecs().size()];
  const auto image = payload.subspan(kOptionBytes);
  CompressOptions options;
  if (payload[0] != 0) options.level = static_cast<std::int8_t>(payload[0]);
  if (payload[1] != 0) options.window_log = payload[1] % 32U;
  if (payload[2] != 0) options.block_size = payload[3];
  options.pieces = payload[4] % 5U;
  options.layout = static_cast<CompressOptions::Layout>(payload[5] % 3U);
  options.checksum = payload[5] >= 128;
  if (payload[6] != 0) options.skippable_bytes = payload[6] - 1U;
  if (payload[6] == 255 && row.codec == CompressionCodec::BROTLI) options.skippable_bytes = kTooMuch;
  options.length_bytes = (payload[7] + 1U) % 8;
  options.literal_length_bytes = payload[7] >> 3 & 7U;
  options.literals_only = payload[7] >= 64;
  if (payload[8] != 0) options.part_size = options.literal_size = payload[8] - 1U;
  if (payload[9] != 0) options.frame_block_log = payload[9] % 32U;
  options.block_checksum = (payload[9] & 32) != 0;
  if (payload[9] >= 64) options.linked_blocks = payload[9] >= 128;
  if (payload[10] % 8U != 0) options.postfix_bits = payload[10] % 8U - 1;
  options.first_byte_counts = options.empty_part = payload[10] < 128;
  options.direct_distances = payload[11];
  GzipHeader& header = options.gzip;
  const auto front = image.first(std::min<std::size_t>(image.size(), payload[12] % 16U));
  if ((payload[12] & 16) != 0) header.extra = {{{'a', payload[13]}, {front.begin(), front.end()}}};
  if ((payload[12] & 32) != 0) header.name = std::string(front.begin(), front.end());
  if ((payload[12] & 64) != 0) header.comment = std::string(front.rbegin(), front.rend());
  header.checksum = payload[12] >= 128;
  if (payload[13] != 0) header.effort = static_cast<std::uint8_t>(payload[13] % 8);
  std::vector<std::uint8_t> stored(std::begin(kFront), std::end(kFront));
  Compressor compressor;
  const bool done = compressor.compress(row.codec, image, options, stored).has_value();
  if (!std::ranges::equal(kFront, std::span(stored).first<sizeof kFront>()))
    return "the compressor changes the bytes before its stream";
  if (!done) return stored.size() == sizeof kFront ? "" : "a refused image leaves bytes in the output";
  const auto stream = std::span<const std::uint8_t>(stored).subspan(sizeof kFront);
  const Collected back = expanded(row.codec, stream, image.size(), tail.fill());
  if (back.error) return "what was compressed cannot be expanded: " + described(back);
  return std::ranges::equal(back.bytes, image) ? "" : "the decompressed bytes differ from the image";
}

}  // namespace

void add_compression_properties(std::vector<Property>& properties) {
  properties.push_back({"compress_options", compress_options_fault});
  for (const CompressionInfo& row : all_compression_codecs()) {
    const CompressionCodec codec = row.codec;
    properties.push_back({property_name("decompress_", row.name()),
                          [=](auto input) { return decompress_fault(codec, input); }});
    properties.push_back(
        {property_name("compress_", row.name()), [&row](auto input) { return compress_fault(row, input); }});
  }
}

}  // namespace parqproof::fuzz
