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

/// Finds a schema for the shredding of Variants in a sample of them (VariantShredding.md#value-shredding).
class VariantSchemaFinder {
 public:
  /// Counts the types of a Variant in which variant::Judge finds no error.
  void add(std::span<const std::uint8_t> metadata, std::span<const std::uint8_t> value);

  /// Appends a VARIANT group, with typed_value where at least half of the values at a place have one type. A
  /// field has columns if at least a tenth of the objects have it. `most_columns`: of typed_value; the most
  /// frequent fields have them.
  void emit(std::string_view name, FieldRepetitionType repetition, std::size_t most_columns,
            thrift::ListBuilder<SchemaElement>& out) const;

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
  /// The columns for one place.
  struct Plan {
    std::string_view name;
    TypedValue type;  ///< of typed_value; null: there is none
    std::vector<Plan> parts;
  };

  static void count(const variant::Metadata& metadata, std::span<const std::uint8_t> value,
                    std::uint32_t depth, Tally& tally);
  [[nodiscard]] static Plan plan_of(std::string_view name, const Tally& tally, std::size_t& columns);
  static void emit_typed(const Plan& plan, thrift::ListBuilder<SchemaElement>& out);

  Tally top_;
};

}  // namespace parqproof
