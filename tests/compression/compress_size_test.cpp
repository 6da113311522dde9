// What the compressors choose by default is nearly the smallest that their options give.
#include <algorithm>
#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <string>

#include "codec/compression/compress.hpp"
#include "codec/compression/table.hpp"
#include "tests/encoding/number_columns.hpp"

namespace parqproof {
namespace {

constexpr double kMost = 1.03;  // of the smallest
constexpr std::size_t kFewBytes = 8;

using Bytes = std::vector<std::uint8_t>;

/// A page of numbers as eight bytes each, and one of them as words.
std::vector<Bytes> images_of(const NumberColumn& column) {
  Bytes wide;
  Bytes words;
  for (const std::int64_t number : numbers_of(column)) {
    for (unsigned byte = 0; byte < 8; ++byte) wide.push_back(static_cast<std::uint8_t>(number >> 8 * byte));
    const std::string word = "item " + std::to_string(number) + '\n';
    words.insert(words.end(), word.begin(), word.end());
  }
  return {wide, words};
}

/// The INT32 values 0, 1, 2 and so on, as a PLAIN page has them, or with the most significant byte first.
Bytes counter_of(std::size_t bytes, std::endian order = std::endian::little) {
  Bytes image(bytes);
  for (std::size_t i = 0; i < bytes; ++i) {
    const std::size_t byte = order == std::endian::little ? i % 4 : 3 - i % 4;
    image[i] = static_cast<std::uint8_t>(i / 4 >> 8 * byte);
  }
  return image;
}

/// Lines with a number that counts up.
Bytes words_of(std::size_t bytes) {
  Bytes image;
  for (std::size_t i = 0; image.size() < bytes; ++i) {
    const std::string line = "item " + std::to_string(i) + '\n';
    image.insert(image.end(), line.begin(), line.end());
  }
  return image;
}

/// INT32 values of which each is one of fifty.
Bytes small_numbers_of(std::size_t bytes) {
  std::mt19937_64 chance(7);
  Bytes image(bytes);
  for (std::size_t i = 0; i + 4 <= bytes; i += 4) image[i] = static_cast<std::uint8_t>(chance() % 50);
  return image;
}

/// Every choice that can make the output smaller, but for windows.
std::vector<CompressOptions> grid(const CompressionInfo& row) {
  std::vector<CompressOptions> all;
  const auto with_level = [&](CompressOptions options) {
    if (!row.levels) all.push_back(options);
    for (int level = row.levels ? row.levels->least : 1; row.levels && level <= row.levels->most; ++level) {
      options.level = level;
      all.push_back(options);
    }
  };
  with_level({});
  if (row.codec == CompressionCodec::ZSTD) all.push_back({.content_size = false});
  if (row.codec == CompressionCodec::BROTLI) {
    for (unsigned bits = 0; bits <= 3; ++bits) all.push_back({.level = 9, .postfix_bits = bits});
    all.push_back({.level = 5, .postfix_bits = 3, .direct_distances = 24});
    all.push_back({.level = 11, .postfix_bits = 1, .direct_distances = 16});
  }
  if (row.codec == CompressionCodec::LZ4) all.push_back({.layout = CompressOptions::Layout::bare});
  return all;
}

/// Levels in windows.
std::vector<CompressOptions> windows(const CompressionInfo& row, std::size_t bytes) {
  std::vector<CompressOptions> all;
  const bool zstd = row.codec == CompressionCodec::ZSTD;
  for (unsigned log = 10; bytes >> log != 0; ++log) {
    for (int level = zstd ? 1 : 4; level <= row.levels->most; level += zstd || level < 9 ? 1 : 2) {
      all.push_back({.level = level, .window_log = log});
    }
  }
  return all;
}

struct Sizes {
  Compressor compressor;

  std::size_t size_of(CompressionCodec codec, const Bytes& image, const CompressOptions& options) {
    Bytes stored;
    REQUIRE(compressor.compress(codec, image, options, stored).has_value());
    return stored.size();
  }

  void compare(CompressionCodec codec, const Bytes& image, const std::vector<CompressOptions>& choices) {
    const std::size_t usual = size_of(codec, image, {});
    std::size_t smallest = usual;
    for (const CompressOptions& options : choices) {
      smallest = std::min(smallest, size_of(codec, image, options));
    }
    CHECK(static_cast<double>(usual) <= kMost * static_cast<double>(smallest) + kFewBytes);
  }
};

TEST_CASE("by default an image takes at most 3 % more bytes than with any options") {
  Sizes sizes;
  for (const CompressionInfo& row : all_compression_codecs()) {
    const std::vector<CompressOptions> choices = grid(row);
    for (const NumberColumn& column : number_columns()) {
      for (const Bytes& image : images_of(column)) {
        INFO(row.name() << ": " << column.name << " in " << image.size() << " bytes");
        sizes.compare(row.codec, image, choices);
      }
    }
    for (const std::size_t bytes :
         {1'000UL, 8'000UL, 11'000UL, 13'500UL, 14'477UL, 16'000UL, 24'000UL, 64'000UL}) {
      INFO(row.name() << ": a counter in " << bytes << " bytes");
      sizes.compare(row.codec, counter_of(bytes), choices);
    }
    for (const std::size_t bytes : {16'000UL, 140'000UL}) {
      if (row.codec == CompressionCodec::BROTLI && bytes > 16'000) continue;
      INFO(row.name() << ": " << bytes << " bytes");
      sizes.compare(row.codec, words_of(bytes), choices);
      sizes.compare(row.codec, counter_of(bytes), choices);
    }
    INFO(row.name() << ": small numbers");
    sizes.compare(row.codec, small_numbers_of(16'000), choices);
  }
}

TEST_CASE("by default an image takes at most 3 % more bytes than with any window") {
  Sizes sizes;
  for (const CompressionInfo& row : all_compression_codecs()) {
    if (!row.levels || row.levels->windows.empty()) continue;
    const auto compare = [&](const Bytes& image) {
      sizes.compare(row.codec, image, windows(row, image.size()));
    };
    for (const std::size_t bytes : {3'000UL, 8'000UL, 16'000UL, 32'000UL}) {
      INFO(row.name() << ": images of " << bytes << " bytes");
      if (row.codec == CompressionCodec::BROTLI && bytes > 16'000) continue;
      compare(counter_of(bytes));
      compare(counter_of(bytes, std::endian::big));
      compare(words_of(bytes));
      compare(small_numbers_of(bytes));
    }
    for (const NumberColumn& column : number_columns()) {
      for (Bytes image : images_of(column)) {
        image.resize(5'000);
        INFO(row.name() << ": the beginning of " << column.name);
        compare(image);
      }
    }
  }
}

TEST_CASE("where a window is named, no other is tried") {
  Sizes sizes;
  const Bytes image = words_of(16'000);
  const CompressionInfo& row = *find_compression(CompressionCodec::ZSTD);
  std::size_t smallest = SIZE_MAX;
  for (const int level : row.levels->tried)
    smallest = std::min(smallest, sizes.size_of(row.codec, image, {.level = level, .window_log = 15}));
  CHECK(sizes.size_of(row.codec, image, {.window_log = 15}) == smallest);
  CHECK(sizes.size_of(row.codec, image, {}) < smallest);
}

}  // namespace
}  // namespace parqproof
