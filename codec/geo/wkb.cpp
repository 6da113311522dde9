#include "codec/geo/wkb.hpp"

#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/base/text.hpp"

namespace parqproof::geo {
namespace {

constexpr std::size_t kHeaderBytes = 5;  // byte order and type code
constexpr std::size_t kCodeBytes = 4;
constexpr std::size_t kCountBytes = 4;
constexpr std::size_t kCoordinateBytes = 8;
constexpr std::size_t kMinPartBytes = kHeaderBytes + kCountBytes;  // an empty geometry; a Point has more
constexpr std::uint32_t kMinRingPoints = 4;
constexpr double kMaxLongitude = 180;
constexpr double kMaxLatitude = 90;

// Flags of EWKB, which ISO WKB does not have.
constexpr std::uint32_t kFlagZ = 0x80000000;
constexpr std::uint32_t kFlagM = 0x40000000;
constexpr std::uint32_t kFlags = 0xE0000000;  // these, and that of an SRID

template <bool kBigEndian>
double coordinate(const std::uint8_t* bytes) noexcept {
  const auto bits = load_le<std::uint64_t>(bytes);
  return std::bit_cast<double>(kBigEndian ? std::byteswap(bits) : bits);
}

/// The extent of points on their first axes, as they are stored.
template <bool kBigEndian>
void add_points(const PointRun& run, std::array<Interval, kAxes>& axes) noexcept {
  const std::uint8_t* at = run.bytes;
  for (std::size_t point = 0; point < run.count; ++point) {
    for (unsigned axis = 0; axis < run.axes; ++axis, at += kCoordinateBytes)
      axes[axis].add(coordinate<kBigEndian>(at));
  }
}

std::string text_of_point(const PointRun& run, std::size_t point) {
  return shortest(run.at(point, 0)) + " " + shortest(run.at(point, 1));
}

bool are_equal(double one, double other) noexcept {
  return one == other || (std::isnan(one) && std::isnan(other));
}

}  // namespace

std::optional<TypeCode> type_of_ewkb(std::uint32_t code) noexcept {
  if ((code & kFlags) == 0) return std::nullopt;
  std::optional<TypeCode> type = TypeCode::of(code & ~kFlags);
  if (!type) return std::nullopt;
  type->has_z = type->has_z || (code & kFlagZ) != 0;
  type->has_m = type->has_m || (code & kFlagM) != 0;
  return type;
}

std::string_view name_of(Shape shape) noexcept {
  constexpr std::array<std::string_view, kShapes> kNames{
      "Point",           "LineString",   "Polygon",           "MultiPoint",
      "MultiLineString", "MultiPolygon", "GeometryCollection"};
  return kNames[static_cast<std::size_t>(shape) - 1];
}

double PointRun::at(std::size_t point, unsigned axis) const noexcept {
  const std::uint8_t* const number = bytes + (point * axes + axis) * kCoordinateBytes;
  return is_big_endian ? coordinate<true>(number) : coordinate<false>(number);
}

bool Walker::walk(View value, Faults& faults, Visitor* visitor) {
  value_ = value;
  position_ = 0;
  faults_ = &faults;
  visitor_ = visitor;
  box_ = {};
  frames_.clear();
  if (!geometry(std::nullopt)) return false;
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    if (frame.left == 0) {
      frames_.pop_back();
      if (visitor_ != nullptr) visitor_->end();
      continue;
    }
    --frame.left;
    const TypeCode parent = frame.type;
    if (!geometry(parent)) return false;
  }
  if (remaining() != 0) report(Rule::wkb_trailing_bytes, position_, remaining(), remaining(), 0);
  return true;
}

bool Walker::geometry(const std::optional<TypeCode>& parent) {
  const std::optional<TypeCode> type = header(parent);
  if (!type) return false;
  if (!parent) type_ = *type;
  current_ = *type;
  is_member_ = parent && parent->is_multi();
  switch (type->shape) {
    case Shape::point:
      return point();
    case Shape::line_string:
      return line();
    case Shape::polygon:
      return polygon();
    default:
      return parts();
  }
}

/// wkb/byte-order, and the rules for the type code.
std::optional<TypeCode> Walker::header(const std::optional<TypeCode>& parent) {
  if (remaining() != 0 && value_.bytes[position_] > 1) {
    report(Rule::wkb_byte_order, position_, 1, static_cast<int>(value_.bytes[position_]), "0 or 1");
    return std::nullopt;
  }
  if (remaining() < kHeaderBytes) {
    static_cast<void>(truncated(kHeaderBytes));
    return std::nullopt;
  }
  is_big_endian_ = value_.bytes[position_] == 0;
  const std::size_t at = position_ + 1;
  const std::optional<TypeCode> type = read_code(at);
  if (!type) return std::nullopt;
  if (parent) judge_part(*type, *parent, at);
  position_ += kHeaderBytes;
  return type;
}

std::optional<TypeCode> Walker::read_code(std::size_t at) {
  const auto stored = load_le<std::uint32_t>(value_.data() + at);
  const std::uint32_t code = is_big_endian_ ? std::byteswap(stored) : stored;
  const std::optional<TypeCode> type = TypeCode::of(code);
  if (type) return type;
  if (is_uncommon_type(code)) {
    report(Rule::wkb_type_unsupported, at, kCodeBytes, code, {});
  } else if (const std::optional<TypeCode> meant = type_of_ewkb(code)) {
    report(Rule::wkb_ewkb, at, kCodeBytes, "0x" + hex_number(code), meant->code());
  } else {
    report(Rule::wkb_type, at, kCodeBytes, code, "1 to 7, plus 0, 1000, 2000 or 3000");
  }
  return std::nullopt;
}

/// wkb/part-type and wkb/dimension
void Walker::judge_part(const TypeCode& type, const TypeCode& parent, std::size_t at) {
  if (parent.is_multi() && type.shape != parent.part().shape) {
    report(Rule::wkb_part_type, at, kCodeBytes, type.code(), parent.part().code());
  } else if (type.has_z != parent.has_z || type.has_m != parent.has_m) {
    const TypeCode expected{type.shape, parent.has_z, parent.has_m};
    report(Rule::wkb_dimension, at, kCodeBytes, type.code(), expected.code());
  }
}

/// Reads a count of things that have at least so many bytes (wkb/count).
std::optional<std::uint32_t> Walker::count(std::size_t min_bytes) {
  if (remaining() < kCountBytes) {
    static_cast<void>(truncated(kCountBytes));
    return std::nullopt;
  }
  const auto stored = load_le<std::uint32_t>(value_.data() + position_);
  const std::uint32_t count = is_big_endian_ ? std::byteswap(stored) : stored;
  const std::size_t most = (remaining() - kCountBytes) / min_bytes;
  if (count > most) {
    report(Rule::wkb_count, position_, kCountBytes, count, at_most(most));
    return std::nullopt;
  }
  position_ += kCountBytes;
  return count;
}

bool Walker::point() {
  const std::size_t bytes = current_.axes() * kCoordinateBytes;
  if (remaining() < bytes) return truncated(bytes);
  const PointRun run = take_points(1);
  if (visitor_ == nullptr) return true;
  bool is_empty = true;
  for (unsigned axis = 0; axis < run.axes; ++axis) is_empty = is_empty && std::isnan(run.at(0, axis));
  visitor_->begin(current_, is_empty ? 0 : 1, is_member_);
  visitor_->points(is_empty ? PointRun{run.bytes, 0, run.axes, run.is_big_endian} : run);
  visitor_->end();
  return true;
}

/// wkb/line-points
bool Walker::line() {
  const std::size_t count_at = position_;
  const std::optional<std::uint32_t> points = count(current_.axes() * kCoordinateBytes);
  if (!points) return false;
  if (*points == 1) report(Rule::wkb_line_points, count_at, kCountBytes, 1, "0, or at least 2");
  if (visitor_ != nullptr) visitor_->begin(current_, *points, is_member_);
  const PointRun run = take_points(*points);
  if (visitor_ == nullptr) return true;
  visitor_->points(run);
  visitor_->end();
  return true;
}

bool Walker::polygon() {
  const std::optional<std::uint32_t> rings = count(kCountBytes);
  if (!rings) return false;
  if (visitor_ != nullptr) visitor_->begin(current_, *rings, is_member_);
  for (std::uint32_t ring = 0; ring < *rings; ++ring) {
    const std::size_t count_at = position_;
    const std::optional<std::uint32_t> points = count(current_.axes() * kCoordinateBytes);
    if (!points) return false;
    const PointRun run = take_points(*points);
    judge_ring(run, count_at);
    if (visitor_ == nullptr) continue;
    visitor_->ring(*points);
    visitor_->points(run);
  }
  if (visitor_ != nullptr) visitor_->end();
  return true;
}

/// wkb/depth
bool Walker::parts() {
  const std::optional<std::uint32_t> parts = count(kMinPartBytes);
  if (!parts) return false;
  if (frames_.size() >= most_depth_) {
    report(Rule::wkb_depth, position_ - kCountBytes - kHeaderBytes, kHeaderBytes, frames_.size() + 1,
           most_depth_);
    return false;
  }
  if (visitor_ != nullptr) visitor_->begin(current_, *parts, is_member_);
  frames_.push_back({current_, *parts});
  return true;
}

/// The next points, whose bytes are there.
PointRun Walker::take_points(std::uint32_t count) {
  const PointRun run{value_.data() + position_, count, current_.axes(), is_big_endian_};
  Box box;
  if (is_big_endian_) {
    add_points<true>(run, box.axes);
  } else {
    add_points<false>(run, box.axes);
  }
  // The third coordinate is m if there is no z.
  if (current_.has_m && !current_.has_z) std::swap(box.axes[2], box.axes[3]);
  box_.add(box);
  if (is_geography_ || !gaps_.empty()) judge_coordinates(run, box);
  position_ += std::size_t{count} * run.axes * kCoordinateBytes;
  return run;
}

/// geo/coordinate-range, and the gaps.
void Walker::judge_coordinates(const PointRun& run, const Box& box) {
  const Interval& x = box[Axis::x];
  for (Gap& gap : gaps_) {
    if (gap.is_hit || !(x.max > gap.low && x.min < gap.high)) continue;
    for (std::size_t point = 0; point < run.count; ++point) gap.add(run.at(point, 0));
  }
  const auto is_inside = [](const Interval& axis, double limit) {
    return axis.empty() || (axis.min >= -limit && axis.max <= limit);
  };
  if (!is_geography_ || (is_inside(x, kMaxLongitude) && is_inside(box[Axis::y], kMaxLatitude))) return;
  for (std::size_t point = 0; point < run.count; ++point) {
    for (unsigned axis = 0; axis < 2; ++axis) {
      const double value = run.at(point, axis);
      const double limit = axis == 0 ? kMaxLongitude : kMaxLatitude;
      if (!(value < -limit || value > limit)) continue;
      report(Rule::geo_coordinate_range, position_ + (point * run.axes + axis) * kCoordinateBytes,
             kCoordinateBytes, FindingValue::Literal{shortest(value)},
             axis == 0 ? between(-180, 180) : between(-90, 90));
    }
  }
}

/// wkb/ring-points and wkb/ring-closed
void Walker::judge_ring(const PointRun& run, std::size_t count_at) {
  if (run.count == 0) return;
  if (run.count < kMinRingPoints) {
    report(Rule::wkb_ring_points, count_at, kCountBytes, run.count, "0, or at least 4");
    return;
  }
  const std::size_t last = run.count - 1;
  if (are_equal(run.at(0, 0), run.at(last, 0)) && are_equal(run.at(0, 1), run.at(last, 1))) return;
  const std::size_t bytes = run.axes * kCoordinateBytes;
  report(Rule::wkb_ring_closed, position_ - bytes, bytes, text_of_point(run, last), text_of_point(run, 0));
}

bool Walker::truncated(std::size_t needed) {
  report(Rule::wkb_truncated, position_, remaining(), remaining(), needed);
  return false;
}

void Walker::report(Rule rule, std::size_t at, std::size_t length, FindingValue found,
                    FindingValue expected) {
  if (!faults_->count(rule)) return;
  faults_->describe({rule, value_.part(at, length), std::move(found), std::move(expected)});
}

}  // namespace parqproof::geo
