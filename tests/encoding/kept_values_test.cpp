// Values that an encoder keeps: those of a long run once.
#include "codec/encoding/kept_values.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "tests/encoding/decode.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kUnit = 4;

// Adds the same values to a vector and to what keeps them, some of them as runs.
template <std::size_t kLead>
void check_kept(std::uint64_t seed) {
  KeptValues<std::uint32_t, kUnit, kLead> kept;
  kept.add_run(1, 100);
  kept.clear();
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < 12; ++i) {
    const std::uint64_t random = mixed(100 * seed + i);
    const std::uint64_t count = random % 3 == 0 ? 1 : random / 8 % 40;
    all.insert(all.end(), count, i);
    if (count == 1) {
      kept.add(i);
    } else {
      kept.add_run(i, count);
    }
    CHECK(kept.count() == all.size());
  }
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(kept.values()[kept.place(i)] == all[i]);

  // The units as often as they stand.
  std::vector<std::uint32_t> again = kept.values();
  again.resize(std::min(kLead, again.size()));
  typename KeptValues<std::uint32_t, kUnit, kLead>::Times times(kept);
  for (std::size_t unit = kLead; unit < kept.values().size(); unit += kUnit) {
    const auto begin = kept.values().begin() + static_cast<std::ptrdiff_t>(unit);
    const auto end = begin + static_cast<std::ptrdiff_t>(std::min(kUnit, kept.values().size() - unit));
    for (std::uint64_t left = times.next(); left != 0; --left) again.insert(again.end(), begin, end);
  }
  CHECK(again == all);
  CHECK(kept.values().size() <= 12 * 3 * kUnit);
}

}  // namespace

TEST_CASE("what is kept of values, some of them in runs, is all of them") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    check_kept<0>(seed);
    check_kept<1>(seed);
  }
}

TEST_CASE("the same value stands before each unit that is repeated") {
  KeptValues<std::uint32_t, kUnit, 1> kept;
  kept.add_run(1, 5);
  kept.add_run(2, 100);
  REQUIRE(kept.repeats().size() == 1);
  CHECK(kept.values()[kept.repeats()[0].unit * kUnit] == 2);
}

}  // namespace parqproof
