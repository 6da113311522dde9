#pragma once

#include <cstdint>

#include "codec/base/cursor.hpp"
#include "codec/thrift/table.hpp"

namespace parqproof::thrift {

/// One thing that a walk without judgement meets. Numbers are decoded; binaries, lists and structs carry
/// their extent only.
struct Event {
  enum class What : std::uint8_t { field, element, key, value, end_struct, end_list };
  What what = What::field;
  Wire wire = Wire::stop;
  std::int32_t id = 0;               ///< of a field
  const Field* known = nullptr;      ///< its row in the field table, where there is one
  const StructType* type = nullptr;  ///< of a struct value, or of a list's elements, where known
  std::uint64_t index = 0;           ///< of an element
  std::uint64_t header = 0;          ///< first byte of the field header (or of the element)
  std::uint64_t at = 0;              ///< first byte of the value
  std::uint64_t end = 0;             ///< one past the value, where it is no container
  std::int64_t integer = 0;          ///< booleans, i8, i16, i32, i64; the count of a list, set or map
  double real = 0;
  View bytes;  ///< of a binary
};

/// Receives events in file order. For a struct, list, set or map: begin, then the inner events, then its end.
class Visitor {
 public:
  virtual ~Visitor() = default;
  /// False ends the walk.
  [[nodiscard]] virtual bool event(const Event& event) = 0;
};

enum class WalkEnd : std::uint8_t { whole, stopped, broken };

/// Walks over the struct at the first byte of `bytes`, following the field tables where they know the way and
/// the bare protocol where they do not. It judges nothing. `end` is set to the first byte after the struct,
/// or where the walk ended.
[[nodiscard]] WalkEnd walk(View bytes, const StructType* type, Visitor& visitor, std::uint64_t& end,
                           std::uint32_t max_depth = 64);

}  // namespace parqproof::thrift
