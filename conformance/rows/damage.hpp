#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "codec/base/folder.hpp"
#include "codec/base/source.hpp"
#include "codec/record/data_pages.hpp"
#include "conformance/check/check.hpp"
#include "conformance/rows/contradicted_rows.hpp"
#include "conformance/rows/reading_failure.hpp"
#include "conformance/rows/second_reading.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Rows [first, end) of a row group that have values of a column in intact pages.
struct RowPart {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  /// Extent of the pages; empty: from the first page on, as the chunk's metadata states.
  std::optional<ChunkExtent> extent = {};
  ChunkPart part = {};
};

/// Rows [first, end) of a row group that lack values of a column because of pages, given by the ordinals of
/// the first and the last of them; -1 if unknown.
struct RowGap {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::int32_t first_page = -1;
  std::int32_t last_page = -1;
  std::optional<DamageCause> cause = {};  ///< empty: ask DamageReading::cause_at()
};

/// Readable parts of a column chunk. Parts and gaps cover all rows of the row group, each in ascending order.
struct ChunkDamage {
  std::vector<RowPart> parts;
  std::vector<RowGap> gaps;

  /// Marks everything from row `row` on as unreadable.
  void cut(std::uint64_t row, std::uint64_t rows, std::int32_t page, std::optional<DamageCause> cause);
};

/// The first row of a row group that is not intact, and why; UINT64_MAX if all are.
struct FirstGap {
  std::uint64_t row = UINT64_MAX;
  DamageCause cause = {};
  ContradictedLeaves contradicted = {};
};

/// Readable parts of a row group.
struct RowGroupDamage {
  std::optional<std::uint64_t> rows;           ///< number of rows; empty if unknown
  std::map<std::size_t, ChunkDamage> columns;  ///< by leaf; of the others no damage is known
  ContradictedLeaves contradicted = {};

  /// Returns the damage of a leaf, and adds an intact one if there is none. `rows` must be known.
  ChunkDamage& of(std::size_t leaf);
};

/// Damage of a row group that was checked.
[[nodiscard]] RowGroupDamage damage_of(const FileCheck& check, std::size_t row_group);

/// Asks check() which rows of each row group can be read. It checks more and more row groups at a time, so
/// that the footer is not read again for each.
class DamageReading {
 public:
  /// Returns what happened to the file as one; null if nothing did.
  using FindMove = std::function<const Moved*()>;

  /// `folder` is the file's folder, for column chunks in other files, or null to read none of those. Both
  /// outlive this object. `find_move` is called if a row group has an error.
  DamageReading(const Source& source, const Folder* folder, const CheckOptions& options,
                CheckOptions::ForRows use, FindMove find_move);

  /// Readable parts of a row group; calls must have ascending ordinals.
  [[nodiscard]] RowGroupDamage of(std::uint32_t row_group);
  /// Returns the first gap in these leaves that is due to an error.
  [[nodiscard]] FirstGap first_gap(std::uint32_t row_group, const std::vector<std::size_t>& leaves);
  /// Returns true if the rows are sorted as the row group states, which is one of the last check.
  [[nodiscard]] bool is_sorted(std::uint32_t row_group) const;
  /// By leaf: true if the pages of the column chunk are sound: in a row group of the last check, all of them
  /// have been judged, and none has an error or a warning in its body. Errors of the file make all doubtful.
  [[nodiscard]] std::vector<bool> sound_chunks(std::uint32_t row_group, std::size_t leaves) const;
  /// Cause of the loss at a place, in a row group of the last check.
  [[nodiscard]] DamageCause cause_at(const Place& place) const;

 private:
  void read(std::uint64_t first, std::uint64_t end);
  /// If the row group has values of other rows, no part of it can be read.
  void reject_other_rows(const FileCheck& check, std::size_t row_group, RowGroupDamage& damage) const;
  /// Checks the row groups in options_; the bytes in `gone` count as missing.
  void judge(std::optional<FileCheck>& check, std::vector<ByteRange> gone);

  const Source& source_;
  const Folder* folder_;
  CheckOptions options_;
  CheckOptions::ForRows use_;
  FindMove find_move_;
  std::uint64_t width_ = 1;  // number of row groups to check next
  std::uint64_t first_ = 0;  // first row group of the last check
  std::vector<RowGroupDamage> read_;
  std::vector<FileReport> reports_;
};

}  // namespace parqproof
