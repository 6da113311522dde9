#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/format/enums.hpp"
#include "codec/record/data_pages.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// A data page by its header.
struct PageOutline {
  std::uint64_t offset = 0;
  std::uint64_t stored = 0;        ///< bytes with the header
  std::uint64_t uncompressed = 0;  ///< bytes of the body
  std::uint64_t first_entry = 0;   ///< ordinal in the chunk
  std::uint64_t entries = 0;
  std::int32_t ordinal = 0;
  Encoding encoding{};
};

/// Consecutive entries of a chunk.
struct EntryRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  [[nodiscard]] std::uint64_t size() const noexcept { return end - begin; }
};

/// The pages of one column chunk by their headers.
class ChunkPages {
 public:
  /// Chunks with more pages are not read.
  static constexpr std::size_t kMaxPages = 100'000;

  /// Reads the page headers of the chunk `index` in ParsedFooter::chunks. Returns nullopt if a header cannot
  /// be read, or if the chunk has too many pages or none with entries.
  [[nodiscard]] static std::optional<ChunkPages> read(const FileCheck& check, std::size_t index);

  [[nodiscard]] const ChunkClaim& claim() const noexcept { return *claim_; }
  [[nodiscard]] const std::vector<PageOutline>& pages() const noexcept { return pages_; }
  [[nodiscard]] std::uint64_t entries() const noexcept { return entries_; }
  [[nodiscard]] CompressionCodec codec() const noexcept { return codec_; }
  [[nodiscard]] unsigned page_version() const noexcept { return version_; }
  /// Bytes of the headers of all pages.
  [[nodiscard]] std::uint64_t header_bytes() const noexcept { return header_bytes_; }

  /// Bytes of the dictionary page with its header; 0 if there is none.
  [[nodiscard]] std::uint64_t dictionary_bytes() const noexcept { return dictionary_end_ - dictionary_; }
  [[nodiscard]] std::uint64_t dictionary_entries() const noexcept { return dictionary_entries_; }
  /// Entries, and bytes, of the pages whose values are dictionary indices.
  [[nodiscard]] std::uint64_t indexed_entries() const noexcept { return indexed_entries_; }
  [[nodiscard]] std::uint64_t indexed_bytes() const noexcept { return indexed_bytes_; }

  /// Returns the page with this entry. Precondition: entry < entries().
  [[nodiscard]] const PageOutline& page_of(std::uint64_t entry) const noexcept;
  /// Returns the stored bytes of the entries: their share of their pages, and of the dictionary page.
  [[nodiscard]] double stored_bytes(const EntryRange& range) const noexcept;
  /// Returns the number of pages with these entries.
  [[nodiscard]] std::uint64_t pages_in(const EntryRange& range) const noexcept;
  /// Returns the chunk to be read from `page` on.
  [[nodiscard]] StoredChunk from(const FileCheck& check, const PageOutline& page) const;

 private:
  const ChunkClaim* claim_ = nullptr;
  std::vector<PageOutline> pages_;
  CompressionCodec codec_{};
  std::uint64_t end_ = 0;
  std::uint64_t entries_ = 0;
  std::uint64_t header_bytes_ = 0;
  std::uint64_t dictionary_ = 0;
  std::uint64_t dictionary_end_ = 0;
  std::uint64_t dictionary_entries_ = 0;
  std::uint64_t indexed_entries_ = 0;
  std::uint64_t indexed_bytes_ = 0;
  unsigned version_ = 1;
  bool is_nested_ = false;
};

}  // namespace parqproof
