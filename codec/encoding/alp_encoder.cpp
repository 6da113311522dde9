#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <span>

#include "codec/base/bits.hpp"
#include "codec/encoding/alp.hpp"
#include "codec/encoding/alp_numbers.hpp"
#include "codec/encoding/pack.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {

using namespace alp;

namespace {

constexpr std::size_t kSample = 32;       // values of a vector that choose the exponents to be tried
constexpr std::size_t kCandidates = 4;    // exponents that are tried on all values
constexpr std::size_t kWorthPercent = 3;  // that an unusual vector size has to save

}  // namespace

/// The values of a vector as integers. An integer that stands for its value within `range`; what integers
/// cannot express is kept aside.
template <std::floating_point F>
struct AlpEncoder<F>::Integers {
  std::vector<Integer<F>> numbers;
  std::vector<std::uint8_t> exact;  // whether numbers[i] expresses value i
  AlpFit<Integer<F>> fit;

  void find(std::span<const F> values, EncodeOptions::Exponents exponents) {
    const AlpScale<F> scale = scale_of<F>(exponents.exponent, exponents.factor);
    numbers.resize(values.size());
    exact.resize(values.size());
    if constexpr (sizeof(F) == 4) {
      fit = kernels().alp_encode32(values.data(), values.size(), scale, numbers.data(), exact.data());
    } else {
      fit = kernels().alp_encode64(values.data(), values.size(), scale, numbers.data(), exact.data());
    }
    if (fit.exact == 0) fit.range = {0, 0};
  }

  [[nodiscard]] U spread() const noexcept {
    return static_cast<U>(static_cast<U>(fit.range.max) - static_cast<U>(fit.range.min));
  }
  [[nodiscard]] std::size_t bits() const noexcept {
    return numbers.size() * bit_width_for(spread()) +
           (numbers.size() - fit.exact) * 8 * (kPositionBytes + sizeof(F));
  }
  /// The frame of reference: the smallest integer, or less, as far as both numbers and differences stay in
  /// the type.
  [[nodiscard]] U reference(std::uint32_t slack) const noexcept {
    const auto min = static_cast<U>(fit.range.min);
    const auto above_lowest = static_cast<U>(min - static_cast<U>(std::numeric_limits<Integer<F>>::min()));
    const auto room = static_cast<U>(std::numeric_limits<U>::max() - spread());
    return static_cast<U>(min - std::min({room, above_lowest, U{slack}}));
  }
};

template <std::floating_point F>
EncodeStatus AlpEncoder<F>::open(const NewSection& section) {
  options_ = &section.options;
  out_ = &section.out;
  values_.clear();
  const auto& log = options_->log_vector_size;
  if (log && (*log < kMinLogVectorSize || *log > kMaxLogVectorSize)) {
    return std::unexpected("the vector size is not a power of two from 8 to 32768");
  }
  const auto& exponents = options_->exponents;
  if (exponents &&
      (exponents->exponent > Powers<F>::kMaxExponent || exponents->factor > exponents->exponent)) {
    return std::unexpected("the exponent is too large for the type, or the factor is above it");
  }
  return {};
}

template <std::floating_point F>
EncodeStatus AlpEncoder<F>::add(const ValueBatch& batch) {
  const std::size_t held = values_.size();
  values_.resize(held + static_cast<std::size_t>(batch.count));
  if (batch.count != 0) std::memcpy(values_.data() + held, batch.fixed, batch.count * sizeof(F));
  return {};
}

// The exponents that do best on a sample of the vector are tried on all of it.
template <std::floating_point F>
EncodeOptions::Exponents AlpEncoder<F>::best_exponents(std::span<const F> vector) const {
  if (options_->exponents) return *options_->exponents;
  struct Candidate {
    EncodeOptions::Exponents exponents;
    std::size_t bits = SIZE_MAX;
  };
  std::array<F, kSample> sample{};
  const std::size_t taken = std::min(vector.size(), kSample);
  for (std::size_t i = 0; i < taken; ++i) sample[i] = vector[i * vector.size() / taken];
  Integers integers;
  std::vector<Candidate> candidates;
  for (unsigned exponent = 0; exponent <= Powers<F>::kMaxExponent; ++exponent) {
    for (unsigned factor = 0; factor <= exponent; ++factor) {
      const EncodeOptions::Exponents exponents{exponent, factor};
      integers.find({sample.data(), taken}, exponents);
      candidates.push_back({exponents, integers.bits()});
    }
  }
  std::ranges::stable_sort(candidates, {}, &Candidate::bits);
  if (taken == vector.size()) return candidates.front().exponents;
  candidates.resize(kCandidates);
  for (Candidate& candidate : candidates) {
    integers.find(vector, candidate.exponents);
    candidate.bits = integers.bits();
  }
  return std::ranges::min_element(candidates, {}, &Candidate::bits)->exponents;
}

template <std::floating_point F>
void AlpEncoder<F>::append_vector(std::span<const F> vector, std::vector<std::uint8_t>& out) const {
  const EncodeOptions::Exponents exponents = best_exponents(vector);
  Integers integers;
  integers.find(vector, exponents);
  std::vector<std::uint16_t> positions;  // of the exceptions
  if (integers.fit.exact != vector.size()) {
    const auto first = std::ranges::find(integers.exact, std::uint8_t{1}) - integers.exact.begin();
    const Integer<F> placeholder =
        integers.fit.exact == 0 ? 0 : integers.numbers[static_cast<std::size_t>(first)];
    for (std::size_t i = 0; i < vector.size(); ++i) {
      if (integers.exact[i] != 0) continue;
      integers.numbers[i] = placeholder;
      positions.push_back(static_cast<std::uint16_t>(i));
    }
  }
  if (options_->exceptions_descending) std::ranges::reverse(positions);
  const U reference = integers.reference(options_->reference_slack);
  const auto largest = static_cast<U>(static_cast<U>(integers.fit.range.max) - reference);
  const unsigned width = std::min<unsigned>(bit_width_for(largest) + options_->spare_bits, sizeof(U) * 8);
  append_le(out, exponents.exponent, 1);
  append_le(out, exponents.factor, 1);
  append_le(out, positions.size(), 2);
  append_le(out, reference, sizeof(F));
  append_le(out, width, 1);
  const std::span<const U> numbers(reinterpret_cast<const U*>(integers.numbers.data()), vector.size());
  append_packed(out, numbers, width, vector.size(), options_->padding, reference);
  for (const std::uint16_t position : positions) append_le(out, position, kPositionBytes);
  for (const std::uint16_t position : positions) {
    append_le(out, std::bit_cast<U>(vector[position]), sizeof(F));
  }
}

// Appends offsets and vectors of 2^log values.
template <std::floating_point F>
EncodeStatus AlpEncoder<F>::append_vectors(unsigned log, std::vector<std::uint8_t>& out) const {
  const std::size_t size = std::size_t{1} << log;
  const std::size_t start = out.size();
  out.resize(start + static_cast<std::size_t>(ceil_div(values_.size(), size)) * kOffsetBytes);
  for (std::size_t i = 0; i * size < values_.size(); ++i) {
    const std::size_t offset = out.size() - start;
    if (offset > UINT32_MAX)
      return std::unexpected("the vectors take more bytes than their offsets can tell");
    const auto word = static_cast<std::uint32_t>(offset);
    std::memcpy(out.data() + start + i * kOffsetBytes, &word, sizeof word);
    append_vector(std::span(values_).subspan(i * size, std::min(size, values_.size() - i * size)), out);
  }
  return {};
}

template <std::floating_point F>
EncodeStatus AlpEncoder<F>::finish() {
  if (values_.size() > INT32_MAX) return std::unexpected("more than 2147483647 values in a section");
  unsigned log = options_->log_vector_size.value_or(kDefaultLogVectorSize);
  std::vector<std::uint8_t> vectors;
  if (const EncodeStatus appended = append_vectors(log, vectors); !appended) return appended;
  if (!options_->log_vector_size) {
    const std::size_t worth = vectors.size() - vectors.size() * kWorthPercent / 100;
    std::vector<std::uint8_t> others;
    for (unsigned other = kMinLogVectorSize; other <= kMaxLogVectorSize; ++other) {
      others.clear();
      const bool fits = append_vectors(other, others).has_value();
      if (!fits || others.size() >= worth || others.size() >= vectors.size()) continue;
      vectors.swap(others);
      log = other;
    }
  }
  append_le(*out_, log << 16, 3);
  append_le(*out_, values_.size(), 4);
  out_->insert(out_->end(), vectors.begin(), vectors.end());
  return {};
}

template class AlpEncoder<float>;
template class AlpEncoder<double>;

}  // namespace parqproof
