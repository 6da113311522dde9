#include "conformance/chunk/recovery.hpp"

#include "codec/page/page_search.hpp"

namespace parqproof {

bool Recovery::is_header_gone(const FileInput& input, PageWalk& walk, PageReader& reader) {
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

PageFault Recovery::fault_of_misread(const Page& page, std::uint64_t next) {
  return PageFault::in_header(
      Rule::page_compressed_size, "compressed_page_size",
      contrast(page.header.compressed_page_size, std::max(next, page.body) - page.body));
}

void Recovery::took(const Page& page) noexcept {
  if (page.is_data() && !first_data_) first_data_ = page.ordinal();
  last_page_ = page.offset;
  last_body_ = page.body;
  walked_bytes_ += page.end() - page.offset;
}

const PageStarts& Recovery::starts(const PageWalk& walk) {
  if (!starts_)
    starts_.emplace(offset_index_, walk.extent().start, walk.extent().metadata_end, first_data_offset_,
                    source_, limits_);
  return *starts_;
}

bool Recovery::contradicts(const PageWalk& walk, const Page& page) {
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
                                                 bool has_lost_before) {
  const bool may_go_back = affordable && last_body_ != 0;
  std::optional<std::uint64_t> next = search(walk, may_go_back ? last_body_ : walk.offset() + 1);
  if (next == walk.offset()) next = search(walk, walk.offset() + 1);
  if (!next || *next <= found_) return std::nullopt;  // each search must get further than the one before
  found_ = *next;
  const bool is_page_before = may_go_back && *next < walk.offset() + (has_lost_before ? kSmallestPage : 0);
  PageStarts::Jump jump;
  jump.offset = *next;
  jump.ordinal = walk.ordinal() + (is_page_before ? 0 : 1);
  jump.first_lost = jump.ordinal - 1;
  jump.over_dictionary = jump.first_lost == 0;
  jump.is_counted = false;
  return jump;
}

Recovery::Action Recovery::lost(const PageWalk& walk, bool astray, bool has_lost_before) {
  // After a wrong size, the walk goes back to an earlier offset; this limits how much is read again.
  constexpr std::uint64_t kTimes = 4;
  const bool affordable = walked_bytes_ <= kTimes * (walk.extent().metadata_end - walk.extent().start);
  if (astray && !affordable) return Action::proceed;
  std::optional<PageStarts::Jump> found = starts(walk).beyond(
      {walk.offset(), affordable ? last_page_ : walk.offset(), walk.ordinal(), first_data_, astray});
  if (!found && astray) return Action::proceed;
  if (!found) found = beyond(walk, affordable, has_lost_before);
  if (!found) return Action::give_up;
  jump_ = *found;
  has_jumped_ = true;
  passed_over_ += jump_.ordinal - walk.ordinal();
  return Action::jump;
}

}  // namespace parqproof
