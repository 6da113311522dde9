#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "codec/encoding/alp/alp_numbers.hpp"
#include "tests/kernel/cases.hpp"

namespace parqproof {
namespace {

template <typename F>
using Bits = std::make_unsigned_t<AlpInteger<F>>;

template <typename F>
std::vector<Bits<F>> bits_of(const std::vector<F>& numbers) {
  std::vector<Bits<F>> bits;
  for (const F number : numbers) bits.push_back(std::bit_cast<Bits<F>>(number));
  return bits;
}

// Decimal fractions, halves, numbers around the limits of the integers and of their exact conversion, and NaN
// and infinities.
template <typename F>
std::vector<F> hard_numbers(std::size_t count) {
  using Limits = std::numeric_limits<F>;
  const F hard[] = {F(0.0),
                    F(-0.0),
                    F(0.5),
                    F(-0.5),
                    F(1.5),
                    F(2.5),
                    Limits::infinity(),
                    -Limits::infinity(),
                    Limits::quiet_NaN(),
                    std::bit_cast<F>(static_cast<Bits<F>>(std::bit_cast<Bits<F>>(Limits::quiet_NaN()) | 5)),
                    Limits::max(),
                    Limits::min(),
                    Limits::denorm_min(),
                    F(0x1p31),
                    F(-0x1p31),
                    F(0x1p31) - F(0x1p7),
                    F(0x1p63),
                    F(-0x1p63),
                    F(0x1p62),
                    F(0x1p51),
                    F(-0x1p51),
                    F(0x1p51) - F(0.5),
                    F(0x1p51) + F(1),
                    F(0x1p52) + F(1),
                    F(0x1p53),
                    F(4503599627370495.5),
                    F(8388607.5),
                    F(16777217)};
  std::vector<F> numbers(count);
  for (F& number : numbers) {
    const std::uint64_t kind = random_numbers() % 8;
    const auto integer =
        static_cast<double>(static_cast<std::int64_t>(random_numbers()) >> (random_numbers() % 63));
    if (kind == 0)
      number = hard[random_numbers() % std::size(hard)];
    else if (kind == 1)
      number = std::bit_cast<F>(static_cast<Bits<F>>(random_numbers()));
    else
      number = static_cast<F>(integer / std::pow(10.0, static_cast<double>(random_numbers() % 12)));
  }
  return numbers;
}

template <typename F>
void compare_encode(auto member) {
  using I = AlpInteger<F>;
  for (unsigned exponent = 0; exponent <= alp::Powers<F>::kMaxExponent; ++exponent) {
    for (unsigned factor = 0; factor <= exponent; ++factor) {
      const AlpScale<F> scale = alp::scale_of<F>(exponent, factor);
      for (const std::size_t count : {0UL, 1UL, 7UL, 8UL, 9UL, 15UL, 16UL, 17UL, 31UL, 33UL, 64UL, 100UL}) {
        Exact<F> numbers(hard_numbers<F>(count));
        std::vector<I> expected(count);
        std::vector<std::uint8_t> exact(count);
        const auto fit =
            (reference_kernels().*member)(numbers.data(), count, scale, expected.data(), exact.data());
        for_each_fast([&](const Kernels& set) {
          for (const int fill : kFills) {
            INFO("exponent " << exponent << ", factor " << factor << ", count " << count);
            Exact<I> integers(count, fill);
            Exact<std::uint8_t> found(count, fill);
            const auto of_set = (set.*member)(numbers.data(), count, scale, integers.data(), found.data());
            REQUIRE(found.all() == exact);
            REQUIRE(integers.all() == expected);
            REQUIRE(of_set == fit);
          }
        });
      }
    }
  }
}

template <typename F>
void compare_decode(auto member) {
  using U = Bits<F>;
  for (unsigned exponent = 0; exponent <= alp::Powers<F>::kMaxExponent; ++exponent) {
    const AlpScale<F> scale = alp::scale_of<F>(exponent, exponent / 2);
    for (const std::size_t count : kCounts) {
      auto numbers = random_vector<U>(count);
      for (U& number : numbers)
        number = static_cast<U>(static_cast<AlpInteger<F>>(number) >> (random_numbers() % (sizeof(U) * 8)));
      Exact<U> integers(numbers);
      const U reference = exponent % 2 == 0 ? 0 : static_cast<U>(random_numbers());
      std::vector<F> expected(count);
      (reference_kernels().*member)(integers.data(), count, reference, scale, expected.data());
      for_each_fast([&](const Kernels& set) {
        INFO("exponent " << exponent << ", count " << count);
        Exact<F> values(count, 0xA5);
        (set.*member)(integers.data(), count, reference, scale, values.data());
        REQUIRE(bits_of(values.all()) == bits_of(expected));
      });
    }
  }
}

}  // namespace

TEST_CASE("all kernels find the integers of ALP that the reference finds, and no others") {
  compare_encode<float>(&Kernels::alp_encode32);
  compare_encode<double>(&Kernels::alp_encode64);
}

TEST_CASE("all kernels convert the integers of ALP to the numbers of the reference, bit by bit") {
  compare_decode<float>(&Kernels::alp_decode32);
  compare_decode<double>(&Kernels::alp_decode64);
}

TEST_CASE("the reference finds the integers of decimal fractions, and of nothing else") {
  const double numbers[] = {1.23, -0.05, -0.0, std::numeric_limits<double>::quiet_NaN(), 1.0 / 3};
  std::int64_t integers[5];
  std::uint8_t exact[5];
  const auto fit =
      reference_kernels().alp_encode64(numbers, 5, alp::scale_of<double>(14, 12), integers, exact);
  CHECK(std::vector<std::int64_t>(integers, integers + 5) == std::vector<std::int64_t>{123, -5, 0, 0, 0});
  CHECK(std::vector<std::uint8_t>(exact, exact + 5) == std::vector<std::uint8_t>{1, 1, 0, 0, 0});
  CHECK(fit == AlpFit<std::int64_t>{2, {-5, 123}});
}

}  // namespace parqproof
