#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "codec/encoding/level_codec.hpp"
#include "codec/page/ancestor_prints.hpp"
#include "codec/rules/notes.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof {

/// The bytes of one kind of levels in a page, without length prefix.
struct LevelSection {
  View bytes;
  Encoding encoding = Encoding::RLE;  ///< BIT_PACKED levels fill the bytes exactly
};

/// Counts over the levels of one page.
struct LevelSums {
  std::uint64_t rows = 0;    ///< entries with repetition level 0
  std::uint64_t stored = 0;  ///< entries at the max definition level
  /// Entries one below the max: nulls of an optional leaf whose parent is present.
  std::uint64_t null_leaves = 0;
  /// Entries below the max inside an existing element of the innermost list.
  std::uint64_t null_elements = 0;
  std::uint32_t first_repetition = 0;  ///< repetition level of the first entry of the page
};

/// Consecutive entries of a page: at most HybridDecoder::kBatch, or any number of equal entries.
struct LevelBatch {
  const std::uint32_t* repetition = nullptr;  ///< `count` levels; null: all are `run_repetition`
  const std::uint32_t* definition = nullptr;  ///< `count` levels; null: all are `run_definition`
  std::uint32_t run_repetition = 0;
  std::uint32_t run_definition = 0;
  std::uint64_t count = 0;
  std::uint64_t first_entry = 0;    ///< ordinal of the first entry in the page
  std::uint64_t rows_before = 0;    ///< rows that began in the page before the first entry
  std::uint64_t values_before = 0;  ///< values that the page stores before the first entry

  [[nodiscard]] std::uint32_t repetition_at(std::uint64_t i) const noexcept {
    return repetition == nullptr ? run_repetition : repetition[i];
  }
  [[nodiscard]] std::uint32_t definition_at(std::uint64_t i) const noexcept {
    return definition == nullptr ? run_definition : definition[i];
  }
  /// Adds the number of occurrences of each level to `counts`, whose size is the max level plus 1
  /// (parquet.thrift#SizeStatistics).
  void add_repetition_histogram(std::span<std::uint64_t> counts) const noexcept;
  void add_definition_histogram(std::span<std::uint64_t> counts) const noexcept;
};

/// Receives the levels of a page, batch by batch, before their pairs are checked.
class LevelVisitor {
 public:
  virtual ~LevelVisitor() = default;
  virtual void levels(const LevelBatch& batch) = 0;
};

/// Reads the levels of the pages of one chunk and checks their pairs (README.md#nested-encoding). A run is
/// processed in one step, even a run of two billion nulls.
class LevelReader {
 public:
  /// `leaf`: ordinal of the leaf whose chunks are read.
  LevelReader(const Schema& schema, std::size_t leaf);

  [[nodiscard]] std::uint32_t max_repetition() const noexcept { return max_repetition_; }
  [[nodiscard]] std::uint32_t max_definition() const noexcept { return max_definition_; }
  /// Nodes between the root and the leaf that other leaves share, outermost first.
  [[nodiscard]] const std::vector<std::uint32_t>& shared_ancestors() const noexcept {
    return prints_.ancestors();
  }

  /// Reads `count` entries. The section of a stream whose max is 0 is ignored, because its levels are not
  /// stored. Faults of pairs go to `notes`, at the first byte of the stream at fault; an Error ends the page.
  /// `visitor` receives the batches; may be null.
  [[nodiscard]] Result<LevelSums> read(const LevelSection& repetition, const LevelSection& definition,
                                       std::uint64_t count, Notes& notes, LevelVisitor* visitor = nullptr);

  /// Call when a page before the next one is missing: no rule about neighbouring entries is checked across
  /// the gap.
  void page_lost() noexcept { previous_definition_ = max_definition_; }

  /// Bytes left in each stream after the last read().
  [[nodiscard]] View repetition_rest() const noexcept { return repetition_.rest(); }
  [[nodiscard]] View definition_rest() const noexcept { return definition_.rest(); }

  /// Ordinal in the chunk of the first entry for which levels/repetition-needs-defined or
  /// levels/repetition-after-empty was noted.
  [[nodiscard]] std::uint64_t faulty_entry() const noexcept { return faulty_entry_; }

  /// Returns the fingerprint of each shared ancestor over all pages read.
  [[nodiscard]] std::vector<LevelFingerprint::Value> fingerprints() const { return prints_.values(); }

 private:
  using Block = std::array<std::uint32_t, HybridDecoder::kBatch>;
  struct Stream {
    LevelDecoder decoder;
    HybridDecoder::Batch batch;
    std::uint64_t used = 0;
    HybridDecoder::Batch ahead;  // next batch of the decoder, not in `batch` yet
    Status failed;               // error of the decoder after it
    Block gathered;              // levels of short batches, copied together
    bool stored = false;
    std::uint32_t max = 0;
    unsigned width = 0;
    Rule range{};

    [[nodiscard]] Status open(const LevelSection& section, std::uint64_t count, Notes& notes);
    [[nodiscard]] Status fill(std::uint64_t left);
    [[nodiscard]] Status read_ahead();
    [[nodiscard]] View rest() const noexcept { return decoder.rest(); }
    /// Returns the next `count` levels; in `room` if they are a run.
    [[nodiscard]] const std::uint32_t* levels(std::size_t count, Block& room) const noexcept;
    [[nodiscard]] std::uint32_t at(std::uint64_t i) const noexcept {
      return batch.values == nullptr ? batch.repeated : batch.values[used + i];
    }
  };
  void visit(LevelVisitor& visitor, std::uint64_t count, std::uint64_t first_entry,
             const LevelSums& sums) const;
  /// Processes entries for which each stream is one run or part of one batch.
  void entries(std::uint64_t count, LevelSums& sums, Notes& notes, View repetition, View definition);
  void pair(std::uint32_t repetition, std::uint32_t definition, std::uint64_t count, LevelSums& sums,
            Notes& notes, View repetition_bytes, View definition_bytes);

  std::uint32_t max_repetition_ = 0;
  std::uint32_t max_definition_ = 0;
  std::uint32_t element_ = 0;  // definition level of an element of the innermost list; 0 without a list
  std::vector<std::uint32_t> reached_;  // D(r), see Schema::repeated_definition_levels()
  AncestorPrints prints_;
  Stream repetition_;
  Stream definition_;
  std::uint64_t entry_ = 0;  // ordinal in the chunk
  std::uint64_t faulty_entry_ = ~std::uint64_t{0};
  std::uint32_t previous_definition_ = 0;
};

}  // namespace parqproof
