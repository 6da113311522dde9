#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/model/model.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof::model {

/// The uncompressed body of a data page or dictionary page, in its sections. A dictionary page has only
/// values.
struct PageImage {
  std::vector<std::uint8_t> repetition;  ///< levels, without the length prefix of v1 pages
  std::vector<std::uint8_t> definition;  ///< likewise
  std::vector<std::uint8_t> values;

  /// Size in bytes of the uncompressed page of a segment that has these sections.
  std::uint64_t size = 0;
};

/// Uncompresses and splits the body of a page. nullopt if it cannot be read: its header has a fault, a limit
/// is exceeded, its stream is corrupt, or the source cannot be read.
[[nodiscard]] std::optional<PageImage> open_image(Model& model, SegmentId page, const Node& leaf,
                                                  CompressionCodec codec, const Limits& limits = {});

/// Replaces the body of a page by an image, compressed if the page was. The sizes in the header and the
/// checksum, if there is one, follow; counts and statistics do not. Sets image.size. Returns false if the
/// codec cannot compress the image.
[[nodiscard]] bool set_image(Model& model, SegmentId page, const Node& leaf, CompressionCodec codec,
                             PageImage& image);

/// Replaces the stored body of a page by any bytes; its checksum, if there is one, follows.
void set_stored_body(Model& model, SegmentId page, std::vector<std::uint8_t> bytes);

}  // namespace parqproof::model
