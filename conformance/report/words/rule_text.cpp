#include "conformance/report/words/rule_text.hpp"

#include <string_view>

#include "conformance/diagnosis/transfer/hypotheses.hpp"
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
  const bool has_own_words = is_of_transfer(finding.rule);
  return fill(finding, grouped(finding.found), grouped(finding.expected),
              has_own_words ? grouped_words(finding.detail) : finding.detail);
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
