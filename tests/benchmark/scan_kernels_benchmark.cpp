// Kernels that only read values.
#include <cstring>
#include <string>
#include <vector>

#include "codec/kernel/bloom_bits.hpp"
#include "tests/benchmark/benchmarks.hpp"

namespace parqproof::benchmarks {
namespace {

template <typename T>
std::vector<std::uint8_t> numbers_as_bytes() {
  std::vector<std::uint8_t> bytes(kValues * sizeof(T));
  std::vector<T> numbers;
  for (const std::uint64_t number : numbers_of({20})) numbers.push_back(static_cast<T>(number));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

template <typename Member>
void add_key_range(const char* bits, std::size_t width, Member member,
                   const std::vector<std::uint8_t>& values) {
  for (const auto& [name, key] : {std::pair{"key_range", NumberKey::signed_int},
                                  std::pair{"key_range of floating-point", NumberKey::floating}}) {
    add_kernel(name + std::string("/") + bits, kValues * width, [=](const Kernels& set) {
      return [=, &set] { benchmark::DoNotOptimize((set.*member)(values.data(), kValues, key)); };
    });
  }
}

void add_levels() {
  static constexpr std::uint32_t kReached[] = {0, 1};
  constexpr std::size_t kBytes = kValues * 2 * sizeof(std::uint32_t);
  std::vector<std::uint32_t> repetition;
  std::vector<std::uint32_t> definition;
  for (const std::uint64_t number : numbers_of({3})) {
    repetition.push_back(number % 4 == 0 ? 0 : 1);
    definition.push_back(number == 7 ? 2 : 3);
  }
  add_kernel("tally of levels/3", kBytes, [=](const Kernels& set) {
    return [=, &set] {
      const LevelBounds bounds{.max_definition = 3, .element = 2, .reached = kReached};
      benchmark::DoNotOptimize(set.levels.tally(repetition.data(), definition.data(), kValues, 3, bounds));
    };
  });
  add_kernel("print of levels/3", kBytes, [=](const Kernels& set) {
    return [=, &set, print = LevelPrint{}]() mutable {
      set.levels.print(repetition.data(), definition.data(), kValues, {.repetition = 1, .definition = 2},
                       print);
      benchmark::DoNotOptimize(print);
    };
  });
}

/// Byte arrays of 16 bytes each, or of 0 to 31, ASCII or not.
struct Texts {
  enum class Sizes : std::uint8_t { equal, any };
  static constexpr std::uint32_t kSize = 16;  // the size of all, or half of the range
  static constexpr std::size_t kBytes = kValues * kSize;

  std::vector<std::uint8_t> bytes;
  std::vector<std::uint32_t> sizes;
  std::vector<ByteArray> values = std::vector<ByteArray>(kValues);

  explicit Texts(bool ascii, Sizes of = Sizes::equal) {
    for (const std::uint64_t number : numbers_of({20})) {
      sizes.push_back(of == Sizes::equal ? kSize : static_cast<std::uint32_t>(number % (2 * kSize)));
      for (std::uint32_t k = 0; k < 2 * kSize; k += 2) {
        const bool other = !ascii && k == 0 && number % 4 == 0;
        bytes.push_back(other ? 0xC3 : static_cast<std::uint8_t>('a' + number % 16));
        bytes.push_back(other ? 0xA9 : static_cast<std::uint8_t>('a' + (number >> 8 & 15)));
      }
    }
    lay_out();
  }
  Texts(const Texts& other) : bytes(other.bytes), sizes(other.sizes) { lay_out(); }
  Texts& operator=(const Texts&) = delete;

 private:
  void lay_out() {
    static_cast<void>(reference_kernels().text.lay_out(sizes.data(), kValues, bytes.data(), values.data()));
  }
};

void add_texts() {
  for (const bool ascii : {true, false}) {
    add_kernel(std::string("charset/") + (ascii ? "16 of ASCII" : "16"), Texts::kBytes,
               [=](const Kernels& set) {
                 return [&set, texts = Texts(ascii)] {
                   benchmark::DoNotOptimize(set.text.charset(texts.bytes.data(), Texts::kBytes));
                 };
               });
  }
  add_kernel("lay_out/16", Texts::kBytes, [](const Kernels& set) {
    return [&set, texts = Texts(true), values = std::vector<ByteArray>(kValues)]() mutable {
      benchmark::DoNotOptimize(
          set.text.lay_out(texts.sizes.data(), kValues, texts.bytes.data(), values.data()));
    };
  });
  add_kernel("find_outside/16", Texts::kBytes, [](const Kernels& set) {
    return [&set, texts = Texts(true)] {
      const std::uint8_t* const end = texts.bytes.data() + texts.bytes.size();
      benchmark::DoNotOptimize(set.text.find_outside(texts.values.data(), kValues, end, PrefixRange{}));
    };
  });
  add_kernel("hash_arrays/0 to 31", Texts::kBytes, [](const Kernels& set) {
    return [&set, texts = Texts(true, Texts::Sizes::any),
            hashes = std::vector<std::uint64_t>(kValues)]() mutable {
      set.bloom.hash_arrays(texts.values.data(), kValues, hashes.data());
    };
  });
}

void add_hashes() {
  const auto add_hash = [](const char* name, std::size_t width, auto member,
                           const std::vector<std::uint8_t>& values) {
    add_kernel(name, kValues * width, [=](const Kernels& set) {
      return [=, &set, hashes = std::vector<std::uint64_t>(kValues)]() mutable {
        (set.bloom.*member)(values.data(), kValues, hashes.data());
      };
    });
  };
  add_hash("hash/32", 4, &BloomKernels::hash32, numbers_as_bytes<std::uint32_t>());
  add_hash("hash/64", 8, &BloomKernels::hash64, numbers_as_bytes<std::uint64_t>());
  add_kernel("missing/64", kValues * sizeof(std::uint64_t), [](const Kernels& set) {
    constexpr std::uint64_t kBlocks = 1024;  // 32 KiB
    return [&set, bitset = std::vector<std::uint8_t>(kBlocks * BloomBlock::kBytes, 0xFF), hashes = [] {
      std::vector<std::uint64_t> all(kValues);
      const std::vector<std::uint8_t> values = numbers_as_bytes<std::uint64_t>();
      reference_kernels().bloom.hash64(values.data(), kValues, all.data());
      return all;
    }()] {
      for (std::size_t i = 0; i < kValues; i += 64)
        benchmark::DoNotOptimize(set.bloom.missing(bitset.data(), kBlocks, hashes.data() + i, 64));
    };
  });
}

}  // namespace

void add_scan_kernels() {
  add_key_range("32", 4, &Kernels::key_range32, numbers_as_bytes<std::uint32_t>());
  add_key_range("64", 8, &Kernels::key_range64, numbers_as_bytes<std::uint64_t>());
  add_levels();
  add_texts();
  add_hashes();
}

}  // namespace parqproof::benchmarks
