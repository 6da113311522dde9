#include "conformance/rows/fields.hpp"

#include <algorithm>
#include <utility>

#include "codec/schema/nested.hpp"
#include "conformance/report/escape.hpp"

namespace parqproof {
namespace {

class FieldMaker {
 public:
  FieldMaker(const Schema& schema, RowView view, const std::vector<std::string>& columns)
      : schema_(schema),
        nodes_(schema.nodes()),
        logical_(view == RowView::logical),
        columns_(columns),
        met_(columns.size()) {}

  Fields make(std::string& missing) {
    fields_.root = Field{};
    const bool all = columns_.empty();
    fill(fields_.root, 0, "", all);
    const auto unmet = std::ranges::find(met_, false);
    if (unmet != met_.end()) missing = columns_[static_cast<std::size_t>(unmet - met_.begin())];
    return std::move(fields_);
  }

 private:
  [[nodiscard]] std::vector<std::uint32_t> children(std::uint32_t index) const {
    std::vector<std::uint32_t> found;
    for (std::uint32_t child = index + 1; child < nodes_[index].end; child = nodes_[child].end)
      found.push_back(child);
    return found;
  }
  [[nodiscard]] bool shown_as_map(std::uint32_t index) const {
    return is_map(nodes_, index) && map_entries(nodes_, index) != 0;
  }
  [[nodiscard]] bool shown_as_list(std::uint32_t index) const {
    return is_list(nodes_, index) && repeated_child(nodes_, index) != 0;
  }
  /// Returns true for the middle level of a LIST, which wraps the element.
  [[nodiscard]] bool wraps_element(std::uint32_t index) const {
    const std::uint32_t list = nodes_[index].parent;
    return is_list(nodes_, list) && list_rule(nodes_, list) == ListRule::single_field;
  }

  /// Returns true if all columns of the group put a Variant together.
  [[nodiscard]] bool shown_as_variant(std::uint32_t index, Field& field) {
    if (!logical_ || !variant::is_variant(nodes_[index])) return false;
    const auto ignore = [](Rule, std::uint32_t, std::string_view, const Contrast&) {};
    std::optional<variant::Group> group = variant::find_group(schema_, index, ignore);
    if (!group) return false;
    field.variant = fields_.variants.size();
    fields_.variants.push_back(std::make_unique<variant::Group>(std::move(*group)));
    return true;
  }

  /// Returns true if a requested path names this node, and marks all such paths as found.
  bool is_requested(const std::string& path) {
    bool requested = false;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i] == path) requested = met_[i] = true;
    }
    return requested;
  }
  /// Returns true if a requested path may name a node below this one.
  [[nodiscard]] bool leads_on(const std::string& path) const {
    return std::ranges::any_of(columns_,
                               [&](const std::string& column) { return column.starts_with(path + "."); });
  }

  /// Fills in the field of a node; false if no part of it was requested.
  bool fill(Field& field, std::uint32_t index, const std::string& path, bool all) {
    const Node& node = nodes_[index];
    field.node = index;
    field.repetition = index == 0 ? FieldRepetitionType::REQUIRED : node.repetition;
    field.max_definition = node.max_definition;
    field.max_repetition = node.max_repetition;
    field.is_leaf = node.is_leaf;
    field.first = fields_.leaves.size();
    field.key = json_string(text_of(node.name)) + ':';
    if (all && shown_as_variant(index, field)) {
      for (std::size_t leaf = node.leaf; leaf < node.leaf + schema_.leaves_below(index); ++leaf)
        fields_.leaves.push_back(leaf);
    } else if (node.is_leaf) {
      fields_.leaves.push_back(node.leaf);
      field.style = logical_ ? logical_style(node) : physical_style(node.type);
    } else {
      if (logical_) field.transparent = shown_as_map(index) || shown_as_list(index) || wraps_element(index);
      const bool entry = logical_ && index != 0 && shown_as_map(node.parent);
      bool key = true;
      for (const std::uint32_t child : children(index)) {
        const std::string own = columns_.empty() ? std::string() : below(path, nodes_[child]);
        const bool complete = is_requested(own) || all;
        if (complete || (!nodes_[child].is_leaf && leads_on(own))) {
          Field made;
          if (fill(made, child, own, complete)) {
            if (entry) made.key = key ? R"("key":)" : R"("value":)";
            field.children.push_back(std::move(made));
          }
        }
        key = false;
      }
    }
    field.last = fields_.leaves.size();
    return all || field.first != field.last || !field.children.empty();
  }

  static std::string below(const std::string& path, const Node& node) {
    std::string own = path;
    if (node.depth > 1) own += '.';
    return own += text_of(node.name);
  }

  const Schema& schema_;
  const Nodes& nodes_;
  bool logical_;
  const std::vector<std::string>& columns_;
  std::vector<bool> met_;
  Fields fields_;
};

}  // namespace

Fields make_fields(const Schema& schema, RowView view, const std::vector<std::string>& columns,
                   std::string& missing) {
  return FieldMaker(schema, view, columns).make(missing);
}

}  // namespace parqproof
