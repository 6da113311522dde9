#include "codec/schema/schema.hpp"

#include <algorithm>
#include <cstring>

#include "codec/schema/annotations.hpp"

namespace parqproof {

void Schema::stop(Fault fault, std::uint32_t index) {
  if (fault_ != Fault::none) return;
  fault_ = fault;
  fault_index_ = index;
}

void Schema::reserve(std::size_t count) {
  nodes_.reserve(count);
  leaves_.reserve(count);
}

void Schema::keep_crs(const Node& node, const LogicalType& type, std::uint32_t index) {
  if (node.logical.stated == LogicalKind::GEOMETRY && type.GEOMETRY.has(GeometryType::id_crs)) {
    crs_.push_back({index, type.GEOMETRY.crs});
  } else if (node.logical.stated == LogicalKind::GEOGRAPHY && type.GEOGRAPHY.has(GeographyType::id_crs)) {
    crs_.push_back({index, type.GEOGRAPHY.crs});
  }
}

void Schema::add(const SchemaElement& element) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  while (!open_.empty() && open_.back().children_left == 0) {
    nodes_[open_.back().index].end = index;
    open_.pop_back();
  }
  if (index != 0 && open_.empty()) stop(Fault::left_over, index);

  Node node;
  node.name = element.name;
  node.offset = element.fields.offset;
  node.end = index + 1;
  node.leaf = static_cast<std::uint32_t>(leaves_.size());
  node.type = element.type;
  node.type_length = element.type_length;
  if (element.type == Type::FIXED_LEN_BYTE_ARRAY && !element.has(SchemaElement::id_type_length))
    node.type_length = -1;
  node.logical = resolve(element);
  keep_crs(node, element.logicalType, index);

  const bool has_type = element.fields.mentions(SchemaElement::id_type);
  const std::int64_t children = element.has(SchemaElement::id_num_children) ? element.num_children : 0;
  node.is_leaf = has_type && index != 0;  // the root is always a group
  node.logical.is_misfit =
      index != 0 && !suits(node.logical, node.is_leaf, node.type, node.type_length, edition_);
  if (children < 0) {
    stop(Fault::negative_children, index);
  } else if (index == 0) {
    if (!element.has(SchemaElement::id_num_children)) stop(Fault::root_not_group, index);
  } else if (has_type ? children > 0 : !element.has(SchemaElement::id_num_children)) {
    stop(Fault::group_or_leaf, index);
  }
  if (node.is_leaf) {
    node.readable =
        element.has(SchemaElement::id_type) && !kTypeEnum.name_of(static_cast<int>(element.type)).empty();
    node.damaged = !element.has(SchemaElement::id_type) ||
                   (element.type == Type::FIXED_LEN_BYTE_ARRAY && node.type_length < 0);
  }

  if (index != 0 && !open_.empty()) {
    const Node& parent = nodes_[open_.back().index];
    node.parent = open_.back().index;
    node.depth = parent.depth + 1;
    node.path_hash = hash(parent.path_hash, node.name);
    node.max_definition = parent.max_definition;
    node.max_repetition = parent.max_repetition;
    node.readable = node.readable && parent.readable;
    node.damaged = node.damaged || parent.damaged || !element.has(SchemaElement::id_repetition_type);
    node.repetition = element.repetition_type;
    if (!element.has(SchemaElement::id_repetition_type)) node.readable = false;
    switch (element.repetition_type) {
      case FieldRepetitionType::REQUIRED:
        break;
      case FieldRepetitionType::OPTIONAL:
        ++node.max_definition;
        break;
      case FieldRepetitionType::REPEATED:
        ++node.max_definition;
        ++node.max_repetition;
        break;
      default:
        node.readable = false;
    }
    --open_.back().children_left;
  }
  if (node.is_leaf) {
    leaves_.push_back(index);
  } else {
    open_.push_back({index, std::max<std::int64_t>(children, 0)});
  }
  depth_ = std::max(depth_, node.depth);
  nodes_.push_back(node);
}

std::uint64_t Schema::hash(std::uint64_t parent, View name) noexcept {
  // Hashes the parent's hash, the length of the name and the name, eight bytes at a time. Callers that need
  // certainty compare nodes with equal hashes.
  std::uint64_t value = 0xCBF29CE484222325U ^ parent ^ (name.size() << 1);
  for (std::size_t at = 0; at < name.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, name.data() + at, std::min(sizeof word, name.size() - at));
    value = (value ^ word) * 0xD6E8FEB86659FD93U;
    value ^= value >> 32;
  }
  return (value ^ value >> 29) * 0x9E3779B97F4A7C15U;
}

View Schema::crs(std::uint32_t index) const noexcept {
  const auto at = std::ranges::lower_bound(crs_, index, {}, &Crs::index);
  return at != crs_.end() && at->index == index ? at->text : View{};
}

std::size_t Schema::leaves_below(std::uint32_t index) const noexcept {
  const Node& node = nodes_[index];
  return (node.end < nodes_.size() ? nodes_[node.end].leaf : leaves_.size()) - node.leaf;
}

std::optional<std::size_t> Schema::leaf_with(std::uint64_t path_hash) {
  if (by_path_.empty()) {
    for (std::size_t i = 0; i < leaves_.size(); ++i) by_path_.try_emplace(leaf(i).path_hash, i);
  }
  const auto at = by_path_.find(path_hash);
  return at == by_path_.end() ? std::nullopt : std::optional<std::size_t>(at->second);
}

void Schema::finish() {
  const auto size = static_cast<std::uint32_t>(nodes_.size());
  if (size == 0) stop(Fault::empty, 0);
  while (!open_.empty()) {
    if (open_.back().children_left != 0) stop(Fault::too_few, open_.back().index);
    nodes_[open_.back().index].end = size;
    open_.pop_back();
  }
}

std::vector<View> Schema::path(std::uint32_t index) const {
  std::vector<View> names;
  for (; index != 0; index = nodes_[index].parent) names.push_back(nodes_[index].name);
  std::ranges::reverse(names);
  return names;
}

std::string Schema::dotted_path(std::uint32_t index) const {
  constexpr std::size_t kMaxTextBytes = 1024;
  std::string text;
  for (const View& name : path(index)) {
    if (!text.empty()) text += '.';
    text.append(reinterpret_cast<const char*>(name.data()), std::min(name.size(), kMaxTextBytes));
    if (text.size() > kMaxTextBytes) return text.substr(0, kMaxTextBytes) + "...";
  }
  return text;
}

std::string Schema::leaf_path(std::int64_t ordinal) const {
  const auto at = static_cast<std::size_t>(ordinal);  // huge if negative
  return at < leaf_count() ? dotted_path(leaf_index(at)) : std::string();
}

std::vector<std::uint32_t> Schema::repeated_definition_levels(std::size_t leaf_ordinal) const {
  std::vector<std::uint32_t> levels;
  for (std::uint32_t index = leaves_[leaf_ordinal]; index != 0; index = nodes_[index].parent) {
    if (nodes_[index].repetition == FieldRepetitionType::REPEATED)
      levels.push_back(nodes_[index].max_definition);
  }
  levels.push_back(0);
  std::ranges::reverse(levels);
  return levels;
}

}  // namespace parqproof
