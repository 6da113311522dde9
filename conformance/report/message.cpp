#include "codec/rules/rule.hpp"
#include "conformance/report/check_report.hpp"

namespace parqproof {

std::string message(const Finding& finding) {
  const std::string_view form = info(finding.rule).message;
  std::string text;
  for (std::size_t at = 0; at < form.size(); ++at) {
    if (form[at] == '{' && at + 2 < form.size() && form[at + 2] == '}') {
      switch (form[at + 1]) {
        case '0':
          text += finding.found;
          break;
        case '1':
          text += finding.expected;
          break;
        case '2':
          text += finding.detail;
          break;
        default:
          text += form.substr(at, 3);
          break;
      }
      at += 2;
    } else {
      text += form[at];
    }
  }
  return text;
}

}  // namespace parqproof
