#pragma once

#include <optional>
#include <vector>

#include "conformance/check/context.hpp"
#include "conformance/check/policy.hpp"

namespace parqproof {

/// The steps of a check that a named file takes too (check.cpp).
void judge(FileCheck& check, const Policy& policy, std::vector<FileReport>* reports);
/// The change of the schema without which nothing of a file fits, for a check that has judged all row groups;
/// nothing where the policy does not want the rule that tells it.
[[nodiscard]] std::optional<SchemaChange> schema_change_of(const FileCheck& check, const Policy& policy);
/// Judges a file by FileFacts::change, and tells what it changes.
void judge_changed(FileCheck& check, const Policy& policy);
[[nodiscard]] FileReport report_of(FileCheck& check, const Policy& policy, std::string path);

/// Opens the files that column chunks name, one after the other, and judges the chunks in them. A file that
/// begins or ends with a magic is a Parquet file and judged as such, and what the metadata says of its chunks
/// is held against what it says itself; in any other file the chunks are read by the metadata alone. Each
/// file that can be named gets a report of its own; `reports` null: none is opened.
void check_named_files(FileCheck& check, const Policy& policy, std::vector<FileReport>* reports);

}  // namespace parqproof
