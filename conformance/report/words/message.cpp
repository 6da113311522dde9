#include "codec/rules/rule.hpp"
#include "conformance/diagnosis/transfer/mangling.hpp"
#include "conformance/report/check_report.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof {

namespace {

/// The message of a rule with these words in it.
std::string fill(const Finding& finding, const std::string& found, const std::string& expected,
                 const std::string& detail) {
  const std::string_view form = info(finding.rule).message;
  std::string text;
  for (std::size_t at = 0; at < form.size(); ++at) {
    if (form[at] == '{' && at + 2 < form.size() && form[at + 2] == '}') {
      switch (form[at + 1]) {
        case '0':
          text += found;
          break;
        case '1':
          text += expected;
          break;
        case '2':
          text += detail;
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

}  // namespace

std::string message(const Finding& finding) {
  return fill(finding, plain_text(finding.found), plain_text(finding.expected), finding.detail);
}

std::string text_message(const Finding& finding) {
  // Details of other rules have names and values of the file.
  const bool has_own_words = is_mangling(finding.rule);
  return fill(finding, grouped(finding.found), grouped(finding.expected),
              has_own_words ? grouped_words(finding.detail) : finding.detail);
}

}  // namespace parqproof
