#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

/// Columns of numbers that the size of what encoders and compressors make of them is held to.
namespace parqproof {

using Numbers = std::vector<std::int64_t>;

/// A distribution of numbers that encoders find easy, hard or ordinary.
struct NumberColumn {
  const char* name;
  std::function<std::int64_t(std::size_t i, std::mt19937_64& chance)> number;
};

[[nodiscard]] const std::vector<NumberColumn>& number_columns();

/// Some thousand numbers of a column, the same in each call.
[[nodiscard]] Numbers numbers_of(const NumberColumn& column);

}  // namespace parqproof
