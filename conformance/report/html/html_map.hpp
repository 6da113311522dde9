#pragma once

#include <cstdint>
#include <set>

#include "codec/rules/finding.hpp"
#include "conformance/report/bytes/layout.hpp"
#include "conformance/report/json_writer.hpp"

namespace parqproof {

/// Members of the object that draws a file in the HTML report: `size`, `columns`, `grid`, `segments`,
/// `overlaps`, `unread`. README.md has their form. Whatever the file, they are a few hundred KB at most:
/// pages that are not among `at_fault` are taken together where there are many, and row groups and structures
/// side by side where there are very many.
void write_html_map(JsonWriter& json, const Layout& layout, const std::set<Place>& at_fault);

}  // namespace parqproof
