#include "conformance/report/fingerprint.hpp"

#include <fmt/format.h>

#include "codec/file/bloom_filter.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof {

std::string Fingerprints::numbered(const std::string& key) {
  const std::uint64_t before = same_[key]++;
  return fmt::format("{:016x}", bloom_hash(bytes_of(fmt::format("{}|{}", key, before))));
}

std::string Fingerprints::next(const ReportedFinding& reported) {
  const Finding& finding = reported.finding;
  return numbered(fmt::format("{}|{}|{}|{}", name_, info(finding.rule).id, reported.column,
                              general_field(finding.field)));
}

std::string Fingerprints::of_verdict() { return numbered(fmt::format("{}|", name_)); }

}  // namespace parqproof
