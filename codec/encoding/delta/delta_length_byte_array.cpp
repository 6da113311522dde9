#include "codec/encoding/delta/delta_length_byte_array.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "codec/encoding/pack.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {

Status DeltaLengthByteArrayDecoder::open(const Section& section) {
  return open(section.bytes, section.spec.count, Rule::delta_length_byte_array_length_count, section.budget,
              section.notes);
}

Status DeltaLengthByteArrayDecoder::open(View bytes, std::uint64_t count, Rule count_rule, Budget& budget,
                                         Notes& notes) {
  sizes_.make(batch_values(count));
  values_.make(batch_values(count));
  sum_ = 0;
  done_ = 0;
  budget_ = &budget;
  const Status opened = lengths_.open(bytes, count, count_rule, notes);
  data_ = lengths_.rest();
  return opened;
}

// delta-length-byte-array/negative-length
std::unexpected<Error> DeltaLengthByteArrayDecoder::negative(std::size_t i) const noexcept {
  return std::unexpected(Error{lengths_.offset(), static_cast<std::int32_t>(sizes_[i]), 0, 0,
                               Rule::delta_length_byte_array_negative_length, data_.space,
                               static_cast<std::uint32_t>(done_ + i)});
}

// delta-length-byte-array/data-length: adds up all lengths only for the error; negative lengths are ignored.
// `count` of the lengths have been read.
std::unexpected<Error> DeltaLengthByteArrayDecoder::wrong_sizes(std::size_t count) noexcept {
  for (; count != 0; done_ += count, count = lengths_.next(sizes_.data())) {
    for (std::size_t i = 0; i < count; ++i) {
      if (static_cast<std::int32_t>(sizes_[i]) < 0) return negative(i);
      sum_ += sizes_[i];
    }
  }
  return std::unexpected(Error::at(Rule::delta_length_byte_array_data_length, data_, data_.size(), sum_));
}

Result<ValueBatch> DeltaLengthByteArrayDecoder::next() {
  ValueBatch batch;
  batch.form = ValueBatch::Form::byte_arrays;
  batch.byte_arrays = values_.data();
  batch.readable = data_.data() + data_.size();
  batch.back_to_back = true;
  batch.count = lengths_.next(sizes_.data());
  batch.offset = data_.base + sum_;
  // limit/work: lengths of width 0 cost time without bytes
  const Status afforded = Section::spend(*budget_, data_, batch.count / Section::kValuesPerUnit);
  if (!afforded) return std::unexpected(afforded.error());
  const auto count = static_cast<std::size_t>(batch.count);
  // Values are made before their sizes are checked, and discarded if a size is invalid.
  const SizeSurvey sizes = kernels().text.lay_out(sizes_.data(), count, data_.data() + sum_, values_.data());
  if (sizes.bits > INT32_MAX || sizes.sum > data_.size() - sum_) return wrong_sizes(count);
  sum_ += sizes.sum;
  done_ += count;
  return batch;
}

Status DeltaLengthByteArrayDecoder::end() const noexcept {
  if (sum_ == data_.size()) return {};
  // delta-length-byte-array/data-length
  return std::unexpected(Error::at(Rule::delta_length_byte_array_data_length, data_, data_.size(), sum_));
}

EncodeStatus DeltaLengthByteArrayEncoder::open(const EncodeOptions& options, std::vector<std::uint8_t>& out) {
  out_ = &out;
  data_.clear();
  runs_.clear();
  return lengths_.open(options);
}

EncodeStatus DeltaLengthByteArrayEncoder::add(const ValueBatch& batch) {
  std::span<const ByteArray> values(batch.byte_arrays, static_cast<std::size_t>(batch.count));
  const auto bytes = static_cast<std::size_t>(total_size(batch));
  if (batch.back_to_back && !values.empty()) {
    data_.insert(data_.end(), values.front().data, values.front().data + bytes);
  } else {
    std::uint8_t* data = append_room(data_, bytes);
    for (const ByteArray& value : values) data = copy_bytes(data, value.data, value.size);
  }
  std::array<std::uint32_t, 512> sizes;
  while (!values.empty()) {
    const std::size_t count = std::min(values.size(), sizes.size());
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < count; ++i) bits |= sizes[i] = values[i].size;
    if (bits > INT32_MAX) return std::unexpected("a byte array is longer than 2147483647 bytes");
    lengths_.add(std::span<const std::uint32_t>(sizes).first(count));
    values = values.subspan(count);
  }
  return {};
}

EncodeStatus DeltaLengthByteArrayEncoder::add_run(const ValueBatch& value, std::uint64_t count) {
  return add_run(*value.byte_arrays, count);
}

EncodeStatus DeltaLengthByteArrayEncoder::add_run(const ByteArray& value, std::uint64_t count) {
  if (value.size > INT32_MAX) return std::unexpected("a byte array is longer than 2147483647 bytes");
  lengths_.add_run(value.size, count);
  if (count == 0) return {};
  if (count > 1) runs_.push_back({data_.size(), value.size, count - 1});
  append_copies(data_, {value.data, value.size}, 1);
  return {};
}

EncodeStatus DeltaLengthByteArrayEncoder::finish() {
  if (const EncodeStatus lengths = lengths_.finish(*out_); !lengths) return lengths;
  const std::span<const std::uint8_t> data(data_);
  std::size_t written = 0;
  for (const Run& run : runs_) {
    const std::size_t end = run.begin + run.size;
    out_->insert(out_->end(), data.begin() + static_cast<std::ptrdiff_t>(written),
                 data.begin() + static_cast<std::ptrdiff_t>(end));
    append_copies(*out_, data.subspan(run.begin, run.size), run.copies);
    written = end;
  }
  out_->insert(out_->end(), data.begin() + static_cast<std::ptrdiff_t>(written), data.end());
  return {};
}

}  // namespace parqproof
