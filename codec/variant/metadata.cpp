#include "codec/variant/metadata.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "codec/base/utf8.hpp"
#include "codec/variant/judge.hpp"

namespace parqproof::variant {
namespace {

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
  constexpr std::string_view kSize = "the size of the metadata";
  if (bytes.empty()) {
    report(faults, Rule::variant_metadata, bytes, kSize, 0, at_least(1));
    return false;
  }
  const std::uint8_t header = bytes.bytes[0];
  if ((header & kVersionMask) != kVersion) {
    report(faults, Rule::variant_metadata, bytes.part(0, 1), "the version of the metadata",
           header & kVersionMask, kVersion);
    return false;
  }
  width_ = (header >> kWidthShift) + 1U;
  if (bytes.size() < 1 + std::size_t{2} * width_) {
    report(faults, Rule::variant_metadata, bytes, kSize, bytes.size(), at_least(1 + 2 * width_));
    return false;
  }
  if (!read_offsets(faults)) {
    size_ = 0;
    return false;
  }
  known_ = true;
  if ((header & kReserved) != 0)
    report(faults, Rule::variant_reserved_bits, bytes.part(0, 1), {}, header, header & ~kReserved);
  if (const unsigned needed = needed_width(); width_ > needed) {
    report(faults, Rule::variant_wide, bytes.part(0, 1), {}, header,
           (header & ((1U << kWidthShift) - 1)) | (needed - 1) << kWidthShift);
  }
  judge_strings(faults);
  return true;
}

unsigned Metadata::needed_width() const noexcept {
  return std::max(bytes_for(size_), bytes_for(bytes_.size() - strings_));
}

bool Metadata::read_offsets(Faults& faults) {
  const auto fault = [&](View at, std::string_view subject, FindingValue found, FindingValue expected) {
    report(faults, Rule::variant_metadata, at, subject, std::move(found), std::move(expected));
    return false;
  };
  const std::uint32_t size = number_at(bytes_.data() + 1, width_);
  const std::uint64_t most = (bytes_.size() - 1 - width_) / width_ - 1;
  if (size > most) return fault(bytes_.part(1, width_), "the size of the dictionary", size, at_most(most));
  size_ = size;
  strings_ = 1 + width_ * (std::size_t{size} + 2);
  const std::uint64_t left = bytes_.size() - strings_;
  if (offset(0) != 0) return fault(offset_bytes(0), "the first offset of the metadata", offset(0), 0);
  std::uint32_t last = 0;
  for (std::uint32_t i = 1; i <= size_; ++i) {
    const std::uint32_t before = std::exchange(last, offset(i));
    if (last < before) return fault(offset_bytes(i), "an offset of the metadata", last, at_least(before));
  }
  if (last > left) return fault(offset_bytes(size_), "the last offset of the metadata", last, left);
  if (last < left) {
    return fault(bytes_.from(strings_ + last), "the size of the metadata", bytes_.size(), strings_ + last);
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
    if (i == 0 || name(i - 1) < name(i)) continue;
    if (claims_order() && ascending_) {
      report(faults, Rule::variant_metadata_sorted, here, {}, shown_name(name(i)),
             "more than " + shown_name(name(i - 1)));
    }
    ascending_ = false;
  }
  for (std::uint32_t i = 0; i < size_ && !valid; ++i) {
    const View here = name_bytes(i);
    const std::size_t error = utf8_error(here.bytes);
    valid = error != here.size();
    if (valid)
      report(faults, Rule::variant_metadata_utf8, here, {}, shown_utf8_error(here.bytes, error), "UTF-8");
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
