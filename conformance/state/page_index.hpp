#pragma once

#include "codec/format/page_index.hpp"

namespace parqproof {

/// A struct of the page index of a column chunk.
template <typename Struct>
struct IndexOfPages {
  View bytes;  ///< serialized, valid while the chunk is checked; empty if the chunk has no such struct
  Struct parsed;
  bool sound = false;  ///< it was read to its end, and has no fault that makes its values doubtful
};

/// The page index of a column chunk.
struct PageIndex {
  IndexOfPages<OffsetIndex> offset;
  IndexOfPages<ColumnIndex> column;
};

}  // namespace parqproof
