#include <algorithm>
#include <bit>
#include <utility>

#include "codec/base/append.hpp"
#include "codec/base/bits.hpp"
#include "codec/encoding/delta/delta_byte_array.hpp"
#include "codec/encoding/pack.hpp"

namespace parqproof {
namespace {

// Of the first `most` bytes, how many are the same from the start.
std::uint32_t common_prefix(const std::uint8_t* a, const std::uint8_t* b, std::uint32_t most) noexcept {
  std::uint32_t at = 0;
  for (; most - at >= 8; at += 8) {
    const std::uint64_t differing = load_le<std::uint64_t>(a + at) ^ load_le<std::uint64_t>(b + at);
    if (differing != 0) return at + static_cast<std::uint32_t>(std::countr_zero(differing)) / 8;
  }
  while (at < most && a[at] == b[at]) ++at;
  return at;
}

// The options with blocks of the usual size where they do not say a size.
EncodeOptions in_usual_blocks(EncodeOptions options) {
  if (options.block_size || options.miniblocks) return options;
  options.block_size = 128;
  options.miniblocks = 4;
  return options;
}

}  // namespace

EncodeStatus DeltaByteArrayEncoder::open(const NewSection& section) {
  options_ = &section.options;
  out_ = &section.out;
  type_length_ = section.type_length;
  suffix_options_ = section.options;
  const EncodeOptions& options = section.options;
  if (options.suffix_block_size) suffix_options_.block_size = options.suffix_block_size;
  if (options.suffix_miniblocks) suffix_options_.miniblocks = options.suffix_miniblocks;
  fixed_ = section.type == Type::FIXED_LEN_BYTE_ARRAY;
  values_.clear();
  data_.clear();
  count_ = 0;
  return {};
}

// Adds `count` > 0 times `value`.
EncodeStatus DeltaByteArrayEncoder::add(const ByteArray& value, std::uint64_t count) {
  if (value.size > INT32_MAX) return std::unexpected("a byte array is longer than 2147483647 bytes");
  count_ += count;
  const std::uint32_t before = values_.empty() ? 0 : values_.back().size;
  const std::uint8_t* const previous = data_.data() + data_.size() - before;
  const std::uint32_t prefix = common_prefix(value.data, previous, std::min(before, value.size));
  values_.push_back(
      {value.size, std::min(prefix, options_->longest_prefix), static_cast<std::uint32_t>(count - 1)});
  static_cast<void>(copy_bytes(append_room(data_, value.size), value.data, value.size));
  return {};
}

EncodeStatus DeltaByteArrayEncoder::add(const ValueBatch& batch) {
  for (std::uint64_t i = 0; i < batch.count; ++i) {
    const EncodeStatus added =
        add(fixed_ ? ByteArray{batch.fixed + i * type_length_, type_length_} : batch.byte_arrays[i], 1);
    if (!added) return added;
  }
  return {};
}

EncodeStatus DeltaByteArrayEncoder::add_run(const ValueBatch& value, std::uint64_t count) {
  return add(fixed_ ? ByteArray{value.fixed, type_length_} : *value.byte_arrays, count);
}

// Bytes that a copy shares with the value before, which is the same.
std::uint32_t DeltaByteArrayEncoder::prefix_of_copies(const Value& value,
                                                      std::uint32_t longest) const noexcept {
  return std::min({value.size, options_->longest_prefix, longest});
}

// Gives the stream the lengths of prefixes of `longest` bytes at most.
void DeltaByteArrayEncoder::open_prefixes(std::uint32_t longest, const EncodeOptions& options) {
  stream_.open(options);
  for (const Value& value : values_) {
    stream_.add(std::min(value.prefix, longest));
    if (value.copies != 0) stream_.add_run(prefix_of_copies(value, longest), value.copies);
  }
}

// Gives the stream the lengths of the suffixes behind them.
void DeltaByteArrayEncoder::open_suffixes(std::uint32_t longest, const EncodeOptions& options) {
  stream_.open(options);
  for (const Value& value : values_) {
    stream_.add(value.size - std::min(value.prefix, longest));
    if (value.copies != 0) stream_.add_run(value.size - prefix_of_copies(value, longest), value.copies);
  }
}

// Appends both streams.
EncodeStatus DeltaByteArrayEncoder::append_lengths(std::uint32_t longest, std::vector<std::uint8_t>& out) {
  open_prefixes(longest, *options_);
  if (const EncodeStatus prefixes = stream_.finish(out); !prefixes) return prefixes;
  open_suffixes(longest, suffix_options_);
  return stream_.finish(out);
}

// Bytes of all suffixes.
std::uint64_t DeltaByteArrayEncoder::suffix_bytes(std::uint32_t longest) const noexcept {
  std::uint64_t bytes = data_.size();
  for (const Value& value : values_) {
    bytes -= std::min(value.prefix, longest);
    bytes += std::uint64_t{value.copies} * (value.size - prefix_of_copies(value, longest));
  }
  return bytes;
}

// Appends what follows behind prefixes of `longest` bytes at most.
void DeltaByteArrayEncoder::append_suffixes(std::uint32_t longest) {
  std::uint8_t* to = append_room(*out_, static_cast<std::size_t>(suffix_bytes(longest)));
  const std::uint8_t* data = data_.data();
  for (const Value& value : values_) {
    const std::uint32_t prefix = std::min(value.prefix, longest);
    to = copy_bytes(to, data + prefix, value.size - prefix);
    if (const std::uint32_t shared = prefix_of_copies(value, longest); shared != value.size) {
      for (std::uint32_t i = 0; i < value.copies; ++i)
        to = copy_bytes(to, data + shared, value.size - shared);
    }
    data += value.size;
  }
}

// Appends the section with prefixes of `longest` bytes at most.
EncodeStatus DeltaByteArrayEncoder::append(std::uint32_t longest) {
  const EncodeStatus lengths = append_lengths(longest, *out_);
  if (lengths) append_suffixes(longest);
  return lengths;
}

// How long prefixes may be: no bytes, all, and what parts of the values, or all but few, do not reach.
// Prefixes that are all alike take no bits where longer ones would.
std::vector<std::uint32_t> DeltaByteArrayEncoder::limits() const {
  constexpr std::uint64_t kParts = 8;
  constexpr std::uint64_t kFewest = 64;         // one value in so many has longer prefixes than nearly all
  constexpr std::uint32_t kCounted = 1U << 16;  // bytes of a prefix; longer ones are taken for this long
  std::uint32_t longest = 0;
  for (const Value& value : values_)
    longest = std::max({longest, value.prefix, value.copies == 0 ? 0 : prefix_of_copies(value, UINT32_MAX)});
  std::vector<std::uint32_t> counts(std::min(longest, kCounted) + 1);  // of the values with such a prefix
  for (const Value& value : values_) {
    ++counts[std::min(value.prefix, kCounted)];
    if (value.copies != 0) counts[std::min(prefix_of_copies(value, UINT32_MAX), kCounted)] += value.copies;
  }
  // Of the values in the order of their prefixes: the first of each part, and the second of all. The first
  // value has no prefix, so that the second one is the least of the others.
  std::vector<std::uint64_t> wanted{1};
  for (std::uint64_t i = 0; i < kParts; ++i) wanted.push_back(i * count_ / kParts);
  for (std::uint64_t few = 2 * kParts; few <= kFewest; few *= 2) {
    wanted.push_back(count_ - ceil_div(count_, few * 2 / 3));
    wanted.push_back(count_ - ceil_div(count_, few));
  }
  std::ranges::sort(wanted);
  std::vector<std::uint32_t> limits{0};
  auto next = wanted.begin();
  std::uint64_t passed = 0;
  for (std::uint32_t prefix = 0; prefix < counts.size(); ++prefix) {
    passed += counts[prefix];
    for (; next != wanted.end() && *next < passed; ++next) limits.push_back(prefix);
  }
  limits.push_back(longest);
  const auto same = std::ranges::unique(limits);
  limits.erase(same.begin(), same.end());
  return limits;
}

// Leaves the two limits that take the fewest bytes in blocks of the usual size, the better first.
EncodeStatus DeltaByteArrayEncoder::rank(std::vector<std::uint32_t>& limits) {
  const EncodeOptions prefix_options = in_usual_blocks(*options_);
  const EncodeOptions suffix_options = in_usual_blocks(suffix_options_);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> ranked;
  for (const std::uint32_t limit : limits) {
    open_prefixes(limit, prefix_options);
    const auto prefixes = stream_.measure();
    if (!prefixes) return std::unexpected(prefixes.error());
    open_suffixes(limit, suffix_options);
    const auto suffixes = stream_.measure();
    if (!suffixes) return std::unexpected(suffixes.error());
    ranked.emplace_back(*prefixes + *suffixes + suffix_bytes(limit), limit);
  }
  std::ranges::stable_sort(ranked);
  limits.clear();
  for (std::size_t i = 0; i < std::min<std::size_t>(2, ranked.size()); ++i)
    limits.push_back(ranked[i].second);
  return {};
}

EncodeStatus DeltaByteArrayEncoder::finish() {
  using Prefixes = EncodeOptions::Prefixes;
  if (options_->prefixes == Prefixes::none) return append(0);
  if (options_->prefixes == Prefixes::longest) return append(options_->longest_prefix);
  std::vector<std::uint32_t> best = limits();
  if (const EncodeStatus ranked = rank(best); !ranked) return ranked;
  if (best.size() == 1) return append(best.front());
  const std::size_t start = out_->size();
  if (const EncodeStatus first = append_lengths(best[0], *out_); !first) return first;
  std::vector<std::uint8_t> other;
  if (const EncodeStatus second = append_lengths(best[1], other); !second) return second;
  const std::uint64_t bytes = out_->size() - start + suffix_bytes(best[0]);
  const bool second_is_smaller = other.size() + suffix_bytes(best[1]) < bytes;
  if (second_is_smaller) {
    out_->resize(start);
    out_->insert(out_->end(), other.begin(), other.end());
  }
  append_suffixes(best[second_is_smaller ? 1 : 0]);
  return {};
}

}  // namespace parqproof
