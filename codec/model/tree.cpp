#include "codec/model/tree.hpp"

#include <algorithm>

namespace parqproof::model {

using thrift::Wire;

namespace {

bool is_boolean(Wire wire) noexcept { return wire == Wire::bool_true || wire == Wire::bool_false; }
bool is_integer(Wire wire) noexcept {
  return wire == Wire::i8 || wire == Wire::i16 || wire == Wire::i32 || wire == Wire::i64;
}

}  // namespace

Tree::Tree(const thrift::StructType& type) : type_(&type), nodes_{TreeNode{.wire = Wire::struct_}} {}

std::span<const std::uint8_t> Tree::bytes(NodeId node) const noexcept {
  return std::span(bytes_).subspan(static_cast<std::size_t>(nodes_[node].number), nodes_[node].size);
}

std::vector<NodeId> Tree::children(NodeId parent) const {
  std::vector<NodeId> all;
  for (NodeId id = nodes_[parent].first; id != kNoNode; id = nodes_[id].next) all.push_back(id);
  return all;
}

void Tree::set_number(NodeId node, std::int64_t value) {
  TreeNode& changed = nodes_[node];
  changed.number = static_cast<std::uint64_t>(value);
  changed.reference = 0;
  changed.raw_value = false;
  const bool is_field = nodes_[changed.parent].wire == Wire::struct_;
  if (is_boolean(changed.wire) && is_field) changed.wire = value != 0 ? Wire::bool_true : Wire::bool_false;
}

void Tree::set_bytes(NodeId node, std::span<const std::uint8_t> value) {
  const std::vector<std::uint8_t> copy(value.begin(), value.end());  // it may be a part of bytes_
  nodes_[node].number = bytes_.size();
  nodes_[node].size = static_cast<std::uint32_t>(copy.size());
  nodes_[node].raw_value = false;
  bytes_.insert(bytes_.end(), copy.begin(), copy.end());
}

void Tree::set_wire(NodeId node, Wire wire) {
  TreeNode& changed = nodes_[node];
  const bool keeps_value = is_integer(changed.wire) && is_integer(wire);
  changed.wire = wire;
  changed.raw_header = changed.raw_value = false;
  if (keeps_value) return;
  changed.number = wire == Wire::bool_true ? 1 : 0;
  changed.reference = 0;
  changed.size = 0;
  changed.first = changed.last = kNoNode;
  changed.element = static_cast<std::uint8_t>(Wire::i32);
}

void Tree::set_element(NodeId list, Wire element) {
  nodes_[list].element = static_cast<std::uint8_t>(element);
}

void Tree::set_id(NodeId node, std::int16_t id) {
  nodes_[node].id = id;
  nodes_[node].raw_header = false;
}

void Tree::set_form(NodeId node, std::uint8_t padding, bool long_header, std::uint8_t id_padding) {
  TreeNode& changed = nodes_[node];
  changed.padding = padding;
  changed.long_header = long_header;
  changed.id_padding = id_padding;
  changed.raw_header = false;
}

void Tree::set_raw(NodeId node, std::span<const std::uint8_t> value) {
  raw_[node].value.assign(value.begin(), value.end());
  nodes_[node].raw_value = true;
  nodes_[node].reference = 0;
}

void Tree::set_reference(NodeId node, ReferenceId reference, std::int64_t value) {
  set_number(node, value);
  nodes_[node].reference = reference;
}

NodeId Tree::append(NodeId parent, const TreeNode& node) {
  const NodeId id = size();
  nodes_.push_back(node);
  insert_after(parent, nodes_[parent].last, id);
  return id;
}

void Tree::insert_after(NodeId parent, NodeId before, NodeId node) {
  TreeNode& inserted = nodes_[node];
  TreeNode& outer = nodes_[parent];
  inserted.parent = parent;
  inserted.next = before == kNoNode ? outer.first : nodes_[before].next;
  (before == kNoNode ? outer.first : nodes_[before].next) = node;
  if (outer.last == before) outer.last = node;
  ++outer.size;
}

NodeId Tree::before(NodeId node) const {
  NodeId last = kNoNode;
  for (NodeId id = nodes_[nodes_[node].parent].first; id != node; id = nodes_[id].next) last = id;
  return last;
}

NodeId Tree::add_field(NodeId parent, std::int16_t id, Wire wire) {
  NodeId last = kNoNode;
  for (NodeId child = nodes_[parent].first; child != kNoNode && nodes_[child].id <= id;
       child = nodes_[child].next)
    last = child;
  const NodeId added = size();
  nodes_.push_back({.number = wire == Wire::bool_true ? 1U : 0U,
                    .id = id,
                    .wire = wire,
                    .element = static_cast<std::uint8_t>(Wire::i32)});
  insert_after(parent, last, added);
  const thrift::Field* const row = known(added);
  if (row != nullptr && row->kind == thrift::Kind::list)
    nodes_[added].element = static_cast<std::uint8_t>(thrift::wire_of(row->element));
  return added;
}

NodeId Tree::add_element(NodeId list, std::uint64_t index) {
  NodeId last = kNoNode;
  NodeId child = nodes_[list].first;
  for (; child != kNoNode && index != 0; child = nodes_[child].next, --index) last = child;
  const NodeId added = size();
  nodes_.push_back({.wire = static_cast<Wire>(nodes_[list].element)});
  insert_after(list, last, added);
  return added;
}

NodeId Tree::copy_of(NodeId node) {
  const NodeId copy = size();
  nodes_.push_back(TreeNode(nodes_[node]));
  if (const auto raw = raw_.find(node); raw != raw_.end()) raw_[copy] = Raw(raw->second);
  const bool is_binary = nodes_[node].wire == Wire::binary || nodes_[node].wire == Wire::uuid;
  if (is_binary) return copy;
  nodes_[copy].first = nodes_[copy].last = kNoNode;
  nodes_[copy].size = 0;
  for (const NodeId child : children(node)) {
    const NodeId copied = copy_of(child);
    insert_after(copy, nodes_[copy].last, copied);
  }
  return copy;
}

NodeId Tree::duplicate(NodeId node) {
  const NodeId copy = copy_of(node);
  insert_after(nodes_[node].parent, node, copy);
  return copy;
}

void Tree::remove(NodeId node) {
  const NodeId last = before(node);
  TreeNode& outer = nodes_[nodes_[node].parent];
  (last == kNoNode ? outer.first : nodes_[last].next) = nodes_[node].next;
  if (outer.last == node) outer.last = last;
  --outer.size;
}

void Tree::swap_with_next(NodeId node) {
  const NodeId next = nodes_[node].next;
  if (next == kNoNode) return;
  remove(node);
  insert_after(nodes_[node].parent, next, node);
}

}  // namespace parqproof::model
