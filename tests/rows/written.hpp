#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/rows/rows.hpp"

namespace support {

/// The output of `write_rows` for bytes in memory.
struct Written {
  std::string text;
  parqproof::RowsEnd end = parqproof::RowsEnd::complete;
  std::string column;
  std::optional<parqproof::Finding> finding;
  bool broken = false;  ///< the input is wrong
  parqproof::LeftOut left_out;

  [[nodiscard]] std::vector<std::string> lines() const;
  /// Each line parsed; throws if one is not JSON.
  [[nodiscard]] nlohmann::ordered_json rows() const;
};

[[nodiscard]] Written written(const parqproof::Source& source, const parqproof::RowOptions& options = {});
[[nodiscard]] Written written(std::span<const std::uint8_t> bytes, const parqproof::RowOptions& options = {});

/// Options for the physical view.
[[nodiscard]] parqproof::RowOptions physical();

}  // namespace support
