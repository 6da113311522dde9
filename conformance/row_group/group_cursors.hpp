#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/record/column_cursor.hpp"
#include "conformance/state/file_check.hpp"
#include "conformance/state/finding_site.hpp"

namespace parqproof {

/// The chunk of a column as it was read the first time; nullopt if its metadata cannot be read again.
[[nodiscard]] std::optional<StoredChunk> stored_chunk(const FileCheck& check, const RowGroupClaim& group,
                                                      std::size_t leaf);

/// Makes a finding of limit/work at a column chunk, whose work exceeds what is left, unless there is one.
/// `what`: of which the bytes are. Returns the reason for what is left out.
[[nodiscard]] std::string too_much_work(FileCheck& check, const ChunkClaim& claim, std::string_view what);

/// A cursor for each column of a group, in one row group. The columns are read a second time, for rules that
/// compare the fields of one value.
class GroupCursors {
 public:
  /// The columns are [first, last), by ordinal of the leaf.
  GroupCursors(FileCheck& check, const RowGroupClaim& group, std::size_t first, std::size_t last);

  /// Goes to the first entries. Returns false if a column cannot be read.
  [[nodiscard]] bool open();
  /// Goes to the next entry of a column. Returns false if there is none, or it cannot be read.
  [[nodiscard]] bool advance(std::size_t leaf);

  [[nodiscard]] const ColumnCursor& operator[](std::size_t leaf) const { return *cursors_[leaf - first_]; }
  /// The value of the current entry of a column, which has one: at its place in the section of values or in
  /// the dictionary page, or at the first byte of the section if neither has its bytes in one piece.
  [[nodiscard]] View value(std::size_t leaf) const;
  /// Returns true if the section of values or the dictionary page has the bytes of the current value in one
  /// piece.
  [[nodiscard]] bool is_stored(std::size_t leaf) const { return page_of(leaf).has_value; }

  /// The page that has the value of the current entry of a column.
  struct ValuePage {
    Place place;
    std::uint64_t offset = 0;  ///< of its header
    View values;               ///< the bytes among which the value is
    bool has_value = false;    ///< they have its bytes in one piece
  };
  [[nodiscard]] ValuePage page_of(std::size_t leaf) const;

 private:
  FileCheck& check_;
  const RowGroupClaim& group_;
  std::size_t first_;
  ReadingContext context_;
  std::vector<std::unique_ptr<ColumnCursor>> cursors_;
};

/// The violations in the values of a group, counted by column and rule. The first of each is described.
class GroupFindings {
 public:
  explicit GroupFindings(Findings& findings) : findings_(findings) {}

  [[nodiscard]] bool wants(Rule rule) const { return findings_.wants(rule); }
  /// Counts a violation; returns true if it has to be described.
  [[nodiscard]] bool count(std::size_t leaf, Rule rule) {
    return wants(rule) && tallies_[{leaf, rule}].times++ == 0;
  }
  /// `place`, `page_offset`: of the page that has the violation. `at`: its bytes.
  void describe(const Place& place, std::uint64_t page_offset, std::size_t leaf, Rule rule, View at,
                Contrast what) {
    Tally& tally = tallies_[{leaf, rule}];
    tally = {tally.times, place, at, page_offset, std::move(what)};
  }
  /// Appends to the detail of a violation that was described; does nothing if there is none.
  void append_detail(std::size_t leaf, Rule rule, std::string_view text) {
    const auto at = tallies_.find({leaf, rule});
    if (at != tallies_.end()) at->second.what.detail += text;
  }
  /// Makes a finding of each.
  void report();

 private:
  struct Tally {
    std::uint64_t times = 0;
    Place place;
    View at;
    std::uint64_t page_offset = 0;
    Contrast what;
  };

  Findings& findings_;
  std::map<std::pair<std::size_t, Rule>, Tally> tallies_;
};

/// Judges the values of a group in each row group, if its columns [first, last) can be read and are worth it.
/// `run` returns the reason why not all values of a row group were judged, empty if they were; `leave_out`
/// receives the reasons.
void judge_row_groups(FileCheck& check, std::size_t first, std::size_t last,
                      const std::function<std::string(const RowGroupClaim&)>& run,
                      const std::function<void(std::string why, std::int32_t row_group)>& leave_out);

}  // namespace parqproof
