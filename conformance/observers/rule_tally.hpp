#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conformance/state/finding_site.hpp"

namespace parqproof {

/// The values of a page that break a rule.
struct RuleTally {
  Rule rule{};
  std::uint64_t times = 0;
  std::uint64_t ordinal = 0;  ///< of the first of them in its page
  View at;                    ///< its bytes; empty if it has no bytes of its own
  Contrast what;
};

/// Makes a finding of each, in the page whose header is at `page_offset`, and removes them.
inline void report_values(Findings& findings, std::vector<RuleTally>& tallies, const Place& page,
                          std::uint64_t page_offset) {
  for (RuleTally& tally : tallies) {
    tally.what.detail = std::to_string(tally.ordinal);
    report_in_page(findings, tally.rule, page, tally.at, page_offset, std::move(tally.what), tally.times);
  }
  tallies.clear();
}

}  // namespace parqproof
