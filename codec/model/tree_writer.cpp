// Encodes a tree.
#include <bit>
#include <cstddef>

#include "codec/model/tree.hpp"

namespace parqproof::model {

using thrift::Wire;

/// Encodes the nodes of a tree depth first, and passes the bytes on in pieces.
class TreeWriter {
 public:
  /// Without a sink, all bytes stay in `out`.
  TreeWriter(const Tree& tree, std::vector<std::uint8_t>& out, Tree::Sink sink, void* context)
      : tree_(tree), out_(out), emitter_(out), sink_(sink), context_(context) {}

  /// Sets `position_of()` when this node is written.
  void watch(NodeId node) noexcept { watched_ = node; }
  [[nodiscard]] std::uint64_t watched_at() const noexcept { return watched_at_; }
  [[nodiscard]] std::uint64_t written() const noexcept { return passed_on_ + out_.size(); }

  void value(NodeId id) {
    const TreeNode& node = tree_.nodes_[id];
    if (node.raw_value) return emitter_.raw(tree_.raw_.at(id).value);
    switch (node.wire) {
      case Wire::bool_true:
      case Wire::bool_false:  // the value of a field is in its header
        if (!is_field(node)) emitter_.byte(static_cast<std::uint8_t>(node.number));
        break;
      case Wire::i8:
        emitter_.byte(static_cast<std::uint8_t>(node.number));
        break;
      case Wire::i16:
      case Wire::i32:
      case Wire::i64:
        emitter_.integer(static_cast<std::int64_t>(node.number), node.padding);
        break;
      case Wire::double_:
        emitter_.real(std::bit_cast<double>(node.number));
        break;
      case Wire::binary:
        emitter_.binary(tree_.bytes(id), node.padding);
        break;
      case Wire::uuid:
        emitter_.raw(tree_.bytes(id));
        break;
      case Wire::list:
      case Wire::set:
      case Wire::map:
        container(node);
        break;
      case Wire::struct_:
        structure(node);
        break;
      case Wire::stop:
        break;
    }
    pass_on(kPiece);
  }

  void pass_on(std::size_t above) {
    if (sink_ == nullptr || out_.size() <= above) return;
    sink_(context_, out_);
    passed_on_ += out_.size();
    out_.clear();
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{64} << 10;

  [[nodiscard]] bool is_field(const TreeNode& node) const noexcept {
    return node.parent != kNoNode && tree_.nodes_[node.parent].wire == Wire::struct_;
  }

  void meet(NodeId id) noexcept {
    if (id == watched_) watched_at_ = written();
  }

  void structure(const TreeNode& node) {
    emitter_.begin_struct();
    for (NodeId id = node.first; id != kNoNode; id = tree_.nodes_[id].next) {
      meet(id);
      const TreeNode& field = tree_.nodes_[id];
      if (field.raw_header) {
        emitter_.field_header(tree_.raw_.at(id).header, field.id);
      } else {
        emitter_.field_header(field.id, field.wire, field.long_header, field.id_padding);
      }
      value(id);
    }
    emitter_.end_struct();
  }

  void container(const TreeNode& node) {
    if (node.wire == Wire::map) {
      emitter_.varint(node.size / 2, node.padding);
      if (node.size != 0) emitter_.byte(static_cast<std::uint8_t>(node.element << 4 | node.mapped));
    } else if (node.long_size) {
      emitter_.byte(static_cast<std::uint8_t>(0xF0 | node.element));
      emitter_.varint(node.size, node.padding);
    } else {
      emitter_.list_header(static_cast<Wire>(node.element), node.size, node.padding);
    }
    for (NodeId id = node.first; id != kNoNode; id = tree_.nodes_[id].next) {
      meet(id);
      value(id);
    }
  }

  const Tree& tree_;
  std::vector<std::uint8_t>& out_;
  thrift::Emitter emitter_;
  Tree::Sink sink_;
  void* context_;
  NodeId watched_ = kNoNode;
  std::uint64_t watched_at_ = 0;
  std::uint64_t passed_on_ = 0;
};

void Tree::write_value(NodeId node, std::vector<std::uint8_t>& out) const {
  TreeWriter(*this, out, nullptr, nullptr).value(node);
}

void Tree::write(Sink sink, void* context) const {
  std::vector<std::uint8_t> piece;
  TreeWriter writer(*this, piece, sink, context);
  writer.value(kRoot);
  writer.pass_on(0);
}

namespace {

void ignore(void* /*context*/, std::span<const std::uint8_t> /*bytes*/) {}

}  // namespace

std::uint64_t Tree::encoded_size() const {
  std::vector<std::uint8_t> piece;
  TreeWriter writer(*this, piece, ignore, nullptr);
  writer.value(kRoot);
  return writer.written();
}

std::uint64_t Tree::position_of(NodeId node) const {
  std::vector<std::uint8_t> piece;
  TreeWriter writer(*this, piece, ignore, nullptr);
  writer.watch(node);
  writer.value(kRoot);
  return writer.watched_at();
}

}  // namespace parqproof::model
