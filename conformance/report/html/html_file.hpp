#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "conformance/report/bytes/finding_bytes.hpp"
#include "conformance/report/json_writer.hpp"
#include "conformance/result/file_report.hpp"

namespace parqproof {

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

  /// Ordinal of a rule in the report's list of rules.
  using RuleIndex = std::function<std::size_t(Rule)>;

  /// Totals, causes with their first places, losses, and parts that were not checked.
  void write_causes(JsonWriter& json, const RuleIndex& rule_index) const;
  [[nodiscard]] bool has_more_places() const noexcept;
  /// The places of each cause after those of write_causes().
  void write_places(JsonWriter& json) const;

  /// The findings whose bytes are shown: first those of first_bytes, then the others.
  [[nodiscard]] std::vector<const Finding*> with_bytes() const;
  void write_first_bytes(JsonWriter& json, const std::vector<FindingBytes>& all) const;
  void write_other_bytes(JsonWriter& json, const std::vector<FindingBytes>& all) const;

  /// The pages that findings name.
  [[nodiscard]] std::set<Place> pages_at_fault() const;

 private:
  struct ReportedCause {
    const Cause* cause = nullptr;
    std::vector<const ReportedFinding*> places;  // the first findings of the cause, and the listed ones
  };

  void write_cause(JsonWriter& json, const ReportedCause& entry, const RuleIndex& rule_index) const;

  const FileReport& file_;
  std::vector<ReportedCause> causes_;
  std::vector<std::pair<std::size_t, std::size_t>> bytes_;  // cause and place whose bytes are shown
  std::size_t first_bytes_ = 0;                             // number of them in first_bytes
};

}  // namespace parqproof
