#include <algorithm>
#include <cstring>

#include "codec/base/bits.hpp"
#include "codec/encoding/alp.hpp"
#include "codec/encoding/alp_numbers.hpp"
#include "codec/encoding/pack.hpp"

namespace parqproof {

using namespace alp;

namespace {

constexpr std::size_t kSample = 32;     // values of a vector that choose the exponents to be tried
constexpr std::size_t kCandidates = 4;  // exponents that are tried on all values

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
  count_ = 0;
  vector_.clear();
  vectors_.clear();
  positions_.clear();
  if (options_->log_vector_size < kMinLogVectorSize || options_->log_vector_size > kMaxLogVectorSize) {
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
  const std::size_t size = std::size_t{1} << options_->log_vector_size;
  for (std::uint64_t done = 0; done < batch.count;) {
    const std::size_t held = vector_.size();
    const auto taken = static_cast<std::size_t>(std::min<std::uint64_t>(batch.count - done, size - held));
    vector_.resize(held + taken);
    std::memcpy(vector_.data() + held, batch.fixed + done * sizeof(F), taken * sizeof(F));
    done += taken;
    if (vector_.size() == size) append_vector();
  }
  count_ += batch.count;
  return {};
}

// The exponents that do best on a sample of the vector are tried on all of it.
template <std::floating_point F>
EncodeOptions::Exponents AlpEncoder<F>::best_exponents() const {
  struct Candidate {
    EncodeOptions::Exponents exponents;
    std::size_t bits = SIZE_MAX;
  };
  std::array<F, kSample> sample{};
  const std::size_t taken = std::min(vector_.size(), kSample);
  for (std::size_t i = 0; i < taken; ++i) sample[i] = vector_[i * vector_.size() / taken];
  std::vector<Candidate> candidates;
  for (unsigned exponent = 0; exponent <= Powers<F>::kMaxExponent; ++exponent) {
    for (unsigned factor = 0; factor <= exponent; ++factor) {
      const EncodeOptions::Exponents exponents{exponent, factor};
      candidates.push_back({exponents, Integers(sample.data(), taken, exponents).bits()});
    }
  }
  std::ranges::stable_sort(candidates, {}, &Candidate::bits);
  if (taken == vector_.size()) return candidates.front().exponents;
  candidates.resize(kCandidates);
  for (Candidate& candidate : candidates) {
    candidate.bits = Integers(vector_.data(), vector_.size(), candidate.exponents).bits();
  }
  return std::ranges::min_element(candidates, {}, &Candidate::bits)->exponents;
}

template <std::floating_point F>
void AlpEncoder<F>::append_vector() {
  const EncodeOptions::Exponents exponents = options_->exponents ? *options_->exponents : best_exponents();
  Integers integers(vector_.data(), vector_.size(), exponents);
  if (options_->reference_slack != 0) integers.lower(options_->reference_slack);
  const unsigned width = std::min<unsigned>(integers.width + options_->spare_bits, sizeof(U) * 8);
  if (options_->exceptions_descending) std::ranges::reverse(integers.positions);
  positions_.push_back(vectors_.size());
  append_le(vectors_, exponents.exponent, 1);
  append_le(vectors_, exponents.factor, 1);
  append_le(vectors_, integers.positions.size(), 2);
  append_le(vectors_, static_cast<U>(integers.reference), sizeof(F));
  append_le(vectors_, width, 1);
  append_packed(vectors_, std::span<const U>(integers.deltas), width, vector_.size(), options_->padding);
  for (const std::uint16_t position : integers.positions) append_le(vectors_, position, kPositionBytes);
  for (const std::uint16_t position : integers.positions) {
    append_le(vectors_, std::bit_cast<U>(vector_[position]), sizeof(F));
  }
  vector_.clear();
}

template <std::floating_point F>
EncodeStatus AlpEncoder<F>::finish() {
  if (!vector_.empty()) append_vector();
  const std::size_t offsets = positions_.size() * kOffsetBytes;
  if (count_ > INT32_MAX || offsets + vectors_.size() > UINT32_MAX) {
    return std::unexpected("more values, or more bytes of vectors, than the header and the offsets can tell");
  }
  append_le(*out_, options_->log_vector_size << 16, 3);
  append_le(*out_, count_, 4);
  for (const std::size_t position : positions_) append_le(*out_, offsets + position, kOffsetBytes);
  out_->insert(out_->end(), vectors_.begin(), vectors_.end());
  return {};
}

template class AlpEncoder<float>;
template class AlpEncoder<double>;

}  // namespace parqproof
