#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codec/schema/value_text.hpp"
#include "conformance/observers/number_table.hpp"
#include "conformance/values/value_judges.hpp"
#include "conformance/values/value_observers.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kExact = 15;  // max size of a value that is stored in a key, followed by its size
constexpr std::uint64_t kHashed = std::uint64_t{1} << 63;  // marks a hash; no stored size sets this bit

/// A set of values of one type with a maximum size. Values of up to 15 bytes are compared exactly, longer
/// ones by 127 bits of hash.
class ValueSet {
 public:
  /// Max number of values; further ones are not added.
  static constexpr std::size_t kMost = std::size_t{1} << 22;

  struct Key {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    friend bool operator==(const Key&, const Key&) = default;
  };

  [[nodiscard]] static Key key_of(std::span<const std::uint8_t> value) noexcept {
    if (value.size() > kExact) return hash_of(value);
    Key key;
    std::uint8_t bytes[kExact + 1] = {};
    std::copy(value.begin(), value.end(), bytes);
    bytes[kExact] = static_cast<std::uint8_t>(value.size());
    std::memcpy(&key, bytes, sizeof bytes);
    return key;
  }

  /// Returns a hash of the key.
  [[nodiscard]] static std::size_t mixed(const Key& key) noexcept {
    const std::uint64_t mixed = (key.low ^ key.high * 0x9E3779B97F4A7C15U) * 0xD6E8FEB86659FD93U;
    return static_cast<std::size_t>(mixed ^ mixed >> 32);
  }

  /// Returns the value, valid as long as the key; nullopt if only its hash was kept.
  [[nodiscard]] static std::optional<std::span<const std::uint8_t>> value_of(const Key& key) noexcept {
    if ((key.high & kHashed) != 0) return std::nullopt;
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&key);
    return std::span<const std::uint8_t>(bytes, bytes[kExact]);
  }

  /// Takes constant time.
  void clear() noexcept { numbers_.clear(), keys_.clear(); }

  /// Returns true if the value is new.
  bool add(const Key& key) {
    const auto is_key = [&](std::size_t number) { return keys_[number] == key; };
    if (keys_.size() == kMost) return !numbers_.contains(mixed(key), is_key);
    if (!numbers_.add(mixed(key), is_key, [this](std::size_t number) { return mixed(keys_[number]); }))
      return false;
    keys_.push_back(key);
    return true;
  }

 private:
  /// Two multiplicative hashes of the bytes, eight bytes at a time.
  [[nodiscard]] static Key hash_of(std::span<const std::uint8_t> value) noexcept {
    Key key{value.size(), ~std::uint64_t{value.size()}};
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

  std::vector<Key> keys_;
  NumberTable numbers_;  // indices into keys_
};

bool all_differ(std::span<const ValueSet::Key> keys) {
  NumberTable numbers;
  numbers.reserve(keys.size());
  return std::ranges::all_of(keys, [&](const ValueSet::Key& key) {
    return numbers.add(
        ValueSet::mixed(key), [&](std::size_t number) { return keys[number] == key; },
        [&](std::size_t number) { return ValueSet::mixed(keys[number]); });
  });
}

/// Returns true if the leaf is the key of a MAP: the first child of the repeated group that is the only child
/// of a group annotated as MAP (LogicalTypes.md#maps).
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

/// A sequence of bits.
class BitList {
 public:
  void clear() noexcept { words_.clear(), size_ = 0; }
  [[nodiscard]] bool operator[](std::uint64_t i) const noexcept {
    return (words_[static_cast<std::size_t>(i / kWord)] >> i % kWord & 1) != 0;
  }

  /// Appends bits, each given as a byte of 0 or 1.
  void append(std::span<const std::uint8_t> bits) {
    words_.resize(static_cast<std::size_t>((size_ + bits.size()) / kWord + 1));
    for (std::size_t at = 0; at < bits.size();) {
      const std::size_t count = std::min<std::size_t>(8, bits.size() - at);
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, bits.data() + at, count);
      const std::uint64_t packed = bytes * 0x0102040810204080U >> 56;
      const auto word = static_cast<std::size_t>(size_ / kWord);
      const unsigned shift = size_ % kWord;
      words_[word] |= packed << shift;
      if (shift > kWord - 8) words_[word + 1] |= packed >> (kWord - shift);
      size_ += count;
      at += count;
    }
  }

 private:
  static constexpr std::uint64_t kWord = 64;

  std::vector<std::uint64_t> words_;
  std::uint64_t size_ = 0;
};

/// The keys of the current map as indices into a dictionary of distinct entries.
class EntrySet {
 public:
  /// Starts an empty set for a dictionary of `entries` entries.
  void open(std::size_t entries) {
    rounds_.assign(entries, 0);
    round_ = 1;
    entries_.clear();
  }
  void close() noexcept { rounds_.clear(), entries_.clear(); }
  [[nodiscard]] bool is_open() const noexcept { return !rounds_.empty(); }

  void clear() noexcept {
    if (++round_ == 0) {  // the counter has wrapped around
      std::ranges::fill(rounds_, 0);
      round_ = 1;
    }
    entries_.clear();
  }

  /// Returns true if the entry is new.
  bool add(std::uint32_t entry) {
    if (std::exchange(rounds_[entry], round_) == round_) return false;
    entries_.push_back(entry);
    return true;
  }

  /// Adds keys. Key i begins a map if bit `start + i` of `starts` is set. Calls `again(i)` for each duplicate
  /// key of a map.
  template <typename Again>
  void add(std::span<const std::uint32_t> keys, const BitList& starts, std::uint64_t start, Again&& again) {
    if (round_ > UINT32_MAX - keys.size()) {
      std::ranges::fill(rounds_, 0);
      round_ = 1;
      for (const std::uint32_t entry : entries_) rounds_[entry] = round_;
    }
    std::uint32_t* const rounds = rounds_.data();
    std::uint32_t round = round_;
    std::size_t first = 0;  // index of the first key of the last map
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const bool starts_here = starts[start + i];
      round += starts_here ? 1 : 0;
      first = starts_here ? i : first;
      if (rounds[keys[i]] == round) again(i);
      rounds[keys[i]] = round;
    }
    if (round != round_) entries_.clear();
    round_ = round;
    make_room();
    entries_.insert(entries_.end(), keys.begin() + static_cast<std::ptrdiff_t>(first), keys.end());
  }
  /// Entries of the current map, possibly with duplicates.
  [[nodiscard]] std::span<const std::uint32_t> entries() const noexcept { return entries_; }

 private:
  /// Removes duplicates, so that at most twice the dictionary size is kept.
  void make_room() {
    if (entries_.size() < 2 * rounds_.size()) return;
    std::ranges::sort(entries_);
    const auto rest = std::ranges::unique(entries_);
    entries_.erase(rest.begin(), rest.end());
  }

  std::vector<std::uint32_t> rounds_;   // for each dictionary entry, the round that last added it
  std::vector<std::uint32_t> entries_;  // added in the current round
  std::uint32_t round_ = 1;
};

class MapKeys final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage&) override {
    scope_ = &scope;
    const Schema& schema = scope.context.footer.schema;
    if (!scope.site.wants(Rule::logical_type_map_duplicate_keys) ||
        !is_map_key(schema, schema.leaf_index(scope.claim.leaf)))
      return {};
    keys_.clear();
    met_.close();
    entries_.clear();
    is_by_value_ = false;
    pending_ = unknown_ = false;
    next_page_ = -1;
    return {.dictionary = true, .levels = true, .values = true, .pages = true};
  }

  void dictionary(const ValueSection& section, const ValueBatch& batch) override {
    if (section.spec.count > ValueSet::kMost) return;
    for (std::uint64_t i = 0; i < batch.count; ++i)
      entries_.push_back(ValueSet::key_of(bytes_of(batch, i, scope_->value_bytes())));
  }

  void end_dictionary(const ValueSection& section) override {
    if (!entries_.empty() && entries_.size() == section.spec.count && all_differ(entries_))
      met_.open(entries_.size());
  }

  void begin_page(const Page& page) override {
    unknown_ =
        unknown_ || (next_page_ >= 0 && page.ordinal() != next_page_);  // a page is missing between them
    next_page_ = page.ordinal() + 1;
    pieces_.clear();
    starts_.clear();
    piece_ = start_ = 0;
    used_ = ordinal_ = times_ = 0;
  }

  void levels(const Page&, const LevelBatch& batch) override {
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
    std::array<std::uint8_t, HybridDecoder::kBatch + 1> starts;
    std::size_t keys = 0;
    std::uint8_t pending = pending_ ? 1 : 0;
    const auto entry = [&](std::uint32_t repetition, std::uint32_t definition) {
      pending |= repetition < repeats ? 1 : 0;
      starts[keys] = pending;
      const bool stored = definition == there;
      keys += stored ? 1 : 0;
      pending = stored ? 0 : pending;
    };
    if (batch.repetition != nullptr && batch.definition != nullptr) {
      for (std::uint64_t i = 0; i < batch.count; ++i) entry(batch.repetition[i], batch.definition[i]);
    } else {
      for (std::uint64_t i = 0; i < batch.count; ++i) entry(batch.repetition_at(i), batch.definition_at(i));
    }
    pending_ = pending != 0;
    starts_.append(std::span(starts).first(keys));
    add_piece(Piece::Kind::by_bits, keys);
  }

  void values(const ValueSection& section, const ValueBatch& batch) override {
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

  void end_page(const PageEnd& end) override {
    unknown_ = unknown_ || !end.levels_known || !end.values_known;
    if (times_ == 0 || !end.values_known) return;
    report_in_page(scope_->site.findings, Rule::logical_type_map_duplicate_keys, end.page.place, first_at_,
                   end.page.offset, std::move(first_), times_);
  }

 private:
  /// Consecutive keys of a page: each one begins a map, none does, or `starts_` has a bit for each.
  struct Piece {
    enum class Kind : std::uint8_t { all_start, none_starts, by_bits };
    std::uint64_t keys = 0;
    Kind kind = Kind::by_bits;
  };

  void add_piece(Piece::Kind kind, std::uint64_t keys) {
    if (keys == 0) return;
    if (!pieces_.empty() && pieces_.back().kind == kind) {
      pieces_.back().keys += keys;
    } else {
      pieces_.push_back({keys, kind});
    }
  }

  /// Adds the keys [from, from + count) of a batch, all of one piece.
  void take(const ValueSection& section, const ValueBatch& batch, std::uint64_t from, std::uint64_t count,
            Piece::Kind kind) {
    using Form = ValueBatch::Form;
    const bool alike = batch.form == Form::index_run || batch.form == Form::boolean_run;
    if (alike && kind == Piece::Kind::all_start) {
      key(section, batch, from, true);
      ordinal_ += count - 1;
    } else if (alike && kind == Piece::Kind::none_starts) {
      key(section, batch, from, false);
      if (count > 1) key(section, batch, from + 1, false, count - 1);
    } else if (kind == Piece::Kind::by_bits && batch.form == Form::indices && met_.is_open()) {
      indices(section, batch, from, count);
    } else if (kind == Piece::Kind::by_bits) {
      for (std::uint64_t i = from; i < from + count; ++i) key(section, batch, i, starts_[start_++]);
    } else {
      for (std::uint64_t i = from; i < from + count; ++i)
        key(section, batch, i, kind == Piece::Kind::all_start);
    }
  }

  /// Adds the next key, or `count` equal keys of which only the first may begin a map.
  void key(const ValueSection& section, const ValueBatch& batch, std::uint64_t i, bool starts,
           std::uint64_t count = 1) {
    const std::uint64_t ordinal = ordinal_;
    ordinal_ += count;
    if (starts) {
      met_.clear();
      unknown_ = is_by_value_ = false;
    }
    if (!unknown_ && is_known(batch, i) && !is_new(batch, i)) again(section, batch, i, ordinal, count);
  }

  /// Adds dictionary indices whose bits in `starts_` mark the beginnings of maps.
  void indices(const ValueSection& section, const ValueBatch& batch, std::uint64_t from,
               std::uint64_t count) {
    const std::uint64_t end = from + count;
    // A map that is unknown, or that began with plain values, must end first.
    while (from != end && (unknown_ || is_by_value_)) key(section, batch, from++, starts_[start_++]);
    if (from == end) return;
    met_.add({batch.indices + from, static_cast<std::size_t>(end - from)}, starts_, start_,
             [&](std::size_t i) { again(section, batch, from + i, ordinal_ + i, 1); });
    start_ += end - from;
    ordinal_ += end - from;
  }

  [[nodiscard]] bool is_new(const ValueBatch& batch, std::uint64_t i) {
    using Form = ValueBatch::Form;
    const bool by_entry = met_.is_open() && (batch.form == Form::indices || batch.form == Form::index_run);
    if (by_entry && !is_by_value_)
      return met_.add(batch.form == Form::indices ? batch.indices[i] : batch.run);
    if (!is_by_value_) {
      is_by_value_ = true;
      keys_.clear();
      for (const std::uint32_t entry : met_.entries()) keys_.add(entries_[entry]);
    }
    return keys_.add(key_at(batch, i));
  }

  /// Counts a duplicate key.
  void again(const ValueSection& section, const ValueBatch& batch, std::uint64_t i, std::uint64_t ordinal,
             std::uint64_t count) {
    if (times_ == 0) {
      first_at_ = section.place_of(batch, i);
      first_ = contrast(shown_key(batch, i), "each key once", std::to_string(ordinal));
    }
    times_ += count;
  }

  [[nodiscard]] FindingValue shown_key(const ValueBatch& batch, std::uint64_t i) const {
    std::span<const std::uint8_t> value = bytes_of(batch, i, scope_->value_bytes());
    const ValueSet::Key key = key_at(batch, i);
    if (value.data() == nullptr) {
      const std::optional<std::span<const std::uint8_t>> kept = ValueSet::value_of(key);
      if (!kept) return "a long entry of the dictionary";
      value = *kept;
    }
    return short_value(value, scope_->leaf);
  }

  /// Returns false if the dictionary entry could not be read.
  [[nodiscard]] bool is_known(const ValueBatch& batch, std::uint64_t i) const noexcept {
    if (batch.form == ValueBatch::Form::indices) return batch.indices[i] < entries_.size();
    return batch.form != ValueBatch::Form::index_run || batch.run < entries_.size();
  }

  [[nodiscard]] ValueSet::Key key_at(const ValueBatch& batch, std::uint64_t i) const noexcept {
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
        return ValueSet::key_of(bytes_of(batch, i, scope_->value_bytes()));
    }
  }

  const ChunkScope* scope_ = nullptr;
  ValueSet keys_;  // of the current map, if is_by_value_
  EntrySet met_;   // otherwise; open if all dictionary entries are known and distinct
  bool is_by_value_ = false;
  std::vector<ValueSet::Key> entries_;
  std::vector<Piece> pieces_;  // of the page
  BitList starts_;             // of the page
  std::size_t piece_ = 0;      // the piece of the next key
  std::uint64_t used_ = 0;     // keys taken from that piece
  std::uint64_t start_ = 0;    // the next bit of starts_
  bool pending_ = false;       // a map has begun since the last key
  bool unknown_ = false;       // keys of the current map are missing
  std::int32_t next_page_ = -1;
  std::uint64_t ordinal_ = 0;  // of the next key in the page
  std::uint64_t times_ = 0;    // duplicate keys of the page
  View first_at_;              // the first duplicate
  Contrast first_;
};

}  // namespace

std::unique_ptr<ChunkObserver> map_keys() { return std::make_unique<MapKeys>(); }

}  // namespace parqproof
