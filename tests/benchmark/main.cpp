#include <cstring>
#include <set>
#include <vector>

#include "tests/benchmark/benchmarks.hpp"
#include "tests/benchmark/columns.hpp"

namespace parqproof::benchmarks {

void add_copy(std::size_t bytes) {
  static std::set<std::size_t> known;
  if (!known.insert(bytes).second) return;
  benchmark::RegisterBenchmark(("memcpy/" + std::to_string(bytes)).c_str(), [bytes](benchmark::State& state) {
    const std::vector<std::uint8_t> from(bytes, 1);
    std::vector<std::uint8_t> to(bytes);
    for (auto _ : state) {
      std::memcpy(to.data(), from.data(), bytes);
      benchmark::DoNotOptimize(to.data());
      benchmark::ClobberMemory();
    }
    count(state, kValues, bytes);
  });
}

}  // namespace parqproof::benchmarks

int main(int argc, char** argv) {
  parqproof::benchmarks::add_kernels();
  parqproof::benchmarks::add_scan_kernels();
  parqproof::benchmarks::add_codecs();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
