#pragma once

#include <vector>

#include "conformance/file/doubts.hpp"
#include "conformance/policy/policy.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Judges one file in the order of the specification: magic and tail, footer, chunks, row groups, byte map.
/// Files that its column chunks name are judged as well and add their reports; if `reports` is null, they
/// are not opened. `doubts` answers questions about fields that may be wrong.
void judge_file(FileCheck& check, const Policy& policy, const FileDoubts& doubts,
                std::vector<FileReport>* reports);

/// The same without the search for pages and footers in a file without a readable footer.
void judge_phases(FileCheck& check, const Policy& policy, const FileDoubts& diagnosis,
                  std::vector<FileReport>* reports);

/// Searches a file without a readable footer for pages and footers.
void look_for_remains(FileCheck& check, const FileDoubts& doubts);

}  // namespace parqproof
