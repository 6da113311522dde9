#include "conformance/rows/looked_up_rows.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "codec/base/text.hpp"
#include "codec/page/page_walk.hpp"
#include "codec/rules/rule.hpp"
#include "codec/schema/value_text.hpp"
#include "codec/thrift/reader.hpp"

namespace parqproof {
namespace {

/// Max number of pages or rows that one line names.
constexpr std::size_t kMaxNamed = 16;
/// Max bytes of index reads in addition to the size of the chunk; beyond that, pages are read in sequence.
constexpr std::uint64_t kBaseWork = std::uint64_t{1} << 20;

const RegionMap kNoRegions;

/// Appends an item to a list. Returns false after the max number of them, and appends the number of the rest.
bool append_item(std::string& list, std::size_t number, std::size_t count, const std::string& part) {
  if (number == kMaxNamed) {
    list += " and " + std::to_string(count - number) + " more";
    return false;
  }
  if (number != 0) list += ", ";
  list += part;
  return true;
}

std::string rows_text(const std::vector<RowSpan>& rows, std::uint64_t first) {
  std::uint64_t count = 0;
  for (const RowSpan& span : rows) count += static_cast<std::uint64_t>(span.count);
  std::string list;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint64_t from = first + static_cast<std::uint64_t>(rows[i].first);
    const std::uint64_t to = from + static_cast<std::uint64_t>(rows[i].count) - 1;
    if (!append_item(list, i, rows.size(),
                     std::to_string(from) + (from == to ? std::string() : " to " + std::to_string(to))))
      break;
  }
  if (count == 0) return "no rows";
  return (count == 1 ? "row " : "rows ") + list;
}

bool names_no_page(const Error& error) {
  return error.rule == Rule::index_page_child || error.rule == Rule::index_page_post_order;
}

}  // namespace

LookedUpRowGroups::LookedUpRowGroups(const RowReading& parts, LookupKey key)
    : parts_(parts), key_(std::move(key)), leaves_(parts.fields.leaves) {
  const auto at = std::ranges::lower_bound(leaves_, key_.leaf);
  if (at == leaves_.end() || *at != key_.leaf) leaves_.insert(at, key_.leaf);
}

void LookedUpRowGroups::report(const Column& column, const std::string& text) const {
  const RowOptions& options = parts_.output.options();
  if (!options.on_lookup) return;
  const Schema& schema = parts_.footer.schema();
  options.on_lookup("row group " + std::to_string(row_group_) + ", column " +
                    schema.dotted_path(schema.leaf_index(column.leaf)) + ": " + text);
}

void LookedUpRowGroups::report_steps(const Column& column) const {
  std::vector<IndexTreeStep> steps;
  steps.reserve(column.steps.size());
  for (const auto& [offset, step] : column.steps) steps.push_back(step);
  std::ranges::stable_sort(steps, {}, &IndexTreeStep::level);
  for (const IndexTreeStep& step : steps) {
    std::string list;
    for (std::size_t i = 0; i < step.to.size(); ++i) {
      const std::uint64_t offset = step.to[i].offset;
      const std::string kind = column.steps.contains(offset) ? "index page" : "data page";
      if (!append_item(list, i, step.to.size(), kind + " at byte " + std::to_string(offset))) break;
    }
    report(column, "index page at byte " + std::to_string(step.page) + " (level " +
                       std::to_string(step.level) + ") -> " + (list.empty() ? "no page" : list));
  }
}

/// Makes the Column of leaves_[index], and finds its dictionary page if it has an index.
LookedUpRowGroups::Column LookedUpRowGroups::column_of(std::size_t index,
                                                       const std::vector<FooterChunk>& columns) const {
  const ColumnMetaData& meta = columns[index].chunk.meta_data;
  Column column;
  column.leaf = leaves_[index];
  column.chunk = &parts_.chunks.all()[index];
  const StoredChunk& stored = column.chunk->stored;
  column.has_index = meta.has(ColumnMetaData::id_index_page_offset) && meta.index_page_offset > 0;
  column.tree = {stored.extent.start, stored.extent.start, stored.extent.metadata_end,
                 static_cast<std::uint64_t>(meta.index_page_offset), stored.codec};
  PageReader reader(*stored.source, parts_.output.options().limits, 0);
  PageWalk walk(reader, kNoRegions, stored.extent, chunk_place(stored, column.leaf));
  if (column.has_index && walk.next(nullptr) == PageWalk::Step::page && walk.page().is_dictionary()) {
    column.tree.base = walk.page().end();
    column.part.dictionary = stored.extent.start;
    column.part.dictionary_end = walk.page().end();
  }
  return column;
}

void LookedUpRowGroups::open(Column& column, std::uint64_t base) {
  const RowOptions& options = parts_.output.options();
  column.tree.base = base;
  column.lookup =
      std::make_unique<IndexTreeLookup>(*column.chunk->stored.source, options.limits, column.tree,
                                        parts_.footer.schema().leaf(column.leaf), !options.ignore_crc);
}

void LookedUpRowGroups::add_steps(Column& column) const {
  for (const IndexTreeStep& step : column.lookup->steps()) {
    const auto [at, is_new] = column.steps.try_emplace(step.page, step);
    if (is_new) continue;
    std::vector<PageSpan>& to = at->second.to;
    std::ranges::copy_if(step.to, std::back_inserter(to),
                         [&to](const PageSpan& page) { return std::ranges::find(to, page) == to.end(); });
  }
  column.work += column.lookup->work();
}

/// Records the error of a lookup; returns false for the caller to return.
bool LookedUpRowGroups::fail(Column& column, const Error& error) {
  IndexTreeLookup& lookup = *column.lookup;
  add_steps(column);
  report_steps(column);
  if (lookup.failed()) {
    parts_.failure.set_message("the file could not be read");
    return false;
  }
  const Place place{static_cast<std::int32_t>(row_group_), static_cast<std::int32_t>(column.leaf), 0};
  Finding finding;
  finding.rule = error.rule;
  finding.place = place;
  finding.offset = error.offset;
  finding.length = error.length;
  finding.space = error.space;
  if (error.space == Space::page) finding.page_offset = lookup.page_at_fault();
  const std::string offset = std::to_string(error.found);
  switch (error.rule) {
    case Rule::column_chunk_index_page_offset:
      parts_.failure.take(place, column.chunk->metadata,
                          PageFault::in_chunk(error.rule, "meta_data.index_page_offset",
                                              contrast(column.tree.root, "the offset of an index page")));
      return false;
    case Rule::index_page_child:
      finding.found = "an index entry names " + std::to_string(error.expected) +
                      (error.expected == 1 ? " byte" : " bytes") + " at offset " + offset;
      finding.expected = "a data or index page of the column chunk";
      break;
    case Rule::index_page_post_order:
      finding.found = "an index entry names the page at byte " +
                      std::to_string(static_cast<std::int64_t>(column.tree.base) + error.found);
      finding.expected = "a page before its index page at byte " + std::to_string(lookup.page_at_fault());
      break;
    case Rule::index_page_sorted:
      if (lookup.node().form() == IndexTreeForm::ordinals) {
        finding.found = "ordinal " + offset;
        finding.expected = std::to_string(error.expected) + " or more";
      } else {
        const Node& leaf = parts_.footer.schema().leaf(column.leaf);
        finding.found = "key " + short_text(lookup.node().key(error.ordinal)->bytes, leaf);
        finding.expected = short_text(lookup.node().key(error.ordinal - 1)->bytes, leaf) + " or more";
      }
      break;
    default:
      report_error(parts_.failure.findings(), place, error, lookup.page_at_fault());
      place_failure(column);
      return false;
  }
  parts_.failure.findings().add(std::move(finding));
  place_failure(column);
  return false;
}

/// Adds the ordinal of the page, which a lookup does not know, to the finding.
void LookedUpRowGroups::place_failure(const Column& column) {
  const Finding* const known = parts_.failure.finding();
  if (known == nullptr || known->place.page < 0 || known->space == Space::metadata) return;
  Finding finding = *known;
  const StoredChunk& stored = column.chunk->stored;
  PageReader reader(*stored.source, parts_.output.options().limits, 0);
  PageWalk walk(reader, kNoRegions, stored.extent, chunk_place(stored, column.leaf));
  finding.place.page = -1;
  while (walk.next(nullptr) == PageWalk::Step::page && walk.offset() <= finding.file_position()) {
    if (walk.page().end() <= finding.file_position()) continue;
    finding.place.page = walk.ordinal();
    break;
  }
  parts_.failure.replace(std::move(finding));
}

/// Repeats a lookup with page offsets that count from the beginning of the file, as in some files. An entry
/// that names no page is the evidence; they are accepted if `look_up` succeeds; no other base is tried.
bool LookedUpRowGroups::retry_with_file_offsets(Column& column, const std::function<bool()>& look_up) {
  const std::uint64_t base = column.tree.base;
  open(column, 0);
  if (look_up()) {
    report(column, "page offsets of the index count from the beginning of the file");
    return true;
  }
  open(column, base);
  return false;
}

/// Sets `rows` to the rows with the key. A row group without an index by values is counted and skipped.
/// Returns false after recording a failure.
bool LookedUpRowGroups::find_rows(Column& column, std::vector<RowSpan>& rows) {
  const auto skip = [&](const char* why) {
    ++without_index_;
    report(column, std::string(why) + ": this row group is skipped");
    return true;
  };
  if (!column.has_index) return skip("no index pages");
  open(column, column.tree.base);
  const bool is_sorting_column = sorted_by_ == static_cast<std::int32_t>(column.leaf);
  const Result<IndexTreeForm> form = column.lookup->likely_form();
  if (!form) return fail(column, form.error());
  const char* const by_rows = "the index pages are sorted by row ordinals, not by values";
  if (!is_sorting_column && *form == IndexTreeForm::ordinals) return skip(by_rows);
  Result<std::vector<RowSpan>> found;
  const auto look_up = [&] { return (found = column.lookup->rows_with_key(key_.value)).has_value(); };
  if (!look_up() && column.tree.base != 0 && names_no_page(found.error()) &&
      !retry_with_file_offsets(column, look_up)) {
    if (sorted_by_ && !is_sorting_column) return skip(by_rows);
    look_up();  // again, for its error
  }
  if (!found) return fail(column, found.error());
  rows = std::move(*found);
  add_steps(column);
  report_steps(column);
  if (const std::uint64_t earlier = column.lookup->pages_counted(); earlier != 0)
    report(column, "read the levels of " + counted(earlier, "earlier data page") + " to count rows");
  report(column, "found " + rows_text(rows, parts_.output.row()));
  return true;
}

/// Sets `by_rows` if an index by rows leads to pages. Returns false after recording a failure.
bool LookedUpRowGroups::detect_index_by_rows(Column& column, bool& by_rows) {
  by_rows = false;
  if (!column.has_index || sorted_by_ == static_cast<std::int32_t>(column.leaf)) return true;
  open(column, column.tree.base);
  const Result<IndexTreeForm> form = column.lookup->likely_form();
  if (!form) return fail(column, form.error());
  by_rows = sorted_by_ || *form == IndexTreeForm::ordinals;
  if (!by_rows) return true;
  Result<std::optional<RowPage>> page;
  const auto look_up = [&] { return (page = column.lookup->page_with_row(0, rows_)).has_value(); };
  if (!look_up() && names_no_page(page.error()) && !retry_with_file_offsets(column, look_up))
    by_rows = *form == IndexTreeForm::ordinals;
  return true;
}

/// Finds the page that a row begins in.
bool LookedUpRowGroups::find_page(Column& column, std::int64_t row) {
  const Result<std::optional<RowPage>> page = column.lookup->page_with_row(row, rows_);
  if (!page) return fail(column, page.error());
  add_steps(column);
  if (*page) {
    column.page = **page;
    return true;
  }
  report_steps(column);
  const Place place{static_cast<std::int32_t>(row_group_), static_cast<std::int32_t>(column.leaf), 0};
  report_at(
      parts_.failure.findings(), Rule::index_page_child, place, column.lookup->page_at_fault(), 0,
      contrast("no index entry names the page of row " + std::to_string(row), "one entry for each page"));
  place_failure(column);
  return false;
}

/// Adds the page at `offset`, whose first row is `first`, for the rows up to `end`. Reading continues past
/// the page, because a row may end in the next one.
void LookedUpRowGroups::add_part(const Column& column, std::uint64_t offset, std::int32_t ordinal,
                                 std::int64_t first, std::int64_t end, ChunkDamage& found) const {
  const auto until = static_cast<std::uint64_t>(end);
  if (!found.parts.empty() && found.parts.back().extent->start == offset) {
    found.parts.back().end = std::max(found.parts.back().end, until);
    return;
  }
  RowPart part{static_cast<std::uint64_t>(first), until, column.chunk->stored.extent, column.part};
  part.extent->start = offset;
  part.extent->num_values = 0;
  part.extent->data_end = part.extent->metadata_end;
  part.part.ordinal = ordinal;
  part.part.continues = true;
  found.parts.push_back(part);
}

/// Finds the pages of rows by an index by rows.
bool LookedUpRowGroups::find_pages(Column& column, const std::vector<RowSpan>& rows, ChunkDamage& found) {
  const std::int64_t last = rows.back().first + rows.back().count;
  const std::uint64_t affordable = kBaseWork + column.tree.end - column.tree.start;
  for (const RowSpan& span : rows) {
    for (std::int64_t row = span.first; row < span.first + span.count;) {
      if (!column.page || row < column.page->first_row || row >= column.page->next_row) {
        if (!find_page(column, row)) return false;
      }
      const RowPage& page = *column.page;
      const bool index_costs_more = column.work > affordable;
      const std::int64_t end = index_costs_more ? last : std::min(span.first + span.count, page.next_row);
      add_part(column, page.span.offset, 0, page.first_row, end, found);
      if (index_costs_more) {
        report_steps(column);
        report(column, "read all pages after byte " + std::to_string(page.span.offset) +
                           ", which costs less than the index");
        return true;
      }
      row = end;
    }
  }
  report_steps(column);
  return true;
}

/// Adds the pages of the looked-up column, which are known already.
void LookedUpRowGroups::add_key_pages(const Column& column, const std::vector<RowSpan>& rows,
                                      ChunkDamage& found) const {
  const std::vector<PageStart>& starts = column.lookup->page_starts();
  for (const RowSpan& span : rows) {
    for (std::int64_t row = span.first; row < span.first + span.count;) {
      const auto next = std::ranges::upper_bound(starts, row, {}, &PageStart::first_row);
      const PageStart& start = *std::prev(next);  // rows are counted from the first page on
      const std::int64_t end =
          std::min(span.first + span.count, next == starts.end() ? INT64_MAX : next->first_row);
      add_part(column, start.offset, start.ordinal, start.first_row, end, found);
      row = end;
    }
  }
}

/// The rows of the row group that --rows and --limit select.
std::vector<RowSpan> LookedUpRowGroups::requested_rows(const std::vector<RowSpan>& rows) const {
  const RowOutput& output = parts_.output;
  const std::uint64_t before = output.row();
  std::uint64_t left = output.left();
  std::vector<RowSpan> requested;
  for (const RowSpan& span : rows) {
    const std::uint64_t first =
        std::max(before + static_cast<std::uint64_t>(span.first), output.options().first);
    const std::uint64_t end =
        std::min(before + static_cast<std::uint64_t>(span.first + span.count), output.options().end);
    if (first >= end || left == 0) continue;
    const std::uint64_t count = std::min(end - first, left);
    left -= count;
    requested.push_back({static_cast<std::int64_t>(first - before), static_cast<std::int64_t>(count)});
  }
  return requested;
}

RowStep LookedUpRowGroups::write(const RowGroup& group, std::uint32_t index,
                                 const std::vector<FooterChunk>& columns, const std::string& empty) {
  row_group_ = index;
  rows_ = group.num_rows;
  sorted_by_.reset();
  const RowOptions& options = parts_.output.options();
  thrift::for_each<SortingColumn>(group.sorting_columns, options.limits,
                                  [&](const SortingColumn& column, std::uint32_t i) {
                                    if (i == 0) sorted_by_ = column.column_idx;
                                  });
  const bool readable =
      std::ranges::all_of(leaves_, [&](std::size_t leaf) { return parts_.footer.leaf_is_readable(leaf); });
  if (!readable || !parts_.chunks.find(columns, leaves_, index)) return RowStep::failed;
  const std::size_t key_index =
      static_cast<std::size_t>(std::ranges::lower_bound(leaves_, key_.leaf) - leaves_.begin());
  Column key = column_of(key_index, columns);
  const auto count = static_cast<std::uint64_t>(rows_);
  std::vector<RowSpan> rows;
  const bool has_bytes = key.tree.start != key.tree.end;
  if (has_bytes && !find_rows(key, rows)) return RowStep::failed;
  rows = requested_rows(rows);
  if (rows.empty()) {
    parts_.output.pass(count);
    return RowStep::on;
  }
  found_ = {};
  // num_rows may be too small; rows that the index leads to are read anyway.
  found_.rows = std::max(count, static_cast<std::uint64_t>(rows.back().first + rows.back().count));
  shown_.clear();
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const std::size_t leaf = leaves_[i];
    if (!std::ranges::binary_search(parts_.fields.leaves, leaf)) continue;
    shown_.push_back(parts_.chunks.all()[i]);
    if (leaf == key_.leaf) {
      add_key_pages(key, rows, found_.columns[leaf]);
      continue;
    }
    Column column = column_of(i, columns);
    bool by_rows = false;
    if (!detect_index_by_rows(column, by_rows)) return RowStep::failed;
    if (!by_rows) {
      (void)found_.of(leaf);
      report(column, "no index by rows: read from the first page");
    } else if (!find_pages(column, rows, found_.columns[leaf])) {
      return RowStep::failed;
    }
  }
  if (!shown_.empty() && !parts_.assembler.open(shown_, &found_)) return RowStep::failed;
  const RowStep step = write_rows(rows, empty);
  if (step == RowStep::failed && parts_.failure.finding() != nullptr) {
    const auto leaf = static_cast<std::size_t>(parts_.failure.finding()->place.leaf);
    const auto at = std::ranges::lower_bound(leaves_, leaf);
    if (at != leaves_.end() && *at == leaf)
      place_failure(column_of(static_cast<std::size_t>(at - leaves_.begin()), columns));
  }
  parts_.output.pass(count);
  return step;
}

RowStep LookedUpRowGroups::write_rows(const std::vector<RowSpan>& rows, std::string text) {
  RowOutput& output = parts_.output;
  for (const RowSpan& span : rows) {
    for (std::int64_t row = span.first; row < span.first + span.count; ++row) {
      if (output.enough()) return RowStep::done;
      if (output.cancelled()) return RowStep::cancelled;
      if (!shown_.empty()) {
        if (!go_to(static_cast<std::uint64_t>(row)))
          return output.cancelled() ? RowStep::cancelled : RowStep::failed;
        if (parts_.assembler.next(text) != Assembler::Step::row) return RowStep::failed;
      }
      output.write(text);
    }
  }
  return RowStep::on;
}

/// Goes to a row of the row group. Rows are passed over at once if no column has to be read for that.
bool LookedUpRowGroups::go_to(std::uint64_t row) {
  Assembler& assembler = parts_.assembler;
  while (assembler.rows() < row) {
    const std::uint64_t at = assembler.rows();
    std::uint64_t next = row;
    for (const auto& [leaf, column] : found_.columns) {
      const auto part = std::ranges::upper_bound(column.parts, at, {}, &RowPart::end);
      if (part != column.parts.end()) next = std::min(next, std::max(part->first, at));
    }
    if (next > at) {
      assembler.skip_to(next);
    } else if (parts_.output.cancelled() || assembler.skip() != Assembler::Step::row) {
      return false;
    }
  }
  return true;
}

}  // namespace parqproof
