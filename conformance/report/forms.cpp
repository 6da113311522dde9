#include "conformance/report/forms.hpp"

#include <algorithm>
#include <iterator>

#include "conformance/report/ci_reports.hpp"
#include "conformance/report/html/html_report.hpp"

namespace parqproof {
namespace {

using Made = std::unique_ptr<Report>;

struct FormRow {
  std::string_view name;
  bool has_summary;
  Made (*make)(Out& out, const FormSettings& settings);
};

template <typename Form>
Made without_extent(Out& out, const FormSettings& /*settings*/) {
  return std::make_unique<Form>(out);
}
template <typename Form>
Made with_extent(Out& out, const FormSettings& settings) {
  return std::make_unique<Form>(out, settings.extent);
}
Made make_text(Out& out, const FormSettings& settings) {
  return std::make_unique<TextReport>(out, settings.fancy, settings.extent);
}
Made make_junit(Out& out, const FormSettings& settings) {
  return std::make_unique<JunitReport>(out, settings.tolerated);
}

/// The forms, in the order of the enumeration.
constexpr FormRow kForms[] = {
    {"text", true, make_text},
    {"json", true, with_extent<JsonReport>},
    {"ndjson", true, with_extent<NdjsonReport>},
    {"lines", false, without_extent<LinesReport>},
    {"sarif", false, without_extent<SarifReport>},
    {"junit", false, make_junit},
    {"github", false, without_extent<GithubReport>},
    {"codequality", false, without_extent<CodeQualityReport>},
    {"markdown", true, with_extent<MarkdownReport>},
    {"html", true, with_extent<HtmlReport>},
};
static_assert(std::size(kForms) == static_cast<std::size_t>(ReportForm::html) + 1);

const FormRow& row_of(ReportForm form) noexcept { return kForms[static_cast<std::size_t>(form)]; }

}  // namespace

bool has_summary(ReportForm form) noexcept { return row_of(form).has_summary; }

std::optional<ReportForm> find_form(std::string_view name) noexcept {
  const auto row = std::ranges::find(kForms, name, &FormRow::name);
  if (row == std::end(kForms)) return std::nullopt;
  return static_cast<ReportForm>(row - std::begin(kForms));
}

std::vector<std::string> form_names() {
  std::vector<std::string> names;
  for (const FormRow& row : kForms) names.emplace_back(row.name);
  return names;
}

std::unique_ptr<Report> make_report(ReportForm form, Out& out, const FormSettings& settings) {
  return row_of(form).make(out, settings);
}

}  // namespace parqproof
