#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/page/levels.hpp"
#include "codec/schema/schema.hpp"
#include "tests/encoding/decode.hpp"

namespace parqproof {

/// One node of a schema, in the order of the list. Groups have children.
struct SchemaNode {
  std::string_view name;
  FieldRepetitionType repetition = FieldRepetitionType::REQUIRED;
  std::int32_t children = 0;
};

/// A schema below a root; leaves are INT32.
inline Schema schema_of(std::int32_t root_children, std::initializer_list<SchemaNode> nodes) {
  Schema schema;
  schema.reserve(nodes.size() + 1);
  SchemaElement root;
  root.num_children = root_children;
  root.fields.present = 1U << SchemaElement::id_num_children | 1U << SchemaElement::id_name;
  schema.add(root);
  for (const SchemaNode& node : nodes) {
    SchemaElement element;
    element.name = {{reinterpret_cast<const std::uint8_t*>(node.name.data()), node.name.size()}};
    element.repetition_type = node.repetition;
    element.num_children = node.children;
    element.fields.present =
        1U << SchemaElement::id_name | 1U << SchemaElement::id_repetition_type |
        1U << (node.children != 0 ? SchemaElement::id_num_children : SchemaElement::id_type);
    schema.add(element);
  }
  schema.finish();
  return schema;
}

/// A list of lists with a struct of two optional leaves: reached definition levels are 0, 2, 4; the shared
/// ancestors of a leaf are the struct alone, whose definition level is 5.
inline Schema lists_of_structs() {
  using enum FieldRepetitionType;
  return schema_of(1, {{"outer", OPTIONAL, 1},
                       {"list", REPEATED, 1},
                       {"inner", OPTIONAL, 1},
                       {"element", REPEATED, 1},
                       {"pair", OPTIONAL, 2},
                       {"x", OPTIONAL},
                       {"y", OPTIONAL}});
}

/// Levels of entries, as parallel lists.
struct LevelPairs {
  std::vector<std::uint32_t> repetition;
  std::vector<std::uint32_t> definition;

  [[nodiscard]] std::size_t size() const { return repetition.size(); }
  void add(std::uint32_t r, std::uint32_t d) {
    repetition.push_back(r);
    definition.push_back(d);
  }
};

/// `count` legal entries of a leaf, single ones and runs mixed. `reached`: D(r).
inline LevelPairs legal_levels(std::size_t count, const std::vector<std::uint32_t>& reached,
                               std::uint32_t max) {
  LevelPairs levels;
  std::uint32_t previous = 0;
  for (std::uint64_t step = 0; levels.size() < count; ++step) {
    const std::uint64_t chance = mixed(step);
    auto r = static_cast<std::uint32_t>(chance % reached.size());
    while (levels.size() == 0 || previous < reached[r]) {
      if (r == 0) break;
      --r;
    }
    const std::uint32_t min = reached[r];
    previous = min + static_cast<std::uint32_t>((chance >> 8) % (max - min + 1));
    const std::size_t run = step % 400 == 7 ? 1500 : step % 60 == 3 ? 25 : 1;
    for (std::size_t i = 0; i < run && levels.size() < count; ++i) levels.add(r, previous);
  }
  return levels;
}

/// Storage form of the levels of a page.
enum class LevelForm : std::uint8_t { automatic, repeated, packed, bit_packed };
inline constexpr LevelForm kLevelForms[] = {LevelForm::automatic, LevelForm::repeated, LevelForm::packed,
                                            LevelForm::bit_packed};

inline Encoding encoding_of(LevelForm form) noexcept {
  return form == LevelForm::bit_packed ? Encoding::BIT_PACKED : Encoding::RLE;
}

inline Bytes stored_levels(std::span<const std::uint32_t> levels, std::uint32_t max, LevelForm form) {
  Bytes bytes;
  EncodeOptions options;
  if (form == LevelForm::repeated) options.runs = EncodeOptions::Runs::repeated;
  if (form == LevelForm::packed) options.runs = EncodeOptions::Runs::packed;
  if (max == 0) return bytes;
  LevelEncoder encoder;
  (void)encoder.open(encoding_of(form), {bit_width_for(max), options, bytes});
  encoder.add(levels);
  encoder.finish();
  return bytes;
}

}  // namespace parqproof
