#include "conformance/diagnosis/transfer/undone_source.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace parqproof {

ShiftedSource::ShiftedSource(const Source& file, std::vector<Piece> pieces)
    : file_(file),
      pieces_(std::move(pieces)),
      size_(static_cast<std::uint64_t>(static_cast<std::int64_t>(file.size()) - pieces_.back().shift)) {}

std::size_t ShiftedSource::piece_of(std::uint64_t offset) const noexcept {
  const auto behind = std::ranges::upper_bound(pieces_, offset, {}, &Piece::begin);
  return static_cast<std::size_t>(behind - pieces_.begin()) - 1;
}

std::uint64_t ShiftedSource::end_of(std::size_t piece) const noexcept {
  return piece + 1 == pieces_.size() ? size_ : pieces_[piece + 1].begin - pieces_[piece + 1].missing;
}

std::uint64_t ShiftedSource::at_hand(std::uint64_t offset) const noexcept {
  const std::size_t piece = piece_of(offset);
  const auto inside = static_cast<std::int64_t>(std::min(offset, end_of(piece)));
  return static_cast<std::uint64_t>(inside + pieces_[piece].shift);
}

std::vector<RestoredSource::Stretch> ShiftedSource::stretches() const {
  std::vector<Stretch> out;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const std::uint64_t missing = i + 1 == pieces_.size() ? 0 : pieces_[i + 1].missing;
    const auto at_hand = [&](std::uint64_t offset) {
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(offset) + pieces_[i].shift);
    };
    out.push_back({at_hand(pieces_[i].begin), at_hand(end_of(i)), missing});
  }
  return out;
}

bool ShiftedSource::read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept {
  if (offset > size_ || into.size() > size_ - offset) return false;
  for (std::size_t piece = piece_of(offset); !into.empty(); ++piece) {
    const std::uint64_t end = end_of(piece);
    if (offset < end) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), end - offset));
      const auto at = static_cast<std::uint64_t>(static_cast<std::int64_t>(offset) + pieces_[piece].shift);
      if (!file_.read(at, into.first(count))) return false;
      into = into.subspan(count);
      offset += count;
    }
    if (into.empty()) break;
    const std::uint64_t next = pieces_[piece + 1].begin;
    const auto zeros = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), next - offset));
    std::ranges::fill(into.first(zeros), std::uint8_t{0});
    into = into.subspan(zeros);
    offset += zeros;
  }
  return true;
}

UnixLinesSource::UnixLinesSource(const Source& file, std::vector<std::uint64_t> returns)
    : file_(file), returns_(std::move(returns)), size_(file.size() - returns_.back()) {
  returns_.pop_back();
}

template <typename Take>
bool UnixLinesSource::walk(std::uint64_t offset, Take&& take) const noexcept {
  // The last block that begins at or before the byte.
  std::size_t low = 0;
  std::size_t high = returns_.size();
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (middle * kBlock - returns_[middle] <= offset ? low : high) = middle;
  }
  std::uint64_t at = low * kBlock;
  std::uint64_t original = at - returns_[low];
  std::array<std::uint8_t, kBlock + 1> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init): it is filled
  for (; at < file_.size(); at += kBlock) {
    const std::uint64_t rest = file_.size() - at;
    const auto held = static_cast<std::size_t>(std::min<std::uint64_t>(rest, bytes.size()));
    if (!file_.read(at, std::span(bytes).first(held))) return false;
    const auto count = static_cast<std::size_t>(std::min(rest, kBlock));
    for (std::size_t i = 0; i < count; ++i) {
      if (bytes[i] == '\r' && i + 1 < held && bytes[i + 1] == '\n') continue;
      if (original++ >= offset && !take(bytes[i], at + i)) return true;
    }
  }
  return true;
}

bool UnixLinesSource::read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept {
  if (offset > size_ || into.size() > size_ - offset) return false;
  std::size_t filled = 0;
  if (into.empty()) return true;
  return walk(offset,
              [&](std::uint8_t byte, std::uint64_t) {
                into[filled++] = byte;
                return filled < into.size();
              }) &&
         filled == into.size();
}

std::uint64_t UnixLinesSource::at_hand(std::uint64_t offset) const noexcept {
  std::uint64_t found = file_.size();
  (void)walk(offset, [&](std::uint8_t, std::uint64_t at) {
    found = at;
    return false;
  });
  return found;
}

}  // namespace parqproof
