#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/check_report.hpp"

namespace parqproof {

/// The forms of a report of `check`.
enum class ReportForm : std::uint8_t {
  text,
  json,
  ndjson,
  lines,
  sarif,
  junit,
  github,
  codequality,
  markdown,
  html
};

/// What a report is made with, in addition to its output.
struct FormSettings {
  bool fancy = false;  ///< text with colours and links
  ReportExtent extent = ReportExtent::files;
  const std::vector<Verdict>& tolerated;  ///< some forms show files with these as passed
};

/// Returns true if the form can have the summary only.
[[nodiscard]] bool has_summary(ReportForm form) noexcept;

/// The form with this name.
[[nodiscard]] std::optional<ReportForm> find_form(std::string_view name) noexcept;
/// The names of all forms, in the order of the enumeration.
[[nodiscard]] std::vector<std::string> form_names();

/// A report in this form; `out` and the settings outlive it.
[[nodiscard]] std::unique_ptr<Report> make_report(ReportForm form, Out& out, const FormSettings& settings);

}  // namespace parqproof
