#include <string>
#include <vector>

#include "codec/encoding/alp/alp_numbers.hpp"
#include "tests/benchmark/benchmarks.hpp"
#include "tests/benchmark/columns.hpp"

namespace parqproof::benchmarks {
namespace {

constexpr unsigned kWidths32[] = {1, 2, 3, 5, 8, 10, 13, 16, 20, 24, 29, 32};
constexpr unsigned kWidths64[] = {1, 5, 8, 13, 20, 32, 40, 48, 57, 64};
constexpr std::size_t kSpare = 64;  // readable bytes after the packed ones

template <typename T>
std::vector<T> random_numbers(unsigned width) {
  std::vector<T> numbers;
  for (const std::uint64_t number : numbers_of({width})) numbers.push_back(static_cast<T>(number));
  return numbers;
}

template <typename T>
void add_packing(const char* name, auto member, unsigned width) {
  add_kernel(name + std::string("/") + std::to_string(width), kValues * sizeof(T), [=](const Kernels& set) {
    return [=, &set, values = random_numbers<T>(width),
            bytes = std::vector<std::uint8_t>(kValues * sizeof(T) + kSpare)]() mutable {
      member(set, values, width, bytes);
    };
  });
}

template <typename T, typename Member>
void add_packer(const char* name, Member member, unsigned width) {
  add_packing<T>(
      name,
      [member](const Kernels& set, auto& values, unsigned of, auto& bytes) {
        (set.*member)(values.data(), 0, of, kValues, bytes.data());
      },
      width);
}

template <typename T, typename Member>
void add_unpacker(const char* name, Member member, unsigned width) {
  add_packing<T>(
      name,
      [member](const Kernels& set, auto& values, unsigned of, auto& bytes) {
        (set.*member)(bytes.data(), bytes.size(), of, kValues, values.data());
      },
      width);
}

void add_split(std::uint32_t width) {
  const std::size_t bytes = kValues * width;
  const auto round = [=](auto call) {
    return [=](const Kernels& set) {
      return [=, &set, from = std::vector<std::uint8_t>(bytes, 1),
              to = std::vector<std::uint8_t>(bytes)]() mutable { call(set, from.data(), to.data()); };
    };
  };
  add_kernel("unsplit/" + std::to_string(width), bytes,
             round([=](const Kernels& set, const auto* from, auto* to) {
               set.unsplit(from, kValues, width, kValues, to);
             }));
  add_kernel("split/" + std::to_string(width), bytes,
             round([=](const Kernels& set, const auto* from, auto* to) {
               set.split(from, width, kValues, kValues, to);
             }));
}

template <typename T, typename S>
void add_deltas(const char* bits, auto difference, auto survey) {
  const std::size_t bytes = kValues * sizeof(T);
  add_kernel(std::string("difference/") + bits, bytes, [=](const Kernels& set) {
    return [=, &set, values = random_numbers<T>(13), ranges = std::vector<KeyRange<S>>(kValues)]() mutable {
      (set.*difference)(values.data(), kValues - 1, ranges.data());
    };
  });
  add_kernel(std::string("survey/") + bits, bytes, [=](const Kernels& set) {
    return [=, &set, values = random_numbers<T>(13)]() mutable {
      benchmark::DoNotOptimize((set.*survey)(values.data(), kValues));
    };
  });
}

template <typename T, typename Member>
void add_undelta(const char* name, Member member, unsigned width) {
  add_packing<T>(
      name,
      [member](const Kernels& set, auto& values, unsigned of, auto& bytes) {
        benchmark::DoNotOptimize((set.*member)(bytes.data(), bytes.size(), of, kValues, 1, 2, values.data()));
      },
      width);
}

template <typename F>
void add_alp(const char* type, auto decode, auto encode) {
  using U = std::make_unsigned_t<AlpInteger<F>>;
  const std::size_t bytes = kValues * sizeof(F);
  const AlpScale<F> scale = alp::scale_of<F>(4, 2);
  add_kernel(std::string("alp_decode/") + type, bytes, [=](const Kernels& set) {
    return [=, &set, integers = random_numbers<U>(20), out = std::vector<F>(kValues)]() mutable {
      (set.*decode)(integers.data(), kValues, 17, scale, out.data());
    };
  });
  add_kernel(std::string("alp_encode/") + type, bytes, [=](const Kernels& set) {
    std::vector<F> numbers;
    for (const U number : random_numbers<U>(20)) numbers.push_back(static_cast<F>(number) / 100);
    return [=, &set, integers = std::vector<AlpInteger<F>>(kValues),
            exact = std::vector<std::uint8_t>(kValues)]() mutable {
      benchmark::DoNotOptimize((set.*encode)(numbers.data(), kValues, scale, integers.data(), exact.data()));
    };
  });
}

}  // namespace

void add_kernels() {
  for (const unsigned width : kWidths32) {
    add_unpacker<std::uint32_t>("unpack32", &Kernels::unpack32, width);
    add_packer<std::uint32_t>("pack32", &Kernels::pack32, width);
  }
  for (const unsigned width : kWidths64) {
    add_unpacker<std::uint64_t>("unpack64", &Kernels::unpack64, width);
    add_packer<std::uint64_t>("pack64", &Kernels::pack64, width);
  }
  for (const unsigned width : {1U, 3U, 8U, 20U}) {
    add_unpacker<std::uint32_t>("unpack32_msb", &Kernels::unpack32_msb, width);
    add_packing<std::uint32_t>(
        "pack32_msb",
        [](const Kernels& set, auto& values, unsigned of, auto& bytes) {
          set.pack32_msb(values.data(), of, kValues, bytes.data());
        },
        width);
  }
  for (const std::uint32_t width : {2U, 4U, 8U, 12U, 16U}) add_split(width);
  for (const unsigned width : {1U, 7U, 13U, 20U, 32U})
    add_undelta<std::uint32_t>("undelta32", &Kernels::undelta32, width);
  for (const unsigned width : {1U, 13U, 40U, 64U})
    add_undelta<std::uint64_t>("undelta64", &Kernels::undelta64, width);
  add_deltas<std::uint32_t, std::int32_t>("32", &Kernels::difference32, &Kernels::survey32);
  add_deltas<std::uint64_t, std::int64_t>("64", &Kernels::difference64, &Kernels::survey64);
  add_alp<float>("FLOAT", &Kernels::alp_decode32, &Kernels::alp_encode32);
  add_alp<double>("DOUBLE", &Kernels::alp_decode64, &Kernels::alp_encode64);
}

}  // namespace parqproof::benchmarks
