#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Max bytes of a JSON text that is parsed.
inline constexpr std::size_t kMostJsonBytes = std::size_t{8} << 20;
/// Returns true if the text is a JSON object; false if it has more than kMostJsonBytes.
[[nodiscard]] bool is_json_object(std::string_view text);

/// What is known of the coordinates of a CRS, given as PROJJSON or as authority:code.
enum class CrsKind : std::uint8_t { unknown, geographic, projected };
[[nodiscard]] CrsKind kind_of_crs(std::string_view crs);

/// The authority and the code of a CRS: EPSG:4326 is OGC:CRS84, because coordinates are always in the order
/// x, y. Nullopt if it has none, or is given in a form that is not read.
[[nodiscard]] std::optional<std::string> id_of_crs(std::string_view crs);
/// Returns true if two of id_of_crs() are one system; they may differ in case.
[[nodiscard]] bool is_same_crs(std::string_view a, std::string_view b);

/// The value of an entry of key_value_metadata of the file; nullopt if there is none.
struct KeyEntry {
  std::uint32_t index = 0;
  std::uint64_t struct_offset = 0;
  std::string_view value;
  bool has_value = false;
};
[[nodiscard]] std::optional<KeyEntry> find_key(const FileCheck& check, std::string_view key);

}  // namespace parqproof
