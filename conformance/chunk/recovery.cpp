#include "conformance/chunk/recovery.hpp"

#include "codec/page/page_search.hpp"

namespace parqproof {

bool Recovery::is_header_in_gone_bytes(const FileInput& input, PageWalk& walk, PageReader& reader) {
  constexpr std::uint64_t kLongHeader = 4096;
  const std::uint64_t at = walk.offset();
  const ChunkExtent& extent = walk.extent();
  if (at >= extent.metadata_end || !input.is_gone(at, at + kLongHeader)) return false;
  if (input.is_gone(at, at + 1)) return true;
  walk.discard_header();
  const RegionMap none;
  PageWalk probe(reader, none, {at, extent.metadata_end, extent.data_end, 0}, {});
  return !probe.starts_with_page() || input.is_gone(at, probe.page().body);
}

PageFault Recovery::misread_fault(const Page& page, std::uint64_t next) {
  return PageFault::in_header(
      Rule::page_compressed_size, "compressed_page_size",
      contrast(page.header.compressed_page_size, std::max(next, page.body) - page.body));
}

void Recovery::accepted(const Page& page) noexcept {
  if (page.is_data() && !first_data_ordinal_) first_data_ordinal_ = page.ordinal();
  previous_page_offset_ = page.offset;
  previous_body_offset_ = page.body;
  walked_bytes_ += page.end() - page.offset;
}

const PageStarts& Recovery::starts(const PageWalk& walk) {
  if (!starts_)
    starts_.emplace(offset_index_, walk.extent().start, walk.extent().metadata_end, data_page_offset_,
                    source_, limits_);
  return *starts_;
}

bool Recovery::is_contradicted_by_offset_index(const PageWalk& walk, const Page& page) {
  return starts(walk).contradicts(page.offset, page.end());
}

/// Searches for pages that lead to the end of the chunk.
std::optional<std::uint64_t> Recovery::search(const PageWalk& walk, std::uint64_t from) {
  const std::uint64_t end = walk.extent().metadata_end;
  if (has_failed_ || end > source_.size()) return std::nullopt;
  PageReader reader(source_, limits_, 0);
  const std::optional<std::uint64_t> found = find_pages_up_to(end, from, reader);
  has_failed_ = !found;
  return found;
}

std::optional<std::uint64_t> Recovery::next_if_misread(const PageWalk& walk, const Page& page) {
  const std::uint64_t end = walk.extent().metadata_end;
  if (page.faults == 0 || page.end() >= end) return std::nullopt;
  const RegionMap none;
  PageReader reader(source_, limits_, 0);
  if (PageWalk(reader, none, {page.end(), end, end, 0}, {}).starts_with_page()) return std::nullopt;
  const std::optional<std::uint64_t> next = search(walk, page.offset + 1);
  return next && *next < page.end() + kSmallestPage ? next : std::nullopt;
}

/// Returns the place to continue without an OffsetIndex. If the previous page has a wrong size, the next one
/// may begin in its body, or too close after it for another page between them.
std::optional<PageStarts::Jump> Recovery::beyond(const PageWalk& walk, bool affordable,
                                                 bool is_previous_lost) {
  const bool may_go_back = affordable && previous_body_offset_ != 0;
  std::optional<std::uint64_t> next = search(walk, may_go_back ? previous_body_offset_ : walk.offset() + 1);
  if (next == walk.offset()) next = search(walk, walk.offset() + 1);
  if (!next || *next <= last_found_offset_) return std::nullopt;
  last_found_offset_ = *next;
  const bool is_page_before = may_go_back && *next < walk.offset() + (is_previous_lost ? kSmallestPage : 0);
  PageStarts::Jump jump;
  jump.offset = *next;
  jump.ordinal = walk.ordinal() + (is_page_before ? 0 : 1);
  jump.first_lost = jump.ordinal - 1;
  jump.over_dictionary = jump.first_lost == 0;
  jump.is_counted = false;
  return jump;
}

Recovery::Action Recovery::recover(const PageWalk& walk, BadPage bad, bool is_previous_lost) {
  const bool is_previous_size_wrong = bad == BadPage::wrong_previous_size;
  // After a wrong size, the walk goes back to an earlier offset; this limits how much is read again.
  constexpr std::uint64_t kTimes = 4;
  const bool affordable = walked_bytes_ <= kTimes * (walk.extent().metadata_end - walk.extent().start);
  if (is_previous_size_wrong && !affordable) return Action::proceed;
  std::optional<PageStarts::Jump> found =
      starts(walk).beyond({walk.offset(), affordable ? previous_page_offset_ : walk.offset(), walk.ordinal(),
                           first_data_ordinal_, is_previous_size_wrong});
  if (!found && is_previous_size_wrong) return Action::proceed;
  if (!found) found = beyond(walk, affordable, is_previous_lost);
  if (!found) return Action::give_up;
  jump_ = *found;
  has_jumped_ = true;
  skipped_pages_ += jump_.ordinal - walk.ordinal();
  return Action::jump;
}

}  // namespace parqproof
