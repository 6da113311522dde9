#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/state/finding_site.hpp"

namespace parqproof {

/// The first element of a list that breaks a rule, and the number of such elements.
struct FirstFault {
  std::uint64_t at = 0;  ///< index of the element
  std::uint64_t times = 0;
  Contrast what;

  void note(std::uint64_t index, FindingValue found, FindingValue expected) {
    if (times++ != 0) return;
    at = index;
    what.found = std::move(found);
    what.expected = std::move(expected);
  }
  /// Makes a finding at the element, or at its part `field`, if there is one.
  void report(const FindingSite& site, Rule rule, std::string_view list, std::string_view field = {}) const {
    if (times == 0) return;
    const std::string element = std::string(list) + "[" + std::to_string(at) + "]" + std::string(field);
    site.report(rule, element, what, times);
  }
};

}  // namespace parqproof
