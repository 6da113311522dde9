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

/// Maps findings to the losses of a file: decides if a broken rule has made something unreadable. A verdict
/// is malformed if and only if something is lost, and then at least one finding has class malformed.
class Losses {
 public:
  /// `findings` are those of the file, in file order. The policy decides which of them are errors.
  Losses(const std::vector<Lost>& lost, const std::vector<Finding>& findings, const Policy& policy);

  /// The class of a finding in this file. A rule of class malformed gives malformed if something is lost at
  /// the place of the finding or in its column chunk, else invalid. Any other rule gives malformed if it
  /// causes a loss there. Of misread bytes only the first fault is reported, and that may be of such a rule:
  /// then the first error at a place of a loss is the cause, where the place of the loss itself precedes the
  /// places that contain it.
  [[nodiscard]] Class class_of(const Finding& finding) const;

 private:
  using Chunk = std::pair<std::int32_t, std::int32_t>;  // row group, leaf

  /// Returns true if one of the chunks is that of the place, contains it, or is in it.
  [[nodiscard]] static bool touches(const std::set<Chunk>& chunks, const Place& place);

  bool file_ = false;
  std::set<Chunk> chunks_;  // chunks with a loss; a leaf of -1 is a complete row group
  std::set<std::pair<Rule, Chunk>> causes_;
};

/// Removes the losses of pages whose column chunk is lost, and all others if the file is lost.
void fold_losses(std::vector<Lost>& lost);

/// Converts the rows of losses from ordinals in their row group to ordinals in the file, and adds those of
/// complete column chunks. Removes rows that cannot be converted.
void settle_rows(const FileCheck& check, std::vector<Lost>& lost);

}  // namespace parqproof
