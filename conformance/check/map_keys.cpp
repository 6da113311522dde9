#include "conformance/check/map_keys.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "codec/schema/value_text.hpp"
#include "conformance/check/value_judges.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kMostEntries = ValueSet::kMost;  // of a dictionary
constexpr std::size_t kExact =
    15;  // bytes of a value that are kept as they are, and their number behind them
constexpr std::uint64_t kHashed = std::uint64_t{1} << 63;  // a bit that no such number sets

/// Two hashes of the bytes by multiplication, eight bytes at a time.
ValueSet::Key hash(std::span<const std::uint8_t> value) noexcept {
  ValueSet::Key key{value.size(), ~std::uint64_t{value.size()}};
  for (std::size_t at = 0; at < value.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, value.data() + at, std::min(sizeof word, value.size() - at));
    key.low = (key.low ^ word) * 0x9E3779B97F4A7C15U;
    key.low ^= key.low >> 32;
    key.high = (key.high + word) * 0xD6E8FEB86659FD93U;
    key.high ^= key.high >> 29;
  }
  key.high |= kHashed;
  return key;
}

/// A leaf that is the key of a MAP: the first child of the repeated group that is the only child of a group
/// annotated so (LogicalTypes.md#maps).
bool is_map_key(const Schema& schema, std::uint32_t index) {
  const Nodes& nodes = schema.nodes();
  const Node& key = nodes[index];
  const Node& entry = nodes[key.parent];
  const Node& map = nodes[entry.parent];
  return key.is_leaf && key.repetition != FieldRepetitionType::REPEATED && index == key.parent + 1 &&
         entry.repetition == FieldRepetitionType::REPEATED && key.parent == entry.parent + 1 &&
         entry.end == map.end && entry.depth > 1 && map.logical.kind == LogicalKind::MAP &&
         !map.logical.is_conflict && map.repetition != FieldRepetitionType::REPEATED;
}

}  // namespace

ValueSet::Key ValueSet::key_of(std::span<const std::uint8_t> value) noexcept {
  Key key;
  if (value.size() <= kExact) {
    std::uint8_t bytes[kExact + 1] = {};
    std::copy(value.begin(), value.end(), bytes);
    bytes[kExact] = static_cast<std::uint8_t>(value.size());
    std::memcpy(&key, bytes, sizeof bytes);
  } else {
    key = hash(value);
  }
  return key;
}

std::optional<std::span<const std::uint8_t>> ValueSet::value_of(const Key& key) noexcept {
  if ((key.high & kHashed) != 0) return std::nullopt;
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&key);
  return std::span<const std::uint8_t>(bytes, bytes[kExact]);
}

ValueSet::Slot& ValueSet::slot_of(const Key& key) noexcept {
  const std::size_t mask = slots_.size() - 1;
  std::uint64_t mixed = (key.low ^ key.high * 0x9E3779B97F4A7C15U) * 0xD6E8FEB86659FD93U;
  mixed ^= mixed >> 32;
  std::size_t at = static_cast<std::size_t>(mixed) & mask;
  while (slots_[at].round == round_ && !(slots_[at].key == key)) at = (at + 1) & mask;
  return slots_[at];
}

void ValueSet::grow() {
  std::vector<Slot> old(2 * slots_.size());
  std::swap(old, slots_);
  for (const Slot& slot : old) {
    if (slot.round == round_) slot_of(slot.key) = slot;
  }
}

bool ValueSet::add(const Key& key) {
  Slot* slot = &slot_of(key);
  if (slot->round == round_) return false;
  if (count_ == kMost) return true;
  if (2 * (count_ + 1) > slots_.size()) {
    grow();
    slot = &slot_of(key);
  }
  *slot = {key, round_};
  ++count_;
  return true;
}

ChunkObserver::Wants MapKeys::open(ChunkScope& scope, DictionaryUse&) {
  scope_ = &scope;
  const Schema& schema = scope.context.facts.schema;
  if (!scope.judge.wants(Rule::logical_type_map_duplicate_keys) ||
      !is_map_key(schema, schema.leaf_index(scope.claim.leaf)))
    return {};
  keys_.clear();
  entries_.clear();
  pending_ = unknown_ = false;
  next_page_ = -1;
  return {.dictionary = true, .levels = true, .values = true, .pages = true, .end = false};
}

void MapKeys::dictionary(const ValueSection& section, const ValueBatch& batch) {
  if (section.spec.count > kMostEntries) return;
  for (std::uint64_t i = 0; i < batch.count; ++i)
    entries_.push_back(ValueSet::key_of(bytes_of(batch, i, scope_->width())));
}

void MapKeys::begin_page(const Page& page) {
  unknown_ = unknown_ || (next_page_ >= 0 && page.ordinal() != next_page_);  // a page between them is lost
  next_page_ = page.ordinal() + 1;
  pieces_.clear();
  starts_.clear();
  piece_ = start_ = 0;
  used_ = ordinal_ = times_ = 0;
}

void MapKeys::add_piece(Piece::Kind kind, std::uint64_t keys) {
  if (keys == 0) return;
  if (!pieces_.empty() && pieces_.back().kind == kind) {
    pieces_.back().keys += keys;
  } else {
    pieces_.push_back({keys, kind});
  }
}

void MapKeys::levels(const Page&, const LevelBatch& batch) {
  const std::uint32_t repeats = scope_->leaf.max_repetition;
  const std::uint32_t there = scope_->leaf.max_definition;
  if (batch.repetition == nullptr && batch.definition == nullptr) {
    const bool starts = batch.run_repetition < repeats;
    pending_ = pending_ || starts;
    if (batch.run_definition != there) return;
    const std::uint64_t first = std::exchange(pending_, false) && !starts ? 1 : 0;
    add_piece(Piece::Kind::all_start, first);
    add_piece(starts ? Piece::Kind::all_start : Piece::Kind::none_starts, batch.count - first);
    return;
  }
  const std::size_t before = starts_.size();
  for (std::uint64_t i = 0; i < batch.count; ++i) {
    pending_ = pending_ || batch.repetition_at(i) < repeats;
    if (batch.definition_at(i) == there) starts_.push_back(std::exchange(pending_, false));
  }
  add_piece(Piece::Kind::by_bits, starts_.size() - before);
}

void MapKeys::values(const ValueSection& section, const ValueBatch& batch) {
  for (std::uint64_t done = 0; done < batch.count && piece_ < pieces_.size();) {
    const Piece& piece = pieces_[piece_];
    const std::uint64_t count = std::min(batch.count - done, piece.keys - used_);
    take(section, batch, done, count, piece.kind);
    done += count;
    used_ += count;
    if (used_ != piece.keys) continue;
    used_ = 0;
    ++piece_;
  }
}

void MapKeys::take(const ValueSection& section, const ValueBatch& batch, std::uint64_t from,
                   std::uint64_t count, Piece::Kind kind) {
  using Form = ValueBatch::Form;
  const bool alike = batch.form == Form::index_run || batch.form == Form::boolean_run;
  if (alike && kind == Piece::Kind::all_start) {
    key(section, batch, from, true);
    ordinal_ += count - 1;
  } else if (alike && kind == Piece::Kind::none_starts) {
    key(section, batch, from, false);
    if (count > 1) key(section, batch, from + 1, false, count - 1);
  } else if (kind == Piece::Kind::by_bits) {
    for (std::uint64_t i = from; i < from + count; ++i) key(section, batch, i, starts_[start_++]);
  } else {
    for (std::uint64_t i = from; i < from + count; ++i)
      key(section, batch, i, kind == Piece::Kind::all_start);
  }
}

/// False where the entry of a dictionary could not be read.
bool MapKeys::is_known(const ValueBatch& batch, std::uint64_t i) const noexcept {
  if (batch.form == ValueBatch::Form::indices) return batch.indices[i] < entries_.size();
  return batch.form != ValueBatch::Form::index_run || batch.run < entries_.size();
}

ValueSet::Key MapKeys::key_at(const ValueBatch& batch, std::uint64_t i) const noexcept {
  switch (batch.form) {
    case ValueBatch::Form::indices:
      return entries_[batch.indices[i]];
    case ValueBatch::Form::index_run:
      return entries_[batch.run];
    case ValueBatch::Form::boolean_run: {
      const auto value = static_cast<std::uint8_t>(batch.run);
      return ValueSet::key_of({&value, 1});
    }
    default:
      return ValueSet::key_of(bytes_of(batch, i, scope_->width()));
  }
}

void MapKeys::key(const ValueSection& section, const ValueBatch& batch, std::uint64_t i, bool starts,
                  std::uint64_t count) {
  const std::uint64_t ordinal = ordinal_;
  ordinal_ += count;
  if (starts) {
    keys_.clear();
    unknown_ = false;
  }
  if (unknown_ || !is_known(batch, i) || keys_.add(key_at(batch, i))) return;
  if (times_ == 0) {
    first_at_ = section.place_of(batch, i);
    first_ = contrast(text_of_key(batch, i), "each key once", std::to_string(ordinal));
  }
  times_ += count;
}

std::string MapKeys::text_of_key(const ValueBatch& batch, std::uint64_t i) const {
  std::span<const std::uint8_t> value = bytes_of(batch, i, scope_->width());
  const ValueSet::Key key = key_at(batch, i);
  if (value.data() == nullptr) {
    const std::optional<std::span<const std::uint8_t>> kept = ValueSet::value_of(key);
    if (!kept) return "a long entry of the dictionary";
    value = *kept;
  }
  return short_text(value, scope_->leaf);
}

void MapKeys::end_page(const PageEnd& end) {
  unknown_ = unknown_ || !end.levels_known || !end.values_known;
  if (times_ == 0 || !end.values_known) return;
  scope_->judge.in_page(Rule::logical_type_map_duplicate_keys, end.page.place, first_at_, end.page.offset,
                        std::move(first_), times_);
}

}  // namespace parqproof
