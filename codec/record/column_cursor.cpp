#include "codec/record/column_cursor.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "codec/rules/rule.hpp"

namespace parqproof {
namespace {

/// Returns true if an Error prevents values from being read, which most violated rules do not.
bool is_fatal(const Error& error) { return info(error.rule).klass != Class::invalid; }

std::unexpected<std::unique_ptr<PageFault>> body_fault(const Error& error) {
  return page_fault(PageFault::in_bytes(error));
}

}  // namespace

ColumnCursor::ColumnCursor(ReadingContext& context, std::size_t leaf, std::uint64_t ahead)
    : pages_(context, leaf, ahead),
      repetitions_(pages_.leaf().max_repetition, Rule::levels_repetition_range),
      definitions_(pages_.leaf().max_definition, Rule::levels_definition_range),
      width_(fixed_width(pages_.leaf().type,
                         static_cast<std::uint32_t>(std::max(pages_.leaf().type_length, 0)))) {}

PageResult<void> ColumnCursor::open(const StoredChunk& chunk) {
  pages_.open(chunk);
  ordinal_ = 0;
  at_end_ = pending_ = false;
  if (PageResult<void> first = next_page(); !first) return first;
  if (chunk.part && chunk.part->continues) {
    while (!at_end_ && repetition_ != 0) {
      if (PageResult<void> moved = next(); !moved) return moved;
    }
  }
  if (at_end_ || repetition_ == 0) return {};
  return page_fault(level_fault(Rule::page_first_repetition_level, repetition_, 0));
}

/// Goes past the last entry of a page.
PageResult<void> ColumnCursor::after_page() {
  if (repetitions_.max() != 0) return turn_page();
  pending_ = true;
  repetition_ = definition_ = 0;
  return {};
}

/// Checks the bytes after the last value of a page and goes to the next page.
PageResult<void> ColumnCursor::turn_page() {
  pending_ = false;
  if (stored_ != 0) {
    const Status ended = decoder_.end();
    if (!ended && (is_fatal(ended.error()) || pages_.is_misread())) return body_fault(ended.error());
  }
  return next_page();
}

PageFault ColumnCursor::level_fault(Rule rule, std::uint32_t found, std::uint32_t expected) const {
  const DataPageParts& parts = pages_.parts();
  const View at = leaf().max_repetition > 0 ? parts.repetition.bytes : parts.definition.bytes;
  return PageFault::in_bytes(
      {at.base, found, expected, 1, rule, at.space, static_cast<std::uint32_t>(ordinal_)});
}

PageResult<void> ColumnCursor::next_page() {
  PageResult<bool> more = pages_.next();
  if (!more) return std::unexpected(std::move(more.error()));
  if (!*more) {
    at_end_ = true;
    repetition_ = definition_ = 0;
    return {};
  }
  left_ = pages_.parts().count;
  if (PageResult<void> opened = open_levels(); !opened) return opened;
  const Encoding encoding = pages_.parts().encoding;
  const bool by_index = is_dictionary_encoding(encoding);
  // page/dictionary-missing
  if (stored_ != 0 && by_index && !pages_.dictionary().known()) {
    if (pages_.begins_elsewhere()) return next_page();
    return page_fault(
        PageFault::in_header(Rule::page_dictionary_missing,
                             page().is_v2() ? "data_page_header_v2.encoding" : "data_page_header.encoding",
                             contrast(symbol(kEncodingEnum, encoding), "a dictionary page before it")));
  }
  if (PageResult<void> opened = open_values(); !opened) return opened;
  return entry();
}

/// Counts the stored values, then starts again at the first level.
PageResult<void> ColumnCursor::open_levels() {
  const DataPageParts& parts = pages_.parts();
  if (Status opened = definitions_.open(parts.definition, parts.count); !opened)
    return body_fault(opened.error());
  const Result<std::uint64_t> stored = definitions_.count_maximum();
  if (!stored) return body_fault(stored.error());
  stored_ = *stored;
  if (Status opened = definitions_.open(parts.definition, parts.count); !opened)
    return body_fault(opened.error());
  if (Status opened = repetitions_.open(parts.repetition, parts.count); !opened)
    return body_fault(opened.error());
  return {};
}

PageResult<void> ColumnCursor::open_values() {
  const DataPageParts& parts = pages_.parts();
  const Node& leaf = pages_.leaf();
  batch_ = {};
  used_ = 0;
  notes_.clear();
  if (stored_ == 0) {
    const Status empty = check_empty_section(parts.values, parts.encoding, leaf.type, notes_);
    if (!empty && (is_fatal(empty.error()) || pages_.is_misread())) return body_fault(empty.error());
    return {};
  }
  ValueSpec spec;
  spec.encoding = parts.encoding;
  spec.type = leaf.type;
  spec.type_length = static_cast<std::uint32_t>(std::max(leaf.type_length, 0));
  spec.count = stored_;
  spec.dictionary_size = pages_.dictionary().size();
  if (Status opened = decoder_.open(parts.values, spec, pages_.limits(), pages_.budget(), notes_); !opened)
    return body_fault(opened.error());
  return {};
}

PageResult<void> ColumnCursor::fill_levels() {
  for (LevelStream* const levels : {&repetitions_, &definitions_}) {
    if (levels->filled()) continue;
    if (Status filled = levels->fill(); !filled) return body_fault(filled.error());
  }
  return {};
}

PageResult<void> ColumnCursor::next_batch() {
  const Result<ValueBatch> batch = decoder_.next();
  if (!batch) return body_fault(batch.error());
  batch_ = *batch;
  used_ = 0;
  if (batch_.count != 0) return {};
  // Decoders return exactly the values for which they were opened.
  return page_fault(
      PageFault::in_chunk(Rule::column_chunk_num_values, "meta_data.num_values", contrast(stored_, "fewer")));
}

Entries ColumnCursor::entries() const noexcept {
  Entries out;
  out.count = std::min({left_ + 1, repetitions_.at_hand(), definitions_.at_hand()});
  out.repetition = {repetitions_.last_taken(), repetition_};
  out.definition = {definitions_.last_taken(), definition_};
  // The value of the current entry has been taken from the batch.
  const bool present = definition_ == definitions_.max();
  const std::uint64_t first = used_ - (present ? 1 : 0);
  const std::uint64_t values = batch_.count - first;
  std::uint64_t stored = out.definition.count(definitions_.max(), out.count);
  if (stored > values) {  // the values of the entries from here on are in a later batch
    if (out.definition.values == nullptr) {
      out.count = values;
    } else {
      std::uint64_t left = values;
      std::uint64_t i = 0;
      for (; out.definition.values[i] != definitions_.max() || left != 0; ++i)
        left -= out.definition.values[i] == definitions_.max() ? 1 : 0;
      out.count = i;
    }
    stored = values;
  }
  out.values = part_of(batch_, first, stored, width_);
  out.dictionary = &pages_.dictionary();
  return out;
}

PageResult<void> ColumnCursor::pass(const Entries& entries) {
  const std::uint64_t more = entries.count - 1;
  repetitions_.skip(more);
  definitions_.skip(more);
  used_ += entries.values.count - (definition_ == definitions_.max() ? 1 : 0);
  left_ -= more;
  ordinal_ += more;
  if (PageResult<void> moved = next(); !moved) return moved;
  return settle();
}

void ColumnCursor::take_value() noexcept {
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
}

}  // namespace parqproof
