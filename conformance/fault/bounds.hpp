#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/schema/order.hpp"
#include "conformance/fault/file.hpp"

/// Bounds of signed integers, which faults can move by one.
namespace parqproof::fault {

/// Returns true if values of the leaf are ordered as signed integers of their size.
[[nodiscard]] bool is_signed_integer(const Node& leaf) noexcept;
/// Reads a bound of INT32 or INT64; nullopt if it has another size.
[[nodiscard]] std::optional<std::int64_t> integer_of(std::span<const std::uint8_t> bound, Type type) noexcept;
/// The bound of a number.
[[nodiscard]] std::vector<std::uint8_t> bound_of(std::int64_t number, Type type);

/// A bound as other bytes; nullopt if the bound lacks what that needs.
using OtherBound = std::optional<std::vector<std::uint8_t>> (*)(std::span<const std::uint8_t> bound);
/// A zero with the other sign: a min without, a max with it. The bound is one of FLOAT, DOUBLE or FLOAT16.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> positive_zero(std::span<const std::uint8_t> bound);
[[nodiscard]] std::optional<std::vector<std::uint8_t>> negative_zero(std::span<const std::uint8_t> bound);
/// Returns true for a zero of either sign, in an order of floating-point numbers.
[[nodiscard]] bool is_signed_zero(Order order, std::span<const std::uint8_t> bound);
/// NaN, of FLOAT or DOUBLE.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> nan_of(std::span<const std::uint8_t> bound);
/// A BOOLEAN bound with a bit that is not its value.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> with_unused_bit(std::span<const std::uint8_t> bound);
/// The bound with a byte that is not UTF-8 at its end, which is higher.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> with_ff(std::span<const std::uint8_t> bound);
/// The bound without its last byte, which is lower.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> without_last(std::span<const std::uint8_t> bound);

/// Of metadata: statistics.min_value and max_value are signed integers, min below max.
[[nodiscard]] bool has_signed_bounds(File& file, const Site& site);
/// Of metadata: statistics.min_value and max_value differ.
[[nodiscard]] bool has_bounds(File& file, const Site& site);
/// Returns true if the metadata has geospatial_types, and a bounding box whose ymin is below its ymax.
[[nodiscard]] bool has_box(File& file, const Site& site);

}  // namespace parqproof::fault
