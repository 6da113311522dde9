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
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// A finding, and the file that it is in, where that is another one beside the file that rows are read from.
struct Blamed {
  Finding finding;
  std::string file;
};

/// What check() makes of a file in which the reading of rows has stopped: it tells a field that lies from
/// what a reader stumbles over. It reads the footer again, and the pages of the row group that it is asked
/// about; of a file that would need that again and again it says no more after a while.
class SecondReading {
 public:
  /// `folder`: of the file, for column chunks in other files; null: none of those. Both outlive it.
  SecondReading(const Source& source, const Folder* folder, const CheckOptions& options);

  /// Where the pages of a column chunk are, and whether one of them is lost. Nothing where the row group
  /// cannot be read, or was not.
  [[nodiscard]] std::optional<FoundPages> pages_of(std::uint32_t row_group, std::size_t leaf);
  /// The cause of `symptom`, at which the reading has stopped. `file`: where it is, as in Blamed. Nothing
  /// where the check finds no cause.
  [[nodiscard]] std::optional<Blamed> blame(const Finding& symptom, const std::string& file);

 private:
  void read(std::optional<std::uint32_t> row_group);
  [[nodiscard]] std::optional<SchemaChange> change_by_all_row_groups() const;
  /// What happened to the file as a whole, if that explains what is wrong with it.
  [[nodiscard]] const std::optional<Finding>& mangling();
  void keep_pages(const FileCheck& check, const RowGroupClaim& group);

  const Source& source_;
  const Folder* folder_;
  CheckOptions options_;
  WorkBudget work_;
  bool has_read_ = false;
  bool knows_mangling_ = false;  // whether there is one was found out with all row groups
  std::optional<Finding> mangling_;
  bool knows_schema_ = false;           // whether it lies was found out with all row groups
  std::optional<SchemaChange> change_;  // of the schema, without which nothing of the file fits
  std::vector<FileReport> reports_;     // of the row group in options_
  std::vector<FoundPages> pages_;       // of its leaves
};

}  // namespace parqproof
