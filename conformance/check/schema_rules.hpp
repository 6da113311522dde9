#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_set>

#include "conformance/check/context.hpp"

namespace parqproof {

/// The rules of the schema (schema/*, footer/schema-nonempty, limit/schema-depth).
class SchemaRules {
 public:
  explicit SchemaRules(FileCheck& check) noexcept : check_(check), judge_(check.outcome.findings) {}

  /// Judges the element that was added to FileFacts::schema last.
  void element(const SchemaElement& element);
  /// Judges the tree, once all elements were added.
  void tree() const;

 private:
  /// An element, and its node in the tree.
  struct Subject {
    const SchemaElement& element;
    const Node& node;
    std::uint32_t index;
  };
  void fault(Rule rule, std::uint32_t index, std::string_view path, Contrast what,
             std::int32_t leaf = -1) const;
  void root(const SchemaElement& element) const;
  void below_root(const Subject& subject) const;
  void children(const Subject& subject) const;
  void leaf(const Subject& subject) const;
  void decimal_fields(const Subject& subject) const;
  void decimal(const Subject& subject) const;
  void field_id(const Subject& subject);
  void shape() const;
  void too_deep() const;
  void sibling_names() const;
  void names_alike() const;
  void collections() const;

  FileCheck& check_;
  Judge judge_;
  bool misread_ = false;                        ///< an element was: the tree has gaps for that reason
  std::unordered_set<std::int32_t> field_ids_;  ///< of the elements so far, where the rule is asked for
};

}  // namespace parqproof
