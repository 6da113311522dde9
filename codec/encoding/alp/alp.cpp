#include "codec/encoding/alp/alp.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "codec/base/bits.hpp"
#include "codec/encoding/alp/alp_numbers.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {

using alp::kAlpInfoBytes;
using alp::kHeaderBytes;
using alp::kOffsetBytes;
using alp::kPositionBytes;
using alp::Powers;
using alp::scale_of;

/// One vector: its header, and the positions of its parts in the section.
template <std::floating_point F>
struct AlpDecoder<F>::Vector {
  unsigned exponent = 0;
  unsigned factor = 0;
  unsigned width = 0;
  U reference = 0;
  std::size_t elements = 0;
  std::size_t exceptions = 0;
  std::size_t start = 0;
  std::size_t packed = 0;     // beginning of the packed integers
  std::size_t positions = 0;  // beginning of the positions of the exceptions
  std::size_t values = 0;     // beginning of the values of the exceptions
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
    if (!vector) return std::unexpected(first_error(i, vector.error()));
    position = vector->end;
  }
  end_ = position;
  return {};
}

// Returns the first fault if vector `end` cannot be read: an exception position in an earlier vector, or
// `later`.
template <std::floating_point F>
Error AlpDecoder<F>::first_error(std::uint64_t end, const Error& later) const noexcept {
  std::size_t at = position_;
  for (std::uint64_t i = 0; i < end; ++i) {
    const Vector vector = *read_vector(at, elements_of(i));
    for (std::size_t k = 0; k < vector.exceptions; ++k) {
      if (const Result<std::size_t> position = read_position(vector, k); !position) return position.error();
    }
    at = vector.end;
  }
  return later;
}

// Reads the position of exception `i` in its vector.
template <std::floating_point F>
Result<std::size_t> AlpDecoder<F>::read_position(const Vector& vector, std::size_t i) const noexcept {
  const std::size_t where = vector.positions + i * kPositionBytes;
  const std::size_t position = load_le<std::uint16_t>(bytes_.data() + where);
  // alp/exception-position
  if (position >= vector.elements) {
    return std::unexpected(
        at(Rule::alp_exception_position, where, kPositionBytes, position, vector.elements - 1));
  }
  return position;
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
  const AlpScale<F> scale = scale_of<F>(vector.exponent, vector.factor);
  if constexpr (sizeof(U) == 4) {
    kernels().alp_decode32(integers_.data(), count, vector.reference, scale, values_.data());
  } else {
    kernels().alp_decode64(integers_.data(), count, vector.reference, scale, values_.data());
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
    const Result<std::size_t> read = read_position(vector, i);
    if (!read) return std::unexpected(read.error());
    const std::size_t position = *read;
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
  alp::Integer<F> integer = 0;
  if (scale_of<F>(vector.exponent, vector.factor).find_integer(value, integer)) {
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

}  // namespace parqproof
