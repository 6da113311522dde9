#include "conformance/rows/trouble.hpp"

#include <ranges>

#include "codec/rules/rule.hpp"

namespace parqproof {

bool Trouble::adopt(const Findings& found, std::uint64_t from, std::uint64_t to) {
  for (const Finding& finding : std::views::reverse(found.all())) {
    const Class klass = info(finding.rule).klass;
    if (finding.offset < from || finding.offset >= to || klass == Class::invalid) continue;
    findings_.add(finding);
    return true;
  }
  return false;
}

bool Trouble::broken() const noexcept {
  if (finding() == nullptr) return false;
  const Class klass = info(finding()->rule).klass;
  return klass == Class::malformed || klass == Class::invalid;
}

}  // namespace parqproof
