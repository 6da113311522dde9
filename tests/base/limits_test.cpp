#include "codec/base/limits.hpp"

#include <catch2/catch_test_macros.hpp>

namespace parqproof {

TEST_CASE("the budgets of a file share the free allowance", "[limit/work]") {
  CHECK(Budget().limit() == Budget::kBase);
  CHECK(Budget(1, 10).limit() == Budget::kBase / 10);
  CHECK(Budget(3, 10).limit() == 3 * Budget::kBase / 10);
  CHECK(Budget(1, 1'000'000).limit() == Budget::kMin);
  CHECK(Budget(1, 0).limit() == Budget::kBase);
}

TEST_CASE("a budget grows with the bytes that are read", "[limit/work]") {
  Budget budget(1, 1'000'000);
  CHECK(budget.spend(Budget::kMin));
  CHECK_FALSE(budget.spend(1));
  budget.earn(1);
  CHECK(budget.spend(Budget::kPerByte - 1));
  CHECK_FALSE(budget.spend(1));
}

}  // namespace parqproof
