#include "codec/encoding/delta_byte_array.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "codec/base/bits.hpp"
#include "codec/encoding/pack.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kBatchBytes = std::size_t{1}
                                    << 18;   // put together for one batch, unless one value is longer
constexpr std::uint64_t kBytesPerUnit = 64;  // copied bytes that cost one unit of work
constexpr std::uint32_t kShort = 64;         // bytes of a value that may be written, whatever it has of them

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
  /// Takes the bytes where `mask` is FF from `other`.
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

/// 00 for each of the first kShort bytes, FF for each behind them.
constexpr std::array<std::uint8_t, 2 * kShort> kMasks = [] {
  std::array<std::uint8_t, 2 * kShort> masks{};
  std::fill(masks.begin() + kShort, masks.end(), std::uint8_t{0xFF});
  return masks;
}();

/// What values are put together from, and where to.
struct Joining {
  static constexpr std::uint32_t kAnyLength = UINT32_MAX;

  const std::uint32_t* prefixes = nullptr;  // the length of each
  const ByteArray* suffixes = nullptr;
  std::size_t count = 0;
  const std::uint8_t* section_begin = nullptr;
  const std::uint8_t* section_end = nullptr;  // behind all suffixes
  const std::uint8_t* room_end = nullptr;     // for the values; kShort bytes behind it may be written
  std::uint32_t type_length = kAnyLength;     // of each value
  // Null for values of one length, which stand back to back, and whose places nobody asks for:
  ByteArray* values = nullptr;
  const std::uint8_t** places = nullptr;
};

/// The last value that was put together.
struct Joined {
  std::uint8_t* to = nullptr;  // of the next
  ByteArray value;
  const std::uint8_t* place = nullptr;
};

// Puts values together, from value i on, while they are short, with prefixes of N bytes at most, and nothing
// is to be told of them: the usual ones. No branch asks what they are, but for those that mostly go one way.
// The unit of work that each value costs covers its bytes. Returns the first value that is another.
template <std::uint32_t N, bool kFixed>
std::size_t join_short(const Joining& joining, std::size_t i, Joined& last) noexcept {
  // Bytes are read from where a value would begin if its prefix stood in front of its suffix, and as many as
  // a value may have; suffixes follow one another.
  const std::uint8_t* const suffixes = joining.suffixes[i].data;
  if (suffixes - joining.section_begin < std::ptrdiff_t{N} ||
      joining.section_end - suffixes < std::ptrdiff_t{kShort})
    return i;
  const std::uint8_t* const last_suffix = joining.section_end - kShort;
  const auto room = static_cast<std::size_t>(joining.room_end - last.to);
  const std::size_t end = std::min(joining.count, i + room / kShort);
  Joined now = last;
  // The value before may be shorter than what is read of it: kShort bytes can be read, as a window is longer
  // and the buffer goes on.
  Bytes<N> value(now.value.data);
  for (; i < end; ++i) {
    const std::uint32_t prefix = joining.prefixes[i];
    const ByteArray suffix = joining.suffixes[i];
    const std::uint64_t size = std::uint64_t{prefix} + suffix.size;
    if (prefix > N || size > kShort || suffix.data > last_suffix || prefix > now.value.size ||
        (kFixed && size != joining.type_length))
      break;
    const bool alike = (prefix < now.value.size) & (now.value.data[prefix] == *suffix.data);
    if (alike && suffix.size != 0) [[unlikely]]
      break;
    // What is copied too much is written over by the next value.
    const std::uint8_t* const from = suffix.data - prefix;
    value.replace(Bytes<N>(from), Bytes<N>(kMasks.data() + kShort - prefix));
    value.store(now.to);
    if constexpr (N < kShort) {
      if (size > N) Bytes<kShort - N>(from + N).store(now.to + N);
    }
    now.value = {now.to, static_cast<std::uint32_t>(size)};
    now.to += size;
    if constexpr (!kFixed) {
      joining.values[i] = now.value;
      // Neither is a branch: which of them holds cannot be foreseen.
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
  constexpr std::uint32_t kHalf = kShort / 2;  // faster, and enough for most
  i = join_short<kHalf, kFixed>(joining, i, last);
  return i == joining.count ? i : join_short<kShort, kFixed>(joining, i, last);
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

// Makes sure of a prefix length and a suffix where any are left; their batches need not have the same size.
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

// Keeps the previous value, which may lie in the buffer, at the start of the buffer, with room behind it for
// the first value of the batch, for more as far as there can be any, and for kShort bytes, which are never
// part of a value. The buffer may be larger than the room: where a batch ends is up to the section alone.
void DeltaByteArrayDecoder::start_batch(std::uint32_t prefix, const ByteArray& suffix) {
  const std::size_t needed = std::min(prefix, previous_.size) + std::size_t{suffix.size};
  // No value has more bytes than the one before it and all suffixes; kShort are written of each.
  const std::size_t longest = std::max<std::size_t>(previous_.size + bytes_.size(), kShort);
  const std::size_t all = count_ - done_ < kBatchBytes / longest ? (count_ - done_) * longest : kBatchBytes;
  const std::size_t room = previous_.size + std::max(needed, all) + kShort;
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
  joined_end_ = room - kShort;
}

// Puts values [filled, filled + most) together, as far as there is room for them.
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
    const bool part = prefix == 0 || suffix.size == 0;  // of the section, or of the value before
    const bool window = part && size > kShort && !fixed_;
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
  const std::uint8_t* first = nullptr;  // of the values that are put together
  while (filled < kBatchValues) {
    // The windows of a batch of suffixes are valid until the next, and they lie in the section anyway.
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

namespace {

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
  if (count > INT32_MAX) return std::unexpected("more than 2147483647 values in a section");
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

// How long prefixes may be: no bytes, all, and what parts of the values do not reach. Prefixes that are all
// alike take no bits where longer ones would.
std::vector<std::uint32_t> DeltaByteArrayEncoder::limits() const {
  constexpr std::uint64_t kParts = 8;
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
  const bool second = other.size() + suffix_bytes(best[1]) < out_->size() - start + suffix_bytes(best[0]);
  if (second) {
    out_->resize(start);
    out_->insert(out_->end(), other.begin(), other.end());
  }
  append_suffixes(best[second ? 1 : 0]);
  return {};
}

}  // namespace parqproof
