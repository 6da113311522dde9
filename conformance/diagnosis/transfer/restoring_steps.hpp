#pragma once

#include <vector>

#include "conformance/diagnosis/transfer/restored_source.hpp"
#include "conformance/result/file_report.hpp"
#include "conformance/state/parsed_footer.hpp"

namespace parqproof {

/// What can be done with a file that was damaged as one, as its report says: how a copy of the file as it was
/// is made, with zeros for the bytes in `gone` and `headers`, and how its rows are read. Nothing where its
/// bytes stand where they stood, and where a name cannot be printed as it is.
[[nodiscard]] std::vector<NextStep> restoring_steps(const FileReport& report, const RestoredSource& restored,
                                                    std::vector<ByteRange> gone,
                                                    const std::vector<ByteRange>& headers);

}  // namespace parqproof
