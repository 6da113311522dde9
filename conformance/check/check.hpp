#pragma once

#include <string>
#include <vector>

#include "codec/base/folder.hpp"
#include "codec/base/source.hpp"
#include "conformance/policy/options.hpp"
#include "conformance/result/file_report.hpp"
#include "conformance/verdict/report_of.hpp"

namespace parqproof {

/// Judges one file. Total: any bytes give a report.
[[nodiscard]] FileReport check(const Source& source, std::string path, const CheckOptions& options);

/// The same, and then the files in its folder that its column chunks name, in the order in which they are
/// named: each once, with a report of its own behind that of the file. Files that those name in turn are not
/// opened. Without a folder it is check() of the one file.
[[nodiscard]] std::vector<FileReport> check(const Source& source, std::string path,
                                            const CheckOptions& options, const Folder* folder);

}  // namespace parqproof
