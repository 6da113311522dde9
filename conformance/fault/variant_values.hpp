#pragma once

#include <cstddef>
#include <cstdint>

#include "codec/variant/metadata.hpp"
#include "conformance/fault/stored_values.hpp"

/// Parts of encoded Variants.
namespace parqproof::fault {

/// Writes an unsigned little-endian number of `width` bytes.
inline void put_number(Bytes& bytes, std::size_t at, unsigned width, std::uint32_t number) {
  for (unsigned i = 0; i < width; ++i) bytes[at + i] = static_cast<std::uint8_t>(number >> 8 * i);
}

/// Reads metadata; false if it cannot be read or has no strings.
[[nodiscard]] inline bool read_metadata(const Bytes& bytes, variant::Metadata& metadata) {
  variant::NoFaults faults;
  return !bytes.empty() && metadata.read(View{bytes}, faults) && metadata.size() != 0;
}

}  // namespace parqproof::fault
