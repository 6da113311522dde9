#include "codec/encoding/rle/rle_dictionary.hpp"

#include <algorithm>

#include "codec/base/bits.hpp"
#include "codec/encoding/pack.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kIndicesAtOnce = 4096;  // indices checked at once

}  // namespace

Status DictionaryIndexDecoder::open(const Section& section) {
  bytes_ = section.bytes;
  dictionary_size_ = section.spec.dictionary_size;
  failed_ = false;
  const View byte = bytes_.part(0, std::min<std::size_t>(bytes_.size(), 1));
  const unsigned width = byte.empty() ? 0 : byte.bytes[0];
  // dictionary/bit-width
  if (byte.empty() || width > kMaxIndexWidth) {
    failed_ = true;
    return std::unexpected(Error::at(Rule::dictionary_bit_width, byte, width, kMaxIndexWidth));
  }
  // dictionary/bit-width-minimal: a width of 1 is accepted for a dictionary of one entry
  const unsigned needed = bit_width_for(std::max<std::uint64_t>(dictionary_size_, 2) - 1);
  if (width > needed) {
    section.notes.add(Rule::dictionary_bit_width_minimal, byte, width, needed);
  }
  runs_.open(bytes_.from(1), width, section.spec.count, data_rules(), section.notes);
  return {};
}

Result<ValueBatch> DictionaryIndexDecoder::next() {
  ValueBatch batch;
  batch.form = ValueBatch::Form::indices;
  if (failed_) return batch;
  const auto run = runs_.next();
  if (!run) return std::unexpected(run.error());
  batch.count = run->count;
  batch.offset = run->run_offset;
  batch.indices = run->values;
  batch.run = run->repeated;
  const std::uint32_t* first_bad = &run->repeated;
  if (run->values == nullptr) {
    batch.form = ValueBatch::Form::index_run;
  } else {
    const std::span<const std::uint32_t> indices(run->values, static_cast<std::size_t>(run->count));
    if (max32(kernels(), indices.data(), indices.size()) < dictionary_size_) return batch;
    first_bad = &*std::find_if(indices.begin(), indices.end(),
                               [this](std::uint32_t index) { return index >= dictionary_size_; });
  }
  // dictionary/index-range
  if (run->count != 0 && *first_bad >= dictionary_size_) {
    failed_ = true;
    return std::unexpected(Error{run->run_offset, *first_bad, static_cast<std::int64_t>(dictionary_size_), 1,
                                 Rule::dictionary_index_range, bytes_.space});
  }
  return batch;
}

Status DictionaryIndexDecoder::end() const noexcept {
  // rle/trailing-bytes
  const View rest = runs_.rest();
  if (failed_ || rest.empty()) return {};
  Error error = Error::at(Rule::rle_trailing_bytes, rest, rest.size(), 0);
  error.ordinal = values_in_runs(rest, bytes_.bytes[0]);
  return std::unexpected(error);
}

EncodeStatus DictionaryIndexEncoder::open(const NewSection& section) {
  options_ = &section.options;
  out_ = &section.out;
  kept_runs_.clear();
  kept_.clear();
  in_runs_ = 0;
  bits_ = 0;
  if (const auto width = options_->bit_width) {
    if (*width > kMaxIndexWidth) return std::unexpected("the bit width is above 32");
    append_le(*out_, *width, 1);
    runs_.open(*width, *options_, *out_);
  }
  return {};
}

void DictionaryIndexEncoder::keep_run(std::uint32_t index, std::uint64_t count) {
  if (count == 0) return;
  bits_ |= index;
  if (options_->bit_width) return runs_.add(index, count);
  if (!kept_runs_.empty() && kept_runs_.back().index == index && in_runs_ == kept_.size()) {
    kept_runs_.back().count += count;
  } else {
    kept_runs_.push_back({kept_.size() - in_runs_, index, count});
    in_runs_ = kept_.size();
  }
}

void DictionaryIndexEncoder::keep(std::span<const std::uint32_t> indices) {
  if (indices.empty()) return;
  bits_ |= kernels().survey32(indices.data(), indices.size()).bits;
  if (options_->bit_width) return runs_.add(indices);
  if (std::equal(indices.begin() + 1, indices.end(), indices.begin())) {
    keep_run(indices[0], indices.size());
  } else {
    kept_.insert(kept_.end(), indices.begin(), indices.end());
  }
}

EncodeStatus DictionaryIndexEncoder::add(const ValueBatch& batch) {
  if (batch.form == ValueBatch::Form::index_run) {
    keep_run(batch.run, batch.count);
  } else {
    for (std::uint64_t done = 0; done < batch.count;) {  // kernels take fewer than 2^32 values
      const auto count = static_cast<std::size_t>(std::min(batch.count - done, kIndicesAtOnce));
      keep(std::span(batch.indices + done, count));
      done += count;
    }
  }
  if (bits_ > low_bits(options_->bit_width.value_or(kMaxIndexWidth)))
    return std::unexpected("the bit width does not fit the indices");
  return {};
}

EncodeStatus DictionaryIndexEncoder::finish() {
  if (!options_->bit_width) {
    const unsigned width = bit_width_for(bits_);
    append_le(*out_, width, 1);
    runs_.open(width, *options_, *out_);
    std::span<const std::uint32_t> left(kept_);
    for (const Run& run : kept_runs_) {
      runs_.add(left.first(run.before));
      runs_.add(run.index, run.count);
      left = left.subspan(run.before);
    }
    runs_.add(left);
  }
  runs_.finish();
  return {};
}

}  // namespace parqproof
