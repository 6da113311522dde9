#pragma once

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "conformance/report/bytes/finding_bytes.hpp"
#include "conformance/report/bytes/layout.hpp"
#include "conformance/report/json_writer.hpp"
#include "conformance/report/words/rule_text.hpp"
#include "conformance/result/file_report.hpp"

namespace parqproof {

inline constexpr std::size_t kHtmlTextBytes = 400;  ///< max bytes of a text from a file
inline constexpr std::size_t kHtmlNameBytes = 160;  ///< max bytes of a column name

/// The parts of the HTML report about one file, apart from its line in the list: the causes, the most severe
/// ones first, each with its places. They are members of JSON objects, whose form is in README.md. The report
/// of the file outlives this object.
class HtmlFile {
 public:
  static constexpr std::size_t kCauses = 200;   ///< max number of causes
  static constexpr std::size_t kWithBytes = 3;  ///< number of causes whose first place is in first_bytes
  static constexpr std::size_t kMaxPlacesWithBytes = 150;  ///< max number of places with bytes
  static constexpr std::size_t kPlacesWithBytes = 20;      ///< max number of places with bytes for one cause

  explicit HtmlFile(const FileReport& file);

  /// Totals, causes with their first places, losses, and parts that were not checked. `rules` numbers the
  /// rules of the report.
  void write_causes(JsonWriter& json, RuleNumbers& rules) const;
  [[nodiscard]] bool has_more_places() const noexcept;
  /// The places of each cause after those of write_causes().
  void write_places(JsonWriter& json) const;

  /// The findings whose bytes are shown: first those of first_bytes, then the others.
  [[nodiscard]] std::vector<const Finding*> with_bytes() const;
  /// Writes the bytes of first_bytes, or the others.
  void write_bytes(JsonWriter& json, const std::vector<FindingBytes>& all, bool first) const;

  /// The pages that findings name.
  [[nodiscard]] std::set<Place> pages_at_fault() const;

 private:
  struct ReportedCause {
    const Cause* cause = nullptr;
    std::vector<const ReportedFinding*> places;  // the first findings of the cause, and the listed ones
  };

  static void write_cause(JsonWriter& json, const ReportedCause& entry, RuleNumbers& rules);

  const FileReport& file_;
  std::vector<ReportedCause> causes_;
  std::vector<std::pair<std::size_t, std::size_t>> bytes_;  // cause and place whose bytes are shown
  std::size_t first_bytes_ = 0;                             // number of them in first_bytes
};

/// Members of the object that draws a file in the HTML report: `size`, `columns`, `grid`, `segments`,
/// `overlaps`, `unread`; README.md has their form. Their size is limited to a few hundred KB: many pages that
/// are not among `at_fault` are merged, and very many adjacent row groups and structures are merged too.
void write_html_map(JsonWriter& json, const Layout& layout, const std::set<Place>& at_fault);

}  // namespace parqproof
