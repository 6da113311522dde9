#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/base/folder.hpp"
#include "codec/base/source.hpp"
#include "codec/record/data_pages.hpp"
#include "codec/rules/finding.hpp"
#include "conformance/check/check.hpp"
#include "conformance/rows/reading_failure.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Damage to the file as one.
struct Moved {
  Finding cause;
  std::vector<ByteRange> gone;  ///< bytes of which nothing is left; the others are at their places
  bool in_place = false;        ///< structures are at their offsets
};

/// Asks check() for the cause of an early end of the rows: it distinguishes a wrong field from a fault that
/// follows from it. Each request checks the footer and one row group; requests are refused once they have
/// cost too much for the size of the file.
class SecondReading {
 public:
  /// `folder` is the file's folder, for column chunks in other files, or null to read none of those. Both
  /// outlive this object.
  SecondReading(const Source& source, const Folder* folder, const CheckOptions& options);

  /// Location of the pages of a column chunk, and their intactness. Empty if the row group cannot be read, or
  /// was not.
  [[nodiscard]] std::optional<FoundPages> pages_of(std::uint32_t row_group, std::size_t leaf);
  /// Finds the cause of `symptom`, at which the reading has stopped. `file` is the file of the symptom, as in
  /// DamageCause. Without a finding if the check finds no cause.
  [[nodiscard]] DamageCause find_cause(const Finding& symptom, const std::string& file);
  /// Returns what happened to the file as one, such as missing bytes: pages may then be decoded from bytes of
  /// others. Null if nothing did. Checks the entire file once.
  [[nodiscard]] const Moved* move();

 private:
  void read(std::optional<std::uint32_t> row_group);
  [[nodiscard]] std::optional<SchemaChange> change_by_all_row_groups() const;
  void keep_pages(const FileCheck& check, const RowGroupClaim& group);

  const Source& source_;
  const Folder* folder_;
  CheckOptions options_;
  WorkBudget work_;
  bool has_read_ = false;
  bool knows_move_ = false;  // a check of all row groups has looked for it
  std::optional<Moved> move_;
  bool knows_schema_ = false;           // a check of all row groups has looked for a wrong schema
  std::optional<SchemaChange> change_;  // correction of the schema, if it contradicts the pages
  std::vector<FileReport> reports_;     // reports of the row group in options_
  std::vector<FoundPages> pages_;       // pages of its leaves
};

}  // namespace parqproof
