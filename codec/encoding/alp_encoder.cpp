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

constexpr std::size_t kSample = 32;     // values of a vector that choose the exponents to be tried
constexpr std::size_t kCandidates = 4;  // exponents that are tried on all values

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
  if (taken == vector_.size()) return candidates.front().exponents;
  candidates.resize(kCandidates);
  for (Candidate& candidate : candidates) {
    integers.find(vector_, candidate.exponents);
    candidate.bits = integers.bits();
  }
  return std::ranges::min_element(candidates, {}, &Candidate::bits)->exponents;
}

template <std::floating_point F>
void AlpEncoder<F>::append_vector() {
  const EncodeOptions::Exponents exponents = options_->exponents ? *options_->exponents : best_exponents();
  Integers integers;
  integers.find(vector_, exponents);
  std::vector<std::uint16_t> positions;  // of the exceptions
  if (integers.fit.exact != vector_.size()) {
    const auto first = std::ranges::find(integers.exact, std::uint8_t{1}) - integers.exact.begin();
    const Integer<F> placeholder =
        integers.fit.exact == 0 ? 0 : integers.numbers[static_cast<std::size_t>(first)];
    for (std::size_t i = 0; i < vector_.size(); ++i) {
      if (integers.exact[i] != 0) continue;
      integers.numbers[i] = placeholder;
      positions.push_back(static_cast<std::uint16_t>(i));
    }
  }
  if (options_->exceptions_descending) std::ranges::reverse(positions);
  const U reference = integers.reference(options_->reference_slack);
  const auto largest = static_cast<U>(static_cast<U>(integers.fit.range.max) - reference);
  const unsigned width = std::min<unsigned>(bit_width_for(largest) + options_->spare_bits, sizeof(U) * 8);
  positions_.push_back(vectors_.size());
  append_le(vectors_, exponents.exponent, 1);
  append_le(vectors_, exponents.factor, 1);
  append_le(vectors_, positions.size(), 2);
  append_le(vectors_, reference, sizeof(F));
  append_le(vectors_, width, 1);
  const std::span<const U> numbers(reinterpret_cast<const U*>(integers.numbers.data()), vector_.size());
  append_packed(vectors_, numbers, width, vector_.size(), options_->padding, reference);
  for (const std::uint16_t position : positions) append_le(vectors_, position, kPositionBytes);
  for (const std::uint16_t position : positions) {
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
