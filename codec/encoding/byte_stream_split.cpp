#include "codec/encoding/byte_stream_split.hpp"

#include <algorithm>

#include "codec/kernel/kernels.hpp"

namespace parqproof {
namespace {

// Max bytes of a batch, unless one value is longer.
constexpr std::uint64_t kBatchBytes = std::uint64_t{1} << 18;

}  // namespace

Status ByteStreamSplitDecoder::open(const Section& section) {
  bytes_ = section.bytes;
  count_ = section.spec.count;
  left_ = 0;
  width_ = fixed_width(section.spec.type, section.spec.type_length);
  std::uint64_t needed = 0;
  const bool beyond = __builtin_mul_overflow(count_, std::uint64_t{width_}, &needed);
  // byte-stream-split/length
  if (beyond || needed != bytes_.size()) {
    return section.fail(Rule::byte_stream_split_length, bytes_.size(), beyond ? UINT64_MAX : needed);
  }
  if (const Status afforded = section.afford_empty_values(width_); !afforded) return afforded;
  left_ = count_;
  return {};
}

Result<ValueBatch> ByteStreamSplitDecoder::next() {
  const std::uint64_t fitting = std::max<std::uint64_t>(1, kBatchBytes / std::max<std::uint32_t>(width_, 1));
  ValueBatch batch;
  batch.count = std::min({left_, fitting, std::uint64_t{kBatchValues}});
  const std::uint64_t first = count_ - left_;
  batch.offset = bytes_.base + (width_ == 0 ? 0 : first);
  values_.resize(std::max(values_.size(), static_cast<std::size_t>(batch.count * width_)));
  if (width_ != 0) {
    kernels().unsplit(bytes_.data() + first, static_cast<std::size_t>(count_), width_,
                      static_cast<std::size_t>(batch.count), values_.data());
  }
  batch.fixed = values_.data();
  left_ -= batch.count;
  return batch;
}

EncodeStatus ByteStreamSplitEncoder::open(const NewSection& section) {
  out_ = &section.out;
  width_ = fixed_width(section.type, section.type_length);
  values_.clear();
  return {};
}

EncodeStatus ByteStreamSplitEncoder::add(const ValueBatch& batch) {
  values_.insert(values_.end(), batch.fixed, batch.fixed + batch.count * width_);
  return {};
}

EncodeStatus ByteStreamSplitEncoder::finish() {
  if (values_.empty()) return {};
  const std::size_t start = out_->size();
  const std::size_t count = values_.size() / width_;
  out_->resize(start + values_.size());
  kernels().split(values_.data(), width_, count, count, out_->data() + start);
  return {};
}

}  // namespace parqproof
