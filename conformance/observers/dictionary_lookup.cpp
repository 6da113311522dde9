#include "conformance/observers/dictionary_lookup.hpp"

#include <cstring>

namespace parqproof {
namespace {

/// Copies values of a width that is known at compile time.
template <std::size_t kWidth>
void gather(const DictionaryView& entries, const std::uint32_t* indices, std::size_t count,
            std::uint8_t* out) {
  const std::uint8_t* const first = entries[0].data();
#pragma GCC unroll 4
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(out + i * kWidth, first + std::size_t{indices[i]} * kWidth, kWidth);
}

}  // namespace

ValueBatch DictionaryLookup::values_of(const ValueBatch& indices) {
  ValueBatch out;
  const bool run = indices.form == ValueBatch::Form::index_run;
  if (entries_.size() == 0 || (!run && indices.form != ValueBatch::Form::indices)) return out;
  const std::uint32_t* const from = run ? &indices.run : indices.indices;
  const auto count = static_cast<std::size_t>(run ? 1 : indices.count);
  out.count = count;
  if (type_ == Type::BYTE_ARRAY) {
    if (byte_arrays_.size() < count) byte_arrays_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<const std::uint8_t> value = entries_[from[i]];
      byte_arrays_[i] = {value.data(), static_cast<std::uint32_t>(value.size())};
    }
    out.form = ValueBatch::Form::byte_arrays;
    out.byte_arrays = byte_arrays_.data();
    out.readable = end_;
    return out;
  }
  if (fixed_.size() < count * width_) fixed_.resize(count * width_);
  if (width_ == 4) {
    gather<4>(entries_, from, count, fixed_.data());
  } else if (width_ == 8) {
    gather<8>(entries_, from, count, fixed_.data());
  } else {
    for (std::size_t i = 0; i < count && width_ != 0; ++i)
      std::memcpy(fixed_.data() + i * width_, entries_[from[i]].data(), width_);
  }
  out.fixed = fixed_.data();
  return out;
}

}  // namespace parqproof
