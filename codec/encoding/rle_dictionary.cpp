#include "codec/encoding/rle_dictionary.hpp"

#include <algorithm>

#include "codec/base/bits.hpp"
#include "codec/encoding/pack.hpp"
#include "codec/kernel/kernels.hpp"

namespace parqproof {

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
  // dictionary/bit-width-minimal: one bit is as good as none
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
    if (kernels().max32(indices.data(), indices.size()) < dictionary_size_) return batch;
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

EncodeStatus encode_dictionary_indices(const PlainValues& values, const EncodeOptions& options,
                                       std::vector<std::uint8_t>& out) {
  const unsigned needed = width_of(values.indices);
  const unsigned width = options.bit_width.value_or(needed);
  if (width > kMaxIndexWidth || width < needed)
    return std::unexpected("the bit width does not fit the indices");
  append_le(out, width, 1);
  append_hybrid(values.indices, width, options, out);
  return {};
}

}  // namespace parqproof
