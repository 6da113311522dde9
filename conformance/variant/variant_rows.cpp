#include "conformance/variant/variant_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/record/column_cursor.hpp"
#include "codec/variant/assembly.hpp"
#include "codec/variant/shredding.hpp"
#include "conformance/state/finding_site.hpp"
#include "conformance/variant/variant_groups.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kAhead = std::uint64_t{1} << 16;  // read-ahead size at a page header
constexpr std::uint64_t kValuesAtOnce = 4'096;            // values between two checks for cancellation

/// The columns of a group in one row group, with a cursor each, and the findings of their values. A rule is
/// described once a column.
class GroupRows final : public variant::Columns, public variant::RowFaults {
 public:
  GroupRows(FileCheck& check, const RowGroupClaim& group, const variant::Group& columns)
      : check_(check),
        group_(group),
        columns_(columns),
        context_{check.footer.schema, check.options.limits},
        assembly_(columns, static_cast<std::uint32_t>(check.options.limits.schema_depth)) {
    for (std::size_t leaf = columns.first; leaf < columns.last; ++leaf)
      cursors_.push_back(std::make_unique<ColumnCursor>(context_, leaf, kAhead));
  }

  /// Judges all values. Returns the reason why not all of them were judged; empty if they were.
  [[nodiscard]] std::string run() {
    if (!open()) return "a column cannot be read a second time";
    std::string why = read();
    for (auto& [key, tally] : tallies_) {
      report_in_page(check_.outcome.findings, key.second, tally.place, tally.at, tally.page_offset,
                     std::move(tally.what), tally.times);
    }
    return why;
  }

 private:
  /// The violations of a rule in a column.
  struct Tally {
    std::uint64_t times = 0;
    Place place;
    View at;
    std::uint64_t page_offset = 0;
    Contrast what;
  };

  [[nodiscard]] bool open() {
    for (std::size_t i = 0; i < cursors_.size(); ++i) {
      const std::size_t index = group_.first_chunk + columns_.first + i;
      const ChunkTotal tally = check_.tally(index);
      const ChunkClaim& claim = check_.footer.chunks[index];
      ColumnChunk chunk;
      if (!check_.footer.reread(claim, check_.options.limits, chunk)) return false;
      StoredChunk stored;
      stored.row_group = claim.row_group;
      stored.source = &check_.input.source;
      stored.extent = {tally.start, tally.end, tally.end, tally.values};
      stored.codec = chunk.meta_data.codec;
      if (const PageResult<void> opened = cursors_[i]->open(stored); !opened) return false;
    }
    return true;
  }

  [[nodiscard]] std::string read() {
    const ColumnCursor& metadata = cursor(columns_.metadata);
    for (std::uint64_t values = 0; !metadata.at_end(); ++values) {
      if (values % kValuesAtOnce == 0 && check_.cancelled()) return "the check was stopped";
      if (values != 0 && metadata.repetition() == 0) ++row_;
      const variant::AssemblyEnd end =
          assembly_.is_present(*this) ? assembly_.read(*this, *this, nullptr) : assembly_.skip(*this);
      if (end == variant::AssemblyEnd::no_column) return "a column cannot be read a second time";
      if (end == variant::AssemblyEnd::disagree) return "its columns differ in their lists";
    }
    return {};
  }

  [[nodiscard]] const ColumnCursor& cursor(std::size_t leaf) const {
    return *cursors_[leaf - columns_.first];
  }

  [[nodiscard]] std::uint32_t repetition(std::size_t leaf) const override {
    return cursor(leaf).repetition();
  }
  [[nodiscard]] std::uint32_t definition(std::size_t leaf) const override {
    return cursor(leaf).definition();
  }
  [[nodiscard]] View value(std::size_t leaf) const override {
    const ColumnCursor& of = cursor(leaf);
    const View section = of.parts().values;
    if (!is_stored(of)) return {of.value(), section.base, section.space};
    return section.part(static_cast<std::size_t>(of.value().data() - section.data()), of.value().size());
  }
  /// Returns true if the section of values has the bytes of the value in one piece.
  [[nodiscard]] static bool is_stored(const ColumnCursor& cursor) {
    const View section = cursor.parts().values;
    const std::span<const std::uint8_t> value = cursor.value();
    // Compared as numbers, because the value may be in other memory than the section.
    const auto begin = reinterpret_cast<std::uintptr_t>(value.data());
    const auto first = reinterpret_cast<std::uintptr_t>(section.data());
    return begin >= first && begin + value.size() <= first + section.size();
  }
  [[nodiscard]] bool advance(std::size_t leaf) override {
    ColumnCursor& moved = *cursors_[leaf - columns_.first];
    return !moved.at_end() && moved.next() && moved.settle();
  }

  void at_column(std::size_t leaf) override {
    leaf_ = leaf;
    const ColumnCursor& of = cursor(leaf);
    start_ = of.parts().values.part(0, 0);
    has_bytes_ = is_stored(of);
  }
  void at_levels(std::size_t leaf) override {
    leaf_ = leaf;
    start_ = cursor(leaf).parts().definition.bytes.part(0, 0);
    has_bytes_ = false;
  }
  [[nodiscard]] bool wants(Rule rule) const override { return check_.outcome.findings.wants(rule); }
  [[nodiscard]] bool count(Rule rule) override { return wants(rule) && tallies_[{leaf_, rule}].times++ == 0; }
  void describe(variant::Fault fault) override {
    Tally& tally = tallies_[{leaf_, fault.rule}];
    tally.place = cursor(leaf_).place();
    tally.page_offset = cursor(leaf_).page().offset;
    tally.at = has_bytes_ ? fault.at : start_;
    tally.what = contrast(std::move(fault.found), std::move(fault.expected), place_text(fault));
  }

  /// `, in row 3 at $.a`, or, before a subject, `in row 3 at $.a, the count`.
  [[nodiscard]] std::string place_text(const variant::Fault& fault) const {
    const bool begins = !fault.subject.empty() || fault.rule == Rule::variant_unused_name;
    std::string text = fault.rule == Rule::variant_unused_name ? "row " : begins ? "in row " : ", in row ";
    text += std::to_string(row_);
    if (!fault.path.empty()) text += " at " + fault.path;
    if (!fault.subject.empty()) (text += ", ") += fault.subject;
    return text;
  }

  FileCheck& check_;
  const RowGroupClaim& group_;
  const variant::Group& columns_;
  ReadingContext context_;
  variant::Assembly assembly_;
  std::vector<std::unique_ptr<ColumnCursor>> cursors_;
  std::map<std::pair<std::size_t, Rule>, Tally> tallies_;
  std::size_t leaf_ = 0;    // the column of the next violations
  View start_;              // their place if the page does not have the bytes in one piece
  bool has_bytes_ = false;  // it has
  std::uint64_t row_ = 0;
};

/// Returns the reason why the values of a group cannot be judged in a row group; empty if they can.
std::string obstacle(FileCheck& check, const RowGroupClaim& group, const variant::Group& columns) {
  std::uint64_t bytes = 0;
  for (std::size_t leaf = columns.first; leaf < columns.last; ++leaf) {
    const std::size_t index = group.first_chunk + leaf;
    const ChunkTotal tally = check.tally(index);
    const ChunkClaim& claim = check.footer.chunks[index];
    if (claim.file != 0) return "a column is in another file";
    if (!claim.readable || !tally.walked || !tally.sums_known || !tally.rows || tally.may_have_more_entries)
      return "a column is incomplete";
    if (tally.rows != check.tally(group.first_chunk + columns.first).rows)
      return "its columns differ in their rows";
    bytes += tally.end - tally.start;
  }
  return check.outcome.work.afford(bytes) ? "" : "it takes more work than the bytes of the file are worth";
}

}  // namespace

void check_variant_rows(FileCheck& check) {
  if (!check.footer.schema_usable || check.options.tier != Tier::values || check.outcome.tallies.empty())
    return;
  const Schema& schema = check.footer.schema;
  const auto ignore = [](Rule, std::uint32_t, std::string_view, const Contrast&) {};
  for (const std::uint32_t index : variant_groups(schema)) {
    const std::optional<variant::Group> columns = variant::find_group(schema, index, ignore);
    const auto leave_out = [&](std::string why, std::int32_t row_group) {
      check.outcome.not_run.push_back(
          {"the values of VARIANT", std::move(why), {row_group, -1, -1}, schema.dotted_path(index)});
    };
    if (!columns) {
      leave_out("its columns are not those of a Variant", -1);
      continue;
    }
    for (std::size_t i = 0; i < check.footer.row_groups.size(); ++i) {
      const RowGroupClaim& group = check.footer.row_groups[i];
      if (!group.complete || !check.takes(static_cast<std::uint64_t>(i))) continue;
      std::string why = obstacle(check, group, *columns);
      if (why.empty()) why = GroupRows(check, group, *columns).run();
      if (!why.empty()) leave_out(std::move(why), static_cast<std::int32_t>(i));
    }
  }
}

}  // namespace parqproof
