// ALP sections of several vectors, with a fault in the first, a later and the last.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/encoding/pack.hpp"
#include "tests/encoding/decode.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kCount = 4 * 1024 + 101;  // five vectors

// Offsets of the parts of a vector of doubles, as AlpEncoding.md lays them out.
struct VectorAt {
  std::size_t start, reference, width, packed, positions, values, end;
  unsigned exponent, exceptions, bits;
};

class Vectors {
 public:
  // Decimal fractions with more digits from vector to vector; two of each vector are no decimal fractions.
  Vectors() {
    for (std::size_t i = 0; i < kCount; ++i) {
      const std::size_t vector = i / 1024;
      const double fraction = static_cast<double>(1000 + mixed(i) % (std::uint64_t{1000} << 2 * vector)) /
                              std::pow(10, static_cast<double>(vector));
      const bool exception = i % 1024 == 40 || i % 1024 == 71;
      numbers_.push_back(exception ? std::sqrt(static_cast<double>(i)) + 0.1 : fraction);
    }
    bytes_ = encode(Encoding::ALP, plain_numbers(Type::DOUBLE, numbers_));
  }

  [[nodiscard]] const Bytes& bytes() const { return bytes_; }
  [[nodiscard]] const std::vector<double>& numbers() const { return numbers_; }
  [[nodiscard]] VectorAt vector(std::size_t index) const {
    VectorAt at{};
    const std::size_t elements = index == 4 ? kCount - 4096 : 1024;
    at.start = 7 + load_le<std::uint32_t>(bytes_.data() + 7 + 4 * index);
    at.exponent = bytes_[at.start];
    at.exceptions = load_le<std::uint16_t>(bytes_.data() + at.start + 2);
    at.reference = at.start + 4;
    at.width = at.start + 12;
    at.bits = bytes_[at.width];
    at.packed = at.start + 13;
    at.positions = at.packed + (elements * at.bits + 7) / 8;
    at.values = at.positions + 2 * at.exceptions;
    at.end = at.values + 8 * at.exceptions;
    return at;
  }

 private:
  std::vector<double> numbers_;
  Bytes bytes_;
};

Decoded decode_alp(const Bytes& section) {
  return decode(section, spec_of(Encoding::ALP, Type::DOUBLE, kCount));
}

// Calls `check(vector, offsets of its parts)` for the first, the third and the last vector.
template <typename Check>
void in_three_vectors(const Vectors& section, Check check) {
  for (const std::size_t vector : {0U, 2U, 4U}) {
    INFO("vector " << vector);
    const VectorAt at = section.vector(vector);
    REQUIRE(at.exceptions == 2);
    check(vector, at);
  }
}

}  // namespace

TEST_CASE("ALP vectors have exponents, references and widths of their own") {
  const Vectors section;
  const Decoded decoded = decode_alp(section.bytes());
  CHECK(decoded.clean());
  CHECK((decoded.numbers<double>() == section.numbers()));
  CHECK(section.vector(0).exponent != section.vector(3).exponent);
  CHECK(section.vector(0).bits != section.vector(3).bits);
  CHECK(section.vector(4).end == section.bytes().size());
}

TEST_CASE("the first eight ALP vectors choose exponents freely, later ones among the first five choices") {
  constexpr std::size_t kVectors = 12;
  std::vector<double> numbers;
  for (std::size_t i = 0; i < kVectors * 1024; ++i) {
    const auto decimals = static_cast<double>(i / 1024 + 1);
    numbers.push_back(static_cast<double>(mixed(i) % 1000) / std::pow(10, decimals));
  }
  const Bytes bytes = encode(Encoding::ALP, plain_numbers(Type::DOUBLE, numbers));
  const Decoded decoded = decode(bytes, spec_of(Encoding::ALP, Type::DOUBLE, numbers.size()));
  CHECK(decoded.clean());
  CHECK((decoded.numbers<double>() == numbers));
  using Pair = std::pair<unsigned, unsigned>;
  std::vector<Pair> pairs;
  for (std::size_t vector = 0; vector < kVectors; ++vector) {
    const std::size_t at = 7 + load_le<std::uint32_t>(bytes.data() + 7 + 4 * vector);
    pairs.emplace_back(bytes[at], bytes[at + 1]);
    INFO("vector " << vector);
    if (vector < 8) {
      CHECK(load_le<std::uint16_t>(bytes.data() + at + 2) < 20);  // exceptions
      CHECK(pairs.back().first - pairs.back().second == vector + 1);
    } else {
      CHECK(std::find(pairs.begin(), pairs.begin() + 5, pairs.back()) != pairs.begin() + 5);
    }
  }
}

TEST_CASE("every batch of an ALP vector has the offset of its vector") {
  const Vectors section;
  std::vector<double> numbers;
  while (numbers.size() < 20'000)
    numbers.insert(numbers.end(), section.numbers().begin(), section.numbers().end());
  const Bytes bytes = encode(Encoding::ALP, plain_numbers(Type::DOUBLE, numbers), {.log_vector_size = 13});
  const Decoded decoded = decode(bytes, spec_of(Encoding::ALP, Type::DOUBLE, numbers.size()));
  CHECK((decoded.numbers<double>() == numbers));
  CHECK(decoded.batches.size() == 6);  // three vectors, two batches each
  for (const Decoded::Batch& batch : decoded.batches) {
    INFO("from value " << batch.first << " on");
    const auto vector = static_cast<std::size_t>(batch.first / 8192);
    CHECK(batch.offset == kBase + 7 + load_le<std::uint32_t>(bytes.data() + 7 + 4 * vector));
  }
}

TEST_CASE("errors of an ALP header have both found and expected",
          "[alp/header][alp/compression-mode][alp/integer-encoding][alp/log-vector-size][alp/num-elements]"
          "[alp/offset-array][alp/vector-size]") {
  const Vectors section;
  const Bytes& bytes = section.bytes();
  const auto check = [](const Decoded& decoded, Rule rule, std::size_t at, std::int64_t found,
                        std::int64_t expected) {
    CHECK_ERROR(decoded.error, rule, at, found, expected);
    CHECK(decoded.count == 0);
  };
  check(decode_alp(cut(bytes, 6)), Rule::alp_header, 0, 6, 7);
  check(decode_alp(with(bytes, 0, 3)), Rule::alp_compression_mode, 0, 3, 0);
  check(decode_alp(with(bytes, 1, 2)), Rule::alp_integer_encoding, 1, 2, 0);
  check(decode_alp(with(bytes, 2, 16)), Rule::alp_log_vector_size, 2, 16, 10);
  check(decode_alp(with(bytes, 2, 2)), Rule::alp_log_vector_size, 2, 2, 10);
  check(decode_alp(with(bytes, 3, static_cast<std::uint8_t>(bytes[3] + 1))), Rule::alp_num_elements, 3,
        kCount + 1, kCount);
  check(decode_alp(with(bytes, 6, 0x80)), Rule::alp_num_elements, 3,
        static_cast<std::int64_t>(kCount) + INT32_MIN, kCount);
  check(decode_alp(cut(bytes, 7 + 19)), Rule::alp_offset_array, 7, 19, 20);
  CHECK_ERROR(decode_alp(encode(Encoding::ALP, plain_numbers(Type::DOUBLE, section.numbers()),
                                {.log_vector_size = 12}))
                  .note(Rule::alp_vector_size),
              Rule::alp_vector_size, 2, 12, 10);
}

TEST_CASE("an ALP offset that is not that of its vector is an error, for whichever vector",
          "[alp/first-offset][alp/offsets-contiguous]") {
  const Vectors section;
  in_three_vectors(section, [&](std::size_t vector, const VectorAt& at) {
    const std::size_t entry = 7 + 4 * vector;
    const Decoded decoded = decode_alp(with(section.bytes(), entry + 3, 1));
    CHECK_ERROR(decoded.error, vector == 0 ? Rule::alp_first_offset : Rule::alp_offsets_contiguous, entry,
                at.start - 7 + (1 << 24), at.start - 7);
    CHECK(decoded.count == 0);  // all vectors are measured before the first value is delivered
  });
}

TEST_CASE("the fields of an ALP vector are judged at their offsets, in whichever vector",
          "[alp/exponent][alp/factor][alp/num-exceptions][alp/bit-width]") {
  const Vectors section;
  const Bytes& bytes = section.bytes();
  in_three_vectors(section, [&](std::size_t vector, const VectorAt& at) {
    const auto check = [&](std::size_t where, std::uint8_t value, Rule rule, std::size_t offset,
                           std::int64_t found, std::int64_t expected) {
      CHECK_ERROR(decode_alp(with(bytes, where, value)).error, rule, offset, found, expected);
    };
    check(at.start, 20, Rule::alp_exponent, at.start, 20, 18);
    const auto factor = static_cast<std::uint8_t>(at.exponent + 1);
    check(at.start + 1, factor, Rule::alp_factor, at.start + 1, factor, at.exponent);
    const std::size_t elements = vector == 4 ? 101 : 1024;
    check(at.start + 3, 5, Rule::alp_num_exceptions, at.start + 2, 5 * 256 + 2,
          static_cast<std::int64_t>(elements));
    check(at.width, 70, Rule::alp_bit_width, at.width, 70, 64);
  });
}

TEST_CASE("an ALP section that is cut is an error in the part that is cut, in whichever vector",
          "[alp/vector-header][alp/packed-length][alp/exceptions-complete]") {
  const Vectors section;
  in_three_vectors(section, [&](std::size_t, const VectorAt& at) {
    const auto check = [&](std::size_t size, Rule rule, std::size_t offset, std::size_t expected) {
      const Decoded decoded = decode_alp(cut(section.bytes(), size));
      CHECK_ERROR(decoded.error, rule, offset, size - offset, expected);
      CHECK(decoded.error->length == size - offset);
    };
    check(at.start + 12, Rule::alp_vector_header, at.start, 13);
    check(at.positions - 1, Rule::alp_packed_length, at.packed, at.positions - at.packed);
    check(at.end - 1, Rule::alp_exceptions_complete, at.positions, at.end - at.positions);
  });
}

TEST_CASE("of two wrong vectors the first one is reported", "[alp/exception-position][alp/exponent]") {
  const Vectors section;
  const Bytes broken = with(section.bytes(), section.vector(4).start, 20);
  CHECK_ERROR(decode_alp(broken).error, Rule::alp_exponent, section.vector(4).start);
  for (const std::size_t vector : {0U, 2U}) {
    INFO("vector " << vector);
    const std::size_t second = section.vector(vector).positions + 2;
    CHECK_ERROR(decode_alp(with(broken, second + 1, 4)).error, Rule::alp_exception_position, second,
                1024 + 71, 1023);
  }
}

TEST_CASE("exceptions of ALP are judged in whichever vector",
          "[alp/exception-position][alp/exception-duplicate][alp/exception-order][alp/exception-needless]") {
  const Vectors section;
  const Bytes& bytes = section.bytes();
  in_three_vectors(section, [&](std::size_t vector, const VectorAt& at) {
    REQUIRE(load_le<std::uint16_t>(bytes.data() + at.positions) == 40);
    REQUIRE(load_le<std::uint16_t>(bytes.data() + at.positions + 2) == 71);
    const std::size_t elements = vector == 4 ? 101 : 1024;
    const Decoded beyond = decode_alp(with(bytes, at.positions + 1, 4));
    CHECK_ERROR(beyond.error, Rule::alp_exception_position, at.positions, 1024 + 40, elements - 1);
    CHECK(beyond.count == vector * 1024);
    const Decoded twice = decode_alp(with(bytes, at.positions + 2, 40));
    CHECK_NOTE(twice, Rule::alp_exception_duplicate, at.positions + 2, 40, 0);
    CHECK(twice.count == kCount);
    const Decoded unordered = decode_alp(with(bytes, at.positions, 90));
    CHECK_NOTE(unordered, Rule::alp_exception_order, at.positions + 2, 71, 90);
    CHECK(unordered.times(Rule::alp_exception_order) == 1);
    // The second exception becomes 2.0.
    Bytes needless = bytes;
    const double two = 2.0;
    std::memcpy(needless.data() + at.values + 8, &two, sizeof two);
    const Decoded noted = decode_alp(needless);
    CHECK(noted.numbers<double>()[vector * 1024 + 71] == 2.0);
    CHECK_NOTE(noted, Rule::alp_exception_needless, at.values + 8);
    const unsigned factor = bytes[at.start + 1];
    CHECK_NUMBERS(noted.note(Rule::alp_exception_needless),
                  2 * std::llround(std::pow(10, at.exponent - factor)), 0);
  });
}

TEST_CASE("an ALP vector with wider fields than needed is noted in whichever vector",
          "[alp/frame-of-reference][alp/bit-width-minimal][alp/packed-padding]") {
  // Integers above a reference of their own, in vectors of eight; two bits are enough for each.
  for (const std::size_t faulty : {0U, 2U, 5U}) {
    INFO("vector " << faulty);
    Bytes section = hex("000003 30000000");
    std::vector<std::size_t> starts;
    for (unsigned i = 0; i < 6; ++i) append_le(section, 24 + 15 * i, 4);
    std::vector<double> expected;
    for (unsigned i = 0; i < 6; ++i) {
      starts.push_back(section.size());
      const std::uint64_t reference = 100 * i;
      const std::vector<std::uint64_t> deltas{i == faulty ? 1U : 0U, 1, 2, 3, 1, 2, 3, 3};
      append_le(section, 0, 4);
      append_le(section, reference, 8);
      append_le(section, 2, 1);
      append_packed(section, std::span<const std::uint64_t>(deltas), 2, 8, 0);
      for (const std::uint64_t delta : deltas) expected.push_back(static_cast<double>(reference + delta));
    }
    const ValueSpec spec = spec_of(Encoding::ALP, Type::DOUBLE, 48);
    const Decoded above = decode(section, spec);
    CHECK(above.numbers<double>() == expected);
    CHECK_NOTE(above, Rule::alp_frame_of_reference, starts[faulty] + 4, 1, 0);
    CHECK(above.times(Rule::alp_frame_of_reference) == 1);
    CHECK_FALSE(above.note(Rule::alp_bit_width_minimal));
    // The same vector with deltas of one bit.
    const std::size_t packed = starts[faulty] + 13;
    const Decoded wide = decode(with(with(section, packed, 0x54), packed + 1, 0x11), spec);
    CHECK_NOTE(wide, Rule::alp_bit_width_minimal, starts[faulty] + 12, 2, 1);
    CHECK(wide.times(Rule::alp_bit_width_minimal) == 1);
  }
  const Vectors section;
  const VectorAt last = section.vector(4);
  REQUIRE(101 * last.bits % 8 != 0);
  const auto padded_byte = static_cast<std::uint8_t>(section.bytes()[last.positions - 1] | 0x80);
  const Decoded padded = decode_alp(with(section.bytes(), last.positions - 1, padded_byte));
  CHECK((padded.numbers<double>() == section.numbers()));
  CHECK_NOTE(padded, Rule::alp_packed_padding, last.positions - 1, padded_byte,
             section.bytes()[last.positions - 1]);
}

}  // namespace parqproof
