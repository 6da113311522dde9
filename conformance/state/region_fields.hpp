#pragma once

#include <string_view>

#include "codec/page/regions.hpp"

namespace parqproof {

/// The field of a ColumnChunk that states where a structure of this kind begins; for a column chunk that of
/// its data pages.
[[nodiscard]] std::string_view offset_field(Region::Kind kind);
/// The field that states how many bytes it takes; for a column chunk those of all its pages.
[[nodiscard]] std::string_view length_field(Region::Kind kind);

}  // namespace parqproof
