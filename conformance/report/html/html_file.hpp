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

/// What the HTML report tells of one file beside its line in the list: the causes, the most severe ones
/// first, each with its places. Its parts are members of JSON objects, whose form README.md has. The report
/// of the file outlives it.
class HtmlFile {
 public:
  static constexpr std::size_t kCauses = 200;          ///< that are told at most
  static constexpr std::size_t kWithBytes = 3;         ///< causes of which first_bytes() has the first place
  static constexpr std::size_t kMostBytes = 150;       ///< places of which other_bytes() has the bytes
  static constexpr std::size_t kPlacesWithBytes = 20;  ///< of them, those of one cause

  explicit HtmlFile(const FileReport& file);

  /// The ordinal of a rule in the list of rules that the report has.
  using RuleIndex = std::function<std::size_t(Rule)>;

  /// Facts, causes with their first places, what is lost, what was not run.
  void write_causes(JsonWriter& json, const RuleIndex& rule_index) const;
  [[nodiscard]] bool has_more_places() const noexcept;
  /// The places of each cause behind those that write_causes() has.
  void write_places(JsonWriter& json) const;

  /// The findings whose bytes are shown: first those of first_bytes, then the others.
  [[nodiscard]] std::vector<const Finding*> with_bytes() const;
  void write_first_bytes(JsonWriter& json, const std::vector<FindingBytes>& all) const;
  void write_other_bytes(JsonWriter& json, const std::vector<FindingBytes>& all) const;

  /// The pages that findings name.
  [[nodiscard]] std::set<Place> pages_at_fault() const;

 private:
  struct Told {
    const Cause* cause = nullptr;
    std::vector<const ReportedFinding*> places;  // its first ones, and those that are listed
  };

  void write_cause(JsonWriter& json, const Told& told, const RuleIndex& rule_index) const;

  const FileReport& file_;
  std::vector<Told> causes_;
  std::vector<std::pair<std::size_t, std::size_t>> bytes_;  // cause and place whose bytes are shown
  std::size_t first_bytes_ = 0;                             // of them, those of first_bytes
};

}  // namespace parqproof
