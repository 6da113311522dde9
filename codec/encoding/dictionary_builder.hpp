#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codec/encoding/values.hpp"
#include "codec/format/enums.hpp"

namespace parqproof {

/// Builds the dictionary of a column chunk: gives each value the index of the first one that has the same
/// bits, so that -0.0 and 0.0 are two values, as are NaNs of different payloads. Memory is 4 bytes for each
/// value, and the dictionary with at most 32 bytes beside each of its entries.
class DictionaryBuilder {
 public:
  /// The PLAIN values of the dictionary take at most `most_bytes` bytes.
  explicit DictionaryBuilder(Type type, std::uint32_t type_length = 0, std::uint64_t most_bytes = INT32_MAX);

  /// Adds values, in any form that is not of indices, up to the first for which there is no room. How many
  /// have been added.
  [[nodiscard]] std::uint64_t add(const ValueBatch& batch);

  /// Sorts the dictionary, and changes the indices with it: numbers by value (floating point by totalOrder of
  /// IEEE 754), all else by their bytes as they are stored.
  void sort();

  /// Entries of the dictionary.
  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
  /// The entries in PLAIN, as they stand in a dictionary page; those of BOOLEAN are bits.
  [[nodiscard]] std::vector<std::uint8_t> plain() const;
  /// The index of each value.
  [[nodiscard]] std::span<const std::uint32_t> indices() const noexcept { return indices_; }

 private:
  /// Where an entry may stand in the table of hashes.
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = 0;  ///< 1 for the first entry; 0: empty
  };

  [[nodiscard]] std::span<const std::uint8_t> entry(std::uint32_t index) const noexcept;
  [[nodiscard]] bool add_one(std::span<const std::uint8_t> value);
  template <typename T>
  [[nodiscard]] std::uint64_t add_numbers(const std::uint8_t* values, std::uint64_t count);
  template <typename Equal>
  [[nodiscard]] Slot& find(std::uint64_t hash, Equal equal) noexcept;
  [[nodiscard]] bool append(Slot& slot, std::uint64_t hash, const std::uint8_t* value, std::size_t size);
  void grow();
  [[nodiscard]] bool less(std::uint32_t a, std::uint32_t b) const noexcept;

  Type type_;
  std::uint32_t width_;  // of an entry; 0: byte arrays
  std::uint64_t most_bytes_;
  std::uint32_t size_ = 0;
  std::vector<std::uint8_t> bytes_;    // of the entries
  std::vector<std::uint64_t> starts_;  // of byte arrays among them, and behind the last
  std::vector<Slot> slots_;            // a power of two, at least twice as many as entries
  std::vector<std::uint32_t> indices_;
};

}  // namespace parqproof
