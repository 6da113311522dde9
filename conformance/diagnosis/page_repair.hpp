#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "codec/compression/decompress.hpp"
#include "codec/encoding/values.hpp"
#include "codec/page/page_content.hpp"
#include "codec/page/page_fault.hpp"
#include "codec/page/page_walk.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/chunk/doubts.hpp"
#include "conformance/result/file_report.hpp"
#include "conformance/state/chunk_scope.hpp"

namespace parqproof {

/// Finds the wrong field of a page that contradicts its header. A page is intact if its body can be
/// decompressed and decoded to its last byte. A field is reported as wrong if the page is intact with another
/// value of that field alone, and independent evidence supports this value: the next page, the sums and
/// encodings in the column metadata, or the levels.
class PageFields final : public PageDoubts {
 public:
  using Cure = PageCure;
  using Known = PageWitnesses;

  /// `walk` is the walk over the chunk. The arguments must outlive this object.
  PageFields(const ChunkScope& chunk, const RegionMap& regions, const PageWalk& walk)
      : chunk_(chunk),
        regions_(regions),
        walk_(walk),
        limits_(chunk.context.options.limits),
        reader_(chunk.context.input.source, limits_, 0),
        content_(decompressor_, limits_) {}

  /// Returns true if two fields of the header contradict each other, or if num_values of the only data page
  /// differs from that of the chunk.
  [[nodiscard]] static bool is_in_doubt(const ChunkScope& chunk, const PageWalk& walk, const Page& page);

  /// `page` is the current page of the walk. Returns nullopt if no single field explains it. The search gives
  /// up on a chunk after a few unexplained pages.
  [[nodiscard]] std::optional<Cure> find(const Page& page, const Known& known) override;

 private:
  [[nodiscard]] std::optional<Cure> explain(const Page& page);
  [[nodiscard]] std::optional<Cure> size(const Page& page);
  [[nodiscard]] std::optional<Cure> uncompressed_size(const Page& page);
  [[nodiscard]] std::optional<std::uint64_t> uncompressed_bytes(const Page& page);
  [[nodiscard]] bool histogram_agrees() const;
  [[nodiscard]] std::optional<Cure> num_values(const Page& page);
  [[nodiscard]] std::optional<Cure> own_count(const Page& page);
  [[nodiscard]] std::optional<Cure> miscounted(const Page& page);
  [[nodiscard]] std::optional<std::int64_t> stated_nulls(const Page& page) const;
  [[nodiscard]] std::optional<std::int64_t> flat_count(const Page& page) const;
  [[nodiscard]] std::optional<Cure> level_lengths(const Page& page);
  [[nodiscard]] std::optional<Cure> is_compressed(const Page& page);
  [[nodiscard]] std::optional<Cure> plain_indices(const Page& page);
  [[nodiscard]] std::optional<Cure> encoding(const Page& page);
  [[nodiscard]] std::optional<Cure> codec(const Page& page);

  [[nodiscard]] static bool breaks_rules(const Notes& notes);
  /// Opens the body of a page whose header has no fault; false if that fails, or its checksum is wrong.
  [[nodiscard]] bool open(const Page& page, CompressionCodec codec, Notes& notes);
  /// A data page with its levels read.
  struct Entries {
    DataPageParts parts;
    LevelSums sums;
    bool are_levels_consumed = false;
  };
  [[nodiscard]] std::optional<Entries> read_levels(const Page& page, Notes& notes);
  [[nodiscard]] bool is_intact(const Page& page, CompressionCodec codec);
  [[nodiscard]] bool is_intact(const Page& page) { return is_intact(page, chunk_.meta().codec); }
  [[nodiscard]] bool has_intact_entries(const Page& page, Notes& notes);
  [[nodiscard]] bool decodes(View section, const ValueSpec& spec, Notes& notes);
  [[nodiscard]] bool has_neighbour_without_compression() const;
  [[nodiscard]] bool next_agrees(const Page& page, CompressionCodec codec);
  [[nodiscard]] bool is_page_end(std::uint64_t offset);
  [[nodiscard]] std::vector<std::uint64_t> page_ends(const Page& page);
  [[nodiscard]] std::optional<std::int64_t> sum_of_entries();

  const ChunkScope& chunk_;
  const RegionMap& regions_;
  const PageWalk& walk_;
  const Limits& limits_;
  PageReader reader_;  // separate, so that views into the current page stay valid
  Decompressor decompressor_;
  PageContent content_;
  ValueDecoder values_;
  Buffer room_;
  Known known_;
  std::int64_t rows_ = 0;            // of the last examined page, by its levels
  std::int64_t nulls_ = 0;           // of the same page
  std::size_t value_bytes_ = 0;      // of its values section
  bool overshoots_ = false;          // its last run is longer than the page
  std::optional<std::int64_t> sum_;  // of num_values of all data pages, if all headers can be read
  bool summed_ = false;
  unsigned failures_ = 0;
};

}  // namespace parqproof
