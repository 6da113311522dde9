#pragma once

#include <cstdint>
#include <string_view>

#include "codec/base/bytes.hpp"
#include "codec/thrift/table.hpp"

namespace parqproof::thrift {

/// Offsets of a field. If the field is absent: those of the innermost struct on the path.
struct Extent {
  std::uint64_t header = 0;  ///< first byte of the field header
  std::uint64_t value = 0;   ///< first byte of the value; for a boolean field, of the header
  std::uint64_t end = 0;     ///< one past the value
  bool present = false;
};

/// Walks again through a struct that was read before and finds the field at `path`, such as
/// "meta_data.encodings" or "schema[3].name". `bytes` begins at the first byte of the struct.
[[nodiscard]] Extent locate(View bytes, const StructType& type, std::string_view path);

}  // namespace parqproof::thrift
