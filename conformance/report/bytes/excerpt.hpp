#pragma once

#include <string>
#include <vector>

#include "codec/base/source.hpp"
#include "codec/rules/finding.hpp"
#include "conformance/report/bytes/layout.hpp"

namespace parqproof {

/// The bytes at fault of each finding as lines of text: the structure that they stand in, the runs that they
/// touch, and a run before and behind. Empty where a finding has no bytes in the file.
[[nodiscard]] std::vector<std::string> excerpts(const Source& source, const Layout& layout,
                                                const std::vector<const Finding*>& findings);

}  // namespace parqproof
