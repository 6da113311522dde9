// Streams written element by element: literals and copies at the borders of every length class, several
// blocks, members and frames, and the found and expected numbers.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <vector>

#include "codec/compression/format.hpp"
#include "codec/rules/rule.hpp"
#include "tests/compression/expanded.hpp"
#include "tests/compression/written_streams.hpp"
#include "tests/support/compressed.hpp"

namespace parqproof {
namespace {

using namespace support;
using enum CompressionCodec;

// The stream expands to its data: with the exact claimed size, with a smaller one, and with trailing bytes.
void check_stream(CompressionCodec codec, const WrittenStream& written, bool has_end = true) {
  const std::size_t size = written.data.size();
  const Expanded exact = expand(codec, written.stream, size);
  CHECK((exact.bytes == written.data));
  CHECK(exact.notes.all().empty());
  CHECK_ERROR(expand(codec, written.stream, size - 1).error, Rule::page_uncompressed_size, 0, size, size - 1);
  if (!has_end) return;
  Bytes longer = written.stream;
  append(longer, {0, 0, 0, 0, 0});
  const Expanded trailing = expand(codec, longer, size);
  CHECK((trailing.bytes == written.data));
  CHECK_NOTE(trailing, Rule::compression_trailing_bytes, written.stream.size(), 5, 0);
  CHECK_ERROR(expand(codec, longer, size - 1).error, Rule::page_uncompressed_size, 0, size, size - 1);
}

}  // namespace

TEST_CASE("Snappy literals of every length class are read to their last byte, and not beyond",
          "[compression/trailing-bytes][page/uncompressed-size]") {
  for (const auto& [size, length_bytes] : {std::pair{1UL, 0U},
                                           {59UL, 0U},
                                           {60UL, 0U},
                                           {60UL, 1U},
                                           {61UL, 1U},
                                           {255UL, 1U},
                                           {256UL, 1U},
                                           {257UL, 2U},
                                           {65'535UL, 2U},
                                           {65'536UL, 2U},
                                           {65'537UL, 3U},
                                           {70'000UL, 4U}}) {
    INFO("literal of " << size << " with a length in " << length_bytes);
    Snappy alone;
    alone.literal(size, length_bytes);
    check_stream(SNAPPY, alone.complete());
    Snappy several;
    several.literal(60);
    several.literal(size, length_bytes);
    several.copy(60, 8, 1);
    several.literal(61, 1);
    several.literal(size, length_bytes);
    check_stream(SNAPPY, several.complete());
  }
}

TEST_CASE("Snappy copies of every length class reach exactly as far back as they claim",
          "[compression/trailing-bytes]") {
  Snappy snappy;
  snappy.literal(70'000, 3);
  for (const std::size_t length : {4UL, 5UL, 10UL, 11UL}) {
    for (const std::size_t distance : {1UL, 3UL, 255UL, 256UL, 2047UL}) snappy.copy(distance, length, 1);
  }
  for (const std::size_t length : {1UL, 4UL, 63UL, 64UL}) {
    for (const std::size_t distance : {1UL, 2UL, 64UL, 2048UL, 65'535UL}) snappy.copy(distance, length, 2);
    for (const std::size_t distance : {7UL, 65'536UL, 70'001UL}) snappy.copy(distance, length, 4);
  }
  check_stream(SNAPPY, snappy.complete());
  for (const unsigned bytes : {1U, 2U, 4U}) {  // a copy of each class is the last element
    Snappy last;
    last.literal(100, 1);
    last.copy(99, 11, bytes);
    check_stream(SNAPPY, last.complete());
  }
}

TEST_CASE("a Snappy stream that claims a byte more or less than its elements give is rejected",
          "[compression/stream]") {
  for (const std::size_t size : {60UL, 61UL, 256UL}) {
    Snappy snappy;
    snappy.literal(size, size > 60 ? 1 : 0);
    Bytes wrong = snappy.complete().stream;
    wrong[0] ^= 1;
    CHECK_ERROR(expand(SNAPPY, wrong, 1000).error, Rule::compression_stream, 0, 0, 0);
  }
}

TEST_CASE("LZ4 literals and matches of every length class are measured and expanded") {
  for (const std::size_t literals :
       {0UL, 1UL, 14UL, 15UL, 16UL, 269UL, 270UL, 271UL, 524UL, 525UL, 70'000UL}) {
    for (const std::size_t match : {4UL, 18UL, 19UL, 20UL, 273UL, 274UL, 275UL, 528UL, 529UL, 70'000UL}) {
      INFO(literals << " literals and a match of " << match);
      Lz4 lz4;
      lz4.sequence(40, 1, 4);
      lz4.sequence(literals, 17, match);
      lz4.sequence(literals, 3, match);
      lz4.last(std::max<std::size_t>(literals, 12));
      check_stream(LZ4_RAW, lz4, false);
      // The same in Hadoop's blocks, after another part and before a block of its own.
      Lz4 small;
      small.last(15);
      WrittenStream hadoop;
      const std::size_t both = lz4.data.size() + small.data.size();
      for (const Bytes& piece :
           {big_endian(both), big_endian(small.stream.size()), small.stream, big_endian(lz4.stream.size()),
            lz4.stream, big_endian(small.data.size()), big_endian(small.stream.size()), small.stream}) {
        append(hadoop.stream, piece);
      }
      for (const Bytes& piece : {small.data, lz4.data, small.data}) append(hadoop.data, piece);
      check_stream(LZ4, hadoop, false);
    }
  }
}

TEST_CASE("LZ4 matches reach 65,535 bytes back, and not beyond the first byte", "[compression/stream]") {
  Lz4 lz4;
  lz4.sequence(65'535, 65'535, 100);
  lz4.sequence(0, 65'535, 5);
  lz4.sequence(30, 1, 300);
  lz4.last(12);
  check_stream(LZ4_RAW, lz4, false);
  for (const std::size_t distance : {11UL, 12UL}) {
    Lz4 near;
    near.stream.push_back(0xB0);  // 11 literals, a match of 4
    near.literal_bytes(noise(11));
    append_le(near.stream, distance, 2);
    if (distance == 11) near.copied(11, 4);
    near.last(12);
    const Expanded expanded = expand(LZ4_RAW, near.stream, near.data.size());
    CHECK(expanded.bytes.has_value() == (distance == 11));
    if (distance == 12) CHECK_ERROR(expanded.error, Rule::compression_stream, 0, 0, 0);
  }
}

TEST_CASE("LZ4 frames of several blocks reach back into the blocks before",
          "[compression/lz4-layout][compression/lz4-frame]") {
  Bytes data = noise(40'000);
  for (int i = 0; i < 3; ++i)
    append(data, Bytes(data.begin(), data.begin() + 60'000 % static_cast<int>(data.size())));
  append(data, noise(70'000, 9));
  append(data, Bytes(data.end() - 50'000, data.end()));
  const Bytes frame = lz4_frame_of(data);
  const Expanded expanded = expand(LZ4, frame, data.size());
  CHECK((expanded.bytes == data));
  CHECK_NOTE(expanded, Rule::compression_lz4_frame, 0, static_cast<int>(StreamFormat::lz4_frame),
             static_cast<int>(StreamFormat::lz4_hadoop));
  Lz4 block;
  block.last(20);
  CHECK_NOTE(expand(LZ4, block.stream, 20), Rule::compression_lz4_layout, 0,
             static_cast<int>(StreamFormat::lz4_block), static_cast<int>(StreamFormat::lz4_hadoop));
}

TEST_CASE("LZO literals and matches of every length class are measured and expanded",
          "[compression/trailing-bytes][page/uncompressed-size]") {
  for (const std::size_t literals : {4UL, 17UL, 18UL, 19UL, 272UL, 273UL, 274UL, 528UL, 529UL, 70'000UL}) {
    for (const std::size_t match :
         {3UL, 9UL, 10UL, 33UL, 34UL, 263UL, 264UL, 265UL, 288UL, 289UL, 70'000UL}) {
      INFO(literals << " literals and matches of " << match);
      Lzo lzo;
      lzo.literals(20'000);
      lzo.match(16'384, match, 0);
      lzo.literals(literals);
      lzo.match(16'385, match, 1);
      lzo.match(1, match, 3);
      lzo.match(5, match, 0);
      lzo.literals(literals);
      lzo.short_match(2048, 3);
      lzo.short_match(1, 8);
      lzo.literals(40'000);
      lzo.match(32'767, match, 2);
      lzo.match(32'768, match, 0);
      lzo.match(49'151, match, 0);
      lzo.end();
      check_stream(LZO, lzo);
    }
  }
}

TEST_CASE("the first literals of an LZO stream have a class of their own", "[compression/trailing-bytes]") {
  for (const std::size_t count : {1UL, 3UL, 4UL, 237UL, 238UL}) {
    INFO(count << " literals");
    Lzo lzo;
    lzo.first_literals(count);
    lzo.match(1, 6, 0);
    lzo.literals(30);
    lzo.end();
    check_stream(LZO, lzo);
  }
}

TEST_CASE("what the first byte of an LZO match means depends on the literals before it",
          "[compression/stream]") {
  Lzo lzo;
  lzo.first_literals(3);
  lzo.match_of_two(3, 1);
  lzo.match_of_two(1, 0);
  lzo.literals(4000);
  lzo.match_of_three(2049, 2);
  lzo.match_of_two(1024, 3);
  lzo.match_of_two(1023, 0);
  lzo.literals(4);
  lzo.match_of_three(3072, 1);
  lzo.match_of_two(5, 2);
  lzo.match(2999, 50, 3);
  lzo.match_of_two(7, 0);
  lzo.literals(18);
  lzo.match_of_three(2050, 0);
  lzo.end();
  check_stream(LZO, lzo);
  // After four or more first literals, a match of three bytes has nowhere to go.
  for (const std::size_t count : {3UL, 4UL, 5UL, 238UL}) {
    Lzo first;
    first.first_literals(count);
    append(first.stream, {0, 0});
    if (count == 3) first.copied(1, 2);
    first.end();
    const Expanded expanded = expand(LZO, first.stream, first.data.size());
    CHECK(expanded.bytes.has_value() == (count == 3));
    if (count != 3) CHECK_ERROR(expanded.error, Rule::compression_stream, 0, 0, 0);
  }
}

TEST_CASE("gzip members and zstd frames follow each other, however many and large",
          "[compression/gzip-members][compression/zstd-frames][compression/trailing-bytes]") {
  const std::vector<std::size_t> sizes{10, 65'535, 65'536, 65'537, 200'000, 1, 131'072};
  const auto check = [&](CompressionCodec codec, Bytes (*compress)(const Bytes&), Rule rule) {
    WrittenStream joined;
    std::size_t second = 0;
    std::size_t second_size = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const Bytes data = i % 2 == 0 ? noise(sizes[i], static_cast<std::uint32_t>(i)) : Bytes(sizes[i], 'z');
      const Bytes part = compress(data);
      if (i == 1) second = joined.stream.size(), second_size = part.size();
      append(joined.stream, part);
      append(joined.data, data);
    }
    const Expanded expanded = expand(codec, joined.stream, joined.data.size());
    CHECK((expanded.bytes == joined.data));
    CHECK_NOTE(expanded, rule, second, sizes.size(), 1);
    CHECK(expanded.note(rule)->length == (codec == ZSTD ? second_size : joined.stream.size() - second));
    CHECK(expanded.notes.all().size() == 1);
    Bytes longer = joined.stream;
    append(longer, {9, 9, 9});
    CHECK_NOTE(expand(codec, longer, joined.data.size()), Rule::compression_trailing_bytes,
               joined.stream.size(), 3, 0);
    const Expanded less = expand(codec, joined.stream, joined.data.size() - 1);
    CHECK_ERROR(less.error, Rule::page_uncompressed_size, 0, joined.data.size(), joined.data.size() - 1);
    // The last one is cut.
    const Expanded cut = expand(codec, {joined.stream.begin(), joined.stream.end() - 1}, joined.data.size());
    CHECK_ERROR(cut.error, Rule::compression_stream, 0, 0, 0);
  };
  check(GZIP, gzip_of, Rule::compression_gzip_members);
  check(ZSTD, [](const Bytes& data) { return zstd_of(data); }, Rule::compression_zstd_frames);
  check(ZSTD, [](const Bytes& data) { return zstd_of(data, false); }, Rule::compression_zstd_frames);
}

TEST_CASE("Brotli streams of several windows are expanded completely, and trailing bytes are counted",
          "[page/uncompressed-size][compression/trailing-bytes]") {
  Bytes data = noise(200'000);
  append(data, Bytes(data.begin(), data.begin() + 150'000));
  append(data, Bytes(300'000, 'b'));
  Bytes stored = brotli_of(data);
  CHECK((expand(BROTLI, stored, data.size()).bytes == data));
  for (const std::size_t claimed : {65'535UL, 65'536UL, 65'537UL, data.size() - 1}) {
    CHECK_ERROR(expand(BROTLI, stored, claimed).error, Rule::page_uncompressed_size, 0, claimed + 1, claimed);
    CHECK_ERROR(expand(GZIP, gzip_of(cut(data, claimed + 1)), claimed).error, Rule::page_uncompressed_size, 0,
                claimed + 1, claimed);
  }
  append(stored, {1, 2});
  const Expanded trailing = expand(BROTLI, stored, data.size());
  CHECK((trailing.bytes == data));
  CHECK_NOTE(trailing, Rule::compression_trailing_bytes, stored.size() - 2, 2, 0);
}

TEST_CASE("uncompressed pages may not be longer than they claim", "[page/uncompressed-size]") {
  const Bytes data = noise(70'000);
  CHECK((expand(UNCOMPRESSED, data, data.size()).bytes == data));
  CHECK_ERROR(expand(UNCOMPRESSED, data, data.size() - 3).error, Rule::page_uncompressed_size, 0, 70'000,
              69'997);
}

TEST_CASE("one decompressor serves pages of all codecs in turn, larger and smaller") {
  Decompressor decompressor;
  Buffer buffer;
  const Limits limits;
  struct Codec {
    CompressionCodec codec;
    Bytes (*compress)(const Bytes&);
  };
  const Codec codecs[] = {
      {SNAPPY, snappy_of}, {GZIP, gzip_of},   {ZSTD, [](const Bytes& data) { return zstd_of(data, false); }},
      {BROTLI, brotli_of}, {LZ4_RAW, lz4_of}, {LZO, lzo_of}};
  for (std::uint32_t round = 0; round < 3; ++round) {
    for (const std::size_t size : {300'000UL, 100UL, 70'000UL}) {
      for (const Codec& one : codecs) {
        const Bytes data = noise(size, round * 7 + static_cast<std::uint32_t>(size));
        Bytes broken = one.compress(data);
        Notes notes;
        const Bytes cut(broken.begin(), broken.end() - 1);
        CHECK_FALSE(decompressor.expand(one.codec, {cut, kBase}, size, buffer, 0, limits, notes));
        const Bytes stored = one.compress(data);
        const std::size_t produced =
            decompressor.expand(one.codec, {stored, kBase}, size, buffer, 0, limits, notes).value();
        CHECK(produced == size);
        CHECK(std::memcmp(buffer.data(), data.data(), size) == 0);
        CHECK(notes.all().empty());
      }
    }
  }
}

TEST_CASE("sizes beyond 32 bits are reported without truncation", "[page/uncompressed-size]") {
  constexpr std::size_t kFull = 4'250'000;  // bytes that each add 255 to the length of a copy
  Bytes block{0x1F, 'a', 1, 0};
  block.insert(block.end(), kFull, 0xFF);
  append(block, {0, 0x50, 'b', 'b', 'b', 'b', 'b'});
  constexpr std::size_t kSize = 1 + (15 + 4 + 255 * kFull) + 5;
  Bytes stream;
  for (int i = 0; i < 2; ++i) {  // Hadoop's blocks: the LZ4 format ends at 31 bits
    append(stream, big_endian(kSize));
    append(stream, big_endian(block.size()));
    append(stream, block);
  }
  constexpr std::size_t kClaimed = std::size_t{INT32_MAX} + 9;
  static_assert(2 * kSize > kClaimed);
  const std::optional<Error> error = expand(LZ4, stream, kClaimed).error;
  CHECK_ERROR(error, Rule::page_uncompressed_size, 0, 2 * kSize, kClaimed);
  CHECK(error->length == stream.size());
}

}  // namespace parqproof
