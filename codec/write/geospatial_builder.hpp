#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "codec/encoding/values.hpp"
#include "codec/format/statistics.hpp"
#include "codec/geo/wkb.hpp"
#include "codec/thrift/emitter.hpp"

namespace parqproof {

/// Builds the GeospatialStatistics of a column chunk from its values (Geospatial.md#statistics).
class GeospatialBuilder {
 public:
  /// The edges of a GEOGRAPHY leave the box of their ends, whose algorithms are not ours: a chunk of one has
  /// a box only if all its values are points.
  explicit GeospatialBuilder(bool is_geography) : is_geography_(is_geography) {}

  void add(std::span<const std::uint8_t> value);
  void add(const ValueBatch& byte_arrays);

  /// Returns the statistics, whose list is in `types`; nullopt if a value could not be read, or there is
  /// none.
  [[nodiscard]] std::optional<GeospatialStatistics> statistics(
      thrift::ListBuilder<std::int32_t>& types) const;

 private:
  static constexpr std::uint32_t kMostDepth = 100;

  geo::Walker walker_{kMostDepth};
  geo::Summary summary_;
  bool is_geography_;
  bool is_known_ = true;
};

}  // namespace parqproof
