#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "codec/encoding/level_codec.hpp"
#include "codec/kernel/level_print.hpp"
#include "codec/rules/notes.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof {

/// A 128-bit fingerprint of a stream of (repetition, definition) pairs, independent of how the stream is cut
/// into runs: two polynomials modulo 2^64 whose coefficients are the pairs. A run of any length costs a few
/// steps.
class LevelFingerprint {
 public:
  [[nodiscard]] static std::uint64_t code(std::uint32_t repetition, std::uint32_t definition) noexcept {
    return LevelPrint::code(repetition, definition);
  }
  /// `count` times one pair.
  void add(std::uint64_t code, std::uint64_t count) noexcept;
  /// What pairs of levels tell of a shared ancestor.
  void add(const std::uint32_t* repetition, const std::uint32_t* definition, std::size_t count,
           const LevelProjection& ancestor) noexcept;
  /// The fingerprint of all that was added.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> value() const noexcept {
    return {print_.first, print_.second};
  }

 private:
  LevelPrint print_;
};

/// The bytes of one kind of levels in a page, without length word.
struct LevelSection {
  View bytes;
  Encoding encoding = Encoding::RLE;  ///< BIT_PACKED fills the bytes to the last one
};

/// What the levels of one page tell.
struct LevelSums {
  std::uint64_t rows = 0;    ///< entries with repetition level 0
  std::uint64_t stored = 0;  ///< entries at the maximum definition level
  std::uint64_t null_leaves =
      0;  ///< entries one below it: of an optional leaf, nulls in a parent that is there
  std::uint64_t null_elements = 0;  ///< entries below it in an element of the innermost list, which is there
  std::uint32_t first_repetition = 0;  ///< of the page's first entry
};

/// Entries of a page that follow each other: at most HybridDecoder::kBatch of them, or any number that are
/// all alike.
struct LevelBatch {
  const std::uint32_t* repetition = nullptr;  ///< `count` levels; null: all are `run_repetition`
  const std::uint32_t* definition = nullptr;  ///< `count` levels; null: all are `run_definition`
  std::uint32_t run_repetition = 0;
  std::uint32_t run_definition = 0;
  std::uint64_t count = 0;
  std::uint64_t first_entry = 0;    ///< ordinal of the first entry in the page
  std::uint64_t rows_before = 0;    ///< rows that began in the page before the first entry
  std::uint64_t values_before = 0;  ///< values that the page stores for the entries before the first

  [[nodiscard]] std::uint32_t repetition_at(std::uint64_t i) const noexcept {
    return repetition == nullptr ? run_repetition : repetition[i];
  }
  [[nodiscard]] std::uint32_t definition_at(std::uint64_t i) const noexcept {
    return definition == nullptr ? run_definition : definition[i];
  }
  /// Adds to `counts`, which has a place for each level up to the maximum, how often each level is met
  /// (parquet.thrift#SizeStatistics).
  void add_repetition_histogram(std::span<std::uint64_t> counts) const noexcept;
  void add_definition_histogram(std::span<std::uint64_t> counts) const noexcept;
};

/// Receives the levels of a page, batch by batch; the pairs have not been judged yet.
class LevelVisitor {
 public:
  virtual ~LevelVisitor() = default;
  virtual void levels(const LevelBatch& batch) = 0;
};

/// Reads the levels of the pages of one chunk side by side and judges their pairs
/// (README.md#nested-encoding). Runs are handled whole, so a run of two thousand million nulls costs one
/// step.
class LevelReader {
 public:
  /// How many shared ancestors are followed at most, outermost first; each costs work for every entry.
  static constexpr std::size_t kMaxShared = 64;

  /// For the chunks of one leaf.
  LevelReader(const Schema& schema, std::size_t leaf);

  [[nodiscard]] std::uint32_t max_repetition() const noexcept { return max_repetition_; }
  [[nodiscard]] std::uint32_t max_definition() const noexcept { return max_definition_; }
  /// Nodes above the leaf, outermost first, that other leaves share and that are not the root.
  [[nodiscard]] const std::vector<std::uint32_t>& shared_ancestors() const noexcept { return ancestors_; }

  /// Reads `count` entries; a stream whose maximum is 0 is not stored and its section is ignored. What is
  /// wrong with pairs goes to `notes`, at the first byte of the stream at fault; an Error ends the page.
  /// `visitor`, if given, sees them in batches.
  [[nodiscard]] Result<LevelSums> read(const LevelSection& repetition, const LevelSection& definition,
                                       std::uint64_t count, Notes& notes, LevelVisitor* visitor = nullptr);

  /// Entries before the next ones are missing: no rule about neighbouring entries is judged across the gap.
  void page_lost() noexcept { previous_definition_ = max_definition_; }

  /// Bytes left in each stream after the last read().
  [[nodiscard]] View repetition_rest() const noexcept { return repetition_.rest(); }
  [[nodiscard]] View definition_rest() const noexcept { return definition_.rest(); }

  /// The ordinal in the chunk of the first entry that levels/repetition-needs-defined or
  /// levels/repetition-after-empty was noted for.
  [[nodiscard]] std::uint64_t faulty_entry() const noexcept { return faulty_entry_; }

  /// Fingerprints per shared ancestor over all pages read.
  [[nodiscard]] std::vector<std::pair<std::uint64_t, std::uint64_t>> fingerprints();

 private:
  using Block = std::array<std::uint32_t, HybridDecoder::kBatch>;
  struct Stream {
    LevelDecoder decoder;
    HybridDecoder::Batch batch;
    std::uint64_t used = 0;
    HybridDecoder::Batch ahead;  // of the decoder, that is not part of `batch` yet
    Status failed;               // what the decoder met behind it
    Block gathered;              // levels of short batches, put together to one
    bool stored = false;
    std::uint32_t max = 0;
    unsigned width = 0;
    Rule range{};

    [[nodiscard]] Status open(const LevelSection& section, std::uint64_t count, Notes& notes);
    [[nodiscard]] Status fill(std::uint64_t left);
    [[nodiscard]] Status read_ahead();
    [[nodiscard]] View rest() const noexcept { return decoder.rest(); }
    /// `count` levels from here on, in `room` where they are a run.
    [[nodiscard]] const std::uint32_t* levels(std::size_t count, Block& room) const noexcept;
    [[nodiscard]] std::uint32_t at(std::uint64_t i) const noexcept {
      return batch.values == nullptr ? batch.repeated : batch.values[used + i];
    }
  };
  struct Projection {
    LevelProjection ancestor;
    LevelFingerprint print;
  };

  void visit(LevelVisitor& visitor, std::uint64_t count, std::uint64_t first_entry,
             const LevelSums& sums) const;
  /// A part of the streams in which both are one run, or at least one is not.
  void entries(std::uint64_t count, LevelSums& sums, Notes& notes, View repetition, View definition);
  void pair(std::uint32_t repetition, std::uint32_t definition, std::uint64_t count, LevelSums& sums,
            Notes& notes, View repetition_bytes, View definition_bytes);

  std::uint32_t max_repetition_ = 0;
  std::uint32_t max_definition_ = 0;
  std::uint32_t element_ = 0;           // D of the innermost list's element, 0 without a list
  std::vector<std::uint32_t> reached_;  // D(r)
  std::vector<std::uint32_t> ancestors_;
  std::vector<Projection> projections_;
  Stream repetition_;
  Stream definition_;
  std::uint64_t entry_ = 0;  // in the chunk
  std::uint64_t faulty_entry_ = ~std::uint64_t{0};
  std::uint32_t previous_definition_ = 0;
};

}  // namespace parqproof
