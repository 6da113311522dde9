#pragma once

#include <cstdint>
#include <string_view>

#include "codec/base/bytes.hpp"
#include "codec/thrift/table.hpp"

namespace parqproof::thrift {

/// Where a field stands. For a field that is not there: the innermost struct of the path that lacks it.
struct Extent {
  std::uint64_t header = 0;  ///< first byte of the field header
  std::uint64_t value = 0;   ///< first byte of the value; a boolean field's is its header
  std::uint64_t end = 0;     ///< one past the value
  bool present = false;
};

/// Walks again through a struct that was read before and finds the field at `path`, such as
/// "meta_data.encodings" or "schema[3].name". `bytes` begins at the struct's first byte.
[[nodiscard]] Extent locate(View bytes, const StructType& type, std::string_view path);

}  // namespace parqproof::thrift
