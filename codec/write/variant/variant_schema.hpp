#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/format/schema_element.hpp"
#include "codec/thrift/emitter.hpp"
#include "codec/variant/item.hpp"
#include "codec/variant/metadata.hpp"

namespace parqproof {

/// The columns for the Variants at one place (VariantShredding.md#value-shredding): always `value`, and
/// typed_value unless the kind is null.
struct ShreddedType {
  std::string name = {};                     ///< of the field
  variant::Kind kind = variant::Kind::null;  ///< boolean_true means both
  std::uint8_t scale = 0;                    ///< of a decimal
  std::vector<ShreddedType> parts = {};      ///< the fields of an object, or the element of an array
};

/// Appends a VARIANT group with the columns for values of `type`, whose name is that of the group.
void emit_variant_group(const ShreddedType& type, FieldRepetitionType repetition,
                        thrift::ListBuilder<SchemaElement>& out);

/// Finds a schema for the shredding of Variants in a sample of them (VariantShredding.md#value-shredding).
class VariantSchemaFinder {
 public:
  /// Counts the types of a Variant in which variant::Judge finds no error.
  void add(std::span<const std::uint8_t> metadata, std::span<const std::uint8_t> value);

  /// Returns columns with typed_value where at least half of the values at a place have one type. A field has
  /// columns if at least a tenth of the objects have it. `most_columns`: of typed_value; the most frequent
  /// fields have them.
  [[nodiscard]] ShreddedType find(std::size_t most_columns) const;

 private:
  struct TypedValue {
    variant::Kind kind = variant::Kind::null;
    std::uint8_t scale = 0;  ///< of a decimal
    auto operator<=>(const TypedValue&) const = default;
  };
  /// What the values at one place are.
  struct Tally {
    std::uint64_t values = 0;
    std::map<TypedValue, std::uint64_t> types;
    std::map<std::string, Tally, std::less<>> fields;  ///< of objects
    std::vector<Tally> element;                        ///< of arrays: one, or none
  };
  /// Null if the objects have too many other fields.
  [[nodiscard]] static Tally* field_of(Tally& objects, std::string_view name);
  void count(const variant::Metadata& metadata, std::span<const std::uint8_t> value, std::uint32_t depth,
             Tally& tally);
  [[nodiscard]] static ShreddedType type_of(std::string_view name, const Tally& tally, std::size_t& columns);

  Tally top_;
  std::size_t items_left_ = 0;  // to be counted of the current Variant
};

}  // namespace parqproof
