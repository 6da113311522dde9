#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codec/variant/item.hpp"

namespace parqproof::variant {

/// A container whose values are visited one after the other.
struct OpenContainer {
  Item item;
  std::span<const std::uint8_t> bytes;
  std::uint32_t next = 0;
};

/// Encodes a Variant from events: values, and the beginnings and ends of objects and arrays. The dictionary
/// has the names of the fields, sorted; widths are minimal; short strings are used where they fit; the values
/// of an object are in the order of the names.
class Builder {
 public:
  /// Starts again. `most`: max of size() while values are copied.
  void clear(std::size_t most = SIZE_MAX);

  /// The name of the next value, in an object.
  void key(std::string_view name);
  void begin_object() { begin(Kind::object); }
  void begin_array() { begin(Kind::array); }
  /// Ends the innermost object or array.
  void end();

  void null() { primitive(Kind::null, {}); }
  void boolean(bool value) { primitive(value ? Kind::boolean_true : Kind::boolean_false, {}); }
  /// A primitive with the data as encoded: little-endian; a decimal begins with its scale. A string or binary
  /// has no length.
  void primitive(Kind kind, std::span<const std::uint8_t> data);
  void string(std::string_view text);
  /// Copies an encoded value and those in it. The names of its fields are those of `metadata`. Returns false
  /// if a part of it cannot be read, is nested deeper than `most_depth`, or has no room.
  [[nodiscard]] bool copy(const Metadata& metadata, std::span<const std::uint8_t> value,
                          std::uint32_t most_depth);
  /// Copies the fields of an encoded object into the object that has begun, but for those whose name is in
  /// `except`, which is sorted.
  [[nodiscard]] bool copy_fields(const Metadata& metadata, std::span<const std::uint8_t> object,
                                 std::uint32_t most_depth, std::span<const std::string_view> except);

  /// Returns true if there is exactly one value, which is complete.
  [[nodiscard]] bool is_complete() const noexcept { return open_.empty() && nodes_.size() != 0; }
  /// The number of bytes that were collected, by which callers limit memory.
  [[nodiscard]] std::size_t size() const noexcept { return data_.size() + nodes_.size() * sizeof(Node); }

  /// Appends the metadata and the value. Returns false if an object has two fields of one name, which are
  /// both encoded, or if a part has more than 4 GiB; nothing is appended then. Call it when the value is
  /// complete.
  [[nodiscard]] bool finish(std::vector<std::uint8_t>& metadata, std::vector<std::uint8_t>& value);

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  struct Node {
    Kind kind = Kind::null;
    std::uint32_t name = kNone;  ///< number of the name
    std::uint32_t parent = kNone;
    std::uint32_t next = kNone;   ///< the next value of the parent
    std::uint32_t first = kNone;  ///< the first value of a container
    std::uint32_t last = kNone;
    std::uint32_t count = 0;
    std::size_t data = 0;        ///< of the encoded primitive in data_
    std::uint64_t size = 0;      ///< of the encoded value
    std::uint64_t content = 0;   ///< of the values of a container
    std::uint64_t position = 0;  ///< in the outermost value
    std::uint32_t largest_id = 0;
  };
  void begin(Kind kind);
  std::uint32_t add(Kind kind);
  bool copy_one(std::span<const std::uint8_t> bytes);
  bool copy_rest(const Metadata& metadata, std::uint32_t most_depth, std::span<const std::string_view> except,
                 bool ends_outermost);
  void sort_names();
  void measure();
  void write_container(std::uint32_t index, std::uint8_t* value);
  [[nodiscard]] static std::uint64_t head_of(const Node& node) noexcept;

  std::vector<Node> nodes_;          // a container is before its values
  std::vector<std::uint32_t> open_;  // containers that have not ended
  std::vector<std::uint8_t> data_;
  std::vector<std::string> names_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;  // of names_, whose texts do not move
  std::vector<std::uint32_t> ids_;                               // by the number of the name
  std::uint32_t name_ = kNone;                                   // of the next value
  std::size_t most_ = SIZE_MAX;
  bool has_duplicates_ = false;
  std::vector<OpenContainer> copied_;
  std::vector<std::uint32_t> children_;
};

}  // namespace parqproof::variant
