#include "codec/encoding/min_max.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "codec/base/bits.hpp"

namespace parqproof {
namespace {

bool is_bytes(Order order) noexcept {
  return order == Order::unsigned_bytes || order == Order::decimal_bytes || order == Order::int96;
}

/// The bits of infinity in a floating-point number of the size of T: what is above it is no number.
template <typename T>
inline constexpr T kInfinity = sizeof(T) == 2   ? static_cast<T>(0x7C00)
                               : sizeof(T) == 4 ? static_cast<T>(0x7F800000)
                                                : static_cast<T>(0x7FF0000000000000);

template <typename T>
KeyRange<T> key_range(const std::uint8_t* values, std::size_t count, NumberKey key) noexcept {
  if constexpr (sizeof(T) == 8) {
    return kernels().key_range64(values, count, key);
  } else if constexpr (sizeof(T) == 4) {
    return kernels().key_range32(values, count, key);
  } else {
    KeyRange<T> range;
    for (std::size_t i = 0; i < count; ++i) {
      const T value = number_key<NumberKey::floating>(load_le<T>(values + i * sizeof(T)));
      range = {std::min(range.min, value), std::max(range.max, value)};
    }
    return range;
  }
}

/// Bytes of a value that its prefix holds, above its length, which is cut at one more.
constexpr std::uint32_t kPrefixBytes = 7;

std::uint64_t big_endian(const std::uint8_t* data) noexcept {
  return __builtin_bswap64(load_le<std::uint64_t>(data));
}

}  // namespace

MinMax::MinMax(Order order, Type type, std::uint32_t width) noexcept : order_(order), width_(width) {
  if (is_floating(order)) key_ = NumberKey::floating;
  if (order == Order::unsigned_int) key_ = NumberKey::unsigned_int;
  prefixed_ =
      order == Order::unsigned_bytes || (order == Order::decimal_bytes && type == Type::FIXED_LEN_BYTE_ARRAY);
}

void MinMax::add(const ValueBatch& batch) {
  if (order_ == Order::none || batch.count == 0) return;
  switch (batch.form) {
    case ValueBatch::Form::fixed:
      add_fixed(batch);
      break;
    case ValueBatch::Form::byte_arrays:
      add_bytes(batch.byte_arrays, static_cast<std::size_t>(batch.count), batch.readable);
      break;
    case ValueBatch::Form::booleans: {
      const auto [low, high] = std::minmax_element(batch.booleans, batch.booleans + batch.count);
      numbers_.add(*low, *high);
      break;
    }
    case ValueBatch::Form::boolean_run:
      numbers_.add(batch.run, batch.run);
      break;
    case ValueBatch::Form::indices:
    case ValueBatch::Form::index_run:
      break;
  }
}

void MinMax::add(const MinMax& other) {
  if (other.numbers_.any()) numbers_.add(other.numbers_.min, other.numbers_.max);
  if (other.nans_.any()) nans_.add(other.nans_.min, other.nans_.max);
  nan_count_ += other.nan_count_;
  if (!other.bytes_.any) return;
  const std::array<ByteArray, 2> ends{{
      {other.bytes_.min.data(), static_cast<std::uint32_t>(other.bytes_.min.size())},
      {other.bytes_.max.data(), static_cast<std::uint32_t>(other.bytes_.max.size())},
  }};
  add_bytes(ends.data(), ends.size(), nullptr);
}

void MinMax::add_fixed(const ValueBatch& batch) {
  if (!is_bytes(order_)) {
    if (width_ == 8) return add_numbers<std::int64_t>(batch.fixed, batch.count);
    if (width_ == 4) return add_numbers<std::int32_t>(batch.fixed, batch.count);
    if (width_ == 2) return add_numbers<std::int16_t>(batch.fixed, batch.count);
    return;
  }
  std::array<ByteArray, 256> windows;
  for (std::uint64_t done = 0; done < batch.count;) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(batch.count - done, windows.size()));
    for (std::size_t i = 0; i < count; ++i) windows[i] = {batch.fixed + (done + i) * width_, width_};
    add_bytes(windows.data(), count, batch.fixed + batch.count * width_);
    done += count;
  }
}

template <typename T>
void MinMax::add_numbers(const std::uint8_t* values, std::uint64_t count) {
  const KeyRange<T> range = key_range<T>(values, static_cast<std::size_t>(count), key_);
  const bool nan = is_floating(order_) && (range.max > kInfinity<T> ||
                                           range.min < number_key<NumberKey::floating>(static_cast<T>(
                                                           kInfinity<T> | std::numeric_limits<T>::min())));
  if (nan) {
    add_nans<T>(values, count);
  } else {
    numbers_.add(range.min, range.max);
  }
}

template <typename T>
void MinMax::add_nans(const std::uint8_t* values, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const T bits = load_le<T>(values + i * sizeof(T));
    const T key = number_key<NumberKey::floating>(bits);
    if ((bits & std::numeric_limits<T>::max()) > kInfinity<T>) {
      ++nan_count_;
      nans_.add(key, key);
    } else {
      numbers_.add(key, key);
    }
  }
}

// A number that compares as the value does, but for values of more than kPrefixBytes that begin alike. Of two
// shorter values that equal each other's padding the longer one is greater.
std::uint64_t MinMax::prefix(const ByteArray& value, const std::uint8_t* readable) const noexcept {
  const std::uint32_t size = std::min(value.size, kPrefixBytes + 1);
  std::uint64_t first = 0;
  if (readable != nullptr && readable - value.data >= 8) [[likely]] {
    first = big_endian(value.data);
  } else {
    for (std::uint32_t i = 0; i < size; ++i) first |= std::uint64_t{value.data[i]} << (56 - 8 * i);
  }
  const std::uint64_t behind = ~std::uint64_t{0} >> 8 * std::min(size, kPrefixBytes);
  const std::uint64_t key = (first & ~behind) | size;
  return order_ == Order::decimal_bytes ? key ^ std::uint64_t{1} << 63 : key;
}

void MinMax::add_bytes(const ByteArray* values, std::size_t count, const std::uint8_t* readable) {
  const auto window = [](const std::vector<std::uint8_t>& bytes) {
    return ByteArray{bytes.data(), static_cast<std::uint32_t>(bytes.size())};
  };
  ByteArray min = bytes_.any ? window(bytes_.min) : values[0];
  ByteArray max = bytes_.any ? window(bytes_.max) : values[0];
  const auto compared = [this](const ByteArray& a, const ByteArray& b) {
    return compare(order_, {a.data, a.size}, {b.data, b.size});
  };
  if (prefixed_) {
    // What is not above `low`, or not below `high`, has to be looked at; what equals a short end need not.
    const auto floor_of = [](std::uint64_t key, const ByteArray& value) {
      return value.size > kPrefixBytes ? key + 1 : key;
    };
    const auto ceiling_of = [](std::uint64_t key, const ByteArray& value) {
      return value.size > kPrefixBytes ? key - 1 : key;
    };
    std::uint64_t low = floor_of(prefix(min, nullptr), min);
    std::uint64_t high = ceiling_of(prefix(max, nullptr), max);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t mine = prefix(values[i], readable);
      if (mine >= low && mine <= high) [[likely]]
        continue;
      if (mine < low && compared(values[i], min) == Comparison::less) {
        min = values[i];
        low = floor_of(mine, min);
      }
      if (mine > high && compared(values[i], max) == Comparison::greater) {
        max = values[i];
        high = ceiling_of(mine, max);
      }
    }
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      if (compared(values[i], min) == Comparison::less) min = values[i];
      if (compared(values[i], max) == Comparison::greater) max = values[i];
    }
  }
  const auto keep = [](std::vector<std::uint8_t>& bytes, const ByteArray& value) {
    if (value.data != bytes.data()) bytes.assign(value.data, value.data + value.size);
  };
  keep(bytes_.min, min);
  keep(bytes_.max, max);
  bytes_.any = true;
}

std::vector<std::uint8_t> MinMax::bytes_of(bool max) const {
  if (bytes_.any) return max ? bytes_.max : bytes_.min;
  const Range& range = numbers_.any() ? numbers_ : nans_;
  if (!range.any()) return {};
  const std::int64_t key = max ? range.max : range.min;
  const auto bytes = [](auto bits) {
    std::vector<std::uint8_t> out(sizeof bits);
    std::memcpy(out.data(), &bits, sizeof bits);
    return out;
  };
  const auto stored = [this, &bytes](auto narrow) {
    if (key_ == NumberKey::floating) return bytes(number_key<NumberKey::floating>(narrow));
    if (key_ == NumberKey::unsigned_int) return bytes(number_key<NumberKey::unsigned_int>(narrow));
    return bytes(narrow);
  };
  if (order_ == Order::boolean) return {static_cast<std::uint8_t>(key)};
  if (width_ == 2) return stored(static_cast<std::int16_t>(key));
  if (width_ == 4) return stored(static_cast<std::int32_t>(key));
  return stored(key);
}

}  // namespace parqproof
