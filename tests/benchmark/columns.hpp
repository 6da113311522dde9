#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codec/encoding/table.hpp"

namespace parqproof::benchmarks {

/// Number of values of a benchmark, as in a page: 1 MiB of 64-bit values.
inline constexpr std::size_t kValues = 131'072;

/// Shape of the values.
struct Shape {
  unsigned width = 0;      ///< bits of numbers, or bytes of byte arrays
  bool runs = false;       ///< equal values are in runs of 1 to 200
  bool few_nulls = false;  ///< of levels of width 1: one in twenty is 0

  [[nodiscard]] std::string name() const {
    return std::to_string(width) + (runs ? " in runs" : "") + (few_nulls ? " with few nulls" : "");
  }
};

/// The shapes in which an encoding of a type is measured.
[[nodiscard]] std::vector<Shape> shapes_of(Encoding encoding, Type type);

/// Values of one shape in the form that decoders of `encoding` deliver and encoders take.
class Column {
 public:
  Column(Encoding encoding, Type type, const Shape& shape);

  [[nodiscard]] const ValueBatch& batch() const noexcept { return batch_; }
  [[nodiscard]] std::uint32_t type_length() const noexcept { return type_length_; }
  /// Bytes of the values in memory; of byte arrays including the windows.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  void make_numbers(Encoding encoding, Type type, const Shape& shape);
  void make_byte_arrays(const Shape& shape);

  ValueBatch batch_;
  std::uint32_t type_length_ = 0;
  std::size_t bytes_ = 0;
  std::vector<std::uint8_t> fixed_;
  std::vector<ByteArray> byte_arrays_;
  std::vector<std::uint32_t> indices_;
};

/// kValues numbers of `width` bits.
[[nodiscard]] std::vector<std::uint64_t> numbers_of(const Shape& shape);

}  // namespace parqproof::benchmarks
