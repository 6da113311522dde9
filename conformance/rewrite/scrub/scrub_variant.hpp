#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "codec/schema/schema.hpp"
#include "codec/variant/item.hpp"
#include "conformance/rewrite/scrub/scrub_values.hpp"

namespace parqproof {

/// The field names and primitive values in the Variants of a file, with others of the same type, length and
/// order, equal where they were. They are replaced at their places, so counts, ids, offsets and the order of
/// a dictionary stay. Booleans and nulls stay, too.
class VariantMap {
 public:
  /// The name of a field, in the schema. Names that groups of a VARIANT have, such as `value`, stay.
  void collect_name(std::string_view name);
  /// Bytes of the columns `metadata` and `value`.
  void collect_metadata(std::span<const std::uint8_t> metadata);
  void collect_value(std::span<const std::uint8_t> value);
  void finish();

  /// Null if the name was not collected.
  [[nodiscard]] const std::string* name(const std::string& name) const { return names_.of(name); }
  /// Bytes that are no part of a readable value are treated as those of unreadable pages: text is blanked.
  void replace_metadata(std::span<std::uint8_t> metadata) const;
  void replace_value(std::span<std::uint8_t> value) const;

  [[nodiscard]] std::uint64_t memory() const noexcept;
  [[nodiscard]] std::size_t names() const noexcept { return names_.size(); }

 private:
  BytesMap names_;
  std::map<variant::Kind, ValueMap> primitives_;  // booleans and null are not there
};

}  // namespace parqproof
