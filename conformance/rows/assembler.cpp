#include "conformance/rows/assembler.hpp"

#include <algorithm>

#include "codec/rules/rule.hpp"
#include "conformance/report/value_json.hpp"

namespace parqproof {
namespace {

/// Bytes that all windows together read ahead.
constexpr std::uint64_t kReadAhead = std::uint64_t{16} << 20;
constexpr std::uint64_t kReadAheadEach = std::uint64_t{1} << 18;

}  // namespace

Assembler::Assembler(ReadingContext& context, const Fields& fields) : context_(&context), fields_(&fields) {
  const std::uint64_t share = kReadAhead / std::max<std::size_t>(fields.leaves.size(), 1);
  for (const std::size_t leaf : fields.leaves)
    columns_.push_back(std::make_unique<ColumnCursor>(context, leaf, std::min(share, kReadAheadEach)));
}

bool Assembler::open(const std::vector<ChunkPlace>& chunks) {
  rows_ = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!columns_[i]->open(chunks[i])) return false;
  }
  return true;
}

/// All columns stand at the first entry of a row, or all at their end.
Assembler::Step Assembler::begin_row() {
  for (const std::unique_ptr<ColumnCursor>& column : columns_) {
    if (!column->settle()) return Step::trouble;
  }
  const bool end = columns_.front()->at_end();
  for (const std::unique_ptr<ColumnCursor>& column : columns_) {
    if (column->at_end() != end) {
      // The one that has ended has too few rows.
      ColumnCursor& shorter = end ? *columns_.front() : *column;
      (void)shorter.chunk_fault(Rule::column_chunk_rows, "meta_data.num_values",
                                seen(rows_, "more than " + std::to_string(rows_)));
      return Step::trouble;
    }
    if (column->repetition() != 0) {
      (void)column->level_fault(Rule::levels_repetition_after_empty, 0, column->repetition());
      return Step::trouble;
    }
  }
  if (!end) ++rows_;
  return end ? Step::end : Step::row;
}

Assembler::Step Assembler::next(std::string& row) {
  if (const Step begun = begin_row(); begun != Step::row) return begun;
  row.clear();
  row_ = &row;
  return content(fields_->root) ? Step::row : Step::trouble;
}

Assembler::Step Assembler::skip() {
  if (const Step begun = begin_row(); begun != Step::row) return begun;
  for (const std::unique_ptr<ColumnCursor>& column : columns_) {
    do {
      if (!column->next()) return Step::trouble;
    } while (column->repetition() != 0);
  }
  return Step::row;
}

bool Assembler::disagree(std::size_t column, const Field& field) {
  const auto name = [&](std::size_t i) {
    return context_->schema.dotted_path(context_->schema.leaf_index(fields_->leaves[i]));
  };
  const std::string about = context_->schema.dotted_path(field.node);
  return columns_[column]->chunk_fault(Rule::levels_siblings_agree, "meta_data",
                                       seen(about, name(field.first)));
}

/// Whether the field is there, by the definition level of its first column; the others have to agree.
bool Assembler::defined(const Field& field, bool& is) {
  is = columns_[field.first]->definition() >= field.max_definition;
  for (std::size_t i = field.first + 1; i < field.last; ++i) {
    if ((columns_[i]->definition() >= field.max_definition) != is) return disagree(i, field);
  }
  return true;
}

/// Whether the row stays in its bounds with so many bytes more.
bool Assembler::has_room(ColumnCursor& column, std::size_t more) {
  const std::uint64_t most = context_->limits.row_bytes();
  if (row_->size() + more <= most) return true;
  return column.chunk_fault(Rule::limit_memory, "meta_data",
                            seen("more than " + std::to_string(most) + " for a row", most));
}

/// Writes what stands for an absent field; each of its columns has one entry for it.
bool Assembler::nothing(const Field& field, std::string_view text) {
  *row_ += text;
  return std::all_of(columns_.begin() + static_cast<std::ptrdiff_t>(field.first),
                     columns_.begin() + static_cast<std::ptrdiff_t>(field.last),
                     [](const std::unique_ptr<ColumnCursor>& column) { return column->next(); });
}

bool Assembler::value(const Field& field) {
  if (field.repetition == FieldRepetitionType::REPEATED) return elements(field);
  if (field.repetition == FieldRepetitionType::REQUIRED) return content(field);
  if (field.first == field.last) return nothing(field, "null");  // no column tells
  bool is = false;
  if (!defined(field, is)) return false;
  return is ? content(field) : nothing(field, "null");
}

bool Assembler::elements(const Field& field) {
  if (field.first == field.last) return nothing(field, "[]");
  bool is = false;
  if (!defined(field, is)) return false;
  if (!is) return nothing(field, "[]");
  char before = '[';
  for (bool more = true; more;) {
    *row_ += before;
    before = ',';
    if (!content(field)) return false;
    more = columns_[field.first]->repetition() == field.max_repetition;
    for (std::size_t i = field.first; i < field.last; ++i) {
      const std::uint32_t repetition = columns_[i]->repetition();
      if (repetition > field.max_repetition)
        return columns_[i]->level_fault(Rule::levels_repetition_after_empty, 0, repetition);
      if ((repetition == field.max_repetition) != more) return disagree(i, field);
    }
    if (!more) break;
    if (!has_room(*columns_[field.first], 0) || !defined(field, is)) return false;
    if (!is) {
      return columns_[field.first]->level_fault(Rule::levels_repetition_needs_defined,
                                                columns_[field.first]->definition(), field.max_definition);
    }
  }
  *row_ += ']';
  return true;
}

bool Assembler::content(const Field& field) {
  if (field.is_leaf) {
    ColumnCursor& column = *columns_[field.first];
    const std::span<const std::uint8_t> stored = column.value();
    if (!has_room(column, stored.size())) return false;
    append_value(*row_, stored, field.style, text_);
    return column.next();
  }
  if (field.transparent) return value(field.children.front());
  *row_ += '{';
  bool first = true;
  for (const Field& child : field.children) {
    if (!first) *row_ += ',';
    first = false;
    *row_ += child.key;
    if (!value(child)) return false;
  }
  *row_ += '}';
  return true;
}

}  // namespace parqproof
