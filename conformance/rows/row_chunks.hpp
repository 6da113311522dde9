#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codec/base/folder.hpp"
#include "codec/base/source.hpp"
#include "codec/format/column_chunk.hpp"
#include "codec/record/data_pages.hpp"
#include "conformance/rows/row_footer.hpp"

namespace parqproof {

/// A column chunk as the footer describes it.
struct FooterChunk {
  ColumnChunk chunk;
  bool in_doubt = false;  ///< part of it was misread, or its bytes break rules of Thrift
};

/// A column chunk that rows are read from.
struct RowChunk {
  StoredChunk stored;
  View metadata;     ///< bytes of the footer from the ColumnChunk on
  std::string file;  ///< the named file that contains its pages; empty: the file itself
};

/// Finds the pages of the column chunks of each row group, as their metadata describes them.
class RowChunks {
 public:
  /// `folder` is the file's folder, for chunks in other files (file_path), or null to read none of those.
  /// `context` finds the pages of chunks whose metadata does not locate them. All outlive this object.
  RowChunks(const Source& source, Folder* folder, RowFooter& footer, ReadingFailure& failure,
            const ReadingContext& context)
      : source_(source), folder_(folder), footer_(footer), failure_(failure), context_(context) {}

  /// `chunks` are those of `leaves`, in the same order. False at the first one that cannot be read, unless
  /// the reading continues without lost data: `lose` is called with each of these. The failure has the
  /// reason.
  bool find(const std::vector<FooterChunk>& chunks, const std::vector<std::size_t>& leaves,
            std::uint32_t row_group, const std::function<void(std::size_t index)>& lose = {});
  /// Chunks of the last find(), in the order of its leaves, up to the one that cannot be read.
  [[nodiscard]] const std::vector<RowChunk>& all() const noexcept { return chunks_; }

 private:
  [[nodiscard]] bool find(const FooterChunk& stated, const Place& place);
  void resolve_overlaps(const std::vector<std::size_t>& leaves);
  bool fault(const ColumnChunk& chunk, const Place& place, const PageFault& fault);
  bool in_named_file(const ColumnChunk& chunk, const Place& place, RowChunk& found);
  bool place_pages(const FooterChunk& stated, const Place& place, StoredChunk& stored);
  [[nodiscard]] std::optional<PageFault> misplaced(const ColumnMetaData& meta,
                                                   const StoredChunk& stored) const;

  const Source& source_;
  Folder* folder_;
  RowFooter& footer_;
  ReadingFailure& failure_;
  const ReadingContext& context_;
  std::vector<RowChunk> chunks_;
  std::map<std::uint64_t, std::uint64_t> claimed_;  // bytes of this file in earlier row groups: start, end
};

}  // namespace parqproof
