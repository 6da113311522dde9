#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <string>

#include "codec/kernel/kernels.hpp"
#include "tests/benchmark/columns.hpp"

/// Names are paths: operation, encoding and type, shape, kernels. The label is the number of
/// bytes of the values in memory; `memcpy` of as many bytes is measured for comparison.
namespace parqproof::benchmarks {

void add_kernels();
void add_scan_kernels();
void add_codecs();

/// Adds a benchmark of copying `bytes` bytes.
void add_copy(std::size_t bytes);

/// Records the work of one round of a benchmark.
inline void count(benchmark::State& state, std::size_t values, std::size_t bytes) {
  state.SetItemsProcessed(static_cast<std::int64_t>(values) * static_cast<std::int64_t>(state.iterations()));
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * static_cast<std::int64_t>(state.iterations()));
  state.SetLabel(std::to_string(bytes));
}

/// Adds a benchmark of a kernel for each set. `prepare(set)` returns the work of one round; `bytes` are those
/// of its values.
template <typename Prepare>
void add_kernel(const std::string& name, std::size_t bytes, Prepare prepare) {
  add_copy(bytes);
  for (const Kernels* const set : all_kernels()) {
    benchmark::RegisterBenchmark(("kernel/" + name + "/" + std::string(set->name)).c_str(),
                                 [=](benchmark::State& state) {
                                   auto round = prepare(*set);
                                   for (auto _ : state) {
                                     round();
                                     benchmark::ClobberMemory();
                                   }
                                   count(state, kValues, bytes);
                                 });
  }
}

}  // namespace parqproof::benchmarks
