#include "codec/encoding/min_max.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "codec/base/bits.hpp"

namespace parqproof {
namespace {

bool is_bytes(Order order) noexcept {
  return order == Order::unsigned_bytes || order == Order::decimal_bytes || order == Order::int96 ||
         order == Order::signed_96;
}

/// Bits of infinity in a floating-point number of the size of T; larger magnitudes are NaN.
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

/// Returns the key of a byte array. Bytes after it may be read up to `readable`; none if that is null.
std::uint64_t key_of(const ByteArray& value, const std::uint8_t* readable) noexcept {
  if (readable != nullptr && readable - value.data >= 8) return prefix_key_at(value.data, value.size);
  std::uint64_t first = 0;
  for (std::uint32_t i = 0; i < 8; ++i) first = first << 8 | (i < value.size ? value.data[i] : 0U);
  return prefix_key(first, value.size);
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

void MinMax::add(std::span<const std::uint8_t> value) {
  const ByteArray window{value.data(), static_cast<std::uint32_t>(value.size())};
  if (order_ == Order::none) return;
  if (order_ == Order::boolean) return numbers_.add(value[0], value[0]);
  if (is_bytes(order_)) return add_bytes(&window, 1, nullptr);
  ValueBatch batch;
  batch.count = 1;
  batch.fixed = value.data();
  add_fixed(batch);
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

void MinMax::add_bytes(const ByteArray* values, std::size_t count, const std::uint8_t* readable) {
  const auto window = [](const std::vector<std::uint8_t>& bytes) {
    return ByteArray{bytes.data(), static_cast<std::uint32_t>(bytes.size())};
  };
  ByteArray min = bytes_.any ? window(bytes_.min) : values[0];
  ByteArray max = bytes_.any ? window(bytes_.max) : values[0];
  const auto compared = [this](const ByteArray& a, const ByteArray& b) {
    return compare(order_, {a.data, a.size}, {b.data, b.size});
  };
  if (!prefixed_) {
    for (std::size_t i = 0; i < count; ++i) {
      if (compared(values[i], min) == Comparison::less) min = values[i];
      if (compared(values[i], max) == Comparison::greater) max = values[i];
    }
  } else {
    // Values outside of the key range must be compared; those inside cannot change min and max.
    PrefixRange range{.flip = order_ == Order::decimal_bytes ? std::uint64_t{1} << 63 : 0};
    const auto set_low = [&] {
      range.low = (key_of(min, nullptr) ^ range.flip) + (min.size > kPrefixBytes ? 1 : 0);
    };
    const auto set_high = [&] {
      range.high = (key_of(max, nullptr) ^ range.flip) - (max.size > kPrefixBytes ? 1 : 0);
    };
    set_low();
    set_high();
    bool inside = true;  // the previous value; the next ones are likely to be as well
    for (std::size_t i = 0; i < count; ++i) {
      if (inside && readable != nullptr)
        i += kernels().text.find_outside(values + i, count - i, readable, range);
      if (i == count) break;
      const std::uint64_t key = key_of(values[i], readable);
      inside = range.holds(key);
      if ((key ^ range.flip) < range.low && compared(values[i], min) == Comparison::less) {
        min = values[i];
        set_low();
      }
      if ((key ^ range.flip) > range.high && compared(values[i], max) == Comparison::greater) {
        max = values[i];
        set_high();
      }
    }
  }
  const auto keep = [](std::vector<std::uint8_t>& bytes, const ByteArray& value) {
    if (value.data != bytes.data()) bytes.assign(value.data, value.data + value.size);
  };
  keep(bytes_.min, min);
  keep(bytes_.max, max);
  bytes_.any = true;
}

PlainBytes MinMax::bytes_of(bool max) const noexcept {
  if (bytes_.any) return PlainBytes(std::span<const std::uint8_t>(max ? bytes_.max : bytes_.min));
  const Range& range = numbers_.any() ? numbers_ : nans_;
  if (!range.any()) return {};
  const std::int64_t key = max ? range.max : range.min;
  const auto stored = [this](auto narrow) {
    if (key_ == NumberKey::floating) return PlainBytes(number_key<NumberKey::floating>(narrow));
    if (key_ == NumberKey::unsigned_int) return PlainBytes(number_key<NumberKey::unsigned_int>(narrow));
    return PlainBytes(narrow);
  };
  if (order_ == Order::boolean) return PlainBytes(static_cast<std::uint8_t>(key));
  if (width_ == 2) return stored(static_cast<std::int16_t>(key));
  if (width_ == 4) return stored(static_cast<std::int32_t>(key));
  return stored(key);
}

}  // namespace parqproof
