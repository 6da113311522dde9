#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codec/schema/schema.hpp"
#include "conformance/rewrite/scrub/scrub_text.hpp"

namespace parqproof {

/// Numbers with others of the same order. Numbers of one group and bucket are replaced by their ranks in it.
class NumberMap {
 public:
  struct Key {
    std::uint8_t group = 0;  ///< numbers of different groups are not compared
    std::uint64_t number = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  /// Numbers of the bucket of a number: those of as many bits, or with the same exponent.
  enum class Buckets : std::uint8_t { bits, float16, float32, float64 };
  /// `top`: numbers of these groups (a bit each) get the last ranks of their bucket, others the first.
  NumberMap(Buckets buckets, unsigned top) noexcept : buckets_(buckets), top_(top) {}

  void collect(Key key) { keys_.push_back(key); }
  void finish();
  /// The number itself if it was not collected.
  [[nodiscard]] std::uint64_t of(Key key) const;
  [[nodiscard]] std::uint64_t memory() const noexcept { return keys_.size() * 2 * sizeof(Key); }

 private:
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> bucket(std::uint64_t number) const noexcept;
  void rank(std::size_t from, std::size_t end);

  Buckets buckets_;
  unsigned top_;
  std::vector<Key> keys_;  // sorted by finish()
  std::vector<std::uint64_t> fresh_;
};

/// Byte strings with others of the same length, order and common prefixes.
class BytesMap {
 public:
  struct Key {
    std::string bytes;
    std::vector<OtherBytes> ranges;
    bool at_top = false;  ///< the last bytes of each range, not the first ones
    bool is_number = false;
  };
  void collect(Key key) {
    memory_ += key.bytes.size() * 4 + sizeof(Key);
    keys_.push_back(std::move(key));
  }
  void finish();
  /// Null if the bytes were not collected.
  [[nodiscard]] const std::string* of(const std::string& bytes) const;
  [[nodiscard]] std::uint64_t memory() const noexcept { return memory_; }
  [[nodiscard]] std::size_t size() const noexcept { return keys_.size(); }
  [[nodiscard]] std::vector<Key>& keys() noexcept { return keys_; }

 private:
  void rank(std::size_t from, std::size_t end, std::size_t depth, std::vector<std::size_t>& groups);

  std::vector<Key> keys_;  // sorted by finish()
  std::vector<std::string> fresh_;
  std::uint64_t memory_ = 0;
};

/// The values of a leaf with those that replace them: of the same length and order, equal where they were.
/// Booleans, zeros, NaN and infinities stay. Values within the range of their type stay within it, and others
/// stay outside.
class ValueMap {
 public:
  explicit ValueMap(const Node& leaf);

  /// Collects a value: its PLAIN bytes, without length prefix.
  void collect(std::span<const std::uint8_t> value);
  void finish();
  /// Replaces a value that was collected.
  void replace(std::span<std::uint8_t> value) const;
  /// The same of a bound, which can have another length than the values, or a length prefix.
  void collect_bound(std::span<const std::uint8_t> bound);
  void replace_bound(std::span<std::uint8_t> bound) const;
  [[nodiscard]] std::uint64_t memory() const noexcept { return numbers_.memory() + bytes_.memory(); }
  /// Bytes of a value; 0: any.
  [[nodiscard]] std::size_t width() const noexcept { return width_; }

 private:
  enum class Kind : std::uint8_t {
    none,
    signed_int,
    unsigned_int,
    floating,
    int96,
    interval,
    decimal,
    bytes
  };

  template <typename Call>
  void for_each_number(std::span<const std::uint8_t> value, Call&& call) const;
  [[nodiscard]] NumberMap::Key key_of(std::uint64_t bits) const noexcept;
  [[nodiscard]] std::uint64_t bits_of(NumberMap::Key key, std::uint64_t fresh) const noexcept;
  [[nodiscard]] bool is_special(std::uint64_t bits) const noexcept;
  [[nodiscard]] bool is_beyond(std::string_view number) const;
  [[nodiscard]] BytesMap::Key decimal_key(std::span<const std::uint8_t> value) const;

  Kind kind_ = Kind::none;
  std::size_t width_ = 0;
  unsigned number_bits_ = 0;  // of an integer, or of a float with its exponent and mantissa
  unsigned mantissa_ = 0;
  std::uint64_t limit_ = UINT64_MAX;  // magnitudes from here on are out of range
  std::string decimal_limit_;         // the same, big-endian
  TextForm form_ = TextForm::binary;
  bool is_any_text_ = false;  // bytes without annotation
  std::size_t longest_ = 0;   // bytes of a DECIMAL
  NumberMap numbers_;
  BytesMap bytes_;
};

}  // namespace parqproof
