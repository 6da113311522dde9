#include <algorithm>
#include <cstring>

#include "codec/base/bits.hpp"
#include "codec/encoding/alp.hpp"
#include "codec/encoding/alp_numbers.hpp"
#include "codec/encoding/pack.hpp"

namespace parqproof {

using namespace alp;

namespace {

constexpr std::size_t kSample = 32;       // values of a vector that choose the exponents to be tried
constexpr std::size_t kCandidates = 4;    // exponents that are tried on all values
constexpr std::size_t kWorthPercent = 3;  // that an unusual vector size has to save

}  // namespace

/// Values as integers; what they cannot express is kept aside.
template <std::floating_point F>
struct AlpEncoder<F>::Integers {
  std::vector<U> deltas;
  std::vector<std::uint16_t> positions;  // of the exceptions
  Integer<F> reference = 0;
  unsigned width = 0;

  Integers(const F* values, std::size_t count, EncodeOptions::Exponents exponents) : deltas(count) {
    std::vector<Integer<F>> integers(count);
    Integer<F> placeholder = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (encode(values[i], exponents.exponent, exponents.factor, integers[i])) {
        if (positions.size() == i) placeholder = integers[i];
      } else {
        positions.push_back(static_cast<std::uint16_t>(i));
      }
    }
    for (const std::uint16_t position : positions) integers[position] = placeholder;
    reference = *std::min_element(integers.begin(), integers.end());
    for (std::size_t i = 0; i < count; ++i) {
      deltas[i] = static_cast<U>(static_cast<U>(integers[i]) - static_cast<U>(reference));
    }
    width = width_of(std::span<const U>(deltas));
  }

  [[nodiscard]] std::size_t bits() const noexcept {
    return deltas.size() * width + positions.size() * 8 * (kPositionBytes + sizeof(F));
  }

  /// Moves the frame of reference down, as far as both numbers and differences stay in the type.
  void lower(std::uint32_t slack) {
    U highest = 0;
    for (const U delta : deltas) highest = std::max(highest, delta);
    const auto above_lowest =
        static_cast<U>(static_cast<U>(reference) - static_cast<U>(std::numeric_limits<Integer<F>>::min()));
    const U step =
        std::min({static_cast<U>(std::numeric_limits<U>::max() - highest), above_lowest, U{slack}});
    reference = static_cast<Integer<F>>(static_cast<U>(reference) - step);
    for (U& delta : deltas) delta = static_cast<U>(delta + step);
    width = width_of(std::span<const U>(deltas));
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
  std::vector<Candidate> candidates;
  for (unsigned exponent = 0; exponent <= Powers<F>::kMaxExponent; ++exponent) {
    for (unsigned factor = 0; factor <= exponent; ++factor) {
      const EncodeOptions::Exponents exponents{exponent, factor};
      candidates.push_back({exponents, Integers(sample.data(), taken, exponents).bits()});
    }
  }
  std::ranges::stable_sort(candidates, {}, &Candidate::bits);
  if (taken == vector.size()) return candidates.front().exponents;
  candidates.resize(kCandidates);
  for (Candidate& candidate : candidates) {
    candidate.bits = Integers(vector.data(), vector.size(), candidate.exponents).bits();
  }
  return std::ranges::min_element(candidates, {}, &Candidate::bits)->exponents;
}

template <std::floating_point F>
void AlpEncoder<F>::append_vector(std::span<const F> vector, std::vector<std::uint8_t>& out) const {
  const EncodeOptions::Exponents exponents = best_exponents(vector);
  Integers integers(vector.data(), vector.size(), exponents);
  if (options_->reference_slack != 0) integers.lower(options_->reference_slack);
  const unsigned width = std::min<unsigned>(integers.width + options_->spare_bits, sizeof(U) * 8);
  if (options_->exceptions_descending) std::ranges::reverse(integers.positions);
  append_le(out, exponents.exponent, 1);
  append_le(out, exponents.factor, 1);
  append_le(out, integers.positions.size(), 2);
  append_le(out, static_cast<U>(integers.reference), sizeof(F));
  append_le(out, width, 1);
  append_packed(out, std::span<const U>(integers.deltas), width, vector.size(), options_->padding);
  for (const std::uint16_t position : integers.positions) append_le(out, position, kPositionBytes);
  for (const std::uint16_t position : integers.positions) {
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
