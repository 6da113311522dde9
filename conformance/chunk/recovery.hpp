#pragma once

#include <cstdint>
#include <optional>

#include "codec/page/page_walk.hpp"
#include "conformance/chunk/page_starts.hpp"
#include "conformance/state/parsed_footer.hpp"

namespace parqproof {

/// Finds where the walk along the pages of a chunk continues after a page with an unusable header or size.
/// The evidence is, in this order, the OffsetIndex, data_page_offset after a dictionary page, and contiguous
/// page headers up to the end of the chunk. The OffsetIndex is read when it is first needed; headers are
/// searched only after an unusable or faulty header.
class Recovery {
 public:
  /// `offset_index`: the serialized OffsetIndex, which must outlive this object; empty if there is none.
  /// `data_page_offset`: that of the chunk.
  Recovery(const Source& source, const Limits& limits, View offset_index,
           std::uint64_t data_page_offset) noexcept
      : source_(source), limits_(limits), offset_index_(offset_index), data_page_offset_(data_page_offset) {}

  /// Returns true if bytes of the next page header are in FileInput::gone. Reads with `reader`, the reader of
  /// the walk.
  [[nodiscard]] static bool is_header_in_gone_bytes(const FileInput& input, PageWalk& walk,
                                                    PageReader& reader);

  /// Returns page/compressed-size for a misread header without other errors. `next`: the offset of the next
  /// page, by next_if_misread().
  [[nodiscard]] static PageFault misread_fault(const Page& page, std::uint64_t next);

  /// Records a page that the walk has accepted. Called for each of them, in order.
  void accepted(const Page& page) noexcept;

  /// Returns true if the OffsetIndex contradicts the start or the end of this page.
  [[nodiscard]] bool is_contradicted_by_offset_index(const PageWalk& walk, const Page& page);
  /// Returns the start of the next page if the header of this one breaks rules and was misread: no page
  /// begins at its end, but one begins before it, or too close after it for another page between them.
  [[nodiscard]] std::optional<std::uint64_t> next_if_misread(const PageWalk& walk, const Page& page);

  /// Returns the start of the page after the one at `at`, or the end of the last page, if known.
  [[nodiscard]] std::optional<std::uint64_t> next_page(const PageWalk& walk, std::uint64_t at) {
    return starts(walk).next_after(at);
  }

  /// The page that the walk cannot use.
  enum class BadPage : std::uint8_t {
    unusable_header,      ///< the header at PageWalk::offset()
    wrong_previous_size,  ///< the page before that offset, whose start or end the OffsetIndex contradicts
  };
  /// How the walk continues after a bad page.
  enum class Action : std::uint8_t {
    jump,     ///< the walk is resumed at jump()
    proceed,  ///< the walk continues at its own offset
    give_up,  ///< the rest of the chunk is lost
  };
  /// Decides how the walk continues after a bad page, and sets jump(). `is_previous_lost`: the page before
  /// the current offset of the walk is lost.
  [[nodiscard]] Action recover(const PageWalk& walk, BadPage bad, bool is_previous_lost);
  /// The place to resume, after Action::jump.
  [[nodiscard]] const PageStarts::Jump& jump() const noexcept { return jump_; }

  /// Returns the rows of a page that jump() skips; nothing if the number of skipped pages is not known, or
  /// the OffsetIndex does not have them. `ordinal`: of the page in the chunk.
  [[nodiscard]] std::optional<RowRange> rows_of(std::int32_t ordinal) const {
    return jump_.is_counted ? starts_->rows_of(jump_, ordinal) : std::nullopt;
  }
  /// Returns the rows of the page that begins at `offset`; nothing if the OffsetIndex does not have them.
  [[nodiscard]] std::optional<RowRange> rows_at(const PageWalk& walk, std::uint64_t offset) {
    return starts(walk).rows_at(offset);
  }

  /// Number of pages that jumps have skipped, from the ordinals of the pages around them.
  [[nodiscard]] std::int32_t skipped_pages() const noexcept { return skipped_pages_; }
  /// Returns true if pages were skipped.
  [[nodiscard]] bool has_jumped() const noexcept { return has_jumped_; }
  /// Notes a page whose header does not authenticate, which was skipped by the lengths of its modules.
  void skipped_module() noexcept { has_jumped_ = true; }

 private:
  [[nodiscard]] const PageStarts& starts(const PageWalk& walk);
  [[nodiscard]] std::optional<std::uint64_t> search(const PageWalk& walk, std::uint64_t from);
  [[nodiscard]] std::optional<PageStarts::Jump> beyond(const PageWalk& walk, bool affordable,
                                                       bool is_previous_lost);

  const Source& source_;
  const Limits& limits_;
  View offset_index_;
  std::uint64_t data_page_offset_;
  std::optional<PageStarts> starts_;  // created when the OffsetIndex is first needed
  PageStarts::Jump jump_;
  std::uint64_t previous_page_offset_ = 0;
  std::uint64_t previous_body_offset_ = 0;  // 0: there is no previous page
  std::uint64_t walked_bytes_ = 0;
  std::optional<std::int32_t> first_data_ordinal_;  // of the first data page
  std::int32_t skipped_pages_ = 0;
  bool has_jumped_ = false;
  std::uint64_t last_found_offset_ = 0;  // by the last search; the next search must get further
  bool has_failed_ = false;              // a search found no pages
};

}  // namespace parqproof
