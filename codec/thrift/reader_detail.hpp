#pragma once

#include <cstring>
#include <iterator>
#include <string>
#include <string_view>

#include "codec/thrift/table.hpp"
#include "codec/thrift/varint.hpp"

/// Definitions shared by the two sources of the reader.
namespace parqproof::thrift {

/// Type of every struct without a field table; its own fields make no findings.
inline constexpr StructType kUnknownStruct{"unknown", {}};

template <typename T>
void store(void* slot, T value) noexcept {
  if (slot != nullptr) std::memcpy(slot, &value, sizeof value);
}

[[nodiscard]] inline std::string wire_name(Wire wire) {
  constexpr std::string_view names[] = {"stop",   "bool",   "bool", "i8",  "i16", "i32",    "i64",
                                        "double", "binary", "list", "set", "map", "struct", "uuid"};
  const auto index = static_cast<std::size_t>(wire);
  return index < std::size(names) ? std::string(names[index]) : "type " + std::to_string(index);
}

/// Describes a number that is out of bounds, for a finding.
[[nodiscard]] inline std::string text_of(const WireVarint& number) {
  if (!number.fits) return "more than 64 bits";
  return std::to_string(unzigzag(number.value)) + " in " + std::to_string(number.length) +
         (number.length == 1 ? " byte" : " bytes");
}

}  // namespace parqproof::thrift
