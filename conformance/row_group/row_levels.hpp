#pragma once

#include "codec/rules/finding.hpp"
#include "conformance/state/chunk_totals.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// column-chunk/rows of a repeated column, whose rows are the entries with repetition level 0: makes the
/// finding at the repetition levels of the page. Returns false, without a finding, if the levels cannot be
/// read again.
[[nodiscard]] bool report_at_row_levels(FileCheck& check, const ChunkClaim& claim, const ChunkTotal& total,
                                        const Contrast& what);

}  // namespace parqproof
