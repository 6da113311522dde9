#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "conformance/fault/file.hpp"

/// Bounds of signed integers, which faults can move by one.
namespace parqproof::fault {

/// Returns true if values of the leaf are ordered as signed integers of their size.
[[nodiscard]] bool is_signed_integer(const Node& leaf) noexcept;
/// Reads a bound of INT32 or INT64; nullopt if it has another size.
[[nodiscard]] std::optional<std::int64_t> integer_of(std::span<const std::uint8_t> bound, Type type) noexcept;
/// The bound of a number.
[[nodiscard]] std::vector<std::uint8_t> bound_of(std::int64_t number, Type type);

/// Of metadata: statistics.min_value and max_value are signed integers, min below max.
[[nodiscard]] bool has_signed_bounds(File& file, const Site& site);
/// Of metadata: statistics.min_value and max_value differ.
[[nodiscard]] bool has_bounds(File& file, const Site& site);
/// Returns true if the metadata has geospatial_types, and a bounding box whose ymin is below its ymax.
[[nodiscard]] bool has_box(File& file, const Site& site);

}  // namespace parqproof::fault
