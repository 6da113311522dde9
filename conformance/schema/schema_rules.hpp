#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// The rules of the schema (schema/*, logical-type/*, nested-type/*, footer/schema-nonempty,
/// limit/schema-depth).
class SchemaRules {
 public:
  explicit SchemaRules(FileCheck& check) noexcept : check_(check) {}

  /// Judges the last element of ParsedFooter::schema.
  void element(const SchemaElement& element);
  /// Judges the tree, after all elements were added.
  void tree() const;

 private:
  FileCheck& check_;
  bool misread_ = false;                        ///< an element was misread, so the tree has gaps
  std::unordered_set<std::int32_t> field_ids_;  ///< of the elements so far, if the rule is selected
};

/// The repetition of VECTOR, which is a proposal.
inline constexpr auto kVectorRepetition = static_cast<FieldRepetitionType>(3);

/// Judges logical-type/unknown-not-required, after the row groups were read.
void check_unknown_columns(FileCheck& check);

// The parts of SchemaRules.

/// An element and its node in the tree.
struct SchemaSubject {
  FileCheck& check;
  const SchemaElement& element;
  const Node& node;
  std::uint32_t index;

  /// The ordinal of the column; -1 for a group.
  [[nodiscard]] std::int32_t leaf() const noexcept {
    return node.is_leaf ? static_cast<std::int32_t>(node.leaf) : -1;
  }
  /// Makes a finding at a field of the element. `column`: the leaf() that it is about.
  void report(Rule rule, std::string_view field, Contrast what, std::int32_t column = -1) const {
    FindingSite::of_schema_element(check, index, column).report(rule, field, std::move(what));
  }
};

/// Judges whether the annotations of an element below the root agree with each other and its physical type.
/// The rules are judged in order up to the first violation (logical-type/*-type, int-width, leaf-annotation,
/// converted-*, logical-present, unknown-beside-converted, not-judged).
void check_annotations(const SchemaSubject& subject);

/// Judges scale and precision: those of the LogicalType and of the element for a DECIMAL leaf, and their
/// absence for any other element (logical-type/decimal-*, schema/scale-precision-context).
void check_decimal(const SchemaSubject& subject);

/// Judges the shapes of LIST and MAP groups (nested-type/*). The schema must be a tree within the depth
/// limit.
void check_nested_types(FileCheck& check);

/// Returns true if a repeated node is part of the shape of a LIST or MAP, which check_nested_types() judges.
[[nodiscard]] bool is_part_of_collection(const Nodes& nodes, std::uint32_t node);

}  // namespace parqproof
