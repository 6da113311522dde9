#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/write/file_writer.hpp"
#include "codec/write/variant/variant_shredder.hpp"
#include "conformance/rewrite/shred/shredded_schema.hpp"
#include "conformance/rewrite/shred/variant_values.hpp"

namespace parqproof {

/// Returns the columns that suit the first values of a group; nothing if a value cannot be read. The sample
/// ends after a number of values, or of their bytes.
class ShreddingSample {
 public:
  /// Adds values of a row group; returns false if one cannot be read.
  [[nodiscard]] bool add(VariantValues& values);
  [[nodiscard]] bool is_full() const noexcept { return rows_ >= kMaxRows || bytes_ >= kMaxBytes; }
  [[nodiscard]] ShreddedType type() const { return finder_.find(kMaxColumns); }

 private:
  static constexpr std::uint64_t kMaxRows = 10'000;
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20;
  static constexpr std::size_t kMaxColumns = 100;  // of typed_value

  VariantSchemaFinder finder_;
  std::uint64_t rows_ = 0;
  std::uint64_t bytes_ = 0;
};

/// Writes the columns of a VARIANT group in one row group. All columns come from one reading of the values,
/// as long as they fit in memory; the values are read again for those that do not.
class ShreddedColumns {
 public:
  /// The arguments outlive this object. `held_bytes`: max size of the columns in memory.
  ShreddedColumns(ReadingContext& context, const Schema& written, const ShreddedGroup& group,
                  std::span<const SourceRowGroup::Chunk> chunks, ReadingFailure& failure,
                  const std::atomic<bool>* cancelled, std::size_t held_bytes)
      : context_(context),
        schema_(written),
        group_(group),
        chunks_(chunks),
        failure_(failure),
        cancelled_(cancelled),
        most_held_(held_bytes),
        held_(group.written.last - group.written.first) {}

  /// Returns false if a value cannot be read, if the writer has failed for the reason why(), or if it was
  /// cancelled.
  [[nodiscard]] bool write(FileWriter& writer);
  [[nodiscard]] const std::string& why() const noexcept { return why_; }
  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }

 private:
  [[nodiscard]] bool read(std::size_t column, ChunkWriter& to);
  [[nodiscard]] bool take(std::size_t column, VariantShredder& shredder, ChunkWriter& to);
  void hold(std::size_t first, const VariantShredder& shredder);
  [[nodiscard]] bool put(const Entries& entries, ChunkWriter& to);
  [[nodiscard]] bool is_cancelled() const {
    return cancelled_ != nullptr && cancelled_->load(std::memory_order_relaxed);
  }

  ReadingContext& context_;
  const Schema& schema_;
  const ShreddedGroup& group_;
  std::span<const SourceRowGroup::Chunk> chunks_;
  ReadingFailure& failure_;
  const std::atomic<bool>* cancelled_;
  std::size_t most_held_;
  std::vector<std::optional<ShreddedColumn>> held_;  // complete columns, and those of the current reading
  std::size_t first_dropped_ = 0;                    // columns from here on do not fit
  std::string why_;
  std::uint64_t rows_ = 0;
};

}  // namespace parqproof
