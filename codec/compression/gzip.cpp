#include <libdeflate.h>
#include <zlib.h>

#include <limits>

#include "codec/base/bits.hpp"
#include "codec/compression/codecs.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kMemberBytes = 18;            // min size: header and trailer of an empty member
constexpr std::size_t kMaxDeflateExpansion = 1032;  // deflate: 258 bytes from two bits
constexpr std::uint8_t kDeflate = 8;                // the only compression method
constexpr int kGzipWindow = 15 + 16;                // max window, with gzip header and trailer

bool is_member(View bytes) noexcept {
  return bytes.size() >= 2 && bytes.bytes[0] == 0x1F && bytes.bytes[1] == 0x8B;
}

// Flags of a header (RFC 1952, 2.3.1).
constexpr unsigned kText = 1;
constexpr unsigned kHeaderChecksum = 2;
constexpr unsigned kExtra = 4;
constexpr unsigned kName = 8;
constexpr unsigned kComment = 16;

// Values of XFL, which state the level.
constexpr std::uint8_t kMaxEffort = 2;
constexpr std::uint8_t kMinEffort = 4;
std::uint8_t effort_of(int level) noexcept {
  constexpr int kMaxEffortLevel = 8;
  constexpr int kMinEffortLevel = 1;
  return level >= kMaxEffortLevel ? kMaxEffort : level <= kMinEffortLevel ? kMinEffort : 0;
}

using Bytes = std::vector<std::uint8_t>;

// Returns the header of a member, or the reason why a field cannot be written.
std::expected<Bytes, std::string_view> header_of(const GzipHeader& header, int level) {
  const std::uint8_t effort = header.effort.value_or(effort_of(level));
  if (effort != 0 && effort != kMaxEffort && effort != kMinEffort)
    return std::unexpected("the extra flags of GZIP are 0, 2 or 4");
  const unsigned flags = (header.text ? kText : 0U) | (header.checksum ? kHeaderChecksum : 0U) |
                         (header.extra ? kExtra : 0U) | (header.name ? kName : 0U) |
                         (header.comment ? kComment : 0U);
  Bytes out{0x1F, 0x8B, kDeflate, static_cast<std::uint8_t>(flags)};
  append_le(out, header.time, 4);
  out.push_back(effort);
  out.push_back(header.system);
  if (header.extra) {
    Bytes extra;
    for (const GzipHeader::Subfield& field : *header.extra) {
      if (field.id[1] == 0) return std::unexpected("the second byte of a GZIP subfield's name is not 0");
      extra.insert(extra.end(), field.id.begin(), field.id.end());
      append_le(extra, field.bytes.size(), 2);
      extra.insert(extra.end(), field.bytes.begin(), field.bytes.end());
    }
    if (extra.size() > UINT16_MAX) return std::unexpected("the extra field of GZIP has at most 65535 bytes");
    append_le(out, extra.size(), 2);
    out.insert(out.end(), extra.begin(), extra.end());
  }
  for (const std::optional<std::string>* const text : {&header.name, &header.comment}) {
    if (!*text) continue;
    if ((*text)->find('\0') != std::string::npos)
      return std::unexpected("a name or a comment of GZIP ends at a byte of 0");
    out.insert(out.end(), (*text)->begin(), (*text)->end());
    out.push_back(0);
  }
  if (header.checksum) append_le(out, libdeflate_crc32(0, out.data(), out.size()), 2);
  return out;
}

uInt clamp(std::size_t size) noexcept {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

}  // namespace

struct GzipDecompressor::Streams {
  libdeflate_decompressor* one_shot = libdeflate_alloc_decompressor();
  z_stream stream{};
  bool ready = inflateInit2(&stream, kGzipWindow) == Z_OK;

  Streams() = default;
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  ~Streams() {
    if (one_shot != nullptr) libdeflate_free_decompressor(one_shot);
    if (ready) inflateEnd(&stream);
  }

  // Expands a single member whose expanded size is known. Returns the bytes used; 0 if there is any fault or
  // another size.
  std::size_t expand_single(Expansion& expansion) {
    const View stored = expansion.stored();
    const std::size_t size = expansion.claimed();
    // libdeflate ignores the checksum of a header, zlib compares it.
    if (one_shot == nullptr || stored.size() < kMemberBytes || (stored.bytes[3] & kHeaderChecksum) != 0 ||
        size / kMaxDeflateExpansion > stored.size() ||
        load_le<std::uint32_t>(stored.data() + stored.size() - 4) != static_cast<std::uint32_t>(size)) {
      return 0;
    }
    if (!expansion.reserve(size)) return 0;
    std::size_t used = 0;
    std::size_t produced = 0;
    const libdeflate_result result = libdeflate_gzip_decompress_ex(one_shot, stored.data(), stored.size(),
                                                                   expansion.next(), size, &used, &produced);
    if (result != LIBDEFLATE_SUCCESS || used != stored.size() || produced != size) return 0;
    expansion.advance(produced);
    return used;
  }

  // Expands one member from `position` on, of any size. Returns the position after it.
  Result<std::size_t> expand_member(Expansion& expansion, std::size_t position) {
    const View stored = expansion.stored();
    if (!ready || inflateReset(&stream) != Z_OK) return expansion.refused();
    for (;;) {
      if (expansion.room() == 0) {
        if (const Status room = expansion.reserve_more(); !room) {
          return std::unexpected(room.error());
        }
      }
      // When the claimed size is complete, one more byte proves it too small.
      std::uint8_t beyond = 0;
      const bool full = expansion.room() == 0;
      stream.next_in = const_cast<Bytef*>(stored.data() + position);  // NOLINT: zlib does not write there
      stream.avail_in = clamp(stored.size() - position);
      stream.next_out = full ? &beyond : expansion.next();
      stream.avail_out = full ? 1 : clamp(expansion.room());
      const uInt in_before = stream.avail_in;
      const uInt out_before = stream.avail_out;
      const int result = inflate(&stream, Z_NO_FLUSH);
      const std::size_t produced = out_before - stream.avail_out;
      position += in_before - stream.avail_in;
      if (full && produced != 0) return expansion.too_long(expansion.produced() + 1);
      if (!full) expansion.advance(produced);
      if (result == Z_STREAM_END) return position;
      if (result != Z_OK)
        return expansion.refused();  // includes Z_BUF_ERROR: the bytes end inside the stream
    }
  }
};

GzipDecompressor::GzipDecompressor() = default;
GzipDecompressor::~GzipDecompressor() = default;

Status GzipDecompressor::expand(Expansion& expansion) {
  if (streams_ == nullptr) streams_ = std::make_unique<Streams>();
  const View stored = expansion.stored();
  if (streams_->expand_single(expansion) != 0) return {};
  std::size_t position = 0;
  std::size_t second = 0;  // position of the second member
  std::uint64_t members = 0;
  do {
    if (++members == 2) second = position;
    const Result<std::size_t> end = streams_->expand_member(expansion, position);
    if (!end) return std::unexpected(end.error());
    position = *end;
  } while (is_member(stored.from(position)));
  // compression/gzip-members
  if (members > 1) expansion.note(Rule::compression_gzip_members, second, position - second, members, 1);
  // compression/trailing-bytes
  if (position < stored.size()) expansion.note_trailing(position);
  return {};
}

void GzipCompressor::Free::operator()(Context* context) const noexcept {
  libdeflate_free_compressor(reinterpret_cast<libdeflate_compressor*>(context));
}

CompressStatus GzipCompressor::compress(Compression& compression) {
  const auto header = header_of(compression.options().gzip, compression.level());
  if (!header) return std::unexpected(header.error());
  if (context_ == nullptr || level_ != compression.level()) {
    level_ = compression.level();
    context_.reset(reinterpret_cast<Context*>(libdeflate_alloc_compressor(level_)));
    if (context_ == nullptr) return std::unexpected("no memory for the compressor");
  }
  auto* const compressor = reinterpret_cast<libdeflate_compressor*>(context_.get());
  return compression.for_each_piece([&](std::span<const std::uint8_t> piece) -> CompressStatus {
    compression.append(*header);
    const CompressStatus written = compression.append_written(
        libdeflate_deflate_compress_bound(compressor, piece.size()), [&](auto room) {
          return libdeflate_deflate_compress(compressor, piece.data(), piece.size(), room.data(),
                                             room.size());
        });
    compression.append_number(libdeflate_crc32(0, piece.data(), piece.size()), 4);
    compression.append_number(piece.size(), 4);
    return written;
  });
}

}  // namespace parqproof
