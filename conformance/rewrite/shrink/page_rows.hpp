#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/format/enums.hpp"
#include "codec/model/model.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof {

/// Part of the entries of a data page.
struct PageSums {
  std::int64_t entries = 0;
  std::int64_t rows = 0;
  std::int64_t nulls = 0;
};

/// Counts all entries of a data page. nullopt if its levels cannot be read, or if it has more than 2^24
/// entries, which levels in runs do not show in its size.
[[nodiscard]] std::optional<PageSums> count_rows(model::Model& model, model::SegmentId page, const Node& leaf,
                                                 CompressionCodec codec, const Limits& limits);

/// Removes the rows [first, end) of a data page, some of its rows but not all. Levels and values are encoded
/// again by the encodings of the page; sizes and counts of its header follow, its bounds do not. Returns what
/// is removed; nullopt, with the page as it was, if it cannot be read to its end, or on such a count of
/// entries.
[[nodiscard]] std::optional<PageSums> remove_rows(model::Model& model, model::SegmentId page,
                                                  const Node& leaf, CompressionCodec codec,
                                                  std::uint64_t first, std::uint64_t end,
                                                  const Limits& limits);

/// The dictionary indices of a data page; nullopt if it has none or cannot be read.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> read_indices(model::Model& model,
                                                                     model::SegmentId page, const Node& leaf,
                                                                     CompressionCodec codec,
                                                                     const Limits& limits);

/// Replaces the dictionary indices of a data page, and their bit width. Returns false if it cannot be read.
[[nodiscard]] bool write_indices(model::Model& model, model::SegmentId page, const Node& leaf,
                                 CompressionCodec codec, const std::vector<std::uint32_t>& indices,
                                 unsigned bit_width, const Limits& limits);

}  // namespace parqproof
