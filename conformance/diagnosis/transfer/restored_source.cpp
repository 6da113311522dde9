#include "conformance/diagnosis/transfer/restored_source.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "codec/base/composed_source.hpp"

namespace parqproof {

namespace {

class StretchSource final : public RestoredSource {
 public:
  StretchSource(const Source& file, std::vector<Stretch> stretches, std::string filter)
      : stretches_(std::move(stretches)), filter_(std::move(filter)) {
    for (const Stretch& one : stretches_) bytes_.add(file, one.begin, one.end).add_zeros(one.missing);
    if (!filter_.empty()) stretches_ = {};
  }

  [[nodiscard]] std::uint64_t size() const noexcept override { return bytes_.size(); }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
    return bytes_.read(offset, into);
  }
  [[nodiscard]] std::uint64_t at_hand(std::uint64_t offset) const noexcept override {
    return bytes_.in_file(offset);
  }
  [[nodiscard]] std::vector<Stretch> stretches() const override { return stretches_; }
  [[nodiscard]] std::string filter() const override { return filter_; }

 private:
  ComposedSource bytes_;
  std::vector<Stretch> stretches_;
  std::string filter_;
};

}  // namespace

std::shared_ptr<const RestoredSource> made_of(const Source& file, std::vector<Stretch> stretches,
                                              std::string filter) {
  std::erase_if(stretches, [](const Stretch& one) { return one.begin == one.end && one.missing == 0; });
  return std::make_shared<StretchSource>(file, std::move(stretches), std::move(filter));
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
