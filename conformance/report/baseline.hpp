#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/check/check.hpp"

namespace parqproof {

/// An earlier report that files are compared with. Files are the same by their path, or by their path below
/// the searched directory; findings of one file are the same by rule, column and field without list indices,
/// regardless of their number.
class Baseline {
 public:
  /// Parses the output of `check --format json` or `--format ndjson`; otherwise empty, and `why` is the
  /// message.
  [[nodiscard]] static std::optional<Baseline> read(std::string_view text, std::string& why);

  /// Marks each finding as known or new, and lists the vanished ones: findings of rules that were checked, at
  /// places that were checked. `file` must have all of its findings.
  void compare(FileReport& file, const CheckOptions& options) const;

 private:
  using Keys = std::set<FindingKey>;

  [[nodiscard]] const Keys& of(const FileReport& file) const;

  std::vector<Keys> files_;
  std::map<std::string, std::size_t> by_path_;
  std::map<std::string, std::optional<std::size_t>> by_relative_;  // empty if two files have this path
};

}  // namespace parqproof
