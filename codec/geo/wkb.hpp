#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/base/bytes.hpp"
#include "codec/geo/box.hpp"
#include "codec/geo/type_code.hpp"
#include "codec/rules/finding_value.hpp"
#include "codec/rules/rule.hpp"

/// Well-known binary, the ISO variant (Geospatial.md#background).
namespace parqproof::geo {

/// A violation of a rule in a value.
struct Fault {
  Rule rule{};
  View at;  ///< the bytes at fault; empty if bytes are missing
  FindingValue found;
  FindingValue expected;
};

/// Receives violations. Each is counted, and described only if the receiver wants that.
class Faults {
 public:
  virtual ~Faults() = default;

  /// Counts a violation; returns true if it has to be described.
  [[nodiscard]] virtual bool count(Rule rule) = 0;
  virtual void describe(Fault fault) = 0;
};

/// Points as they are stored, `axes` coordinates each.
struct PointRun {
  const std::uint8_t* bytes = nullptr;
  std::size_t count = 0;
  unsigned axes = 2;
  bool is_big_endian = false;

  [[nodiscard]] double at(std::size_t point, unsigned axis) const noexcept;
};

/// Receives the parts of a geometry, outermost first.
class Visitor {
 public:
  virtual ~Visitor() = default;

  /// `count`: of its points, rings or parts. `is_member`: it is a part of a Multi geometry.
  virtual void begin(TypeCode type, std::uint32_t count, bool is_member) = 0;
  /// The next ring of a polygon, whose points follow.
  virtual void ring(std::uint32_t count) = 0;
  /// The points of a Point, a LineString or a ring; none of an empty one.
  virtual void points(const PointRun& run) = 0;
  virtual void end() = 0;
};

/// Judges values (wkb/*), and computes their extents. Time is linear in the bytes, memory in the depth; a
/// count allocates nothing.
class Walker {
 public:
  /// `most_depth`: max depth of nested geometries; the outermost one has depth 1.
  explicit Walker(std::uint32_t most_depth) : most_depth_(most_depth) {}

  /// Judges coordinates by the ranges of GEOGRAPHY (geo/coordinate-range).
  void judge_ranges(bool is_geography) noexcept { is_geography_ = is_geography; }
  /// Gaps that x is compared with; they outlive the walks.
  void set_gaps(std::span<Gap> gaps) noexcept { gaps_ = gaps; }

  /// Walks through the only geometry in `value`. A fault of its structure ends the walk; returns false then.
  [[nodiscard]] bool walk(View value, Faults& faults, Visitor* visitor = nullptr);

  /// The type of the value, after a walk that returned true.
  [[nodiscard]] TypeCode type() const noexcept { return type_; }
  /// The extent of the points of the last walk.
  [[nodiscard]] const Box& box() const noexcept { return box_; }

 private:
  /// A geometry whose parts are read.
  struct Frame {
    TypeCode type;
    std::uint32_t left = 0;
  };

  [[nodiscard]] std::size_t remaining() const noexcept { return value_.size() - position_; }
  [[nodiscard]] bool geometry(const std::optional<TypeCode>& parent);
  [[nodiscard]] std::optional<TypeCode> header(const std::optional<TypeCode>& parent);
  [[nodiscard]] std::optional<TypeCode> read_code(std::size_t at);
  void judge_part(const TypeCode& type, const TypeCode& parent, std::size_t at);
  [[nodiscard]] std::optional<std::uint32_t> count(std::size_t min_bytes);
  [[nodiscard]] bool point();
  [[nodiscard]] bool line();
  [[nodiscard]] bool polygon();
  [[nodiscard]] bool parts();
  PointRun take_points(std::uint32_t count);
  void judge_ring(const PointRun& run, std::size_t count_at);
  void judge_coordinates(const PointRun& run, const Box& box);
  void report(Rule rule, std::size_t at, std::size_t length, FindingValue found, FindingValue expected);
  [[nodiscard]] bool truncated(std::size_t needed);

  std::uint32_t most_depth_;
  bool is_geography_ = false;
  std::span<Gap> gaps_;
  View value_;
  std::size_t position_ = 0;
  Faults* faults_ = nullptr;
  Visitor* visitor_ = nullptr;
  TypeCode type_;
  TypeCode current_;  // of the geometry that is read
  bool is_big_endian_ = false;
  bool is_member_ = false;
  Box box_;
  std::vector<Frame> frames_;
};

}  // namespace parqproof::geo
