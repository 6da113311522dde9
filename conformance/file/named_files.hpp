#pragma once

#include <vector>

#include "conformance/file/doubts.hpp"
#include "conformance/policy/policy.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Opens the files that column chunks name, one after the other, and judges the chunks in them. A file that
/// begins or ends with a magic is a Parquet file and judged as such, and what the metadata says of its chunks
/// is held against what it says itself; in any other file the chunks are read by the metadata alone. Each
/// file that can be named gets a report of its own; `reports` null: none is opened.
void check_named_files(FileCheck& check, const Policy& policy, const FileDoubts& doubts,
                       std::vector<FileReport>* reports);

}  // namespace parqproof
