#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/report/check_report.hpp"
#include "conformance/report/words/rule_numbers.hpp"

namespace parqproof {

/// SARIF 2.1.0, the form of code-scanning services. These limit results and bytes: beyond the limit, errors
/// are kept before warnings and warnings before advice, and a notification has the number of the others.
class SarifReport final : public Report {
 public:
  static constexpr std::uint64_t kResults = 5000;
  static constexpr std::uint64_t kBytes =
      8'000'000;  ///< max size of results; rules and notifications stay below 2 MB
  static constexpr std::uint64_t kNotifications = 1000;

  explicit SarifReport(Out& out) noexcept : out_(&out) {}
  void add(const FileReport& file, const Source* source) override;
  void end(const RunSummary& summary) override;

 private:
  void keep(Severity severity, std::string result);
  void notify(const char* level, const std::string& text, const std::string& path);

  Out* out_;
  std::array<std::vector<std::string>, 3> results_;  // as JSON, by severity
  std::vector<std::string> notifications_;           // as JSON
  RuleNumbers rules_;
  std::uint64_t kept_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t left_out_ = 0;
  std::uint64_t notifications_left_out_ = 0;
  bool complete_ = true;  // every file could be read
};

}  // namespace parqproof
