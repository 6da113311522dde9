#include "codec/geo/emitter.hpp"

#include <bit>
#include <limits>

#include "codec/base/append.hpp"

namespace parqproof::geo {

void Emitter::begin(TypeCode type, std::uint32_t count, bool /*is_member*/) {
  bytes_.push_back(is_big_endian_ ? 0 : 1);
  word(type.code());
  if (type.shape != Shape::point) {
    word(count);
  } else if (count == 0) {
    for (unsigned axis = 0; axis < type.axes(); ++axis) number(std::numeric_limits<double>::quiet_NaN());
  }
}

void Emitter::points(const PointRun& run) {
  for (std::size_t point = 0; point < run.count; ++point) {
    for (unsigned axis = 0; axis < run.axes; ++axis) number(run.at(point, axis));
  }
}

void Emitter::word(std::uint32_t word) {
  append_le(bytes_, is_big_endian_ ? std::byteswap(word) : word, sizeof word);
}

void Emitter::number(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  append_le(bytes_, is_big_endian_ ? std::byteswap(bits) : bits, sizeof bits);
}

}  // namespace parqproof::geo
