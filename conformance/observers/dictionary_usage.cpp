#include "conformance/observers/dictionary_usage.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "codec/base/bits.hpp"

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

void DictionaryUsage::begin_chunk(DictionarySource* again) noexcept {
  again_ = again;
  has_marks_ = false;
  reset({}, nullptr, {});
}

void DictionaryUsage::reset(View image, Buffer* buffer, const ValueSpec& spec) noexcept {
  image_ = image;
  source_ = buffer;
  spec_ = spec;
  used_.clear();
  first_unused_ = 0;
  has_values_ = false;
}

void DictionaryUsage::ask() {
  if (!is_asked()) used_.assign(static_cast<std::size_t>(spec_.count), 0);
}

bool DictionaryUsage::ask_for_values() {
  ask();
  if (has_values_) return true;
  const std::size_t size = image_.size();
  // A buffer that is not much larger than the image is moved, not copied.
  if (image_.data() == source_->data() && source_->capacity() / 2 <= size) {
    std::swap(kept_, *source_);
  } else if (kept_.resize(size)) {
    std::memcpy(kept_.data(), image_.data(), size);
  } else {
    return false;
  }
  image_.bytes = {kept_.data(), size};
  has_values_ = true;
  return true;
}

bool DictionaryUsage::keep_image() {
  if (has_values_) return true;
  image_ = again_ == nullptr ? View{} : again_->read_again(kept_);
  has_values_ = !image_.empty();
  return has_values_;
}

void DictionaryUsage::mark(const ValueBatch& batch) noexcept {
  has_marks_ = true;
  if (all_used()) return;
  if (batch.form == ValueBatch::Form::index_run) {
    used_[batch.run] = 1;
  } else if (batch.form == ValueBatch::Form::indices) {
    // Local pointers, because written bytes may alias any member for the compiler.
    std::uint8_t* const used = used_.data();
    const std::uint32_t* const end = batch.indices + batch.count;
#pragma GCC unroll 8
    for (const std::uint32_t* index = batch.indices; index != end; ++index) used[*index] = 1;
  }
  if (used_[first_unused_] != 0) first_unused_ += length_of_run(std::span(used_).subspan(first_unused_));
}

std::size_t DictionaryUsage::length_of_run(std::span<const std::uint8_t> marks) noexcept {
  constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101;
  const std::uint64_t eight = marks[0] * kOnes;
  std::size_t length = 1;
  while (marks.size() - length >= 8 && load_le<std::uint64_t>(marks.data() + length) == eight) length += 8;
  while (length < marks.size() && marks[length] == marks[0]) ++length;
  return length;
}

std::uint64_t DictionaryUsage::unused() const noexcept {
  return static_cast<std::uint64_t>(std::ranges::count(used_, std::uint8_t{0}));
}

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
