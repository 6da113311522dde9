#include "conformance/report/words/rule_text.hpp"

#include <cstddef>
#include <string_view>

#include "conformance/diagnosis/transfer/hypotheses.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof {
namespace {

/// Puts `value('0')` in place of {0}, and one of the words in place of {0|one|several} by `is_one('0')`.
template <typename Value, typename IsOne>
std::string fill(std::string_view form, Value value, IsOne is_one) {
  std::string text;
  for (;;) {
    const std::size_t begin = form.find('{');
    text += form.substr(0, begin);
    if (begin == form.npos) return text;
    form.remove_prefix(begin + 1);
    const std::size_t end = form.find('}');
    const std::string_view part = form.substr(0, end);
    form.remove_prefix(end + 1);
    if (part.size() == 1) {
      text += value(part[0]);
    } else {
      const std::size_t bar = part.rfind('|');
      text += is_one(part[0]) ? part.substr(2, bar - 2) : part.substr(bar + 1);
    }
  }
}

/// The message of a finding with these words in it.
std::string fill(const Finding& finding, const std::string& found, const std::string& expected,
                 const std::string& detail) {
  return fill(
      info(finding.rule).message,
      [&](char which) { return which == '0'   ? found
                               : which == '1' ? expected
                                              : detail; },
      [&](char which) { return is_singular(which == '0' ? finding.found : finding.expected); });
}

}  // namespace

std::string message(const Finding& finding) {
  return fill(finding, plain_text(finding.found), plain_text(finding.expected), finding.detail);
}

std::string text_message(const Finding& finding) {
  // Details of other rules have names and values of the file.
  const bool has_own_words = is_of_transfer(finding.rule);
  return fill(finding, grouped(finding.found), grouped(finding.expected),
              has_own_words ? grouped_words(finding.detail) : finding.detail);
}

std::string message_form(const RuleInfo& rule) {
  return fill(
      rule.message, [](char which) { return std::string{'{', which, '}'}; }, [](char) { return false; });
}

std::string clause_url(const RuleInfo& rule) {
  const std::string_view document = rule.clause.substr(0, rule.clause.find('#'));
  if (document.starts_with("thrift-") || document == "idl.md")
    return "https://github.com/apache/thrift/blob/v0.24.0/doc/specs/" + std::string(rule.clause);
  if (document == "geoparquet.md")
    return "https://github.com/opengeospatial/geoparquet/blob/v1.1.0/format-specs/" +
           std::string(rule.clause);
  // The 2013 documents that the specification has dropped.
  constexpr std::string_view kEdition = "2013/";
  if (document.starts_with(kEdition)) {
    const bool encodings = document.ends_with("Encodings.md");
    return "https://github.com/apache/parquet-format/blob/" +
           std::string(encodings ? "871c00635925ca560cf4d795eec8870d3606849d"
                                 : "cca062f72b9e27caa51f1a07381065707b13660c") +
           "/" + std::string(rule.clause.substr(kEdition.size()));
  }
  return "https://github.com/apache/parquet-format/blob/" + std::string(kSpecCommit) + "/" +
         (document == "parquet.thrift" ? "src/main/thrift/parquet.thrift" : std::string(rule.clause));
}

}  // namespace parqproof
