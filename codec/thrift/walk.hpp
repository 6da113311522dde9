#pragma once

#include <cstdint>

#include "codec/base/cursor.hpp"
#include "codec/thrift/table.hpp"

namespace parqproof::thrift {

/// One item of a walk. Numbers are decoded; binaries, lists and structs have only their extent.
struct Event {
  enum class What : std::uint8_t { field, element, key, value, end_struct, end_list };
  What what = What::field;
  Wire wire = Wire::stop;
  std::int32_t id = 0;               ///< id of a field
  const Field* known = nullptr;      ///< row of the field table; null if unknown
  const StructType* type = nullptr;  ///< type of a struct value or of the elements of a list; null if unknown
  std::uint64_t index = 0;           ///< index of an element
  std::uint64_t header = 0;          ///< first byte of the field header (or of the element)
  std::uint64_t at = 0;              ///< first byte of the value
  std::uint64_t end = 0;             ///< one past the value; not set for containers
  std::int64_t integer = 0;          ///< booleans, i8, i16, i32, i64; the count of a list, set or map
  double real = 0;
  View bytes;  ///< bytes of a binary
};

/// Receives events in file order. A struct, list, set or map has a begin event, the inner events, then an end
/// event.
class Visitor {
 public:
  virtual ~Visitor() = default;
  /// Returns false to end the walk.
  [[nodiscard]] virtual bool event(const Event& event) = 0;
};

enum class WalkEnd : std::uint8_t { complete, stopped, broken };

/// Walks over the struct at the first byte of `bytes` without checks: by the field tables where they know a
/// field, else by the bare protocol. Sets `end` to the first byte after the struct, or to the byte where the
/// walk ended.
[[nodiscard]] WalkEnd walk(View bytes, const StructType* type, Visitor& visitor, std::uint64_t& end,
                           std::uint32_t max_depth = 64);

}  // namespace parqproof::thrift
