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

constexpr Kernels kReference{"reference", unpack<std::uint32_t>, unpack<std::uint64_t>};

}  // namespace

const Kernels& reference_kernels() noexcept { return kReference; }

}  // namespace parqproof
