#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/base/result.hpp"

namespace parqproof {

/// What a decoder noticed and went on from: of each rule the Error that stands first in the page, and how
/// often it was met. Streams that are read by turns may note them in another order. It never allocates.
class Notes {
 public:
  struct Note {
    Error error;
    std::uint64_t times = 0;
  };

  void add(const Error& error, std::uint64_t times = 1) noexcept {
    for (std::size_t i = 0; i < size_; ++i) {
      if (notes_[i].error.rule == error.rule) {
        if (error.offset < notes_[i].error.offset) notes_[i].error = error;
        notes_[i].times += times;
        return;
      }
    }
    if (size_ < notes_.size()) notes_[size_++] = {error, times};
  }
  [[nodiscard]] std::span<const Note> all() const noexcept { return {notes_.data(), size_}; }
  void clear() noexcept { size_ = 0; }

 private:
  std::array<Note, 16> notes_{};  // more than there are rules that a decoder can note
  std::size_t size_ = 0;
};

}  // namespace parqproof
