#include "conformance/rewrite/rewrite.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "codec/rules/rule.hpp"
#include "conformance/rewrite/rebuilt_footer.hpp"
#include "conformance/rewrite/rewriting.hpp"
#include "conformance/rewrite/shred/shredded_columns.hpp"
#include "conformance/rewrite/shred/variant_values.hpp"
#include "conformance/rewrite/written_form.hpp"
#include "conformance/rows/fields.hpp"

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

}  // namespace

Rewriting::Rewriting(const Source& source, const RewriteOptions& options, Sink& sink, ReadingFailure& failure)
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

RewriteOutcome Rewriting::run(std::vector<std::string> rebuilt) {
  out_.end = End::failed;
  out_.rebuilt = std::move(rebuilt);
  RewriteOutcome done = write();
  if (done.end != End::failed || failure_.finding() == nullptr) return done;
  if (!is_judged_) {
    DamageCause cause = second_.find_cause(*failure_.finding(), {});
    if (cause.finding) failure_.replace(std::move(*cause.finding));
  }
  done.column = footer_.schema().leaf_path(failure_.finding()->place.leaf);
  return done;
}

const Moved* Rewriting::find_move() {
  const Moved* const moved = second_.move();
  return moved == nullptr || moved->in_place || out_.rebuilt.empty() ? moved : nullptr;
}

RewriteOutcome Rewriting::write() {
  if (!begin()) return std::move(out_);
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

bool Rewriting::begin() {
  if (!footer_.read()) return false;
  const Schema& schema = footer_.schema();
  std::string missing;
  leaves_ = make_fields(schema, RowView::physical, options_.columns, missing).leaves;
  if (!missing.empty()) return refuse("--columns: no column or group is named '" + missing + "'");
  for (const std::size_t leaf : leaves_) {
    if (!footer_.leaf_is_readable(leaf)) return false;
  }
  chunks_.emplace(footer_, row_chunks_, leaves_, options_.limits, options_.salvage);
  if (!chunks_->read(failure_)) return false;
  if (options_.progress != nullptr) expect_work(*options_.progress);
  for (std::size_t i = 0; options_.salvage && i < leaves_.size(); ++i) {
    const ChunkForm& form = chunks_->forms()[i];
    if (form.known && !form.has_checksums)
      out_.unchecked.push_back(schema.dotted_path(schema.leaf_index(leaves_[i])));
  }
  if (std::string why = divided_group(schema, leaves_); !why.empty()) return refuse(std::move(why));
  const thrift::ListBuilder<SchemaElement> elements = schema_of(footer_, leaves_, options_.limits);
  if (!plan_shredding(elements.list())) return false;
  std::string why;
  std::optional<WriteOptions> write =
      write_options_of(footer_, shredded_.schema(), shredded_.forms(chunks_->forms()), options_, why);
  if (!write) return refuse(std::move(why));
  for (std::size_t leaf = 0; leaf < shredded_.schema().leaf_count(); ++leaf)
    copied_forms_.push_back(copied_form(*write, shredded_.schema(), leaf, options_));
  writer_.emplace(sink_, std::move(*write), shredded_.elements().list());
  const WriteStatus begun = writer_->begin();
  return begun || refuse(begun.error());
}

bool Rewriting::plan_shredding(const thrift::List& elements) {
  const auto find = [this](const variant::Group& group, std::size_t first) { return sample(group, first); };
  if (!options_.shred.empty() && (options_.salvage || options_.row_group_rows))
    return refuse(std::string("--shred cannot be combined with ") +
                  (options_.salvage ? "--salvage" : "--row-group-rows") + "; rewrite the file twice");
  std::string why = shredded_.plan(footer_.schema(), elements, options_.shred, options_.limits, find);
  if (!why.empty()) return refuse(std::move(why));
  return shredded_.is_complete();
}

std::optional<ShreddedType> Rewriting::sample(const variant::Group& group, std::size_t first) {
  ShreddingSample sample;
  for (std::size_t g = 0; g < chunks_->row_groups().size() && !sample.is_full(); ++g) {
    if (!is_intact(g)) return std::nullopt;
    VariantValues values(context_, group, failure_);
    const std::span<const SourceRowGroup::Chunk> chunks(chunks_->row_groups()[g].chunks);
    if (!values.open(chunks.subspan(first, group.last - group.first)) || !sample.add(values))
      return std::nullopt;
  }
  return sample.type();
}

void Rewriting::expect_work(Progress& progress) const {
  std::uint64_t bytes = source_size_;
  for (const SourceRowGroup& group : chunks_->row_groups()) {
    for (const SourceRowGroup::Chunk& chunk : group.chunks) bytes += stated_bytes(chunk.stored.extent);
  }
  progress.total_is_known = true;
  progress.total = bytes;
}

bool Rewriting::refuse(std::string why) {
  out_.end = End::refused;
  out_.why = std::move(why);
  return false;
}

bool Rewriting::stop(std::string why) {
  out_.end = End::unwritten;
  out_.why = std::move(why);
  return false;
}

bool Rewriting::stop_at_end(std::string why, std::size_t row_group) {
  const auto two = writer_->disagreeing();
  if (!two) return stop(std::move(why));
  const std::size_t leaf = leaves_[shredded_.source_of(two->second)];
  const Place place{static_cast<std::int32_t>(row_group), static_cast<std::int32_t>(leaf), -1};
  report_at(failure_.findings(), Rule::levels_siblings_agree, place, 0, 0,
            contrast("other lists or nulls", "those of its siblings"));
  return false;
}

bool Rewriting::cancelled() {
  if (options_.cancelled == nullptr || !options_.cancelled->load(std::memory_order_relaxed)) return false;
  out_.end = End::cancelled;
  return true;
}

std::vector<SortColumn> Rewriting::sorting_of(std::size_t group) const {
  std::vector<SortColumn> out;
  if (!damage_.is_sorted(static_cast<std::uint32_t>(group))) return out;
  for (SortColumn key : chunks_->row_groups()[group].sorting) {
    const auto at = std::ranges::lower_bound(leaves_, key.leaf);
    if (at == leaves_.end() || *at != key.leaf) break;
    const auto written = shredded_.written_of(static_cast<std::size_t>(at - leaves_.begin()));
    if (!written) break;
    key.leaf = *written;
    out.push_back(key);
  }
  return out;
}

bool Rewriting::end(const ColumnRows& rows) {
  if (rows.why().empty()) return false;  // the failure has it
  return stop(rows.why());
}

bool Rewriting::is_intact(std::size_t row_group) {
  FirstGap gap = damage_.first_gap(static_cast<std::uint32_t>(row_group), leaves_);
  if (!gap.cause.finding) return true;
  failure_.replace(std::move(*gap.cause.finding));
  is_judged_ = true;
  return false;
}

bool Rewriting::by_row_groups() {
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
    const std::vector<bool> sound =
        damage_.sound_chunks(static_cast<std::uint32_t>(g), footer_.schema().leaf_count());
    const CopiedForm none;
    std::uint64_t copied = group.rows.value_or(0);
    std::size_t written = 0;
    for (const ShreddedSchema::Piece& piece : shredded_.pieces()) {
      const bool is_copied = !piece.group && sound[leaves_[piece.leaf]];
      const std::optional<std::uint64_t> rows =
          piece.group ? shred(group, piece)
                      : copy_column(group, piece.leaf, is_copied ? copied_forms_[written] : none);
      if (!rows) return false;
      written += shredded_.columns_of(piece);
      copied = *rows;
    }
    if (WriteStatus ended = writer_->end_row_group(copied); !ended) return stop_at_end(ended.error(), g);
    out_.rows += copied;
    ++out_.row_groups;
  }
  return true;
}

std::optional<std::uint64_t> Rewriting::copy_column(const SourceRowGroup& group, std::size_t index,
                                                    const CopiedForm& form) {
  PageCopies copies(form, group.chunks[index]);
  const std::expected<ChunkWriter*, std::string> to = writer_->next_column();
  std::uint64_t left = UINT64_MAX;
  ColumnRows rows(context_, leaves_[index], failure_, options_);
  if (!to) {
    (void)stop(to.error());
  } else if (!rows.open(group.chunks[index]) || !rows.write(left, **to, copies)) {
    (void)end(rows);
  } else if (!cancelled()) {
    return UINT64_MAX - left;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> Rewriting::shred(const SourceRowGroup& group,
                                              const ShreddedSchema::Piece& piece) {
  const ShreddedGroup& columns = shredded_.groups()[*piece.group];
  const std::span<const SourceRowGroup::Chunk> chunks =
      std::span(group.chunks).subspan(piece.leaf, columns.source.last - columns.source.first);
  ShreddedColumns shredded(context_, shredded_.schema(), columns, chunks, failure_, options_.cancelled,
                           options_.shred_bytes);
  if (shredded.write(*writer_)) {
    if (options_.progress != nullptr) {
      for (const SourceRowGroup::Chunk& chunk : chunks)
        options_.progress->done += stated_bytes(chunk.stored.extent);
    }
    return shredded.rows();
  }
  if (!cancelled() && !shredded.why().empty()) (void)stop(shredded.why());
  return std::nullopt;
}

bool Rewriting::advance(Reading& column, std::size_t index) {
  const auto& groups = chunks_->row_groups();
  while (column.at_end() && column.next != groups.size()) {
    column.rows = std::make_unique<ColumnRows>(context_, leaves_[index], failure_, options_);
    if (!column.rows->open(groups[column.next++].chunks[index])) return false;
  }
  return true;
}

bool Rewriting::by_rows() {
  constexpr std::uint64_t kBytesOfChunk = 2048;  // that the writer keeps, about
  for (std::size_t g = 0; g < chunks_->row_groups().size(); ++g) {
    if (!is_intact(g)) return false;
  }
  std::vector<Reading> columns(leaves_.size());
  for (;;) {
    if (!advance(columns.front(), 0)) return end(*columns.front().rows);
    if (columns.front().at_end()) return true;
    const std::size_t group = columns.front().next - 1;
    // Billions of rows may be in a few bytes.
    if ((out_.row_groups + 1) * leaves_.size() > options_.limits.memory_bytes / kBytesOfChunk)
      return refuse("--row-group-rows: the metadata of so many column chunks takes more than --max-memory");
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

namespace {

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
    refused.end = rebuilt.lacks_schema ? End::no_schema : End::refused;
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
