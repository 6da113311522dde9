#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/base/source.hpp"
#include "codec/encryption/file_keys.hpp"
#include "codec/format/page_header.hpp"
#include "codec/page/page_fault.hpp"
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
  /// The module of the body; nothing if the page is not encrypted.
  std::optional<encryption::ModulePlace> module = std::nullopt;
  /// The module that the body is if its AAD has the type of page that the AAD of the header has, which is
  /// another one than the header states.
  std::optional<encryption::ModulePlace> misnamed_module = std::nullopt;
  std::uint32_t module_frame = 0;  ///< bytes of the body that are not its ciphertext
  /// The compressed_page_size of the header if that is not the size of the module of the body, which is then
  /// in `header`.
  std::optional<std::int32_t> wrong_size = std::nullopt;
  /// The module of the body has another length than compressed_page_size, and it is not known which is wrong.
  bool has_other_length = false;

  /// Returns true if the page can be skipped: its stored size is valid.
  [[nodiscard]] bool can_be_skipped() const noexcept {
    return header.has(PageHeader::id_compressed_page_size) && header.compressed_page_size >= 0;
  }
  [[nodiscard]] std::uint64_t stored_size() const noexcept {
    return static_cast<std::uint64_t>(header.compressed_page_size);
  }
  [[nodiscard]] std::uint64_t end() const noexcept { return body + stored_size(); }
  /// The size of the body without the frame of its module.
  [[nodiscard]] std::int64_t content_size() const noexcept {
    return std::int64_t{header.compressed_page_size} - std::int64_t{module_frame};
  }

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
  /// Bytes of the levels of a v2 page, as its header states.
  [[nodiscard]] std::int64_t level_bytes() const noexcept {
    return std::int64_t{header.data_page_header_v2.repetition_levels_byte_length} +
           header.data_page_header_v2.definition_levels_byte_length;
  }
  /// Encoding of the values of a data page.
  [[nodiscard]] Encoding encoding() const noexcept {
    return is_v2() ? header.data_page_header_v2.encoding : header.data_page_header.encoding;
  }
  /// Returns true if the header has the member of its type.
  [[nodiscard]] bool has_member() const noexcept;
  /// Returns true if it also has sizes and num_values, and none is negative.
  [[nodiscard]] bool is_plausible() const noexcept {
    return has_member() && can_be_skipped() && header.uncompressed_page_size >= 0 && num_values() >= 0;
  }
};

/// Reads page headers and bodies of one file through a sliding window. The parts of a Page are valid until
/// the next header is read, the bytes of a body until the next read of any kind.
class PageReader {
 public:
  enum class State : std::uint8_t { read, framing_lost, limit, unreadable };

  /// `ahead`: read-ahead size after a header, for its body.
  PageReader(const Source& source, const Limits& limits, std::uint64_t ahead, Window::Room room = {}) noexcept
      : window_(source, std::move(room)), limits_(&limits), ahead_(ahead) {}
  /// Ends the reader.
  [[nodiscard]] Window::Room release() noexcept { return window_.release(); }

  [[nodiscard]] const Limits& limits() const noexcept { return *limits_; }

  /// Limits read-ahead to bytes before `end`.
  void read_ahead_to(std::uint64_t end) noexcept { ahead_end_ = end; }

  /// Reads the header at `offset`, which must end before `bound`. Does not change page.place. Findings go to
  /// `judged` unless it has no destination for them.
  [[nodiscard]] State read_header(std::uint64_t offset, std::uint64_t bound, const thrift::Judged& judged,
                                  Page& page);

  /// Returns the stored bytes of a body; on a read error an empty view of the wrong size.
  [[nodiscard]] View read_body(const Page& page);

  /// Reads the modules of this chunk from now on, and decrypts them if it is encrypted and there is a key:
  /// the only place where the bytes of pages and their structures are decrypted. No effect without a row
  /// group.
  void enter(const Place& chunk);
  /// The next header may be that of any page of the chunk. Otherwise pages follow one another.
  void expect_any_page() noexcept { is_ordered_ = false; }
  [[nodiscard]] bool decrypts() const noexcept { return cipher_ != nullptr; }
  /// Returns the size of the page header without encryption at `offset`, whose page ends before `bound`; 0 if
  /// there is none.
  [[nodiscard]] std::uint64_t clear_header(std::uint64_t offset, std::uint64_t bound);
  /// Decrypts the body of a page with a module; valid until the next body. `levels`: of a v2 page. Faults:
  /// encryption/module-length, encryption/module-place, encryption/tag.
  struct OpenedBody {
    View bytes;
    bool levels_open = false;  ///< encryption/v2-levels: only what follows the levels is a module
  };
  [[nodiscard]] std::expected<OpenedBody, PageFault> open_body(const Page& page, View stored,
                                                               std::size_t levels);
  /// Decrypts the module of a structure that ends with `stored`, which is a view of any bytes of this reader;
  /// valid until the next such call. Returns `stored` if the chunk is not encrypted.
  [[nodiscard]] std::expected<View, PageFault> open_structure(View stored, encryption::ModuleType type);
  /// Reads and decrypts the module at `offset`, which ends before `end`; valid until the next such call.
  struct OpenedModule {
    View bytes;
    std::uint64_t end = 0;
  };
  [[nodiscard]] std::expected<OpenedModule, PageFault> read_module(std::uint64_t offset, std::uint64_t end,
                                                                   encryption::ModuleType type);
  /// After State::framing_lost of an encrypted page: the end of its body according to the lengths of its two
  /// modules; 0 if they are wrong.
  [[nodiscard]] std::uint64_t sealed_end() const noexcept { return sealed_end_; }
  /// Offset of the page after the last one that was read, or whose lengths led to it.
  [[nodiscard]] std::uint64_t next_header() const noexcept { return next_header_; }
  /// Returns any bytes; the caller has checked that they are inside the file.
  [[nodiscard]] View read(std::uint64_t offset, std::uint64_t count) { return window_.view(offset, count); }

 private:
  /// Returns the read-ahead size after bytes that end at `end`.
  [[nodiscard]] std::uint64_t ahead_of(std::uint64_t end) const noexcept {
    return end < ahead_end_ ? std::min(ahead_, ahead_end_ - end) : 0;
  }

  [[nodiscard]] State read_sealed_header(std::uint64_t offset, std::uint64_t bound,
                                         const thrift::Judged& judged, Page& page);
  /// Returns the place of the header module at `offset`, which is decrypted to header_bytes_; nothing if it
  /// does not authenticate.
  [[nodiscard]] std::optional<encryption::ModulePlace> open_header(const encryption::Module& module,
                                                                   std::uint64_t offset);
  /// Returns the length of the header module at `offset`, if it states another one, which is reported.
  [[nodiscard]] std::optional<std::uint64_t> find_header_length(std::uint64_t offset, std::uint64_t bound,
                                                                const thrift::Judged& judged);
  void explain_header(std::uint64_t offset, std::uint64_t size, std::uint64_t bound,
                      const thrift::Judged& judged);
  void take_place(const encryption::ModulePlace& place, const View& all, const thrift::Judged& judged,
                  Page& page);
  /// Sets page.wrong_size if compressed_page_size is at fault: the body is a module of another size.
  void take_module_size(std::uint64_t bound, Page& page);
  [[nodiscard]] std::int32_t expected_ordinal(std::uint64_t offset) const noexcept;
  /// Reports encryption/clear-pages. Returns false unless the chunk begins at `offset`, with an open header.
  [[nodiscard]] bool report_clear(std::uint64_t offset, std::uint64_t bound, const thrift::Judged& judged);

  Window window_;
  const Limits* limits_;
  std::uint64_t ahead_;
  std::uint64_t ahead_end_ = UINT64_MAX;
  std::vector<std::uint8_t> header_bytes_;

  // Of the encrypted chunk.
  static constexpr std::uint64_t kAnywhere = UINT64_MAX;
  std::unique_ptr<encryption::ChunkCipher> cipher_;
  Place chunk_;
  std::vector<std::uint8_t> module_bytes_;  // the last body or structure, decrypted
  std::uint64_t last_header_ = kAnywhere;   // offset of the last header that was opened
  std::int32_t last_ordinal_ = 0;           // and the number of data pages before it
  std::uint64_t next_header_ = kAnywhere;   // offset of the one after it; anywhere: none was read yet
  std::int32_t next_ordinal_ = 0;
  std::uint64_t sealed_end_ = 0;
  bool is_ordered_ = true;
  static constexpr unsigned kSizeTrials = 4;
  unsigned size_trials_ = kSizeTrials;  // bodies that may be tried in vain to find a wrong size
  std::uint64_t search_budget_ = 0;     // of trials to find ordinals: ChunkCipher::cost_of()
};

}  // namespace parqproof
