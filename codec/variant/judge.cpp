#include "codec/variant/judge.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/base/text.hpp"
#include "codec/base/utf8.hpp"
#include "codec/schema/value_text.hpp"
#include "codec/variant/primitive.hpp"

namespace parqproof::variant {
namespace {

constexpr std::size_t kPathBytes = 200;  // of a path; longer ones are cut
constexpr std::int64_t kMicrosPerDay = 86'400'000'000;
constexpr unsigned kMaxScale = 38;

bool is_plain_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) { return is_alphanumeric(c, "_"); });
}

/// The magnitude of a 16-byte little-endian two's complement number.
struct Magnitude {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  friend bool operator<=(const Magnitude& a, const Magnitude& b) noexcept {
    return a.high != b.high ? a.high < b.high : a.low <= b.low;
  }
};
constexpr Magnitude kMaxDecimal16{0x098A223FFFFFFFFF, 0x4B3B4CA85A86C47A};  // 10^38 - 1

Magnitude magnitude_of(std::span<const std::uint8_t> number) noexcept {
  const bool negative = (number.back() & 0x80) != 0;
  std::array<std::uint8_t, kDecimal16Bytes> wide;
  wide.fill(negative ? 0xFF : 0);
  std::ranges::copy(number, wide.begin());
  Magnitude magnitude{load_le<std::uint64_t>(wide.data()), load_le<std::uint64_t>(wide.data() + 8)};
  if (!negative) return magnitude;
  magnitude = {~magnitude.low + 1, ~magnitude.high};
  if (magnitude.low == 0) ++magnitude.high;
  return magnitude;
}

Magnitude largest_of(Kind kind) noexcept {
  return kind == Kind::decimal4   ? Magnitude{999'999'999, 0}
         : kind == Kind::decimal8 ? Magnitude{999'999'999'999'999'999, 0}
                                  : kMaxDecimal16;
}

/// A container with the smallest widths.
struct Narrow {
  std::uint8_t header = 0;    ///< its first byte
  std::uint64_t surplus = 0;  ///< bytes that it saves
};

Narrow narrow(const Item& item) noexcept {
  const unsigned offset_width = bytes_for(item.offset(item.count));
  const bool is_large = item.count > kMaxSmallCount;
  const unsigned reserved = item.reserved_bits();
  constexpr std::uint64_t kMoreForLarge = 3;
  Narrow out;
  out.surplus = (item.offset_width - offset_width) * (std::uint64_t{item.count} + 1) +
                (item.is_large && !is_large ? kMoreForLarge : 0);
  if (item.kind == Kind::array) {
    out.header = static_cast<std::uint8_t>(
        first_byte(Basic::array, (offset_width - 1) | (is_large ? 4U : 0U)) | reserved);
    return out;
  }
  std::uint32_t id = 0;
  for (std::uint32_t i = 0; i < item.count; ++i) id = std::max(id, item.id(i));
  const unsigned id_width = bytes_for(id);
  out.surplus += (item.id_width - id_width) * std::uint64_t{item.count};
  out.header = static_cast<std::uint8_t>(
      first_byte(Basic::object, (offset_width - 1) | (id_width - 1) << 2 | (is_large ? 16U : 0U)) | reserved);
  return out;
}

}  // namespace

void append_field(std::string& path, std::string_view name) {
  if (is_plain_name(name)) {
    path += '.';
    path += name;
  } else {
    path += "[\"";
    path += name;
    path += "\"]";
  }
}

std::string shown_name(std::string_view name) {
  return '"' + std::string(name.substr(0, kShownNameBytes)) +
         (name.size() > kShownNameBytes ? "...\"" : "\"");
}

std::string shown_utf8_error(std::span<const std::uint8_t> bytes, std::size_t error) {
  return "0x" + hex(bytes.subspan(error, 1)) + " at byte " + std::to_string(error) + " of the value";
}

View Judge::offset_bytes(const Item& item, std::size_t begin, std::uint32_t i) const noexcept {
  return part(begin + item.offsets + std::size_t{i} * item.offset_width, item.offset_width);
}

void Judge::report(Rule rule, View at, std::string_view subject, FindingValue found, FindingValue expected) {
  if (faults_->count(rule))
    faults_->describe({rule, at, subject, std::move(found), std::move(expected), path()});
}

/// Reports a fault of the structure; returns false for the caller to return.
bool Judge::stop(Rule rule, View at, std::string_view subject, FindingValue found, FindingValue expected) {
  report(rule, at, subject, std::move(found), std::move(expected));
  is_stopped_ = true;
  return false;
}

std::string Judge::path() const {
  std::string out(path_);
  for (const Frame& frame : frames_) {
    if (frame.next == 0) break;  // the container itself
    if (frame.item.kind == Kind::array) {
      out += '[' + std::to_string(frame.current) + ']';
    } else if (const std::uint32_t id = frame.item.id(frame.current); id < metadata_->size()) {
      append_field(out, metadata_->name(id).substr(0, kShownNameBytes));
    }
    if (out.size() > kPathBytes) return out + "...";
  }
  return out;
}

void Judge::count_names(const Metadata& metadata) {
  names_ = metadata.size();
  used_count_ = 0;
  if (used_in_.size() < names_) used_in_.resize(names_, round_);
  if (++round_ == 0) {  // the counter has wrapped around
    std::ranges::fill(used_in_, 0);
    round_ = 1;
  }
}

void Judge::use_name(std::uint32_t id) {
  if (recorded_ != nullptr && id < names_) recorded_->push_back(id);
  if (id >= names_ || std::exchange(used_in_[id], round_) == round_) return;
  ++used_count_;
}

std::optional<std::uint32_t> Judge::unused_name() const {
  for (std::uint32_t id = 0; id < names_; ++id) {
    if (used_in_[id] != round_) return id;
  }
  return std::nullopt;
}

bool Judge::judge(const Metadata& metadata, View bytes, std::string_view path, Faults& faults) {
  metadata_ = &metadata;
  bytes_ = bytes;
  path_ = path;
  faults_ = &faults;
  frames_.clear();
  order_.clear();
  is_stopped_ = has_reserved_bits_ = is_wide_ = false;
  wants_wide_ = faults.wants(Rule::variant_wide);
  surplus_ = 0;
  if (bytes.empty()) return stop(Rule::variant_value, bytes, "the size of the value", 0, at_least(1));
  Item item;
  if (!read(0, bytes.size(), item)) return false;
  if (item.size < bytes.size()) {
    return stop(Rule::variant_value, bytes.from(static_cast<std::size_t>(item.size)), "the size of the value",
                bytes.size(), item.size);
  }
  enter(item, 0);
  while (!frames_.empty() && !is_stopped_) step();
  if (wants_wide_) faults.add(Rule::variant_wide, bytes.size(), bytes.size() - surplus_);
  return !is_stopped_;
}

/// Reads the head of the value at `begin`, which must end before `end`.
bool Judge::read(std::size_t begin, std::size_t end, Item& item) {
  const std::span<const std::uint8_t> bytes = bytes_.bytes.subspan(begin, end - begin);
  const Unreadable unreadable = read_item(bytes, item);
  switch (unreadable.reason) {
    case Unreadable::Reason::none:
      return true;
    case Unreadable::Reason::unknown_type:
      return stop(Rule::variant_value, part(begin, 1), "the number of the type", unreadable.needed,
                  between(0, kLastPrimitive));
    case Unreadable::Reason::truncated:
      break;
  }
  return stop(
      Rule::variant_value, part(begin, bytes.size()), "the size of the value", bytes.size(),
      unreadable.is_exact ? FindingValue(unreadable.needed) : FindingValue(at_least(unreadable.needed)));
}

/// Begins a value that has been read.
void Judge::enter(const Item& item, std::size_t begin) {
  if (frames_.size() >= most_depth_)
    return report(Rule::variant_depth, part(begin, 1), {}, frames_.size() + 1, most_depth_);
  if (is_container(item.kind)) return open(item, begin);
  judge_leaf(item, begin);
}

void Judge::open(const Item& item, std::size_t begin) {
  judge_header(item, begin);
  if (item.kind == Kind::object && !judge_fields(item, begin)) return;
  if (!judge_offsets(item, begin)) return;
  Frame frame;
  frame.item = item;
  frame.begin = begin;
  sort_values(frame);
  frames_.push_back(frame);
  if (judge_sizes(frames_.back())) (void)judge_area(frames_.back());
  frames_.back().next = 0;
}

/// Puts the values in the order of their offsets.
void Judge::sort_values(Frame& frame) {
  const Item& item = frame.item;
  for (std::uint32_t i = 1; i < item.count && frame.is_ascending; ++i)
    frame.is_ascending = item.offset(i - 1) <= item.offset(i);
  frame.order = order_.size();
  if (frame.is_ascending) return;
  order_.resize(frame.order + item.count);
  const auto first = order_.begin() + static_cast<std::ptrdiff_t>(frame.order);
  std::iota(first, order_.end(), 0);
  std::stable_sort(first, order_.end(), [&](std::uint32_t one, std::uint32_t other) {
    return item.offset(one) < item.offset(other);
  });
}

/// The index of the value with the i-th offset in ascending order.
std::uint32_t Judge::child(const Frame& frame, std::uint32_t i) const noexcept {
  return frame.is_ascending ? i : order_[frame.order + i];
}

/// Goes to the next value of the innermost container.
void Judge::step() {
  Frame& frame = frames_.back();
  if (frame.next == frame.item.count) {
    order_.resize(frame.order);
    frames_.pop_back();
    return;
  }
  const std::uint32_t i = child(frame, frame.next);
  const bool is_shared = frame.next != 0 && frame.item.offset(frame.current) == frame.item.offset(i);
  frame.current = i;
  ++frame.next;
  if (is_shared) return;
  const std::size_t begin = frame.begin + frame.item.values + frame.item.offset(i);
  Item item;
  if (read(begin, frame.begin + static_cast<std::size_t>(frame.item.size), item)) enter(item, begin);
}

/// Each value is inside the container that has it.
bool Judge::judge_sizes(Frame& frame) {
  const std::size_t end = frame.begin + static_cast<std::size_t>(frame.item.size);
  frame.next = 1;  // for the path of the value
  for (std::uint32_t i = 0; i < frame.item.count; ++i) {
    frame.current = i;
    Item item;
    const std::uint32_t offset = frame.item.offset(i);
    if (!read(frame.begin + frame.item.values + offset, end, item)) return false;
    frame.end = std::max(frame.end, offset + item.size);
  }
  return true;
}

/// The values fill the bytes up to the last offset.
bool Judge::judge_area(const Frame& frame) {
  const Item& item = frame.item;
  const std::size_t values = frame.begin + item.values;
  std::uint64_t position = 0;  // the end of the values so far
  frames_.back().next = 0;     // the path of the container
  for (std::uint32_t k = 0; k < item.count; ++k) {
    const std::uint32_t i = child(frame, k);
    const std::uint32_t offset = item.offset(i);
    const bool is_shared = k != 0 && item.offset(child(frame, k - 1)) == offset;
    if (is_shared && frame.end != item.offset(item.count)) {  // a value is left, which has no offset
      return stop(Rule::variant_offsets, offset_bytes(item, frame.begin, i), {}, offset, position);
    }
    if (offset > position || is_shared) {
      report(Rule::variant_value_area, offset_bytes(item, frame.begin, i), {}, offset, position);
    } else if (offset < position) {
      return stop(Rule::variant_offsets, offset_bytes(item, frame.begin, i), {}, offset, position);
    }
    Item value;
    (void)read_item(bytes_.bytes.subspan(values + offset), value);
    position = std::max(position, offset + value.size);
  }
  const std::uint32_t last = item.offset(item.count);
  if (last == position) return true;
  return stop(Rule::variant_offsets, offset_bytes(item, frame.begin, item.count), {}, last, position);
}

bool Judge::judge_offsets(const Item& item, std::size_t begin) {
  const std::uint32_t last = item.offset(item.count);
  for (std::uint32_t i = 0; i < item.count; ++i) {
    if (item.offset(i) >= last)
      return stop(Rule::variant_offsets, offset_bytes(item, begin, i), {}, item.offset(i), less_than(last));
  }
  return true;
}

/// Advice about the first byte of a container; each once for a stored value.
void Judge::judge_header(const Item& item, std::size_t begin) {
  const std::uint8_t header = item.bytes[0];
  const unsigned reserved = item.reserved_bits();
  if (reserved != 0 && !std::exchange(has_reserved_bits_, true))
    report(Rule::variant_reserved_bits, part(begin, 1), {}, header, header & ~reserved);
  if (!wants_wide_) return;
  const Narrow smallest = narrow(item);
  surplus_ += smallest.surplus;
  if (smallest.header == header || std::exchange(is_wide_, true)) return;
  report(Rule::variant_wide, part(begin, 1), {}, header, smallest.header);
}

/// Judges the ids and names of an object.
bool Judge::judge_fields(const Item& item, std::size_t begin) {
  const auto at = [&](std::uint32_t i) {
    return part(begin + item.ids + std::size_t{i} * item.id_width, item.id_width);
  };
  for (std::uint32_t i = 0; i < item.count; ++i) {
    const std::uint32_t id = item.id(i);
    if (id >= metadata_->size())
      return stop(Rule::variant_field_id, at(i), {}, id, less_than(metadata_->size()));
    use_name(id);
    if (i == 0) continue;
    const std::uint32_t before = item.id(i - 1);
    const int order = metadata_->is_ascending() ? (id < before   ? -1
                                                   : id > before ? 1
                                                                 : 0)
                                                : metadata_->name(id).compare(metadata_->name(before));
    if (order > 0) continue;
    const std::string found = shown_name(metadata_->name(id));
    if (order == 0) return stop(Rule::variant_field_unique, at(i), {}, found, "a name of its own");
    return stop(Rule::variant_field_order, at(i), {}, found,
                "more than " + shown_name(metadata_->name(before)));
  }
  return true;
}

void Judge::judge_decimal(const Item& item, std::size_t begin) {
  const std::span<const std::uint8_t> data = item.data();
  const std::span<const std::uint8_t> number = data.subspan(1);
  const unsigned scale = data[0];
  if (scale > kMaxScale)
    report(Rule::variant_decimal, part(begin + 1, 1), "the scale", scale, between(0, kMaxScale));
  if (magnitude_of(number) <= largest_of(item.kind) || !faults_->count(Rule::variant_decimal)) return;
  std::array<std::uint8_t, kDecimal16Bytes> big_endian{};
  std::ranges::reverse_copy(number, big_endian.begin());
  std::string text;
  (void)value_text(std::span(big_endian).first(number.size()),
                   {ValueForm::decimal_bytes, static_cast<std::int32_t>(scale)}, text);
  faults_->describe({Rule::variant_decimal, part(begin + 2, number.size()), "the number",
                     FindingValue::Literal{std::move(text)},
                     "at most " + std::to_string(digits_of(item.kind)) + " digits", path()});
}

void Judge::judge_leaf(const Item& item, std::size_t begin) {
  const std::span<const std::uint8_t> data = item.data();
  if (item.kind == Kind::string) {
    const std::size_t error = utf8_error(data);
    if (error != data.size() && faults_->count(Rule::variant_utf8))
      faults_->describe({Rule::variant_utf8,
                         part(begin + item.payload, data.size()),
                         {},
                         shown_utf8_error(data, error),
                         "UTF-8",
                         path()});
  } else if (is_decimal(item.kind)) {
    judge_decimal(item, begin);
  } else if (item.kind == Kind::time) {
    const auto time = load_le<std::int64_t>(data.data());
    if (time < 0 || time >= kMicrosPerDay)
      report(Rule::variant_time_range, part(begin + item.payload, data.size()), {}, time,
             between(0, kMicrosPerDay - 1));
  }
}

}  // namespace parqproof::variant
