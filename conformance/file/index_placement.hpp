#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Where Bloom filters and page indexes stand, by the regions of the file: bloom-filter/order and
/// bloom-filter/location (BloomFilter.md#file-format), page-index/location, page-index/grouping,
/// page-index/all-columns and page-index/offset-alone (PageIndex.md#technical-approach). Before the regions
/// are taken by check_layout().
void check_index_places(FileCheck& check);

}  // namespace parqproof
