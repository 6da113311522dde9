#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "codec/rules/finding.hpp"
#include "conformance/policy/policy.hpp"
#include "conformance/result/file_report.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// What a file has lost, asked about its findings: whether a rule is broken and all can be decoded all the
/// same, or something is lost by it. A verdict is malformed exactly where something is lost, and then a
/// finding of class malformed says why.
class Losses {
 public:
  /// `findings` are those of the file, in its order. What is an error is what the policy makes one.
  Losses(const std::vector<Lost>& lost, const std::vector<Finding>& findings, const Policy& policy);

  /// The class of a finding in this file. Of a rule of class malformed it is malformed where something is
  /// lost at the place of the finding, or in its column chunk, else invalid. Of another rule it is malformed
  /// where it is the cause of a loss there. Where bytes were misread, their first fault alone is told, and it
  /// may be of such a rule: then the first error at a place of a loss is the cause, one of the
  /// loss's own place before those of what holds it.
  [[nodiscard]] Class class_of(const Finding& finding) const;

 private:
  using Chunk = std::pair<std::int32_t, std::int32_t>;  // row group, leaf

  /// Whether one of these is the chunk of the place, or holds it, or is held by it.
  [[nodiscard]] static bool touches(const std::set<Chunk>& chunks, const Place& place);

  bool file_ = false;
  std::set<Chunk> chunks_;  // in which something is lost; a leaf of -1 is a whole row group
  std::set<std::pair<Rule, Chunk>> causes_;
};

/// Makes the rows of what is lost, which the check of a chunk counts from the first of its row group, those
/// of the file, and adds those of whole column chunks. What is not known is taken away.
void settle_rows(const FileCheck& check, std::vector<Lost>& lost);

}  // namespace parqproof
