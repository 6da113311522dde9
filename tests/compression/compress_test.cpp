// Every codec writes what it reads: images of every kind and size, with every option, expanded by our own
// decompressor and by the codecs' own libraries.
#include "codec/compression/compress.hpp"

#include <brotli/decode.h>
#include <lz4.h>
#include <lz4frame.h>
#include <lzo/lzo1x.h>
#include <snappy.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "codec/compression/format.hpp"
#include "codec/compression/table.hpp"
#include "tests/compression/expanded.hpp"
#include "tests/compression/written_streams.hpp"

namespace parqproof {
namespace {

using namespace support;
using Layout = CompressOptions::Layout;
using enum CompressionCodec;

Bytes text(std::size_t size) {
  static constexpr std::string_view kWords =
      "the quick brown fox jumps over the lazy dog, 0123456789 times; ";
  Bytes data(size);
  std::size_t number = 1;
  for (std::size_t i = 0; i < size; ++i) {
    if (i % 7 == 0) number = (number * 48271) % 2147483647;
    data[i] = static_cast<std::uint8_t>(kWords[(number + i % 7) % kWords.size()]);
  }
  return data;
}

Bytes runs(std::size_t size) {
  Bytes data(size);
  for (std::size_t i = 0; i < size; ++i) data[i] = static_cast<std::uint8_t>(i / 1000 * 37);
  return data;
}

struct Image {
  std::string name;
  Bytes bytes;
};

// Sizes around those where formats change: words of 16 and 64 bytes, blocks and windows of 64 KiB.
std::vector<Image> images() {
  std::vector<Image> all;
  for (const std::size_t size :
       {0UL, 1UL, 15UL, 16UL, 17UL, 63UL, 64UL, 65UL, 65'535UL, 65'536UL, 65'537UL}) {
    const std::string of = " of " + std::to_string(size);
    all.push_back({"zeros" + of, Bytes(size)});
    all.push_back({"text" + of, text(size)});
    all.push_back({"noise" + of, noise(size)});
  }
  constexpr std::size_t kLarge = std::size_t{1} << 20;
  all.push_back({"runs of 1 MiB", runs(kLarge)});
  all.push_back({"text of 1 MiB", text(kLarge)});
  all.push_back({"noise of 1 MiB", noise(kLarge)});
  return all;
}

// One way to write a codec, and the rule that is noted where it is read, with what is found.
struct Way {
  CompressionCodec codec;
  std::string name;
  CompressOptions options;
  std::optional<Rule> noted = {};
  std::int64_t found = 0;
};

std::int64_t number_of(StreamFormat format) { return static_cast<std::int64_t>(format); }

std::vector<Way> ways() {
  std::vector<Way> all;
  for (const CompressionInfo& row : all_compression_codecs()) all.push_back({row.codec, "default", {}});
  const std::vector<Way> more{
      {SNAPPY, "literals only", {.literals_only = true}},
      {GZIP, "level 1", {.level = 1}},
      {GZIP, "2 members", {.level = 3, .pieces = 2}, Rule::compression_gzip_members, 2},
      {GZIP, "20 members", {.level = 3, .pieces = 20}, Rule::compression_gzip_members, 20},
      {ZSTD, "level 1", {.level = 1}},
      {ZSTD, "3 frames", {.level = 3, .pieces = 3}, Rule::compression_zstd_frames, 3},
      {ZSTD, "no content size", {.level = 3, .content_size = false}},
      {ZSTD, "checksum", {.level = 3, .checksum = true}},
      {ZSTD, "least window", {.level = 5, .window_log = 10}},
      {ZSTD, "largest window", {.level = 3, .window_log = 27, .content_size = false}},
      {ZSTD,
       "all at once",
       {.level = 3, .window_log = 12, .pieces = 2, .content_size = false, .checksum = true},
       Rule::compression_zstd_frames,
       2},
      {BROTLI, "level 1", {.level = 1}},
      {BROTLI, "least window", {.level = 5, .window_log = 10}},
      {BROTLI, "largest window", {.level = 5, .window_log = 24}},
      {LZ4, "blocks of 1000", {.block_size = 1000}},
      {LZ4, "fast blocks of 65536", {.level = 0, .block_size = 65536}},
      {LZ4,
       "bare",
       {.layout = Layout::bare},
       Rule::compression_lz4_layout,
       number_of(StreamFormat::lz4_block)},
      {LZ4,
       "frame",
       {.layout = Layout::frame},
       Rule::compression_lz4_layout,
       number_of(StreamFormat::lz4_frame)},
      {LZ4,
       "frame with checksum, without size",
       {.content_size = false, .checksum = true, .layout = Layout::frame},
       Rule::compression_lz4_layout,
       number_of(StreamFormat::lz4_frame)},
      {LZ4_RAW, "level 0", {.level = 0}},
      {LZO, "blocks of 1000", {.block_size = 1000}},
      {LZO, "bare", {.layout = Layout::bare}},
  };
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::string name_of(const Way& way) {
  return std::string(find_compression(way.codec)->name()) + " " + way.name;
}

// How long a stream of bytes that do not compress may be: headers for each piece and block, a little for each
// block of the format.
std::size_t most_stored(const Way& way, std::size_t size) {
  constexpr std::size_t kHeaders = 40;
  const std::size_t blocks = size / way.options.block_size.value_or(UINT32_MAX) + 1;
  return size + size / 200 + kHeaders * (blocks + way.options.pieces);
}

Bytes compressed(const Way& way, const Bytes& image) {
  Bytes out;
  Compressor compressor;
  REQUIRE(compressor.compress(way.codec, image, way.options, out));
  return out;
}
Bytes compressed(CompressionCodec codec, const Bytes& image, const CompressOptions& options = {}) {
  return compressed({codec, "", options}, image);
}

std::string refused(CompressionCodec codec, const CompressOptions& options) {
  Bytes out{1, 2, 3};
  Compressor compressor;
  const CompressStatus status = compressor.compress(codec, text(100), options, out);
  CHECK(out == Bytes{1, 2, 3});
  return status ? "" : std::string(status.error());
}

const char* chars(const Bytes& bytes) { return reinterpret_cast<const char*>(bytes.data()); }

// The codecs' own libraries, and zlib for what libdeflate wrote. The image, or nothing where they refuse.
using Foreign = std::optional<Bytes>;

Foreign zlib_image(const Bytes& stored, std::size_t size) {
  Bytes out(size + 1);
  std::size_t in_at = 0;
  std::size_t out_at = 0;
  while (in_at < stored.size()) {  // a member each
    z_stream stream{};
    stream.next_in = const_cast<Bytef*>(stored.data() + in_at);
    stream.avail_in = static_cast<uInt>(stored.size() - in_at);
    stream.next_out = out.data() + out_at;
    stream.avail_out = static_cast<uInt>(out.size() - out_at);
    REQUIRE(inflateInit2(&stream, 31) == Z_OK);
    const int result = inflate(&stream, Z_FINISH);
    in_at += stream.total_in;
    out_at += stream.total_out;
    inflateEnd(&stream);
    if (result != Z_STREAM_END) return std::nullopt;
  }
  out.resize(out_at);
  return out;
}

Foreign zstd_image(const Bytes& stored, std::size_t size) {
  Bytes out(size + 1);
  const std::size_t produced = ZSTD_decompress(out.data(), out.size(), stored.data(), stored.size());
  if (ZSTD_isError(produced) != 0U) return std::nullopt;
  out.resize(produced);
  return out;
}

Foreign brotli_image(const Bytes& stored, std::size_t size) {
  Bytes out(size + 1);
  std::size_t produced = out.size();
  if (BrotliDecoderDecompress(stored.size(), stored.data(), &produced, out.data()) !=
      BROTLI_DECODER_RESULT_SUCCESS) {
    return std::nullopt;
  }
  out.resize(produced);
  return out;
}

Foreign snappy_image(const Bytes& stored, std::size_t /*size*/) {
  std::string out;
  if (!snappy::Uncompress(chars(stored), stored.size(), &out)) return std::nullopt;
  return Bytes(out.begin(), out.end());
}

Foreign lz4_image(const Bytes& stored, std::size_t size) {
  Bytes out(size + 1);
  const int produced = LZ4_decompress_safe(chars(stored), reinterpret_cast<char*>(out.data()),
                                           static_cast<int>(stored.size()), static_cast<int>(out.size()));
  if (produced < 0) return std::nullopt;
  out.resize(static_cast<std::size_t>(produced));
  return out;
}

Foreign lz4_frame_image(const Bytes& stored, std::size_t size) {
  LZ4F_dctx* context = nullptr;
  REQUIRE(LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)) == 0U);
  Bytes out(size + 1);
  std::size_t in_at = 0;
  std::size_t out_at = 0;
  std::size_t hint = 1;
  while (hint != 0 && LZ4F_isError(hint) == 0U && (in_at < stored.size() || out_at < out.size())) {
    std::size_t in = stored.size() - in_at;
    std::size_t room = out.size() - out_at;
    hint = LZ4F_decompress(context, out.data() + out_at, &room, stored.data() + in_at, &in, nullptr);
    if (in == 0 && room == 0) break;
    in_at += in;
    out_at += room;
  }
  LZ4F_freeDecompressionContext(context);
  if (hint != 0 || in_at != stored.size()) return std::nullopt;
  out.resize(out_at);
  return out;
}

Foreign lzo_image(const Bytes& stored, std::size_t size) {
  REQUIRE(lzo_init() == LZO_E_OK);
  Bytes out(size + 1);
  lzo_uint produced = out.size();
  if (lzo1x_decompress_safe(stored.data(), stored.size(), out.data(), &produced, nullptr) != LZO_E_OK) {
    return std::nullopt;
  }
  out.resize(produced);
  return out;
}

// Hadoop's blocks, read as its BlockDecompressorStream reads them; each has one part here.
Foreign hadoop_image(Foreign (*part_image)(const Bytes&, std::size_t), const Bytes& stored,
                     std::size_t block) {
  Bytes out;
  std::size_t at = 0;
  const auto number = [&] {
    std::size_t value = 0;
    for (int i = 0; i < 4; ++i) value = value << 8 | stored.at(at++);
    return value;
  };
  while (at < stored.size()) {
    const std::size_t size = number();
    const std::size_t part = number();
    CHECK(size <= block);
    REQUIRE(part <= stored.size() - at);
    const auto first = stored.begin() + static_cast<std::ptrdiff_t>(at);
    const Foreign image = part_image(Bytes(first, first + static_cast<std::ptrdiff_t>(part)), size);
    if (!image || image->size() != size) return std::nullopt;
    append(out, *image);
    at += part;
  }
  return out;
}

Foreign foreign_image(const Way& way, const Bytes& stored, std::size_t size) {
  const std::size_t block = way.options.block_size.value_or(UINT32_MAX);
  switch (way.codec) {
    case UNCOMPRESSED:
      return stored;
    case SNAPPY:
      return snappy_image(stored, size);
    case GZIP:
      return zlib_image(stored, size);
    case BROTLI:
      return brotli_image(stored, size);
    case ZSTD:
      return zstd_image(stored, size);
    case LZ4_RAW:
      return lz4_image(stored, size);
    case LZO:
      return way.options.layout == Layout::bare ? lzo_image(stored, size)
                                                : hadoop_image(lzo_image, stored, block);
    case LZ4:
      break;
  }
  if (way.options.layout == Layout::hadoop) return hadoop_image(lz4_image, stored, block);
  return way.options.layout == Layout::bare ? lz4_image(stored, size) : lz4_frame_image(stored, size);
}

}  // namespace

TEST_CASE(
    "an image comes back by us and by the codec's library, and a rule is noted where an option asks for it",
    "[compression/gzip-members][compression/zstd-frames][compression/lz4-layout]") {
  const std::vector<Image> all = images();
  for (const Way& way : ways()) {
    for (const Image& image : all) {
      INFO(name_of(way) << ", " << image.name);
      const Bytes stored = compressed(way, image.bytes);
      const Expanded expanded = expand(way.codec, stored, image.bytes.size());
      REQUIRE(expanded.bytes.has_value());
      CHECK((*expanded.bytes == image.bytes));
      CHECK(expanded.notes.all().size() == (way.noted ? 1 : 0));
      if (way.noted) {
        const auto note = expanded.note(*way.noted);
        REQUIRE(note.has_value());
        CHECK(note->found == way.found);
      }
      CHECK(stored.size() <= most_stored(way, image.bytes.size()));
      const Foreign foreign = foreign_image(way, stored, image.bytes.size());
      REQUIRE(foreign.has_value());
      CHECK((*foreign == image.bytes));
    }
  }
}

TEST_CASE("every level gives a stream of the image, and the highest is the smaller one") {
  const Bytes image = text(20'000);
  for (const CompressionInfo& row : all_compression_codecs()) {
    if (!row.levels) continue;
    INFO(row.name());
    for (int level = row.levels->least; level <= row.levels->most; ++level) {
      for (const Bytes& bytes : {image, Bytes{}}) {
        INFO("level " << level << ", " << bytes.size() << " bytes");
        for (const Layout layout : {Layout::hadoop, Layout::bare, Layout::frame}) {
          if (layout != Layout::hadoop && row.codec != CompressionCodec::LZ4) continue;
          const Way way{row.codec, "", {.level = level, .layout = layout}};
          const Bytes stored = compressed(way, bytes);
          CHECK((expand(row.codec, stored, bytes.size()).bytes == bytes));
          CHECK((foreign_image(way, stored, bytes.size()) == bytes));
        }
      }
    }
    const auto size_of = [&](int level) { return compressed(row.codec, image, {.level = level}).size(); };
    CHECK(size_of(row.levels->most) < size_of(row.levels->least));
    CHECK(compressed(row.codec, image).size() <= size_of(row.levels->most));
    CHECK(refused(row.codec, {.level = row.levels->least - 1}) == "the codec has no such level");
    CHECK(refused(row.codec, {.level = row.levels->most + 1}) == "the codec has no such level");
  }
}

TEST_CASE("a compressor that has compressed other pages gives the bytes of a new one, behind what is there") {
  Bytes image = text(20'000);
  append(image, noise(6000));
  append(image, noise(6000));  // a match for a window of enough bytes
  const Bytes front{7, 8, 9};
  const std::vector<Way> all = ways();
  Compressor used;
  for (const Way& before : all) {
    for (const Way& way : all) {
      if (way.codec != before.codec) continue;
      INFO(name_of(way) << " after " << name_of(before));
      Bytes out;
      REQUIRE(used.compress(before.codec, image, before.options, out));
      out = front;
      REQUIRE(used.compress(way.codec, image, way.options, out));
      Bytes expected = front;
      append(expected, compressed(way, image));
      CHECK((out == expected));
    }
  }
  Compressor moved = std::move(used);
  Bytes out;
  REQUIRE(moved.compress(ZSTD, image, {}, out));
  CHECK((out == compressed(ZSTD, image)));
}

TEST_CASE("what no stream can be made with is refused") {
  CHECK(refused(static_cast<CompressionCodec>(8), {}) == "the specification defines no such codec");
  CHECK(refused(GZIP, {.pieces = 0}) == "an image has one piece at least");
  CHECK(refused(ZSTD, {.pieces = 0}) == "an image has one piece at least");
  CHECK(refused(LZ4, {.block_size = 0}) == "a block has one byte at least");
  CHECK(refused(LZO, {.block_size = 0}) == "a block has one byte at least");
  CHECK(refused(LZO, {.layout = Layout::frame}) == "LZO has no frames");
  for (const unsigned log : {9U, 28U}) {
    CHECK(refused(ZSTD, {.window_log = log}) == "a window of ZSTD has 2^10 to 2^27 bytes");
  }
  for (const unsigned log : {9U, 25U}) {
    CHECK(refused(BROTLI, {.window_log = log}) == "a window of BROTLI has 2^10 to 2^24 bytes");
  }
}

TEST_CASE("a frame has its content size and its checksum as the options say") {
  const Bytes image = text(5000);
  for (const bool content_size : {false, true}) {
    for (const bool checksum : {false, true}) {
      CompressOptions options{.content_size = content_size, .checksum = checksum};
      const Bytes zstd = compressed(ZSTD, image, options);
      const auto size = ZSTD_getFrameContentSize(zstd.data(), zstd.size());
      CHECK(size == (content_size ? image.size() : ZSTD_CONTENTSIZE_UNKNOWN));
      CHECK(((zstd[4] & 4U) != 0) == checksum);  // the frame's descriptor
      options.layout = Layout::frame;
      const Bytes lz4 = compressed(LZ4, image, options);
      CHECK(((lz4[4] & 8U) != 0) == content_size);
      CHECK(((lz4[4] & 4U) != 0) == checksum);
    }
  }
}

TEST_CASE("a match does not reach beyond the window") {
  Bytes image = noise(20'000);
  append(image, noise(20'000));
  for (const CompressionCodec codec : {ZSTD, BROTLI}) {
    CHECK(compressed(codec, image).size() < 21'000);
    CHECK(compressed(codec, image, {.window_log = 16}).size() < 21'000);
    CHECK(compressed(codec, image, {.window_log = 12}).size() > 39'000);
  }
}

TEST_CASE("pieces and blocks are of equal size, and the last ones have what is left") {
  const Bytes zstd = compressed(ZSTD, text(10), {.pieces = 4});  // 3, 3, 3, 1
  std::vector<unsigned long long> sizes;
  for (std::size_t at = 0; at < zstd.size();) {
    sizes.push_back(ZSTD_getFrameContentSize(zstd.data() + at, zstd.size() - at));
    at += ZSTD_findFrameCompressedSize(zstd.data() + at, zstd.size() - at);
  }
  CHECK(sizes == std::vector<unsigned long long>{3, 3, 3, 1});
  const Bytes image{'a', 'b', 'c', 'd', 'e'};
  CHECK(compressed(LZO, image, {.block_size = 3}) ==
        Bytes{0, 0, 0, 3, 0, 0, 0, 7, 20, 'a', 'b', 'c',  0x11, 0, 0,  //
              0, 0, 0, 2, 0, 0, 0, 6, 19, 'd', 'e', 0x11, 0,    0});
  CHECK(compressed(LZO, {}) == Bytes{0, 0, 0, 0, 0, 0, 0, 3, 0x11, 0, 0});
  CHECK(compressed(LZ4, {}) == Bytes{0, 0, 0, 0, 0, 0, 0, 1, 0});
}

TEST_CASE("literals have their number in as few bytes as the format allows") {
  struct Expected {
    std::size_t size;
    Bytes snappy;  // before the literals
    Bytes lzo;
  };
  for (const Expected& row : {Expected{1, {1, 0}, {18}},
                              {60, {60, 59 << 2}, {77}},
                              {61, {61, 60 << 2, 60}, {78}},
                              {238, {0xEE, 1, 60 << 2, 237}, {255}},
                              {239, {0xEF, 1, 60 << 2, 238}, {0, 221}},
                              {256, {0x80, 2, 60 << 2, 255}, {0, 238}},
                              {257, {0x81, 2, 61 << 2, 0, 1}, {0, 239}},
                              {273, {0x91, 2, 61 << 2, 16, 1}, {0, 255}},
                              {274, {0x92, 2, 61 << 2, 17, 1}, {0, 0, 1}},
                              {528, {0x90, 4, 61 << 2, 15, 2}, {0, 0, 255}},
                              {529, {0x91, 4, 61 << 2, 16, 2}, {0, 0, 0, 1}}}) {
    INFO(row.size);
    const Bytes image = noise(row.size);
    Bytes snappy = row.snappy;
    append(snappy, image);
    CHECK(compressed(SNAPPY, image, {.literals_only = true}) == snappy);
    Bytes lzo = row.lzo;
    append(lzo, image);
    append(lzo, {0x11, 0, 0});
    CHECK(compressed(LZO, image, {.layout = Layout::bare}) == lzo);
  }
  for (const std::size_t size : {65'536UL, 65'537UL, 16'777'216UL, 16'777'217UL}) {
    const Bytes image(size, 'x');
    const Bytes stored = compressed(SNAPPY, image, {.literals_only = true});
    CHECK((snappy_image(stored, size) == image));
    CHECK(stored.size() == size + (size > 2'097'151 ? 4 : 3) +
                               (size == 65'536      ? 3
                                : size > 16'777'216 ? 5
                                                    : 4));
  }
  CHECK(compressed(SNAPPY, {}, {.literals_only = true}) == Bytes{0});
}

TEST_CASE("a bare LZO stream whose literals are Hadoop's blocks as well is what has the claimed size") {
  // 274 literals behind 00 00 01: a block of 0x10B bytes, whose part has 0x110 with 267 literals.
  Bytes image{0x0B, 0, 0, 1, 0x10, 0, 249};
  append(image, noise(267));
  const Bytes stored = compressed(LZO, image, {.layout = Layout::bare});
  CHECK((expand(LZO, stored, image.size()).bytes == image));
  CHECK((expand(LZO, stored, 267).bytes == noise(267)));
}

TEST_CASE("a GZIP member whose header has a wrong checksum is refused", "[compression/stream]") {
  const Bytes image = text(1000);
  for (const std::uint32_t pieces : {1U, 2U}) {
    const Bytes stored = compressed(GZIP, image, {.level = 6, .pieces = pieces, .gzip = {.checksum = true}});
    const std::size_t second = compressed(GZIP, text(500), {.level = 6, .gzip = {.checksum = true}}).size();
    for (const std::size_t at : {std::size_t{10}, std::size_t{11}, second + 10, second + 11}) {
      if (pieces == 1 && at >= second) continue;
      INFO(pieces << " pieces, byte " << at);
      Bytes wrong = stored;
      wrong[at] ^= 1;
      const Expanded expanded = expand(GZIP, wrong, image.size());
      REQUIRE(expanded.error.has_value());
      CHECK(expanded.error->rule == Rule::compression_stream);
      CHECK(zlib_image(wrong, image.size()) == std::nullopt);
    }
    CHECK((expand(GZIP, stored, image.size()).bytes == image));
  }
}

}  // namespace parqproof
