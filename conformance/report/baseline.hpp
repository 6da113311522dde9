#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/check/check.hpp"

namespace parqproof {

/// A former report that files are held against. Files are the same by their path, or by their path below the
/// directory that was searched; findings of one file are the same by rule, column and field with list indices
/// left open, however many there are.
class Baseline {
 public:
  /// Understands what `check --format json` or `--format ndjson` printed; otherwise nothing, and `why` says
  /// in words what is wrong.
  [[nodiscard]] static std::optional<Baseline> read(std::string_view text, std::string& why);

  /// Says of each finding whether it is known, and what has vanished: findings of rules that were judged, at
  /// places that were looked at. `file` has all of its findings in it.
  void compare(FileReport& file, const CheckOptions& options) const;

 private:
  using Keys = std::set<FindingKey>;

  [[nodiscard]] const Keys& of(const FileReport& file) const;

  std::vector<Keys> files_;
  std::map<std::string, std::size_t> by_path_;
  std::map<std::string, std::optional<std::size_t>> by_relative_;  // nothing where two files have it
};

}  // namespace parqproof
