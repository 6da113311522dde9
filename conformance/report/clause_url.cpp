#include "conformance/report/clause_url.hpp"

#include <string_view>

namespace parqproof {

std::string clause_url(const RuleInfo& rule) {
  const std::string_view document = rule.clause.substr(0, rule.clause.find('#'));
  if (document.starts_with("thrift-"))
    return "https://github.com/apache/thrift/blob/v0.21.0/doc/specs/" + std::string(rule.clause);
  return "https://github.com/apache/parquet-format/blob/" + std::string(kSpecCommit) + "/" +
         std::string(document.ends_with(".thrift") ? document : rule.clause);
}

}  // namespace parqproof
