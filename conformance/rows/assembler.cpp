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

class Assembler::VariantColumns final : public variant::Columns {
 public:
  VariantColumns(Assembler& assembler, const Field& field)
      : assembler_(&assembler), first_(field.first), leaf_(assembler.fields_->leaves[field.first]) {}

  [[nodiscard]] std::uint32_t repetition(std::size_t leaf) const override { return at(leaf).repetition(); }
  [[nodiscard]] std::uint32_t definition(std::size_t leaf) const override { return at(leaf).definition(); }
  [[nodiscard]] View value(std::size_t leaf) const override { return {at(leaf).value()}; }
  [[nodiscard]] const std::uint8_t* entry(std::size_t leaf) const override {
    return at(leaf).dictionary_entry();
  }
  [[nodiscard]] bool advance(std::size_t leaf) override { return assembler_->advance(first_ + leaf - leaf_); }

 private:
  [[nodiscard]] const ColumnCursor& at(std::size_t leaf) const {
    return *assembler_->columns_[first_ + leaf - leaf_];
  }

  Assembler* assembler_;
  std::size_t first_;  // the column of the first leaf
  std::size_t leaf_;
};

Assembler::Assembler(ReadingContext& context, const Fields& fields, DamagedRows damaged,
                     ReadingFailure& failure)
    : context_(&context), fields_(&fields), failure_(&failure), damaged_(damaged) {
  const std::uint64_t share = kReadAhead / std::max<std::size_t>(fields.leaves.size(), 1);
  for (const std::size_t leaf : fields.leaves)
    columns_.push_back(std::make_unique<ColumnCursor>(context, leaf, std::min(share, kReadAheadEach)));
  for (const std::unique_ptr<variant::Group>& group : fields.variants)
    variants_.emplace_back(*group, context.limits);
}

bool Assembler::fail(std::size_t column, const PageFault& fault) {
  failure_->take(*columns_[column], (*chunks_)[column].metadata, fault);
  failed_column_ = column;
  is_row_alone_ = false;
  return false;
}

bool Assembler::chunk_fault(std::size_t column, Rule rule, std::string_view field, Contrast what) {
  (void)fail(column, PageFault::in_chunk(rule, field, std::move(what)));
  is_row_alone_ = true;
  return false;
}

bool Assembler::level_fault(std::size_t column, Rule rule, std::uint32_t found, std::uint32_t expected) {
  suspect(column);
  (void)fail(column, columns_[column]->level_fault(rule, found, expected));
  is_row_alone_ = true;
  return false;
}

bool Assembler::continues_nothing(std::size_t column) {
  const std::uint32_t repetition = columns_[column]->repetition();
  const Nodes& nodes = context_->schema.nodes();
  std::uint32_t at = context_->schema.leaf_index(fields_->leaves[column]);
  while (at != 0 &&
         (nodes[at].repetition != FieldRepetitionType::REPEATED || nodes[at].max_repetition != repetition)) {
    at = nodes[at].parent;
  }
  return level_fault(column, Rule::levels_repetition_after_empty, previous_[column],
                     nodes[at].max_definition);
}

bool Assembler::open_column(std::size_t column, const StoredChunk& stored) {
  for (VariantText& text : variants_) text.forget();
  const PageResult<void> opened = columns_[column]->open(stored);
  return opened || fail(column, *opened.error());
}

bool Assembler::open(const std::vector<RowChunk>& chunks, const RowGroupDamage* damage) {
  rows_ = 0;
  chunks_ = &chunks;
  damage_ = damage;
  suspects_.clear();
  previous_.assign(columns_.size(), 0);
  parts_.assign(columns_.size(), {});
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (damage_ != nullptr) {
      const auto damaged = damage_->columns.find(fields_->leaves[i]);
      if (damaged != damage_->columns.end()) {
        parts_[i].damage = &damaged->second;
        continue;
      }
    }
    if (!open_column(i, chunks[i].stored)) return false;
  }
  return true;
}

/// Goes to the row in a column of a damaged chunk, if the column has values of the row.
bool Assembler::place(std::size_t column) {
  Part& at = parts_[column];
  at.absent = false;
  if (at.damage == nullptr) return true;
  const std::vector<RowPart>& parts = at.damage->parts;
  while (at.next < parts.size() && parts[at.next].end <= rows_) ++at.next;
  at.absent = at.next == parts.size() || parts[at.next].first > rows_;
  if (at.absent || at.opened == at.next) return true;
  const RowPart& part = parts[at.next];
  at.opened = at.next;
  previous_[column] = 0;
  StoredChunk stored = (*chunks_)[column].stored;
  if (part.extent) {
    stored.extent = *part.extent;
    stored.part = part.part;
  }
  if (!open_column(column, stored)) return false;
  // The part may begin before the row, because skip_to() passes over rows at once.
  for (std::uint64_t row = part.first; row < rows_; ++row) {
    if (!pass_row(column)) return false;
  }
  return true;
}

bool Assembler::has_no_column() const noexcept {
  return damage_ != nullptr && std::ranges::all_of(parts_, &Part::absent);
}

/// Goes to the first entry of the next row.
bool Assembler::pass_row(std::size_t column) {
  do {
    if (!advance(column)) return false;
  } while (columns_[column]->repetition() != 0);
  return true;
}

/// Each column that has values of the row is at the first entry of a row, or each is at its end.
Assembler::Step Assembler::begin_row() {
  const bool counts = damage_ != nullptr && damage_->rows;
  if (counts && rows_ >= *damage_->rows) return Step::end;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (damage_ != nullptr && !place(i)) return Step::failed;
    if (is_absent(i)) continue;
    if (const PageResult<void> settled = columns_[i]->settle(); !settled) {
      (void)fail(i, *settled.error());
      return Step::failed;
    }
    parts_[i].start = columns_[i]->ordinal();
  }
  const bool end = !counts && columns_.front()->at_end();
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (is_absent(i)) continue;
    if (columns_[i]->at_end() != end) {
      // The column that has ended has too few rows.
      (void)chunk_fault(end ? 0 : i, Rule::column_chunk_rows, "meta_data.num_values",
                        contrast(rows_, more_than(rows_)));
      return Step::failed;
    }
    if (columns_[i]->repetition() != 0) {
      if (rows_ == 0) {
        (void)level_fault(i, Rule::page_first_repetition_level, columns_[i]->repetition(), 0);
      } else {
        (void)continues_nothing(i);
      }
      return Step::failed;
    }
  }
  if (!end) ++rows_;
  return end ? Step::end : Step::row;
}

Assembler::Step Assembler::next(std::string& row) {
  if (const Step begun = begin_row(); begun != Step::row) return begun;
  if (damage_ != nullptr && is_suspect()) return leave_out();
  if (damaged_ == DamagedRows::left_out) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (is_absent(i)) return leave_out();
    }
  }
  row.clear();
  row_ = &row;
  if (content(fields_->root)) return Step::row;
  if (damage_ == nullptr || !is_row_alone_) return Step::failed;
  const Step left = leave_out();
  return left == Step::left_out ? Step::broken : left;
}

/// Marks a column whose levels do not form a row: later values of the page may belong to other rows than they
/// seem to.
void Assembler::suspect(std::size_t column) {
  if (damage_ != nullptr) suspects_.emplace_back(column, columns_[column]->place().page);
}

/// Returns true if a column is still in a page whose levels do not form a row.
bool Assembler::is_suspect() {
  std::erase_if(suspects_, [this](const auto& one) {
    return is_absent(one.first) || columns_[one.first]->place().page != one.second;
  });
  return !suspects_.empty();
}

/// Moves all columns to the end of the row, wherever in it they are.
Assembler::Step Assembler::leave_out() {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (is_absent(i)) continue;
    const bool begun = columns_[i]->ordinal() != parts_[i].start;
    if (begun && columns_[i]->repetition() == 0) continue;
    if (!pass_row(i)) return Step::failed;
  }
  return Step::left_out;
}

Assembler::Step Assembler::skip() {
  if (const Step begun = begin_row(); begun != Step::row) return begun;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!is_absent(i) && !pass_row(i)) return Step::failed;
  }
  return Step::row;
}

bool Assembler::disagree(std::size_t column, const Field& field) {
  const auto name = [&](std::size_t i) {
    return context_->schema.dotted_path(context_->schema.leaf_index(fields_->leaves[i]));
  };
  const std::string about = context_->schema.dotted_path(field.node);
  suspect(column);
  suspect(field.first);
  return chunk_fault(column, Rule::levels_siblings_agree, "meta_data",
                     contrast("other lists or nulls of " + about, "those of column " + name(field.first)));
}

/// The definition level of the first column decides if the field is defined; the other columns must agree.
bool Assembler::defined(const Field& field, bool& is) {
  is = columns_[field.first]->definition() >= field.max_definition;
  for (std::size_t i = field.first + 1; i < field.last; ++i) {
    if ((columns_[i]->definition() >= field.max_definition) != is) return disagree(i, field);
  }
  return true;
}

/// Returns true if `more` bytes still fit into the limit of a row.
bool Assembler::has_room(std::size_t column, std::size_t more) {
  const std::uint64_t most = context_->limits.row_bytes();
  if (has_room_for(*row_, more, static_cast<std::size_t>(most))) return true;
  return chunk_fault(column, Rule::limit_memory, "meta_data",
                     contrast("more than " + std::to_string(most) + " for a row", most));
}

/// Writes `text` for an absent field and takes the one entry of each of its columns.
bool Assembler::nothing(const Field& field, std::string_view text) {
  *row_ += text;
  for (std::size_t i = field.first; i < field.last; ++i) {
    if (!advance(i)) return false;
  }
  return true;
}

bool Assembler::value(const Field& field) {
  if (field.repetition == FieldRepetitionType::REPEATED) return elements(field);
  if (field.repetition == FieldRepetitionType::REQUIRED) return content(field);
  if (field.first == field.last) return nothing(field, "null");  // there is no column with levels
  bool is = false;
  if (!defined(field, is)) return false;
  return is ? content(field) : nothing(field, "null");
}

/// Writes a top-level field, whose columns may lack the row.
bool Assembler::member(const Field& child) {
  bool absent = false;
  for (std::size_t i = child.first; i < child.last; ++i) absent = absent || is_absent(i);
  if (!absent) return value(child);
  *row_ += "null";
  for (std::size_t i = child.first; i < child.last; ++i) {
    if (!is_absent(i) && !pass_row(i)) return false;
  }
  return true;
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
      if (repetition > field.max_repetition) return continues_nothing(i);
      if ((repetition == field.max_repetition) != more) return disagree(i, field);
    }
    if (!more) break;
    if (!has_room(field.first, 0) || !defined(field, is)) return false;
    if (!is) {
      return level_fault(field.first, Rule::levels_repetition_needs_defined,
                         columns_[field.first]->definition(), field.max_definition);
    }
  }
  *row_ += ']';
  return true;
}

bool Assembler::variant_value(const Field& field) {
  VariantColumns columns(*this, field);
  switch (variants_[*field.variant].append(*row_, columns)) {
    case VariantText::End::complete:
      return true;
    case VariantText::End::too_long:
      return has_room(field.first, context_->limits.row_bytes());
    case VariantText::End::unreadable:
      return chunk_fault(field.first, Rule::variant_value, "meta_data",
                         contrast("bytes that cannot be read", "a complete value",
                                  "a value of " + context_->schema.dotted_path(field.node)));
    case VariantText::End::disagree:
      return disagree(field.last - 1, field);
    case VariantText::End::no_column:
      return false;
  }
  return false;
}

bool Assembler::content(const Field& field) {
  if (field.is_leaf) {
    const std::span<const std::uint8_t> stored = columns_[field.first]->value();
    if (!has_room(field.first, stored.size())) return false;
    append_value(*row_, stored, field.style, text_);
    return advance(field.first);
  }
  if (field.variant) return variant_value(field);
  if (field.transparent)
    return field.node == 0 ? member(field.children.front()) : value(field.children.front());
  *row_ += '{';
  bool first = true;
  for (const Field& child : field.children) {
    if (!first) *row_ += ',';
    first = false;
    *row_ += child.key;
    if (!(field.node == 0 ? member(child) : value(child))) return false;
  }
  *row_ += '}';
  return true;
}

}  // namespace parqproof
