#include "codec/encoding/rle/rle_boolean.hpp"

#include <algorithm>
#include <cstring>

#include "codec/base/bits.hpp"
#include "codec/encoding/pack.hpp"

namespace parqproof {
namespace {

constexpr std::uint32_t kLengthBytes = 4;
constexpr unsigned kBooleanBits = 1;
constexpr std::size_t kBooleansAtOnce = 512;  // booleans encoded at once

// Returns true if the runs have exactly `count` booleans and no fault. Consumes `runs`.
bool holds(HybridDecoder& runs, View bytes, std::uint64_t count) noexcept {
  Notes notes;
  runs.open(bytes, kBooleanBits, count, data_rules(), notes);
  for (;;) {
    const auto batch = runs.next();
    if (!batch) return false;
    if (batch->count == 0) return runs.rest().empty() && notes.all().empty();
  }
}

}  // namespace

Status RleBooleanDecoder::open(const Section& section) {
  const View bytes = section.bytes;
  const View word = bytes.part(0, std::min<std::size_t>(bytes.size(), kLengthBytes));
  const bool has_length = word.size() == kLengthBytes;
  const std::uint32_t claimed = has_length ? load_le<std::uint32_t>(word.data()) : 0;
  const std::size_t after_length = bytes.size() - word.size();
  View runs = bytes.from(word.size());
  if (!has_length || claimed != after_length) {
    // rle/boolean-length
    const Error error = has_length ? Error::at(Rule::rle_boolean_length, word, claimed, after_length)
                                   : Error::at(Rule::rle_boolean_length, word, word.size(), kLengthBytes);
    if (!holds(runs_, bytes, section.spec.count)) return std::unexpected(error);
    section.notes.add(Rule::rle_boolean_length, error);
    runs = bytes;
  }
  runs_.open(runs, kBooleanBits, section.spec.count, data_rules(), section.notes);
  return {};
}

Result<ValueBatch> RleBooleanDecoder::next() {
  const auto run = runs_.next();
  if (!run) return std::unexpected(run.error());
  ValueBatch batch;
  batch.count = run->count;
  batch.offset = run->run_offset;
  if (run->values == nullptr) {
    batch.form = ValueBatch::Form::boolean_run;
    batch.run = run->repeated;
  } else {
    batch.form = ValueBatch::Form::booleans;
    std::transform(run->values, run->values + run->count, values_.begin(),
                   [](std::uint32_t bit) { return static_cast<std::uint8_t>(bit); });
    batch.booleans = values_.data();
  }
  return batch;
}

Status RleBooleanDecoder::end() const noexcept {
  // rle/trailing-bytes
  const View rest = runs_.rest();
  if (rest.empty()) return {};
  Error error = Error::at(Rule::rle_trailing_bytes, rest, rest.size(), 0);
  error.ordinal = values_in_runs(rest, kBooleanBits);
  return std::unexpected(error);
}

EncodeStatus RleBooleanEncoder::open(const NewSection& section) {
  out_ = &section.out;
  start_ = section.out.size();
  append_le(section.out, 0, kLengthBytes);  // placeholder: finish() writes the length
  runs_.open(kBooleanBits, section.options, section.out);
  return {};
}

EncodeStatus RleBooleanEncoder::add(const ValueBatch& batch) {
  if (batch.form == ValueBatch::Form::boolean_run) {
    runs_.add(batch.run != 0 ? 1 : 0, batch.count);
  } else {
    std::array<std::uint32_t, kBooleansAtOnce> bits;
    for (std::uint64_t done = 0; done < batch.count;) {
      const auto count =
          static_cast<std::size_t>(std::min<std::uint64_t>(batch.count - done, kBooleansAtOnce));
      const std::uint8_t* const booleans = batch.booleans + done;
      for (std::size_t i = 0; i < count; ++i) bits[i] = booleans[i] != 0 ? 1 : 0;
      runs_.add(std::span<const std::uint32_t>(bits.data(), count));
      done += count;
    }
  }
  return {};
}

EncodeStatus RleBooleanEncoder::finish() {
  runs_.finish();
  const std::size_t length = out_->size() - start_ - kLengthBytes;
  if (length > UINT32_MAX) return std::unexpected("the runs take more bytes than their length can hold");
  const auto word = static_cast<std::uint32_t>(length);
  std::memcpy(out_->data() + start_, &word, sizeof word);
  return {};
}

}  // namespace parqproof
