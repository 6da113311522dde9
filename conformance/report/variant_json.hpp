#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/variant/item.hpp"
#include "codec/variant/metadata.hpp"

namespace parqproof {

/// Form of a Variant as JSON.
enum class VariantForm : std::uint8_t {
  plain,   ///< the JSON value; what JSON has no type for as the logical view shows such columns
  tagged,  ///< each value but null, booleans, strings and arrays as {"TYPE": ...}, so that no type is lost
};

/// Writes Variant values as JSON. It goes through a value with a stack of its own.
class VariantJson {
 public:
  VariantJson(VariantForm form, std::uint32_t most_depth) : form_(form), most_depth_(most_depth) {}

  /// Appends an encoded value. Returns false if a part of it cannot be read, is nested deeper than the limit,
  /// or if `out` would have more than `most` bytes; what was appended is incomplete then.
  [[nodiscard]] bool append(std::string& out, const variant::Metadata& metadata,
                            std::span<const std::uint8_t> value, std::size_t most);

 private:
  struct Frame {
    variant::Item item;
    std::span<const std::uint8_t> bytes;
    std::uint32_t next = 0;
  };

  [[nodiscard]] bool begin(std::string& out, std::span<const std::uint8_t> bytes);
  void leaf(std::string& out, const variant::Item& item);
  void decimal(std::string& out, std::span<const std::uint8_t> data);

  VariantForm form_;
  std::uint32_t most_depth_;
  std::vector<Frame> frames_;
  std::string buffer_;
};

/// The JSON with type tags of a Variant without columns: its metadata, directly followed by its value.
/// Returns nullopt if it cannot be read, or has more bytes than a row.
[[nodiscard]] std::optional<std::string> variant_json(std::span<const std::uint8_t> bytes,
                                                      const Limits& limits);

}  // namespace parqproof
