#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codec/schema/schema.hpp"
#include "codec/write/page_buffer.hpp"

namespace parqproof {

/// Builds the index pages of one column chunk as the edition of 2013 describes them: a tree whose leaves
/// refer to the data pages. Each node has a body of kIndexTreeRollOver bytes at most, or one entry.
class IndexTreeBuilder {
 public:
  /// `by_value`: keys are first values of pages, else ordinals of rows.
  IndexTreeBuilder(const Node& leaf, bool by_value) : leaf_(leaf), by_value_(by_value) {}

  /// Adds a data page: its offset after the first data page, its bytes with the header, its first row, and
  /// its smallest value as PLAIN bytes without length prefix. By value, a page without values is left out.
  void add(std::uint64_t offset, std::uint64_t bytes, std::uint64_t first_row,
           std::span<const std::uint8_t> key);

  /// Appends all nodes, children first, and sets `root` to the offset of the last one after the first data
  /// page. `offset`: the same of the first node. Appends none if there is no entry. Returns the uncompressed
  /// bytes of the pages.
  [[nodiscard]] std::expected<std::uint64_t, std::string> emit(const PageFormat& format, std::uint64_t offset,
                                                               std::vector<std::uint8_t>& out,
                                                               std::uint64_t& root) const;

 private:
  struct Entry {
    std::vector<std::uint8_t> key;
    std::uint64_t row = 0;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
  };

  [[nodiscard]] std::size_t key_bytes(const Entry& entry) const noexcept;
  [[nodiscard]] std::vector<std::uint8_t> body_of(std::span<const Entry> entries) const;

  const Node& leaf_;
  bool by_value_;
  std::vector<Entry> entries_;
};

}  // namespace parqproof
