#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Puts findings at the fields of elements of the schema.
class SchemaJudge {
 public:
  explicit SchemaJudge(FileCheck& check) noexcept : check_(check), judge_(check.outcome.findings) {}

  /// At the field at `path` in the element `index`; where it is absent, at the element. `leaf`: the ordinal
  /// of the column that the finding is about.
  void fault(Rule rule, std::uint32_t index, std::string_view path, Contrast what,
             std::int32_t leaf = -1) const {
    const Node& node = check_.footer.schema.nodes()[index];
    judge_.field(rule, {-1, leaf, -1}, check_.footer.footer_from(node.offset), SchemaElement::kType, path,
                 std::move(what), "schema[" + std::to_string(index) + "]");
  }
  [[nodiscard]] bool wants(Rule rule) const noexcept { return judge_.wants(rule); }
  [[nodiscard]] const Schema& schema() const noexcept { return check_.footer.schema; }
  [[nodiscard]] FileCheck& check() const noexcept { return check_; }

 private:
  FileCheck& check_;
  Judge judge_;
};

/// An element, and its node in the tree.
struct SchemaSubject {
  const SchemaElement& element;
  const Node& node;
  std::uint32_t index;
};

}  // namespace parqproof
