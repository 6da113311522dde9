#include <snappy.h>

#include <algorithm>
#include <bit>

#include "codec/base/cursor.hpp"
#include "codec/compression/blocks.hpp"
#include "codec/compression/codecs.hpp"

namespace parqproof {
namespace {

// A copy element of three bytes expands to at most 64 bytes, the max ratio of all elements.
constexpr std::uint64_t kMaxSnappyExpansion = 22;
constexpr std::size_t kShortLiteralBytes = 60;  // max bytes of a literal whose length is in the tag
constexpr unsigned kMaxLiteralLengthBytes = 4;
constexpr unsigned kMaxLengthBytes = 5;

// Returns the end of the stream: the position after the element that completes `size` bytes. Returns 0 if no
// element does.
std::size_t end_of_stream(View stored, std::size_t position, std::uint64_t size) noexcept {
  std::uint64_t produced = 0;
  while (produced < size && position < stored.size()) {
    const unsigned tag = stored.bytes[position++];
    std::uint64_t length = (tag >> 2) + 1;
    std::size_t skip = 0;
    switch (tag & 3U) {
      case 0:
        if (length > kShortLiteralBytes) {  // 61 to 64: the length minus one follows in one to four bytes
          const auto bytes = static_cast<std::size_t>(length - kShortLiteralBytes);
          if (stored.size() - position < bytes) return 0;
          length = 0;
          std::memcpy(&length, stored.data() + position, bytes);
          ++length;
          position += bytes;
        }
        if (stored.size() - position < length) return 0;
        skip = static_cast<std::size_t>(length);
        break;
      case 1:
        length = ((tag >> 2) & 7U) + 4;
        skip = 1;
        break;
      case 2:
        skip = 2;
        break;
      default:
        skip = 4;
        break;
    }
    if (stored.size() - position < skip) return 0;
    position += skip;
    produced += length;
  }
  return produced == size ? position : 0;
}

// Encodes the length before a stream.
std::vector<std::uint8_t> length_of(std::size_t size, unsigned min_bytes) {
  std::vector<std::uint8_t> bytes;
  append_uleb(bytes, size, min_bytes);
  return bytes;
}

// Appends a literal: up to 60 bytes by its tag, longer ones by the bytes of the length minus one.
void append_literal(Compression& compression, std::span<const std::uint8_t> bytes) {
  const std::size_t less_one = bytes.size() - 1;
  unsigned length_bytes = compression.options().literal_length_bytes;
  if (less_one >= kShortLiteralBytes)
    length_bytes = std::max(length_bytes, (static_cast<unsigned>(std::bit_width(less_one)) + 7) / 8);
  const std::size_t in_tag = length_bytes == 0 ? less_one : kShortLiteralBytes - 1 + length_bytes;
  compression.append(static_cast<std::uint8_t>(in_tag << 2));
  compression.append_number(less_one, length_bytes);
  compression.append(bytes);
}

CompressStatus append_literals(Compression& compression) {
  const CompressOptions& options = compression.options();
  if (options.literal_size == 0U) return std::unexpected("a literal has at least one byte");
  if (options.literal_length_bytes > kMaxLiteralLengthBytes)
    return std::unexpected("the length of a literal has at most 4 bytes after the tag");
  compression.append(length_of(compression.image().size(), options.length_bytes));
  const std::size_t size = options.literal_size.value_or(UINT32_MAX);
  for (std::span<const std::uint8_t> rest = compression.image(); !rest.empty();) {
    const auto literal = rest.first(std::min(size, rest.size()));
    append_literal(compression, literal);
    rest = rest.subspan(literal.size());
  }
  return {};
}

}  // namespace

std::optional<Extent> measure_snappy(View bytes) noexcept {
  Cursor cursor(bytes, {Rule::compression_stream, Rule::compression_stream, Rule::compression_stream});
  const auto size = cursor.uleb<std::uint32_t>();
  if (!size || size->value > bytes.size() * kMaxSnappyExpansion) return std::nullopt;
  const std::size_t end = end_of_stream(bytes, cursor.position(), size->value);
  if (end == 0) return std::nullopt;
  return Extent{static_cast<std::size_t>(size->value), end};
}

Status expand_snappy(Expansion& expansion) {
  const View stored = expansion.stored();
  // If the library accepts all bytes, the stream ends there, because every element expands to at least one
  // byte.
  std::size_t size = 0;
  if (snappy::GetUncompressedLength(chars(stored.data()), stored.size(), &size) &&
      size <= expansion.claimed() && size <= stored.size() * kMaxSnappyExpansion) {
    if (const Status room = expansion.reserve(size); !room) return room;
    if (snappy::RawUncompress(chars(stored.data()), stored.size(),
                              reinterpret_cast<char*>(expansion.next()))) {
      expansion.advance(size);
      return {};
    }
  }
  const std::optional<Extent> extent = measure_snappy(stored);
  if (!extent) return expansion.refused();
  // Snappy treats following bytes as part of the stream, so the stream is cut to its length first.
  const View stream = stored.part(0, extent->used);
  if (extent->produced > expansion.claimed()) {
    if (!snappy::IsValidCompressedBuffer(chars(stream.data()), stream.size())) return expansion.refused();
    return expansion.too_long(extent->produced);
  }
  if (const Status room = expansion.reserve(extent->produced); !room) return room;
  if (!snappy::RawUncompress(chars(stream.data()), stream.size(),
                             reinterpret_cast<char*>(expansion.next()))) {
    return expansion.refused();
  }
  expansion.advance(extent->produced);
  // compression/trailing-bytes
  if (extent->used < stored.size()) expansion.note_trailing(extent->used);
  return {};
}

CompressStatus compress_snappy(Compression& compression) {
  const std::span<const std::uint8_t> image = compression.image();
  const CompressOptions& options = compression.options();
  if (image.size() > UINT32_MAX) return std::unexpected("a Snappy stream holds at most 4294967295 bytes");
  if (options.length_bytes < 1 || options.length_bytes > kMaxLengthBytes)
    return std::unexpected("the length before a Snappy stream has 1 to 5 bytes");
  if (options.literals_only) return append_literals(compression);
  // The library writes the shortest length, which is replaced by a longer one.
  const std::vector<std::uint8_t> length = length_of(image.size(), options.length_bytes);
  const std::size_t longer = length.size() - length_of(image.size(), 1).size();
  return compression.append_written(longer + snappy::MaxCompressedLength(image.size()), [&](auto room) {
    std::size_t size = 0;
    snappy::RawCompress(chars(image.data()), image.size(), reinterpret_cast<char*>(room.data() + longer),
                        &size);
    std::ranges::copy(length, room.begin());
    return longer + size;
  });
}

}  // namespace parqproof
