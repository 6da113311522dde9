#pragma once

#include <span>

#include "conformance/advice/chunk_pages.hpp"
#include "conformance/advice/encoding_advice.hpp"

namespace parqproof {

/// row-group/size: compares the mean size of the row groups with the recommendation
/// (README.md#configurations).
void advise_row_group_size(FileCheck& check);

/// page/size: compares the mean size of the data pages of some chunks of a column with the recommendation.
void advise_page_size(FileCheck& check, const AdvisedColumn& column, std::span<const ChunkPages> chunks);

}  // namespace parqproof
