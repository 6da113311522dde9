#include "codec/encoding/plain.hpp"

#include <algorithm>

#include "codec/base/bits.hpp"
#include "codec/encoding/pack.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {
namespace {

constexpr std::int32_t kMinJulianDay = 1'721'426;  // 0001-01-01
constexpr std::int32_t kMaxJulianDay = 5'373'484;  // 9999-12-31

}  // namespace

Status PlainFixedDecoder::open(const Section& section) {
  bytes_ = section.bytes;
  notes_ = &section.notes;
  left_ = 0;
  position_ = 0;
  width_ = fixed_width(section.spec.type, section.spec.type_length);
  int96_ = section.spec.type == Type::INT96;
  const std::uint64_t count = section.spec.count;
  std::uint64_t needed = 0;
  const bool beyond = __builtin_mul_overflow(count, std::uint64_t{width_}, &needed);
  if (beyond || needed != bytes_.size()) {
    // dictionary/entry-count
    if (section.spec.dictionary_page) {
      return section.fail(Rule::dictionary_entry_count, count, width_ == 0 ? 0 : bytes_.size() / width_);
    }
    // plain/fixed-width-length. Bytes after the last value do not prevent reading; end() reports
    // page/trailing-bytes.
    if (beyond || needed > bytes_.size()) {
      return section.fail(Rule::plain_fixed_width_length, bytes_.size(), beyond ? UINT64_MAX : needed);
    }
  }
  if (const Status afforded = section.afford_empty_values(width_); !afforded) return afforded;
  rest_ = bytes_.from(static_cast<std::size_t>(needed));
  left_ = count;
  return {};
}

Result<ValueBatch> PlainFixedDecoder::next() {
  ValueBatch batch;
  batch.count = std::min<std::uint64_t>(left_, kBatchValues);
  batch.fixed = bytes_.data() + position_;
  batch.offset = bytes_.base + position_;
  if (int96_) check_int96(batch.fixed, batch.count, batch.offset);
  left_ -= batch.count;
  position_ += static_cast<std::size_t>(batch.count) * width_;
  return batch;
}

// plain/int96-nanos, plain/int96-halves. With the Julian day first, the last eight bytes are nanoseconds of a
// day, and the first four are a day of the years 1 to 9999. Such bytes in the right order are a time about
// 4700 BC.
void PlainFixedDecoder::check_int96(const std::uint8_t* values, std::uint64_t count,
                                    std::uint64_t offset) noexcept {
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint8_t* const value = values + i * width_;
    const auto nanos = load_le<std::int64_t>(value);
    if (load_le<std::uint64_t>(value + 4) < static_cast<std::uint64_t>(kNanosPerDay)) {
      const auto day = load_le<std::int32_t>(value);
      if (day >= kMinJulianDay && day <= kMaxJulianDay) {
        notes_->add(Rule::plain_int96_halves, {.offset = offset + i * width_,
                                               .found = day,
                                               .expected = 0,
                                               .length = width_,
                                               .space = bytes_.space});
        continue;
      }
    }
    if (nanos < 0 || nanos >= kNanosPerDay) {
      notes_->add(Rule::plain_int96_nanos, {.offset = offset + i * width_,
                                            .found = nanos,
                                            .expected = kNanosPerDay,
                                            .length = width_,
                                            .space = bytes_.space});
    }
  }
}

Status PlainBooleanDecoder::open(const Section& section) {
  bytes_ = section.bytes;
  left_ = 0;
  position_ = 0;
  const std::uint64_t count = section.spec.count;
  const std::uint64_t needed = ceil_div(count, 8);
  if (needed != bytes_.size()) {
    // dictionary/entry-count
    if (section.spec.dictionary_page) {
      return section.fail(Rule::dictionary_entry_count, count, std::uint64_t{bytes_.size()} * 8);
    }
    // plain/boolean-length
    if (needed > bytes_.size()) return section.fail(Rule::plain_boolean_length, bytes_.size(), needed);
  }
  rest_ = bytes_.from(static_cast<std::size_t>(needed));
  bytes_ = bytes_.part(0, static_cast<std::size_t>(needed));
  // plain/boolean-padding
  if (const unsigned used = count % 8; used != 0) {
    const std::uint8_t last = bytes_.bytes.back();
    if (last >> used != 0) {
      section.notes.add(Rule::plain_boolean_padding, bytes_.from(bytes_.size() - 1), last,
                        last & ((1U << used) - 1));
    }
  }
  left_ = count;
  return {};
}

Result<ValueBatch> PlainBooleanDecoder::next() {
  ValueBatch batch;
  batch.form = ValueBatch::Form::booleans;
  batch.count = std::min<std::uint64_t>(left_, kBatchValues);
  batch.offset = bytes_.base + position_;
  const auto count = static_cast<std::size_t>(batch.count);
  kernels().unpack32(bytes_.data() + position_, bytes_.size() - position_, 1, count, bits_.data());
  std::transform(bits_.begin(), bits_.begin() + static_cast<std::ptrdiff_t>(count), values_.begin(),
                 [](std::uint32_t bit) { return static_cast<std::uint8_t>(bit); });
  batch.booleans = values_.data();
  left_ -= batch.count;
  position_ += count / 8;  // a full batch ends at a byte boundary
  return batch;
}

Status PlainByteArrayDecoder::open(const Section& section) {
  bytes_ = section.bytes;
  count_ = left_ = section.spec.count;
  position_ = 0;
  dictionary_page_ = section.spec.dictionary_page;
  values_.make(batch_values(count_));
  return {};
}

Result<ValueBatch> PlainByteArrayDecoder::next() {
  ValueBatch batch;
  batch.form = ValueBatch::Form::byte_arrays;
  batch.offset = bytes_.base + position_;
  const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left_, kBatchValues));
  std::uint32_t size_bits = 0;
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::size_t available = bytes_.size() - position_;
    // dictionary/entry-count
    if (dictionary_page_ && available == 0) {
      const std::uint64_t held = count_ - left_ + i;
      left_ = 0;
      return std::unexpected(Error::at(Rule::dictionary_entry_count, bytes_, count_, held));
    }
    // plain/byte-array-length
    const bool cut = available < kLengthPrefixBytes;
    const std::uint32_t size = cut ? kLengthPrefixBytes : load_le<std::uint32_t>(bytes_.data() + position_);
    const std::size_t after_word = cut ? available : available - kLengthPrefixBytes;
    if (cut || size > after_word) {
      const View word = bytes_.part(position_, std::min<std::size_t>(available, kLengthPrefixBytes));
      left_ = 0;
      return std::unexpected(Error::at(Rule::plain_byte_array_length, word, size, after_word));
    }
    values_[i] = {bytes_.data() + position_ + kLengthPrefixBytes, size};
    position_ += kLengthPrefixBytes + size;
    size_bits |= size;
  }
  batch.size_bits = size_bits;
  batch.count = wanted;
  batch.byte_arrays = values_.data();
  batch.readable = bytes_.data() + bytes_.size();
  left_ -= wanted;
  return batch;
}

Status PlainByteArrayDecoder::end() const noexcept {
  if (position_ == bytes_.size()) return {};
  // dictionary/entry-count
  if (dictionary_page_) {
    std::uint64_t held = count_;
    for (std::size_t at = position_; bytes_.size() - at >= kLengthPrefixBytes; ++held) {
      const auto size = load_le<std::uint32_t>(bytes_.data() + at);
      if (size > bytes_.size() - at - kLengthPrefixBytes) break;
      at += kLengthPrefixBytes + size;
    }
    return std::unexpected(Error::at(Rule::dictionary_entry_count, bytes_, count_, held));
  }
  return Section::fully_used(bytes_.from(position_));
}

EncodeStatus PlainFixedEncoder::open(const NewSection& section) {
  out_ = &section.out;
  width_ = fixed_width(section.type, section.type_length);
  return {};
}

EncodeStatus PlainFixedEncoder::add(const ValueBatch& batch) {
  out_->insert(out_->end(), batch.fixed, batch.fixed + batch.count * width_);
  return {};
}

EncodeStatus PlainBooleanEncoder::open(const NewSection& section) {
  out_ = &section.out;
  padding_ = section.options.padding;
  byte_ = bits_ = 0;
  return {};
}

void PlainBooleanEncoder::add(bool value) {
  byte_ |= static_cast<unsigned>(value) << bits_;
  if (++bits_ < 8) return;
  out_->push_back(static_cast<std::uint8_t>(byte_));
  byte_ = bits_ = 0;
}

EncodeStatus PlainBooleanEncoder::add(const ValueBatch& batch) {
  if (batch.form == ValueBatch::Form::booleans) {
    const std::uint8_t* booleans = batch.booleans;
    std::uint64_t left = batch.count;
    for (; left != 0 && bits_ != 0; --left) add(*booleans++ != 0);
    std::array<std::uint32_t, kBatchValues> bits;
    while (left >= 8) {  // complete bytes
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left, kBatchValues) / 8 * 8);
      for (std::size_t i = 0; i < count; ++i) bits[i] = booleans[i] != 0 ? 1 : 0;
      append_packed(*out_, std::span<const std::uint32_t>(bits.data(), count), 1, count, 0);
      booleans += count;
      left -= count;
    }
    for (; left != 0; --left) add(*booleans++ != 0);
    return {};
  }
  std::uint64_t left = batch.count;
  for (; left != 0 && bits_ != 0; --left) add(batch.run != 0);
  out_->insert(out_->end(), static_cast<std::size_t>(left / 8), batch.run != 0 ? 0xFF : 0);
  for (left %= 8; left != 0; --left) add(batch.run != 0);
  return {};
}

EncodeStatus PlainBooleanEncoder::finish() {
  const auto used = static_cast<unsigned>(low_bits(bits_));
  if (bits_ != 0) out_->push_back(static_cast<std::uint8_t>(byte_ | (padding_ & ~used)));
  return {};
}

EncodeStatus PlainByteArrayEncoder::open(const NewSection& section) {
  out_ = &section.out;
  return {};
}

EncodeStatus PlainByteArrayEncoder::add(const ValueBatch& batch) {
  if (batch.count == 0) return {};
  if (is_plain(batch)) {
    const std::uint8_t* const first = batch.byte_arrays[0].data - kLengthPrefixBytes;
    const ByteArray& last = batch.byte_arrays[batch.count - 1];
    out_->insert(out_->end(), first, last.data + last.size);
    return {};
  }
  const std::span<const ByteArray> values(batch.byte_arrays, static_cast<std::size_t>(batch.count));
  std::uint8_t* out =
      append_room(*out_, values.size() * kLengthPrefixBytes + static_cast<std::size_t>(total_size(batch)));
  for (const ByteArray& value : values) {
    std::memcpy(out, &value.size, kLengthPrefixBytes);
    out = copy_bytes(out + kLengthPrefixBytes, value.data, value.size);
  }
  return {};
}

}  // namespace parqproof
