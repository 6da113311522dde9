#include "conformance/rows/column_cursor.hpp"

#include <algorithm>

#include "codec/rules/rule.hpp"

namespace parqproof {
namespace {

/// Whether an Error keeps values from being read; what is merely wrong does not.
bool is_fatal(const Error& error) { return info(error.rule).klass != Class::invalid; }

bool strip_length_word(View& levels) {
  if (levels.size() < 4 || load_le<std::uint32_t>(levels.data()) != levels.size() - 4) return false;
  levels = levels.from(4);
  return true;
}

}  // namespace

ColumnCursor::ColumnCursor(ReadingContext& context, std::size_t leaf, std::uint64_t ahead)
    : pages_(context, leaf, ahead),
      repetitions_(pages_.leaf().max_repetition, Rule::levels_repetition_range),
      definitions_(pages_.leaf().max_definition, Rule::levels_definition_range),
      width_(fixed_width(pages_.leaf().type,
                         static_cast<std::uint32_t>(std::max(pages_.leaf().type_length, 0)))) {}

bool ColumnCursor::open(const ChunkPlace& chunk) {
  pages_.open(chunk);
  ordinal_ = 0;
  at_end_ = pending_ = false;
  if (!next_page()) return false;
  if (at_end_ || repetition_ == 0) return true;
  return level_fault(Rule::page_first_repetition_level, repetition_, 0);
}

bool ColumnCursor::next() {
  ++ordinal_;
  if (left_ != 0) return entry();
  if (repetitions_.max() != 0) return turn_page();
  pending_ = true;
  repetition_ = definition_ = 0;
  return true;
}

bool ColumnCursor::turn_page() {
  pending_ = false;
  return close_values() && next_page();
}

bool ColumnCursor::level_fault(Rule rule, std::uint32_t found, std::uint32_t expected) {
  const View at = pages_.leaf().max_repetition > 0 ? page_.repetition.bytes : page_.definition.bytes;
  return pages_.error({at.base, found, expected, 1, rule, at.space, static_cast<std::uint32_t>(ordinal_)});
}

bool ColumnCursor::next_page() {
  switch (pages_.next(page_)) {
    case ChunkPages::Step::trouble:
      return false;
    case ChunkPages::Step::end:
      at_end_ = true;
      repetition_ = definition_ = 0;
      return true;
    case ChunkPages::Step::page:
      break;
  }
  left_ = page_.count;
  return open_levels() && open_values() && entry();
}

/// Reads a page's levels of one kind to their end: how many are at the maximum, and whether nothing is odd.
Result<std::uint64_t> ColumnCursor::read_levels(LevelStream& levels, const LevelSection& section,
                                                bool& clean) const {
  if (Status opened = levels.open(section, page_.count); !opened) return std::unexpected(opened.error());
  Result<std::uint64_t> at_maximum = levels.count_maximum();
  clean = clean && at_maximum && levels.clean();
  return at_maximum;
}

/// A writer that puts the length word of v1 before v2 levels: where they make sense only behind it, it is
/// passed over.
void ColumnCursor::pass_length_words() {
  LevelSection repetition = page_.repetition;
  LevelSection definition = page_.definition;
  const bool before_repetition = strip_length_word(repetition.bytes);
  const bool before_definition = strip_length_word(definition.bytes);
  if (!before_repetition && !before_definition) return;
  bool as_written = true;
  bool behind = true;
  (void)read_levels(repetitions_, page_.repetition, as_written);
  (void)read_levels(definitions_, page_.definition, as_written);
  (void)read_levels(repetitions_, repetition, behind);
  (void)read_levels(definitions_, definition, behind);
  if (as_written || !behind) return;
  page_.repetition = repetition;
  page_.definition = definition;
}

/// Counts the stored values, then starts on the levels anew.
bool ColumnCursor::open_levels() {
  if (pages_.at_v2()) pass_length_words();
  bool clean = true;
  const Result<std::uint64_t> stored = read_levels(definitions_, page_.definition, clean);
  if (!stored) return pages_.error(stored.error());
  stored_ = *stored;
  for (const auto& [stream, section] :
       {std::pair(&definitions_, &page_.definition), std::pair(&repetitions_, &page_.repetition)}) {
    if (Status opened = stream->open(*section, page_.count); !opened) return pages_.error(opened.error());
  }
  return true;
}

bool ColumnCursor::open_values() {
  batch_ = {};
  used_ = 0;
  notes_.clear();
  const Node& leaf = pages_.leaf();
  if (stored_ == 0) {
    const Status empty = check_empty_section(page_.values, page_.encoding, leaf.type, notes_);
    return empty || !is_fatal(empty.error()) || pages_.error(empty.error());
  }
  const bool dictionary =
      page_.encoding == Encoding::PLAIN_DICTIONARY || page_.encoding == Encoding::RLE_DICTIONARY;
  if (dictionary && !pages_.dictionary().known()) {
    return pages_.fault(
        Rule::page_dictionary_missing,
        pages_.at_v2() ? "data_page_header_v2.encoding" : "data_page_header.encoding",
        seen(kEncodingEnum.name_of(static_cast<int>(page_.encoding)), "a dictionary page before it"));
  }
  ValueSpec spec;
  spec.encoding = page_.encoding;
  spec.type = leaf.type;
  spec.type_length = static_cast<std::uint32_t>(std::max(leaf.type_length, 0));
  spec.count = stored_;
  spec.dictionary_size = pages_.dictionary().size();
  const Status opened = decoder_.open(page_.values, spec, pages_.context().limits, pages_.budget(), notes_);
  return opened || pages_.error(opened.error());
}

/// What is left behind the last value of the page.
bool ColumnCursor::close_values() {
  if (stored_ == 0) return true;
  const Status ended = decoder_.end();
  return ended || !is_fatal(ended.error()) || pages_.error(ended.error());
}

bool ColumnCursor::entry() {
  --left_;
  const Result<std::uint32_t> repetition = repetitions_.next();
  if (!repetition) return pages_.error(repetition.error());
  const Result<std::uint32_t> definition = definitions_.next();
  if (!definition) return pages_.error(definition.error());
  repetition_ = *repetition;
  definition_ = *definition;
  return definition_ != definitions_.max() || next_value();
}

bool ColumnCursor::next_value() {
  if (used_ == batch_.count) {
    const Result<ValueBatch> batch = decoder_.next();
    if (!batch) return pages_.error(batch.error());
    batch_ = *batch;
    used_ = 0;
    if (batch_.count == 0)  // decoders deliver what they were opened for
      return chunk_fault(Rule::column_chunk_num_values, "meta_data.num_values", seen(stored_, "fewer"));
  }
  const std::uint64_t i = used_++;
  static constexpr std::uint8_t kBooleans[] = {0, 1};
  switch (batch_.form) {
    case ValueBatch::Form::fixed:
      value_ = {batch_.fixed + i * width_, width_};
      break;
    case ValueBatch::Form::byte_arrays:
      value_ = batch_.byte_arrays[i];
      break;
    case ValueBatch::Form::booleans:
      value_ = {batch_.booleans + i, 1};
      break;
    case ValueBatch::Form::boolean_run:
      value_ = {&kBooleans[batch_.run & 1], 1};
      break;
    case ValueBatch::Form::indices:
      value_ = pages_.dictionary()[batch_.indices[i]];
      break;
    case ValueBatch::Form::index_run:
      value_ = pages_.dictionary()[batch_.run];
      break;
  }
  return true;
}

}  // namespace parqproof
