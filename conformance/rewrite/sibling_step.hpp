#pragma once

#include "codec/base/source.hpp"
#include "conformance/policy/options.hpp"
#include "conformance/result/file_report.hpp"

namespace parqproof {

/// If the footer of a file is lost, and no complete one is in it: adds to the report how its rows are saved
/// with the schema of another file in its folder. A trial has saved rows with that; of the files in the
/// folder, those of four different schemas are tried, the nearest names first. Nothing for a file of more
/// than 256 MiB.
void offer_schema_of_sibling(const Source& source, const CheckOptions& options, FileReport& report);

}  // namespace parqproof
