#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/encoding/alp/alp.hpp"
#include "codec/encoding/alp/alp_numbers.hpp"
#include "codec/encoding/pack.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {

using alp::Integer;
using alp::kHeaderBytes;
using alp::kOffsetBytes;
using alp::kPositionBytes;
using alp::Powers;
using alp::scale_of;

namespace {

constexpr std::size_t kSample = 32;       // values of a vector that choose the exponents to be tried
constexpr std::size_t kCandidates = 4;    // exponents that are tried on all values
constexpr std::size_t kSamplePart = 512;  // values in a row that choose exponents for all vector sizes
constexpr std::size_t kSampleParts = 16;
constexpr std::size_t kMostTried = 16;    // exponents that are tried for all vector sizes
constexpr std::size_t kWorthPercent = 3;  // that an unusual vector size has to save

/// The place of sample `i` of `taken` among `count`: anywhere in its part, so that no period of the values
/// hides some of them.
std::uint64_t sampled(std::uint64_t i, std::uint64_t taken, std::uint64_t count) noexcept {
  const std::uint64_t begin = i * count / taken;
  const std::uint64_t size = (i + 1) * count / taken - begin;
  return begin + ((i + 1) * 0x9E3779B97F4A7C15 >> 32) % size;
}

/// Exponents, and of how many values they are the best.
class Votes {
 public:
  void add(EncodeOptions::Exponents exponents, std::size_t values) {
    votes_[{exponents.exponent, exponents.factor}] += values;
  }
  /// Those of most values first.
  [[nodiscard]] std::vector<EncodeOptions::Exponents> ranked() const {
    std::vector<std::pair<std::size_t, EncodeOptions::Exponents>> known;
    known.reserve(votes_.size());
    for (const auto& [pair, values] : votes_) known.push_back({values, {pair.first, pair.second}});
    std::ranges::stable_sort(known, std::greater(), [](const auto& each) { return each.first; });
    std::vector<EncodeOptions::Exponents> all;
    all.reserve(known.size());
    for (const auto& each : known) all.push_back(each.second);
    return all;
  }

 private:
  std::map<std::pair<unsigned, unsigned>, std::size_t> votes_;
};

}  // namespace

template <std::floating_point F>
void AlpEncoder<F>::Integers::find(std::span<const F> values, EncodeOptions::Exponents exponents) {
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
void AlpEncoder<F>::Integers::join(const Integers& other) noexcept {
  if (other.fit.exact != 0) {
    if (fit.exact == 0) fit.range = other.fit.range;
    fit.range = {std::min(fit.range.min, other.fit.range.min), std::max(fit.range.max, other.fit.range.max)};
  }
  fit.exact += other.fit.exact;
  count += other.count;
}

template <std::floating_point F>
auto AlpEncoder<F>::Integers::spread() const noexcept -> U {
  return static_cast<U>(static_cast<U>(fit.range.max) - static_cast<U>(fit.range.min));
}

template <std::floating_point F>
std::size_t AlpEncoder<F>::Integers::bits() const noexcept {
  return count * bit_width_for(spread()) + (count - fit.exact) * 8 * (kPositionBytes + sizeof(F));
}

// The smallest integer, or less, as far as both numbers and differences stay in the type.
template <std::floating_point F>
auto AlpEncoder<F>::Integers::reference(std::uint32_t slack) const noexcept -> U {
  const auto min = static_cast<U>(fit.range.min);
  const auto above_lowest = static_cast<U>(min - static_cast<U>(std::numeric_limits<Integer<F>>::min()));
  const auto room = static_cast<U>(std::numeric_limits<U>::max() - spread());
  return static_cast<U>(min - std::min({room, above_lowest, U{slack}}));
}

// Makes exceptions of the first `most` values that are none.
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

// What stands in the place of exceptions; 0 where all values are exceptions.
template <std::floating_point F>
Integer<F> AlpEncoder<F>::Integers::placeholder(EncodeOptions::Placeholder which) const noexcept {
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
  kept_.clear();
  chosen_.clear();
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
  kept_.add(batch.fixed, static_cast<std::size_t>(batch.count));
  return {};
}

template <std::floating_point F>
EncodeStatus AlpEncoder<F>::add_run(const ValueBatch& value, std::uint64_t count) {
  kept_.add_run(std::bit_cast<F>(load_le<U>(value.fixed)), count);
  return {};
}

// The exponents that do best on a sample of the vector, best first: all of them where the sample is the
// vector.
template <std::floating_point F>
auto AlpEncoder<F>::candidates_of(std::span<const F> vector) -> std::span<const Candidate> {
  std::array<F, kSample> sample{};
  const std::size_t taken = std::min(vector.size(), kSample);
  for (std::size_t i = 0; i < taken; ++i)
    sample[i] = vector[static_cast<std::size_t>(sampled(i, taken, vector.size()))];
  candidates_.clear();
  for (unsigned exponent = 0; exponent <= Powers<F>::kMaxExponent; ++exponent) {
    for (unsigned factor = 0; factor <= exponent; ++factor) {
      const EncodeOptions::Exponents exponents{exponent, factor};
      integers_.find({sample.data(), taken}, exponents);
      candidates_.push_back({exponents, integers_.bits()});
    }
  }
  // Of equal ones those that stand first.
  const auto better = [](const Candidate& a, const Candidate& b) {
    const auto key = [](const Candidate& of) {
      return std::tuple(of.bits, of.exponents.exponent, of.exponents.factor);
    };
    return key(a) < key(b);
  };
  std::ranges::partial_sort(candidates_, candidates_.begin() + kCandidates, better);
  return std::span(candidates_).first(kCandidates);
}

// The best of these candidates is best on all of the vector.
template <std::floating_point F>
EncodeOptions::Exponents AlpEncoder<F>::best_exponents(std::span<const F> vector) {
  if (options_->exponents) return *options_->exponents;
  const std::span<const Candidate> candidates = candidates_of(vector);
  if (vector.size() <= kSample) return candidates.front().exponents;
  const Candidate* best = nullptr;
  std::size_t fewest = 0;
  for (const Candidate& candidate : candidates) {
    integers_.find(vector, candidate.exponents);
    if (best != nullptr && integers_.bits() >= fewest) continue;
    best = &candidate;
    fewest = integers_.bits();
  }
  return best->exponents;
}

/// What vectors of each size take, as far as exponents have been tried. The fit of eight values each, joined
/// in pairs, is that of twice as many.
template <std::floating_point F>
class AlpEncoder<F>::Trial {
 public:
  static constexpr std::size_t kUnit = std::size_t{1} << kMinLogVectorSize;

  /// `times` says how often each largest vector stands; empty: all of them once.
  explicit Trial(std::span<const std::uint64_t> times = {}) : times_(times) {}

  void add(std::span<const F> values, Exponents exponents) {
    std::vector<Integers> fits;
    for (std::size_t at = 0; at < values.size(); at += kUnit) {
      integers_.find(values.subspan(at, std::min(kUnit, values.size() - at)), exponents);
      fits.push_back({.fit = integers_.fit, .count = integers_.count});
    }
    for (std::vector<Best>& of_size : best_) {
      of_size.resize(fits.size());
      for (std::size_t i = 0; i < fits.size(); ++i) {
        if (const std::size_t bits = fits[i].bits(); bits < of_size[i].bits) of_size[i] = {bits, exponents};
      }
      for (std::size_t i = 0; 2 * i < fits.size(); ++i) {
        if (i != 0) std::swap(fits[i], fits[2 * i]);
        if (2 * i + 1 < fits.size()) fits[i].join(fits[2 * i + 1]);
      }
      fits.resize((fits.size() + 1) / 2);
    }
  }

  /// The exponents that are the best of some vector: those of most values first.
  [[nodiscard]] std::vector<Exponents> winners() const {
    Votes votes;
    std::size_t size = kUnit;
    for (const std::vector<Best>& of_size : best_) {
      for (const Best& best : of_size) votes.add(best.exponents, size);
      size *= 2;
    }
    return votes.ranked();
  }

  /// The best exponents of each vector.
  [[nodiscard]] std::vector<Exponents> exponents_of(unsigned log) const {
    std::vector<Exponents> all;
    for (const Best& each : best_[log - kMinLogVectorSize]) all.push_back(each.exponents);
    return all;
  }

  [[nodiscard]] std::size_t bytes_of(unsigned log) const noexcept {
    std::size_t bytes = 0;
    std::size_t at = 0;
    for (const Best& each : best_[log - kMinLogVectorSize]) {
      const std::size_t largest = at++ >> (kMaxLogVectorSize - log);
      const auto taken = static_cast<std::size_t>(ceil_div(each.bits, 8)) + kHeaderBytes<F> + kOffsetBytes;
      bytes += taken * (times_.empty() ? 1 : times_[largest]);
    }
    return bytes;
  }

 private:
  struct Best {
    std::size_t bits = SIZE_MAX;
    Exponents exponents;
  };
  std::span<const std::uint64_t> times_;
  std::array<std::vector<Best>, kMaxLogVectorSize - kMinLogVectorSize + 1> best_;  // of each vector
  Integers integers_;
};

// The size of vectors that takes the fewest bytes, or the usual one where that is not much larger; and the
// exponents of each vector.
template <std::floating_point F>
unsigned AlpEncoder<F>::best_log() {
  const std::span<const F> values(kept_.values());
  std::vector<std::uint64_t> often;  // each largest vector stands
  for (typename Kept::Times times(kept_); often.size() * kLargestVector < values.size();)
    often.push_back(times.next());
  Trial trial(often);
  if (options_->exponents) {
    trial.add(values, *options_->exponents);
  } else {
    // All are tried on a sample, and those that win there, or are good for a part of the values, on all.
    const auto part = [&](std::size_t at) {
      return values.subspan(at, std::min(kSamplePart, values.size() - at));
    };
    std::vector<F> sample;
    const std::uint64_t parts = ceil_div(kept_.count(), kSamplePart);
    const std::uint64_t taken = std::min<std::uint64_t>(parts, kSampleParts);
    for (std::uint64_t i = 0; i < taken; ++i) {
      const std::span<const F> values_of_part = part(kept_.place(sampled(i, taken, parts) * kSamplePart));
      sample.insert(sample.end(), values_of_part.begin(), values_of_part.end());
    }
    Trial of_sample;
    for (unsigned exponent = 0; exponent <= Powers<F>::kMaxExponent; ++exponent) {
      for (unsigned factor = 0; factor <= exponent; ++factor) of_sample.add(sample, {exponent, factor});
    }
    if (taken == parts) {
      trial = std::move(of_sample);
    } else {
      Votes votes;
      for (std::size_t at = 0; at < values.size(); at += kSamplePart)
        votes.add(best_exponents(part(at)), part(at).size() * often[at / kLargestVector]);
      std::vector<Exponents> tried = votes.ranked();
      tried.resize(std::min(tried.size(), kMostTried));
      for (const Exponents exponents : of_sample.winners()) {
        if (tried.size() < kMostTried && std::ranges::find(tried, exponents) == tried.end())
          tried.push_back(exponents);
      }
      for (const Exponents exponents : tried) trial.add(values, exponents);
    }
  }
  unsigned best = kDefaultLogVectorSize;
  std::size_t fewest = trial.bytes_of(best) - trial.bytes_of(best) * kWorthPercent / 100;
  for (unsigned log = kMinLogVectorSize; log <= kMaxLogVectorSize; ++log) {
    if (trial.bytes_of(log) >= fewest) continue;
    best = log;
    fewest = trial.bytes_of(log);
  }
  chosen_ = trial.exponents_of(best);
  return best;
}

template <std::floating_point F>
void AlpEncoder<F>::append_vector(std::span<const F> vector, Exponents exponents,
                                  std::vector<std::uint8_t>& out) {
  Integers& integers = integers_;
  integers.find(vector, exponents);
  if (options_->needless_exceptions != 0) integers.drop(options_->needless_exceptions);
  std::vector<std::uint16_t> positions;  // of the exceptions
  if (integers.fit.exact != vector.size()) {
    const Integer<F> placeholder = integers.placeholder(options_->placeholder);
    for (std::size_t i = 0; i < vector.size(); ++i) {
      if (integers.exact[i] != 0) continue;
      integers.numbers[i] = placeholder;
      positions.push_back(static_cast<std::uint16_t>(i));
    }
  }
  if (options_->exceptions_descending) std::ranges::reverse(positions);
  const U reference = integers.reference(options_->reference_slack);
  const auto largest = static_cast<U>(static_cast<U>(integers.fit.range.max) - reference);
  const unsigned needed = bit_width_for(largest);
  const unsigned width = needed + std::min<unsigned>(options_->spare_bits, sizeof(U) * 8 - needed);
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
EncodeStatus AlpEncoder<F>::append_vectors(unsigned log, std::vector<std::uint8_t>& out) {
  const std::size_t size = std::size_t{1} << log;
  const std::size_t start = out.size();
  const auto vectors = static_cast<std::size_t>(ceil_div(kept_.count(), size));
  out.resize(start + vectors * kOffsetBytes);
  std::size_t at = 0;  // the next vector
  const auto note_offset = [&](std::uint64_t offset) {
    const auto word = static_cast<std::uint32_t>(offset);
    std::memcpy(out.data() + start + at++ * kOffsetBytes, &word, sizeof word);
  };
  const std::span<const F> values(kept_.values());
  typename Kept::Times times(kept_);
  for (std::size_t unit = 0; unit < values.size(); unit += kLargestVector) {
    std::vector<std::uint64_t> offsets;  // of the vectors of the unit
    const std::size_t begin = out.size() - start;
    const std::size_t end = std::min(unit + kLargestVector, values.size());
    for (std::size_t i = unit; i < end; i += size) {
      offsets.push_back(out.size() - start);
      const std::span<const F> vector = values.subspan(i, std::min(size, end - i));
      append_vector(vector, chosen_.empty() ? best_exponents(vector) : chosen_[i >> log], out);
    }
    const std::size_t bytes = out.size() - start - begin;
    const std::uint64_t often = times.next();
    if (offsets.back() + (often - 1) * bytes > UINT32_MAX)
      return std::unexpected("the vectors take more bytes than their offsets can tell");
    // A unit that stands again has the same vectors.
    out.resize(start + begin + static_cast<std::size_t>(often) * bytes);
    for (std::uint64_t i = 0; i < often; ++i) {
      if (i != 0) std::memcpy(out.data() + start + begin + i * bytes, out.data() + start + begin, bytes);
      for (const std::uint64_t offset : offsets) note_offset(offset + i * bytes);
    }
  }
  return {};
}

template <std::floating_point F>
EncodeStatus AlpEncoder<F>::finish() {
  if (kept_.count() > INT32_MAX) return std::unexpected("more than 2147483647 values in a section");
  const unsigned log = options_->log_vector_size ? *options_->log_vector_size : best_log();
  std::vector<std::uint8_t> vectors;
  if (const EncodeStatus appended = append_vectors(log, vectors); !appended) return appended;
  append_le(*out_, log << 16, 3);
  append_le(*out_, kept_.count(), 4);
  out_->insert(out_->end(), vectors.begin(), vectors.end());
  return {};
}

template class AlpEncoder<float>;
template class AlpEncoder<double>;

}  // namespace parqproof
