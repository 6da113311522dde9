#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "codec/format/enums.hpp"
#include "codec/schema/schema.hpp"
#include "conformance/rewrite/page_chains.hpp"
#include "conformance/rewrite/page_fit.hpp"

namespace parqproof {

/// Pages of a chain that are a column chunk.
struct AssignedChunk {
  std::size_t first = 0;  ///< page of the chain
  std::size_t end = 0;
  CompressionCodec codec{};
};

/// Pages of a chain that are a row group: a chunk for each leaf.
struct AssignedRowGroup {
  std::vector<AssignedChunk> chunks;
  std::uint64_t rows = 0;
};

/// Assigns the pages of a chain to row groups: chunks in the order of the leaves, with the same number of
/// rows. The chain may begin and end amid a row group if pages may be missing there.
class PageAssignment {
 public:
  /// `codecs`: the likely one of each leaf, if known. All arguments outlive this object.
  PageAssignment(const Schema& schema, const std::vector<std::optional<CompressionCodec>>& codecs,
                 PageFit& fit, const PageChain& chain);

  /// Finds the row groups that are in each assignment of all pages, in file order. Returns false if there is
  /// no assignment.
  [[nodiscard]] bool run(std::vector<AssignedRowGroup>& out);
  /// The pages could be assigned in several ways.
  [[nodiscard]] bool is_ambiguous() const noexcept { return is_ambiguous_; }
  /// The end of the pages that fit, after run().
  [[nodiscard]] std::size_t furthest() const noexcept { return furthest_; }

 private:
  /// Chunks of a leaf that begin at a page, by their ends.
  struct Chunks {
    struct End {
      std::size_t end = 0;
      std::uint64_t rows = 0;
    };
    std::vector<End> ends;
    CompressionCodec codec{};
    std::size_t reach = 0;  ///< end of the pages that fit
  };
  struct Step {
    AssignedRowGroup group;
    std::size_t end = 0;
  };

  [[nodiscard]] const Chunks& chunks(std::size_t first, std::size_t leaf);
  [[nodiscard]] Chunks chunks_with(std::size_t first, std::size_t leaf, CompressionCodec codec);
  [[nodiscard]] std::vector<CompressionCodec> codecs_for(std::size_t first, std::size_t leaf) const;
  [[nodiscard]] const std::vector<Step>& steps(std::size_t first);
  [[nodiscard]] std::optional<std::size_t> end_of(std::size_t first, std::size_t leaf, std::uint64_t rows);
  [[nodiscard]] std::vector<std::size_t> starts();
  void mark_ends(std::size_t first, std::size_t leaf, std::vector<bool>& found);
  [[nodiscard]] bool may_continue(const Page& page, std::size_t leaf);
  [[nodiscard]] bool may_be_cut(std::size_t first);
  [[nodiscard]] std::vector<AssignedRowGroup> of_one_leaf();

  const Schema& schema_;
  const std::vector<std::optional<CompressionCodec>>& codecs_;
  PageFit& fit_;
  const PageChain& chain_;
  std::size_t pages_;
  std::size_t leaves_;
  std::map<std::pair<std::size_t, std::size_t>, Chunks> chunks_;
  std::map<std::size_t, std::vector<Step>> steps_;
  std::size_t furthest_ = 0;
  bool is_ambiguous_ = false;
};

/// The row groups of a chain, in file order.
struct AssignedPages {
  std::vector<AssignedRowGroup> row_groups;
  bool is_ambiguous = false;  ///< pages are left over because there is more than one assignment
};

/// Assigns the pages of a chain, and those before and after pages that fit no column.
[[nodiscard]] AssignedPages assign_pages(const Schema& schema,
                                         const std::vector<std::optional<CompressionCodec>>& codecs,
                                         PageFit& fit, const PageChain& chain);

}  // namespace parqproof
