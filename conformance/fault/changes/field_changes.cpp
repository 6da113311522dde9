// Changes of single fields.
#include <string>

#include "conformance/fault/changes.hpp"

namespace parqproof::fault {
namespace {

using model::NodeId;
using model::Tree;

using Target = std::pair<Tree*, NodeId>;

/// The structs at a site: that in the footer and the copies of a ColumnMetaData, else one.
std::vector<Target> targets(File& file, const Site& site) {
  if (site.chunk != model::kNoChunk && file.chunk_of(site).metadata == site.node &&
      site.segment == file.model().footer())
    return file.metadata_of(site.chunk);
  return {{&file.tree_of(site), site.node}};
}

/// Calls `edit(tree, node)` for the field at the path in each struct. Returns false if one lacks it.
template <typename Edit>
bool edit_all(File& file, const Site& site, std::string_view path, Edit&& edit) {
  for (const auto& [tree, node] : targets(file, site)) {
    const std::optional<NodeId> field = tree->find(path, node);
    if (!field) return false;
    edit(*tree, *field);
  }
  return true;
}

/// The same for a field that is added if it is missing.
template <typename Edit>
bool make_all(File& file, const Site& site, std::string_view path, Edit&& edit) {
  for (const auto& [tree, node] : targets(file, site)) {
    const std::optional<NodeId> field = tree->make(path, node);
    if (!field) return false;
    edit(*tree, *field);
  }
  return true;
}

}  // namespace

bool apply_set(File& file, const Site& site, const Change& change) {
  bool differs = true;
  const bool all = edit_all(file, site, change.path, [&](Tree& tree, NodeId node) {
    differs = differs && tree.number(node) != change.number;
    tree.set_number(node, change.number);
  });
  return all && differs;
}

bool apply_add(File& file, const Site& site, const Change& change) {
  return edit_all(file, site, change.path,
                  [&](Tree& tree, NodeId node) { tree.set_number(node, tree.number(node) + change.number); });
}

bool apply_make(File& file, const Site& site, const Change& change) {
  return make_all(file, site, change.path,
                  [&](Tree& tree, NodeId node) { tree.set_number(node, change.number); });
}

bool apply_text(File& file, const Site& site, const Change& change) {
  return make_all(file, site, change.path,
                  [&](Tree& tree, NodeId node) { tree.set_bytes(node, bytes_of(change.text)); });
}

bool apply_remove(File& file, const Site& site, const Change& change) {
  return edit_all(file, site, change.path, [](Tree& tree, NodeId node) { tree.remove(node); });
}

bool apply_duplicate(File& file, const Site& site, const Change& change) {
  return edit_all(file, site, change.path, [](Tree& tree, NodeId node) { tree.duplicate(node); });
}

bool apply_retype(File& file, const Site& site, const Change& change) {
  return edit_all(file, site, change.path, [&](Tree& tree, NodeId node) {
    tree.set_wire(node, static_cast<thrift::Wire>(change.number));
  });
}

bool apply_pad(File& file, const Site& site, const Change& change) {
  return edit_all(file, site, change.path, [&](Tree& tree, NodeId node) {
    tree.set_form(node, static_cast<std::uint8_t>(change.number), tree.node(node).long_header,
                  tree.node(node).id_padding);
  });
}

bool apply_long_header(File& file, const Site& site, const Change& change) {
  return edit_all(file, site, change.path,
                  [](Tree& tree, NodeId node) { tree.set_form(node, tree.node(node).padding, true); });
}

bool apply_swap(File& file, const Site& site, const Change& change) {
  bool has_next = true;
  const bool all = edit_all(file, site, change.path, [&](Tree& tree, NodeId node) {
    has_next = has_next && tree.node(node).next != model::kNoNode;
    tree.swap_with_next(node);
  });
  return all && has_next;
}

bool apply_unknown(File& file, const Site& site, const Change& change) {
  return edit_all(file, site, change.path, [&](Tree& tree, NodeId node) {
    tree.set_number(tree.add_field(node, static_cast<std::int16_t>(change.number), thrift::Wire::i32), 1);
  });
}

bool apply_raw(File& file, const Site& site, const Change& change) {
  return edit_all(file, site, change.path,
                  [&](Tree& tree, NodeId node) { tree.set_raw(node, bytes_of(change.text)); });
}

bool apply_element_type(File& file, const Site& site, const Change& change) {
  return edit_all(file, site, change.path, [&](Tree& tree, NodeId node) {
    tree.set_element(node, static_cast<thrift::Wire>(change.number));
  });
}

bool apply_append(File& file, const Site& site, const Change& change) {
  bool has_one = true;
  const bool all = edit_all(file, site, change.path, [&](Tree& tree, NodeId node) {
    has_one = has_one && tree.node(node).size != 0;
    tree.set_number(tree.add_element(node), change.number);
  });
  return all && has_one;
}

bool apply_pop(File& file, const Site& site, const Change& change) {
  bool has_one = true;
  const bool all = edit_all(file, site, change.path, [&](Tree& tree, NodeId node) {
    const NodeId last = tree.node(node).last;
    has_one = has_one && last != model::kNoNode;
    if (last != model::kNoNode) tree.remove(last);
  });
  return all && has_one;
}

}  // namespace parqproof::fault
