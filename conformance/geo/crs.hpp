#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Parses JSON without exceptions; discarded if it is none, or has more bytes than kMostJsonBytes.
[[nodiscard]] nlohmann::json parse_json(std::string_view text);
inline constexpr std::size_t kMostJsonBytes = std::size_t{8} << 20;

/// What is known of the coordinates of a CRS, given as PROJJSON or as authority:code.
enum class CrsKind : std::uint8_t { unknown, geographic, projected };
[[nodiscard]] CrsKind kind_of_crs(std::string_view crs);

/// The authority and the code of a CRS, by which two are compared: EPSG:4326 is OGC:CRS84, because
/// coordinates are always in the order x, y. Nullopt if it has none.
[[nodiscard]] std::optional<std::string> id_of_crs(std::string_view crs);
[[nodiscard]] std::optional<std::string> id_of_crs(const nlohmann::json& crs);

/// The value of an entry of key_value_metadata of the file; nullopt if there is none.
struct KeyEntry {
  std::uint32_t index = 0;
  std::uint64_t struct_offset = 0;
  std::string_view value;
  bool has_value = false;
};
[[nodiscard]] std::optional<KeyEntry> find_key(const FileCheck& check, std::string_view key);

}  // namespace parqproof
