#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/base/source.hpp"
#include "codec/format/page_header.hpp"
#include "codec/thrift/reader.hpp"

namespace parqproof {

/// A page as described by its header. `place` and header.type identify its module in an encrypted file
/// (Encryption.md#module-types).
struct Page {
  PageHeader header;         ///< its views point into `header_bytes`
  View header_bytes;         ///< the serialized PageHeader
  std::uint64_t offset = 0;  ///< offset of the header in the file
  std::uint64_t body = 0;    ///< offset of the body in the file
  Place place;               ///< set by the caller: row group, leaf, ordinal in the chunk
  std::uint64_t faults = 0;  ///< number of faults that the strict reader found in the header
  bool sound = true;         ///< no fault makes the content of the header ambiguous
  bool too_deep = false;     ///< thrift/nesting-depth: the header was not read to its end

  /// Returns true if the page can be skipped: its stored size is valid.
  [[nodiscard]] bool can_be_skipped() const noexcept {
    return header.has(PageHeader::id_compressed_page_size) && header.compressed_page_size >= 0;
  }
  [[nodiscard]] std::uint64_t stored_size() const noexcept {
    return static_cast<std::uint64_t>(header.compressed_page_size);
  }
  [[nodiscard]] std::uint64_t end() const noexcept { return body + stored_size(); }

  [[nodiscard]] std::int32_t ordinal() const noexcept { return place.page; }
  /// num_values of the header's member; 0 for pages of other types.
  [[nodiscard]] std::int64_t num_values() const noexcept;
  [[nodiscard]] bool is_data() const noexcept {
    return header.type == PageType::DATA_PAGE || header.type == PageType::DATA_PAGE_V2;
  }
  [[nodiscard]] bool is_v2() const noexcept { return header.type == PageType::DATA_PAGE_V2; }
  [[nodiscard]] bool is_dictionary() const noexcept { return header.type == PageType::DICTIONARY_PAGE; }
  [[nodiscard]] bool is_index() const noexcept { return header.type == PageType::INDEX_PAGE; }
  /// Returns true if the specification does not define the type.
  [[nodiscard]] bool has_unknown_type() const noexcept;
  /// Encoding of the values of a data page.
  [[nodiscard]] Encoding encoding() const noexcept {
    return is_v2() ? header.data_page_header_v2.encoding : header.data_page_header.encoding;
  }
  /// Returns true if the header has the member of its type.
  [[nodiscard]] bool has_member() const noexcept;
};

/// Reads page headers and bodies of one file through a sliding window. The parts of a Page are valid until
/// the next header is read, the bytes of a body until the next read of any kind.
class PageReader {
 public:
  enum class State : std::uint8_t { read, framing_lost, limit, unreadable };

  /// `ahead`: read-ahead size after a header, for its body.
  PageReader(const Source& source, const Limits& limits, std::uint64_t ahead) noexcept
      : window_(source), limits_(&limits), ahead_(ahead) {}

  [[nodiscard]] const Limits& limits() const noexcept { return *limits_; }

  /// Limits read-ahead to bytes before `end`.
  void read_ahead_to(std::uint64_t end) noexcept { ahead_end_ = end; }

  /// Reads the header at `offset`, which must end before `bound`. Does not change page.place. Findings go to
  /// `judged` unless it has no destination for them.
  [[nodiscard]] State read_header(std::uint64_t offset, std::uint64_t bound, const thrift::Judged& judged,
                                  Page& page);

  /// Returns the stored bytes of a body; on a read error an empty view of the wrong size.
  [[nodiscard]] View read_body(const Page& page);
  /// Returns any bytes; the caller has checked that they are inside the file.
  [[nodiscard]] View read(std::uint64_t offset, std::uint64_t count) { return window_.view(offset, count); }

 private:
  /// Returns the read-ahead size after bytes that end at `end`.
  [[nodiscard]] std::uint64_t ahead_of(std::uint64_t end) const noexcept {
    return end < ahead_end_ ? std::min(ahead_, ahead_end_ - end) : 0;
  }

  Window window_;
  const Limits* limits_;
  std::uint64_t ahead_;
  std::uint64_t ahead_end_ = UINT64_MAX;
  std::vector<std::uint8_t> header_bytes_;
};

}  // namespace parqproof
