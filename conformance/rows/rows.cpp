#include "conformance/rows/rows.hpp"

#include <algorithm>
#include <expected>
#include <string_view>

#include "codec/base/bits.hpp"
#include "codec/base/text.hpp"
#include "codec/format/footer_visitor.hpp"
#include "codec/rules/rule.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/rows/assembler.hpp"
#include "conformance/rows/damage.hpp"
#include "conformance/rows/damaged_rows.hpp"
#include "conformance/rows/looked_up_rows.hpp"
#include "conformance/rows/lookup_key.hpp"
#include "conformance/rows/second_reading.hpp"

namespace parqproof {
namespace {

/// Min memory of a cursor, whatever the size of its pages.
constexpr std::uint64_t kCursorBytes = std::uint64_t{160} << 10;

/// Options of the checks that rows ask for.
CheckOptions check_options(const RowOptions& options) {
  CheckOptions out;
  out.limits = options.limits;
  out.cancelled = options.cancelled;
  if (!options.lookup.empty()) out.profile = Profile::historical;  // the profile that checks index pages
  if (options.ignore_crc) out.changes.push_back({std::string(info(Rule::crc_match).id), "off"});
  return out;
}

/// Returns true if the rule is about index pages.
bool is_of_index(Rule rule) {
  return rule == Rule::column_chunk_index_page_offset ||
         std::string_view(info(rule).id).starts_with("index-page/");
}

/// Writes the rows of the row groups of a footer, one after another. Keeps the column chunks of the wanted
/// leaves until the row group's rows are written. `key` selects the rows with this value.
class RowWriter final : public FooterVisitor {
 public:
  RowWriter(const Source& source, const RowOptions& options, RowFooter& footer, Fields fields,
            std::optional<LookupKey> key, Out& out, ReadingFailure& failure, SecondReading& second)
      : FooterVisitor({.schema = false}),
        options_(options),
        output_(options, out),
        footer_(footer),
        fields_(std::move(fields)),
        failure_(failure),
        context_{footer.schema(), options.limits,
                 [&second](const StoredChunk& chunk, std::size_t leaf) {
                   return second.pages_of(chunk.row_group, leaf);
                 }},
        chunks_(source, options.folder, footer, failure, context_),
        assembler_(context_, fields_, options.damaged, failure) {
    budget_.earn(source.size());
    set_opened(footer.opened(), options_.limits);
    context_.ignores_checksums = options.ignore_crc;
    const RowReading parts{source, output_, footer_, fields_, chunks_, assembler_, budget_, failure_};
    const auto find_move = [&second] { return second.move(); };
    if (options.damaged != DamagedRows::end) {
      damaged_.emplace(parts, check_options(options), find_move);
    } else if (!key) {
      judged_.emplace(source, options.folder, check_options(options), CheckOptions::ForRows::end, find_move);
    }
    if (key) looked_up_.emplace(parts, std::move(*key));
  }

  RowsEnd run() {
    thrift::Reader reader(footer_.meta().row_groups.bytes, {}, options_.limits);
    // The list was intact when the footer was read; the reader stops early once a row group ends the rows.
    (void)visit_row_groups(reader, footer_.meta());
    return step_ == RowStep::failed      ? RowsEnd::failed
           : step_ == RowStep::cancelled ? RowsEnd::cancelled
                                         : RowsEnd::complete;
  }

  [[nodiscard]] LeftOut left_out() { return std::move(damaged_ ? damaged_->left_out() : left_out_); }
  [[nodiscard]] std::uint64_t wrong_checksums() const noexcept { return context_.wrong_checksums; }
  /// Number of row groups that were not looked up.
  [[nodiscard]] std::uint64_t without_index() const noexcept {
    return looked_up_ ? looked_up_->without_index() : 0;
  }

  /// The file that contains the current chunk of a leaf, if that is another one.
  [[nodiscard]] std::string file_of(std::size_t leaf) const {
    const auto at = std::ranges::lower_bound(leaves(), leaf);
    const auto index = static_cast<std::size_t>(at - leaves().begin());
    return index < chunks_.all().size() ? chunks_.all()[index].file : std::string();
  }

 private:
  void begin_columns() override { wanted_ = 0; }
  [[nodiscard]] bool begin_row_group(thrift::Reader& /*reader*/, std::uint32_t /*index*/) override {
    return !output_.enough();
  }
  /// Columns that are wanted are kept until the rows of their row group are written.
  [[nodiscard]] ColumnChunk* begin_column(thrift::Reader& reader, std::uint32_t index,
                                          ColumnChunk& /*reused*/) override {
    if (wanted_ == leaves().size() || leaves()[wanted_] != index) return nullptr;
    if (wanted_ == columns_.size()) columns_.emplace_back();
    signs_ = reader.signs();
    return &columns_[wanted_++].chunk;
  }
  [[nodiscard]] bool column(ColumnChunk& /*chunk*/, const Element& at) override {
    columns_[wanted_ - 1].in_doubt = at.reader.signs() != signs_;
    return true;
  }
  [[nodiscard]] bool row_group(RowGroup& group, const Element& at) override {
    if (!at.complete) return false;
    step_ = write_row_group(group, at.index);
    return step_ == RowStep::on;
  }

  /// The leaves whose chunks are kept.
  [[nodiscard]] const std::vector<std::size_t>& leaves() const noexcept {
    return looked_up_ ? looked_up_->leaves() : fields_.leaves;
  }

  RowStep write_row_group(const RowGroup& group, std::uint32_t index) {
    const Place place{static_cast<std::int32_t>(index), -1, -1};
    const FindingSite site{failure_.findings(), place, footer_.bytes_from(group.fields.offset),
                           RowGroup::kType};
    const bool counts = group.has(RowGroup::id_num_rows) && group.num_rows >= 0;
    const std::uint64_t rows = counts ? static_cast<std::uint64_t>(group.num_rows) : UINT64_MAX;
    const auto refuse = [&](Rule rule, std::string_view field, Contrast what) {
      site.report(rule, field, std::move(what));
      if (!damaged_) return RowStep::failed;
      damaged_->leave_out(place, counts ? std::optional(rows) : std::nullopt);
      return RowStep::on;
    };
    if (!group.has(RowGroup::id_columns) || (!counts && (fields_.leaves.empty() || looked_up_))) {
      const char* const lacks = counts ? "columns" : "num_rows";
      return refuse(Rule::thrift_required_field, lacks, contrast(kAbsent, lacks));
    }
    const std::size_t count = footer_.schema().leaf_count();
    if (group.columns.count != count)
      return refuse(Rule::row_group_column_count, "columns", contrast(group.columns.count, count));
    if (counts && !output_.is_wanted() && output_.row() + rows <= options_.first) {  // none is requested
      output_.pass(rows);
      return RowStep::on;
    }
    if (looked_up_) return looked_up_->write(group, index, columns_, row_without_columns());
    if (fields_.leaves.empty()) return rows_without_columns(site, rows);
    if (damaged_) return damaged_->write(index, columns_);
    const bool readable =
        std::ranges::all_of(fields_.leaves, [&](std::size_t leaf) { return footer_.leaf_is_readable(leaf); });
    if (!readable || !chunks_.find(columns_, fields_.leaves, index) ||
        !assembler_.open(chunks_.all(), nullptr))
      return RowStep::failed;
    return rows_of_columns(index);
  }

  /// Writes as many rows as the columns of a row group have, whatever its num_rows, up to the first that is
  /// not intact.
  RowStep rows_of_columns(std::uint32_t index) {
    FirstGap gap = judged_->first_gap(index, fields_.leaves);
    const std::uint64_t first = output_.row();
    contradicted_.begin(index, first, std::move(gap.contradicted));
    for (;;) {
      if (output_.enough()) return RowStep::done;
      if (output_.cancelled()) return RowStep::cancelled;
      if (output_.row() - first == gap.row) {
        failure_.replace(std::move(*gap.cause.finding));
        return RowStep::failed;
      }
      const bool wanted = output_.is_wanted();
      const Assembler::Step step = wanted ? assembler_.next(text_) : assembler_.skip();
      if (step == Assembler::Step::failed) return RowStep::failed;
      if (step == Assembler::Step::end) return RowStep::on;
      if (wanted) {
        ++left_out_.requested;
        contradicted_.add(output_.row() - first, [](std::size_t) { return false; });
        output_.write(text_);
      }
      output_.pass(1);
    }
  }

  /// Rows without columns take no bytes, so their number is limited by the size of the file.
  RowStep rows_without_columns(const FindingSite& site, std::uint64_t rows) {
    text_ = row_without_columns();
    for (std::uint64_t here = 0; here < rows; ++here) {
      if (output_.enough()) return RowStep::done;
      if (output_.cancelled()) return RowStep::cancelled;
      if (!budget_.spend(1)) {
        site.report(Rule::limit_work, "num_rows", contrast(rows, budget_.limit()));
        return RowStep::failed;
      }
      if (output_.is_wanted()) output_.write(text_);
      output_.pass(1);
    }
    return RowStep::on;
  }
  [[nodiscard]] std::string row_without_columns() const {
    return fields_.root.children.empty() ? "{}" : empty_row(fields_.root);
  }
  /// A row of groups that have no columns.
  static std::string empty_row(const Field& group) {
    std::string text = "{";
    for (const Field& child : group.children) {
      if (text.size() > 1) text += ',';
      text += child.key;
      text += child.repetition == FieldRepetitionType::REPEATED   ? "[]"
              : child.repetition == FieldRepetitionType::OPTIONAL ? "null"
                                                                  : empty_row(child);
    }
    return text + '}';
  }

  const RowOptions& options_;
  RowOutput output_;
  RowFooter& footer_;
  Fields fields_;
  ReadingFailure& failure_;
  ReadingContext context_;
  std::vector<FooterChunk> columns_;  // chunks of the wanted leaves; `wanted_` of them have been read
  std::size_t wanted_ = 0;
  std::uint64_t signs_ = 0;  // of the reader, before the last of them
  RowChunks chunks_;
  Assembler assembler_;
  std::optional<DamagedRowGroups> damaged_;  // set unless a damaged row ends the rows
  std::optional<DamageReading> judged_;      // set if a damaged row ends the rows
  LeftOut left_out_;                         // of these rows: none, but some may be wrong
  ContradictedRows contradicted_{footer_.schema(), fields_.leaves, left_out_};
  std::optional<LookedUpRowGroups> looked_up_;
  Budget budget_{options_.limits.work};
  std::string text_;
  RowStep step_ = RowStep::on;
};

bool fits_in_memory(const Fields& fields, const RowOptions& options, const RowFooter& footer) {
  const std::uint64_t needed = fields.leaves.size() * kCursorBytes;
  if (needed <= options.limits.memory_bytes) return true;
  footer.site().report(Rule::limit_memory, "schema", contrast(needed, options.limits.memory_bytes));
  return false;
}

/// Writes the rows, without looking for the cause of an early end.
RowsOutcome write_rows(const Source& source, const RowOptions& options, Out& out, ReadingFailure& failure,
                       SecondReading& second) {
  RowsOutcome outcome;
  outcome.end = RowsEnd::failed;
  RowFooter footer(source, options.limits, failure);
  if (!footer.read()) return outcome;
  Fields fields = make_fields(footer.schema(), options.view, options.columns, outcome.column);
  if (!outcome.column.empty()) {
    outcome.end = RowsEnd::no_column;
    return outcome;
  }
  if (!fits_in_memory(fields, options, footer)) return outcome;
  std::optional<LookupKey> key;
  if (!options.lookup.empty()) {
    std::expected<LookupKey, std::string> read = lookup_key(footer.schema(), options.lookup, options.view);
    if (!read) {
      outcome.end = RowsEnd::no_lookup;
      outcome.why = read.error();
      return outcome;
    }
    key = std::move(*read);
  }
  const std::string column = key ? key->column : std::string();
  RowWriter writer(source, options, footer, std::move(fields), std::move(key), out, failure, second);
  outcome.end = writer.run();
  if (outcome.end == RowsEnd::complete && writer.without_index() != 0) {
    outcome.end = RowsEnd::no_lookup;
    outcome.why = "--lookup: column " + column + " has no index pages by values in " +
                  counted(writer.without_index(), "row group") + " of " +
                  std::to_string(footer.meta().row_groups.count);
  }
  outcome.left_out = writer.left_out();
  outcome.wrong_checksums = writer.wrong_checksums();
  if (outcome.end != RowsEnd::failed || failure.finding() == nullptr) return outcome;
  const Place& place = failure.finding()->place;
  if (place.leaf >= 0 && place.page >= 0) outcome.file = writer.file_of(static_cast<std::size_t>(place.leaf));
  return outcome;
}

/// The column of a place; empty if none.
std::string column_of(const Source& source, const RowOptions& options, const Place& place) {
  if (place.leaf < 0) return {};
  ReadingFailure passed_over;
  RowFooter footer(source, options.limits, passed_over);
  return footer.read() ? footer.schema().leaf_path(place.leaf) : std::string();
}

}  // namespace

RowsOutcome write_rows(const Source& file, const RowOptions& options, Out& out, ReadingFailure& failure) {
  const WatchedSource source(file);
  SecondReading second(source, options.folder, check_options(options));
  RowsOutcome outcome = write_rows(source, options, out, failure, second);
  if (outcome.end == RowsEnd::complete && source.failed() && !outcome.left_out.any()) {
    // With wrong metadata, other bytes than those that cannot be read were taken for rows.
    failure.set_message("the file could not be read");
    outcome.end = RowsEnd::failed;
  }
  if (outcome.end != RowsEnd::failed || failure.finding() == nullptr) return outcome;
  DamageCause cause = second.find_cause(*failure.finding(), outcome.file);
  // A fault of an index has no other cause: only the same finding explains it.
  const Rule rule = failure.finding()->rule;
  if (cause.finding && (cause.finding->rule == rule || !is_of_index(rule))) {
    failure.replace(std::move(*cause.finding));
    outcome.file = std::move(cause.file);
  }
  outcome.column = column_of(source, options, failure.finding()->place);
  return outcome;
}

}  // namespace parqproof
