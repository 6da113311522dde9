#pragma once

#include <string>
#include <vector>

#include "codec/base/source.hpp"
#include "codec/rules/finding.hpp"
#include "conformance/report/bytes/layout.hpp"

namespace parqproof {

/// The bytes at fault of each finding as lines of text: the structure that contains them, the runs that they
/// touch, and one run before and after. Empty for a finding without bytes in the file.
[[nodiscard]] std::vector<std::string> excerpts(const Source& source, const Layout& layout,
                                                const std::vector<const Finding*>& findings);

}  // namespace parqproof
