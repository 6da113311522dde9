#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codec/base/bytes.hpp"
#include "codec/base/large_pages.hpp"
#include "codec/format/enums.hpp"
#include "codec/format/schema_element.hpp"
#include "codec/rules/editions.hpp"
#include "codec/schema/logical.hpp"

namespace parqproof {

/// One element of the schema list with its position in the tree (parquet.thrift#SchemaElement).
struct Node {
  View name;
  std::uint64_t path_hash = 0;  ///< hash of the names from below the root down to this node
  std::uint64_t offset = 0;     ///< offset of the SchemaElement in the file
  std::uint32_t parent = 0;     ///< index of the parent; the root is its own parent
  std::uint32_t end = 0;        ///< index one past the last descendant
  /// Of a leaf: its ordinal among the leaves; of a group: the ordinal of the next leaf.
  std::uint32_t leaf = 0;
  std::uint32_t depth = 0;  ///< number of ancestors
  /// Number of optional and repeated nodes from below the root down to this node.
  std::uint32_t max_definition = 0;
  std::uint32_t max_repetition = 0;  ///< number of repeated nodes from below the root down to this node
  std::int32_t type_length = 0;  ///< bytes of a FIXED_LEN_BYTE_ARRAY; negative if the schema has no length
  Type type{};                   ///< physical type of a leaf
  FieldRepetitionType repetition = FieldRepetitionType::REQUIRED;
  ResolvedType logical;
  bool is_leaf = false;
  bool readable = true;  ///< type and levels are known numbers; otherwise its chunks cannot be judged
  bool damaged = false;  ///< type, length or levels are missing or impossible: its chunks cannot be decoded
};

using Nodes = std::vector<Node, LargeAllocator<Node>>;

/// The schema as a tree, in the order of the list: depth-first, parents before children
/// (parquet.thrift#FileMetaData.schema).
class Schema {
 public:
  /// Reason why a list of elements is not a tree.
  enum class Fault : std::uint8_t {
    none,
    empty,  ///< no elements
    root_not_group,
    group_or_leaf,  ///< an element is both a group and a leaf, or neither
    negative_children,
    left_over,  ///< elements after the tree is complete
    too_few,    ///< the list ends inside the tree
  };

  /// Annotations of later editions do not suit their nodes. Without this call those of all editions do.
  void judge_by(Edition edition) noexcept { edition_ = edition; }
  /// Makes room for `count` elements.
  void reserve(std::size_t count);
  /// Appends the next element of the list. Takes constant memory, also for an element with a huge child
  /// count.
  void add(const SchemaElement& element);
  /// Ends the list: levels and leaf ordinals are complete now.
  void finish();

  [[nodiscard]] Fault fault() const noexcept { return fault_; }
  /// Index of the element at fault: the first surplus one, or the innermost group without enough children.
  [[nodiscard]] std::uint32_t fault_index() const noexcept { return fault_index_; }

  [[nodiscard]] const Nodes& nodes() const noexcept { return nodes_; }
  [[nodiscard]] std::size_t leaf_count() const noexcept { return leaves_.size(); }
  [[nodiscard]] const Node& leaf(std::size_t ordinal) const noexcept { return nodes_[leaves_[ordinal]]; }
  [[nodiscard]] std::uint32_t leaf_index(std::size_t ordinal) const noexcept { return leaves_[ordinal]; }
  /// Returns the CRS that the schema states for a node; empty if it states none (kDefaultCrs applies).
  [[nodiscard]] View crs(std::uint32_t index) const noexcept;
  /// Returns the number of leaves below a node; 1 for a leaf.
  [[nodiscard]] std::size_t leaves_below(std::uint32_t index) const noexcept;
  /// Number of nodes from the root to the deepest node.
  [[nodiscard]] std::uint32_t depth() const noexcept { return depth_; }
  /// Returns the ordinal of the leaf with this path_hash. The first call builds a table of all leaves.
  [[nodiscard]] std::optional<std::size_t> leaf_with(std::uint64_t path_hash);
  /// Returns the path_hash of a node `name` whose parent has path_hash `parent`; the root has 0.
  [[nodiscard]] static std::uint64_t hash(std::uint64_t parent, View name) noexcept;

  /// Returns the names from below the root down to the node, outermost first.
  [[nodiscard]] std::vector<View> path(std::uint32_t index) const;
  /// Returns the same names joined by dots, for display: truncated beyond a kilobyte.
  [[nodiscard]] std::string dotted_path(std::uint32_t index) const;
  /// Returns the dotted_path of the leaf with this ordinal; empty if there is none.
  [[nodiscard]] std::string leaf_path(std::int64_t ordinal) const;
  /// Returns D(r) for each r: the definition level reached if the r-th repeated node on the path to the leaf
  /// has an element. D(0) is 0 (README.md#nested-encoding).
  [[nodiscard]] std::vector<std::uint32_t> repeated_definition_levels(std::size_t leaf_ordinal) const;

 private:
  struct Open {
    std::uint32_t index;
    std::int64_t children_left;
  };
  struct Crs {
    std::uint32_t index;
    View text;
  };

  void keep_crs(const Node& node, const LogicalType& type, std::uint32_t index);
  void stop(Fault fault, std::uint32_t index);

  Nodes nodes_;
  std::vector<std::uint32_t> leaves_;
  std::vector<Open> open_;
  std::vector<Crs> crs_;  // in ascending order of index
  std::unordered_map<std::uint64_t, std::size_t> by_path_;
  Edition edition_ = Edition::next;
  Fault fault_ = Fault::none;
  std::uint32_t fault_index_ = 0;
  std::uint32_t depth_ = 0;
};

}  // namespace parqproof
