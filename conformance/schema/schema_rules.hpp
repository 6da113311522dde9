#pragma once

#include <cstdint>
#include <unordered_set>

#include "conformance/schema/schema_subject.hpp"

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
  [[nodiscard]] FindingSite site(std::uint32_t element, std::int32_t leaf = -1) const {
    return FindingSite::of_schema_element(check_, element, leaf);
  }
  void root(const SchemaElement& element) const;
  void below_root(const SchemaSubject& subject) const;
  [[nodiscard]] bool is_collection(const SchemaSubject& subject) const;
  void children(const SchemaSubject& subject) const;
  void leaf(const SchemaSubject& subject) const;
  void field_id(const SchemaSubject& subject);
  void shape() const;
  void too_deep() const;
  void sibling_names() const;
  void names_alike() const;
  void collections() const;

  FileCheck& check_;
  bool misread_ = false;                        ///< an element was misread, so the tree has gaps
  std::unordered_set<std::int32_t> field_ids_;  ///< of the elements so far, if the rule is selected
};

}  // namespace parqproof
