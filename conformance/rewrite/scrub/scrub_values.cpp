#include "conformance/rewrite/scrub/scrub_values.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>

#include "codec/base/utf8.hpp"
#include "codec/encoding/plain.hpp"
#include "codec/encoding/values.hpp"

namespace parqproof {
namespace {

/// Groups of numbers.
constexpr std::uint8_t kPositive = 0;
constexpr std::uint8_t kNegative = 1;
constexpr std::uint8_t kBeyond = 2;     ///< out of range, added to the sign
constexpr std::uint8_t kModernDay = 4;  ///< Julian days of 1900 to 2100, counted from the first
constexpr std::uint64_t kFirstModernDay = 2'415'021;
constexpr std::uint64_t kModernDays = 73'414;
constexpr unsigned kBeyondGroups = 1U << kBeyond | 1U << (kBeyond | kNegative);

std::uint64_t little_endian(std::span<const std::uint8_t> bytes) {
  std::uint64_t number = 0;
  if (!bytes.empty()) std::memcpy(&number, bytes.data(), std::min(bytes.size(), sizeof number));
  return number;
}

std::uint64_t ones(unsigned bits) { return bits >= 64 ? UINT64_MAX : (std::uint64_t{1} << bits) - 1; }

/// The offset of ranks for which the fewest numbers of [begin, end) are replaced by themselves.
template <typename Number>
std::uint64_t best_offset(std::span<const std::uint64_t> candidates, std::size_t count, Number number) {
  std::uint64_t best = candidates.front();
  std::size_t fewest = SIZE_MAX;
  for (const std::uint64_t offset : candidates) {
    std::size_t same = 0;
    for (std::size_t i = 0; i < count; ++i) same += number(i) == offset + i ? 1 : 0;
    if (same < fewest) {
      fewest = same;
      best = offset;
    }
    if (same == 0) break;
  }
  return best;
}

std::uint64_t units_of_day(SecondUnit unit) {
  switch (unit) {
    case SecondUnit::MILLIS:
      return 86'400'000;
    case SecondUnit::MICROS:
      return 86'400'000'000;
    case SecondUnit::NANOS:
      return static_cast<std::uint64_t>(kNanosPerDay);
    case SecondUnit::none:
      break;
  }
  return UINT64_MAX;
}

/// 10^exponent as big-endian bytes without leading zeros.
std::string power_of_ten(std::int32_t exponent) {
  std::vector<std::uint8_t> digits{1};  // little-endian
  for (std::int32_t i = 0; i < exponent; ++i) {
    unsigned carry = 0;
    for (std::uint8_t& digit : digits) {
      carry += digit * 10U;
      digit = static_cast<std::uint8_t>(carry);
      carry >>= 8;
    }
    if (carry != 0) digits.push_back(static_cast<std::uint8_t>(carry));
  }
  return {digits.rbegin(), digits.rend()};
}

constexpr std::int32_t kMaxPrecision = 10'000;  // of a DECIMAL whose range is observed

}  // namespace

// ---- Numbers ----

std::pair<std::uint64_t, std::uint64_t> NumberMap::bucket(std::uint64_t number) const noexcept {
  if (buckets_ == Buckets::bits) {
    const auto bits = static_cast<unsigned>(std::bit_width(number));
    return {bits == 0 ? 0 : std::uint64_t{1} << (bits - 1), ones(bits)};
  }
  const unsigned mantissa = buckets_ == Buckets::float16 ? 10 : buckets_ == Buckets::float32 ? 23 : 52;
  return {number & ~ones(mantissa), number | ones(mantissa)};
}

void NumberMap::finish() {
  std::ranges::sort(keys_);
  const auto rest = std::ranges::unique(keys_);
  keys_.erase(rest.begin(), rest.end());
  fresh_.resize(keys_.size());
  for (std::size_t from = 0; from < keys_.size();) {
    const auto [low, high] = bucket(keys_[from].number);
    std::size_t end = from;
    while (end < keys_.size() && keys_[end].group == keys_[from].group && keys_[end].number <= high) ++end;
    rank(from, end);
    from = end;
  }
}

void NumberMap::rank(std::size_t from, std::size_t end) {
  const auto [low, high] = bucket(keys_[from].number);
  const std::size_t count = end - from;
  if (buckets_ == Buckets::bits) {
    const bool at_top = (top_ >> keys_[from].group & 1U) != 0;
    // Ranks begin at the end of the bucket, or as far from it as the numbers are.
    const std::uint64_t slack = at_top ? keys_[from].number - low : keys_[end - 1].number - low - (count - 1);
    const std::uint64_t first = at_top ? high - (count - 1) : low;
    const std::array<std::uint64_t, 4> offsets{0, std::min<std::uint64_t>(1, slack), slack / 2, slack};
    const std::uint64_t offset =
        at_top ? 0 : best_offset(offsets, count, [&](std::size_t i) { return keys_[from + i].number - low; });
    for (std::size_t i = 0; i < count; ++i) fresh_[from + i] = first + offset + i;
    return;
  }
  // Mantissas with few bits, so that decimal encodings stay short.
  const auto mantissa = static_cast<unsigned>(std::bit_width(high - low));
  const auto bits = std::min(static_cast<unsigned>(std::bit_width(count + 1)), mantissa);
  const unsigned shift = mantissa - bits;
  const std::uint64_t slots = std::uint64_t{1} << bits;
  const std::uint64_t slack = slots - count;
  const std::array<std::uint64_t, 3> offsets{std::min<std::uint64_t>(1, slack), slack / 2, slack};
  const std::uint64_t offset = best_offset(offsets, count, [&](std::size_t i) {
    const std::uint64_t number = keys_[from + i].number - low;
    return (number & ones(shift)) == 0 ? number >> shift : UINT64_MAX;
  });
  for (std::size_t i = 0; i < count; ++i) fresh_[from + i] = low + ((offset + i) << shift);
}

std::uint64_t NumberMap::of(Key key) const {
  const auto found = std::ranges::lower_bound(keys_, key);
  if (found == keys_.end() || *found != key) return key.number;
  return fresh_[static_cast<std::size_t>(found - keys_.begin())];
}

// ---- Byte strings ----

void BytesMap::finish() {
  std::ranges::sort(keys_, {}, &Key::bytes);
  const auto rest = std::ranges::unique(keys_, {}, &Key::bytes);
  keys_.erase(rest.begin(), rest.end());
  fresh_.resize(keys_.size());
  for (std::size_t i = 0; i < keys_.size(); ++i) fresh_[i] = keys_[i].bytes;
  struct Part {
    std::size_t from;
    std::size_t end;
    std::size_t depth;
  };
  std::vector<Part> open{{0, keys_.size(), 0}};
  std::vector<std::size_t> groups;
  while (!open.empty()) {
    Part part = open.back();
    open.pop_back();
    // A string that ends here is the first of the part.
    while (part.from < part.end && keys_[part.from].bytes.size() == part.depth) ++part.from;
    if (part.from == part.end) continue;
    rank(part.from, part.end, part.depth, groups);
    for (std::size_t i = 0; i + 1 < groups.size(); ++i)
      open.push_back({groups[i], groups[i + 1], part.depth + 1});
  }
  for (Key& key : keys_) key.ranges = {};
}

/// Replaces byte `depth` of the strings [from, end), which agree in all bytes before it. `groups`: where the
/// strings with each byte begin, and the end.
void BytesMap::rank(std::size_t from, std::size_t end, std::size_t depth, std::vector<std::size_t>& groups) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(keys_[i].bytes[depth]); };
  groups.clear();
  for (std::size_t i = from; i < end; ++i) {
    if (i == from || byte(i) != byte(i - 1)) groups.push_back(i);
  }
  groups.push_back(end);
  for (std::size_t first = 0; first + 1 < groups.size();) {
    const OtherBytes range = keys_[groups[first]].ranges[depth];
    std::size_t last = first + 1;
    while (last + 1 < groups.size() && keys_[groups[last]].ranges[depth] == range) ++last;
    const std::size_t count = last - first;
    const std::uint64_t slack = range.high - range.low + 1U - count;
    std::uint64_t offset = 0;
    if (keys_[groups[first]].at_top) {
      offset = slack;
    } else if (!keys_[groups[first]].is_number) {
      const std::array<std::uint64_t, 4> offsets{0, std::min<std::uint64_t>(1, slack), slack / 2, slack};
      offset = best_offset(offsets, count, [&](std::size_t i) {
        return static_cast<std::uint64_t>(byte(groups[first + i]) - range.low);
      });
    }
    for (std::size_t i = 0; i < count; ++i) {
      const auto fresh = static_cast<char>(range.low + offset + i);
      for (std::size_t k = groups[first + i]; k < groups[first + i + 1]; ++k) fresh_[k][depth] = fresh;
    }
    first = last;
  }
}

const std::string* BytesMap::of(const std::string& bytes) const {
  const auto found = std::ranges::lower_bound(keys_, bytes, {}, &Key::bytes);
  if (found == keys_.end() || found->bytes != bytes) return nullptr;
  return &fresh_[static_cast<std::size_t>(found - keys_.begin())];
}

// ---- Values ----

ValueMap::ValueMap(const Node& leaf) : numbers_(NumberMap::Buckets::bits, kBeyondGroups) {
  const ResolvedType& logical = leaf.logical;
  width_ = fixed_width(leaf.type, static_cast<std::uint32_t>(std::max(leaf.type_length, 0)));
  number_bits_ = static_cast<unsigned>(std::min<std::size_t>(width_, 8)) * 8;
  switch (leaf.type) {
    case Type::BOOLEAN:
      return;
    case Type::INT32:
    case Type::INT64:
      kind_ =
          logical.kind == LogicalKind::INTEGER && !logical.is_signed ? Kind::unsigned_int : Kind::signed_int;
      if (logical.kind == LogicalKind::TIME) limit_ = units_of_day(logical.unit);
      if (logical.kind == LogicalKind::DECIMAL && logical.precision > 0 && logical.precision < 19) {
        limit_ = 1;
        for (std::int32_t i = 0; i < logical.precision; ++i) limit_ *= 10;
      }
      return;
    case Type::INT96:
      kind_ = Kind::int96;
      limit_ = static_cast<std::uint64_t>(kNanosPerDay);
      number_bits_ = 64;
      return;
    case Type::FLOAT:
    case Type::DOUBLE:
      kind_ = Kind::floating;
      mantissa_ = leaf.type == Type::FLOAT ? 23 : 52;
      numbers_ = {leaf.type == Type::FLOAT ? NumberMap::Buckets::float32 : NumberMap::Buckets::float64, 0};
      return;
    case Type::BYTE_ARRAY:
    case Type::FIXED_LEN_BYTE_ARRAY:
      break;
  }
  kind_ = Kind::bytes;
  switch (logical.kind) {
    case LogicalKind::FLOAT16:
      if (width_ != 2) break;
      kind_ = Kind::floating;
      mantissa_ = 10;
      numbers_ = {NumberMap::Buckets::float16, 0};
      break;
    case LogicalKind::INTERVAL:
      if (width_ == 12) kind_ = Kind::interval;
      number_bits_ = 32;
      break;
    case LogicalKind::DECIMAL:
      kind_ = Kind::decimal;
      if (logical.precision > 0 && logical.precision < kMaxPrecision)
        decimal_limit_ = power_of_ten(logical.precision);
      break;
    case LogicalKind::STRING:
    case LogicalKind::ENUM:
      form_ = TextForm::text;
      break;
    case LogicalKind::JSON:
      form_ = TextForm::json;
      break;
    case LogicalKind::BSON:
      form_ = TextForm::bson;
      break;
    case LogicalKind::UUID:
      break;
    default:
      is_any_text_ = true;
      break;
  }
}

bool ValueMap::is_special(std::uint64_t bits) const noexcept {
  if (kind_ != Kind::floating) return false;
  const std::uint64_t magnitude = bits & ones(number_bits_ - 1);
  return magnitude == 0 || magnitude >= (ones(number_bits_ - 1) & ~ones(mantissa_));
}

NumberMap::Key ValueMap::key_of(std::uint64_t bits) const noexcept {
  const bool is_high = (bits >> (number_bits_ - 1) & 1) != 0;
  switch (kind_) {
    case Kind::floating:
      return {is_high ? kNegative : kPositive, bits & ones(number_bits_ - 1)};
    case Kind::signed_int: {
      const std::uint64_t number = is_high ? ~bits & ones(number_bits_) : bits;
      const auto sign = is_high ? kNegative : kPositive;
      // The magnitude of a negative number is one more.
      const bool is_beyond = is_high ? number >= limit_ - 1 : number >= limit_;
      return {static_cast<std::uint8_t>(is_beyond ? sign | kBeyond : sign), number};
    }
    default:
      return {kPositive, bits};
  }
}

std::uint64_t ValueMap::bits_of(NumberMap::Key key, std::uint64_t fresh) const noexcept {
  if ((key.group & kNegative) == 0) return fresh;
  if (kind_ == Kind::floating) return fresh | std::uint64_t{1} << (number_bits_ - 1);
  return ~fresh & ones(number_bits_);
}

/// Calls `call(position, bytes, key)` for each number of a value.
template <typename Call>
void ValueMap::for_each_number(std::span<const std::uint8_t> value, Call&& call) const {
  const auto one = [&](std::size_t at, std::size_t size) { return little_endian(value.subspan(at, size)); };
  switch (kind_) {
    case Kind::int96: {
      // Nanoseconds and days are numbers of their own.
      const auto day = [&](std::size_t at) {
        const std::uint64_t number = one(at, 4);
        const bool is_modern = number >= kFirstModernDay && number < kFirstModernDay + kModernDays;
        return is_modern ? NumberMap::Key{kModernDay, number - kFirstModernDay}
                         : NumberMap::Key{kNegative, number};
      };
      const std::uint64_t nanos = one(0, 8);
      if (nanos >= limit_ && one(4, 8) < limit_) {  // a writer with the days first
        call(0, 4, day(0));
        call(4, 8, NumberMap::Key{kPositive, one(4, 8)});
        return;
      }
      call(0, 8, NumberMap::Key{static_cast<std::uint8_t>(nanos >= limit_ ? kBeyond : kPositive), nanos});
      call(8, 4, day(8));
      return;
    }
    case Kind::interval:
      for (std::size_t at = 0; at < 12; at += 4) call(at, 4, NumberMap::Key{kPositive, one(at, 4)});
      return;
    case Kind::signed_int:
    case Kind::unsigned_int:
    case Kind::floating:
      if (const std::uint64_t bits = one(0, width_); !is_special(bits)) call(0, width_, key_of(bits));
      return;
    default:
      return;
  }
}

/// Returns true if a DECIMAL, in two's complement, has too many digits.
bool ValueMap::is_beyond(std::string_view number) const {
  if (decimal_limit_.empty()) return false;
  std::string magnitude(number);
  if ((static_cast<std::uint8_t>(number.front()) & 0x80U) != 0) {
    unsigned carry = 1;
    for (std::size_t i = magnitude.size(); i-- > 0;) {
      carry += static_cast<std::uint8_t>(~static_cast<std::uint8_t>(magnitude[i]));
      magnitude[i] = static_cast<char>(carry);
      carry >>= 8;
    }
  }
  const std::size_t first = std::min(magnitude.find_first_not_of('\0'), magnitude.size());
  magnitude.erase(0, first);
  if (magnitude.size() != decimal_limit_.size()) return magnitude.size() > decimal_limit_.size();
  return magnitude >= decimal_limit_;
}

/// A DECIMAL with its sign in front, extended to the longest one.
BytesMap::Key ValueMap::decimal_key(std::span<const std::uint8_t> value) const {
  BytesMap::Key key;
  if (value.empty()) return key;
  const bool is_negative = (value.front() & 0x80U) != 0;
  const std::string bytes(value.begin(), value.end());
  const bool beyond = is_beyond(bytes);
  key.bytes = static_cast<char>(is_negative ? (beyond ? 0 : 1) : (beyond ? 3 : 2));
  key.bytes += std::string(longest_ - std::min(longest_, value.size()), is_negative ? '\xFF' : '\0');
  key.bytes += bytes;
  key.ranges = byte_ranges(bytes_of(key.bytes), TextForm::number);
  key.ranges.front() = {static_cast<std::uint8_t>(key.bytes.front()),
                        static_cast<std::uint8_t>(key.bytes.front())};
  key.at_top = is_negative != beyond;
  key.is_number = true;
  return key;
}

void ValueMap::collect(std::span<const std::uint8_t> value) {
  if (width_ != 0 && value.size() != width_) return;
  if (kind_ == Kind::bytes || kind_ == Kind::decimal) {
    longest_ = std::max(longest_, value.size());
    bytes_.collect({std::string(value.begin(), value.end()), {}});
    return;
  }
  for_each_number(value, [&](std::size_t, std::size_t, NumberMap::Key key) { numbers_.collect(key); });
}

void ValueMap::finish() {
  std::vector<BytesMap::Key> collected = std::exchange(bytes_.keys(), {});
  if (is_any_text_ && std::ranges::all_of(collected, [&](const BytesMap::Key& key) {
        return utf8_error(bytes_of(key.bytes)) == key.bytes.size();
      }))
    form_ = TextForm::text;
  std::ranges::sort(collected, {}, &BytesMap::Key::bytes);
  const auto rest = std::ranges::unique(collected, {}, &BytesMap::Key::bytes);
  collected.erase(rest.begin(), rest.end());
  for (BytesMap::Key& key : collected) {
    if (kind_ == Kind::decimal) {
      key = decimal_key(bytes_of(key.bytes));
    } else {
      key.ranges = byte_ranges(bytes_of(key.bytes), form_);
    }
    bytes_.keys().push_back(std::move(key));
  }
  bytes_.finish();
  numbers_.finish();
}

void ValueMap::replace(std::span<std::uint8_t> value) const {
  if (width_ != 0 && value.size() != width_) return;
  if (kind_ == Kind::bytes || kind_ == Kind::decimal) {
    const std::string key =
        kind_ == Kind::decimal ? decimal_key(value).bytes : std::string(value.begin(), value.end());
    const std::string* const fresh = bytes_.of(key);
    if (fresh != nullptr)
      std::copy(fresh->end() - static_cast<std::ptrdiff_t>(value.size()), fresh->end(), value.begin());
    return;
  }
  for_each_number(value, [&](std::size_t at, std::size_t size, NumberMap::Key key) {
    const bool is_plain = kind_ == Kind::int96 || kind_ == Kind::interval;
    const std::uint64_t fresh = numbers_.of(key);
    const std::uint64_t bits = key.group == kModernDay ? fresh + kFirstModernDay
                               : is_plain              ? fresh
                                                       : bits_of(key, fresh);
    std::memcpy(value.data() + at, &bits, std::min(size, sizeof bits));
  });
}

namespace {

/// Bytes of a length prefix that a bound of a BYTE_ARRAY has by mistake; 0 if it has none.
std::size_t prefix_of(std::span<const std::uint8_t> bound, std::size_t width) {
  if (width != 0 || bound.size() < 4) return 0;
  return little_endian(bound.first(4)) == bound.size() - 4 ? 4 : 0;
}

}  // namespace

void ValueMap::collect_bound(std::span<const std::uint8_t> bound) {
  const std::size_t prefix = prefix_of(bound, width_);
  if (prefix != 0) collect(bound.subspan(prefix));
  if (kind_ == Kind::bytes && bound.size() != width_ && width_ != 0) {
    bytes_.collect({std::string(bound.begin(), bound.end()), {}});  // a truncated bound
    return;
  }
  if (prefix == 0) collect(width_ != 0 && bound.size() > width_ ? bound.first(width_) : bound);
}

void ValueMap::replace_bound(std::span<std::uint8_t> bound) const {
  const std::size_t prefix = prefix_of(bound, width_);
  if (kind_ == Kind::bytes && bound.size() != width_ && width_ != 0) {
    if (const std::string* const fresh = bytes_.of({bound.begin(), bound.end()}))
      std::ranges::copy(*fresh, bound.begin());
    return;
  }
  if (width_ != 0 && bound.size() > width_) return replace(bound.first(width_));
  replace(bound.subspan(prefix));
}

}  // namespace parqproof
