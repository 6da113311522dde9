#include "codec/variant/builder.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "codec/base/append.hpp"

namespace parqproof::variant {
namespace {

constexpr std::size_t kMaxNames = std::size_t{1} << 30;

void put(std::uint8_t*& to, std::uint64_t number, unsigned width) noexcept {
  for (unsigned i = 0; i < width; ++i) *to++ = static_cast<std::uint8_t>(number >> 8 * i);
}

}  // namespace

void Builder::clear(std::size_t most) {
  most_ = most;
  nodes_.clear();
  open_.clear();
  data_.clear();
  numbers_.clear();
  names_.clear();
  name_ = kNone;
}

void Builder::key(std::string_view name) {
  const auto known = numbers_.find(name);
  if (known != numbers_.end()) {
    name_ = known->second;
    return;
  }
  name_ = static_cast<std::uint32_t>(names_.size());
  // Short texts would move with the vector.
  if (names_.size() == names_.capacity()) {
    names_.reserve(std::max<std::size_t>(16, 2 * names_.size()));
    numbers_.clear();
    for (std::uint32_t i = 0; i < names_.size(); ++i) numbers_.emplace(names_[i], i);
  }
  names_.emplace_back(name);
  numbers_.emplace(names_.back(), name_);
}

std::uint32_t Builder::add(Kind kind) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  Node node;
  node.kind = kind;
  node.data = data_.size();
  if (!open_.empty()) {
    node.parent = open_.back();
    Node& parent = nodes_[node.parent];
    if (parent.kind == Kind::object) node.name = name_;
    if (parent.last == kNone) {
      parent.first = index;
    } else {
      nodes_[parent.last].next = index;
    }
    parent.last = index;
    ++parent.count;
  }
  name_ = kNone;
  nodes_.push_back(node);
  return index;
}

void Builder::begin(Kind kind) { open_.push_back(add(kind)); }

void Builder::end() {
  open_.pop_back();
  name_ = kNone;
}

void Builder::primitive(Kind kind, std::span<const std::uint8_t> data) {
  const std::uint32_t index = add(kind);
  if (kind == Kind::string && data.size() <= kMaxShortString) {
    data_.push_back(first_byte(Basic::short_string, static_cast<unsigned>(data.size())));
  } else {
    data_.push_back(first_byte(Basic::primitive, static_cast<unsigned>(kind)));
    if (kind == Kind::string || kind == Kind::binary) append_le(data_, data.size(), kLengthBytes);
  }
  data_.insert(data_.end(), data.begin(), data.end());
  nodes_[index].size = data_.size() - nodes_[index].data;
}

void Builder::string(std::string_view text) { primitive(Kind::string, bytes_of(text)); }

bool Builder::copy_one(std::span<const std::uint8_t> bytes) {
  Item item;
  if (bytes.empty() || read_item(bytes, item).reason != Unreadable::Reason::none) return false;
  if (is_container(item.kind)) {
    begin(item.kind);
    copied_.push_back({item, bytes, 0});
  } else {
    primitive(item.kind, item.data());
  }
  return true;
}

bool Builder::copy(const Metadata& metadata, std::span<const std::uint8_t> value, std::uint32_t most_depth) {
  copied_.clear();
  return copy_one(value) && copy_rest(metadata, most_depth, {}, true);
}

bool Builder::copy_fields(const Metadata& metadata, std::span<const std::uint8_t> object,
                          std::uint32_t most_depth, std::span<const std::string_view> except) {
  copied_.clear();
  Item item;
  if (object.empty() || read_item(object, item).reason != Unreadable::Reason::none ||
      item.kind != Kind::object)
    return false;
  copied_.push_back({item, object, 0});
  return copy_rest(metadata, most_depth, except, false);
}

/// Copies the values of the containers that are open. `except`: names in the outermost one.
bool Builder::copy_rest(const Metadata& metadata, std::uint32_t most_depth,
                        std::span<const std::string_view> except, bool ends_outermost) {
  while (!copied_.empty()) {
    OpenContainer& top = copied_.back();
    if (top.next == top.item.count) {
      if (copied_.size() > 1 || ends_outermost) end();
      copied_.pop_back();
      continue;
    }
    const std::uint32_t i = top.next++;
    const std::uint64_t start = std::uint64_t{top.item.values} + top.item.offset(i);
    if (start >= top.bytes.size() || copied_.size() > most_depth || size() > most_) return false;
    if (top.item.kind == Kind::object) {
      const std::uint32_t id = top.item.id(i);
      if (id >= metadata.size()) return false;
      const std::string_view name = metadata.name(id);
      if (copied_.size() == 1 && std::ranges::binary_search(except, name)) continue;
      key(name);
    }
    if (!copy_one(top.bytes.subspan(static_cast<std::size_t>(start)))) return false;
  }
  return true;
}

/// Sorts the names and gives them ids, but those without a value: key() may be called for a missing field.
void Builder::sort_names() {
  std::vector<bool> used(names_.size());
  for (const Node& node : nodes_) {
    if (node.name != kNone) used[node.name] = true;
  }
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < names_.size(); ++i) {
    if (used[i]) order.push_back(i);
  }
  std::ranges::sort(order, {}, [this](std::uint32_t i) { return std::string_view(names_[i]); });
  ids_.assign(names_.size(), kNone);
  for (std::uint32_t id = 0; id < order.size(); ++id) ids_[order[id]] = id;
}

/// The bytes of a container before its values.
std::uint64_t Builder::head_of(const Node& node) noexcept {
  const std::uint64_t count = node.count;
  const std::uint64_t ids = node.kind == Kind::object ? count * bytes_for(node.largest_id) : 0;
  return 1 + (count > kMaxSmallCount ? 4U : 1U) + ids + (count + 1) * bytes_for(node.content);
}

/// Computes the sizes, from the innermost values outwards.
void Builder::measure() {
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    if (is_container(node.kind)) node.size = head_of(node) + node.content;
    if (node.parent == kNone) continue;
    Node& parent = nodes_[node.parent];
    parent.content += node.size;
    if (node.name != kNone) parent.largest_id = std::max(parent.largest_id, ids_[node.name]);
  }
}

/// Writes the head of a container and gives its values their positions.
void Builder::write_container(std::uint32_t index, std::uint8_t* value) {
  const Node& node = nodes_[index];
  children_.clear();
  for (std::uint32_t child = node.first; child != kNone; child = nodes_[child].next)
    children_.push_back(child);
  const bool is_object = node.kind == Kind::object;
  const auto id_of = [this](std::uint32_t child) { return ids_[nodes_[child].name]; };
  if (is_object) {
    std::ranges::sort(children_, {}, id_of);
    const auto same = [&](std::uint32_t a, std::uint32_t b) { return id_of(a) == id_of(b); };
    if (std::ranges::adjacent_find(children_, same) != children_.end()) has_duplicates_ = true;
  }
  const unsigned offset_width = bytes_for(node.content);
  const unsigned id_width = is_object ? bytes_for(node.largest_id) : 0;
  const bool is_large = node.count > kMaxSmallCount;
  std::uint8_t* to = value + node.position;
  *to++ = is_object
              ? first_byte(Basic::object, (offset_width - 1) | (id_width - 1) << 2 | (is_large ? 16U : 0U))
              : first_byte(Basic::array, (offset_width - 1) | (is_large ? 4U : 0U));
  put(to, node.count, is_large ? 4 : 1);
  if (is_object) {
    for (const std::uint32_t child : children_) put(to, id_of(child), id_width);
  }
  std::uint64_t offset = 0;
  const std::uint64_t values = node.position + node.size - node.content;
  for (const std::uint32_t child : children_) {
    put(to, offset, offset_width);
    nodes_[child].position = values + offset;
    offset += nodes_[child].size;
  }
  put(to, offset, offset_width);
}

bool Builder::finish(std::vector<std::uint8_t>& metadata, std::vector<std::uint8_t>& value) {
  has_duplicates_ = false;
  sort_names();
  measure();
  std::uint64_t strings = 0;
  std::uint32_t count = 0;
  std::vector<std::uint32_t> by_id(names_.size(), kNone);
  for (std::uint32_t i = 0; i < names_.size(); ++i) {
    if (ids_[i] == kNone) continue;
    by_id[ids_[i]] = i;
    strings += names_[i].size();
    ++count;
  }
  if (strings > UINT32_MAX || count > kMaxNames || nodes_[0].size > UINT32_MAX) return false;
  const unsigned width = std::max(bytes_for(count), bytes_for(strings));
  metadata.push_back(static_cast<std::uint8_t>(Metadata::kVersion | (count != 0 ? Metadata::kSorted : 0U) |
                                               (width - 1) << Metadata::kWidthShift));
  append_le(metadata, count, width);
  std::uint64_t offset = 0;
  append_le(metadata, 0, width);
  for (std::uint32_t id = 0; id < count; ++id) append_le(metadata, offset += names_[by_id[id]].size(), width);
  for (std::uint32_t id = 0; id < count; ++id)
    metadata.insert(metadata.end(), names_[by_id[id]].begin(), names_[by_id[id]].end());
  const std::size_t first = value.size();
  value.resize(first + static_cast<std::size_t>(nodes_[0].size));
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    if (is_container(nodes_[i].kind)) {
      write_container(i, value.data() + first);
    } else {
      std::memcpy(value.data() + first + nodes_[i].position, data_.data() + nodes_[i].data,
                  static_cast<std::size_t>(nodes_[i].size));
    }
  }
  return !has_duplicates_;
}

}  // namespace parqproof::variant
