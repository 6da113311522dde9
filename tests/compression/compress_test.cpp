// Every codec reads what it writes: images of every kind and size, with every option, expanded by our own
// decompressor and by the codecs' own libraries.
#include "codec/compression/compress.hpp"

#include <brotli/decode.h>
#include <libdeflate.h>
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

// One way to write a codec, and the rule that the reader notes about it, with the found value.
struct Way {
  CompressionCodec codec;
  std::string name;
  CompressOptions options;
  std::optional<Rule> noted = {};
  std::int64_t found = 0;
};

std::int64_t number_of(StreamFormat format) { return static_cast<std::int64_t>(format); }

// Every field of a header.
GzipHeader complete_header() {
  return {.text = true,
          .time = 0x65432101,
          .effort = 4,
          .system = 3,
          .extra = {{{{'A', 'p'}, {1, 2, 3}}, {{0, 0xFF}, {}}, {{'z', 'z'}, Bytes(300, 7)}}},
          .name = "a name",
          .comment = "caf\xE9\nand more",
          .checksum = true};
}

std::vector<Way> ways() {
  std::vector<Way> all;
  for (const CompressionInfo& row : all_compression_codecs()) all.push_back({row.codec, "default", {}});
  const std::vector<Way> more{
      {SNAPPY, "literals only", {.literals_only = true}},
      {SNAPPY, "literals of 1000", {.literals_only = true, .literal_size = 1000}},
      {SNAPPY,
       "long literal lengths",
       {.literals_only = true, .literal_size = 50, .literal_length_bytes = 4, .length_bytes = 4}},
      {SNAPPY, "longest length", {.length_bytes = 5}},
      {GZIP, "level 1", {.level = 1}},
      {GZIP, "2 members", {.level = 3, .pieces = 2}, Rule::compression_gzip_members, 2},
      {GZIP, "20 members", {.level = 3, .pieces = 20}, Rule::compression_gzip_members, 20},
      {GZIP, "complete header", {.level = 2, .gzip = complete_header()}},
      {GZIP,
       "complete header of 3 members",
       {.level = 2, .pieces = 3, .gzip = complete_header()},
       Rule::compression_gzip_members,
       3},
      {ZSTD, "level 1", {.level = 1}},
      {ZSTD, "empty skippable frame", {.level = 1, .skippable_bytes = 0}, Rule::compression_zstd_frames, 2},
      {ZSTD,
       "skippable frame before 2 frames",
       {.level = 1, .pieces = 2, .skippable_bytes = 70'000},
       Rule::compression_zstd_frames,
       3},
      {ZSTD, "3 frames", {.level = 3, .pieces = 3}, Rule::compression_zstd_frames, 3},
      {ZSTD, "no content size", {.level = 3, .content_size = false}},
      {ZSTD, "checksum", {.level = 3, .checksum = true}},
      {ZSTD, "smallest window", {.level = 5, .window_log = 10}},
      {ZSTD, "largest window", {.level = 3, .window_log = 27, .content_size = false}},
      {ZSTD,
       "all at once",
       {.level = 3, .window_log = 12, .pieces = 2, .content_size = false, .checksum = true},
       Rule::compression_zstd_frames,
       2},
      {BROTLI, "level 1", {.level = 1}},
      {BROTLI, "smallest window", {.level = 5, .window_log = 10}},
      {BROTLI, "largest window", {.level = 5, .window_log = 24}},
      {BROTLI, "3 pieces", {.level = 5, .pieces = 3}},
      {BROTLI, "20 pieces", {.level = 1, .pieces = 20}},
      {BROTLI, "empty metadata", {.level = 1, .skippable_bytes = 0}},
      {BROTLI, "metadata", {.level = 9, .pieces = 2, .skippable_bytes = 70'000}},
      {BROTLI, "distances", {.level = 6, .postfix_bits = 2, .direct_distances = 36}},
      {LZ4, "blocks of 1000", {.block_size = 1000}},
      {LZ4, "parts of 1000", {.level = 0, .part_size = 1000}},
      {LZ4, "parts of 1000 in blocks of 2500", {.level = 0, .block_size = 2500, .part_size = 1000}},
      {LZ4, "no empty part", {.level = 0, .empty_part = false}},
      {LZ4, "fast blocks of 65536", {.level = 0, .block_size = 65536}},
      {LZ4,
       "bare",
       {.layout = Layout::bare},
       Rule::compression_lz4_layout,
       number_of(StreamFormat::lz4_block)},
      {LZ4,
       "frame",
       {.layout = Layout::frame},
       Rule::compression_lz4_frame,
       number_of(StreamFormat::lz4_frame)},
      {LZ4,
       "frame with checksum, without size",
       {.content_size = false, .checksum = true, .layout = Layout::frame},
       Rule::compression_lz4_frame,
       number_of(StreamFormat::lz4_frame)},
      {LZ4,
       "frame of independent small blocks with checksums",
       {.level = 0,
        .layout = Layout::frame,
        .frame_block_log = 16,
        .linked_blocks = false,
        .block_checksum = true},
       Rule::compression_lz4_frame,
       number_of(StreamFormat::lz4_frame)},
      {LZ4,
       "frame of linked blocks of 1000",
       {.level = 4,
        .checksum = true,
        .layout = Layout::frame,
        .block_size = 1000,
        .frame_block_log = 22,
        .linked_blocks = true},
       Rule::compression_lz4_frame,
       number_of(StreamFormat::lz4_frame)},
      {LZ4_RAW, "level 0", {.level = 0}},
      {LZO, "blocks of 1000", {.block_size = 1000}},
      {LZO, "parts of 700 in blocks of 1000", {.block_size = 1000, .part_size = 700}},
      {LZO, "no empty part", {.empty_part = false}},
      {LZO, "an instruction for each run", {.first_byte_counts = false, .part_size = 100}},
      {LZO, "bare", {.layout = Layout::bare}},
  };
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::string name_of(const Way& way) {
  return std::string(find_compression(way.codec)->name()) + " " + way.name;
}

// Maximum size of a stream of incompressible bytes: headers for each piece, block, part and literal, a
// little for each block of the format, and what the options put before it.
std::size_t most_stored(const Way& way, std::size_t size) {
  constexpr std::size_t kHeaders = 40;
  constexpr std::size_t kCompleteHeader = 350;
  const CompressOptions& options = way.options;
  std::size_t items = options.pieces;
  for (const auto& most : {options.block_size, options.part_size, options.literal_size})
    items += size / most.value_or(UINT32_MAX) + 1;
  return size + size / 200 + kHeaders * items + options.skippable_bytes.value_or(0) +
         (options.gzip.name ? kCompleteHeader * options.pieces : 0);
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
  CHECK((out == Bytes{1, 2, 3}));
  return status ? "" : std::string(status.error());
}

const char* chars(const Bytes& bytes) { return reinterpret_cast<const char*>(bytes.data()); }

// The codecs' own libraries, and zlib for what libdeflate wrote. The image, or nullopt if they reject the
// stream.
using Foreign = std::optional<Bytes>;

Foreign zlib_image(const Bytes& stored, std::size_t size) {
  Bytes out(size + 1);
  std::size_t in_at = 0;
  std::size_t out_at = 0;
  while (in_at < stored.size()) {  // one member per round
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

// Hadoop's blocks, read as its BlockDecompressorStream reads them: parts until the size of the block is met.
Foreign hadoop_image(Foreign (*part_image)(const Bytes&, std::size_t), const Bytes& stored,
                     const CompressOptions& options) {
  Bytes out;
  std::size_t at = 0;
  const auto number = [&] {
    std::size_t value = 0;
    for (int i = 0; i < 4; ++i) value = value << 8 | stored.at(at++);
    return value;
  };
  while (at < stored.size()) {
    const std::size_t size = number();
    CHECK(size <= options.block_size.value_or(UINT32_MAX));
    if (size == 0 && !options.empty_part) continue;
    const std::size_t end = out.size() + size;
    do {
      const std::size_t part = number();
      REQUIRE(part <= stored.size() - at);
      const Foreign image = part_image(support::part(stored, at, part), end - out.size());
      if (!image || image->size() > end - out.size() || (image->empty() && size != 0)) return std::nullopt;
      CHECK(image->size() == std::min<std::size_t>(end - out.size(), options.part_size.value_or(UINT32_MAX)));
      append(out, *image);
      at += part;
    } while (out.size() != end);
  }
  return out;
}

Foreign foreign_image(const Way& way, const Bytes& stored, std::size_t size) {
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
                                                : hadoop_image(lzo_image, stored, way.options);
    case LZ4:
      break;
  }
  if (way.options.layout == Layout::hadoop) return hadoop_image(lz4_image, stored, way.options);
  return way.options.layout == Layout::bare ? lz4_image(stored, size) : lz4_frame_image(stored, size);
}

}  // namespace

TEST_CASE("every image is expanded by us and by the codec's library, and an unusual form is noted",
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

TEST_CASE("every level gives a valid stream, and the highest level the smaller one") {
  const Bytes image = text(20'000);
  for (const CompressionInfo& row : all_compression_codecs()) {
    if (!row.levels) continue;
    INFO(row.name());
    for (int level = row.levels->min; level <= row.levels->max; ++level) {
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
    CHECK(size_of(row.levels->max) < size_of(row.levels->min));
    CHECK((compressed(row.codec, image) == compressed(row.codec, image, {.level = row.levels->usual})));
    CHECK(refused(row.codec, {.level = row.levels->min - 1}) == "the codec has no such level");
    CHECK(refused(row.codec, {.level = row.levels->max + 1}) == "the codec has no such level");
  }
}

TEST_CASE("a reused compressor appends the same bytes as a new one") {
  const Bytes image = text(20'000) + noise(6000) + noise(6000);  // a match for a window of enough bytes
  const Bytes front{7, 8, 9};
  const std::vector<Way> all = ways();
  Compressor used;
  for (const Way& way : all) {
    const Bytes expected = front + compressed(way, image);
    for (const Way& before : all) {
      if (way.codec != before.codec) continue;
      INFO(name_of(way) << " after " << name_of(before));
      Bytes out;
      REQUIRE(used.compress(before.codec, image, before.options, out));
      out = front;
      REQUIRE(used.compress(way.codec, image, way.options, out));
      CHECK((out == expected));
    }
  }
  Compressor moved = std::move(used);
  Bytes out;
  REQUIRE(moved.compress(ZSTD, image, {}, out));
  CHECK((out == compressed(ZSTD, image)));
}

TEST_CASE("options that no stream can have are rejected") {
  CHECK(refused(static_cast<CompressionCodec>(8), {}) == "the specification defines no such codec");
  CHECK(refused(GZIP, {.pieces = 0}) == "an image has at least one piece");
  CHECK(refused(ZSTD, {.pieces = 0}) == "an image has at least one piece");
  CHECK(refused(LZ4, {.block_size = 0}) == "a block has at least one byte");
  CHECK(refused(LZO, {.block_size = 0}) == "a block has at least one byte");
  CHECK(refused(LZO, {.layout = Layout::frame}) == "LZO has no frames");
  CHECK(refused(BROTLI, {.pieces = 0}) == "an image has at least one piece");
  CHECK(refused(LZ4, {.layout = Layout::frame, .block_size = 0}) == "a block has at least one byte");
  CHECK(refused(LZ4, {.part_size = 0}) == "a part of a block has at least one byte");
  CHECK(refused(LZO, {.part_size = 0}) == "a part of a block has at least one byte");
  for (const unsigned log : {0U, 14U, 15U, 17U, 21U, 23U, 24U, 64U}) {
    CHECK(refused(LZ4, {.layout = Layout::frame, .frame_block_log = log}) ==
          "a block of an LZ4 frame has at most 2^16, 2^18, 2^20 or 2^22 bytes");
  }
  for (const bool literals_only : {false, true}) {
    for (const unsigned bytes : {0U, 6U}) {
      CHECK(refused(SNAPPY, {.literals_only = literals_only, .length_bytes = bytes}) ==
            "the length before a Snappy stream has 1 to 5 bytes");
    }
  }
  CHECK(refused(SNAPPY, {.literals_only = true, .literal_size = 0}) == "a literal has at least one byte");
  CHECK(refused(SNAPPY, {.literals_only = true, .literal_length_bytes = 5}) ==
        "the length of a literal has at most 4 bytes after the tag");
  CHECK(refused(BROTLI, {.skippable_bytes = (1U << 24) + 1}) ==
        "a metadata block of BROTLI has at most 2^24 bytes");
  CHECK(refused(BROTLI, {.postfix_bits = 4}) == "distances of BROTLI have at most 3 postfix bits");
  constexpr std::string_view kDirect = "BROTLI has 0 to 15 direct distances for each postfix";
  CHECK(refused(BROTLI, {.direct_distances = 16}) == kDirect);
  CHECK(refused(BROTLI, {.postfix_bits = 0, .direct_distances = 16}) == kDirect);
  CHECK(refused(BROTLI, {.postfix_bits = 2, .direct_distances = 6}) == kDirect);
  CHECK(refused(BROTLI, {.postfix_bits = 3, .direct_distances = 128}) == kDirect);
  for (const unsigned log : {9U, 28U}) {
    CHECK(refused(ZSTD, {.window_log = log}) == "a window of ZSTD has 2^10 to 2^27 bytes");
  }
  for (const unsigned log : {9U, 25U}) {
    CHECK(refused(BROTLI, {.window_log = log}) == "a window of BROTLI has 2^10 to 2^24 bytes");
  }
}

TEST_CASE("the options set the content size and the checksum of a frame") {
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
  const Bytes image = noise(20'000) + noise(20'000);
  for (const CompressionCodec codec : {ZSTD, BROTLI}) {
    CHECK(compressed(codec, image).size() < 21'000);
    CHECK(compressed(codec, image, {.window_log = 16}).size() < 21'000);
    CHECK(compressed(codec, image, {.window_log = 12}).size() > 39'000);
  }
}

TEST_CASE("pieces and blocks are of equal size, and the last one has the remainder") {
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

TEST_CASE("literals have their length in as few bytes as the format allows") {
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
    CHECK(compressed(SNAPPY, image, {.literals_only = true}) == row.snappy + image);
    CHECK(compressed(LZO, image, {.layout = Layout::bare}) == row.lzo + image + Bytes{0x11, 0, 0});
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

TEST_CASE("of a bare LZO stream that is also Hadoop's blocks, the reading with the claimed size is chosen") {
  // 274 literals after 00 00 01: a block of 0x10B bytes, whose part has 0x110 with 267 literals.
  const Bytes image = Bytes{0x0B, 0, 0, 1, 0x10, 0, 249} + noise(267);
  const Bytes stored = compressed(LZO, image, {.layout = Layout::bare});
  CHECK((expand(LZO, stored, image.size()).bytes == image));
  CHECK((expand(LZO, stored, 267).bytes == noise(267)));
}

TEST_CASE("fields that no GZIP header can hold are rejected") {
  const auto refusal = [](GzipHeader header) {
    return refused(GZIP, {.pieces = 2, .gzip = std::move(header)});
  };
  for (const unsigned effort : {1U, 3U, 5U, 255U}) {
    CHECK(refusal({.effort = static_cast<std::uint8_t>(effort)}) == "the extra flags of GZIP are 0, 2 or 4");
  }
  const std::string zero("a\0b", 3);
  CHECK(refusal({.name = zero}) == "a name or a comment of GZIP ends at a byte of 0");
  CHECK(refusal({.comment = zero}) == "a name or a comment of GZIP ends at a byte of 0");
  CHECK(refusal({.extra = {{{{'a', 'b'}, {}}, {{'c', 0}, {}}}}}) ==
        "the second byte of a GZIP subfield's name is not 0");
  const Bytes longest = compressed(GZIP, text(100), {.gzip = {.extra = {{{{'a', 'b'}, Bytes(65'531)}}}}});
  CHECK((expand(GZIP, longest, 100).bytes == text(100)));
  CHECK(refusal({.extra = {{{{'a', 'b'}, Bytes(65'532)}}}}) ==
        "the extra field of GZIP has at most 65535 bytes");
  CHECK(refusal({.extra = {{{{'a', 'b'}, Bytes(65'528)}, {{'a', 'b'}, {}}}}}) ==
        "the extra field of GZIP has at most 65535 bytes");
}

TEST_CASE("by default a GZIP member is the one that libdeflate writes") {
  for (int level = 0; level <= 12; ++level) {
    for (const std::size_t size : {0UL, 1UL, 40UL, 70'000UL}) {
      const Bytes image = text(size);
      libdeflate_compressor* const compressor = libdeflate_alloc_compressor(level);
      Bytes expected(libdeflate_gzip_compress_bound(compressor, size));
      expected.resize(
          libdeflate_gzip_compress(compressor, image.data(), size, expected.data(), expected.size()));
      libdeflate_free_compressor(compressor);
      INFO("level " << level << ", " << size << " bytes");
      CHECK((compressed(GZIP, image, {.level = level}) == expected));
    }
  }
}

TEST_CASE("a GZIP member has the fields that the options set") {
  struct Row {
    GzipHeader header;
    Bytes bytes;
  };
  const std::vector<Row> rows{
      {{}, {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255}},
      {{.text = true}, {0x1F, 0x8B, 8, 1, 0, 0, 0, 0, 0, 255}},
      {{.time = 0xFEDCBA98}, {0x1F, 0x8B, 8, 0, 0x98, 0xBA, 0xDC, 0xFE, 0, 255}},
      {{.effort = 2}, {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 255}},
      {{.system = 0}, {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0}},
      {{.extra = std::vector<GzipHeader::Subfield>{}}, {0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 255, 0, 0}},
      {{.extra = {{{{'A', 'b'}, {9}}, {{0, 1}, {}}}}},
       {0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 255, 9, 0, 'A', 'b', 1, 0, 9, 0, 1, 0, 0}},
      {{.name = ""}, {0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 255, 0}},
      {{.name = "n\xFF"}, {0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 255, 'n', 0xFF, 0}},
      {{.name = "n", .comment = "c\n"}, {0x1F, 0x8B, 8, 24, 0, 0, 0, 0, 0, 255, 'n', 0, 'c', '\n', 0}},
      {{.comment = "c", .checksum = true}, {0x1F, 0x8B, 8, 18, 0, 0, 0, 0, 0, 255, 'c', 0}},
      {{.checksum = true}, {0x1F, 0x8B, 8, 2, 0, 0, 0, 0, 0, 255}},
  };
  const Bytes image = text(1000);
  for (const Row& row : rows) {
    INFO("flags " << int{row.bytes[3]} << ", " << row.bytes.size() << " bytes");
    Bytes expected = row.bytes;
    if (row.header.checksum) append_le(expected, crc32(0, row.bytes.data(), uInt(row.bytes.size())), 2);
    append(expected, part(compressed(GZIP, image, {.level = 6}), 10));
    CHECK((compressed(GZIP, image, {.level = 6, .gzip = row.header}) == expected));
  }
  CHECK(compressed(GZIP, image, {.level = 1})[8] == 4);
  CHECK(compressed(GZIP, image, {.level = 2})[8] == 0);
  CHECK(compressed(GZIP, image, {.level = 7})[8] == 0);
  CHECK(compressed(GZIP, image, {.level = 8})[8] == 2);
  CHECK(compressed(GZIP, image, {.level = 12, .gzip = {.effort = 0}})[8] == 0);
}

TEST_CASE("zlib finds every field in the header of every GZIP member") {
  const GzipHeader header = complete_header();
  const Bytes stored = compressed(GZIP, text(1000), {.level = 6, .pieces = 3, .gzip = header});
  std::size_t at = 0;
  for (int member = 0; member < 3; ++member) {
    INFO("member " << member);
    z_stream stream{};
    gz_header found{};
    Bytes out(1000);
    Bytes extra(1000);
    Bytes name(1000);
    Bytes comment(1000);
    stream.next_in = const_cast<Bytef*>(stored.data() + at);
    stream.avail_in = static_cast<uInt>(stored.size() - at);
    stream.next_out = out.data();
    stream.avail_out = static_cast<uInt>(out.size());
    found.extra = extra.data();
    found.name = name.data();
    found.comment = comment.data();
    found.extra_max = found.name_max = found.comm_max = 1000;
    REQUIRE(inflateInit2(&stream, 31) == Z_OK);
    REQUIRE(inflateGetHeader(&stream, &found) == Z_OK);
    CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
    at += stream.total_in;
    inflateEnd(&stream);
    CHECK(found.done == 1);
    CHECK(found.text == 1);
    CHECK(found.time == header.time);
    CHECK(found.xflags == *header.effort);
    CHECK(found.os == header.system);
    CHECK(found.hcrc == 1);
    CHECK(std::string(name.begin(), std::ranges::find(name, 0)) == header.name);
    CHECK(std::string(comment.begin(), std::ranges::find(comment, 0)) == header.comment);
    extra.resize(found.extra_len);
    CHECK(extra == Bytes{'A', 'p', 3, 0, 1, 2, 3, 0, 0xFF, 0, 0, 'z', 'z', 44, 1} + Bytes(300, 7));
  }
  CHECK(at == stored.size());
}

TEST_CASE("a GZIP member whose header has a wrong checksum is rejected", "[compression/stream]") {
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

TEST_CASE("a skippable ZSTD frame has the requested size and precedes the usual frames") {
  const Bytes image = text(1000);
  for (const std::uint32_t size : {0U, 1U, 255U, 256U, 300U, 70'000U}) {
    for (const std::uint32_t pieces : {1U, 2U}) {
      INFO(size << " bytes, " << pieces << " pieces");
      Bytes expected{0x50, 0x2A, 0x4D, 0x18};
      append_le(expected, size, 4);
      append(expected, Bytes(size) + compressed(ZSTD, image, {.level = 3, .pieces = pieces}));
      const Bytes stored = compressed(ZSTD, image, {.level = 3, .pieces = pieces, .skippable_bytes = size});
      CHECK((stored == expected));
      CHECK(ZSTD_findFrameCompressedSize(stored.data(), stored.size()) == size + 8);
    }
  }
}

TEST_CASE("metadata of BROTLI has the requested size and follows the window") {
  const Bytes image = text(1000);
  // One bit of 0 for the window, then 0, 11, 0, the number of bytes of the size minus one, and the size minus
  // one.
  struct Row {
    std::uint32_t size;
    Bytes bytes;
  };
  for (const Row& row : {Row{0, {0b0000'1100}},
                         {1, {0b0000'1100, 0b0001'0110, 0}},
                         {256, {0b1010'1100, 0x7F}},
                         {257, {0b0100'1100, 0x80, 0}},
                         {300, {0b1100'1100, 0x95, 0}},
                         {1U << 24, {0b1110'1100, 0xFF, 0xFF, 0x7F}}}) {
    INFO(row.size);
    const Bytes stored =
        compressed(BROTLI, image, {.level = 5, .window_log = 16, .skippable_bytes = row.size});
    const Bytes expected = row.bytes + Bytes(row.size);
    REQUIRE(stored.size() > expected.size());
    CHECK(std::ranges::equal(expected, std::span(stored).first(expected.size())));
    CHECK((brotli_image(stored, image.size()) == image));
    CHECK((expand(BROTLI, stored, image.size()).bytes == image));
  }
}

TEST_CASE("a BROTLI piece can be expanded without the bytes of the next one") {
  const Bytes image = text(9001);  // 3001, 3001 and 2999 bytes
  for (const int level : {0, 1, 2, 5, 9, 10, 11}) {
    const auto stored_of = [&](const Bytes& bytes) {
      return compressed(BROTLI, bytes, {.level = level, .window_log = 18, .pieces = 3});
    };
    const Bytes stored = stored_of(image);
    for (const std::size_t end : {3001UL, 6002UL}) {
      INFO("level " << level << ", " << end << " bytes");
      const Bytes changed = stored_of(cut(image, end) + noise(image.size() - end));
      const auto same = static_cast<std::size_t>(std::ranges::mismatch(stored, changed).in1 - stored.begin());
      BrotliDecoderState* const state = BrotliDecoderCreateInstance(nullptr, nullptr, nullptr);
      Bytes out(image.size());
      std::size_t in_left = same;
      std::size_t out_left = out.size();
      const std::uint8_t* in = stored.data();
      std::uint8_t* to = out.data();
      CHECK(BrotliDecoderDecompressStream(state, &in_left, &in, &out_left, &to, nullptr) ==
            BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT);
      BrotliDecoderDestroyInstance(state);
      CHECK(out.size() - out_left >= end);
    }
  }
}

TEST_CASE("the options set the encoding of BROTLI distances") {
  const Bytes image = text(2000);
  struct Row {
    unsigned postfix_bits;
    unsigned direct_distances;
  };
  for (int level = 4; level <= 9; ++level) {
    for (const Row& row : {Row{0, 0}, {0, 15}, {1, 10}, {2, 0}, {3, 8}, {3, 120}}) {
      INFO("level " << level << ", " << row.postfix_bits << ", " << row.direct_distances);
      const Bytes stored = compressed(BROTLI, image,
                                      {.level = level,
                                       .window_log = 16,
                                       .postfix_bits = row.postfix_bits,
                                       .direct_distances = row.direct_distances});
      // Window, last, not empty, four nibbles of a length, and one type each of literals, inserts and
      // distances: 1 + 1 + 1 + 2 + 16 + 3 bits.
      CHECK(stored[0] % 32 == 0b00010);
      CHECK(stored[2] >> 5 == 0);
      CHECK((stored[3] & 3U) == row.postfix_bits);
      CHECK((stored[3] >> 2 & 15U) == row.direct_distances >> row.postfix_bits);
      CHECK((brotli_image(stored, image.size()) == image));
      CHECK((expand(BROTLI, stored, image.size()).bytes == image));
    }
  }
}

TEST_CASE("postfix bits of BROTLI change the streams of levels 4 to 9, and of no lower level") {
  Bytes wide(8000);  // numbers of eight bytes with two that differ
  Bytes chance = noise(2000);
  for (std::size_t i = 0; i < 1000; ++i) std::ranges::copy_n(chance.data() + 2 * i, 2, wide.data() + 8 * i);
  for (int level = 0; level <= 9; ++level) {
    INFO("level " << level);
    const Bytes none = compressed(BROTLI, wide, {.level = level});
    CHECK((compressed(BROTLI, wide, {.level = level, .postfix_bits = 3}) != none) == (level >= 4));
  }
}

namespace {

// The blocks of an LZ4 frame, each without its checksum, and the two bytes after the magic number.
struct Lz4Frame {
  unsigned flags = 0;
  unsigned most_log = 0;
  std::vector<Bytes> blocks;
  std::vector<bool> stored;  // as they are
  explicit Lz4Frame(const Bytes& bytes) : flags(bytes.at(4)), most_log(2 * (bytes.at(5) >> 4) + 8) {
    std::size_t at = 7 + ((flags & 8U) != 0 ? 8U : 0U);
    for (;;) {
      std::size_t word = 0;
      for (unsigned i = 0; i < 4; ++i) word |= std::size_t{bytes.at(at++)} << 8 * i;
      if (word == 0) break;
      const std::size_t size = word & 0x7FFFFFFF;
      stored.push_back(size != word);
      blocks.push_back(part(bytes, at, size));
      at += size + ((flags & 16U) != 0 ? 4 : 0);
    }
    CHECK(bytes.size() == at + ((flags & 4U) != 0 ? 4U : 0U));
  }
};

}  // namespace

TEST_CASE("a default LZ4 frame equals the one that its library writes for the complete image") {
  for (const std::size_t size :
       {0UL, 1UL, 65'536UL, 65'537UL, 262'144UL, 262'145UL, 4'194'304UL, 4'194'305UL}) {
    for (const int level : {0, 3, 9}) {
      const Bytes image = text(size);
      LZ4F_preferences_t preferences{};
      preferences.frameInfo.blockSizeID = LZ4F_max4MB;
      preferences.frameInfo.contentSize = size;
      preferences.compressionLevel = level;
      Bytes expected(LZ4F_compressFrameBound(size, &preferences));
      expected.resize(LZ4F_compressFrame(expected.data(), expected.size(), image.data(), size, &preferences));
      INFO(size << " bytes, level " << level);
      CHECK((compressed(LZ4, image, {.level = level, .layout = Layout::frame}) == expected));
    }
  }
}

TEST_CASE("the options set the blocks of an LZ4 frame") {
  const Bytes image = noise(100'000) + noise(100'000) + noise(100'000);
  for (const unsigned log : {16U, 18U, 20U, 22U}) {
    for (const bool linked : {false, true}) {
      for (const bool checksum : {false, true}) {
        INFO(log << (linked ? " linked" : "") << (checksum ? " checksum" : ""));
        const Way way{LZ4,
                      "",
                      {.level = 1,
                       .layout = Layout::frame,
                       .frame_block_log = log,
                       .linked_blocks = linked,
                       .block_checksum = checksum}};
        const Bytes stored = compressed(way, image);
        CHECK((foreign_image(way, stored, image.size()) == image));
        const Lz4Frame frame(stored);
        CHECK(frame.most_log == log);
        CHECK(((frame.flags & 0x20U) == 0) == linked);
        CHECK(((frame.flags & 0x10U) != 0) == checksum);
        CHECK(frame.blocks.size() == ((image.size() - 1) >> log) + 1);
        if (checksum) {  // every checksum is verified
          const std::size_t last = stored.size() - 5;
          for (const std::size_t at : {std::size_t{15} + 4 + frame.blocks[0].size(), last}) {
            Bytes wrong = stored;
            wrong[at] ^= 1;
            CHECK(foreign_image(way, wrong, image.size()) == std::nullopt);
            CHECK_FALSE(expand(LZ4, wrong, image.size()).bytes.has_value());
          }
        }
      }
    }
  }
  // Matches in the 64 KiB before a block, if it is linked.
  const Bytes near = noise(50'000) + noise(50'000);
  const auto size_of = [&](std::optional<bool> linked, std::optional<std::uint32_t> block) {
    return compressed(LZ4, near, {.layout = Layout::frame, .block_size = block, .linked_blocks = linked})
        .size();
  };
  CHECK(size_of(true, 50'000) < 52'000);
  CHECK(size_of({}, 50'000) < 52'000);
  CHECK(size_of(false, 50'000) > 100'000);
  CHECK(size_of(false, {}) < 52'000);
}

TEST_CASE("independent blocks of an LZ4 frame can be read alone, each of the requested size") {
  const Bytes image = text(10'001);
  for (const int level : {0, 9}) {
    const Bytes stored = compressed(
        LZ4, image, {.level = level, .layout = Layout::frame, .block_size = 3000, .linked_blocks = false});
    const Lz4Frame frame(stored);
    CHECK(frame.most_log == 16);
    REQUIRE(frame.blocks.size() == 4);
    Bytes joined;
    for (std::size_t i = 0; i < 4; ++i) {
      INFO("block " << i);
      const Foreign block = frame.stored[i] ? frame.blocks[i] : lz4_image(frame.blocks[i], 3000);
      REQUIRE(block.has_value());
      CHECK(block->size() == (i < 3 ? 3000 : 1001));
      append(joined, *block);
    }
    CHECK((joined == image));
  }
  const auto log_of = [](std::size_t size, std::optional<std::uint32_t> block) {
    const Bytes stored =
        compressed(LZ4, Bytes(size), {.level = 0, .layout = Layout::frame, .block_size = block});
    const Lz4Frame frame(stored);
    CHECK(((frame.flags & 0x20U) == 0) == (frame.blocks.size() > 1));
    return frame.most_log;
  };
  CHECK(log_of(0, {}) == 16);
  CHECK(log_of(65'536, {}) == 16);
  CHECK(log_of(65'537, {}) == 18);
  CHECK(log_of(1 << 20, {}) == 20);
  CHECK(log_of((1 << 20) + 1, {}) == 22);
  CHECK(log_of((1 << 22) + 1, {}) == 22);
  CHECK(log_of((1 << 22) + 1, 65'536) == 16);
  CHECK(log_of((1 << 22) + 1, 65'537) == 18);
}

TEST_CASE("the options set the sizes of the parts of Hadoop's blocks") {
  const Bytes image{'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'};
  CHECK(compressed(LZO, image, {.block_size = 5, .part_size = 2}) ==
        Bytes{0, 0, 0, 5,                             //
              0, 0, 0, 6, 19, 'a', 'b',  0x11, 0, 0,  //
              0, 0, 0, 6, 19, 'c', 'd',  0x11, 0, 0,  //
              0, 0, 0, 5, 18, 'e', 0x11, 0,    0,     //
              0, 0, 0, 3,                             //
              0, 0, 0, 6, 19, 'f', 'g',  0x11, 0, 0,  //
              0, 0, 0, 5, 18, 'h', 0x11, 0,    0});
  CHECK(compressed(LZ4, image, {.part_size = 3}) == Bytes{0, 0, 0, 8,                       //
                                                          0, 0, 0, 4, 0x30, 'a', 'b', 'c',  //
                                                          0, 0, 0, 4, 0x30, 'd', 'e', 'f',  //
                                                          0, 0, 0, 3, 0x20, 'g', 'h'});
  CHECK(compressed(LZO, image, {.part_size = 8}) == compressed(LZO, image));
  for (const CompressionCodec codec : {LZ4, LZO}) {
    CHECK(compressed(codec, {}, {.part_size = 1}) == compressed(codec, {}));
    CHECK(compressed(codec, {}, {.empty_part = false}) == Bytes(4));
    CHECK(compressed(codec, image, {.empty_part = false}) == compressed(codec, image));
  }
}

TEST_CASE("lengths of SNAPPY have the number of bytes that the options set") {
  const Bytes image = text(300);
  const Bytes usual = compressed(SNAPPY, image);
  REQUIRE(usual[0] == 0xAC);
  REQUIRE(usual[1] == 2);
  const Bytes lengths[] = {
      {0xAC, 2}, {0xAC, 2}, {0xAC, 0x82, 0}, {0xAC, 0x82, 0x80, 0}, {0xAC, 0x82, 0x80, 0x80, 0}};
  for (unsigned bytes = 1; bytes <= 5; ++bytes) {
    const Bytes expected = lengths[bytes - 1] + part(usual, 2);
    CHECK((compressed(SNAPPY, image, {.length_bytes = bytes}) == expected));
    // A surplus byte after the stream, and a page that claims a byte less, are still noticed.
    const Expanded longer = expand(SNAPPY, expected + Bytes{7}, image.size());
    CHECK((longer.bytes == image));
    CHECK(longer.note(Rule::compression_trailing_bytes).has_value());
    CHECK(expand(SNAPPY, expected, image.size() - 1).error->rule == Rule::page_uncompressed_size);
  }
  CHECK(compressed(SNAPPY, {}, {.length_bytes = 3}) == Bytes{0x80, 0x80, 0});
  const Bytes few{'a', 'b', 'c', 'd', 'e'};
  CHECK(compressed(SNAPPY, few, {.literals_only = true, .literal_size = 2, .length_bytes = 2}) ==
        Bytes{0x85, 0, 1 << 2, 'a', 'b', 1 << 2, 'c', 'd', 0, 'e'});
  const auto with_bytes = [&](unsigned bytes) {
    return compressed(SNAPPY, few, {.literals_only = true, .literal_size = 3, .literal_length_bytes = bytes});
  };
  CHECK(with_bytes(1) == Bytes{5, 60 << 2, 2, 'a', 'b', 'c', 60 << 2, 1, 'd', 'e'});
  CHECK(with_bytes(2) == Bytes{5, 61 << 2, 2, 0, 'a', 'b', 'c', 61 << 2, 1, 0, 'd', 'e'});
  CHECK(with_bytes(3) == Bytes{5, 62 << 2, 2, 0, 0, 'a', 'b', 'c', 62 << 2, 1, 0, 0, 'd', 'e'});
  CHECK(with_bytes(4) == Bytes{5, 63 << 2, 2, 0, 0, 0, 'a', 'b', 'c', 63 << 2, 1, 0, 0, 0, 'd', 'e'});
  // Where the literal needs two bytes, one is not enough, so four are used.
  const auto front_with = [&](unsigned bytes) {
    const Bytes stored = compressed(SNAPPY, image, {.literals_only = true, .literal_length_bytes = bytes});
    return Bytes(stored.begin(), stored.end() - 300);
  };
  CHECK(front_with(1) == Bytes{0xAC, 2, 61 << 2, 0x2B, 1});
  CHECK(front_with(4) == Bytes{0xAC, 2, 63 << 2, 0x2B, 1, 0, 0});
}

TEST_CASE("a separate LZO instruction counts the literals if the first byte cannot") {
  struct Row {
    std::size_t size;
    Bytes bytes;
  };
  for (const Row& row : {Row{0, {}},
                         {1, {18}},
                         {3, {20}},
                         {4, {1}},
                         {18, {15}},
                         {19, {0, 1}},
                         {238, {0, 220}},
                         {239, {0, 221}},
                         {273, {0, 255}},
                         {274, {0, 0, 1}}}) {
    INFO(row.size);
    const Bytes image = noise(row.size);
    const Bytes stored = compressed(LZO, image, {.first_byte_counts = false, .layout = Layout::bare});
    CHECK(stored == row.bytes + image + Bytes{0x11, 0, 0});
    CHECK((lzo_image(stored, row.size) == image));
    CHECK((expand(LZO, stored, row.size).bytes == image));
  }
}

}  // namespace parqproof
