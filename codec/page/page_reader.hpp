#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/base/source.hpp"
#include "codec/format/page_header.hpp"
#include "codec/thrift/reader.hpp"

namespace parqproof {

/// A page as its header describes it. `place` and header.type tell which module of an encrypted file it is
/// (Encryption.md#module-types).
struct Page {
  PageHeader header;         ///< its views point into `header_bytes`
  View header_bytes;         ///< the serialized PageHeader
  std::uint64_t offset = 0;  ///< of the header in the file
  std::uint64_t body = 0;    ///< of the body in the file
  Place place;               ///< set by whoever knows it: row group, leaf, ordinal in the chunk
  std::uint64_t faults = 0;  ///< that the strict reader found in the header
  bool sound = true;         ///< no fault of the header leaves in doubt what it says
  bool too_deep = false;     ///< thrift/nesting-depth: the header was not read to its end

  /// The page can be passed over: its stored size is a number that can be believed.
  [[nodiscard]] bool can_be_passed() const noexcept {
    return header.has(PageHeader::id_compressed_page_size) && header.compressed_page_size >= 0;
  }
  [[nodiscard]] std::uint64_t stored_size() const noexcept {
    return static_cast<std::uint64_t>(header.compressed_page_size);
  }
  [[nodiscard]] std::uint64_t end() const noexcept { return body + stored_size(); }

  [[nodiscard]] std::int32_t ordinal() const noexcept { return place.page; }
  /// num_values of whichever header the page has; 0 for pages of other types.
  [[nodiscard]] std::int64_t num_values() const noexcept;
  [[nodiscard]] bool is_data() const noexcept {
    return header.type == PageType::DATA_PAGE || header.type == PageType::DATA_PAGE_V2;
  }
  [[nodiscard]] bool is_v2() const noexcept { return header.type == PageType::DATA_PAGE_V2; }
  [[nodiscard]] bool is_dictionary() const noexcept { return header.type == PageType::DICTIONARY_PAGE; }
  [[nodiscard]] bool is_index() const noexcept { return header.type == PageType::INDEX_PAGE; }
  /// The type is a number that the specification does not define.
  [[nodiscard]] bool has_unknown_type() const noexcept;
  /// The encoding of a data page's values.
  [[nodiscard]] Encoding encoding() const noexcept {
    return is_v2() ? header.data_page_header_v2.encoding : header.data_page_header.encoding;
  }
  /// The header has the member that its type calls for.
  [[nodiscard]] bool has_member() const noexcept;
};

/// Reads page headers and bodies of one file through a sliding window. The parts of a Page stay valid until
/// the next header is read, the bytes of a body until the next read of any kind.
class PageReader {
 public:
  enum class State : std::uint8_t { read, framing_lost, limit, unreadable };

  /// `ahead`: bytes worth reading along with a header, because its body will be asked for.
  PageReader(const Source& source, const Limits& limits, std::uint64_t ahead) noexcept
      : window_(source), limits_(&limits), ahead_(ahead) {}

  [[nodiscard]] const Limits& limits() const noexcept { return *limits_; }

  /// Nothing from `end` on is worth reading ahead.
  void read_ahead_to(std::uint64_t end) noexcept { ahead_end_ = end; }

  /// Reads the header at `offset`, which ends before `bound`; page.place stays as it is. Findings go to
  /// `judged` unless that has none.
  [[nodiscard]] State read_header(std::uint64_t offset, std::uint64_t bound, const thrift::Judged& judged,
                                  Page& page);

  /// The stored bytes of a body; an empty view of the wrong size where they cannot be read.
  [[nodiscard]] View read_body(const Page& page);
  /// Any bytes that the caller knows to lie inside the file.
  [[nodiscard]] View read(std::uint64_t offset, std::uint64_t count) { return window_.view(offset, count); }

 private:
  /// How much to read along with bytes that end at `end`.
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
