#pragma once

#include <string>
#include <string_view>

#include "conformance/rows/reading_failure.hpp"

namespace parqproof::cli {

/// Prints to stderr why the rows of the file at `path` cannot be read further: `what`, then the finding.
/// `column`: the dotted path of its column.
void explain_failure(const std::string& path, const ReadingFailure& failure, const std::string& column,
                     std::string_view what);

}  // namespace parqproof::cli
