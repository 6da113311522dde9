#include "codec/encoding/rle/bit_packed.hpp"

#include <algorithm>

#include "codec/base/bits.hpp"
#include "codec/encoding/section.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {

std::uint64_t bit_packed_size(std::uint64_t count, unsigned bit_width) noexcept {
  return count / 8 * bit_width + ceil_div(count % 8 * bit_width, 8);
}

Result<View> cut_bit_packed(View bytes, unsigned bit_width, std::uint64_t count) noexcept {
  const std::uint64_t size = bit_packed_size(count, bit_width);
  // bit-packed/length
  if (size > bytes.size()) {
    return std::unexpected(Error::at(Rule::bit_packed_length, bytes, bytes.size(), size));
  }
  return bytes.part(0, static_cast<std::size_t>(size));
}

Status BitPackedDecoder::open(View bytes, unsigned bit_width, std::uint64_t count, Notes& notes) noexcept {
  bytes_ = bytes;
  bit_width_ = bit_width;
  count_ = left_ = 0;
  end_ = 0;
  const Result<View> levels = cut_bit_packed(bytes, bit_width, count);
  if (!levels) return std::unexpected(levels.error());
  end_ = levels->size();
  count_ = left_ = count;
  // bit-packed/padding
  const auto unused = static_cast<unsigned>(std::uint64_t{end_} * 8 - count * bit_width);
  if (unused != 0 && (bytes.bytes[end_ - 1] & low_bits(unused)) != 0) {
    const View last = bytes.part(end_ - 1, 1);
    notes.add(Rule::bit_packed_padding, last, last.bytes[0], last.bytes[0] & ~low_bits(unused));
  }
  return {};
}

HybridDecoder::Batch BitPackedDecoder::next() noexcept {
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, values_.size()));
  // A batch fills complete bytes, so the next one begins at a byte boundary.
  const auto at = static_cast<std::size_t>((count_ - left_) * bit_width_ / 8);
  const std::uint64_t offset = bytes_.base + at;
  if (count != 0)
    kernels().unpack32_msb(bytes_.data() + at, bytes_.size() - at, bit_width_, count, values_.data());
  left_ -= count;
  return {count, values_.data(), 0, offset};
}

void BitPackedEncoder::open(unsigned bit_width, const EncodeOptions& options,
                            std::vector<std::uint8_t>& out) {
  out_ = &out;
  padding_ = options.padding;
  bit_width_ = bit_width;
  bits_ = 0;
  waiting_ = 0;
}

void BitPackedEncoder::add(std::uint32_t level, std::uint64_t count) {
  const auto add_one = [&] {
    bits_ = bits_ << bit_width_ | level;
    for (waiting_ += bit_width_; waiting_ >= 8; waiting_ -= 8) {
      out_->push_back(static_cast<std::uint8_t>(bits_ >> (waiting_ - 8)));
    }
  };
  for (; count != 0 && waiting_ != 0; --count) add_one();
  // From here on, eight levels fill complete bytes, the same ones each time.
  if (const std::uint64_t groups = count / 8; groups > 1) {
    const std::size_t start = out_->size();
    for (unsigned i = 0; i < 8; ++i) add_one();
    out_->resize(start + static_cast<std::size_t>(groups * bit_width_));
    for (std::size_t at = start + bit_width_; at < out_->size(); ++at) (*out_)[at] = (*out_)[at - bit_width_];
    count %= 8;
  }
  for (; count != 0; --count) add_one();
}

void BitPackedEncoder::add(std::span<const std::uint32_t> levels) {
  for (; !levels.empty() && waiting_ != 0; levels = levels.subspan(1)) add(levels.front(), 1);
  const std::size_t grouped = levels.size() / 8 * 8;  // number of levels that fill complete bytes
  const std::size_t start = out_->size();
  out_->resize(start + grouped / 8 * bit_width_);
  kernels().pack32_msb(levels.data(), bit_width_, grouped, out_->data() + start);
  for (const std::uint32_t level : levels.subspan(grouped)) add(level, 1);
}

void BitPackedEncoder::finish() {
  if (waiting_ == 0) return;
  const unsigned unused = 8 - waiting_;
  out_->push_back(static_cast<std::uint8_t>(bits_ << unused | (padding_ & low_bits(unused))));
  waiting_ = 0;
}

}  // namespace parqproof
