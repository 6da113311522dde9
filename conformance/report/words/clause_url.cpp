#include "conformance/report/words/clause_url.hpp"

#include <string_view>

namespace parqproof {

std::string clause_url(const RuleInfo& rule) {
  const std::string_view document = rule.clause.substr(0, rule.clause.find('#'));
  if (document.starts_with("thrift-") || document == "idl.md")
    return "https://github.com/apache/thrift/blob/v0.24.0/doc/specs/" + std::string(rule.clause);
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
