#pragma once

#include <cstdint>
#include <optional>

#include "codec/page/page_walk.hpp"
#include "conformance/chunk/page_starts.hpp"
#include "conformance/state/parsed_footer.hpp"

namespace parqproof {

/// Finds where the walk along the pages of a chunk continues after a page with an unusable header or size.
/// The evidence is, in this order, the OffsetIndex, data_page_offset after a dictionary page, and page
/// headers that lead from one to the next up to the end of the chunk. The evidence is read only after such a
/// page.
class Recovery {
 public:
  /// `offset_index`: the serialized OffsetIndex, which must outlive this object; empty if there is none.
  /// `first_data`: data_page_offset of the chunk.
  Recovery(const Source& source, const Limits& limits, View offset_index, std::uint64_t first_data) noexcept
      : source_(source), limits_(limits), offset_index_(offset_index), first_data_offset_(first_data) {}

  /// Returns true if the next page header of the walk cannot be read because some of its bytes are missing.
  [[nodiscard]] static bool is_header_gone(const FileInput& input, PageWalk& walk, PageReader& reader);

  /// page/compressed-size of a page that was misread and has no other error.
  [[nodiscard]] static PageFault fault_of_misread(const Page& page, std::uint64_t next);

  /// Records each page that the walk accepts, in order.
  void took(const Page& page) noexcept;

  /// Returns true if the OffsetIndex contradicts the start or the end of this page.
  [[nodiscard]] bool contradicts(const PageWalk& walk, const Page& page);
  /// Returns the start of the next page if the header of this one breaks rules and was misread: no page
  /// begins at its end, but one begins before it, or too close after it for another page between them.
  [[nodiscard]] std::optional<std::uint64_t> next_if_misread(const PageWalk& walk, const Page& page);

  /// Returns the start of the page after the one at `at`, or the end of the last page, if known.
  [[nodiscard]] std::optional<std::uint64_t> next_page(const PageWalk& walk, std::uint64_t at) {
    return starts(walk).behind(at);
  }

  /// How the walk continues after a lost page.
  enum class Action : std::uint8_t {
    jump,     ///< the walk is resumed at jump()
    proceed,  ///< the walk continues at its own offset; only the previous page is lost
    give_up,  ///< the rest of the chunk is lost
  };
  /// `astray`: the size of the page before walk.offset() may be wrong; otherwise the header at walk.offset()
  /// is unusable. `has_lost_before`: the previous page is lost.
  [[nodiscard]] Action lost(const PageWalk& walk, bool astray, bool has_lost_before);
  /// The place to resume, after Action::jump.
  [[nodiscard]] const PageStarts::Jump& jump() const noexcept { return jump_; }

  /// Rows of a skipped page, and of the page at an offset, from PageStarts.
  [[nodiscard]] std::optional<RowRange> rows_of(std::int32_t ordinal) const {
    return jump_.is_counted ? starts_->rows_of(jump_, ordinal) : std::nullopt;
  }
  [[nodiscard]] std::optional<RowRange> rows_at(const PageWalk& walk, std::uint64_t offset) {
    return starts(walk).rows_at(offset);
  }

  /// Number of skipped pages, from the ordinals of the pages around them.
  [[nodiscard]] std::int32_t pages_passed_over() const noexcept { return passed_over_; }
  [[nodiscard]] bool has_jumped() const noexcept { return has_jumped_; }

 private:
  [[nodiscard]] const PageStarts& starts(const PageWalk& walk);
  [[nodiscard]] std::optional<std::uint64_t> search(const PageWalk& walk, std::uint64_t from);
  [[nodiscard]] std::optional<PageStarts::Jump> beyond(const PageWalk& walk, bool affordable,
                                                       bool has_lost_before);

  const Source& source_;
  const Limits& limits_;
  View offset_index_;
  std::uint64_t first_data_offset_;
  std::optional<PageStarts> starts_;  // created when the OffsetIndex is first needed
  PageStarts::Jump jump_;
  std::uint64_t last_page_ = 0;  // start of the previous page
  std::uint64_t last_body_ = 0;  // start of its body; 0: there is no previous page
  std::uint64_t walked_bytes_ = 0;
  std::optional<std::int32_t> first_data_;  // ordinal of the first data page
  std::int32_t passed_over_ = 0;
  bool has_jumped_ = false;
  std::uint64_t found_ = 0;  // result of the last search that let the walk continue
  bool has_failed_ = false;  // a search found no pages
};

}  // namespace parqproof
