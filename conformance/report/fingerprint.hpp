#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "conformance/report/words/path_text.hpp"
#include "conformance/result/file_report.hpp"

namespace parqproof {

/// Names for the findings of one file by which a service recognises them in the next run: equal while path,
/// rule, column and field are, wherever the finding moves.
class Fingerprints {
 public:
  explicit Fingerprints(const FileReport& file)
      : name_(file.relative.empty() ? repository_path(file.path) : file.relative) {}

  /// 16 hex digits. Findings that differ only in their places are numbered in the order of the calls.
  [[nodiscard]] std::string next(const ReportedFinding& reported);
  /// For the verdict of a file that could not be checked completely.
  [[nodiscard]] std::string of_verdict();

 private:
  [[nodiscard]] std::string numbered(const std::string& key);

  std::string name_;
  std::map<std::string, std::uint64_t> same_;
};

}  // namespace parqproof
