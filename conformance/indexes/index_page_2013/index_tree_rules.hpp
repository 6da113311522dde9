#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codec/page/page_reader.hpp"
#include "conformance/indexes/index_page_2013/index_tree_pages.hpp"
#include "conformance/state/chunk_scope.hpp"

namespace parqproof {

/// Returns true if index pages are read: with the historical profile, or if a rule about them is enabled.
[[nodiscard]] bool reads_index_tree(const Context& context, const Findings& findings);

/// Judges index-page/* of a chunk that has an index tree, after its last page.
class IndexTreeRules {
 public:
  /// Subscribes to the bounds of the chunk's data pages if rules need them. The scope outlives the rules.
  explicit IndexTreeRules(const ChunkScope& chunk) : chunk_(chunk), pages_(chunk) {}

  /// Adds the next page of the walk. `first_row`: rows before it, if known.
  void page(const Page& page, std::optional<std::int64_t> first_row) { pages_.add(page, first_row); }
  /// Copies the uncompressed body of that page, an index page. Returns false if that exceeds the memory
  /// limit: limit/memory.
  [[nodiscard]] bool body(View body) { return pages_.add_body(body); }

  /// Judges all pages. `bodies`: the bodies of pages were read. Returns the reason why the index cannot be
  /// judged; empty if it can.
  [[nodiscard]] std::string judge(bool bodies, std::vector<Lost>& lost);

 private:
  /// For each entry of an index page the number of the page that it names, or IndexTreePages::kNone.
  using Children = std::vector<std::size_t>;

  [[nodiscard]] Place at(const IndexTreePage& page) const noexcept;
  void fault(Rule rule, std::size_t page, View where, Contrast what) const;
  void error(std::size_t page, const Error& error) const;
  void type_fault(Rule rule, std::size_t page, Contrast what) const;
  [[nodiscard]] std::size_t find_root() const;
  void judge_reading(std::size_t root) const;
  void walk(std::size_t root);
  void not_named(const std::vector<bool>& reached) const;
  void ordinals() const;
  [[nodiscard]] bool reads_largest(std::size_t root) const;
  [[nodiscard]] std::vector<std::size_t> keys(bool upper) const;
  [[nodiscard]] FindingValue due(View key, std::size_t child, bool upper) const;
  [[nodiscard]] FindingValue due(const IndexTreeNode& node, const Children& children, std::size_t entry,
                                 bool upper) const;

  const ChunkScope& chunk_;
  IndexTreePages pages_;
  IndexTreeReading reading_;
  std::map<std::size_t, Children> children_;  // of the index pages that the walk from the root reached
};

}  // namespace parqproof
