#pragma once

#include <string>
#include <vector>

#include "codec/base/folder.hpp"
#include "codec/base/source.hpp"
#include "conformance/policy/options.hpp"
#include "conformance/result/file_report.hpp"
#include "conformance/verdict/report_of.hpp"

namespace parqproof {

/// Judges one file. Returns a report for any bytes.
[[nodiscard]] FileReport check(const Source& source, std::string path, const CheckOptions& options);

/// Judges the file, and then the files in its folder that its column chunks name, in the order in which they
/// are first named. Each file is judged once and gets its own report, after that of the naming file. Files
/// that the named files name are not opened. Without a folder this is check() of the one file.
[[nodiscard]] std::vector<FileReport> check(const Source& file, std::string path, const CheckOptions& options,
                                            const Folder* folder);

}  // namespace parqproof
