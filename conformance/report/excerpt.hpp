#pragma once

#include <string>

#include "codec/base/source.hpp"
#include "codec/rules/finding.hpp"
#include "conformance/report/layout.hpp"

namespace parqproof {

/// The bytes at fault as lines of text: the structure that they stand in, the runs that they touch, and a run
/// before and behind. Of many bytes the first are shown. Empty where the finding has no bytes in the file.
[[nodiscard]] std::string excerpt(const Source& source, const Layout& layout, const Finding& finding);

}  // namespace parqproof
