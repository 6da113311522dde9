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

/// Values of one type that were met since the set was emptied, up to a ceiling. Values of up to 15 bytes are
/// told apart for certain, longer ones by 127 bits of hash.
class ValueSet {
 public:
  /// So many values are kept; further ones are not.
  static constexpr std::size_t kMost = std::size_t{1} << 22;

  struct Key {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    friend bool operator==(const Key&, const Key&) = default;
  };
  [[nodiscard]] static Key key_of(std::span<const std::uint8_t> value) noexcept;
  /// A number of which each bit depends on many of the key.
  [[nodiscard]] static std::size_t mixed(const Key& key) noexcept;
  /// The value, for as long as its key is there; nothing where it is too long to be kept.
  [[nodiscard]] static std::optional<std::span<const std::uint8_t>> value_of(const Key& key) noexcept;

  /// Takes no more time for a large set than for a small one.
  void clear() noexcept { numbers_.clear(), keys_.clear(); }
  /// Whether the value is new.
  bool add(const Key& key);

 private:
  std::vector<Key> keys_;
  NumberTable numbers_;  // of them, by their order
};

/// Bits one behind the other.
class BitList {
 public:
  void clear() noexcept { words_.clear(), size_ = 0; }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] bool operator[](std::uint64_t i) const noexcept {
    return (words_[static_cast<std::size_t>(i / kWord)] >> i % kWord & 1) != 0;
  }
  /// Appends bits that are each given as a byte, 0 or 1.
  void append(std::span<const std::uint8_t> bits);

 private:
  static constexpr std::uint64_t kWord = 64;

  std::vector<std::uint64_t> words_;
  std::uint64_t size_ = 0;
};

/// Keys of the map so far, by the entries of the dictionary that they refer to: entries that differ.
class EntrySet {
 public:
  /// Nothing was met of a dictionary with so many entries.
  void open(std::size_t entries);
  void close() noexcept { rounds_.clear(), entries_.clear(); }
  [[nodiscard]] bool is_open() const noexcept { return !rounds_.empty(); }
  void clear() noexcept;
  /// Whether the entry is new.
  bool add(std::uint32_t entry);
  /// Keys of which those with a bit in `starts`, from `start` on, begin a map: calls `again(i)` for each that
  /// its map has already.
  template <typename Again>
  void add(std::span<const std::uint32_t> keys, const BitList& starts, std::uint64_t start, Again&& again);
  /// The entries, some perhaps twice.
  [[nodiscard]] std::span<const std::uint32_t> entries() const noexcept { return entries_; }

 private:
  void make_room();

  std::vector<std::uint32_t> rounds_;   // of each entry of the dictionary: when it was last met
  std::vector<std::uint32_t> entries_;  // met in this round
  std::uint32_t round_ = 1;
};

/// logical-type/map-duplicate-keys: no key of a MAP stands twice in one map. It looks at leaves that are the
/// key of a MAP in its standard shape; keys that are groups are not judged. Floating-point keys are the same
/// if their bits are.
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
  /// Keys that follow each other in a page: with each a map begins, with none, or `starts_` tells.
  struct Piece {
    enum class Kind : std::uint8_t { all_start, none_starts, by_bits };
    std::uint64_t keys = 0;
    Kind kind = Kind::by_bits;
  };

  void add_piece(Piece::Kind kind, std::uint64_t keys);
  /// Keys `from` to `from + count` of a batch, which are of one piece.
  void take(const ValueSection& section, const ValueBatch& batch, std::uint64_t from, std::uint64_t count,
            Piece::Kind kind);
  /// The next key, or `count` alike of which none begins a map.
  void key(const ValueSection& section, const ValueBatch& batch, std::uint64_t i, bool starts,
           std::uint64_t count = 1);
  /// Indices of which bits of `starts_` tell whether they begin a map.
  void indices(const ValueSection& section, const ValueBatch& batch, std::uint64_t from, std::uint64_t count);
  [[nodiscard]] bool is_new(const ValueBatch& batch, std::uint64_t i);
  /// A key that its map has already.
  void again(const ValueSection& section, const ValueBatch& batch, std::uint64_t i, std::uint64_t ordinal,
             std::uint64_t count);
  [[nodiscard]] std::string text_of_key(const ValueBatch& batch, std::uint64_t i) const;
  [[nodiscard]] bool is_known(const ValueBatch& batch, std::uint64_t i) const noexcept;
  [[nodiscard]] ValueSet::Key key_at(const ValueBatch& batch, std::uint64_t i) const noexcept;

  const ChunkScope* scope_ = nullptr;
  ValueSet keys_;  // of the map so far, if is_by_value_
  EntrySet met_;   // else; open where all entries of the dictionary are known, and differ
  bool is_by_value_ = false;
  std::vector<ValueSet::Key> entries_;
  std::vector<Piece> pieces_;  // of the page
  BitList starts_;             // of the page
  std::size_t piece_ = 0;      // that the next key is in
  std::uint64_t used_ = 0;     // keys of it
  std::uint64_t start_ = 0;    // the next bit of starts_
  bool pending_ = false;       // a map has begun since the last key
  bool unknown_ = false;       // the map so far is not known
  std::int32_t next_page_ = -1;
  std::uint64_t ordinal_ = 0;  // of the next key in the page
  std::uint64_t times_ = 0;    // keys of the page that their map has already
  View first_at_;              // of these
  Contrast first_;
};

}  // namespace parqproof
