#include "codec/schema/nested.hpp"

#include <string>
#include <string_view>

#include "codec/base/text.hpp"

namespace parqproof {
namespace {

bool is_group(const Nodes& nodes, std::uint32_t node) { return node != 0 && !nodes[node].is_leaf; }

bool is_repeated(const Node& node) { return node.repetition == FieldRepetitionType::REPEATED; }

/// Returns true for the repeated group inside a MAP.
bool is_entry(const Nodes& nodes, std::uint32_t node) {
  const std::uint32_t map = nodes[node].parent;
  return is_map(nodes, map) && map_entries(nodes, map) == node;
}

}  // namespace

std::uint32_t child_count(const Nodes& nodes, std::uint32_t group) noexcept {
  std::uint32_t count = 0;
  for (std::uint32_t child = group + 1; child < nodes[group].end; child = nodes[child].end) ++count;
  return count;
}

std::uint32_t only_child(const Nodes& nodes, std::uint32_t group) noexcept {
  const std::uint32_t child = group + 1;
  return child < nodes[group].end && nodes[child].end == nodes[group].end ? child : 0;
}

std::uint32_t repeated_child(const Nodes& nodes, std::uint32_t group) noexcept {
  const std::uint32_t child = only_child(nodes, group);
  return child != 0 && is_repeated(nodes[child]) ? child : 0;
}

bool marks_entries(const ResolvedType& type) noexcept {
  return type.is(ConvertedType::MAP_KEY_VALUE) && type.stated != LogicalKind::MAP;
}

bool is_list(const Nodes& nodes, std::uint32_t node) noexcept {
  return is_group(nodes, node) && nodes[node].logical.kind == LogicalKind::LIST && !is_entry(nodes, node);
}

bool is_map(const Nodes& nodes, std::uint32_t node) noexcept {
  return is_group(nodes, node) && nodes[node].logical.kind == LogicalKind::MAP && !is_entry(nodes, node);
}

ListRule list_rule(const Nodes& nodes, std::uint32_t list) {
  const std::uint32_t repeated = repeated_child(nodes, list);
  if (repeated == 0) return ListRule::none;
  if (nodes[repeated].is_leaf) return ListRule::repeated_leaf;
  if (nodes[repeated].end == repeated + 1) return ListRule::none;
  const std::uint32_t field = only_child(nodes, repeated);
  if (field == 0) return ListRule::several_fields;
  if (is_repeated(nodes[field])) return ListRule::repeated_field;
  const std::string_view name = text_of(nodes[repeated].name);
  const bool named = name == "array" || name == std::string(text_of(nodes[list].name)) + "_tuple";
  return named ? ListRule::named_group : ListRule::single_field;
}

std::uint32_t map_entries(const Nodes& nodes, std::uint32_t map) noexcept {
  const std::uint32_t entries = repeated_child(nodes, map);
  if (entries == 0 || nodes[entries].is_leaf) return 0;
  const std::uint32_t fields = child_count(nodes, entries);
  return fields == 1 || fields == 2 ? entries : 0;
}

}  // namespace parqproof
