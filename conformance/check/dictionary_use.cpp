#include "conformance/check/dictionary_use.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace parqproof {

void DictionaryUse::begin_chunk(DictionarySource* again) noexcept {
  again_ = again;
  image_ = {};
  source_ = nullptr;
  spec_ = {};
  used_.clear();
  first_unused_ = 0;
  has_values_ = false;
  has_marks_ = false;
}

void DictionaryUse::begin(View image, Buffer& buffer, const ValueSpec& spec) noexcept {
  image_ = image;
  source_ = &buffer;
  spec_ = spec;
}

void DictionaryUse::ask() {
  if (!is_asked()) used_.assign(static_cast<std::size_t>(spec_.count), 0);
}

bool DictionaryUse::ask_for_values() {
  ask();
  if (has_values_) return true;
  const std::size_t size = image_.size();
  // A buffer that is not much larger than the image changes hands.
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

bool DictionaryUse::keep_image() {
  if (has_values_) return true;
  image_ = again_ == nullptr ? View{} : again_->read_again(kept_);
  has_values_ = !image_.empty();
  return has_values_;
}

void DictionaryUse::mark(const ValueBatch& batch) noexcept {
  has_marks_ = true;
  if (all_used()) return;
  if (batch.form == ValueBatch::Form::index_run) {
    used_[batch.run] = 1;
  } else if (batch.form == ValueBatch::Form::indices) {
    for (std::uint64_t i = 0; i < batch.count; ++i) used_[batch.indices[i]] = 1;
  }
  while (first_unused_ < used_.size() && used_[first_unused_] != 0) ++first_unused_;
}

std::uint64_t DictionaryUse::unused() const noexcept {
  return static_cast<std::uint64_t>(std::ranges::count(used_, std::uint8_t{0}));
}

}  // namespace parqproof
