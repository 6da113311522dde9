// The kernels of encoders, and those for values in big-endian bit order.
#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "tests/kernel/cases.hpp"

namespace parqproof {
namespace {

std::size_t packed_size(std::size_t count, unsigned width) { return (count * width + 7) / 8; }

// Numbers whose differences are small, large, and around the limits of the type.
template <typename T>
std::vector<std::vector<T>> hard_vectors(std::size_t count) {
  std::vector<std::vector<T>> all;
  for (const unsigned shift : {0U, 7U, static_cast<unsigned>(sizeof(T) * 8 - 2)}) {
    all.push_back(random_vector<T>(count));
    for (T& value : all.back()) value = static_cast<T>(value >> shift);
  }
  all.emplace_back(count, T{7});
  all.emplace_back(count);
  for (std::size_t i = 0; i < count; ++i)
    all.back()[i] = i % 3 == 0 ? std::numeric_limits<T>::max() / 2 : T{0} - T(i);
  return all;
}

template <typename T, typename Pack>
std::vector<std::uint8_t> pack_at_end(Pack pack, const std::vector<T>& values, T base, unsigned width,
                                      int fill) {
  Exact<T> in(values);
  Exact<std::uint8_t> out(packed_size(values.size(), width), fill);
  pack(in.data(), base, width, values.size(), out.data());
  return out.all();
}

template <typename T>
void compare_pack(auto member, auto unpack) {
  for (unsigned width = 0; width <= sizeof(T) * 8; ++width) {
    for (const std::size_t count : kCounts) {
      const auto values = random_vector<T>(count);
      for (const T base : {T{0}, static_cast<T>(random_numbers())}) {
        INFO("width " << width << ", count " << count << ", base " << base);
        const auto expected = pack_at_end<T>(reference_kernels().*member, values, base, width, 0);
        std::vector<T> back(count);
        (reference_kernels().*unpack)(expected.data(), expected.size(), width, count, back.data());
        const T mask =
            width == sizeof(T) * 8 ? std::numeric_limits<T>::max() : static_cast<T>((T{1} << width) - 1);
        for (std::size_t i = 0; i < count; ++i) {
          if (back[i] != (static_cast<T>(values[i] - base) & mask)) FAIL("value " << i);
        }
        for_each_fast([&](const Kernels& set) {
          for (const int fill : kFills)
            REQUIRE(pack_at_end<T>(set.*member, values, base, width, fill) == expected);
        });
      }
    }
  }
}

template <typename T, typename S>
void compare_difference(auto member) {
  for (const std::size_t count : kCounts) {
    for (const std::vector<T>& values : hard_vectors<T>(count + 1)) {
      Exact<T> expected(values);
      std::vector<KeyRange<S>> expected_ranges((count + kDifferences - 1) / kDifferences);
      (reference_kernels().*member)(expected.data(), count, expected_ranges.data());
      for_each_fast([&](const Kernels& set) {
        INFO("count " << count);
        Exact<T> differences(values);
        std::vector<KeyRange<S>> ranges(expected_ranges.size());
        (set.*member)(differences.data(), count, ranges.data());
        REQUIRE(differences.all() == expected.all());
        REQUIRE(ranges == expected_ranges);
      });
    }
  }
}

}  // namespace

TEST_CASE("the reference packs the examples of the specification: 0 to 7 in three bits, in both orders") {
  const std::vector<std::uint32_t> values{0, 1, 2, 3, 4, 5, 6, 7};
  std::vector<std::uint8_t> bytes(3);
  reference_kernels().pack32(values.data(), 0, 3, values.size(), bytes.data());
  CHECK(bytes == std::vector<std::uint8_t>{0x88, 0xC6, 0xFA});  // Encodings.md#RLE
  reference_kernels().pack32_msb(values.data(), 3, values.size(), bytes.data());
  CHECK(bytes == std::vector<std::uint8_t>{0x05, 0x39, 0x77});  // Encodings.md#BITPACKED
  std::vector<std::uint32_t> back(8);
  reference_kernels().unpack32_msb(bytes.data(), bytes.size(), 3, back.size(), back.data());
  CHECK(back == values);
}

TEST_CASE(
    "all kernels pack 32-bit numbers of every width like the reference, and write no byte beyond them") {
  compare_pack<std::uint32_t>(&Kernels::pack32, &Kernels::unpack32);
}

TEST_CASE(
    "all kernels pack 64-bit numbers of every width like the reference, and write no byte beyond them") {
  compare_pack<std::uint64_t>(&Kernels::pack64, &Kernels::unpack64);
}

TEST_CASE("all kernels pack and unpack like the reference where the most significant bit comes first") {
  for (unsigned width = 1; width <= 32; ++width) {
    for (const std::size_t count : kCounts) {
      INFO("width " << width << ", count " << count);
      Exact<std::uint32_t> values(random_vector<std::uint32_t>(count));
      const std::size_t size = packed_size(count, width);
      Exact<std::uint8_t> expected(size);
      reference_kernels().pack32_msb(values.data(), width, count, expected.data());
      for_each_fast([&](const Kernels& set) {
        for (const int fill : kFills) {
          Exact<std::uint8_t> bytes(size, fill);
          set.pack32_msb(values.data(), width, count, bytes.data());
          REQUIRE(bytes.all() == expected.all());
        }
      });
      for (const std::size_t slack : {0UL, 3UL, 64UL}) {
        auto longer = expected.all();
        longer.resize(size + slack, 0xFF);
        Exact<std::uint8_t> bytes(longer);
        Exact<std::uint32_t> back(count);
        reference_kernels().unpack32_msb(bytes.data(), size + slack, width, count, back.data());
        for (std::size_t i = 0; i < count; ++i) {
          if (back.data()[i] != (values.data()[i] & (0xFFFF'FFFFU >> (32 - width)))) FAIL("value " << i);
        }
        for_each_fast([&](const Kernels& set) {
          for (const int fill : kFills) {
            Exact<std::uint32_t> out(count, fill);
            set.unpack32_msb(bytes.data(), size + slack, width, count, out.data());
            REQUIRE(out.all() == back.all());
          }
        });
      }
    }
  }
}

TEST_CASE(
    "all kernels find the differences of numbers and their ranges like the reference, and wrap around") {
  compare_difference<std::uint32_t, std::int32_t>(&Kernels::difference32);
  compare_difference<std::uint64_t, std::int64_t>(&Kernels::difference64);
}

TEST_CASE("differences are those of neighbours, and each 32 have their range") {
  std::vector<std::uint32_t> values(40);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint32_t>(i * i);
  values.back() = 0;
  KeyRange<std::int32_t> ranges[2];
  reference_kernels().difference32(values.data(), 39, ranges);
  CHECK(values[0] == 1);
  CHECK(values[37] == 75);
  CHECK(ranges[0] == KeyRange<std::int32_t>{1, 63});
  CHECK(ranges[1] == KeyRange<std::int32_t>{-38 * 38, 75});
}

TEST_CASE("all kernels split values into streams like the reference, and join them again") {
  for (const std::uint32_t width : kSplitWidths) {
    for (const std::size_t count : kCounts) {
      for (const std::size_t stride : {count, count + 5}) {
        Exact<std::uint8_t> values(random_vector<std::uint8_t>(count * width));
        const std::size_t size = count == 0 ? 0 : (width - 1) * stride + count;
        for (const int fill : kFills) {
          Exact<std::uint8_t> expected(size, fill);
          reference_kernels().split(values.data(), width, count, stride, expected.data());
          std::vector<std::uint8_t> back(count * width);
          reference_kernels().unsplit(expected.data(), stride, width, count, back.data());
          REQUIRE(back == values.all());
          for_each_fast([&](const Kernels& set) {
            INFO("width " << width << ", count " << count << ", stride " << stride);
            Exact<std::uint8_t> streams(size, fill);
            set.split(values.data(), width, count, stride, streams.data());
            REQUIRE(streams.all() == expected.all());
          });
        }
      }
    }
  }
}

}  // namespace parqproof
