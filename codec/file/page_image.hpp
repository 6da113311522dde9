#pragma once

#include <cstdint>

#include "codec/base/limits.hpp"
#include "codec/base/result.hpp"
#include "codec/compression/decompress.hpp"
#include "codec/file/levels.hpp"
#include "codec/file/page_reader.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof {

/// Whether a page has the header that its type calls for, with the numbers that its body is read by, none
/// negative.
[[nodiscard]] bool is_sound(const Page& page) noexcept;

/// The uncompressed page: the stored bytes themselves, or what comes out of the codec into `room`
/// (Space::page then). Whether index pages are compressed is not said: they are where their two sizes differ.
/// The page is_sound(). Errors: those of the codec, page/uncompressed-size, page/v2-level-lengths and limits,
/// at the first stored byte.
[[nodiscard]] Result<View> expand_page(const Page& page, View stored, CompressionCodec codec,
                                       Decompressor& decompressor, Buffer& room, const Limits& limits);

/// The sections of a data page.
struct DataPageParts {
  LevelSection repetition;
  LevelSection definition;
  View values;
  Encoding encoding{};
  std::uint64_t count = 0;  ///< entries
};

/// Cuts the image of a data page that is_sound() into its sections. Errors: levels/length-prefix,
/// bit-packed/length.
[[nodiscard]] Result<DataPageParts> split_data_page(const Page& page, View image, const Node& leaf);

}  // namespace parqproof
