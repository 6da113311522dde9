#pragma once

#include <string_view>

#include "codec/page/regions.hpp"

namespace parqproof {

/// The field of a ColumnChunk with the offset of a structure of this kind; for a column chunk the offset of
/// its data pages.
[[nodiscard]] std::string_view offset_field(Region::Kind kind);
/// The field with the length of the structure; for a column chunk the size of all its pages.
[[nodiscard]] std::string_view length_field(Region::Kind kind);

}  // namespace parqproof
