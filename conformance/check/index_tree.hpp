#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "codec/file/index_tree.hpp"
#include "codec/file/page_reader.hpp"
#include "conformance/check/chunk_scope.hpp"

namespace parqproof {

/// Whether index pages are read: under the historical profile, or where a rule about them was switched on.
[[nodiscard]] bool reads_index_tree(const Context& context, const Judge& judge);

/// Remembers the pages of a chunk that has an index, and judges index-page/* once all were met.
class IndexTreeRules {
 public:
  /// Asks for the bounds of the chunk's data pages, where rules need them. The scope outlives the rules.
  explicit IndexTreeRules(ChunkScope& chunk);
  IndexTreeRules(const IndexTreeRules&) = delete;
  IndexTreeRules& operator=(const IndexTreeRules&) = delete;

  /// The page that the walk came to. `first_row`: rows before it, where they are known.
  void page(const Page& page, std::optional<std::int64_t> first_row);
  /// Of an index page its uncompressed bytes, which are copied. False where they are too many: limit/memory.
  [[nodiscard]] bool body(View image);

  /// Judges all pages. `bodies`: they were read. What keeps the index from being judged, if anything.
  [[nodiscard]] std::string judge(bool bodies, std::vector<Lost>& lost);

 private:
  struct PageInfo {
    std::uint64_t offset = 0;
    std::uint64_t end = 0;
    std::optional<std::int64_t> first_row;
    std::int32_t ordinal = 0;
    PageType type{};
    thrift::Extent type_at;     ///< of the type in the header
    std::size_t image = kNone;  ///< in images_, of an index page whose body could be read
    std::size_t low = kNone;    ///< in collected_: which has the smallest value of all below the page
    std::size_t high = kNone;   ///< the largest
    bool bounded = false;       ///< all values below the page are known
  };
  struct Image {
    std::vector<std::uint8_t> bytes;
    std::uint64_t base = 0;
    Space space = Space::file;
    [[nodiscard]] View view() const noexcept { return {bytes, base, space}; }
  };
  /// The index pages taken apart in one form, with what their page offsets count from.
  struct Reading {
    IndexTreeForm form{};
    std::uint64_t base = 0;
    std::unordered_map<std::size_t, IndexTreeNode> nodes;  ///< by number of the page
    std::vector<std::pair<std::size_t, Error>> errors;
    std::int64_t good = 0;  ///< entries that name a page
    std::int64_t bad = 0;
  };
  static constexpr std::size_t kNone = SIZE_MAX;

  [[nodiscard]] Place at(const PageInfo& page) const noexcept;
  void fault(Rule rule, const PageInfo& page, View where, Contrast what) const;
  void error(const PageInfo& page, const Error& error) const;
  void type_fault(Rule rule, const PageInfo& page, Contrast what) const;
  void take_bounds();
  [[nodiscard]] std::size_t find(std::uint64_t offset) const;
  [[nodiscard]] std::size_t child(const IndexTreeEntry& entry, std::uint64_t base) const;
  [[nodiscard]] Reading read(IndexTreeForm form) const;
  [[nodiscard]] bool is_whole(const Reading& reading) const;
  [[nodiscard]] Reading choose() const;
  void tree(const Reading& reading, std::size_t root);
  void sum_up();
  void ordinals(const Reading& reading) const;
  void keys(const Reading& reading, std::size_t root) const;
  [[nodiscard]] std::string missed(View key, std::size_t child, bool upper) const;
  [[nodiscard]] std::string missed(const IndexTreeNode& node, const std::vector<std::size_t>& children,
                                   std::size_t entry, bool upper) const;

  ChunkScope& chunk_;
  const RowGroupClaim& group_;
  Order order_;
  std::uint64_t memory_left_;
  std::vector<PageInfo> pages_;  // in the order of the file
  std::vector<Image> images_;
  BoundsOfPages collected_;
  std::unordered_map<std::uint64_t, std::size_t> by_offset_;
  std::optional<std::uint64_t> first_data_;
  /// Of the index pages in the tree: the pages that their entries name, kNone where one names none.
  std::unordered_map<std::size_t, std::vector<std::size_t>> children_;
};

}  // namespace parqproof
