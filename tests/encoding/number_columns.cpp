#include "tests/encoding/number_columns.hpp"

#include <bit>

#include "tests/encoding/decode.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kCount = 6000;

std::uint64_t burst(std::size_t i) { return mixed(i / 37) % 64; }

}  // namespace

const std::vector<NumberColumn>& number_columns() {
  static const std::vector<NumberColumn> all{
      {"constant", [](auto, auto&) { return 42; }},
      {"consecutive", [](auto i, auto&) { return static_cast<std::int64_t>(i); }},
      {"ids with gaps", [](auto i, auto& chance) { return static_cast<std::int64_t>(i * 4 + chance() % 4); }},
      {"small", [](auto, auto& chance) { return static_cast<std::int64_t>(chance() % 50); }},
      {"wide", [](auto, auto& chance) { return static_cast<std::int64_t>(chance() >> 34); }},
      {"rarely huge", [](auto, auto& chance) { return chance() % 200 == 0 ? INT32_MAX : 3; }},
      {"sorted days", [](auto i, auto&) { return 18000 + static_cast<std::int64_t>(i / 90); }},
      {"timestamps",
       [](auto i, auto& chance) {
         return 1'600'000'000 + static_cast<std::int64_t>(i * 30 + chance() % 20);
       }},
      {"skewed", [](auto, auto& chance) { return static_cast<std::int64_t>(std::countl_zero(chance())); }},
      {"runs of seven", [](auto i, auto&) { return static_cast<std::int64_t>(mixed(i / 7) % 1000); }},
      {"runs of nine and single ones",
       [](auto i, auto& chance) { return i % 10 == 0 ? static_cast<std::int64_t>(chance() % 512) : 5; }},
      {"bursts",
       [](auto i, auto& chance) {
         const std::uint64_t width = burst(i);
         return static_cast<std::int64_t>(width > 31 ? 7 : chance() % (1ULL << width));
       }},
      {"two values", [](auto i, auto&) { return static_cast<std::int64_t>(mixed(i / 40) % 2); }},
      {"saw", [](auto i, auto&) { return static_cast<std::int64_t>(i % 1000 * 1000); }},
      {"quiet, then loud",
       [](auto i, auto& chance) { return i < kCount / 2 ? 1 : static_cast<std::int64_t>(chance() >> 40); }}};
  return all;
}

Numbers numbers_of(const NumberColumn& column) {
  std::mt19937_64 chance(7);
  Numbers numbers(kCount);
  for (std::size_t i = 0; i < kCount; ++i) numbers[i] = column.number(i, chance);
  return numbers;
}

}  // namespace parqproof
