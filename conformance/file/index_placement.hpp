#pragma once

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Judges the places of Bloom filters and page indexes in the file: bloom-filter/order and
/// bloom-filter/location (BloomFilter.md#file-format), page-index/location, page-index/grouping,
/// page-index/all-columns and page-index/offset-alone (PageIndex.md#technical-approach). Must be called
/// before check_layout(), which moves the regions out of `check`.
void check_index_places(FileCheck& check);

}  // namespace parqproof
