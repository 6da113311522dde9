// Encoders write the same bytes with all kernels and from batches of any size.
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <vector>

#include "codec/encoding/encode.hpp"
#include "codec/encoding/table.hpp"
#include "codec/kernel/kernels.hpp"
#include "tests/encoding/decode.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kValues = 3000;
constexpr std::uint32_t kTypeLength = 5;

// Values of one shape in each form: stretches of noise of some bits, with runs between them.
struct Values {
  std::vector<std::uint8_t> fixed;
  std::vector<ByteArray> byte_arrays;
  std::vector<std::uint8_t> booleans;
  std::vector<std::uint32_t> indices;
  std::uint32_t width;
  ValueBatch::Form form;

  Values(Encoding encoding, Type type, unsigned bits)
      : width(fixed_width(type, kTypeLength)), form(PlainValues{.type = type}.batch(encoding).form) {
    std::mt19937_64 random(bits);
    std::uint64_t number = 0;
    std::size_t run = 0;
    for (std::size_t i = 0; i < kValues; ++i) {
      if (run == 0) {
        number = random() >> (64 - bits);
        run = random() % 16 == 0 ? 1 + random() % 300 : 1;
      }
      --run;
      booleans.push_back(number & 1);
      indices.push_back(static_cast<std::uint32_t>(number));
      add(type, number);
    }
    for (std::size_t i = 0; i < kValues && type == Type::BYTE_ARRAY; ++i)
      byte_arrays.push_back({fixed.data() + i * 8, static_cast<std::uint32_t>(indices[i] % 9)});
  }

  void add(Type type, std::uint64_t number) {
    if (type == Type::FLOAT) return put(static_cast<float>(number) / 10, 4);
    if (type == Type::DOUBLE) return put(static_cast<double>(number) / 1000, 8);
    put(number, type == Type::BYTE_ARRAY ? 8 : std::min<std::size_t>(width, 8));
    for (std::size_t k = 8; k < width; ++k) fixed.push_back(1);
  }
  template <typename T>
  void put(T value, std::size_t size) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&value);
    fixed.insert(fixed.end(), bytes, bytes + size);
  }

  // The values [first, first + count).
  [[nodiscard]] ValueBatch batch(std::size_t first, std::size_t count) const {
    return {.form = form,
            .count = count,
            .fixed = fixed.data() + first * width,
            .byte_arrays = byte_arrays.data() + (byte_arrays.empty() ? 0 : first),
            .booleans = booleans.data() + first,
            .indices = indices.data() + first};
  }
};

std::vector<std::uint8_t> encode(const Values& values, Encoding encoding, Type type,
                                 const EncodeOptions& options, std::size_t at_once) {
  std::vector<std::uint8_t> out{0xEE};
  ValueEncoder encoder;
  bool sound = encoder.open(encoding, {type, kTypeLength, options, out}).has_value();
  for (std::size_t first = 0; first < kValues; first += at_once)
    sound = sound && encoder.add(values.batch(first, std::min(at_once, kValues - first))).has_value();
  CHECK((sound && encoder.finish()));
  return out;
}

}  // namespace

TEST_CASE("every encoder writes the same bytes with all kernels, and from batches of any size") {
  for_each_codec([](const EncodingInfo& row, Type type) {
    for (const unsigned bits : {1U, 6U, 11U, 17U, 31U}) {
      INFO(bits << " bits");
      const Values values(row.encoding, type, bits);
      const EncodeOptions padded{.padding = 0xA5, .log_vector_size = 10};
      for (const EncodeOptions& options : {EncodeOptions{}, padded}) {
        use_kernels(reference_kernels());
        const auto expected = encode(values, row.encoding, type, options, kValues);
        for (const Kernels* set : all_kernels()) {
          use_kernels(*set);
          for (const std::size_t at_once : {std::size_t{1}, std::size_t{7}, std::size_t{1000}, kValues}) {
            if (encode(values, row.encoding, type, options, at_once) != expected)
              FAIL_CHECK(set->name << ", " << at_once << " at once");
          }
        }
        use_kernels(*all_kernels().back());
      }
    }
  });
}

TEST_CASE("levels are written as the same bytes with all kernels, and from batches of any size") {
  LevelEncoder used;
  for (const EncodingInfo& row : all_encodings()) {
    if (!row.levels.exists()) continue;
    for (const unsigned bits : {1U, 2U, 3U, 7U, 12U}) {
      INFO(row.name() << ", " << bits << " bits");
      const Values values(Encoding::RLE_DICTIONARY, Type::INT32, bits);
      const auto write = [&](LevelEncoder& encoder, std::size_t at_once) {
        const EncodeOptions options;
        std::vector<std::uint8_t> out{0xEE};
        CHECK(encoder.open(row.encoding, {bits, options, out}));
        for (std::size_t first = 0; first < kValues; first += at_once)
          encoder.add(std::span(values.indices).subspan(first, std::min(at_once, kValues - first)));
        encoder.finish();
        return out;
      };
      use_kernels(reference_kernels());
      LevelEncoder fresh;
      const auto expected = write(fresh, kValues);
      for (const Kernels* set : all_kernels()) {
        use_kernels(*set);
        for (const std::size_t at_once : {std::size_t{1}, std::size_t{13}, std::size_t{1024}, kValues}) {
          if (write(used, at_once) != expected) FAIL_CHECK(set->name << ", " << at_once << " at once");
        }
      }
      use_kernels(*all_kernels().back());
    }
  }
}

}  // namespace parqproof
