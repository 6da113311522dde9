#include "codec/base/composed_source.hpp"

#include <algorithm>

namespace parqproof {

ComposedSource& ComposedSource::add(const Source& file, std::uint64_t begin, std::uint64_t end) {
  add({.begin = begin, .file = &file}, end - begin);
  range_end_ = end;
  return *this;
}

ComposedSource& ComposedSource::add(std::span<const std::uint8_t> bytes) {
  add({.begin = range_end_, .index = memory_.size(), .kind = Part::Kind::memory}, bytes.size());
  memory_.insert(memory_.end(), bytes.begin(), bytes.end());
  return *this;
}

ComposedSource& ComposedSource::add_zeros(std::uint64_t count) {
  add({.begin = range_end_, .kind = Part::Kind::zeros}, count);
  return *this;
}

void ComposedSource::add(Part part, std::uint64_t count) {
  if (count == 0) return;
  part.start = size_;
  parts_.push_back(part);
  size_ += count;
}

std::size_t ComposedSource::part_of(std::uint64_t offset) const noexcept {
  return static_cast<std::size_t>(std::ranges::upper_bound(parts_, offset, {}, &Part::start) -
                                  parts_.begin()) -
         1;
}

bool ComposedSource::read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept {
  if (offset > size_ || into.size() > size_ - offset) return false;
  for (std::size_t at = part_of(offset); !into.empty(); ++at) {
    const Part& part = parts_[at];
    const std::uint64_t end = at + 1 == parts_.size() ? size_ : parts_[at + 1].start;
    const std::uint64_t inside = offset - part.start;
    const auto here =
        into.first(static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), end - offset)));
    switch (part.kind) {
      case Part::Kind::file:
        if (!part.file->read(part.begin + inside, here)) return false;
        break;
      case Part::Kind::memory:
        std::ranges::copy_n(memory_.begin() + static_cast<std::ptrdiff_t>(part.index + inside),
                            static_cast<std::ptrdiff_t>(here.size()), here.begin());
        break;
      case Part::Kind::zeros:
        std::ranges::fill(here, std::uint8_t{0});
        break;
    }
    into = into.subspan(here.size());
    offset = end;
  }
  return true;
}

std::uint64_t ComposedSource::in_file(std::uint64_t offset) const noexcept {
  if (parts_.empty()) return range_end_;
  const Part& part = parts_[part_of(offset)];
  return part.kind == Part::Kind::file ? part.begin + (offset - part.start) : part.begin;
}

}  // namespace parqproof
