#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/encoding/alp/alp.hpp"
#include "codec/encoding/alp/alp_numbers.hpp"
#include "codec/encoding/pack.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {

using alp::kOffsetBytes;
using alp::kPositionBytes;
using alp::Powers;
using alp::scale_of;

namespace {

// Sampling parameters of AlpEncoding.md#parameter-selection.
constexpr std::size_t kSample = 256;        // sampled values of a vector
constexpr std::size_t kMaxPresets = 5;      // max preset pairs of exponent and factor
constexpr std::size_t kSampledVectors = 8;  // vectors for which all pairs are tried

}  // namespace

template <std::floating_point F>
void AlpEncoder<F>::Integers::find(std::span<const F> values, Exponents exponents) {
  const AlpScale<F> scale = scale_of<F>(exponents.exponent, exponents.factor);
  count = values.size();
  numbers.resize(std::max(numbers.size(), count));
  exact.resize(std::max(exact.size(), count));
  if constexpr (sizeof(F) == 4) {
    fit = kernels().alp_encode32(values.data(), count, scale, numbers.data(), exact.data());
  } else {
    fit = kernels().alp_encode64(values.data(), count, scale, numbers.data(), exact.data());
  }
  if (fit.exact == 0) fit.range = {0, 0};
}

template <std::floating_point F>
auto AlpEncoder<F>::Integers::spread() const noexcept -> U {
  return static_cast<U>(static_cast<U>(fit.range.max) - static_cast<U>(fit.range.min));
}

// Returns the bytes of the packed integers and the exceptions.
template <std::floating_point F>
std::size_t AlpEncoder<F>::Integers::bits() const noexcept {
  return count * bit_width_for(spread()) + (count - fit.exact) * 8 * (kPositionBytes + sizeof(F));
}

// Returns the frame of reference: the smallest integer minus the slack, limited so that neither the frame of
// reference nor the differences overflow.
template <std::floating_point F>
auto AlpEncoder<F>::Integers::reference(std::uint32_t slack) const noexcept -> U {
  const auto min = static_cast<U>(fit.range.min);
  const auto above_lowest = static_cast<U>(min - static_cast<U>(std::numeric_limits<alp::Integer<F>>::min()));
  const auto room = static_cast<U>(std::numeric_limits<U>::max() - spread());
  return static_cast<U>(min - std::min({room, above_lowest, U{slack}}));
}

// Turns the first `most` exact values into exceptions.
template <std::floating_point F>
void AlpEncoder<F>::Integers::drop(std::size_t most) noexcept {
  fit = {0, {0, 0}};
  for (std::size_t i = 0; i < count; ++i) {
    if (exact[i] == 0) continue;
    if (most != 0) {
      exact[i] = 0;
      --most;
      continue;
    }
    if (fit.exact++ == 0) fit.range = {numbers[i], numbers[i]};
    fit.range = {std::min(fit.range.min, numbers[i]), std::max(fit.range.max, numbers[i])};
  }
}

// Returns the integer stored in place of exceptions; 0 if all values are exceptions.
template <std::floating_point F>
alp::Integer<F> AlpEncoder<F>::Integers::placeholder(EncodeOptions::Placeholder which) const noexcept {
  using Placeholder = EncodeOptions::Placeholder;
  if (fit.exact == 0 || which == Placeholder::smallest) return fit.range.min;
  if (which == Placeholder::largest) return fit.range.max;
  const auto first = std::find(exact.begin(), exact.end(), std::uint8_t{1}) - exact.begin();
  return numbers[static_cast<std::size_t>(first)];
}

template <std::floating_point F>
EncodeStatus AlpEncoder<F>::open(const NewSection& section) {
  options_ = &section.options;
  out_ = &section.out;
  const unsigned log = options_->log_vector_size;
  if (log < kMinLogVectorSize || log > kMaxLogVectorSize)
    return std::unexpected("the vector size is not a power of two from 8 to 32768");
  const auto& exponents = options_->exponents;
  if (exponents &&
      (exponents->exponent > Powers<F>::kMaxExponent || exponents->factor > exponents->exponent)) {
    return std::unexpected("the exponent is too large for the type, or the factor is above it");
  }
  count_ = 0;
  size_ = std::size_t{1} << log;
  vector_.clear();
  vectors_.clear();
  offsets_.clear();
  sampled_ = 0;
  preset_.clear();
  return {};
}

template <std::floating_point F>
EncodeStatus AlpEncoder<F>::count_in(std::uint64_t count) noexcept {
  count_ += count;
  if (count_ > INT32_MAX) return std::unexpected("more than 2147483647 values in a section");
  return {};
}

template <std::floating_point F>
EncodeStatus AlpEncoder<F>::add(const ValueBatch& batch) {
  EncodeStatus status = count_in(batch.count);
  const std::uint8_t* bytes = batch.fixed;
  for (std::uint64_t left = batch.count; left != 0 && status;) {
    const std::size_t before = vector_.size();
    const auto some = static_cast<std::size_t>(std::min<std::uint64_t>(left, size_ - before));
    vector_.resize(before + some);
    std::memcpy(vector_.data() + before, bytes, some * sizeof(F));
    bytes += some * sizeof(F);
    left -= some;
    if (vector_.size() == size_) status = append_vector();
  }
  return status;
}

template <std::floating_point F>
EncodeStatus AlpEncoder<F>::add_run(const ValueBatch& value, std::uint64_t count) {
  EncodeStatus status = count_in(count);
  const F number = std::bit_cast<F>(load_le<U>(value.fixed));
  while (count != 0 && status) {
    const auto some = static_cast<std::size_t>(std::min<std::uint64_t>(count, size_ - vector_.size()));
    vector_.insert(vector_.end(), some, number);
    count -= some;
    if (vector_.size() != size_) break;
    // During sampling, equal vectors may get different exponents.
    const bool sampling = !options_->exponents && sampled_ != kSampledVectors;
    status = append_vector();
    if (status && some == size_ && !sampling && count >= size_) {
      status = append_copies_of_last(count / size_);
      count %= size_;
    }
  }
  return status;
}

// Tries all exponents on samples of the first vectors; the best ones are the preset. For each later vector,
// only the preset is tried on its sample.
template <std::floating_point F>
auto AlpEncoder<F>::choose_exponents() -> Exponents {
  if (options_->exponents) return *options_->exponents;
  std::array<F, kSample> values;
  const std::size_t taken = std::min(vector_.size(), kSample);
  for (std::size_t i = 0; i < taken; ++i) values[i] = vector_[i * vector_.size() / taken];
  Exponents best;
  std::size_t fewest = SIZE_MAX;
  const auto consider = [&](Exponents exponents) {
    integers_.find({values.data(), taken}, exponents);
    if (integers_.bits() >= fewest) return;
    fewest = integers_.bits();
    best = exponents;
  };
  if (sampled_ == kSampledVectors) {
    for (const Exponents exponents : preset_) consider(exponents);
    return best;
  }
  ++sampled_;
  for (unsigned exponent = 0; exponent <= Powers<F>::kMaxExponent; ++exponent) {
    for (unsigned factor = 0; factor <= exponent; ++factor) consider({exponent, factor});
  }
  if (preset_.size() < kMaxPresets && std::ranges::find(preset_, best) == preset_.end())
    preset_.push_back(best);
  return best;
}

// Appends the offsets of the next vectors of `bytes` bytes each.
template <std::floating_point F>
EncodeStatus AlpEncoder<F>::append_offsets(std::uint64_t vectors, std::size_t bytes) {
  const std::uint64_t last = vectors_.size() + (vectors - 1) * bytes;
  if (last + (offsets_.size() + vectors) * kOffsetBytes > UINT32_MAX)
    return std::unexpected("the vectors take more bytes than their offsets can hold");
  for (std::uint64_t i = 0; i < vectors; ++i)
    offsets_.push_back(static_cast<std::uint32_t>(vectors_.size() + i * bytes));
  return {};
}

template <std::floating_point F>
EncodeStatus AlpEncoder<F>::append_copies_of_last(std::uint64_t copies) {
  const std::vector<std::uint8_t> last(vectors_.begin() + offsets_.back(), vectors_.end());
  const EncodeStatus status = append_offsets(copies, last.size());
  if (status) append_copies(vectors_, last, copies);
  return status;
}

// Encodes the values as integers, or as exceptions if no integer represents them exactly; then packs the
// differences from the frame of reference.
template <std::floating_point F>
EncodeStatus AlpEncoder<F>::append_vector() {
  if (const EncodeStatus status = append_offsets(1, 0); !status) return status;
  const Exponents exponents = choose_exponents();
  Integers& integers = integers_;
  integers.find(vector_, exponents);
  if (options_->needless_exceptions != 0) integers.drop(options_->needless_exceptions);
  std::vector<std::uint16_t> positions;  // positions of the exceptions
  if (integers.fit.exact != vector_.size()) {
    const alp::Integer<F> placeholder = integers.placeholder(options_->placeholder);
    for (std::size_t i = 0; i < vector_.size(); ++i) {
      if (integers.exact[i] != 0) continue;
      integers.numbers[i] = placeholder;
      positions.push_back(static_cast<std::uint16_t>(i));
    }
  }
  if (options_->exceptions_descending) std::ranges::reverse(positions);
  const U reference = integers.reference(options_->reference_slack);
  const unsigned needed = bit_width_for(static_cast<U>(static_cast<U>(integers.fit.range.max) - reference));
  const unsigned width = needed + std::min<unsigned>(options_->spare_bits, sizeof(U) * 8 - needed);

  append_le(vectors_, exponents.exponent, 1);
  append_le(vectors_, exponents.factor, 1);
  append_le(vectors_, positions.size(), 2);
  append_le(vectors_, reference, sizeof(F));
  append_le(vectors_, width, 1);
  const std::span<const U> numbers(reinterpret_cast<const U*>(integers.numbers.data()), vector_.size());
  append_packed(vectors_, numbers, width, vector_.size(), options_->padding, reference);
  for (const std::uint16_t position : positions) append_le(vectors_, position, kPositionBytes);
  for (const std::uint16_t position : positions)
    append_le(vectors_, std::bit_cast<U>(vector_[position]), sizeof(F));
  vector_.clear();
  return {};
}

template <std::floating_point F>
EncodeStatus AlpEncoder<F>::finish() {
  if (!vector_.empty()) {
    if (const EncodeStatus status = append_vector(); !status) return status;
  }
  append_le(*out_, 0, 2);  // compression mode, integer encoding
  append_le(*out_, options_->log_vector_size, 1);
  append_le(*out_, count_, 4);
  for (const std::uint32_t offset : offsets_)
    append_le(*out_, offset + offsets_.size() * kOffsetBytes, kOffsetBytes);
  out_->insert(out_->end(), vectors_.begin(), vectors_.end());
  return {};
}

template class AlpEncoder<float>;
template class AlpEncoder<double>;

}  // namespace parqproof
