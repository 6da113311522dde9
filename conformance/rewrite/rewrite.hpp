#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/base/folder.hpp"
#include "codec/base/limits.hpp"
#include "codec/base/source.hpp"
#include "codec/format/enums.hpp"
#include "codec/write/encryption_options.hpp"
#include "codec/write/sink.hpp"
#include "conformance/policy/options.hpp"
#include "conformance/rewrite/shred/shred_options.hpp"
#include "conformance/rows/reading_failure.hpp"

namespace parqproof {

/// How a rewritten file is encrypted.
struct RewriteEncryption {
  EncryptionOptions form;                                    ///< without the keys of columns
  std::map<std::string, WriteKey, std::less<>> column_keys;  ///< by the dotted path of the leaf
};

/// What a rewritten file has otherwise than its source. What is not set stays as it is in the source: rows,
/// schema, row groups, codecs, encodings, version of the pages.
struct RewriteOptions {
  /// Columns and their encodings; without a path: of all columns whose type the encoding supports.
  std::vector<std::pair<std::string, Encoding>> encodings;
  std::optional<CompressionCodec> codec;
  std::optional<int> level;  ///< compression level
  std::optional<unsigned> page_version;
  std::optional<std::uint64_t> page_bytes;
  std::optional<std::uint64_t> page_rows;
  std::optional<std::uint64_t> row_group_rows;  ///< not with `salvage`
  std::optional<bool> statistics;
  std::optional<bool> page_index;
  std::optional<bool> checksums;
  std::vector<std::string> bloom_filters;  ///< dotted paths of leaves
  std::vector<std::string> columns;        ///< dotted paths of leaves or groups; empty: all
  std::optional<RewriteEncryption> encryption = std::nullopt;  ///< not set: not encrypted
  std::vector<ShredOption> shred = {};                         ///< not with `salvage` or `row_group_rows`
  /// Max bytes of columns of `shred` in memory; for columns beyond, the values are read again.
  std::size_t shred_bytes = std::size_t{256} << 20;
  bool historical = false;  ///< retired and deprecated forms are kept, and may be asked for
  bool salvage = false;     ///< leaves out rows that are lost to damage
  /// With `salvage`: a file whose schema is used if the footer of the source is lost; may be null.
  const Source* schema_from = nullptr;
  Limits limits;
  Folder* folder =
      nullptr;  ///< the file's folder, for column chunks in other files; null: read none of those
  const std::atomic<bool>* cancelled = nullptr;  ///< set by another thread to stop
  /// Receives the progress: each page counts when it is judged, and when its rows are written; may be null.
  Progress* progress = nullptr;
};

/// Result of rewrite().
struct RewriteOutcome {
  enum class End : std::uint8_t {
    complete,
    failed,     ///< the source cannot be read further: the ReadingFailure has the reason
    refused,    ///< `why`: an option does not fit the file
    no_schema,  ///< `why`: the footer of the source is lost, and the schema with it
    unwritten,  ///< `why`: the sink has failed
    cancelled,
  };
  End end = End::complete;
  std::string why;
  std::string column;      ///< of a failure: the dotted path of the leaf; empty if it is of none
  std::uint64_t rows = 0;  ///< written
  std::uint64_t row_groups = 0;
  LeftOut left_out;  ///< with RewriteOptions::salvage
  /// If the footer of the source is lost: where schema and row groups come from, and what was guessed; a line
  /// each.
  std::vector<std::string> rebuilt;
  /// With RewriteOptions::salvage: columns whose pages have no checksum, so that damage to their values alone
  /// leaves no trace.
  std::vector<std::string> unchecked;
};

/// "no checksum covers the pages of the columns a, b and 3 more: ..."; `unchecked` is not empty.
[[nodiscard]] std::string unchecked_text(const RewriteOutcome& outcome);
/// What was guessed and left out, a line each.
[[nodiscard]] std::string salvage_text(const RewriteOutcome& outcome);

/// Writes the rows of a file again, column by column, as a file without what breaks rules: metadata,
/// statistics and indexes are computed from the values. The sink has a complete file only if the end is
/// `complete`. Memory is bounded by a page and a dictionary of the source, what FileWriter holds, and the
/// metadata.
[[nodiscard]] RewriteOutcome rewrite(const Source& source, const RewriteOptions& options, Sink& sink,
                                     ReadingFailure& failure);

/// Returns the number of rows that rewrite() writes; 0 if it does not end with a complete file.
[[nodiscard]] std::uint64_t rows_of_rewrite(const Source& source, const RewriteOptions& options);

}  // namespace parqproof
