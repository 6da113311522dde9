#include <lzo/lzo1x.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <string>
#include <vector>

#include "codec/compression/format.hpp"
#include "codec/compression/table.hpp"
#include "tests/compression/expanded.hpp"
#include "tests/rapidcheck.hpp"

namespace parqproof {
namespace {

using namespace support;
using enum CompressionCodec;

// Data in Hadoop blocks of `block` bytes at most, each stored in two parts.
Bytes hadoop_of(Bytes (*compress)(const Bytes&), const Bytes& data, std::size_t block) {
  Bytes out;
  for (std::size_t at = 0; at < data.size(); at += block) {
    const std::size_t size = std::min(block, data.size() - at);
    append(out, big_endian(size));
    for (const Bytes& half : {part(data, at, size / 2), part(data, at + size / 2, size - size / 2)}) {
      if (half.empty()) continue;
      const Bytes stored = compress(half);
      append(out, big_endian(stored.size()) + stored);
    }
  }
  return out;
}

Bytes sample(std::size_t size, unsigned seed = 1) {
  std::mt19937 random(seed);
  Bytes data(size);
  for (std::size_t i = 0; i < size; ++i) {
    data[i] = i >= 20 && random() % 8 != 0 ? data[i - 1 - random() % 4] : static_cast<std::uint8_t>(random());
  }
  return data;
}

struct Codec {
  CompressionCodec codec;
  Bytes (*compress)(const Bytes&);
};
const Codec kCodecs[] = {
    {SNAPPY, snappy_of},
    {GZIP, gzip_of},
    {ZSTD, [](const Bytes& data) { return zstd_of(data); }},
    {BROTLI, brotli_of},
    {LZ4_RAW, lz4_of},
    {LZ4, [](const Bytes& data) { return hadoop_of(lz4_of, data, 1 << 20); }},
    {LZO, lzo_of},
};

std::string name_of(CompressionCodec codec) { return std::string(find_compression(codec)->name()); }

}  // namespace

TEST_CASE("the table has a row for every compression codec of the format") {
  REQUIRE(all_compression_codecs().size() == kCompressionCodecEnum.values.size());
  for (std::size_t i = 0; i < all_compression_codecs().size(); ++i) {
    const CompressionInfo& row = all_compression_codecs()[i];
    CHECK(static_cast<std::int32_t>(row.codec) == kCompressionCodecEnum.values[i].value);
    CHECK(can_decompress(row.codec));
  }
  CHECK_FALSE(can_decompress(static_cast<CompressionCodec>(8)));
}

TEST_CASE("streams of the codecs' own libraries are expanded, whatever the size") {
  for (const Codec& codec : kCodecs) {
    for (const std::size_t size : {1UL, 3UL, 20UL, 239UL, 300UL, 65536UL, 300'000UL}) {
      INFO(name_of(codec.codec) << " of " << size);
      const Bytes data = sample(size);
      const Expanded expanded = expand(codec.codec, codec.compress(data), size);
      CHECK(expanded.bytes == data);
      CHECK(expanded.notes.all().empty());
    }
    const Bytes zeros(1'000'000, 0);
    CHECK(expand(codec.codec, codec.compress(zeros), zeros.size()).bytes == zeros);
  }
}

TEST_CASE("any data survives compression and expansion") {
  for (const Codec& codec : kCodecs) {
    check_property(name_of(codec.codec), [&] {
      const Bytes data = sample(*rc::gen::inRange<std::size_t>(1, 5000), *rc::gen::arbitrary<unsigned>());
      const Expanded expanded = expand(codec.codec, codec.compress(data), data.size());
      RC_ASSERT(expanded.bytes == data);
    });
  }
}

TEST_CASE("uncompressed bytes are copied") {
  const Bytes data = sample(100);
  CHECK(expand(UNCOMPRESSED, data, 100).bytes == data);
  CHECK_ERROR(expand(UNCOMPRESSED, data, 99).error, Rule::page_uncompressed_size, 0);
}

TEST_CASE("a stream that is shorter than claimed gives the bytes that it has") {
  const Bytes data = sample(1000);
  for (const Codec& codec : kCodecs) {
    INFO(name_of(codec.codec));
    CHECK(expand(codec.codec, codec.compress(data), 1001).bytes == data);
  }
}

TEST_CASE("a stream that is longer than claimed is an error with a lower bound of its size",
          "[page/uncompressed-size]") {
  const Bytes data = sample(1000);
  for (const Codec& codec : kCodecs) {
    for (const std::size_t claimed : {0UL, 1UL, 999UL}) {
      INFO(name_of(codec.codec) << " claimed " << claimed);
      const Expanded expanded = expand(codec.codec, codec.compress(data), claimed);
      CHECK_ERROR(expanded.error, Rule::page_uncompressed_size, 0);
      CHECK(expanded.error->found > static_cast<std::int64_t>(claimed));
      CHECK(expanded.error->found <= 1000);
      CHECK(expanded.error->expected == static_cast<std::int64_t>(claimed));
    }
  }
}

TEST_CASE("a truncated or foreign stream is rejected at its first byte", "[compression/stream]") {
  const Bytes data = sample(1000);
  for (const Codec& codec : kCodecs) {
    const Bytes intact = codec.compress(data);
    for (const std::size_t size : {0UL, 1UL, intact.size() / 2, intact.size() - 1}) {
      if (codec.codec == LZ4 && size == 1) continue;  // a zero byte is a valid empty block
      INFO(name_of(codec.codec) << " cut to " << size);
      CHECK_ERROR(expand(codec.codec, cut(intact, size), 1000).error, Rule::compression_stream, 0);
    }
    CHECK_ERROR(expand(codec.codec, Bytes(50, 0xFF), 1000).error, Rule::compression_stream, 0);
  }
}

TEST_CASE("bytes after a complete stream are noted at the first of them", "[compression/trailing-bytes]") {
  const Bytes data = sample(1000);
  for (const Codec& codec : kCodecs) {
    if (codec.codec == LZ4_RAW || codec.codec == LZ4) continue;  // have no end
    INFO(name_of(codec.codec));
    const Bytes intact = codec.compress(data);
    const Expanded expanded = expand(codec.codec, intact + Bytes{1, 2, 3}, 1000);
    CHECK(expanded.bytes == data);
    CHECK_NOTE(expanded, Rule::compression_trailing_bytes, intact.size());
    CHECK(expanded.note(Rule::compression_trailing_bytes)->length == 3);
  }
}

TEST_CASE("a page may have several gzip members") {
  const Bytes first = sample(1000);
  const Bytes second = sample(70'000, 2);
  CHECK(expand(GZIP, gzip_of(first) + gzip_of(second), 71'000).bytes == first + second);
  CHECK(expand(GZIP, gzip_of(first) + gzip_of({}), 1000).bytes == first);
  // The size in the last trailer is that of the page, but the member is not the only one.
  CHECK(expand(GZIP, gzip_of({}) + gzip_of(first), 1000).bytes == first);
}

TEST_CASE("a second gzip member is noted at its first byte", "[compression/gzip-members]") {
  const Bytes first = sample(1000);
  const Expanded expanded = expand(GZIP, gzip_of(first) + gzip_of({}) + gzip_of(first), 2000);
  CHECK_NOTE(expanded, Rule::compression_gzip_members, gzip_of(first).size(), 3, 1);
  CHECK(expand(GZIP, gzip_of(first), 1000).notes.all().empty());
}

TEST_CASE("a second zstd frame is noted, or the first skippable one", "[compression/zstd-frames]") {
  const Bytes data = sample(1000);
  const Bytes frame = zstd_of(data);
  const Bytes skippable{0x5F, 0x2A, 0x4D, 0x18, 0, 0, 0, 0};
  const Rule rule = Rule::compression_zstd_frames;
  const std::optional<Error> second = expand(ZSTD, frame + frame + skippable, 2000).note(rule);
  CHECK_ERROR(second, rule, frame.size());
  CHECK(second->found == 3);
  CHECK(second->length == frame.size());
  CHECK_NOTE(expand(ZSTD, skippable + frame, 1000), rule, 0);
  CHECK_FALSE(expand(ZSTD, frame, 1000).note(rule));
}

TEST_CASE("a zstd frame with a larger window than is usual is expanded, and noted",
          "[compression/zstd-window]") {
  // A block that repeats a byte, in a frame that states a window.
  const auto frame = [](unsigned exponent, unsigned eighths) {
    return Bytes{0x28, 0xB5, 0x2F, 0xFD, 0, static_cast<std::uint8_t>(exponent << 3 | eighths),
                 0x53, 0,    0,    7};
  };
  const Rule rule = Rule::compression_zstd_window;
  for (unsigned exponent = 0; exponent < 32; ++exponent) {
    for (unsigned eighths = 0; eighths < 8; ++eighths) {
      const std::uint64_t window = (std::uint64_t{1} << (10 + exponent)) / 8 * (8 + eighths);
      const Expanded one = expand(ZSTD, frame(exponent, eighths), 10);
      INFO(window);
      CHECK((one.bytes == Bytes(10, 7)));
      const std::optional<Error> noted = one.note(rule);
      CHECK(noted.has_value() == (window > 1U << 27));
      if (!noted) continue;
      CHECK_ERROR(noted, rule, 5);
      CHECK(static_cast<std::uint64_t>(noted->found) == window);
      CHECK(noted->length == 1);
    }
  }
  // In the first, a later and the last frame: noted at the first such frame.
  const Bytes usual = frame(3, 0);
  const Bytes vast = frame(25, 0);
  CHECK_NOTE(expand(ZSTD, usual + vast + usual + vast, 40), rule, 15);
  CHECK_NOTE(expand(ZSTD, usual + usual + vast, 30), rule, 25);
  CHECK_FALSE(expand(ZSTD, zstd_of(sample(1000)), 1000).note(rule));
}

TEST_CASE("a stream in the format of another codec is reported by its name", "[compression/format]") {
  const Bytes data = sample(1000);
  const Bytes framed{0xFF, 6, 0, 0, 's', 'N', 'a', 'P', 'p', 'Y', 1, 1, 0, 0};
  struct Case {
    CompressionCodec codec;
    Bytes stored;
    StreamFormat format;
  };
  for (const Case& one : {
           Case{GZIP, deflate_of(data, 15), StreamFormat::zlib},
           Case{GZIP, deflate_of(data, -15), StreamFormat::deflate},
           Case{SNAPPY, framed, StreamFormat::snappy_framed},
           Case{SNAPPY, zstd_of(data), StreamFormat::zstd},
           Case{ZSTD, gzip_of(data), StreamFormat::gzip},
           Case{ZSTD, snappy_of(data), StreamFormat::snappy},
           Case{LZ4_RAW, lz4_frame_of(data), StreamFormat::lz4_frame},
           Case{LZ4_RAW, hadoop_of(lz4_of, data, 600), StreamFormat::lz4_hadoop},
           Case{BROTLI, gzip_of(data), StreamFormat::gzip},
           Case{LZO, hadoop_of(lz4_of, data, 600), StreamFormat::lz4_hadoop},
       }) {
    INFO(name_of(one.codec) << ": " << to_string(one.format));
    const Expanded expanded = expand(one.codec, one.stored, 1000);
    CHECK_ERROR(expanded.error, Rule::compression_format, 0, one.format, one.codec);
    CHECK(expanded.error->length == one.stored.size());
  }
  // A format without a magic number is recognized only by the claimed size.
  CHECK_ERROR(expand(GZIP, deflate_of(data, 15), 1001).error, Rule::compression_stream, 0);
  CHECK_ERROR(expand(GZIP, deflate_of(data, 15), 999).error, Rule::compression_stream, 0);
  CHECK_ERROR(expand(GZIP, deflate_of(data, 15) + Bytes{0}, 1000).error, Rule::compression_stream, 0);
}

TEST_CASE("a damaged stream in a format of its own codec is not reported as foreign",
          "[compression/stream]") {
  const Bytes data = sample(1000);
  const auto damaged = [](Bytes stored) {
    stored.pop_back();
    return stored;
  };
  for (const auto& [codec, stored] : {
           std::pair{GZIP, gzip_of(data)},
           std::pair{ZSTD, zstd_of(data)},
           std::pair{SNAPPY, snappy_of(data)},
           std::pair{LZ4_RAW, lz4_of(data)},
           std::pair{LZ4, lz4_of(data)},
           std::pair{LZ4, lz4_frame_of(data)},
           std::pair{LZ4, hadoop_of(lz4_of, data, 600)},
       }) {
    INFO(name_of(codec) << ", beginning with byte " << int{stored[0]});
    CHECK_ERROR(expand(codec, damaged(stored), 1000).error, Rule::compression_stream, 0);
  }
}

TEST_CASE("every format of streams has a name of its own") {
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(StreamFormat::lz4_hadoop); ++i) {
    names.emplace_back(to_string(static_cast<StreamFormat>(i)));
  }
  std::ranges::sort(names);
  CHECK(std::ranges::adjacent_find(names) == names.end());
}

TEST_CASE("a wrong gzip checksum is an error", "[compression/stream]") {
  const Bytes data = sample(1000);
  Bytes wrong = gzip_of(data);
  wrong[wrong.size() - 8] ^= 1;
  CHECK_ERROR(expand(GZIP, wrong, 1000).error, Rule::compression_stream, 0);
}

TEST_CASE("a page may have several zstd frames, skippable ones, and frames without content size") {
  const Bytes first = sample(1000);
  const Bytes second = sample(700'000, 2);
  const Bytes skippable{0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 9, 9, 9};
  CHECK(expand(ZSTD, skippable + zstd_of(first) + skippable + zstd_of(second, false), 701'000).bytes ==
        first + second);
  const Bytes zeros(5'000'000, 0);
  CHECK(expand(ZSTD, zstd_of(zeros, false), zeros.size()).bytes == zeros);
  CHECK_ERROR(expand(ZSTD, zstd_of(zeros, false), zeros.size() - 1).error, Rule::page_uncompressed_size, 0);
}

TEST_CASE("LZO, LZ4 and their Hadoop blocks hold several blocks and parts") {
  const Bytes data = sample(10'000);
  CHECK(expand(LZ4, hadoop_of(lz4_of, data, 3000), 10'000).bytes == data);
  CHECK(expand(LZO, hadoop_of(lzo_of, data, 3000), 10'000).bytes == data);
  CHECK(expand(LZO, hadoop_of(lzo_of, data, 3000), 10'000).notes.all().empty());
}

TEST_CASE("an LZ4 page in another layout than Hadoop's is reported by its name",
          "[compression/lz4-layout][compression/lz4-frame]") {
  const Bytes data = sample(10'000);
  const Expanded block = expand(LZ4, lz4_of(data), 10'000);
  CHECK(block.bytes == data);
  CHECK_NOTE(block, Rule::compression_lz4_layout, 0, StreamFormat::lz4_block, StreamFormat::lz4_hadoop);
  const Expanded frame = expand(LZ4, lz4_frame_of(data), 10'000);
  CHECK(frame.bytes == data);
  CHECK_NOTE(frame, Rule::compression_lz4_frame, 0, StreamFormat::lz4_frame, StreamFormat::lz4_hadoop);
  CHECK_FALSE(frame.note(Rule::compression_lz4_layout));
  const Expanded hadoop = expand(LZ4, hadoop_of(lz4_of, data, 3000), 10'000);
  CHECK_FALSE(hadoop.note(Rule::compression_lz4_layout));
}

TEST_CASE("streams of every codec can expand to nothing") {
  const Bytes nothing;
  for (const Codec& codec : kCodecs) {
    const bool hadoop = codec.codec == LZ4;
    const Bytes stored = hadoop ? Bytes{0, 0, 0, 0, 0, 0, 0, 1, 0} : codec.compress({});
    INFO(name_of(codec.codec));
    const Expanded expanded = expand(codec.codec, stored, 0);
    CHECK(expanded.bytes == nothing);
    CHECK(expanded.notes.all().empty());
  }
  CHECK(expand(LZ4, {0, 0, 0, 0}, 0).bytes == nothing);
  CHECK(expand(LZ4, {0}, 0).bytes == nothing);
  CHECK(expand(LZ4, lz4_frame_of({}), 0).bytes == nothing);
  CHECK(expand(LZO, {0, 0, 0, 0, 0, 0, 0, 3, 0x11, 0, 0}, 0).bytes == nothing);
}

TEST_CASE("a part of a Hadoop block that has bytes is not empty") {
  const auto block = [](const std::vector<Bytes>& parts) {
    Bytes bytes = big_endian(5);
    for (const Bytes& part : parts) append(bytes, big_endian(part.size()) + part);
    return bytes;
  };
  const Bytes empty{0};
  const Bytes first{0x20, 'a', 'b'};
  const Bytes second{0x30, 'c', 'd', 'e'};
  CHECK(expand(LZ4, block({first, second}), 5).bytes == Bytes{'a', 'b', 'c', 'd', 'e'});
  for (const auto& parts : {std::vector{empty, first, second}, std::vector{first, empty, second}})
    CHECK(expand(LZ4, block(parts), 5).error);
}

TEST_CASE("the smallest LZO streams are expanded") {
  // Three literals and the end marker; the empty stream is refused, as no page needs one.
  CHECK(expand(LZO, {0x14, 'a', 'b', 'c', 0x11, 0, 0}, 3).bytes == Bytes{'a', 'b', 'c'});
  CHECK(expand(LZO, {0x11, 0, 0}, 0).bytes == Bytes{});
  // A match of two bytes after one literal, at a distance that is not there.
  CHECK_ERROR(expand(LZO, {0x12, 'a', 0x04, 0, 0x11, 0, 0}, 3).error, Rule::compression_stream, 0);
  CHECK(expand(LZO, {0x12, 'a', 0x00, 0, 0x11, 0, 0}, 3).bytes == Bytes{'a', 'a', 'a'});
}

TEST_CASE("a claimed size that the stream cannot reach allocates nothing") {
  const Bytes data = sample(100);
  for (const Codec& codec : kCodecs) {
    INFO(name_of(codec.codec));
    const Expanded expanded = expand(codec.codec, codec.compress(data), std::size_t{1} << 31);
    CHECK(expanded.bytes == data);
    CHECK(expanded.capacity < 1'000'000);
  }
  // Snappy's own claim of 4 GB.
  CHECK_ERROR(expand(SNAPPY, {0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0}, UINT32_MAX).error, Rule::compression_stream,
              0);
}

TEST_CASE("any change to a stream gives bytes within the claimed size, or an error at or after its start") {
  for (const Codec& codec : kCodecs) {
    check_property(name_of(codec.codec) + ", changed bytes", [&] {
      const Bytes data = sample(*rc::gen::inRange<std::size_t>(1, 3000), *rc::gen::arbitrary<unsigned>());
      Bytes stored = codec.compress(data);
      const auto changes = *rc::gen::inRange(1, 5);
      for (int i = 0; i < changes; ++i) {
        stored[*rc::gen::inRange<std::size_t>(0, stored.size())] = *rc::gen::arbitrary<std::uint8_t>();
      }
      stored.resize(*rc::gen::element(stored.size(), *rc::gen::inRange<std::size_t>(0, stored.size() + 1)));
      const Expanded expanded = expand(codec.codec, stored, data.size());
      if (expanded.bytes) {
        RC_ASSERT(expanded.bytes->size() <= data.size());
      } else {
        RC_ASSERT(expanded.error->offset == kBase);
        const Rule rule = expanded.error->rule;
        RC_ASSERT(rule == Rule::compression_stream || rule == Rule::compression_format ||
                  rule == Rule::page_uncompressed_size);
      }
    });
  }
}

TEST_CASE("our LZO decoder and liblzo2 accept the same streams and expand them alike") {
  REQUIRE(lzo_init() == LZO_E_OK);
  check_property("LZO1X", [] {
    const Bytes data = sample(*rc::gen::inRange<std::size_t>(1, 1000), *rc::gen::arbitrary<unsigned>());
    Bytes stored = lzo_of(data);
    const auto changes = *rc::gen::inRange(0, 4);
    for (int i = 0; i < changes; ++i) {
      stored[*rc::gen::inRange<std::size_t>(0, stored.size())] = *rc::gen::arbitrary<std::uint8_t>();
    }
    Bytes theirs(1 << 16);
    lzo_uint size = theirs.size();
    const int result = lzo1x_decompress_safe(stored.data(), stored.size(), theirs.data(), &size, nullptr);
    const Expanded ours = expand(LZO, stored, theirs.size());
    if (result == LZO_E_OK || result == LZO_E_INPUT_NOT_CONSUMED) {
      theirs.resize(size);
      RC_ASSERT(ours.bytes == theirs);
      RC_ASSERT(ours.note(Rule::compression_trailing_bytes).has_value() ==
                (result == LZO_E_INPUT_NOT_CONSUMED));
    } else {
      RC_ASSERT(ours.error.has_value());
    }
  });
}

TEST_CASE("a block of ZSTD that is larger than its window, or than 128 KiB, is rejected, whichever it is",
          "[compression/stream]") {
  const auto repeated = [](std::size_t size, bool last) {
    const std::size_t header = size << 3 | 1 << 1 | (last ? 1 : 0);
    return Bytes{static_cast<std::uint8_t>(header), static_cast<std::uint8_t>(header >> 8),
                 static_cast<std::uint8_t>(header >> 16), 'x'};
  };
  const auto raw = [](std::size_t size) {
    const std::size_t header = size << 3 | 1;
    return Bytes{static_cast<std::uint8_t>(header), static_cast<std::uint8_t>(header >> 8),
                 static_cast<std::uint8_t>(header >> 16)} +
           Bytes(size, 'y');
  };
  const Bytes magic{0x28, 0xB5, 0x2F, 0xFD};
  const Bytes window_1k = magic + Bytes{0x00, 0x00};
  const Bytes window_1792 = magic + Bytes{0x00, 0x06};
  const Bytes window_1m = magic + Bytes{0x00, 0x50};
  const Bytes content_100 = magic + Bytes{0x20, 100};
  const Bytes content_1256 = magic + Bytes{0x60, 0xE8, 0x03};
  const Bytes dictionary_0 = magic + Bytes{0x01, 0x00, 0x00};
  for (const auto& [header, largest] :
       {std::pair{window_1k, 1024UL}, std::pair{window_1792, 1792UL}, std::pair{window_1m, 131'072UL},
        std::pair{content_100, 100UL}, std::pair{content_1256, 1256UL}, std::pair{dictionary_0, 1024UL}}) {
    INFO("blocks of at most " << largest);
    const bool content = header == content_100 || header == content_1256;  // a single block has to fill it
    CHECK(expand(ZSTD, header + repeated(largest, true), largest).bytes == Bytes(largest, 'x'));
    CHECK(expand(ZSTD, header + raw(largest), largest).bytes == Bytes(largest, 'y'));
    if (content) continue;
    for (const Bytes& block : {repeated(largest + 1, true), raw(largest + 1)}) {
      const Bytes first = header + block;
      const Bytes second = header + repeated(largest, false) + block;
      CHECK(expand(ZSTD, first, largest + 1).error->rule == Rule::compression_stream);
      CHECK(expand(ZSTD, second, 2 * largest + 1).error->rule == Rule::compression_stream);
    }
  }
}

}  // namespace parqproof
