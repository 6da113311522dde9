#pragma once

#include <cstdint>
#include <optional>

#include "codec/page/page_walk.hpp"
#include "conformance/chunk/page_starts.hpp"
#include "conformance/state/parsed_footer.hpp"

namespace parqproof {

/// Finds where the walk along the pages of a chunk goes on after a page whose header or size cannot be used.
/// The OffsetIndex tells, or data_page_offset of the page behind the dictionary page, or else page headers
/// that lead from one to the next up to the end of the chunk; all are looked at only when such a page is met.
class Recovery {
 public:
  /// `offset_index`: the serialized OffsetIndex, which outlives this object; empty where there is none.
  /// `first_data`: data_page_offset of the chunk.
  Recovery(const Source& source, const Limits& limits, View offset_index, std::uint64_t first_data) noexcept
      : source_(source), limits_(limits), offset_index_(offset_index), first_data_offset_(first_data) {}

  /// Whether the header of the page that the walk comes to cannot be read because bytes of it are gone.
  [[nodiscard]] static bool is_header_gone(const FileInput& input, PageWalk& walk, PageReader& reader);

  /// page/compressed-size of such a page, of which no other error tells.
  [[nodiscard]] static PageFault fault_of_misread(const Page& page, std::uint64_t next);

  /// Tells of each page that the walk accepts, in order.
  void took(const Page& page) noexcept;

  /// The OffsetIndex contradicts that this page stands where the walk found it, or that it ends where it
  /// says.
  [[nodiscard]] bool contradicts(const PageWalk& walk, const Page& page);
  /// Where the next page begins, if the header of this one breaks rules and was misread: no page begins where
  /// it ends, but one before that, or too close behind it for a page between.
  [[nodiscard]] std::optional<std::uint64_t> next_if_misread(const PageWalk& walk, const Page& page);

  /// Where the page behind that at `at` begins, or the last page ends, if that is known.
  [[nodiscard]] std::optional<std::uint64_t> next_page(const PageWalk& walk, std::uint64_t at) {
    return starts(walk).behind(at);
  }

  /// How the walk continues after a lost page.
  enum class Action : std::uint8_t {
    jump,     ///< the walk is resumed at jump()
    proceed,  ///< the walk goes on at its own offset; only the page before it is lost
    give_up,  ///< the rest of the chunk is lost
  };
  /// `astray`: the size of the page before walk.at() may be wrong; otherwise no header can be used at
  /// walk.at(). `has_lost_before`: the page before is lost.
  [[nodiscard]] Action lost(const PageWalk& walk, bool astray, bool has_lost_before);
  /// Where to resume, after Action::jump.
  [[nodiscard]] const PageStarts::Jump& jump() const noexcept { return jump_; }

  /// The rows of a page that was jumped over, and of one at an offset, as PageStarts tells.
  [[nodiscard]] std::optional<RowRange> rows_of(std::int32_t ordinal) const {
    return jump_.is_counted ? starts_->rows_of(jump_, ordinal) : std::nullopt;
  }
  [[nodiscard]] std::optional<RowRange> rows_at(const PageWalk& walk, std::uint64_t offset) {
    return starts(walk).rows_at(offset);
  }

  /// How many pages were jumped over, counted by the ordinals of the pages around them.
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
  std::optional<PageStarts> starts_;  // made when the OffsetIndex is first needed
  PageStarts::Jump jump_;
  std::uint64_t last_page_ = 0;  // where the page before begins
  std::uint64_t last_body_ = 0;  // and its body; 0: there is no page before
  std::uint64_t walked_bytes_ = 0;
  std::optional<std::int32_t> first_data_;  // ordinal of the first data page
  std::int32_t passed_over_ = 0;
  bool has_jumped_ = false;
  std::uint64_t found_ = 0;  // by the last search by which the walk went on
  bool has_failed_ = false;  // a search for pages found none
};

}  // namespace parqproof
