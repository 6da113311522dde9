// Paths of nodes, and their rows of the field tables.
#include <algorithm>
#include <charconv>

#include "codec/model/tree.hpp"

namespace parqproof::model {

using thrift::Field;
using thrift::StructType;
using thrift::Wire;

namespace {

/// One step of a path: a field name, or the index of an element.
struct Step {
  std::string_view name;
  std::uint64_t index = 0;
};

/// Removes the first step from `path`.
Step take_step(std::string_view& path) {
  Step step;
  if (path.front() == '.') path.remove_prefix(1);
  if (!path.empty() && path.front() == '[') {
    std::from_chars(path.data() + 1, path.data() + path.size(), step.index);
    path.remove_prefix(std::min(path.size(), path.find(']') + 1));
    return step;
  }
  step.name = path.substr(0, path.find_first_of(".["));
  path.remove_prefix(step.name.size());
  return step;
}

/// The id of a field by its name, or by its number if it has no name.
std::optional<int> id_of(const StructType* type, std::string_view name) {
  const Field* const row = type == nullptr ? nullptr : type->find(name);
  if (row != nullptr) return row->id;
  int id = 0;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), id);
  return read.ec == std::errc() && read.ptr == name.data() + name.size() ? std::optional(id) : std::nullopt;
}

bool is_list(Wire wire) noexcept { return wire == Wire::list || wire == Wire::set || wire == Wire::map; }

}  // namespace

std::optional<NodeId> Tree::field(NodeId parent, int id) const {
  if (nodes_[parent].wire != Wire::struct_) return std::nullopt;
  for (NodeId child = nodes_[parent].first; child != kNoNode; child = nodes_[child].next) {
    if (nodes_[child].id == id) return child;
  }
  return std::nullopt;
}

std::optional<NodeId> Tree::element(NodeId list, std::uint64_t index) const {
  if (!is_list(nodes_[list].wire) || index >= nodes_[list].size) return std::nullopt;
  NodeId child = nodes_[list].first;
  for (; index != 0; --index) child = nodes_[child].next;
  return child;
}

std::optional<NodeId> Tree::find(std::string_view path, NodeId from) const {
  while (!path.empty()) {
    const Step step = take_step(path);
    std::optional<NodeId> next;
    if (step.name.empty()) {
      next = element(from, step.index);
    } else if (const std::optional<int> id = id_of(type_of(from), step.name)) {
      next = field(from, *id);
    }
    if (!next) return std::nullopt;
    from = *next;
  }
  return from;
}

std::optional<NodeId> Tree::make(std::string_view path, NodeId from) {
  while (!path.empty()) {
    const std::string_view before = path;
    const Step step = take_step(path);
    const std::string_view taken = before.substr(0, before.size() - path.size());
    std::optional<NodeId> next = find(taken, from);
    if (!next && !step.name.empty()) {
      const StructType* const type = type_of(from);
      const Field* const row = type == nullptr ? nullptr : type->find(step.name);
      if (row != nullptr) next = add_field(from, row->id, row->wire);
    }
    if (!next) return std::nullopt;
    from = *next;
  }
  return from;
}

const StructType* Tree::type_of(NodeId node) const {
  if (node == kRoot) return type_;
  const NodeId parent = nodes_[node].parent;
  if (nodes_[parent].wire != Wire::struct_) return is_list(nodes_[parent].wire) ? type_of(parent) : nullptr;
  const Field* const row = known(node);
  return row == nullptr ? nullptr : row->type;
}

const Field* Tree::known(NodeId node) const {
  if (node == kRoot || nodes_[nodes_[node].parent].wire != Wire::struct_) return nullptr;
  const StructType* const type = type_of(nodes_[node].parent);
  const Field* const row = type == nullptr ? nullptr : type->find(nodes_[node].id);
  return row != nullptr && row->takes(nodes_[node].wire) ? row : nullptr;
}

std::string Tree::path(NodeId node) const {
  if (node == kRoot) return {};
  const NodeId parent = nodes_[node].parent;
  const std::string outer = path(parent);
  if (nodes_[parent].wire != Wire::struct_) {
    std::uint64_t index = 0;
    for (NodeId child = nodes_[parent].first; child != node; child = nodes_[child].next) ++index;
    return outer + "[" + std::to_string(index) + "]";
  }
  const Field* const row = known(node);
  const std::string name = row == nullptr ? std::to_string(nodes_[node].id) : std::string(row->name);
  return outer.empty() ? name : outer + "." + name;
}

std::optional<std::int64_t> Tree::number(std::string_view path, NodeId from) const {
  const std::optional<NodeId> node = find(path, from);
  return node ? std::optional(number(*node)) : std::nullopt;
}

}  // namespace parqproof::model
