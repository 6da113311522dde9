#include "codec/encoding/delta/delta_byte_array.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace parqproof {
namespace {

constexpr std::size_t kBatchBytes = std::size_t{1}
                                    << 18;   // max bytes joined for one batch, unless one value is longer
constexpr std::uint64_t kBytesPerUnit = 64;  // copied bytes that cost one unit of work
constexpr std::uint32_t kShortBytes = 64;    // bytes that may be written for a value, even if it is shorter

/// N bytes in registers.
template <std::uint32_t N>
struct Bytes {
  Bytes<N / 2> low;
  Bytes<N / 2> high;

  explicit Bytes(const std::uint8_t* from) noexcept : low(from), high(from + N / 2) {}
  void store(std::uint8_t* to) const noexcept {
    low.store(to);
    high.store(to + N / 2);
  }
  /// Replaces the bytes at which `mask` is FF by those of `other`.
  void replace(const Bytes& other, const Bytes& mask) noexcept {
    low.replace(other.low, mask.low);
    high.replace(other.high, mask.high);
  }
};
template <>
struct Bytes<16> {
  std::uint64_t both __attribute__((vector_size(16)));

  explicit Bytes(const std::uint8_t* from) noexcept { std::memcpy(&both, from, sizeof both); }
  void store(std::uint8_t* to) const noexcept { std::memcpy(to, &both, sizeof both); }
  void replace(const Bytes& other, const Bytes& mask) noexcept {
    both = (both & ~mask.both) | (other.both & mask.both);
  }
};

/// 00 for each of the first kShortBytes bytes, FF for each byte after them.
constexpr std::array<std::uint8_t, 2 * kShortBytes> kMasks = [] {
  std::array<std::uint8_t, 2 * kShortBytes> masks{};
  std::fill(masks.begin() + kShortBytes, masks.end(), std::uint8_t{0xFF});
  return masks;
}();

/// Inputs and output buffer of joined values.
struct Joining {
  static constexpr std::uint32_t kAnyLength = UINT32_MAX;

  const std::uint32_t* prefixes = nullptr;  // length of each prefix
  const ByteArray* suffixes = nullptr;
  std::size_t count = 0;
  const std::uint8_t* section_begin = nullptr;
  const std::uint8_t* section_end = nullptr;  // end of all suffixes
  // End of the room for values; kShortBytes more bytes may be written.
  const std::uint8_t* room_end = nullptr;
  std::uint32_t type_length = kAnyLength;  // length of each value
  // Null for values of equal length, which are contiguous and whose positions are not requested.
  ByteArray* values = nullptr;
  const std::uint8_t** places = nullptr;
};

/// State after the last joined value.
struct Joined {
  std::uint8_t* to = nullptr;  // address of the next value
  ByteArray value;
  const std::uint8_t* place = nullptr;
};

// Joins values from value i on, as long as they are in the usual form: short, with prefixes of at most N
// bytes, and without faults. Branches are only on conditions that are predictable. The unit of work of each
// value covers its bytes. Returns the index of the first value that is not in this form.
template <std::uint32_t N, bool kFixed>
std::size_t join_short(const Joining& joining, std::size_t i, Joined& last) noexcept {
  // Bytes are read from the address where the value would begin if its prefix preceded its suffix, and as
  // many as a value can have; suffixes are contiguous.
  const std::uint8_t* const suffixes = joining.suffixes[i].data;
  if (suffixes - joining.section_begin < std::ptrdiff_t{N} ||
      joining.section_end - suffixes < std::ptrdiff_t{kShortBytes})
    return i;
  const std::uint8_t* const last_suffix = joining.section_end - kShortBytes;
  const auto room = static_cast<std::size_t>(joining.room_end - last.to);
  const std::size_t end = std::min(joining.count, i + room / kShortBytes);
  Joined now = last;
  // The previous value may be shorter than what is read of it. That is safe: a value in the section is
  // longer, and kShortBytes bytes follow a value in the buffer.
  Bytes<N> value(now.value.data);
  for (; i < end; ++i) {
    const std::uint32_t prefix = joining.prefixes[i];
    const ByteArray suffix = joining.suffixes[i];
    const std::uint64_t size = std::uint64_t{prefix} + suffix.size;
    if (prefix > N || size > kShortBytes || suffix.data > last_suffix || prefix > now.value.size ||
        (kFixed && size != joining.type_length))
      break;
    const bool alike = (prefix < now.value.size) & (now.value.data[prefix] == *suffix.data);
    if (alike && suffix.size != 0) [[unlikely]]
      break;
    // Surplus bytes are overwritten by the next value.
    const std::uint8_t* const from = suffix.data - prefix;
    value.replace(Bytes<N>(from), Bytes<N>(kMasks.data() + kShortBytes - prefix));
    value.store(now.to);
    if constexpr (N < kShortBytes) {
      if (size > N) Bytes<kShortBytes - N>(from + N).store(now.to + N);
    }
    now.value = {now.to, static_cast<std::uint32_t>(size)};
    now.to += size;
    if constexpr (!kFixed) {
      joining.values[i] = now.value;
      // Conditional moves, because these conditions are unpredictable.
      now.place = suffix.size == 0 ? now.place : nullptr;
      now.place = prefix == 0 ? suffix.data : now.place;
      joining.places[i] = now.place;
    }
  }
  last = now;
  return i;
}

template <bool kFixed>
std::size_t join_short(const Joining& joining, std::size_t i, Joined& last) noexcept {
  constexpr std::uint32_t kHalf = kShortBytes / 2;  // faster, and enough for most values
  i = join_short<kHalf, kFixed>(joining, i, last);
  return i == joining.count ? i : join_short<kShortBytes, kFixed>(joining, i, last);
}

}  // namespace

Status DeltaByteArrayDecoder::open(const Section& section) {
  bytes_ = section.bytes;
  budget_ = &section.budget;
  notes_ = &section.notes;
  type_length_ = section.spec.type_length;
  fixed_ = section.spec.type == Type::FIXED_LEN_BYTE_ARRAY;
  count_ = section.spec.count;
  prefix_lengths_.make(batch_values(count_));
  if (!fixed_) {
    values_.make(batch_values(count_));
    places_.make(batch_values(count_));
  }
  done_ = 0;
  previous_ = {};
  previous_place_ = nullptr;
  prefixes_left_ = prefix_at_ = 0;
  suffixes_left_ = 0;
  const Rule count_rule = Rule::delta_byte_array_stream_counts;
  if (const Status prefixes = prefixes_.open(bytes_, count_, count_rule, *notes_); !prefixes) return prefixes;
  return suffixes_.open(prefixes_.rest(), count_, count_rule, *budget_, *notes_);
}

// Makes sure that a prefix length and a suffix are available; their batches may have different sizes.
Status DeltaByteArrayDecoder::refill() {
  if (prefixes_left_ == 0) {
    prefixes_left_ = prefixes_.next(prefix_lengths_.data());
    prefix_at_ = 0;
  }
  if (suffixes_left_ == 0) {
    const Result<ValueBatch> suffixes = suffixes_.next();
    if (!suffixes) return std::unexpected(suffixes.error());
    suffixes_left_ = suffixes->count;
    suffix_at_ = suffixes->byte_arrays;
  }
  return {};
}

Status DeltaByteArrayDecoder::check(std::uint32_t prefix, const ByteArray& suffix, const ByteArray& previous,
                                    std::uint64_t ordinal) {
  const auto length = static_cast<std::int32_t>(prefix);
  const auto error = [&](Rule rule, std::uint64_t offset, std::int64_t found, std::int64_t expected) {
    return Error{offset, found, expected, 0, rule, bytes_.space, static_cast<std::uint32_t>(ordinal)};
  };
  // delta-byte-array/first-prefix
  if (ordinal == 0 && length != 0) {
    Error wrong = Error::at(Rule::delta_byte_array_first_prefix, prefixes_.first_value(), 0, 0);
    wrong.found = length;
    return std::unexpected(wrong);
  }
  // delta-byte-array/prefix-range
  if (length < 0 || prefix > previous.size) {
    return std::unexpected(
        error(Rule::delta_byte_array_prefix_range, prefixes_.offset(), length, previous.size));
  }
  // delta-byte-array/fixed-length
  const std::uint64_t size = std::uint64_t{prefix} + suffix.size;
  if (fixed_ && size != type_length_) {
    return std::unexpected(error(Rule::delta_byte_array_fixed_length, suffixes_.offset(),
                                 static_cast<std::int64_t>(size), type_length_));
  }
  // delta-byte-array/prefix-maximal
  if (prefix < previous.size && suffix.size != 0 && previous.data[prefix] == suffix.data[0]) {
    constexpr NotedRule kMaximal = Rule::delta_byte_array_prefix_maximal;
    notes_->add(kMaximal, error(kMaximal, prefixes_.offset(), length, length + 1));
  }
  return {};
}

// Copies the previous value, which may be in the buffer, to the beginning of the buffer. After it there is
// room for the first value of the batch, for more values up to the max that is possible, and for kShortBytes
// surplus bytes. The buffer may be larger than that room, because only the section determines where a batch
// ends.
void DeltaByteArrayDecoder::start_batch(std::uint32_t prefix, const ByteArray& suffix) {
  const std::size_t needed = std::min(prefix, previous_.size) + std::size_t{suffix.size};
  // A value has at most the bytes of the previous one and all suffixes; kShortBytes bytes are written for
  // each.
  const std::size_t longest = std::max<std::size_t>(previous_.size + bytes_.size(), kShortBytes);
  const std::size_t all = count_ - done_ < kBatchBytes / longest ? (count_ - done_) * longest : kBatchBytes;
  const std::size_t room = previous_.size + std::max(needed, all) + kShortBytes;
  if (joined_room_ < room) {
    auto larger = std::make_unique_for_overwrite<std::uint8_t[]>(room);
    if (previous_.size != 0) std::memcpy(larger.get(), previous_.data, previous_.size);
    joined_ = std::move(larger);
    joined_room_ = room;
  } else if (previous_.size != 0) {
    std::memmove(joined_.get(), previous_.data, previous_.size);
  }
  previous_.data = joined_.get();
  joined_size_ = previous_.size;
  joined_end_ = room - kShortBytes;
}

// Joins values [filled, filled + most), as long as there is room for them.
Result<std::size_t> DeltaByteArrayDecoder::join(std::size_t filled, std::size_t most, Batch& batch) {
  const Joining joining{.prefixes = prefix_lengths_.data() + prefix_at_,
                        .suffixes = suffix_at_,
                        .count = most,
                        .section_begin = bytes_.data(),
                        .section_end = bytes_.data() + bytes_.size(),
                        .room_end = joined_.get() + joined_end_,
                        .type_length = fixed_ ? type_length_ : Joining::kAnyLength,
                        .values = fixed_ ? nullptr : values_.data() + filled,
                        .places = fixed_ ? nullptr : places_.data() + filled};
  Joined last{joined_.get() + joined_size_, previous_, previous_place_};
  std::size_t i = 0;
  for (; i < most; ++i) {
    i = fixed_ ? join_short<true>(joining, i, last) : join_short<false>(joining, i, last);
    if (i == most) break;
    const std::uint32_t prefix = joining.prefixes[i];
    const ByteArray suffix = joining.suffixes[i];
    const std::size_t size = prefix + std::size_t{suffix.size};
    const bool part =
        prefix == 0 || suffix.size == 0;  // the value is part of the section or of the previous value
    const bool window = part && size > kShortBytes && !fixed_;
    const bool fits =
        window || prefix > last.value.size || size <= static_cast<std::size_t>(joining.room_end - last.to);
    if (!fits && filled + i != 0) break;
    const Status fine = check(prefix, suffix, last.value, done_ + i);
    if (!fine) return std::unexpected(fine.error());
    const std::uint8_t* data = last.to;
    if (window) {
      data = prefix == 0 ? suffix.data : last.value.data;
      batch.windows = true;
    } else {
      if (prefix != 0) std::memcpy(last.to, last.value.data, prefix);
      if (suffix.size != 0) std::memcpy(last.to + prefix, suffix.data, suffix.size);
      last.to += size;
      if (fixed_ || !part) batch.copied += size;
    }
    last.place = prefix == 0 ? suffix.data : part ? last.place : nullptr;
    last.value = {data, static_cast<std::uint32_t>(size)};
    if (fixed_) continue;
    joining.values[i] = last.value;
    joining.places[i] = last.place;
  }
  previous_ = last.value;
  previous_place_ = last.place;
  joined_size_ = static_cast<std::size_t>(last.to - joined_.get());
  return i;
}

Result<ValueBatch> DeltaByteArrayDecoder::next() {
  std::size_t filled = 0;
  Batch joined;
  const std::uint8_t* first = nullptr;  // first of the joined values
  while (filled < kBatchValues) {
    // Pointers to a batch of suffixes are valid until the next batch; the suffix bytes are in the section.
    if (const Status more = refill(); !more) return std::unexpected(more.error());
    const auto most = static_cast<std::size_t>(
        std::min<std::uint64_t>({prefixes_left_, suffixes_left_, kBatchValues - filled}));
    if (most == 0) break;
    if (filled == 0) {
      start_batch(prefix_lengths_[prefix_at_], *suffix_at_);
      first = joined_.get() + joined_size_;
    }
    const Result<std::size_t> some = join(filled, most, joined);
    if (!some) return std::unexpected(some.error());
    filled += *some;
    done_ += *some;
    prefix_at_ += *some, prefixes_left_ -= *some;
    suffix_at_ += *some, suffixes_left_ -= *some;
    if (*some < most) break;
  }
  // limit/work
  const Status afforded = Section::spend(*budget_, bytes_, filled + joined.copied / kBytesPerUnit);
  if (!afforded) return std::unexpected(afforded.error());
  ValueBatch batch;
  batch.count = filled;
  batch.offset = prefixes_.block_offset();
  if (fixed_) {
    batch.fixed = first;
  } else {
    batch.form = ValueBatch::Form::byte_arrays;
    batch.byte_arrays = values_.data();
    batch.stored = places_.data();
    batch.back_to_back = !joined.windows;
    if (!joined.windows) batch.readable = joined_.get() + joined_room_;
  }
  return batch;
}

}  // namespace parqproof
