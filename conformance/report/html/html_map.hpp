#pragma once

#include <cstdint>
#include <set>

#include "codec/rules/finding.hpp"
#include "conformance/report/bytes/layout.hpp"
#include "conformance/report/json_writer.hpp"

namespace parqproof {

/// Members of the object that draws a file in the HTML report: `size`, `columns`, `grid`, `segments`,
/// `overlaps`, `unread`; README.md has their form. Their size is limited to a few hundred KB: many pages that
/// are not among `at_fault` are merged, and very many adjacent row groups and structures are merged too.
void write_html_map(JsonWriter& json, const Layout& layout, const std::set<Place>& at_fault);

}  // namespace parqproof
