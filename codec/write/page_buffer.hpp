#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/compression/compress.hpp"
#include "codec/encoding/level_codec.hpp"
#include "codec/format/page_header.hpp"
#include "codec/record/entries.hpp"
#include "codec/schema/schema.hpp"
#include "codec/write/bounds.hpp"
#include "codec/write/file_cipher.hpp"
#include "codec/write/options.hpp"
#include "codec/write/sink.hpp"

namespace parqproof {

/// The parts of files that all pages of a writer share: options, and the compressor.
struct PageFormat {
  const WriteOptions& options;
  const ColumnOptions& column;
  Compressor& compressor;
  FileCipher* cipher = nullptr;  ///< of the pages; null if they are not encrypted
  std::int32_t row_group = 0;    ///< for `cipher`
  std::int32_t leaf = 0;
};

/// The body of a page of another file, which is taken over as it is stored. The caller knows that it is
/// legal.
struct CopiedBody {
  std::span<const std::uint8_t> bytes;
  std::uint64_t uncompressed = 0;  ///< bytes of the page uncompressed, without its header
  std::uint64_t entries = 0;
  Encoding encoding{};
  std::uint32_t repetition_bytes = 0;  ///< of a page of version 2, like the next two
  std::uint32_t definition_bytes = 0;
  bool is_compressed = false;
  std::optional<std::int32_t> crc = {};  ///< the checksum of `bytes`, if it is known
};

/// Header of a data page, but for what StoredPage adds. `repetition_bytes`, `definition_bytes`: of the
/// levels.
[[nodiscard]] PageHeader data_page_header(const PageFormat& format, const PageCounts& counts,
                                          Encoding encoding, std::uint32_t repetition_bytes,
                                          std::uint32_t definition_bytes, const Statistics& statistics);
/// Likewise of a dictionary page.
[[nodiscard]] PageHeader dictionary_page_header(const PageFormat& format, std::uint64_t entries);

/// A page as it is stored. One object makes page after page and keeps its room.
class StoredPage {
 public:
  /// Makes a page of its levels and values. They outlive the page: what is not compressed is not copied. The
  /// header has type and the member of its type; this adds sizes, checksum and is_compressed. Fails if the
  /// codec refuses its options, or if a size is above 2^31 - 1. `ordinal`: of a data page in its chunk.
  [[nodiscard]] WriteStatus make(const PageFormat& format, PageHeader header,
                                 std::span<const std::uint8_t> levels, std::span<const std::uint8_t> values,
                                 std::uint64_t ordinal = 0);
  /// Likewise of a body that is copied. It outlives the page.
  [[nodiscard]] WriteStatus make(const PageFormat& format, PageHeader header, const CopiedBody& body,
                                 std::uint64_t ordinal = 0);

  /// The bytes of the page, one part after the other.
  [[nodiscard]] const std::array<std::span<const std::uint8_t>, 3>& parts() const noexcept { return parts_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept;
  void append_to(std::vector<std::uint8_t>& out) const;
  /// Bytes of the page uncompressed, with its header (parquet.thrift#ColumnMetaData.total_uncompressed_size).
  [[nodiscard]] std::uint64_t uncompressed_bytes() const noexcept { return uncompressed_bytes_; }

 private:
  /// The body as it is stored, but for its encryption.
  struct Body {
    std::span<const std::uint8_t> levels;
    std::span<const std::uint8_t> values;
    std::uint64_t uncompressed = 0;
    bool is_compressed = false;
    std::optional<std::int32_t> crc = {};
  };
  [[nodiscard]] WriteStatus finish(const PageFormat& format, PageHeader& header, Body body,
                                   std::uint64_t ordinal);

  std::vector<std::uint8_t> header_;
  std::vector<std::uint8_t> image_;  // levels and values that are compressed together
  std::vector<std::uint8_t> compressed_;
  std::vector<std::uint8_t> module_;  // the body encrypted
  std::array<std::span<const std::uint8_t>, 3> parts_;
  std::uint64_t uncompressed_bytes_ = 0;
};

/// The levels of the data page that is being written, encoded as they come.
class PageLevels {
 public:
  PageLevels(const PageFormat& format, const Node& leaf);

  void begin();
  void add(const Entries& entries);
  /// Completes the levels; the two are then valid until begin().
  void finish();

  /// The sections in the order of the page, each with its length prefix where pages of version 1 have one.
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::uint32_t repetition_bytes() const noexcept { return repetition_bytes_; }
  [[nodiscard]] std::uint32_t definition_bytes() const noexcept { return definition_bytes_; }
  /// Bytes so far.
  [[nodiscard]] std::size_t size() const noexcept { return repetition_.size() + definition_.size(); }

 private:
  void add(LevelEncoder& encoder, const Levels& levels, std::uint64_t count);
  void append(const std::vector<std::uint8_t>& section);

  const PageFormat& format_;
  const Node& leaf_;
  LevelEncoder repetitions_;
  LevelEncoder definitions_;
  std::vector<std::uint8_t> repetition_;
  std::vector<std::uint8_t> definition_;
  std::vector<std::uint8_t> bytes_;
  std::uint32_t repetition_bytes_ = 0;
  std::uint32_t definition_bytes_ = 0;
};

}  // namespace parqproof
