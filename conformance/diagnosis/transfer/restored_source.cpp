#include "conformance/diagnosis/transfer/restored_source.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace parqproof {

void RestoredSource::append(std::vector<Stretch>& stretches, std::uint64_t begin, std::uint64_t end) {
  if (begin == end) return;
  if (!stretches.empty() && stretches.back().end == begin)
    stretches.back().end = end;
  else
    stretches.push_back({begin, end, 0});
}

StretchSource::StretchSource(const Source& file, std::vector<Stretch> stretches, std::string filter)
    : file_(file), stretches_(std::move(stretches)), filter_(std::move(filter)) {
  starts_.reserve(stretches_.size() + 1);
  starts_.push_back(0);
  for (const Stretch& one : stretches_) starts_.push_back(starts_.back() + one.end - one.begin + one.missing);
}

std::size_t StretchSource::stretch_of(std::uint64_t offset) const noexcept {
  const auto next = std::upper_bound(starts_.begin() + 1, starts_.end() - 1, offset);
  return static_cast<std::size_t>(next - starts_.begin()) - 1;
}

std::uint64_t StretchSource::at_hand(std::uint64_t offset) const noexcept {
  const std::size_t at = stretch_of(offset);
  return std::min(stretches_[at].begin + (offset - starts_[at]), stretches_[at].end);
}

std::vector<RestoredSource::Stretch> StretchSource::stretches() const {
  return filter_.empty() ? stretches_ : std::vector<Stretch>();
}

bool StretchSource::read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept {
  if (offset > size() || into.size() > size() - offset) return false;
  for (std::size_t at = stretch_of(offset); !into.empty(); ++at) {
    const Stretch& stretch = stretches_[at];
    const std::uint64_t present = stretch.end - stretch.begin;
    std::uint64_t inside = offset - starts_[at];
    if (inside < present) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), present - inside));
      if (!file_.read(stretch.begin + inside, into.first(count))) return false;
      into = into.subspan(count);
      inside += count;
    }
    const auto zeros =
        static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), present + stretch.missing - inside));
    std::ranges::fill(into.first(zeros), std::uint8_t{0});
    into = into.subspan(zeros);
    offset = starts_[at + 1];
  }
  return true;
}

std::uint8_t Base64Source::digit(std::uint8_t character) noexcept {
  constexpr std::uint8_t kPadding = 64;
  constexpr std::uint8_t kNone = 65;
  const auto from = [&](char first) { return static_cast<std::uint8_t>(character - first); };
  if (character >= 'A' && character <= 'Z') return from('A');
  if (character >= 'a' && character <= 'z') return static_cast<std::uint8_t>(26 + from('a'));
  if (character >= '0' && character <= '9') return static_cast<std::uint8_t>(52 + from('0'));
  return character == '+' ? 62 : character == '/' ? 63 : character == '=' ? kPadding : kNone;
}

std::uint64_t Base64Source::at_hand(std::uint64_t offset) const noexcept {
  const std::uint64_t character = offset / 3 * 4 + offset % 3;
  return character / line_ * step_ + character % line_;
}

bool Base64Source::read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept {
  if (offset > size_ || into.size() > size_ - offset) return false;
  std::array<std::uint8_t, 4096> characters{};
  std::uint32_t bits = 0;
  std::size_t filled = 0;
  std::uint64_t begin = 0;  // of `characters`, in the file
  std::size_t held = 0;
  // A group of four characters has three bytes.
  for (std::uint64_t at = offset / 3 * 4; filled < into.size(); ++at) {
    const std::uint64_t here = at / line_ * step_ + at % line_;
    if (here < begin || here >= begin + held) {
      begin = here;
      held = static_cast<std::size_t>(
          std::min<std::uint64_t>(characters.size(), file_.size() - std::min(here, file_.size())));
      if (held == 0 || !file_.read(begin, std::span(characters).first(held))) return false;
    }
    bits = (bits << 6) | (digit(characters[static_cast<std::size_t>(here - begin)]) & 63U);
    if (at % 4 == 0) continue;
    const std::uint64_t byte = at / 4 * 3 + at % 4 - 1;
    if (byte < offset) continue;
    into[filled++] = static_cast<std::uint8_t>(bits >> (6 - 2 * (at % 4)));
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
