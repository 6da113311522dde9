#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <set>

#include "codec/kernel/kernels.hpp"

/// Names are paths: what is measured, of what, in which shape, with which kernels. The label is the number of
/// bytes of the values as they stand in memory; `memcpy` of as many bytes is measured beside it.
namespace parqproof::benchmarks {

void add_kernels();
void add_codecs();

/// Has a copy of `bytes` bytes measured, too.
void add_copy(std::size_t bytes);

/// Says what one round of a benchmark has worked on.
inline void count(benchmark::State& state, std::size_t values, std::size_t bytes) {
  state.SetItemsProcessed(static_cast<std::int64_t>(values) * static_cast<std::int64_t>(state.iterations()));
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * static_cast<std::int64_t>(state.iterations()));
  state.SetLabel(std::to_string(bytes));
}

}  // namespace parqproof::benchmarks
