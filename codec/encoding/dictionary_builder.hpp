#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/encoding/values.hpp"
#include "codec/format/enums.hpp"

namespace parqproof {

/// Builds the dictionary of a column chunk. Each value gets the index of the first value with the same bits,
/// so -0.0 and 0.0 are distinct, as are NaNs with different payloads. Needs 4 bytes of memory for each value,
/// plus the dictionary and at most 32 bytes for each of its entries.
class DictionaryBuilder {
 public:
  /// `most_bytes`: max size of the dictionary in PLAIN encoding.
  explicit DictionaryBuilder(Type type, std::uint32_t type_length = 0, std::uint64_t most_bytes = INT32_MAX);

  /// Adds values, in any form but indices, up to the first one that does not fit. Returns the number of
  /// values added.
  [[nodiscard]] std::uint64_t add(const ValueBatch& batch);

  /// Returns the index of one value, which is added if it is new, without counting it as an added value;
  /// nullopt if it does not fit. `value`: PLAIN bytes, a BYTE_ARRAY without its length prefix.
  [[nodiscard]] std::optional<std::uint32_t> index_of(std::span<const std::uint8_t> value);
  /// Raises the max size of the dictionary.
  void allow(std::uint64_t most_bytes) noexcept {
    most_bytes_ = std::max(most_bytes_, std::min<std::uint64_t>(most_bytes, INT32_MAX));
  }
  /// Forgets the indices of all added values; the dictionary stays.
  void clear_indices() noexcept { indices_.clear(); }
  /// Removes all entries but the first `count`. No value may be added after it.
  void truncate(std::uint32_t count);

  /// Sorts the dictionary and updates the indices: numbers by value (floating point by IEEE 754 totalOrder),
  /// other types by their stored bytes.
  void sort();

  /// Number of entries of the dictionary.
  [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
  /// Returns the PLAIN bytes of an entry, a BYTE_ARRAY without its length prefix, a BOOLEAN as one byte.
  /// `index` < size(); valid until the next value is added.
  [[nodiscard]] std::span<const std::uint8_t> entry(std::uint32_t index) const noexcept;
  /// Bytes of plain(), but of BOOLEAN entries, each of which counts as a byte.
  [[nodiscard]] std::uint64_t plain_bytes() const noexcept;
  /// Returns the PLAIN entries, the content of a dictionary page; entries of type BOOLEAN are bits.
  [[nodiscard]] std::vector<std::uint8_t> plain() const;
  /// Dictionary index of each added value.
  [[nodiscard]] std::span<const std::uint32_t> indices() const noexcept { return indices_; }

 private:
  /// A slot of the hash table.
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = 0;  ///< 1 for the first entry; 0: empty
  };

  [[nodiscard]] bool add_one(std::span<const std::uint8_t> value);
  [[nodiscard]] std::optional<std::uint32_t> find_or_append(std::span<const std::uint8_t> value);
  template <typename T>
  [[nodiscard]] std::optional<std::uint32_t> find_or_append_number(const std::uint8_t* at);
  template <typename T>
  [[nodiscard]] std::uint64_t add_numbers(const std::uint8_t* values, std::uint64_t count);
  template <typename Equal>
  [[nodiscard]] Slot& find(std::uint64_t hash, Equal equal) noexcept;
  [[nodiscard]] bool append(Slot& slot, std::uint64_t hash, const std::uint8_t* value, std::size_t size);
  void grow();
  [[nodiscard]] bool less(std::uint32_t a, std::uint32_t b) const noexcept;

  Type type_;
  std::uint32_t width_;  // bytes of an entry; 0: byte arrays
  std::uint64_t most_bytes_;
  std::uint32_t size_ = 0;
  std::vector<std::uint8_t> bytes_;    // bytes of the entries
  std::vector<std::uint64_t> starts_;  // beginning of each byte array in bytes_, and the end of the last one
  std::vector<Slot> slots_;            // size is a power of two, at least twice the number of entries
  std::vector<std::uint32_t> indices_;
};

}  // namespace parqproof
