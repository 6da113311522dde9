#include "tests/benchmark/columns.hpp"

#include <cstring>
#include <random>

#include "codec/base/bits.hpp"

namespace parqproof::benchmarks {
namespace {

constexpr std::uint64_t kSeed = 20130730;
constexpr std::uint64_t kLongestRun = 200;
constexpr std::size_t kShared = 3;  // bytes of four that a byte array shares with the previous one

bool is_dictionary(Encoding encoding) {
  return encoding == Encoding::RLE_DICTIONARY || encoding == Encoding::PLAIN_DICTIONARY;
}

template <typename T>
void append(std::vector<std::uint8_t>& out, T value) {
  const std::size_t at = out.size();
  out.resize(at + sizeof value);
  std::memcpy(out.data() + at, &value, sizeof value);
}

}  // namespace

std::vector<Shape> shapes_of(Encoding encoding, Type type) {
  if (is_dictionary(encoding)) return {{1}, {4}, {10}, {16}, {20}, {10, true}};
  switch (type) {
    case Type::BOOLEAN:
      return {{1}, {1, true}};
    case Type::INT32:
      return {{1}, {7}, {13}, {20}, {32}};
    case Type::INT64:
      return {{1}, {7}, {13}, {20}, {40}, {64}};
    case Type::FLOAT:
      return {{7}, {20}};
    case Type::DOUBLE:
      return {{7}, {20}, {40}};
    case Type::INT96:
      return {{12}};
    case Type::BYTE_ARRAY:
    case Type::FIXED_LEN_BYTE_ARRAY:
      return {{4}, {16}, {64}};
  }
  return {};
}

std::vector<std::uint64_t> numbers_of(const Shape& shape) {
  std::mt19937_64 random(kSeed);
  std::vector<std::uint64_t> numbers;
  while (numbers.size() < kValues) {
    const std::uint64_t count = shape.runs ? random() % kLongestRun + 1 : 1;
    const std::uint64_t number =
        shape.few_nulls ? static_cast<std::uint64_t>(random() % 20 != 0) : random() & low_bits(shape.width);
    for (std::uint64_t i = 0; i < count && numbers.size() < kValues; ++i) numbers.push_back(number);
  }
  return numbers;
}

Column::Column(Encoding encoding, Type type, const Shape& shape) {
  batch_.count = kValues;
  if (type == Type::FIXED_LEN_BYTE_ARRAY || type == Type::BYTE_ARRAY) type_length_ = shape.width;
  if (is_dictionary(encoding)) {
    for (const std::uint64_t number : numbers_of(shape))
      indices_.push_back(static_cast<std::uint32_t>(number));
    batch_.form = ValueBatch::Form::indices;
    batch_.indices = indices_.data();
    bytes_ = indices_.size() * sizeof indices_[0];
  } else if (type == Type::BOOLEAN) {
    for (const std::uint64_t number : numbers_of(shape)) fixed_.push_back(static_cast<std::uint8_t>(number));
    batch_.form = ValueBatch::Form::booleans;
    batch_.booleans = fixed_.data();
    bytes_ = fixed_.size();
  } else if (type_length_ != 0) {
    make_byte_arrays(shape);
    if (type == Type::FIXED_LEN_BYTE_ARRAY) {
      batch_.form = ValueBatch::Form::fixed;
      batch_.fixed = fixed_.data();
      bytes_ = fixed_.size();
    }
  } else {
    make_numbers(encoding, type, shape);
    batch_.fixed = fixed_.data();
    bytes_ = fixed_.size();
  }
}

void Column::make_numbers(Encoding encoding, Type type, const Shape& shape) {
  std::uint64_t sum = 0;
  for (const std::uint64_t number : numbers_of({type == Type::INT96 ? 40 : shape.width, shape.runs})) {
    // The widths of DELTA_BINARY_PACKED are those of the differences.
    sum = encoding == Encoding::DELTA_BINARY_PACKED ? sum + number : number;
    if (type == Type::INT32) append(fixed_, static_cast<std::uint32_t>(sum));
    if (type == Type::INT64 || type == Type::INT96) append(fixed_, sum);
    if (type == Type::INT96) append(fixed_, static_cast<std::uint32_t>(number));
    // Decimal fractions, as ALP has them.
    if (type == Type::FLOAT) append(fixed_, static_cast<float>(sum) / 100);
    if (type == Type::DOUBLE) append(fixed_, static_cast<double>(sum) / 100);
  }
}

void Column::make_byte_arrays(const Shape& shape) {
  const std::size_t size = shape.width;
  const std::vector<std::uint64_t> numbers = numbers_of({64, false});
  fixed_.resize(kValues * size);
  for (std::size_t i = 0; i < kValues; ++i) {
    for (std::size_t k = 0; k < size; ++k) {
      const bool shared = k < size * kShared / 4;
      fixed_[i * size + k] = static_cast<std::uint8_t>(shared ? 'a' : numbers[i] >> (k % 8 * 8));
    }
  }
  for (std::size_t i = 0; i < kValues; ++i)
    byte_arrays_.push_back({fixed_.data() + i * size, static_cast<std::uint32_t>(size)});
  batch_.form = ValueBatch::Form::byte_arrays;
  batch_.byte_arrays = byte_arrays_.data();
  bytes_ = fixed_.size() + byte_arrays_.size() * sizeof byte_arrays_[0];
}

}  // namespace parqproof::benchmarks
