#include "codec/encoding/alp.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "codec/base/bits.hpp"
#include "codec/encoding/pack.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {
namespace {

template <typename F>
struct Powers;
template <>
struct Powers<float> {
  static constexpr unsigned kMaxExponent = 10;
  static constexpr std::array<float, kMaxExponent + 1> kUp{1e0F, 1e1F, 1e2F, 1e3F, 1e4F, 1e5F,
                                                           1e6F, 1e7F, 1e8F, 1e9F, 1e10F};
  static constexpr std::array<float, kMaxExponent + 1> kDown{1e0F,  1e-1F, 1e-2F, 1e-3F, 1e-4F, 1e-5F,
                                                             1e-6F, 1e-7F, 1e-8F, 1e-9F, 1e-10F};
};
template <>
struct Powers<double> {
  static constexpr unsigned kMaxExponent = 18;
  static constexpr std::array<double, kMaxExponent + 1> kUp{
      1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};
  static constexpr std::array<double, kMaxExponent + 1> kDown{1e0,   1e-1,  1e-2,  1e-3,  1e-4,  1e-5,  1e-6,
                                                              1e-7,  1e-8,  1e-9,  1e-10, 1e-11, 1e-12, 1e-13,
                                                              1e-14, 1e-15, 1e-16, 1e-17, 1e-18};
};

constexpr std::size_t kOffsetBytes = 4;
constexpr std::size_t kPositionBytes = 2;
constexpr std::size_t kAlpInfoBytes = 4;

template <typename F>
using Integer = std::conditional_t<sizeof(F) == 4, std::int32_t, std::int64_t>;

// The frame of reference and the bit width.
template <typename F>
constexpr std::size_t kHeaderBytes = kAlpInfoBytes + sizeof(F) + 1;

// Two multiplications with two roundings, in this order.
template <typename F>
F decode(Integer<F> integer, unsigned exponent, unsigned factor) noexcept {
  return static_cast<F>(integer) * Powers<F>::kUp[factor] * Powers<F>::kDown[exponent];
}

template <typename F>
bool same_bits(F a, F b) noexcept {
  using Bits = std::make_unsigned_t<Integer<F>>;
  return std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

// The integer that decodes to exactly `value`, if rounding finds one.
template <typename F>
bool encode(F value, unsigned exponent, unsigned factor, Integer<F>& integer) noexcept {
  const F scaled = std::nearbyint(value * Powers<F>::kUp[exponent] * Powers<F>::kDown[factor]);
  constexpr F kLimit = -static_cast<F>(std::numeric_limits<Integer<F>>::min());
  if (!(scaled >= -kLimit && scaled < kLimit)) return false;
  integer = static_cast<Integer<F>>(scaled);
  return same_bits(decode<F>(integer, exponent, factor), value);
}

}  // namespace

/// One vector: its header, and where its parts stand in the section.
template <std::floating_point F>
struct AlpDecoder<F>::Vector {
  unsigned exponent = 0;
  unsigned factor = 0;
  unsigned width = 0;
  U reference = 0;
  std::size_t elements = 0;
  std::size_t exceptions = 0;
  std::size_t start = 0;
  std::size_t packed = 0;     // where the packed integers begin
  std::size_t positions = 0;  // where the positions of the exceptions begin
  std::size_t values = 0;     // where their values begin
  std::size_t end = 0;
};

template <std::floating_point F>
Error AlpDecoder<F>::at(Rule rule, std::size_t position, std::size_t length, std::uint64_t found,
                        std::uint64_t expected) const noexcept {
  return Error::at(rule, bytes_.part(position, std::min(length, bytes_.size() - position)), found, expected);
}

template <std::floating_point F>
void AlpDecoder<F>::note(NotedRule rule, std::size_t position, std::size_t length, std::uint64_t found,
                         std::uint64_t expected) noexcept {
  notes_->add(rule, at(rule, position, length, found, expected));
}

template <std::floating_point F>
std::size_t AlpDecoder<F>::elements_of(std::uint64_t vector) const noexcept {
  return static_cast<std::size_t>(std::min<std::uint64_t>(vector_size_, count_ - vector * vector_size_));
}

template <std::floating_point F>
Status AlpDecoder<F>::check_header(const Section& section) {
  const std::uint64_t count = section.spec.count;
  // alp/header
  if (bytes_.size() < kAlpHeaderBytes) return section.fail(Rule::alp_header, bytes_.size(), kAlpHeaderBytes);
  const unsigned mode = bytes_.bytes[0];
  const unsigned integer_encoding = bytes_.bytes[1];
  const unsigned log_vector_size = bytes_.bytes[2];
  // alp/compression-mode
  if (mode != 0) return std::unexpected(at(Rule::alp_compression_mode, 0, 1, mode, 0));
  // alp/integer-encoding
  if (integer_encoding != 0)
    return std::unexpected(at(Rule::alp_integer_encoding, 1, 1, integer_encoding, 0));
  // alp/log-vector-size
  if (log_vector_size < kMinLogVectorSize || log_vector_size > kMaxLogVectorSize) {
    return std::unexpected(at(Rule::alp_log_vector_size, 2, 1, log_vector_size, kDefaultLogVectorSize));
  }
  // alp/vector-size
  if (log_vector_size != kDefaultLogVectorSize) {
    note(Rule::alp_vector_size, 2, 1, log_vector_size, kDefaultLogVectorSize);
  }
  // alp/num-elements
  const auto elements = load_le<std::int32_t>(bytes_.data() + 3);
  if (elements < 0 || static_cast<std::uint64_t>(elements) != count) {
    Error error = at(Rule::alp_num_elements, 3, sizeof elements, 0, count);
    error.found = elements;
    return std::unexpected(error);
  }
  vector_size_ = std::size_t{1} << log_vector_size;
  vectors_ = ceil_div(count, vector_size_);
  // alp/offset-array
  const std::size_t left = bytes_.size() - kAlpHeaderBytes;
  if (left / kOffsetBytes < vectors_) {
    return std::unexpected(at(Rule::alp_offset_array, kAlpHeaderBytes, left, left, vectors_ * kOffsetBytes));
  }
  return {};
}

template <std::floating_point F>
Status AlpDecoder<F>::open(const Section& section) {
  bytes_ = section.bytes;
  notes_ = &section.notes;
  count_ = 0;
  vectors_ = vector_ = 0;
  decoded_ = delivered_ = 0;
  if (const Status header = check_header(section); !header) return header;
  count_ = section.spec.count;
  std::size_t position = kAlpHeaderBytes + static_cast<std::size_t>(vectors_) * kOffsetBytes;
  position_ = position;
  for (std::uint64_t i = 0; i < vectors_; ++i) {
    // alp/first-offset, alp/offsets-contiguous
    const std::size_t entry = kAlpHeaderBytes + static_cast<std::size_t>(i) * kOffsetBytes;
    const auto offset = load_le<std::uint32_t>(bytes_.data() + entry);
    if (offset != position - kAlpHeaderBytes) {
      return std::unexpected(at(i == 0 ? Rule::alp_first_offset : Rule::alp_offsets_contiguous, entry,
                                kOffsetBytes, offset, position - kAlpHeaderBytes));
    }
    const Result<Vector> vector = read_vector(position, elements_of(i));
    if (!vector) return std::unexpected(vector.error());
    position = vector->end;
  }
  end_ = position;
  return {};
}

template <std::floating_point F>
Result<typename AlpDecoder<F>::Vector> AlpDecoder<F>::read_vector(std::size_t position,
                                                                  std::size_t elements) const noexcept {
  const std::size_t left = bytes_.size() - position;
  const auto fail = [&](Rule rule, std::size_t where, std::size_t length, std::uint64_t found,
                        std::uint64_t expected) {
    return std::unexpected(at(rule, where, length, found, expected));
  };
  // alp/vector-header
  if (left < kHeaderBytes<F>) return fail(Rule::alp_vector_header, position, left, left, kHeaderBytes<F>);
  const std::uint8_t* header = bytes_.data() + position;
  Vector vector;
  vector.exponent = header[0];
  vector.factor = header[1];
  vector.exceptions = load_le<std::uint16_t>(header + 2);
  vector.reference = load_le<U>(header + kAlpInfoBytes);
  vector.width = header[kHeaderBytes<F> - 1];
  vector.elements = elements;
  vector.start = position;
  vector.packed = position + kHeaderBytes<F>;
  // alp/exponent
  constexpr unsigned kMaxExponent = Powers<F>::kMaxExponent;
  if (vector.exponent > kMaxExponent)
    return fail(Rule::alp_exponent, position, 1, vector.exponent, kMaxExponent);
  // alp/factor
  if (vector.factor > vector.exponent) {
    return fail(Rule::alp_factor, position + 1, 1, vector.factor, vector.exponent);
  }
  // alp/num-exceptions
  if (vector.exceptions > elements)
    return fail(Rule::alp_num_exceptions, position + 2, 2, vector.exceptions, elements);
  // alp/bit-width
  if (vector.width > sizeof(U) * 8) {
    return fail(Rule::alp_bit_width, vector.packed - 1, 1, vector.width, sizeof(U) * 8);
  }
  // alp/packed-length
  const auto packed_bytes = static_cast<std::size_t>(ceil_div(elements * vector.width, 8));
  const std::size_t packed_left = bytes_.size() - vector.packed;
  if (packed_left < packed_bytes) {
    return fail(Rule::alp_packed_length, vector.packed, packed_left, packed_left, packed_bytes);
  }
  vector.positions = vector.packed + packed_bytes;
  vector.values = vector.positions + vector.exceptions * kPositionBytes;
  vector.end = vector.values + vector.exceptions * sizeof(F);
  // alp/exceptions-complete
  if (vector.end > bytes_.size()) {
    const std::size_t exceptions_left = bytes_.size() - vector.positions;
    return fail(Rule::alp_exceptions_complete, vector.positions, exceptions_left, exceptions_left,
                vector.end - vector.positions);
  }
  return vector;
}

template <std::floating_point F>
Status AlpDecoder<F>::decode_vector() {
  const Vector vector = *read_vector(position_, elements_of(vector_));
  const std::size_t count = vector.elements;
  integers_.resize(std::max(integers_.size(), count));
  values_.resize(std::max(values_.size(), count));
  const std::uint8_t* packed = bytes_.data() + vector.packed;
  const std::size_t readable = bytes_.size() - vector.packed;
  if constexpr (sizeof(U) == 4) {
    kernels().unpack32(packed, readable, vector.width, count, integers_.data());
  } else {
    kernels().unpack64(packed, readable, vector.width, count, integers_.data());
  }
  // alp/packed-padding
  const auto used = static_cast<unsigned>(count * vector.width % 8);
  if (const std::size_t last = vector.positions - 1; used != 0 && bytes_.bytes[last] >> used != 0) {
    note(Rule::alp_packed_padding, last, 1, bytes_.bytes[last], bytes_.bytes[last] & low_bits(used));
  }
  Survey<U> survey;
  if constexpr (sizeof(U) == 4) {
    survey = kernels().survey32(integers_.data(), count);
  } else {
    survey = kernels().survey64(integers_.data(), count);
  }
  // alp/frame-of-reference
  if (survey.min != 0)
    note(Rule::alp_frame_of_reference, vector.start + kAlpInfoBytes, sizeof(U), survey.min, 0);
  // alp/bit-width-minimal
  if (const auto needed = static_cast<unsigned>(std::bit_width(survey.bits)); needed < vector.width) {
    note(Rule::alp_bit_width_minimal, vector.packed - 1, 1, vector.width, needed);
  }
  const F up = Powers<F>::kUp[vector.factor];
  const F down = Powers<F>::kDown[vector.exponent];
  for (std::size_t i = 0; i < count; ++i) {
    values_[i] = static_cast<F>(static_cast<Integer<F>>(integers_[i] + vector.reference)) * up * down;
  }
  if (const Status patched = patch(vector); !patched) return patched;
  decoded_ = count;
  delivered_ = 0;
  position_ = vector.end;
  ++vector_;
  return {};
}

template <std::floating_point F>
Status AlpDecoder<F>::patch(const Vector& vector) {
  patched_.assign(vector.exceptions == 0 ? 0 : vector.elements, false);
  std::size_t previous = 0;
  for (std::size_t i = 0; i < vector.exceptions; ++i) {
    const std::size_t where = vector.positions + i * kPositionBytes;
    const std::size_t position = load_le<std::uint16_t>(bytes_.data() + where);
    // alp/exception-position
    if (position >= vector.elements) {
      return std::unexpected(
          at(Rule::alp_exception_position, where, kPositionBytes, position, vector.elements - 1));
    }
    if (patched_[position]) {
      // alp/exception-duplicate
      note(Rule::alp_exception_duplicate, where, kPositionBytes, position, 0);
    } else if (position < previous) {
      // alp/exception-order
      note(Rule::alp_exception_order, where, kPositionBytes, position, previous);
    }
    patched_[position] = true;
    previous = position;
    const std::size_t value_at = vector.values + i * sizeof(F);
    std::memcpy(&values_[position], bytes_.data() + value_at, sizeof(F));
    note_needless(vector, values_[position], value_at);
  }
  return {};
}

// alp/exception-needless
template <std::floating_point F>
void AlpDecoder<F>::note_needless(const Vector& vector, F value, std::size_t where) noexcept {
  Integer<F> integer = 0;
  if (encode(value, vector.exponent, vector.factor, integer)) {
    Error error = at(Rule::alp_exception_needless, where, sizeof(F), 0, 0);
    error.found = integer;
    notes_->add(Rule::alp_exception_needless, error);
  }
}

template <std::floating_point F>
Result<ValueBatch> AlpDecoder<F>::next() {
  ValueBatch batch;
  if (delivered_ == decoded_ && vector_ < vectors_) {
    vector_at_ = position_;
    if (const Status decoded = decode_vector(); !decoded) {
      vector_ = vectors_;
      return std::unexpected(decoded.error());
    }
  }
  batch.offset = bytes_.base + vector_at_;
  batch.count = std::min<std::size_t>(decoded_ - delivered_, kBatchValues);
  batch.fixed = reinterpret_cast<const std::uint8_t*>(values_.data() + delivered_);
  delivered_ += static_cast<std::size_t>(batch.count);
  return batch;
}

template <std::floating_point F>
Status AlpDecoder<F>::end() const noexcept {
  return Section::fully_used(bytes_.from(end_));
}

template class AlpDecoder<float>;
template class AlpDecoder<double>;

namespace {

constexpr std::size_t kSample = 32;  // values of a vector that choose its exponents

template <typename F>
using Unsigned = typename AlpDecoder<F>::U;

/// A vector as integers; what they cannot express is kept aside.
template <typename F>
struct Encoded {
  std::vector<Unsigned<F>> deltas;
  std::vector<std::uint16_t> positions;
  std::vector<F> exceptions;
  Integer<F> reference = 0;
  unsigned width = 0;

  Encoded(const F* values, std::size_t count, unsigned exponent, unsigned factor) : deltas(count) {
    std::vector<Integer<F>> integers(count);
    Integer<F> placeholder = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (encode(values[i], exponent, factor, integers[i])) {
        if (positions.size() == i) placeholder = integers[i];
      } else {
        positions.push_back(static_cast<std::uint16_t>(i));
        exceptions.push_back(values[i]);
      }
    }
    for (const std::uint16_t position : positions) integers[position] = placeholder;
    reference = *std::min_element(integers.begin(), integers.end());
    for (std::size_t i = 0; i < count; ++i) {
      deltas[i] = static_cast<Unsigned<F>>(integers[i]) - static_cast<Unsigned<F>>(reference);
    }
    width = width_of(std::span<const Unsigned<F>>(deltas));
  }

  [[nodiscard]] std::size_t bits() const noexcept {
    return deltas.size() * width + exceptions.size() * 8 * (kPositionBytes + sizeof(F));
  }
};

template <typename F>
EncodeOptions::Exponents best_exponents(const F* values, std::size_t count) {
  std::array<F, kSample> sample{};
  const std::size_t taken = std::min(count, kSample);
  for (std::size_t i = 0; i < taken; ++i) sample[i] = values[i * count / taken];
  EncodeOptions::Exponents best;
  std::size_t min_bits = SIZE_MAX;
  for (unsigned e = 0; e <= Powers<F>::kMaxExponent; ++e) {
    for (unsigned f = 0; f <= e; ++f) {
      if (const std::size_t bits = Encoded<F>(sample.data(), taken, e, f).bits(); bits < min_bits) {
        min_bits = bits;
        best = {e, f};
      }
    }
  }
  return best;
}

template <typename F>
EncodeStatus append_alp(const std::vector<F>& values, const EncodeOptions& options,
                        std::vector<std::uint8_t>& out) {
  if (options.log_vector_size < kMinLogVectorSize || options.log_vector_size > kMaxLogVectorSize) {
    return std::unexpected("the vector size is not a power of two from 8 to 32768");
  }
  if (options.exponents && (options.exponents->exponent > Powers<F>::kMaxExponent ||
                            options.exponents->factor > options.exponents->exponent)) {
    return std::unexpected("the exponent is too large for the type, or the factor is above it");
  }
  const std::size_t vector_size = std::size_t{1} << options.log_vector_size;
  const auto vectors = static_cast<std::size_t>(ceil_div(values.size(), vector_size));
  append_le(out, options.log_vector_size << 16, 3);
  append_le(out, values.size(), 4);
  const std::size_t offsets = out.size();
  out.resize(out.size() + vectors * kOffsetBytes);
  for (std::size_t i = 0; i < vectors; ++i) {
    const F* first = values.data() + i * vector_size;
    const std::size_t count = std::min(vector_size, values.size() - i * vector_size);
    const auto [e, f] = options.exponents ? *options.exponents : best_exponents(first, count);
    const Encoded<F> vector(first, count, e, f);
    const auto offset = static_cast<std::uint32_t>(out.size() - offsets);
    std::memcpy(out.data() + offsets + i * kOffsetBytes, &offset, sizeof offset);
    append_le(out, e, 1);
    append_le(out, f, 1);
    append_le(out, vector.exceptions.size(), 2);
    append_le(out, static_cast<Unsigned<F>>(vector.reference), sizeof(F));
    append_le(out, vector.width, 1);
    append_packed(out, std::span<const Unsigned<F>>(vector.deltas), vector.width, count, 0);
    for (const std::uint16_t position : vector.positions) append_le(out, position, kPositionBytes);
    for (const F exception : vector.exceptions)
      append_le(out, std::bit_cast<Unsigned<F>>(exception), sizeof(F));
  }
  return {};
}

}  // namespace

EncodeStatus encode_alp(const PlainValues& values, const EncodeOptions& options,
                        std::vector<std::uint8_t>& out) {
  const auto run = [&]<typename F>(F /*type*/) {
    std::vector<F> numbers(static_cast<std::size_t>(values.count));
    if (!numbers.empty()) std::memcpy(numbers.data(), values.fixed.data(), numbers.size() * sizeof(F));
    return append_alp<F>(numbers, options, out);
  };
  return values.type == Type::FLOAT ? run(float{}) : run(double{});
}

}  // namespace parqproof
