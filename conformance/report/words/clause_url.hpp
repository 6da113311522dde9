#pragma once

#include <string>

#include "codec/rules/rule.hpp"

namespace parqproof {

/// Where the clause of a rule can be read: in the document as it stood at kSpecCommit. What parquet.thrift
/// defines is in the document without a mark of its own.
[[nodiscard]] std::string clause_url(const RuleInfo& rule);

}  // namespace parqproof
