// Properties of lookups by the index tree of a column chunk.
#include <algorithm>
#include <optional>

#include "codec/base/text.hpp"
#include "codec/file/frame.hpp"
#include "codec/file/index_tree_lookup.hpp"
#include "codec/format/chunk_start.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/format/row_group.hpp"
#include "codec/page/chunk_extent.hpp"
#include "codec/record/column_cursor.hpp"
#include "codec/schema/value_text.hpp"
#include "codec/thrift/reader.hpp"
#include "fuzz/invariants.hpp"
#include "fuzz/property.hpp"

namespace parqproof::fuzz {
namespace {

using Value = std::vector<std::uint8_t>;

/// A chunk with an index tree.
struct Indexed {
  std::size_t leaf = 0;
  IndexTreeChunk chunk;
  StoredChunk stored;
  std::int64_t rows = 0;
  bool sorted = false;  ///< sorted by its values, ascending
};

/// The first few chunks of a file that have an index tree.
class IndexedFile {
 public:
  explicit IndexedFile(std::span<const std::uint8_t> bytes) : source_(bytes) {
    Findings findings{RuleSet{}};
    frame_ = read_frame(source_, bytes.size(), limits_, findings);
    FileMetaData meta;
    thrift::Reader reader(frame_.footer, {}, limits_);
    if (frame_.state != Frame::State::footer || !reader.read(meta)) return;
    thrift::for_each<SchemaElement>(
        meta.schema, limits_, [&](const SchemaElement& element, std::uint32_t) { schema_.add(element); });
    schema_.finish();
    if (schema_.fault() != Schema::Fault::none) return;
    thrift::for_each<RowGroup>(meta.row_groups, limits_,
                               [&](const RowGroup& group, std::uint32_t number) { add(group, number); });
  }

  [[nodiscard]] const std::vector<Indexed>& chunks() const noexcept { return chunks_; }
  [[nodiscard]] const Schema& schema() const noexcept { return schema_; }
  [[nodiscard]] const Limits& limits() const noexcept { return limits_; }
  [[nodiscard]] const MemorySource& source() const noexcept { return source_; }

 private:
  static constexpr std::size_t kMaxChunks = 8;

  void add(const RowGroup& group, std::uint32_t number) {
    std::optional<std::int32_t> sorted_by;
    thrift::for_each<SortingColumn>(group.sorting_columns, limits_,
                                    [&](const SortingColumn& column, std::uint32_t i) {
                                      if (i == 0 && !column.descending) sorted_by = column.column_idx;
                                    });
    thrift::for_each<ColumnChunk>(group.columns, limits_, [&](const ColumnChunk& column, std::uint32_t leaf) {
      const ColumnMetaData& meta = column.meta_data;
      if (chunks_.size() == kMaxChunks || leaf >= schema_.leaf_count() || !schema_.leaf(leaf).readable ||
          schema_.leaf(leaf).damaged || !meta.has(ColumnMetaData::id_index_page_offset) ||
          meta.type != schema_.leaf(leaf).type)
        return;
      const std::int64_t start = chunk_start(meta).offset;
      const std::uint64_t end = frame_.footer_offset;
      if (start < 0 || static_cast<std::uint64_t>(start) >= end) return;
      Indexed found;
      found.leaf = leaf;
      found.stored = {
          number, &source_,
          chunk_extent(static_cast<std::uint64_t>(start), meta.total_compressed_size, meta.num_values, end),
          meta.codec};
      found.chunk = {static_cast<std::uint64_t>(start), static_cast<std::uint64_t>(meta.data_page_offset),
                     found.stored.extent.metadata_end, static_cast<std::uint64_t>(meta.index_page_offset),
                     meta.codec};
      found.rows = group.num_rows;
      found.sorted = sorted_by == static_cast<std::int32_t>(leaf);
      chunks_.push_back(found);
    });
  }

  Limits limits_ = small_limits();
  MemorySource source_;
  Frame frame_;
  Schema schema_;
  std::vector<Indexed> chunks_;
};

/// A value and its row.
struct Placed {
  std::int64_t row = 0;
  Value value;
};

/// All values of a chunk, read in order; empty if one cannot be read.
std::optional<std::vector<Placed>> values_of(const IndexedFile& file, const Indexed& chunk) {
  constexpr std::size_t kMaxValues = 2000;
  ReadingContext context{file.schema(), file.limits()};
  ColumnCursor cursor(context, chunk.leaf, 0);
  std::vector<Placed> values;
  std::int64_t row = -1;
  PageResult<void> status = cursor.open(chunk.stored);
  while (status && !cursor.at_end()) {
    if (values.size() == kMaxValues) return std::nullopt;
    row += cursor.repetition() == 0 ? 1 : 0;
    if (cursor.definition() == cursor.leaf().max_definition)
      values.push_back({row, {cursor.value().begin(), cursor.value().end()}});
    status = cursor.next();
    if (status) status = cursor.settle();
  }
  return status ? std::optional(std::move(values)) : std::nullopt;
}

/// An error must be inside the file, or at the root offset in the metadata.
std::string error_fault(const IndexedFile& file, const Indexed& chunk, const Error& error) {
  const bool inside = error.space != Space::file || error.offset <= file.source().size();
  return inside || error.offset == chunk.chunk.root ? "" : "the error of a lookup is outside the file";
}

bool is_inside(const Indexed& chunk, PageSpan page) {
  return page.length != 0 && page.offset >= chunk.chunk.start && page.offset + page.length <= chunk.chunk.end;
}

std::string rows_of_pages_fault(const IndexedFile& file, const Indexed& chunk, IndexTreeLookup& lookup) {
  for (const std::int64_t row :
       {std::int64_t{-1}, std::int64_t{0}, chunk.rows / 2, chunk.rows - 1, INT64_MAX}) {
    const Result<std::optional<RowPage>> page = lookup.page_with_row(row, chunk.rows);
    if (!page) {
      if (std::string fault = error_fault(file, chunk, page.error()); !fault.empty()) return fault;
    } else if (*page && !is_inside(chunk, (*page)->span)) {
      return "the page of a row is outside the chunk";
    }
  }
  return {};
}

/// Rows of `values` that are equal to `key`, in the form of a lookup.
std::vector<RowSpan> rows_with(const std::vector<Placed>& values, const Value& key, Type type, Order order) {
  std::vector<RowSpan> rows;
  for (const Placed& at : values) {
    if (type != Type::BYTE_ARRAY && at.value.size() != key.size())
      continue;  // not the size of a value of the leaf
    if (compare(order, at.value, key) != Comparison::equal) continue;
    if (!rows.empty() && rows.back().first + rows.back().count > at.row) continue;
    if (!rows.empty() && rows.back().first + rows.back().count == at.row) {
      ++rows.back().count;
    } else {
      rows.push_back({at.row, 1});
    }
  }
  return rows;
}

/// Checks the rows of one key. `values` are those of a file that breaks no rule: then the rows must be
/// exactly those of a scan.
std::string key_fault(const IndexedFile& file, const Indexed& chunk, IndexTreeLookup& lookup,
                      const Value& key, const std::vector<Placed>* values) {
  const Result<std::vector<PageSpan>> pages = lookup.pages_with_key(key);
  if (!pages) return error_fault(file, chunk, pages.error());
  if (!std::ranges::all_of(*pages, [&](PageSpan page) { return is_inside(chunk, page); }))
    return "the page of a key is outside the chunk";
  const Result<std::vector<RowSpan>> rows = lookup.rows_with_key(key);
  if (!rows) return error_fault(file, chunk, rows.error());
  if (!rows->empty() && pages->empty()) return "a key without pages has rows";
  std::int64_t next_row = 0;
  for (const RowSpan& span : *rows) {
    if (span.first < next_row || span.count <= 0) return "the rows of a key are out of order";
    next_row = span.first + span.count;
  }
  const Node& leaf = file.schema().leaf(chunk.leaf);
  if (values != nullptr && *rows != rows_with(*values, key, leaf.type, order_of(leaf)))
    return "a lookup by key finds other rows than a scan";
  return {};
}

/// Checks the rows that `cat --lookup` writes for a key of a chunk.
std::string written_fault(const IndexedFile& file, const Indexed& chunk, const Value& key,
                          const std::vector<Placed>* values) {
  const Node& leaf = file.schema().leaf(chunk.leaf);
  std::string buffer;
  const ValueText text = value_text(key, physical_style(leaf.type), buffer);
  RowOptions options;
  options.view = RowView::physical;
  options.limits = file.limits();
  options.lookup = file.schema().dotted_path(file.schema().leaf_index(chunk.leaf)) + "=";
  options.lookup += text.kind == ValueText::Kind::bytes ? hex(key) : std::string(text.text);
  const WrittenRows rows = rows_of(file.source(), options);
  if (!rows.fault.empty() || values == nullptr || rows.outcome.end != RowsEnd::complete) return rows.fault;
  std::int64_t count = 0;
  for (const RowSpan& span : rows_with(*values, key, leaf.type, order_of(leaf))) count += span.count;
  const bool are_all = static_cast<std::uint64_t>(count) <= rows.lines;  // other row groups may have more
  return are_all ? "" : "rows with the key are not written";
}

bool breaks_no_rule(const IndexedFile& file) {
  CheckOptions options;
  options.limits = file.limits();
  options.profile = Profile::historical;  // the profile that checks index trees
  const FileReport report = check(file.source(), "file", options);
  const auto names_the_index = [](const ReportedFinding& one) {
    return one.finding.rule == Rule::index_page_unused;  // an index tree is present
  };
  return report.verdict == Verdict::conforming && std::ranges::all_of(report.findings, names_the_index);
}

std::string index_tree_fault(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t kMaxKeys = 6;
  const IndexedFile file(bytes);
  std::optional<bool> sound;
  for (const Indexed& chunk : file.chunks()) {
    const Node& leaf = file.schema().leaf(chunk.leaf);
    IndexTreeLookup lookup(file.source(), file.limits(), chunk.chunk, leaf);
    if (std::string fault = rows_of_pages_fault(file, chunk, lookup); !fault.empty()) return fault;
    const std::optional<std::vector<Placed>> values = values_of(file, chunk);
    const bool searchable = values && chunk.sorted && order_of(leaf) != Order::none;
    if (searchable && !sound) sound = breaks_no_rule(file);
    const bool exact = searchable && *sound;
    std::vector<Value> keys{Value(bytes.end() - 8, bytes.end()), Value(bytes.end() - 4, bytes.end()),
                            Value{}};
    if (values) {
      const std::size_t step = values->size() / kMaxKeys + 1;
      for (std::size_t i = 0; i < values->size(); i += step) keys.push_back((*values)[i].value);
      if (!values->empty() && order_of(leaf) != Order::none) {
        const Value& key = values->back().value;
        if (std::string fault = written_fault(file, chunk, key, exact ? &*values : nullptr); !fault.empty())
          return fault;
      }
    }
    for (const Value& key : keys) {
      std::string fault = key_fault(file, chunk, lookup, key, exact ? &*values : nullptr);
      if (!fault.empty()) return fault;
    }
    if (lookup.failed()) return "bytes in memory cannot fail to be read";
  }
  return {};
}

}  // namespace

void add_lookup_properties(std::vector<Property>& properties) {
  properties.push_back({"index_tree", index_tree_fault});
}

}  // namespace parqproof::fuzz
