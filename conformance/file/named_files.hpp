#pragma once

#include <vector>

#include "conformance/file/doubts.hpp"
#include "conformance/policy/policy.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Opens the files that column chunks name, one after the other, and judges the chunks in them. A file that
/// begins or ends with a magic is judged as a Parquet file, and the metadata about its chunks is compared
/// with its own footer; in any other file the chunks are read by the metadata alone. Each file that can be
/// named gets its own report; if `reports` is null, no file is opened.
void check_named_files(FileCheck& check, const Policy& policy, const FileDoubts& doubts,
                       std::vector<FileReport>* reports);

}  // namespace parqproof
