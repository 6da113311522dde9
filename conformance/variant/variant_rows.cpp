#include "conformance/variant/variant_rows.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "codec/base/text.hpp"
#include "codec/variant/assembly.hpp"
#include "codec/variant/shredding.hpp"
#include "conformance/row_group/group_cursors.hpp"
#include "conformance/state/finding_site.hpp"
#include "conformance/variant/shredding_use.hpp"
#include "conformance/variant/variant_groups.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kValuesAtOnce = 4'096;  // values between two checks for cancellation

/// What the values of a column have, and what they need.
struct Figures {
  std::uint64_t found = 0;
  std::uint64_t expected = 0;
};

/// The figures of advice in words that end a detail.
std::string figures_text(Rule rule, const Figures& figures) {
  if (figures.found == figures.expected) return {};
  if (rule == Rule::variant_wide) {
    return "; smaller widths save at least " + std::to_string(figures.found - figures.expected) + " of " +
           counted(figures.found, "byte") + " of its values";
  }
  return "; to find a name in all such rows, readers compare up to " + counted(figures.found, "string") +
         ", and " + std::to_string(figures.expected) + " if they are sorted";
}

/// The columns of a group in one row group, with a cursor each, and the findings of their values. A rule is
/// described once a column.
class GroupRows final : public variant::Columns, public variant::RowFaults {
 public:
  GroupRows(FileCheck& check, const RowGroupClaim& group, const variant::Group& columns, ShreddingUse& use)
      : check_(check),
        columns_(columns),
        use_(use),
        chunk_(group.first_chunk + columns.metadata),
        cursors_(check, group, columns.first, columns.last),
        assembly_(columns, static_cast<std::uint32_t>(check.options.limits.schema_depth)),
        findings_(check.outcome.findings) {}

  /// Judges all values. Returns the reason why not all of them were judged; empty if they were.
  [[nodiscard]] std::string run() {
    if (!cursors_.open()) return "a column cannot be read a second time";
    std::string why = read();
    for (const auto& [key, figures] : figures_)
      findings_.append_detail(key.first, key.second, figures_text(key.second, figures));
    findings_.report();
    return why;
  }

 private:
  [[nodiscard]] std::string read() {
    const ColumnCursor& metadata = cursor(columns_.metadata);
    for (std::uint64_t values = 0; !metadata.at_end(); ++values) {
      if (values % kValuesAtOnce == 0 && check_.cancelled()) return "the check was stopped";
      if (values != 0 && metadata.repetition() == 0) ++row_;
      const variant::AssemblyEnd end =
          assembly_.is_present(*this) ? assembly_.read(*this, *this, nullptr) : assembly_.skip(*this);
      if (end == variant::AssemblyEnd::no_column) return "a column cannot be read a second time";
      if (end == variant::AssemblyEnd::disagree) return "its columns differ in their lists";
      if (end == variant::AssemblyEnd::too_much_work)
        return too_much_work(check_, check_.footer.chunks[chunk_], "values of VARIANT");
    }
    return {};
  }

  [[nodiscard]] const ColumnCursor& cursor(std::size_t leaf) const { return cursors_[leaf]; }

  [[nodiscard]] std::uint32_t repetition(std::size_t leaf) const override {
    return cursor(leaf).repetition();
  }
  [[nodiscard]] std::uint32_t definition(std::size_t leaf) const override {
    return cursor(leaf).definition();
  }
  [[nodiscard]] View value(std::size_t leaf) const override { return cursors_.value(leaf); }
  [[nodiscard]] const std::uint8_t* entry(std::size_t leaf) const override {
    return cursor(leaf).dictionary_entry();
  }
  [[nodiscard]] bool advance(std::size_t leaf) override { return cursors_.advance(leaf); }

  void at_column(std::size_t leaf) override {
    leaf_ = leaf;
    is_at_levels_ = false;
  }
  void at_levels(std::size_t leaf) override {
    leaf_ = leaf;
    is_at_levels_ = true;
  }
  [[nodiscard]] bool wants(Rule rule) const override { return findings_.wants(rule); }
  [[nodiscard]] bool count(Rule rule) override { return findings_.count(leaf_, rule); }
  void add(Rule rule, std::uint64_t found, std::uint64_t expected) override {
    Figures& figures = figures_[{leaf_, rule}];
    figures.found += found;
    figures.expected += expected;
  }
  void at_part(const variant::Part& part, bool has_value, bool has_typed) override {
    use_.add(part, has_value, has_typed);
  }
  [[nodiscard]] bool afford(std::uint64_t bytes) override { return check_.outcome.work.afford(bytes); }
  void describe(variant::Fault fault) override {
    std::string place = place_text(fault);
    Contrast what = contrast(std::move(fault.found), std::move(fault.expected), std::move(place));
    const ColumnCursor& at = cursor(leaf_);
    if (is_at_levels_)
      return findings_.describe(at.place(), at.page().offset, leaf_, fault.rule,
                                at.parts().definition.bytes.part(0, 0), std::move(what));
    const GroupCursors::ValuePage page = cursors_.page_of(leaf_);
    findings_.describe(page.place, page.offset, leaf_, fault.rule,
                       page.has_value ? fault.at : page.values.part(0, 0), std::move(what));
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
  const variant::Group& columns_;
  ShreddingUse& use_;
  std::size_t chunk_;  // of the metadata
  GroupCursors cursors_;
  variant::Assembly assembly_;
  GroupFindings findings_;
  std::map<std::pair<std::size_t, Rule>, Figures> figures_;  // by column and rule, for advice
  std::size_t leaf_ =
      0;  // the column of the next violations, which is not advanced before they are described
  bool is_at_levels_ = false;  // they have no value
  std::uint64_t row_ = 0;
};

}  // namespace

void check_variant_rows(FileCheck& check) {
  if (!check.footer.schema_usable || check.options.tier != Tier::values || check.outcome.tallies.empty())
    return;
  const Schema& schema = check.footer.schema;
  const auto ignore = [](Rule, std::uint32_t, std::string_view, const Contrast&) {};
  for (const std::uint32_t index : variant_groups(schema)) {
    const std::optional<variant::Group> columns = variant::find_group(schema, index, ignore);
    bool is_complete = !check.options.row_groups;
    const auto leave_out = [&](std::string why, std::int32_t row_group) {
      is_complete = false;
      check.outcome.not_run.push_back(
          {"the values of VARIANT", std::move(why), {row_group, -1, -1}, schema.dotted_path(index)});
    };
    if (!columns) {
      leave_out("its columns are not those of a Variant", -1);
      continue;
    }
    ShreddingUse use(check, *columns);
    judge_row_groups(
        check, columns->first, columns->last,
        [&](const RowGroupClaim& group) { return GroupRows(check, group, *columns, use).run(); }, leave_out);
    if (is_complete) use.report();
  }
}

}  // namespace parqproof
