#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/observers/chunk_observer.hpp"
#include "conformance/observers/number_table.hpp"

namespace parqproof {

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
  [[nodiscard]] static Key key_of(std::span<const std::uint8_t> value) noexcept;
  /// Returns a hash of the key.
  [[nodiscard]] static std::size_t mixed(const Key& key) noexcept;
  /// Returns the value, valid as long as the key; nullopt if only its hash was kept.
  [[nodiscard]] static std::optional<std::span<const std::uint8_t>> value_of(const Key& key) noexcept;

  /// Takes constant time.
  void clear() noexcept { numbers_.clear(), keys_.clear(); }
  /// Returns true if the value is new.
  bool add(const Key& key);

 private:
  std::vector<Key> keys_;
  NumberTable numbers_;  // indices into keys_
};

/// A sequence of bits.
class BitList {
 public:
  void clear() noexcept { words_.clear(), size_ = 0; }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] bool operator[](std::uint64_t i) const noexcept {
    return (words_[static_cast<std::size_t>(i / kWord)] >> i % kWord & 1) != 0;
  }
  /// Appends bits, each given as a byte of 0 or 1.
  void append(std::span<const std::uint8_t> bits);

 private:
  static constexpr std::uint64_t kWord = 64;

  std::vector<std::uint64_t> words_;
  std::uint64_t size_ = 0;
};

/// The keys of the current map as indices into a dictionary of distinct entries.
class EntrySet {
 public:
  /// Starts an empty set for a dictionary of `entries` entries.
  void open(std::size_t entries);
  void close() noexcept { rounds_.clear(), entries_.clear(); }
  [[nodiscard]] bool is_open() const noexcept { return !rounds_.empty(); }
  void clear() noexcept;
  /// Returns true if the entry is new.
  bool add(std::uint32_t entry);
  /// Adds keys. Key i begins a map if bit `start + i` of `starts` is set. Calls `again(i)` for each duplicate
  /// key of a map.
  template <typename Again>
  void add(std::span<const std::uint32_t> keys, const BitList& starts, std::uint64_t start, Again&& again);
  /// Entries of the current map, possibly with duplicates.
  [[nodiscard]] std::span<const std::uint32_t> entries() const noexcept { return entries_; }

 private:
  void make_room();

  std::vector<std::uint32_t> rounds_;   // for each dictionary entry, the round that last added it
  std::vector<std::uint32_t> entries_;  // added in the current round
  std::uint32_t round_ = 1;
};

/// logical-type/map-duplicate-keys: the keys of a map are distinct. Only leaves that are the key of a MAP in
/// its standard shape are judged, not groups. Floating-point keys are equal if their bits are equal.
class MapKeys final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage& use) override;
  void dictionary(const ValueSection& section, const ValueBatch& batch) override;
  void end_dictionary(const ValueSection& section) override;
  void begin_page(const Page& page) override;
  void levels(const Page& page, const LevelBatch& batch) override;
  void values(const ValueSection& section, const ValueBatch& batch) override;
  void end_page(const PageEnd& end) override;

 private:
  /// Consecutive keys of a page: each one begins a map, none does, or `starts_` has a bit for each.
  struct Piece {
    enum class Kind : std::uint8_t { all_start, none_starts, by_bits };
    std::uint64_t keys = 0;
    Kind kind = Kind::by_bits;
  };

  void add_piece(Piece::Kind kind, std::uint64_t keys);
  /// Adds the keys [from, from + count) of a batch, all of one piece.
  void take(const ValueSection& section, const ValueBatch& batch, std::uint64_t from, std::uint64_t count,
            Piece::Kind kind);
  /// Adds the next key, or `count` equal keys of which only the first may begin a map.
  void key(const ValueSection& section, const ValueBatch& batch, std::uint64_t i, bool starts,
           std::uint64_t count = 1);
  /// Adds dictionary indices whose bits in `starts_` mark the beginnings of maps.
  void indices(const ValueSection& section, const ValueBatch& batch, std::uint64_t from, std::uint64_t count);
  [[nodiscard]] bool is_new(const ValueBatch& batch, std::uint64_t i);
  /// Counts a duplicate key.
  void again(const ValueSection& section, const ValueBatch& batch, std::uint64_t i, std::uint64_t ordinal,
             std::uint64_t count);
  [[nodiscard]] FindingValue shown_key(const ValueBatch& batch, std::uint64_t i) const;
  [[nodiscard]] bool is_known(const ValueBatch& batch, std::uint64_t i) const noexcept;
  [[nodiscard]] ValueSet::Key key_at(const ValueBatch& batch, std::uint64_t i) const noexcept;

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

}  // namespace parqproof
