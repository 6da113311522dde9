#include "codec/variant/judge.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/base/utf8.hpp"

namespace parqproof::variant {
namespace {

constexpr std::size_t kShownBytes = 40;  // of a name
constexpr std::size_t kPathBytes = 200;  // of a path; longer ones are cut
constexpr std::int64_t kMicrosPerDay = 86'400'000'000;
constexpr unsigned kMaxScale = 38;

bool is_plain_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
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

Magnitude magnitude_of(const std::uint8_t* bytes, std::size_t size) noexcept {
  const bool negative = (bytes[size - 1] & 0x80) != 0;
  std::uint8_t wide[16];
  std::fill(std::begin(wide), std::end(wide), static_cast<std::uint8_t>(negative ? 0xFF : 0));
  std::copy(bytes, bytes + size, wide);
  Magnitude magnitude{load_le<std::uint64_t>(wide), load_le<std::uint64_t>(wide + 8)};
  if (!negative) return magnitude;
  magnitude = {~magnitude.low + 1, ~magnitude.high};
  if (magnitude.low == 0) ++magnitude.high;
  return magnitude;
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

View Judge::part(std::size_t begin, std::size_t size) const noexcept {
  const std::size_t from = std::min(begin, bytes_.size());
  return bytes_.part(from, std::min(size, bytes_.size() - from));
}

View Judge::offset_bytes(const Frame& frame, std::uint32_t i) const noexcept {
  const Item& item = frame.item;
  return part(frame.begin + item.offsets + std::size_t{i} * item.offset_width, item.offset_width);
}

void Judge::report(Rule rule, View at, std::string_view subject, FindingValue found, FindingValue expected) {
  if (faults_->count(rule))
    faults_->describe({rule, at, subject, std::move(found), std::move(expected), path()});
}

std::string Judge::path() const {
  std::string out(path_);
  for (const Frame& frame : frames_) {
    if (frame.next == 0) break;  // the container itself
    if (frame.item.kind == Kind::array) {
      out += '[' + std::to_string(frame.current) + ']';
    } else if (const std::uint32_t id = frame.item.id(frame.current); id < metadata_->size()) {
      append_field(out, metadata_->name(id).substr(0, kShownBytes));
    } else {
      out += ".?";
    }
    if (out.size() > kPathBytes) return out + "...";
  }
  return out;
}

std::string Judge::shown_name(std::uint32_t id) const {
  const std::string_view name = metadata_->name(id);
  return '"' + std::string(name.substr(0, kShownBytes)) + (name.size() > kShownBytes ? "...\"" : "\"");
}

void Judge::count_names(std::uint32_t names) {
  used_.assign(names / 64 + 1, 0);
  used_count_ = 0;
}

void Judge::use_name(std::uint32_t id) {
  if (id / 64 >= used_.size()) return;
  std::uint64_t& word = used_[id / 64];
  used_count_ += (word >> id % 64 & 1) == 0 ? 1 : 0;
  word |= std::uint64_t{1} << id % 64;
}

bool Judge::judge(const Metadata& metadata, View bytes, std::string_view path, Faults& faults) {
  metadata_ = &metadata;
  bytes_ = bytes;
  path_ = path;
  faults_ = &faults;
  frames_.clear();
  order_.clear();
  end_ = 0;
  is_readable_ = true;
  if (bytes.empty()) {
    report(Rule::variant_value, bytes, "the number of bytes of the value", 0, or_more(1));
    return false;
  }
  enter(0, bytes.size(), bytes.size());
  while (!frames_.empty()) step();
  if (end_ < bytes.size()) {
    report(Rule::variant_value, bytes.from(end_), "the number of bytes after the value", bytes.size() - end_,
           0);
  }
  return is_readable_;
}

/// Begins the value at `begin`, which may have the bytes up to `limit`.
void Judge::enter(std::size_t begin, std::size_t limit, std::size_t expected_end) {
  const std::span<const std::uint8_t> bytes = bytes_.bytes.subspan(begin, limit - begin);
  Item item;
  const Unreadable unreadable = read_item(bytes, item);
  if (unreadable.reason == Unreadable::Reason::unknown_type) {
    report(Rule::variant_value, part(begin, 1), "the number of the type", unreadable.needed,
           between(0, kLastPrimitive));
    return leave(expected_end, true);
  }
  if (unreadable.reason == Unreadable::Reason::truncated) {
    report(Rule::variant_value, part(begin, bytes.size()), "the number of bytes left for the value",
           bytes.size(), or_more(unreadable.needed));
    return leave(expected_end, true);
  }
  if (is_container(item.kind)) return open(item, begin, limit, expected_end);
  judge_leaf(item, begin);
  leave(begin + static_cast<std::size_t>(item.size), false);
}

void Judge::open(const Item& item, std::size_t begin, std::size_t limit, std::size_t expected_end) {
  const std::uint64_t end = begin + item.size;  // as the last offset states it
  if (frames_.size() >= most_depth_) {
    report(Rule::variant_depth, part(begin, static_cast<std::size_t>(item.size)), {}, frames_.size() + 1,
           most_depth_);
    return leave(end <= limit ? static_cast<std::size_t>(end) : expected_end, true);
  }
  if (item.reserved_bits() != 0) {
    report(Rule::variant_reserved_bits, part(begin, 1), {}, item.bytes[0],
           item.bytes[0] & ~item.reserved_bits());
  }
  Frame frame;
  frame.item = item;
  frame.begin = begin;
  frame.expected_end = expected_end;
  frame.bound = end == expected_end ? static_cast<std::size_t>(end) : limit;
  frame.position = begin + item.values;
  std::uint32_t largest = 0;
  std::uint32_t before = 0;
  for (std::uint32_t i = 0; i < item.count; ++i) {
    const std::uint32_t offset = item.offset(i);
    frame.is_ascending = frame.is_ascending && offset >= before;
    before = offset;
    largest = std::max(largest, offset);
  }
  if (item.count != 0 && end > limit && frame.position + largest >= limit) {
    report(Rule::variant_value, part(begin, limit - begin), "the number of bytes left for the value",
           limit - begin, item.size);
    return leave(expected_end, true);
  }
  judge_widths(item, begin);
  if (item.kind == Kind::object) judge_fields(item, begin);
  frame.order = order_.size();
  if (!frame.is_ascending) {
    order_.resize(frame.order + item.count);
    const auto first = order_.begin() + static_cast<std::ptrdiff_t>(frame.order);
    std::iota(first, order_.end(), 0);
    std::stable_sort(first, order_.end(), [&](std::uint32_t one, std::uint32_t other) {
      return item.offset(one) < item.offset(other);
    });
  }
  frames_.push_back(frame);
}

/// The index of the value with the i-th offset in ascending order.
std::uint32_t Judge::child(const Frame& frame, std::uint32_t i) const noexcept {
  return frame.is_ascending ? i : order_[frame.order + i];
}

/// Goes to the next value of the innermost container.
void Judge::step() {
  Frame& frame = frames_.back();
  if (frame.next == frame.item.count) return finish();
  const std::uint32_t i = child(frame, frame.next);
  const bool is_first = frame.next == 0;
  frame.current = i;
  ++frame.next;
  const std::uint32_t offset = frame.item.offset(i);
  const std::size_t values = frame.begin + frame.item.values;
  const std::uint64_t start = std::uint64_t{values} + offset;
  const std::uint32_t previous = std::exchange(frame.previous, offset);
  if (start >= frame.bound) {
    report(Rule::variant_offsets, offset_bytes(frame, i), {}, offset, less_than(frame.bound - values));
    frame.is_damaged = true;
    is_readable_ = false;
    return;
  }
  if (start < frame.position) {
    if (!is_first && offset == previous) {
      report(Rule::variant_value_area, offset_bytes(frame, i), "the offset of two values", offset,
             "offsets of their own");
    } else {
      report(Rule::variant_offsets, offset_bytes(frame, i), {}, offset, or_more(frame.position - values));
      frame.is_damaged = true;
    }
    return;
  }
  if (start > frame.position && !frame.has_gap && !frame.is_damaged) {
    frame.has_gap = true;
    const auto gap = static_cast<std::size_t>(start) - frame.position;
    report(Rule::variant_value_area, part(frame.position, gap), "the number of bytes before the value", gap,
           0);
  }
  std::uint64_t expected_end = frame.begin + frame.item.size;
  for (std::uint32_t next = frame.next; next < frame.item.count; ++next) {
    const std::uint32_t other = frame.item.offset(child(frame, next));
    if (other == offset) continue;
    expected_end = std::uint64_t{values} + other;
    break;
  }
  enter(static_cast<std::size_t>(start), frame.bound,
        static_cast<std::size_t>(std::min<std::uint64_t>(expected_end, frame.bound)));
}

/// Ends a value in the container around it.
void Judge::leave(std::size_t end, bool is_damaged) {
  if (is_damaged) is_readable_ = false;
  if (frames_.empty()) {
    end_ = end;
    return;
  }
  Frame& frame = frames_.back();
  frame.position = std::max(frame.position, end);
  frame.is_damaged = frame.is_damaged || is_damaged;
}

/// Ends the innermost container, after its last value.
void Judge::finish() {
  const Frame frame = frames_.back();
  const std::uint32_t last = frame.item.offset(frame.item.count);
  const std::size_t values = frame.begin + frame.item.values;
  const std::uint64_t stated = std::uint64_t{values} + last;
  std::size_t end = frame.position;
  if (stated != frame.position) {
    if (!frame.is_damaged) {
      frames_.back().next = 0;  // the path of the container
      report(Rule::variant_offsets, offset_bytes(frame, frame.item.count), {}, last, frame.position - values);
    }
    // What surrounds the container decides which of the two is its end.
    const bool fits = stated <= frame.bound;
    if (frame.position != frame.expected_end && fits) end = static_cast<std::size_t>(stated);
    if (frame.is_damaged && !fits) end = frame.expected_end;
  }
  order_.resize(frame.order);
  frames_.pop_back();
  if (!frames_.empty()) frames_.back().position = std::max(frames_.back().position, frame.position);
  leave(end, frame.is_damaged);
}

void Judge::judge_widths(const Item& item, std::size_t begin) {
  if (!faults_->wants(Rule::variant_wide)) return;
  std::uint32_t id = 0;
  if (item.kind == Kind::object) {
    for (std::uint32_t i = 0; i < item.count; ++i) id = std::max(id, item.id(i));
  }
  const auto wider = [&](std::string_view subject, unsigned found, unsigned needed) {
    if (found > needed) report(Rule::variant_wide, part(begin, 1), subject, found, needed);
    return found > needed;
  };
  if (item.is_large && wider("number of bytes of the count", 4, item.count > kMaxSmallCount ? 4 : 1)) return;
  if (item.kind == Kind::object && wider("number of bytes of a field id", item.id_width, bytes_for(id)))
    return;
  wider("number of bytes of an offset", item.offset_width, bytes_for(item.offset(item.count)));
}

/// Judges the ids and names of an object.
void Judge::judge_fields(const Item& item, std::size_t begin) {
  if (!metadata_->known()) return;
  const auto at = [&](std::uint32_t i) {
    return part(begin + item.ids + std::size_t{i} * item.id_width, item.id_width);
  };
  std::optional<std::uint32_t> before;
  for (std::uint32_t i = 0; i < item.count; ++i) {
    const std::uint32_t id = item.id(i);
    if (id >= metadata_->size()) {
      report(Rule::variant_field_id, at(i), {}, id,
             metadata_->size() == 0 ? FindingValue("no id") : FindingValue(less_than(metadata_->size())));
      is_readable_ = false;
      continue;
    }
    use_name(id);
    if (before) {
      const int order = metadata_->is_ascending() ? (id < *before   ? -1
                                                     : id > *before ? 1
                                                                    : 0)
                                                  : metadata_->name(id).compare(metadata_->name(*before));
      if (order == 0) report(Rule::variant_field_unique, at(i), {}, shown_name(id), "each name once");
      if (order < 0) report(Rule::variant_field_order, at(i), {}, shown_name(id), shown_name(*before));
    }
    before = id;
  }
}

void Judge::judge_decimal(const Item& item, std::size_t begin) {
  const std::span<const std::uint8_t> data = item.data();
  const unsigned scale = data[0];
  if (scale > kMaxScale)
    report(Rule::variant_decimal, part(begin + 1, 1), {}, "a scale of " + std::to_string(scale),
           "a scale of " + std::to_string(kMaxScale) + " or less");
  const Magnitude found = magnitude_of(data.data() + 1, data.size() - 1);
  const Magnitude most = item.kind == Kind::decimal4   ? Magnitude{999'999'999, 0}
                         : item.kind == Kind::decimal8 ? Magnitude{999'999'999'999'999'999, 0}
                                                       : kMaxDecimal16;
  if (found <= most) return;
  const int digits = item.kind == Kind::decimal4 ? 9 : item.kind == Kind::decimal8 ? 18 : 38;
  report(Rule::variant_decimal, part(begin + 2, data.size() - 1), {},
         "a " + std::string(name_of(item.kind)) + " of " + std::to_string(digits + 1) + " digits",
         std::to_string(digits) + " digits or less");
}

void Judge::judge_leaf(const Item& item, std::size_t begin) {
  const std::span<const std::uint8_t> data = item.data();
  if (item.kind == Kind::string) {
    const std::size_t error = utf8_error(data);
    if (error != data.size())
      report(Rule::variant_utf8, part(begin, static_cast<std::size_t>(item.size)), {}, error, "UTF-8");
  } else if (is_decimal(item.kind)) {
    judge_decimal(item, begin);
  } else if (item.kind == Kind::time) {
    const auto time = load_le<std::int64_t>(data.data());
    if (time < 0 || time >= kMicrosPerDay)
      report(Rule::variant_time_range, part(begin, 1 + sizeof time), {}, time, between(0, kMicrosPerDay - 1));
  }
}

}  // namespace parqproof::variant
