// Reads a Thrift struct into a tree, with the form of each header and number.
#include <algorithm>
#include <cstddef>

#include "codec/base/bits.hpp"
#include "codec/model/tree.hpp"
#include "codec/rules/rule.hpp"
#include "codec/thrift/varint.hpp"
#include "codec/thrift/walk.hpp"

namespace parqproof::model {

using thrift::Event;
using thrift::Wire;

/// Receives the events of a walk and appends a node for each.
class TreeBuilder final : public thrift::Visitor {
 public:
  TreeBuilder(View bytes, Tree& tree, std::uint64_t most_nodes)
      : bytes_(bytes), tree_(tree), most_nodes_(most_nodes) {}

  [[nodiscard]] bool event(const Event& event) override {
    if (event.what == Event::What::end_struct || event.what == Event::What::end_list) {
      if (event.what == Event::What::end_struct && parent_ == kRoot) return true;
      parent_ = tree_.nodes_[parent_].parent;
      last_ids_.pop_back();
      return true;
    }
    if (tree_.nodes_.size() >= most_nodes_) {
      is_full_ = true;
      return false;
    }
    TreeNode node{.wire = event.wire};
    Tree::Raw raw;
    if (event.what == Event::What::field) header(event, node, raw);
    value(event, node, raw);
    const NodeId id = tree_.append(parent_, node);
    if (node.raw_header || node.raw_value) tree_.raw_[id] = std::move(raw);
    if (is_container(event.wire)) {
      parent_ = id;
      last_ids_.push_back(0);
    }
    return true;
  }

  /// The walk ended because there are too many nodes.
  [[nodiscard]] bool is_full() const noexcept { return is_full_; }

 private:
  static bool is_container(Wire wire) noexcept {
    return wire == Wire::struct_ || wire == Wire::list || wire == Wire::set || wire == Wire::map;
  }

  [[nodiscard]] std::span<const std::uint8_t> from(std::uint64_t offset) const {
    return bytes_.bytes.subspan(static_cast<std::size_t>(offset - bytes_.base));
  }
  [[nodiscard]] thrift::WireVarint varint_at(std::uint64_t offset) const {
    Cursor cursor(View{from(offset)}, {});
    return thrift::read_varint(cursor);
  }
  static std::uint8_t surplus(const thrift::WireVarint& number) noexcept {
    return static_cast<std::uint8_t>(number.length - uleb_size(number.value));
  }
  static std::uint32_t uleb_size(std::uint64_t value) noexcept {
    std::uint32_t size = 1;
    for (; value >= 0x80; value >>= 7) ++size;
    return size;
  }

  void header(const Event& event, TreeNode& node, Tree::Raw& raw) {
    const std::uint8_t first = from(event.header)[0];
    const auto id = static_cast<std::int16_t>(event.id);
    std::uint32_t length = 1;
    bool describable = true;
    if (first >> 4 != 0) {
      describable = id == last_ids_.back() + (first >> 4);  // false after an overflow
    } else {
      const thrift::WireVarint number = varint_at(event.header + 1);
      length += number.length;
      node.long_header = true;
      describable = number.fits && number.value <= UINT16_MAX;
      node.id_padding = describable ? surplus(number) : std::uint8_t{0};
    }
    if (!describable) {
      node.raw_header = true;
      const auto bytes = from(event.header).first(length);
      raw.header.assign(bytes.begin(), bytes.end());
    }
    node.id = last_ids_.back() = id;
  }

  void value(const Event& event, TreeNode& node, Tree::Raw& raw) {
    switch (event.wire) {
      case Wire::bool_true:
      case Wire::bool_false:  // of a field in its header, of an element one byte of any value
        node.number =
            event.what == Event::What::field ? static_cast<std::uint64_t>(event.integer) : from(event.at)[0];
        break;
      case Wire::i8:
        node.number = static_cast<std::uint64_t>(event.integer);
        break;
      case Wire::i16:
      case Wire::i32:
      case Wire::i64:
        integer(event, node, raw);
        break;
      case Wire::double_:
        node.number = load_le<std::uint64_t>(from(event.at).data());
        break;
      case Wire::binary:
      case Wire::uuid:
        if (event.wire == Wire::binary) node.padding = surplus(varint_at(event.at));
        node.number = tree_.bytes_.size();
        node.size = static_cast<std::uint32_t>(event.bytes.size());
        tree_.bytes_.insert(tree_.bytes_.end(), event.bytes.bytes.begin(), event.bytes.bytes.end());
        break;
      case Wire::list:
      case Wire::set:
        node.element = from(event.at)[0] & 0x0F;
        if (from(event.at)[0] >> 4 != 15) break;
        node.padding = surplus(varint_at(event.at + 1));
        node.long_size = event.integer < 15;
        break;
      case Wire::map:
        map(event, node);
        break;
      case Wire::struct_:
      case Wire::stop:
        break;
    }
  }

  void integer(const Event& event, TreeNode& node, Tree::Raw& raw) {
    const thrift::WireVarint number = varint_at(event.at);
    node.number = static_cast<std::uint64_t>(event.integer);
    if (number.fits) {
      node.padding = surplus(number);
      return;
    }
    node.raw_value = true;
    const auto bytes = from(event.at).first(number.length);
    raw.value.assign(bytes.begin(), bytes.end());
  }

  void map(const Event& event, TreeNode& node) {
    const thrift::WireVarint count = varint_at(event.at);
    node.padding = surplus(count);
    if (event.integer == 0) return;
    const std::uint8_t types = from(event.at + count.length)[0];
    node.element = types >> 4;
    node.mapped = types & 0x0F;
  }

  View bytes_;
  Tree& tree_;
  std::uint64_t most_nodes_;
  NodeId parent_ = kRoot;
  std::vector<std::int16_t> last_ids_{0};  // of the open containers
  bool is_full_ = false;
};

namespace {

/// The error of a struct whose walk broke at `end`.
Error broken_at(View bytes, std::uint64_t end) {
  const bool is_cut = end >= bytes.end();
  return Error{.offset = end,
               .length = is_cut ? 0U : 1U,
               .rule = is_cut ? Rule::thrift_stop_byte : Rule::thrift_compact_protocol,
               .space = bytes.space};
}

}  // namespace

Result<Tree> Tree::read(View bytes, const thrift::StructType& type, const Limits& limits) {
  Tree tree(type);
  const std::uint64_t most_nodes =
      std::min<std::uint64_t>(limits.memory_bytes / 8 / sizeof(TreeNode), kNoNode - 1);
  TreeBuilder builder(bytes, tree, most_nodes);
  std::uint64_t end = 0;
  if (thrift::walk(bytes, &type, builder, end, limits.nesting) == thrift::WalkEnd::complete) return tree;
  if (builder.is_full())
    return std::unexpected(Error::at(Rule::limit_memory, bytes, bytes.size(), most_nodes));
  return std::unexpected(broken_at(bytes, end));
}

}  // namespace parqproof::model
