#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "codec/record/column_cursor.hpp"
#include "codec/write/chunk_writer.hpp"
#include "conformance/policy/options.hpp"
#include "conformance/rewrite/page_copies.hpp"
#include "conformance/rewrite/rewrite.hpp"
#include "conformance/rewrite/source_chunks.hpp"
#include "conformance/rows/reading_failure.hpp"

namespace parqproof {

/// Bytes of the pages of a chunk according to its metadata.
[[nodiscard]] constexpr std::uint64_t stated_bytes(const ChunkExtent& extent) noexcept {
  return extent.metadata_end - std::min(extent.start, extent.metadata_end);
}

/// The rows of one column of the source, chunk by chunk.
class ColumnRows {
 public:
  /// The arguments outlive this object. `failure` receives the fault that ends the reading; the progress of
  /// `options` the bytes of the rows that are written, and their `cancelled` ends them.
  ColumnRows(ReadingContext& context, std::size_t leaf, ReadingFailure& failure,
             const RewriteOptions& options);

  /// Goes to the first row of a chunk, or of a part of it. Returns false if it cannot be read.
  [[nodiscard]] bool open(const SourceRowGroup::Chunk& chunk);
  /// Returns true if the chunk has no further row.
  [[nodiscard]] bool at_end() const noexcept { return cursor_.at_end(); }

  // Each goes past up to `rows` rows of the chunk and subtracts them; the last one may be at its end. Returns
  // false if a row cannot be read, or if the writer fails for the reason why().
  [[nodiscard]] bool write(std::uint64_t& rows, ChunkWriter& to) { return take(rows, &to, nullptr); }
  /// Copies pages that can be.
  [[nodiscard]] bool write(std::uint64_t& rows, ChunkWriter& to, PageCopies& copies) {
    copies_ = &copies;
    const bool is_written = take(rows, &to, nullptr);
    copies_ = nullptr;
    return is_written;
  }
  /// Takes the levels of the rows into `prints`.
  [[nodiscard]] bool check(std::uint64_t& rows, AncestorPrints& prints) {
    return take(rows, nullptr, &prints);
  }
  [[nodiscard]] bool pass(std::uint64_t& rows) { return take(rows, nullptr, nullptr); }

  /// Why the writer has failed, or that the rows were cancelled; else empty.
  [[nodiscard]] const std::string& why() const noexcept { return why_; }
  /// Ordinal of the current page in its chunk.
  [[nodiscard]] std::int32_t page() const { return cursor_.place().page; }

 private:
  [[nodiscard]] bool take(std::uint64_t& rows, ChunkWriter* to, AncestorPrints* prints);
  void allow_dictionary(ChunkWriter& to) const;
  [[nodiscard]] bool use(const Entries& entries, ChunkWriter* to, AncestorPrints* prints);
  [[nodiscard]] bool fail(const PageFault& fault);

  const Schema& schema_;
  std::size_t leaf_;
  ReadingFailure& failure_;
  const RewriteOptions& options_;
  ColumnCursor cursor_;
  PageCopies* copies_ = nullptr;  // during write()
  ChunkExtent extent_;
  std::optional<EntryCheck> check_;
  View metadata_;  // of the chunk
  std::string why_;
};

}  // namespace parqproof
