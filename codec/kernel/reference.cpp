#include <algorithm>

#include "codec/base/bits.hpp"
#include "codec/base/utf8.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {
namespace {

template <typename T>
void unpack(const std::uint8_t* in, std::size_t /*readable*/, unsigned width, std::size_t count,
            T* out) noexcept {
  std::size_t bit = 0;
  for (std::size_t i = 0; i < count; ++i) {
    T value = 0;
    for (unsigned k = 0; k < width; ++k, ++bit) {
      value |= static_cast<T>(in[bit / 8] >> (bit % 8) & 1U) << k;
    }
    out[i] = value;
  }
}

template <typename T>
T accumulate(T* deltas, std::size_t count, T base, T last) noexcept {
  for (std::size_t i = 0; i < count; ++i) deltas[i] = last += base + deltas[i];
  return last;
}

template <typename T>
Survey<T> survey(const T* values, std::size_t count) noexcept {
  Survey<T> survey{values[0], values[0]};
  for (std::size_t i = 1; i < count; ++i) survey = {survey.bits | values[i], std::min(survey.min, values[i])};
  return survey;
}

void unsplit(const std::uint8_t* streams, std::size_t stride, std::uint32_t width, std::size_t count,
             std::uint8_t* out) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < width; ++k) out[i * width + k] = streams[k * stride + i];
  }
}

std::uint32_t max32(const std::uint32_t* values, std::size_t count) noexcept {
  std::uint32_t max = 0;
  for (std::size_t i = 0; i < count; ++i) max = std::max(max, values[i]);
  return max;
}

std::size_t count_equal32(const std::uint32_t* values, std::size_t count, std::uint32_t value) noexcept {
  std::size_t equal = 0;
  for (std::size_t i = 0; i < count; ++i) equal += values[i] == value ? 1 : 0;
  return equal;
}

template <typename T>
T key_of(const std::uint8_t* at, NumberKey key) noexcept {
  const T bits = load_le<T>(at);
  switch (key) {
    case NumberKey::signed_int:
      return number_key<NumberKey::signed_int>(bits);
    case NumberKey::unsigned_int:
      return number_key<NumberKey::unsigned_int>(bits);
    case NumberKey::floating:
      return number_key<NumberKey::floating>(bits);
  }
  return bits;
}

template <typename T>
KeyRange<T> key_range(const std::uint8_t* values, std::size_t count, NumberKey key) noexcept {
  KeyRange<T> range;
  for (std::size_t i = 0; i < count; ++i) {
    const T value = key_of<T>(values + i * sizeof(T), key);
    range = {std::min(range.min, value), std::max(range.max, value)};
  }
  return range;
}

bool is_utf8(const std::uint8_t* bytes, std::size_t count) noexcept {
  return utf8_error({bytes, count}) == count;
}

constexpr Kernels kReference{
    .name = "reference",
    .unpack32 = unpack<std::uint32_t>,
    .unpack64 = unpack<std::uint64_t>,
    .accumulate32 = accumulate<std::uint32_t>,
    .accumulate64 = accumulate<std::uint64_t>,
    .survey32 = survey<std::uint32_t>,
    .survey64 = survey<std::uint64_t>,
    .unsplit = unsplit,
    .max32 = max32,
    .count_equal32 = count_equal32,
    .key_range32 = key_range<std::int32_t>,
    .key_range64 = key_range<std::int64_t>,
    .is_utf8 = is_utf8,
};

}  // namespace

const Kernels& reference_kernels() noexcept { return kReference; }

}  // namespace parqproof
