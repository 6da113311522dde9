#include "conformance/rewrite/rewrite.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <string_view>

#include "codec/record/column_cursor.hpp"
#include "codec/rules/rule.hpp"
#include "codec/write/file_writer.hpp"
#include "conformance/rewrite/column_rows.hpp"
#include "conformance/rewrite/rebuilt_footer.hpp"
#include "conformance/rewrite/source_chunks.hpp"
#include "conformance/rewrite/written_form.hpp"
#include "conformance/rows/damage.hpp"
#include "conformance/rows/fields.hpp"
#include "conformance/rows/second_reading.hpp"

namespace parqproof {
namespace {

using End = RewriteOutcome::End;

CheckOptions check_options(const RewriteOptions& options) {
  CheckOptions out;
  out.limits = options.limits;
  out.cancelled = options.cancelled;
  out.progress = options.progress;
  return out;
}

/// Rewrites one file.
class Rewriting {
 public:
  Rewriting(const Source& source, const RewriteOptions& options, Sink& sink, ReadingFailure& failure)
      : source_size_(source.size()),
        options_(options),
        sink_(sink),
        failure_(failure),
        second_(source, options.folder, check_options(options)),
        footer_(source, options.limits, failure),
        context_{footer_.schema(), options.limits,
                 [this](const StoredChunk& chunk, std::size_t leaf) {
                   return second_.pages_of(chunk.row_group, leaf);
                 }},
        row_chunks_(source, options.folder, footer_, failure, context_),
        damage_(source, options.folder, check_options(options),
                options.salvage ? CheckOptions::ForRows::all : CheckOptions::ForRows::end,
                [this] { return find_move(); }) {}

  /// `rebuilt`: RewriteOutcome::rebuilt.
  RewriteOutcome run(std::vector<std::string> rebuilt) {
    out_.end = End::failed;
    out_.rebuilt = std::move(rebuilt);
    RewriteOutcome done = write();
    if (done.end != End::failed || is_judged_ || failure_.finding() == nullptr) return done;
    DamageCause cause = second_.find_cause(*failure_.finding(), {});
    if (cause.finding) failure_.replace(std::move(*cause.finding));
    return done;
  }

 private:
  /// A footer that was made for the file has the places of moved bytes.
  [[nodiscard]] const Moved* find_move() {
    const Moved* const moved = second_.move();
    return moved == nullptr || moved->in_place || out_.rebuilt.empty() ? moved : nullptr;
  }

  RewriteOutcome write() {
    if (!footer_.read()) return std::move(out_);
    const Schema& schema = footer_.schema();
    std::string missing;
    leaves_ = make_fields(schema, RowView::physical, options_.columns, missing).leaves;
    if (!missing.empty()) return refuse("--columns: no column or group is named '" + missing + "'");
    for (const std::size_t leaf : leaves_) {
      if (!footer_.leaf_is_readable(leaf)) return std::move(out_);
    }
    chunks_.emplace(footer_, row_chunks_, leaves_, options_.limits, options_.salvage);
    if (!chunks_->read(failure_)) return std::move(out_);
    if (options_.progress != nullptr) expect_work(*options_.progress);
    for (std::size_t i = 0; options_.salvage && i < leaves_.size(); ++i) {
      const ChunkForm& form = chunks_->forms()[i];
      if (form.known && !form.has_checksums)
        out_.unchecked.push_back(schema.dotted_path(schema.leaf_index(leaves_[i])));
    }
    const thrift::ListBuilder<SchemaElement> elements = schema_of(footer_, leaves_, options_.limits);
    std::string why;
    std::optional<WriteOptions> write = write_options_of(footer_, leaves_, chunks_->forms(), options_, why);
    if (!write) return refuse(std::move(why));
    writer_.emplace(sink_, std::move(*write), elements.list());
    if (WriteStatus begun = writer_->begin(); !begun) return refuse(begun.error());
    // Without columns there is nothing to divide.
    const bool divides = options_.row_group_rows && !leaves_.empty();
    const bool is_written = divides ? by_rows() : by_row_groups();
    if (cancelled() || !is_written) return std::move(out_);
    if (out_.left_out.any() || !out_.left_out.contradicted.empty() || !out_.rebuilt.empty())
      writer_->add_key_value("parqproof.salvage", salvage_text(out_));
    out_.end = End::complete;
    if (WriteStatus finished = writer_->finish(); !finished) (void)stop(finished.error());
    return std::move(out_);
  }

  /// All pages are judged, and those of the wanted leaves written.
  void expect_work(Progress& progress) const {
    std::uint64_t bytes = source_size_;
    for (const SourceRowGroup& group : chunks_->row_groups()) {
      for (const SourceRowGroup::Chunk& chunk : group.chunks) bytes += stated_bytes(chunk.stored.extent);
    }
    progress.total_is_known = true;
    progress.total = bytes;
  }

  RewriteOutcome refuse(std::string why) {
    out_.end = End::refused;
    out_.why = std::move(why);
    return std::move(out_);
  }
  bool stop(std::string why) {
    out_.end = End::unwritten;
    out_.why = std::move(why);
    return false;
  }
  /// Columns that disagree are a fault of the source.
  bool stop_at_end(std::string why, std::size_t row_group) {
    const auto two = writer_->disagreeing();
    if (!two) return stop(std::move(why));
    const Place place{static_cast<std::int32_t>(row_group), static_cast<std::int32_t>(leaves_[two->second]),
                      -1};
    report_at(failure_.findings(), Rule::levels_siblings_agree, place, 0, 0,
              contrast("other lists or nulls", "those of its siblings"));
    return false;
  }
  [[nodiscard]] bool cancelled() {
    if (options_.cancelled == nullptr || !options_.cancelled->load(std::memory_order_relaxed)) return false;
    out_.end = End::cancelled;
    return true;
  }

  /// The sorting columns of an intact row group if its rows are sorted so, counted in the columns that are
  /// written. A column that is left out ends them.
  [[nodiscard]] std::vector<SortColumn> sorting_of(std::size_t group) const {
    std::vector<SortColumn> out;
    if (!damage_.is_sorted(static_cast<std::uint32_t>(group))) return out;
    for (SortColumn key : chunks_->row_groups()[group].sorting) {
      const auto at = std::ranges::lower_bound(leaves_, key.leaf);
      if (at == leaves_.end() || *at != key.leaf) break;
      key.leaf = static_cast<std::size_t>(at - leaves_.begin());
      out.push_back(key);
    }
    return out;
  }

  /// Returns false, for the reason that ended the rows of a column.
  bool end(const ColumnRows& rows) {
    if (rows.why().empty()) return false;  // the failure has it
    return stop(rows.why());
  }
  /// Returns false if a row group is not intact.
  bool is_intact(std::size_t row_group) {
    FirstGap gap = damage_.first_gap(static_cast<std::uint32_t>(row_group), leaves_);
    if (!gap.cause.finding) return true;
    failure_.replace(std::move(*gap.cause.finding));
    is_judged_ = true;
    return false;
  }

  /// Writes the row groups of the source.
  bool by_row_groups() {
    const auto& groups = chunks_->row_groups();
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const SourceRowGroup& group = groups[g];
      if (cancelled()) return false;
      if (options_.salvage) {
        if (!salvage(static_cast<std::uint32_t>(g), group)) return false;
        continue;
      }
      if (!is_intact(g)) return false;
      if (WriteStatus begun = writer_->begin_row_group(sorting_of(g)); !begun) return stop(begun.error());
      std::uint64_t copied = group.rows.value_or(0);
      for (std::size_t i = 0; i < leaves_.size(); ++i) {
        const std::expected<ChunkWriter*, std::string> to = writer_->next_column();
        if (!to) return stop(to.error());
        std::uint64_t left = UINT64_MAX;
        ColumnRows rows(context_, leaves_[i], failure_, options_);
        if (!rows.open(group.chunks[i]) || !rows.write(left, **to)) return end(rows);
        if (cancelled()) return false;
        copied = UINT64_MAX - left;
      }
      if (WriteStatus ended = writer_->end_row_group(copied); !ended) return stop_at_end(ended.error(), g);
      out_.rows += copied;
      ++out_.row_groups;
    }
    return true;
  }

  /// One column of the source, across row groups.
  struct Reading {
    std::unique_ptr<ColumnRows> rows;
    std::size_t next = 0;  // row group

    [[nodiscard]] bool at_end() const { return rows == nullptr || rows->at_end(); }
  };
  /// Goes to the next row of a column; at_end() if there is none. Returns false if it cannot be read.
  bool advance(Reading& column, std::size_t index) {
    const auto& groups = chunks_->row_groups();
    while (column.at_end() && column.next != groups.size()) {
      column.rows = std::make_unique<ColumnRows>(context_, leaves_[index], failure_, options_);
      if (!column.rows->open(groups[column.next++].chunks[index])) return false;
    }
    return true;
  }

  /// Writes row groups of the number of rows that was asked for, across those of the source. The columns have
  /// the rows: num_rows may be wrong.
  bool by_rows() {
    for (std::size_t g = 0; g < chunks_->row_groups().size(); ++g) {
      if (!is_intact(g)) return false;
    }
    std::vector<Reading> columns(leaves_.size());
    for (;;) {
      if (!advance(columns.front(), 0)) return end(*columns.front().rows);
      if (columns.front().at_end()) return true;
      const std::size_t group = columns.front().next - 1;
      if (WriteStatus begun = writer_->begin_row_group(); !begun) return stop(begun.error());
      std::uint64_t written = 0;
      for (std::size_t i = 0; i < leaves_.size(); ++i) {
        const std::expected<ChunkWriter*, std::string> to = writer_->next_column();
        if (!to) return stop(to.error());
        std::uint64_t left = *options_.row_group_rows;
        while (left != 0) {
          if (!advance(columns[i], i)) return end(*columns[i].rows);
          if (columns[i].at_end()) break;
          if (!columns[i].rows->write(left, **to)) return end(*columns[i].rows);
        }
        written = *options_.row_group_rows - left;
        if (cancelled()) return false;
      }
      if (WriteStatus ended = writer_->end_row_group(); !ended) return stop_at_end(ended.error(), group);
      out_.rows += written;
      ++out_.row_groups;
    }
  }

  /// Where the rows of a column end too early.
  struct Failed {
    std::uint64_t row = 0;
    std::int32_t page = -1;
    std::string why;                                                        ///< the writer's
    std::vector<std::pair<std::uint32_t, LevelFingerprint::Value>> prints;  ///< of all rows, by shared node
  };
  bool salvage(std::uint32_t ordinal, const SourceRowGroup& group);
  [[nodiscard]] std::vector<RowPart> common_rows(const RowGroupDamage& damage, std::uint64_t count) const;
  bool take_common(std::size_t index, const SourceRowGroup& group, const std::vector<RowPart>& parts,
                   const std::vector<RowPart>& common, ChunkWriter* to, Failed& failed);
  void leave_out(std::uint32_t ordinal, std::size_t leaf, RowGap gap);
  void name_contradicted(std::uint32_t ordinal, const RowGroupDamage& damage,
                         const std::vector<RowPart>& common);

  std::uint64_t source_size_;
  const RewriteOptions& options_;
  Sink& sink_;
  ReadingFailure& failure_;
  SecondReading second_;
  RowFooter footer_;
  ReadingContext context_;
  RowChunks row_chunks_;
  DamageReading damage_;
  std::vector<std::size_t> leaves_;
  std::optional<SourceChunks> chunks_;
  std::optional<FileWriter> writer_;
  std::uint64_t row_ = 0;   // of the source: the first one of the row group that is salvaged
  bool is_judged_ = false;  // the failure is the cause that a check has found
  RewriteOutcome out_;
};

/// Returns true if the columns so far have the same levels in the nodes that they share.
bool agree(const std::vector<std::pair<std::uint32_t, LevelFingerprint::Value>>& prints,
           std::map<std::uint32_t, LevelFingerprint::Value>& shared) {
  return std::ranges::all_of(prints, [&](const auto& one) {
    return shared.try_emplace(one.first, one.second).first->second == one.second;
  });
}

/// Rows that are intact in all columns.
std::vector<RowPart> Rewriting::common_rows(const RowGroupDamage& damage, std::uint64_t count) const {
  std::vector<RowPart> common;
  if (count != 0) common.push_back({0, count, {}, {}});
  for (const std::size_t leaf : leaves_) {
    const auto damaged = damage.columns.find(leaf);
    if (damaged == damage.columns.end()) continue;
    std::vector<RowPart> both;
    for (const RowPart& one : common) {
      for (const RowPart& other : damaged->second.parts) {
        const std::uint64_t from = std::max(one.first, other.first);
        const std::uint64_t to = std::min(one.end, other.end);
        if (from < to) both.push_back({from, to, {}, {}});
      }
    }
    common = std::move(both);
  }
  return common;
}

/// Reads the rows of a column that are in `common`: writes them, or checks them if `to` is null. Sets
/// `failed` to the row of the row group at which it failed.
bool Rewriting::take_common(std::size_t index, const SourceRowGroup& group, const std::vector<RowPart>& parts,
                            const std::vector<RowPart>& common, ChunkWriter* to, Failed& failed) {
  auto part = parts.begin();
  std::optional<ColumnRows> rows;
  std::uint64_t at = 0;
  AncestorPrints prints(footer_.schema(), leaves_[index]);
  const auto reads = [&](std::uint64_t end, bool wanted) {
    std::uint64_t left = end - at;
    const bool good = !wanted         ? rows->pass(left)
                      : to != nullptr ? rows->write(left, *to)
                                      : rows->check(left, prints);
    at = end - left;
    if (good && left == 0) return true;
    failed = {at, rows->page(), rows->why(), {}};
    if (good) failure_.set_message("the column has fewer rows than its row group");
    return false;
  };
  for (const RowPart& wanted : common) {
    while (part != parts.end() && part->end <= wanted.first) {
      ++part;
      rows.reset();
    }
    if (!rows) {
      SourceRowGroup::Chunk chunk = group.chunks[index];
      if (part->extent) {
        chunk.stored.extent = *part->extent;
        chunk.stored.part = part->part;
      }
      rows.emplace(context_, leaves_[index], failure_, options_);
      at = part->first;
      failed = {at, -1, {}, {}};
      if (!rows->open(chunk)) return false;
    }
    if (!reads(wanted.first, false) || !reads(wanted.end, true)) return false;
  }
  const std::vector<LevelFingerprint::Value> values = prints.values();
  for (std::size_t i = 0; i < values.size(); ++i)
    failed.prints.emplace_back(prints.ancestors()[i], values[i]);
  return true;
}

void Rewriting::leave_out(std::uint32_t ordinal, std::size_t leaf, RowGap gap) {
  const Place place{static_cast<std::int32_t>(ordinal), static_cast<std::int32_t>(leaf), gap.first_page};
  const Schema& schema = footer_.schema();
  LeftOutPart part{place, gap.last_page, schema.dotted_path(schema.leaf_index(leaf)), std::nullopt,
                   gap.cause ? std::move(*gap.cause) : damage_.cause_at(place)};
  if (gap.first < gap.end)
    part.rows =
        RowRange{static_cast<std::int64_t>(row_ + gap.first), static_cast<std::int64_t>(row_ + gap.end - 1)};
  out_.left_out.add(std::move(part));
}

/// Names the pages of written rows whose values contradict their statistics.
void Rewriting::name_contradicted(std::uint32_t ordinal, const RowGroupDamage& damage,
                                  const std::vector<RowPart>& common) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> rows;
  for (const auto& [leaf, pages] : damage.contradicted) {
    if (!std::ranges::binary_search(leaves_, leaf)) continue;
    for (const ContradictedPages& one : pages) {
      const auto before = rows.size();
      for (const RowPart& part : common) {
        const std::uint64_t first = std::max(part.first, static_cast<std::uint64_t>(one.rows.first));
        const std::uint64_t end = std::min(part.end, static_cast<std::uint64_t>(one.rows.last) + 1);
        if (first < end) rows.emplace_back(first, end);
      }
      if (rows.size() == before) continue;
      const Schema& schema = footer_.schema();
      const auto first = static_cast<std::int64_t>(row_);
      out_.left_out.add_contradicted(
          {{static_cast<std::int32_t>(ordinal), static_cast<std::int32_t>(leaf), one.first},
           one.last,
           schema.dotted_path(schema.leaf_index(leaf)),
           RowRange{first + one.rows.first, first + one.rows.last},
           DamageCause{one.finding, {}, {}}});
    }
  }
  std::ranges::sort(rows);
  std::uint64_t counted_to = 0;
  for (const auto& [first, end] : rows) {
    const std::uint64_t from = std::max(first, counted_to);
    if (from < end) out_.left_out.contradicted_rows += end - from;
    counted_to = std::max(counted_to, end);
  }
}

/// Writes the rows of a row group that are intact in all columns. All of them are read once before, so that
/// what cannot be read is known when the row group begins.
bool Rewriting::salvage(std::uint32_t ordinal, const SourceRowGroup& group) {
  RowGroupDamage damage = damage_.of(ordinal);
  const std::uint64_t count = damage.rows.value_or(group.rows.value_or(0));
  out_.left_out.requested += count;
  std::vector<RowPart> common;
  if (damage.rows && group.chunks.size() == leaves_.size()) {
    common = common_rows(damage, count);
    bool agrees = true;
    bool is_cut = false;
    std::map<std::uint32_t, LevelFingerprint::Value> shared;
    // Once more after a cut: columns before it were compared in more rows.
    do {
      agrees = true;
      is_cut = false;
      shared.clear();
      for (std::size_t i = 0; i < leaves_.size(); ++i) {
        Failed failed;
        while (!take_common(i, group, damage.of(leaves_[i]).parts, common, nullptr, failed)) {
          if (failure_.finding() == nullptr && failure_.why().empty()) return false;  // the medium failed
          damage.of(leaves_[i]).cut(failed.row, count, failed.page, failure_.release());
          common = common_rows(damage, count);
          is_cut = true;
          failed = {};
        }
        agrees = agree(failed.prints, shared) && agrees;
      }
    } while (is_cut && !shared.empty());
    if (!agrees) {
      // It is not known which rows disagree.
      damage.of(leaves_.front()).cut(0, count, -1, std::nullopt);
      common.clear();
    }
    for (const std::size_t leaf : leaves_) {
      for (const RowGap& gap : damage.of(leaf).gaps) leave_out(ordinal, leaf, gap);
    }
  } else if (!leaves_.empty()) {
    leave_out(ordinal, leaves_.front(), {0, count, -1, -1, {}});
  }
  std::uint64_t kept = 0;
  for (const RowPart& part : common) kept += part.end - part.first;
  out_.left_out.rows += count - kept;
  name_contradicted(ordinal, damage, common);
  row_ += count;
  if (kept == 0) return true;
  if (WriteStatus begun = writer_->begin_row_group(); !begun) return stop(begun.error());
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const std::expected<ChunkWriter*, std::string> to = writer_->next_column();
    if (!to) return stop(to.error());
    Failed failed;
    if (!take_common(i, group, damage.of(leaves_[i]).parts, common, *to, failed))
      return failed.why.empty() ? false : stop(failed.why);
  }
  if (WriteStatus ended = writer_->end_row_group(kept); !ended) return stop(ended.error());
  out_.rows += kept;
  ++out_.row_groups;
  return true;
}

/// Takes all bytes and keeps none.
class NullSink final : public Sink {
 public:
  [[nodiscard]] WriteStatus write(std::span<const std::uint8_t> /*bytes*/) override { return {}; }
};

/// Number of rows that would be written.
std::uint64_t rows_saved(const Source& source, const RewriteOptions& options,
                         const std::vector<std::string>& rebuilt) {
  NullSink nowhere;
  ReadingFailure failure;
  const RewriteOutcome outcome = Rewriting(source, options, nowhere, failure).run(rebuilt);
  return outcome.end == End::complete ? outcome.rows : 0;
}

}  // namespace

RewriteOutcome rewrite(const Source& source, const RewriteOptions& options, Sink& sink,
                       ReadingFailure& failure) {
  if (!options.salvage) return Rewriting(source, options, sink, failure).run({});
  if (options.row_group_rows) {
    RewriteOutcome refused;
    refused.end = End::refused;
    refused.why = "rows are saved row group by row group: there is no other number of rows for them";
    return refused;
  }
  if (is_footer_lost(source, options.limits)) {
    RebuiltFooter rebuilt = rebuild_footer(source, options.schema_from, options.limits);
    if (rebuilt.file != nullptr)
      return Rewriting(*rebuilt.file, options, sink, failure).run(std::move(rebuilt.notes));
    RewriteOutcome refused;
    refused.end = End::refused;
    refused.why = std::move(rebuilt.why);
    return refused;
  }
  RebuiltFooter corrected = correct_footer(source, options.schema_from, options.limits);
  if (corrected.file == nullptr ||
      rows_saved(source, options, {}) >= rows_saved(*corrected.file, options, corrected.notes))
    return Rewriting(source, options, sink, failure).run({});
  return Rewriting(*corrected.file, options, sink, failure).run(std::move(corrected.notes));
}

std::uint64_t rows_of_rewrite(const Source& source, const RewriteOptions& options) {
  NullSink nowhere;
  ReadingFailure failure;
  const RewriteOutcome outcome = rewrite(source, options, nowhere, failure);
  return outcome.end == RewriteOutcome::End::complete ? outcome.rows : 0;
}

}  // namespace parqproof
