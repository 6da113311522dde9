#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "codec/base/folder.hpp"
#include "codec/base/large_pages.hpp"
#include "codec/base/source.hpp"
#include "codec/file/frame.hpp"
#include "codec/file/regions.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/format/row_group.hpp"
#include "codec/schema/order.hpp"
#include "codec/schema/schema.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/check/check.hpp"
#include "conformance/check/judge.hpp"

namespace parqproof {

/// A column chunk as the footer describes it: just enough to find it again and to compare it.
struct ChunkClaim {
  std::uint64_t struct_offset = 0;  ///< of the ColumnChunk in the file
  std::uint64_t statistics = 0;     ///< offset of its Statistics in the file; 0: it has none
  std::uint64_t start = 0;          ///< first byte of its first page
  std::int64_t num_values = 0;
  std::int64_t compressed = 0;    ///< total_compressed_size
  std::int64_t uncompressed = 0;  ///< total_uncompressed_size
  std::uint32_t row_group = 0;
  std::uint32_t leaf = 0;
  std::uint32_t file = 0;  ///< where its bytes are: 0 in this file, else in Context::named[file - 1]
  bool has_num_values = false;
  bool sound_statistics = false;  ///< see sound_statistics()
  bool has_region = false;        ///< it has bytes of its own in its file
  bool no_pages = false;          ///< it has none, and says so
  bool placeable = false;         ///< in another file, and whole enough to be looked for there
  bool judged = false;            ///< its metadata is whole enough for its pages to be read
};

/// A file that file_path of column chunks names.
struct NamedFile {
  std::string path;
  std::vector<std::size_t> chunks;  ///< in Context::chunks
};

/// A row group as the footer describes it.
struct RowGroupClaim {
  std::uint64_t struct_offset = 0;
  std::size_t first_chunk = 0;  ///< in Context::chunks
  std::size_t chunk_count = 0;
  std::int64_t num_rows = 0;
  std::int64_t total_byte_size = 0;
  std::int64_t total_compressed_size = 0;
  std::int64_t file_offset = 0;
  std::optional<std::int32_t> first_sorting_column;
  std::optional<std::int64_t> true_rows;  ///< what its columns hold, where that differs from num_rows
  bool has_num_rows = false;
  bool has_total_byte_size = false;
  bool has_total_compressed_size = false;
  bool has_file_offset = false;
  bool judged = false;  ///< one chunk per leaf
};

/// What the pages of a chunk turned out to be. `whole`: nothing of it was lost, so its sums may be compared.
struct ChunkTally {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::int64_t compressed = 0;
  std::int64_t uncompressed = 0;
  std::int64_t values = 0;           ///< entries, as the page headers say
  std::optional<std::int64_t> rows;  ///< where levels or headers tell them all
  std::uint64_t pages = 0;
  bool walked = false;  ///< all its headers were read
  bool whole = false;
  bool unknown_pages = false;  ///< pages of unknown type or encoding may hold more than was counted
  /// Per ancestor that other leaves share: a fingerprint of the levels projected on it.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> fingerprints;
};

/// Everything about one file that the parts of a check share.
struct Context {
  Context(const Source& file, const CheckOptions& asked, const RuleSet& wanted)
      : source(file), options(asked), findings(wanted) {}

  const Source& source;
  const CheckOptions& options;
  std::string path;  ///< as reports call the file
  Findings findings;
  Frame frame;
  FileMetaData meta;
  Schema schema;
  std::unordered_set<std::int32_t> field_ids;  ///< of the schema, where schema/field-id-unique is asked for
  std::vector<Order> orders;  ///< of each leaf, as column_orders says; none where it does not say
  std::vector<RowGroupClaim> row_groups;
  std::vector<ChunkClaim, LargeAllocator<ChunkClaim>> chunks;
  Regions regions;                  ///< of this file alone
  std::vector<ChunkTally> tallies;  ///< beside `chunks`, once pages were read
  const Folder* folder = nullptr;   ///< where the files that chunks name are looked for; null: nowhere
  std::vector<NamedFile> named;
  std::unordered_map<std::string, std::uint32_t> named_by_path;  ///< values of ChunkClaim::file
  /// encodings and encoding_stats of the last chunk whose lists nothing was said of.
  std::array<std::span<const std::uint8_t>, 2> sound_encodings;
  std::vector<NotRun> not_run;
  std::vector<Lost> lost;
  std::optional<Remains> remains;
  std::uint64_t pages = 0;
  std::uint64_t values = 0;
  std::uint64_t bytes = 0;
  std::uint64_t data_begin = kMagicBytes;  ///< bytes of data are from here up to frame.footer_offset
  std::uint64_t work = 0;  ///< bytes of structures that the footer points at, as often as it does
  std::uint64_t work_ceiling = 0;
  bool schema_usable = false;
  bool row_groups_whole = false;    ///< the list was read to its end
  bool bounds_lack_orders = false;  ///< a bound in a page header is the first, and there is no column_orders
  bool regions_known = true;        ///< every structure's bytes are known, so what is left over is a gap
  bool paths_differ = false;        ///< summary/file-path-differs has been reported for the row group
  bool metadata_elsewhere = false;  ///< the metadata of these bytes stands in another file
  bool io_failed = false;

  /// A file without data of its own, as a summary of other files is.
  [[nodiscard]] bool metadata_alone() const noexcept { return frame.footer_offset == kMagicBytes; }

  /// Whether `more` bytes of structures that the footer points at can be read. Several may share their
  /// bytes, but no honest file says so of the whole file again and again: limit/work.
  [[nodiscard]] bool afford(std::uint64_t more) noexcept {
    constexpr std::uint64_t kTimes = 16;
    constexpr std::uint64_t kBase = std::uint64_t{4} << 20;
    work_ceiling = (kBase + kTimes * source.size()) * options.limits.work;
    work += more;
    return work <= work_ceiling;
  }

  /// The footer from `offset` to its end.
  [[nodiscard]] View footer_from(std::uint64_t offset) const noexcept {
    return frame.footer.from(static_cast<std::size_t>(offset - frame.footer.base));
  }
  [[nodiscard]] bool cancelled() const noexcept {
    return options.cancelled != nullptr && options.cancelled->load(std::memory_order_relaxed);
  }
};

/// The column metadata of a chunk, read again from the footer.
[[nodiscard]] inline bool reread(const Context& context, const ChunkClaim& claim, ColumnChunk& out) {
  thrift::Reader reader(context.footer_from(claim.struct_offset), {}, context.options.limits);
  return reader.read(out);
}

[[nodiscard]] inline Place place_of(const ChunkClaim& claim) noexcept {
  return {static_cast<std::int32_t>(claim.row_group), static_cast<std::int32_t>(claim.leaf), -1};
}

}  // namespace parqproof
