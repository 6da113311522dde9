#pragma once

#include <string>

#include "codec/rules/rule.hpp"

namespace parqproof {

/// URL of the clause of a rule, in the document at kSpecCommit. Clauses about parquet.thrift have no anchor.
[[nodiscard]] std::string clause_url(const RuleInfo& rule);

}  // namespace parqproof
