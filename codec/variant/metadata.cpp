#include "codec/variant/metadata.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "codec/base/utf8.hpp"

namespace parqproof::variant {
namespace {

constexpr std::size_t kShownBytes = 40;

void report(Faults& faults, Rule rule, View at, std::string_view subject, FindingValue found,
            FindingValue expected) {
  if (faults.count(rule)) faults.describe({rule, at, subject, std::move(found), std::move(expected), {}});
}

bool is_continuation(std::uint8_t byte) noexcept { return (byte & 0xC0) == 0x80; }

}  // namespace

std::optional<std::size_t> Metadata::extent(std::span<const std::uint8_t> bytes) noexcept {
  if (bytes.empty()) return std::nullopt;
  const unsigned width = (bytes[0] >> kWidthShift) + 1U;
  if (bytes.size() < 1 + std::size_t{width}) return std::nullopt;
  const std::uint64_t size = number_at(bytes.data() + 1, width);
  const std::uint64_t strings = 1 + (size + 2) * width;
  if (strings > bytes.size()) return std::nullopt;
  const std::uint64_t end = strings + number_at(bytes.data() + strings - width, width);
  return end > bytes.size() ? std::nullopt : std::optional(static_cast<std::size_t>(end));
}

bool Metadata::read(View bytes, Faults& faults) {
  bytes_ = bytes;
  size_ = 0;
  known_ = ascending_ = false;
  order_.clear();
  if (bytes.empty()) {
    report(faults, Rule::variant_metadata, bytes, "the number of bytes of the metadata", 0, or_more(3));
    return false;
  }
  const std::uint8_t header = bytes.bytes[0];
  if ((header & kVersionMask) != kVersion) {
    report(faults, Rule::variant_metadata, bytes.part(0, 1), "the version in the header of the metadata",
           header & kVersionMask, kVersion);
    return false;
  }
  if ((header & kReserved) != 0) {
    report(faults, Rule::variant_reserved_bits, bytes.part(0, 1), {}, header, header & ~kReserved);
  }
  width_ = (header >> kWidthShift) + 1U;
  if (!read_offsets(faults)) return false;
  known_ = true;
  judge_strings(faults);
  const unsigned needed = std::max(bytes_for(size_), bytes_for(bytes.size() - strings_));
  if (width_ > needed) {
    report(faults, Rule::variant_wide, bytes.part(0, 1), "number of bytes of an offset of the metadata",
           width_, needed);
  }
  return true;
}

bool Metadata::read_offsets(Faults& faults) {
  const std::size_t after_header = bytes_.size() - 1;
  if (after_header < width_) {
    report(faults, Rule::variant_metadata, bytes_.from(1), "the number of bytes of the dictionary size",
           after_header, width_);
    return false;
  }
  const std::uint32_t size = number_at(bytes_.data() + 1, width_);
  const std::uint64_t offsets = after_header / width_ - 1;
  if (std::uint64_t{size} + 1 > offsets) {
    report(faults, Rule::variant_metadata, bytes_.part(1, width_), "the dictionary size", size,
           offsets == 0 ? FindingValue("an offset more than strings") : FindingValue(at_most(offsets - 1)));
    return false;
  }
  size_ = size;
  strings_ = 1 + width_ * (std::size_t{size} + 2);
  const std::uint64_t left = bytes_.size() - strings_;
  if (offset(0) != 0) {
    report(faults, Rule::variant_metadata, offset_bytes(0), "the first offset of the metadata", offset(0), 0);
    return true;
  }
  std::uint32_t before = 0;
  for (std::uint32_t i = 1; i <= size_; ++i) {
    const std::uint32_t here = offset(i);
    if (here < before) {
      report(faults, Rule::variant_metadata, offset_bytes(i), "an offset of the metadata", here,
             or_more(before));
      return true;
    }
    if (here > left) {
      report(faults, Rule::variant_metadata, offset_bytes(i),
             i == size_ ? "the last offset of the metadata" : "an offset of the metadata", here,
             i == size_ ? FindingValue(left) : FindingValue(at_most(left)));
      return true;
    }
    before = here;
  }
  if (before != left) {
    report(faults, Rule::variant_metadata, bytes_.from(strings_ + before),
           "the number of bytes after the strings of the metadata", left - before, 0);
  }
  return true;
}

View Metadata::name_bytes(std::uint32_t id) const noexcept {
  const std::size_t left = bytes_.size() - strings_;
  const std::size_t begin = std::min<std::size_t>(offset(id), left);
  const std::size_t end = std::clamp<std::size_t>(offset(id + 1), begin, left);
  return bytes_.part(strings_ + begin, end - begin);
}

void Metadata::judge_strings(Faults& faults) {
  // All strings at once, then the bounds between them.
  bool valid = utf8_error(bytes_.bytes.subspan(strings_)) == bytes_.size() - strings_;
  ascending_ = true;
  for (std::uint32_t i = 0; i < size_; ++i) {
    const View here = name_bytes(i);
    if (!here.empty() && is_continuation(here.bytes[0])) valid = false;
    if (i != 0 && ascending_ && name(i - 1) >= name(i)) {
      ascending_ = false;
      if ((bytes_.bytes[0] & kSorted) != 0) {
        const auto shown = [](std::string_view text) {
          return '"' + std::string(text.substr(0, kShownBytes)) + '"';
        };
        report(faults, Rule::variant_metadata_sorted, here, {}, shown(name(i)), shown(name(i - 1)));
      }
    }
  }
  if (valid) return;
  for (std::uint32_t i = 0; i < size_; ++i) {
    const View here = name_bytes(i);
    const std::size_t error = utf8_error(here.bytes);
    if (error == here.size()) continue;
    report(faults, Rule::variant_metadata_utf8, here, {}, error, "UTF-8");
    return;
  }
}

std::optional<std::uint32_t> Metadata::find(std::string_view wanted) const {
  if (size_ == 0) return std::nullopt;
  if (!ascending_ && order_.size() != size_) {
    order_.resize(size_);
    std::iota(order_.begin(), order_.end(), 0);
    std::ranges::sort(order_, {}, [this](std::uint32_t id) { return name(id); });
  }
  const auto id_at = [this](std::uint32_t i) { return ascending_ ? i : order_[i]; };
  std::uint32_t first = 0;
  for (std::uint32_t count = size_; count > 0;) {
    const std::uint32_t half = count / 2;
    if (name(id_at(first + half)) < wanted) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  if (first == size_ || name(id_at(first)) != wanted) return std::nullopt;
  return id_at(first);
}

}  // namespace parqproof::variant
