// What the compressors choose by default is nearly the smallest that their options give.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
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

/// A PLAIN page of the INT32 values 0, 1, 2 and so on.
Bytes counter_of(std::size_t bytes) {
  Bytes image(bytes);
  for (std::size_t i = 0; i < bytes; ++i) image[i] = static_cast<std::uint8_t>(i / 4 >> 8 * (i % 4));
  return image;
}

/// Every choice that can make the output smaller.
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

TEST_CASE("by default an image takes at most 3 % more bytes than with any options") {
  Compressor compressor;
  const auto size_of = [&](CompressionCodec codec, const Bytes& image, const CompressOptions& options) {
    Bytes stored;
    REQUIRE(compressor.compress(codec, image, options, stored).has_value());
    return stored.size();
  };
  for (const CompressionInfo& row : all_compression_codecs()) {
    const std::vector<CompressOptions> choices = grid(row);
    const auto compare = [&](const Bytes& image) {
      const std::size_t usual = size_of(row.codec, image, {});
      std::size_t smallest = usual;
      for (const CompressOptions& options : choices) {
        smallest = std::min(smallest, size_of(row.codec, image, options));
      }
      CHECK(static_cast<double>(usual) <= kMost * static_cast<double>(smallest) + kFewBytes);
    };
    for (const NumberColumn& column : number_columns()) {
      for (const Bytes& image : images_of(column)) {
        INFO(row.name() << ": " << column.name << " in " << image.size() << " bytes");
        compare(image);
      }
    }
    for (const std::size_t bytes : {1'000UL, 8'000UL, 11'000UL, 13'500UL, 14'477UL, 16'000UL, 24'000UL}) {
      INFO(row.name() << ": a counter in " << bytes << " bytes");
      compare(counter_of(bytes));
    }
  }
}

}  // namespace
}  // namespace parqproof
