#include "codec/write/shredder.hpp"

#include <algorithm>
#include <cstddef>

#include "codec/page/value_bytes.hpp"

namespace parqproof {

void ShreddedColumn::add_bytes(std::span<const std::uint8_t> value) {
  bytes_.insert(bytes_.end(), value.begin(), value.end());
  ends_.push_back(bytes_.size());
}

void ShreddedColumn::add_null(std::uint32_t repetition, std::uint32_t definition) {
  repetition_.push_back(repetition);
  definition_.push_back(definition);
}

void ShreddedColumn::add_value(std::uint32_t repetition, std::span<const std::uint8_t> value) {
  add_null(repetition, leaf_->max_definition);
  add_bytes(value);
}

void ShreddedColumn::add(const Entries& entries) {
  for (std::uint64_t i = 0; i < entries.count; ++i) add_null(entries.repetition[i], entries.definition[i]);
  const ValueBatch& values = entries.values;
  const std::uint32_t width =
      fixed_width(leaf_->type, static_cast<std::uint32_t>(std::max(leaf_->type_length, 0)));
  if (values.form == ValueBatch::Form::indices || values.form == ValueBatch::Form::index_run) {
    for (std::uint64_t i = 0; i < values.count; ++i) {
      const ByteArray value =
          (*entries.dictionary)[values.form == ValueBatch::Form::index_run ? values.run : values.indices[i]];
      add_bytes({value.data, value.size});
    }
    return;
  }
  for_each_value(values, width, DictionaryEntries(),
                 [this](std::span<const std::uint8_t> value, std::uint64_t n) {
                   for (; n != 0; --n) add_bytes(value);
                 });
}

Entries ShreddedColumn::entries() const {
  Entries out;
  out.count = repetition_.size();
  out.repetition.values = repetition_.data();
  out.definition.values = definition_.data();
  out.values.count = ends_.size();
  if (leaf_->type == Type::BOOLEAN) {
    out.values.form = ValueBatch::Form::booleans;
    out.values.booleans = bytes_.data();
  } else if (leaf_->type != Type::BYTE_ARRAY) {
    out.values.form = ValueBatch::Form::fixed;
    out.values.fixed = bytes_.data();
  } else {
    byte_arrays_.clear();
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      byte_arrays_.push_back({bytes_.data() + begin, static_cast<std::uint32_t>(end - begin)});
      begin = end;
    }
    out.values.form = ValueBatch::Form::byte_arrays;
    out.values.byte_arrays = byte_arrays_.data();
  }
  return out;
}

Shredder::Shredder(const Schema& schema) : schema_(schema) { clear(); }

void Shredder::clear() {
  columns_.clear();
  for (std::size_t i = 0; i < schema_.leaf_count(); ++i) columns_.emplace_back(schema_.leaf(i));
  rows_ = 0;
}

void Shredder::begin_row() {
  if (!open_.empty()) fail("a row begins in another one");
  open_.assign(1, Open{0, 1, 0, 0, false, 0});
}

WriteStatus Shredder::end_row() {
  if (open_.size() != 1) fail("the row ends in a group or list");
  if (open_.size() == 1 && open_.back().next < schema_.nodes().front().end) fail("the row lacks fields");
  open_.clear();
  ++rows_;
  return status_;
}

/// Goes to the next field of the current group.
Shredder::Begin Shredder::next_field() {
  if (open_.empty() || open_.back().is_list) {
    fail("a field is outside of groups");
    return {};
  }
  Open& group = open_.back();
  if (group.next >= schema_.nodes()[group.node].end) {
    fail("a group has more fields than in the schema");
    return {};
  }
  const std::uint32_t index = group.next;
  const Node& node = schema_.nodes()[index];
  group.next = node.end;
  return {&node, index, group.repetition, group.definition};
}

/// Goes to the next field or element that has a value.
Shredder::Begin Shredder::next_value() {
  if (!open_.empty() && open_.back().is_list) {
    Open& list = open_.back();
    const Node& node = schema_.nodes()[list.node];
    return {&node, list.node, list.elements++ == 0 ? list.repetition : node.max_repetition,
            list.definition + 1};
  }
  Begin at = next_field();
  if (at.node == nullptr) return at;
  if (at.node->repetition == FieldRepetitionType::REPEATED) {
    fail("a repeated field is no list");
    return {};
  }
  at.definition += at.node->repetition == FieldRepetitionType::OPTIONAL ? 1 : 0;
  return at;
}

/// Each leaf below a node without values has an entry for it.
void Shredder::add_nulls(const Begin& at) {
  const std::size_t first = at.node->leaf;
  for (std::size_t i = first; i < first + schema_.leaves_below(at.index); ++i)
    columns_[i].add_null(at.repetition, at.definition);
}

void Shredder::null() {
  const Begin at = next_field();
  if (at.node == nullptr) return;
  if (at.node->repetition != FieldRepetitionType::OPTIONAL)
    return fail("a field that is not optional is null");
  add_nulls(at);
}

void Shredder::value(std::span<const std::uint8_t> bytes) {
  const Begin at = next_value();
  if (at.node == nullptr) return;
  if (!at.node->is_leaf) return fail("a group has a value");
  columns_[at.node->leaf].add_value(at.repetition, bytes);
}

void Shredder::begin_group() {
  const Begin at = next_value();
  if (at.node == nullptr) return;
  if (at.node->is_leaf) return fail("a leaf is no group");
  open_.push_back({at.index, at.index + 1, at.repetition, at.definition, false, 0});
}

void Shredder::end_group() {
  if (open_.size() < 2 || open_.back().is_list) return fail("a group ends that has not begun");
  if (open_.back().next < schema_.nodes()[open_.back().node].end) fail("a group lacks fields");
  open_.pop_back();
}

void Shredder::begin_list() {
  const Begin at = next_field();
  if (at.node == nullptr) return;
  if (at.node->repetition != FieldRepetitionType::REPEATED)
    return fail("a field that is not repeated is a list");
  open_.push_back({at.index, 0, at.repetition, at.definition, true, 0});
}

void Shredder::end_list() {
  if (open_.empty() || !open_.back().is_list) return fail("a list ends that has not begun");
  const Open list = open_.back();
  open_.pop_back();
  if (list.elements == 0)
    add_nulls({&schema_.nodes()[list.node], list.node, list.repetition, list.definition});
}

}  // namespace parqproof
