#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
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

/// Why something cannot be read.
struct DamageCause {
  std::optional<Finding> finding;
  std::string words;  ///< where no rule is broken
  std::string file;   ///< the file beside this one that the finding is in; empty: this one

  /// The input is at fault, rather than a limit, a missing key, an unknown feature or the medium.
  [[nodiscard]] bool is_broken() const noexcept;
};

/// Rows of a row group that have values of a column in whole pages, from `first` up to but without `end`.
struct RowPart {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  /// Where the pages are; nothing: where the metadata of the chunk says, from its first page on.
  std::optional<ChunkExtent> extent = {};
  ChunkPart part = {};
};

/// Rows of a row group that lack values of a column, from `first` up to but without `end`, because of
/// pages: the ordinals of the first and the last of them; -1 where they are not known.
struct RowGap {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::int32_t first_page = -1;
  std::int32_t last_page = -1;
  std::optional<DamageCause> cause = {};  ///< nothing: DamageReading knows
};

/// What is left of a column chunk. Parts and gaps cover all rows of the row group, each in ascending order.
struct ChunkDamage {
  std::vector<RowPart> parts;
  std::vector<RowGap> gaps;

  /// Nothing can be read from row `row` on.
  void cut(std::uint64_t row, std::uint64_t rows, std::int32_t page, std::optional<DamageCause> cause);
};

/// What is left of a row group.
struct RowGroupDamage {
  std::optional<std::uint64_t> rows;           ///< that it holds; nothing where that is not known
  std::map<std::size_t, ChunkDamage> columns;  ///< by leaf; of others nothing is known to be damaged

  /// The damage of a leaf, which is whole so far if it has none. `rows` is known.
  ChunkDamage& of(std::size_t leaf);
};

/// The damage of a row group that was checked.
[[nodiscard]] RowGroupDamage damage_of(const FileCheck& check, std::size_t row_group);

/// Asks check() what can be read of the row groups of a file, of one after the other. It looks at more and
/// more of them at a time, so that the footer is not read again for each.
class DamageReading {
 public:
  /// `folder`: of the file, for column chunks in other files; null: none of those. Both outlive it.
  DamageReading(const Source& source, const Folder* folder, const CheckOptions& options);

  /// What is left of a row group; those that are asked about ascend.
  [[nodiscard]] RowGroupDamage of(std::uint32_t row_group);
  /// Why what is at this place is lost, in a row group that was asked about last.
  [[nodiscard]] DamageCause cause_at(const Place& place) const;

 private:
  void read(std::uint64_t first, std::uint64_t end);

  const Source& source_;
  const Folder* folder_;
  CheckOptions options_;
  std::uint64_t width_ = 1;  // row groups to be read next
  std::uint64_t first_ = 0;  // of those that were read
  std::vector<RowGroupDamage> read_;
  std::vector<FileReport> reports_;
};

}  // namespace parqproof
