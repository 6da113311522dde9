#include "codec/encoding/dictionary_builder.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/encoding/pack.hpp"
#include "codec/encoding/plain.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kFirstSlots = 256;
constexpr std::uint32_t kMaxEntries = INT32_MAX;

// Mixes the number so that each of its bits affects each bit of the hash.
std::uint64_t hash_of(std::uint64_t number) noexcept {
  number = (number ^ number >> 32) * 0x9E37'79B9'7F4A'7C15;
  number = (number ^ number >> 29) * 0xBF58'476D'1CE4'E5B9;
  return number ^ number >> 32;
}

std::uint64_t hash_of(std::span<const std::uint8_t> bytes) noexcept {
  std::uint64_t hash = bytes.size();
  while (bytes.size() >= 8) {
    hash = hash_of(hash ^ load_le<std::uint64_t>(bytes.data()));
    bytes = bytes.subspan(8);
  }
  std::uint64_t last = 0;
  if (!bytes.empty()) std::memcpy(&last, bytes.data(), bytes.size());
  return hash_of(hash ^ last);
}

template <typename T>
bool less_number(const std::uint8_t* a, const std::uint8_t* b, bool floating) noexcept {
  const T left = load_le<T>(a);
  const T right = load_le<T>(b);
  if (!floating) return left < right;
  return number_key<NumberKey::floating>(left) < number_key<NumberKey::floating>(right);
}

}  // namespace

DictionaryBuilder::DictionaryBuilder(Type type, std::uint32_t type_length, std::uint64_t most_bytes)
    : type_(type),
      width_(type == Type::BOOLEAN ? 1 : fixed_width(type, type_length)),
      most_bytes_(most_bytes),
      starts_(1),
      slots_(kFirstSlots) {}

std::span<const std::uint8_t> DictionaryBuilder::entry(std::uint32_t index) const noexcept {
  const std::span<const std::uint8_t> bytes(bytes_);
  if (type_ != Type::BYTE_ARRAY) return bytes.subspan(std::size_t{index} * width_, width_);
  return bytes.subspan(static_cast<std::size_t>(starts_[index]),
                       static_cast<std::size_t>(starts_[index + 1] - starts_[index]));
}

// Returns the slot of the equal entry, or the empty slot for a new one.
template <typename Equal>
DictionaryBuilder::Slot& DictionaryBuilder::find(std::uint64_t hash, Equal equal) noexcept {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = static_cast<std::size_t>(hash) & mask;; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (slot.number == 0) return slot;
    if (slot.hash == static_cast<std::uint32_t>(hash) && equal(slot.number - 1)) return slot;
  }
}

// Adds a new entry. Returns false if there is no room.
bool DictionaryBuilder::append(Slot& slot, std::uint64_t hash, const std::uint8_t* value, std::size_t size) {
  const bool byte_array = type_ == Type::BYTE_ARRAY;
  const std::uint64_t lengths = byte_array ? (std::uint64_t{size_} + 1) * kLengthPrefixBytes : 0;
  if (size_ == kMaxEntries || bytes_.size() + size + lengths > most_bytes_) return false;
  slot = {static_cast<std::uint32_t>(hash), ++size_};
  if (size != 0) bytes_.insert(bytes_.end(), value, value + size);
  if (byte_array) starts_.push_back(bytes_.size());
  if (std::size_t{size_} * 2 > slots_.size()) grow();
  return true;
}

void DictionaryBuilder::grow() {
  const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(slots_.size() * 2));
  // Slot positions are computed from the 32 bits of the hash that a slot keeps.
  for (const Slot& slot : before) {
    if (slot.number != 0) find(slot.hash, [](std::uint32_t) { return false; }) = slot;
  }
}

bool DictionaryBuilder::add_one(std::span<const std::uint8_t> value) {
  const std::optional<std::uint32_t> index = find_or_append(value);
  if (index) indices_.push_back(*index);
  return index.has_value();
}

std::optional<std::uint32_t> DictionaryBuilder::index_of(std::span<const std::uint8_t> value) {
  // Numbers are hashed as numbers by add().
  if (width_ == 8) return find_or_append_number<std::uint64_t>(value.data());
  if (width_ == 4) return find_or_append_number<std::uint32_t>(value.data());
  return find_or_append(value);
}

void DictionaryBuilder::truncate(std::uint32_t count) {
  if (count >= size_) return;
  size_ = count;
  if (type_ == Type::BYTE_ARRAY) starts_.resize(std::size_t{count} + 1);
  bytes_.resize(type_ == Type::BYTE_ARRAY ? static_cast<std::size_t>(starts_.back())
                                          : std::size_t{count} * width_);
}

std::uint64_t DictionaryBuilder::plain_bytes() const noexcept {
  return bytes_.size() + (type_ == Type::BYTE_ARRAY ? std::uint64_t{size_} * kLengthPrefixBytes : 0);
}

std::optional<std::uint32_t> DictionaryBuilder::find_or_append(std::span<const std::uint8_t> value) {
  const std::uint64_t hash = static_cast<std::uint32_t>(hash_of(value));
  Slot& slot = find(hash, [&](std::uint32_t index) { return std::ranges::equal(entry(index), value); });
  const std::uint32_t index = slot.number == 0 ? size_ : slot.number - 1;
  if (slot.number == 0 && !append(slot, hash, value.data(), value.size())) return std::nullopt;
  return index;
}

template <typename T>
std::optional<std::uint32_t> DictionaryBuilder::find_or_append_number(const std::uint8_t* at) {
  const T value = load_le<T>(at);
  const std::uint64_t hash = static_cast<std::uint32_t>(hash_of(std::uint64_t{value}));
  Slot& slot =
      find(hash, [&](std::uint32_t index) { return load_le<T>(&bytes_[index * sizeof(T)]) == value; });
  const std::uint32_t index = slot.number == 0 ? size_ : slot.number - 1;
  if (slot.number == 0 && !append(slot, hash, at, sizeof(T))) return std::nullopt;
  return index;
}

template <typename T>
std::uint64_t DictionaryBuilder::add_numbers(const std::uint8_t* values, std::uint64_t count) {
  const std::size_t before = indices_.size();
  indices_.resize(before + static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    const std::optional<std::uint32_t> index = find_or_append_number<T>(values + i * sizeof(T));
    if (!index) {
      indices_.resize(before + i);
      return i;
    }
    indices_[before + i] = *index;
  }
  return count;
}

std::uint64_t DictionaryBuilder::add(const ValueBatch& batch) {
  using Form = ValueBatch::Form;
  if (batch.form == Form::fixed && width_ == 4) {
    return add_numbers<std::uint32_t>(batch.fixed, batch.count);
  }
  if (batch.form == Form::fixed && width_ == 8) return add_numbers<std::uint64_t>(batch.fixed, batch.count);
  for (std::uint64_t i = 0; i < batch.count; ++i) {
    bool added = false;
    if (batch.form == Form::fixed) {
      added = add_one({batch.fixed + i * width_, width_});
    } else if (batch.form == Form::byte_arrays) {
      added = add_one({batch.byte_arrays[i].data, batch.byte_arrays[i].size});
    } else {
      const std::uint8_t bit = (batch.form == Form::booleans ? batch.booleans[i] : batch.run) != 0 ? 1 : 0;
      added = add_one({&bit, 1});
    }
    if (!added) return i;
  }
  return batch.count;
}

bool DictionaryBuilder::less(std::uint32_t a, std::uint32_t b) const noexcept {
  const bool floating = type_ == Type::FLOAT || type_ == Type::DOUBLE;
  const auto left = entry(a);
  const auto right = entry(b);
  if (type_ == Type::INT32 || type_ == Type::FLOAT)
    return less_number<std::int32_t>(left.data(), right.data(), floating);
  if (type_ == Type::INT64 || type_ == Type::DOUBLE)
    return less_number<std::int64_t>(left.data(), right.data(), floating);
  return std::ranges::lexicographical_compare(left, right);
}

void DictionaryBuilder::sort() {
  std::vector<std::uint32_t> order(size_);  // previous number of each entry
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [this](std::uint32_t a, std::uint32_t b) { return less(a, b); });
  std::vector<std::uint32_t> places(size_);
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint64_t> starts(1);
  bytes.reserve(bytes_.size());
  for (std::uint32_t i = 0; i < size_; ++i) {
    const auto moved = entry(order[i]);
    bytes.insert(bytes.end(), moved.begin(), moved.end());
    if (type_ == Type::BYTE_ARRAY) starts.push_back(bytes.size());
    places[order[i]] = i;
  }
  bytes_ = std::move(bytes);
  starts_ = std::move(starts);
  for (std::uint32_t& index : indices_) index = places[index];
  for (Slot& slot : slots_) {
    if (slot.number != 0) slot.number = places[slot.number - 1] + 1;
  }
}

std::vector<std::uint8_t> DictionaryBuilder::plain() const {
  if (type_ == Type::BOOLEAN) {
    std::vector<std::uint32_t> bits(bytes_.begin(), bytes_.end());
    std::vector<std::uint8_t> out;
    append_packed(out, std::span<const std::uint32_t>(bits), 1, bits.size(), 0);
    return out;
  }
  if (type_ != Type::BYTE_ARRAY) return bytes_;
  std::vector<std::uint8_t> out;
  out.reserve(bytes_.size() + std::size_t{size_} * kLengthPrefixBytes);
  for (std::uint32_t i = 0; i < size_; ++i) {
    const auto value = entry(i);
    append_le(out, value.size(), kLengthPrefixBytes);
    out.insert(out.end(), value.begin(), value.end());
  }
  return out;
}

}  // namespace parqproof
