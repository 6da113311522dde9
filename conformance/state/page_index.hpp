#pragma once

#include "codec/format/page_index.hpp"

namespace parqproof {

/// A struct of the page index of a column chunk.
template <typename Struct>
struct IndexOfPages {
  View bytes;  ///< serialized; empty where the chunk has no such struct. They belong to a window that stays
               ///< while the chunk is checked
  Struct says;
  bool sound = false;  ///< it was read to its end, and no fault leaves in doubt what it says
};

/// The page index of a column chunk.
struct PageIndex {
  IndexOfPages<OffsetIndex> offset;
  IndexOfPages<ColumnIndex> column;
};

}  // namespace parqproof
