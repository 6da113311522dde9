#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/base/result.hpp"
#include "codec/thrift/emitter.hpp"
#include "codec/thrift/reader.hpp"
#include "codec/thrift/table.hpp"

namespace parqproof::model {

/// Index of a node in its tree; it stays valid when other nodes are added or removed.
using NodeId = std::uint32_t;
inline constexpr NodeId kRoot = 0;
inline constexpr NodeId kNoNode = UINT32_MAX;

/// Index of a target in Model::targets(); 0: the number is kept as stored.
using ReferenceId = std::uint32_t;

/// One value of a Thrift struct with the form in which it is encoded.
struct TreeNode {
  /// An integer, a boolean, the bits of a double, or the position of a binary in the bytes of the tree.
  std::uint64_t number = 0;
  std::uint32_t size = 0;  ///< bytes of a binary; number of children of a container
  NodeId parent = kNoNode;
  NodeId next = kNoNode;   ///< next sibling
  NodeId first = kNoNode;  ///< first child
  NodeId last = kNoNode;   ///< last child
  ReferenceId reference = 0;
  std::int16_t id = 0;  ///< id of a field; 0 for elements
  thrift::Wire wire = thrift::Wire::stop;
  std::uint8_t element = 0;     ///< type nibble of the elements of a list or set, of the keys of a map
  std::uint8_t mapped = 0;      ///< type nibble of the values of a map
  std::uint8_t id_padding = 0;  ///< surplus bytes of the id
  std::uint8_t padding = 0;     ///< surplus bytes of a number, or of the length of a binary or container
  bool long_header = false;     ///< the id is written in full
  bool long_size = false;       ///< the size of a list is a varint although it is below 15
  bool raw_header = false;      ///< the header is written as the stored bytes
  bool raw_value = false;       ///< the value is written as the stored bytes
};

/// A Thrift struct as a tree of values, driven by the field tables of codec/format. Reading is lossless:
/// write() gives the bytes that were read, whatever the form of their varints and headers.
/// Memory: about 20 bytes for each encoded byte.
class Tree {
 public:
  /// Receives encoded bytes in pieces.
  using Sink = void (*)(void* context, std::span<const std::uint8_t> bytes);

  /// An empty struct.
  explicit Tree(const thrift::StructType& type);

  /// Reads the struct at the first byte of `bytes`; bytes after it are ignored. Errors, at the byte
  /// where the framing is lost: thrift/stop-byte at the end of the bytes, else thrift/compact-protocol;
  /// limit/memory for a struct that needs more than an eighth of Limits::memory_bytes as a tree.
  [[nodiscard]] static Result<Tree> read(View bytes, const thrift::StructType& type, const Limits& limits);

  [[nodiscard]] const thrift::StructType& type() const noexcept { return *type_; }
  [[nodiscard]] const TreeNode& node(NodeId id) const noexcept { return nodes_[id]; }
  /// Number of nodes, including removed ones.
  [[nodiscard]] NodeId size() const noexcept { return static_cast<NodeId>(nodes_.size()); }

  // ---- Finding nodes ----

  /// Returns the node at a path such as "row_groups[0].columns[1].meta_data.num_values", relative to `from`.
  /// Fields that the specification does not define are named by their ids. nullopt if there is none.
  [[nodiscard]] std::optional<NodeId> find(std::string_view path, NodeId from = kRoot) const;
  /// The first field with this id; nullopt if there is none.
  [[nodiscard]] std::optional<NodeId> field(NodeId parent, int id) const;
  /// The element of a list; nullopt if there is none.
  [[nodiscard]] std::optional<NodeId> element(NodeId list, std::uint64_t index) const;
  /// The children of a container in their order; empty for other values.
  [[nodiscard]] std::vector<NodeId> children(NodeId parent) const;
  /// The path of a node, as find() takes it.
  [[nodiscard]] std::string path(NodeId node) const;
  /// Row of the field table; null for an unknown field or an element.
  [[nodiscard]] const thrift::Field* known(NodeId node) const;
  /// Type of a struct, or of the elements of a list; null if unknown.
  [[nodiscard]] const thrift::StructType* type_of(NodeId node) const;

  // ---- Values ----

  /// An integer or boolean.
  [[nodiscard]] std::int64_t number(NodeId node) const noexcept {
    return static_cast<std::int64_t>(nodes_[node].number);
  }
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view path, NodeId from = kRoot) const;
  /// The bytes of a binary, valid until the tree is changed.
  [[nodiscard]] std::span<const std::uint8_t> bytes(NodeId node) const noexcept;
  /// Reads the struct at `node` into a plain struct of codec/format, whose views refer to `room`. Returns
  /// false if the strict reader loses its framing.
  template <typename Struct>
  [[nodiscard]] bool read_struct(NodeId node, std::vector<std::uint8_t>& room, Struct& out) const {
    static const Limits kLimits;
    room.clear();
    write_value(node, room);
    thrift::Reader reader(View{room}, {}, kLimits);
    return reader.read(out);
  }

  // ---- Changes, of nodes that were not removed. A changed number is no longer a reference; it is written in
  // its canonical form plus the surplus bytes that it had. ----

  void set_number(NodeId node, std::int64_t value);
  /// Adds to a number. Nothing is changed by 0, nor if there is no number.
  void add(std::optional<NodeId> number_node, std::int64_t more) {
    if (number_node && more != 0) set_number(*number_node, number(*number_node) + more);
  }
  void set_bytes(NodeId node, std::span<const std::uint8_t> value);
  /// Changes the type of a field or element. An integer keeps its value in another type of integer; any
  /// other value becomes empty.
  void set_wire(NodeId node, thrift::Wire wire);
  /// Changes the type nibble of the elements of a list in its header, and leaves the elements as they are.
  void set_element(NodeId list, thrift::Wire element);
  /// Changes the id of a field.
  void set_id(NodeId node, std::int16_t id);
  /// Changes the forms of header and number: surplus bytes, and the id in full.
  void set_form(NodeId node, std::uint8_t padding, bool long_header, std::uint8_t id_padding = 0);
  /// Writes the value as these bytes, whatever they are.
  void set_raw(NodeId node, std::span<const std::uint8_t> value);
  /// Makes the number follow a target of the model.
  void set_reference(NodeId node, ReferenceId reference, std::int64_t value);

  /// Adds an empty field in the order of ids; after the last of the same id.
  NodeId add_field(NodeId parent, std::int16_t id, thrift::Wire wire);
  /// Adds an empty element before the element `index`, or at the end.
  NodeId add_element(NodeId list, std::uint64_t index = UINT64_MAX);
  /// Returns the node at a path, after adding the fields that are missing. nullopt if a step is not in the
  /// field tables, or an element of a list is missing.
  [[nodiscard]] std::optional<NodeId> make(std::string_view path, NodeId from = kRoot);
  /// Inserts a copy of a field or element, with its references, after it.
  NodeId duplicate(NodeId node);
  /// Removes a field or element.
  void remove(NodeId node);
  /// Moves a field or element after its next sibling; no effect on the last one.
  void swap_with_next(NodeId node);

  // ---- Writing ----

  /// Appends the encoded struct.
  void write(std::vector<std::uint8_t>& out) const { write_value(kRoot, out); }
  /// Appends the encoded value of a node, without field header.
  void write_value(NodeId node, std::vector<std::uint8_t>& out) const;
  /// Writes the encoded struct in pieces of about 64 KiB.
  void write(Sink sink, void* context) const;
  /// Size in bytes of the encoded struct.
  [[nodiscard]] std::uint64_t encoded_size() const;
  /// Position of the header of a field, or of an element, in the encoded struct.
  [[nodiscard]] std::uint64_t position_of(NodeId node) const;

 private:
  friend class TreeBuilder;
  friend class TreeWriter;
  struct Raw {
    std::vector<std::uint8_t> header;
    std::vector<std::uint8_t> value;
  };

  NodeId append(NodeId parent, const TreeNode& node);
  void insert_after(NodeId parent, NodeId before, NodeId node);
  [[nodiscard]] NodeId before(NodeId node) const;
  NodeId copy_of(NodeId node);

  const thrift::StructType* type_;
  std::vector<TreeNode> nodes_;
  std::vector<std::uint8_t> bytes_;
  std::map<NodeId, Raw> raw_;  // forms that a TreeNode cannot describe
};

}  // namespace parqproof::model
