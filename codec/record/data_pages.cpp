#include "codec/record/data_pages.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/page/header_faults.hpp"
#include "codec/page/levels.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {
namespace {

constexpr std::string_view kUncompressedSize = "uncompressed_page_size";

/// Pages are searched only in the bytes of their chunk.
const RegionMap kNoRegions;

}  // namespace

void DataPages::release() noexcept {
  context_->held -= held_page_ + held_dictionary_;
  held_page_ = held_dictionary_ = 0;
}

void DataPages::open(const StoredChunk& chunk) {
  // The parts of a chunk share its dictionary.
  const bool keeps = chunk.part && chunk_.part && chunk.source == chunk_.source && dictionary_.known() &&
                     chunk.part->dictionary == chunk_.part->dictionary;
  if (chunk.source != chunk_.source)
    reader_.emplace(*chunk.source, context_->limits, ahead_, std::exchange(context_->room, {}));
  chunk_ = chunk;
  lacks_dictionary_ = !keeps && chunk_.part && chunk_.part->dictionary_end != 0;
  chunk_.extent.data_end = chunk_.extent.metadata_end;
  begin();
  entries_ = 0;
  asked_ = chunk_.part.has_value();  // the pages of a part are known to be intact
  found_.reset();
  if (chunk_.part) found_ = FoundPages{std::nullopt, true};
  unknown_type_.reset();
  budget_ = Budget(context_->limits.work);
  const std::uint64_t held = keeps ? std::exchange(held_dictionary_, 0) : 0;
  release();
  held_dictionary_ = held;
  if (!keeps) dictionary_.clear();
}

/// Starts at the first page of the extent.
void DataPages::begin() {
  walk_.emplace(*reader_, kNoRegions, chunk_.extent, chunk_place(chunk_, leaf_));
  if (chunk_.part && !lacks_dictionary_) walk_->resume(chunk_.extent.start, chunk_.part->ordinal);
}

/// Reads the dictionary page that a part needs, and goes to the first page of the part.
PageResult<void> DataPages::open_dictionary() {
  const ChunkExtent pages = chunk_.extent;
  const ChunkPart& part = *chunk_.part;
  chunk_.extent = {part.dictionary, part.dictionary_end, part.dictionary_end, 0};
  begin();
  const PageResult<bool> read = next_in_extent();
  if (!read) return page_fault(*read.error());
  lacks_dictionary_ = false;
  chunk_.extent = pages;
  begin();
  return {};
}

PageResult<bool> DataPages::next() {
  if (lacks_dictionary_) {
    if (PageResult<void> read = open_dictionary(); !read) return std::unexpected(std::move(read.error()));
  }
  PageResult<bool> page = next_in_extent();
  const bool lacks_entries = page && !*page && entries_ < chunk_.extent.num_values;
  if (page && !lacks_entries) return page;
  if (relocate(entries_)) return next();
  if (!lacks_entries) return page;
  // page/unknown-type
  if (unknown_type_)
    return page_fault(
        PageFault::in_chunk(Rule::page_unknown_type, {}, contrast(*unknown_type_, between(0, 3))));
  if (!is_misread()) return page;
  // column-chunk/num-values
  return page_fault(PageFault::in_chunk(Rule::column_chunk_num_values, "meta_data.num_values",
                                        contrast(chunk_.extent.num_values, entries_)));
}

PageResult<bool> DataPages::next_in_extent() {
  for (;;) {
    const PageWalk::Step step = walk_->next(nullptr);
    if (step == PageWalk::Step::end) return false;
    if (step != PageWalk::Step::page) return page_fault(walk_->fault(step));
    if (page().has_unknown_type()) unknown_type_ = static_cast<std::int32_t>(page().header.type);
    if (!page().is_data() && !page().is_dictionary() && !type_by_member(page())) continue;
    if (std::optional<PageFault> fault = header_fault()) return page_fault(std::move(*fault));
    if (page().is_dictionary()) {
      if (dictionary_.known()) continue;
      if (PageResult<void> read = read_dictionary(); !read) return std::unexpected(std::move(read.error()));
      continue;
    }
    if (PageResult<void> read = read_parts(); !read) return std::unexpected(std::move(read.error()));
    entries_ = saturating_add(entries_, page().num_values());
    if (parts_.count != 0) return true;
  }
}

/// Searches for the pages of the chunk.
const std::optional<FoundPages>& DataPages::find() {
  if (!std::exchange(asked_, true) && context_->find_pages) found_ = context_->find_pages(chunk_, leaf_);
  return found_;
}

bool DataPages::is_misread() { return find() && !found_->complete; }

/// Returns true if the pages of the chunk are not where they were read. Reading then continues after the
/// `delivered` entries, or begins again if there are none.
bool DataPages::relocate(std::int64_t delivered) {
  if (!find() || !found_->extent) return false;
  const ChunkExtent& found = *found_->extent;
  const ChunkExtent& extent = chunk_.extent;
  if (found.start == extent.start && found.metadata_end <= extent.metadata_end) return false;
  if (delivered != 0 && found.start != extent.start) return false;
  chunk_.extent = found;
  const std::uint64_t at = walk_->offset();
  const std::int32_t ordinal = walk_->ordinal();
  begin();
  if (delivered != 0) {
    walk_->resume(at, ordinal);
  } else {
    entries_ = 0;
    dictionary_.clear();
  }
  return true;
}

/// Returns the fault that prevents the current page from being read by its header; if none, counts its bytes
/// as held.
std::optional<PageFault> DataPages::header_fault() {
  std::vector<HeaderFault> faults = header_faults(page(), leaf());
  if (page().is_dictionary() && chunk_.has_plain_dictionary) {
    std::erase_if(faults,
                  [](const HeaderFault& one) { return one.fault.rule() == Rule::page_unknown_encoding; });
  }
  if (!faults.empty()) return std::move(faults.front().fault);
  const auto claimed = static_cast<std::uint64_t>(page().header.uncompressed_page_size);
  std::uint64_t more = 0;
  if (page().is_dictionary() && leaf().type == Type::BYTE_ARRAY)
    more = std::min(claimed / 4, static_cast<std::uint64_t>(page().num_values())) * sizeof(ByteArray);
  std::uint64_t& held = page().is_dictionary() ? held_dictionary_ : held_page_;
  const std::uint64_t others = context_->held - held;
  std::optional<PageFault> fault = ceiling_fault(page(), context_->limits, others, more);
  if (fault) return fault;
  held = claimed + page().stored_size() + more;
  context_->held = others + held;
  return std::nullopt;
}

PageResult<View> DataPages::open_body(Buffer& room) {
  Notes passed_over;
  const PageContent::State state = content_.open(*reader_, page(), chunk_.codec, true, room, passed_over);
  if (state == PageContent::State::unreadable) return page_fault(PageFault::source_unreadable());
  // page/uncompressed-equals-compressed: the sizes contradict is_compressed.
  if (content_.is_mislabelled() && is_misread()) {
    return page_fault(PageFault::in_header(
        Rule::page_uncompressed_equals_compressed, kUncompressedSize,
        contrast(page().header.uncompressed_page_size, page().header.compressed_page_size)));
  }
  if (state == PageContent::State::closed) return page_fault(content_.fault());
  // Some writers store one of two other checksums; a page that matches one of them is intact.
  if (content_.checksum() == Checksum::wrong) {
    if (!context_->ignores_checksums) return page_fault(*content_.checksum_fault(page()));
    ++context_->wrong_checksums;
  }
  budget_.earn(content_.stored().size());
  if (content_.is_compressed()) budget_.earn(content_.image().size());
  return content_.image();
}

PageResult<void> DataPages::read_dictionary() {
  const PageResult<View> opened = open_body(dictionary_bytes_);
  if (!opened) return page_fault(*opened.error());
  View image = *opened;
  if (image.data() != dictionary_bytes_.data()) {  // it outlives the window over the file
    if (!dictionary_bytes_.resize(image.size()))
      return page_fault(
          PageFault::in_header(Rule::limit_memory, kUncompressedSize, contrast(image.size(), "less")));
    if (!image.empty()) std::memcpy(dictionary_bytes_.data(), image.data(), image.size());
    image.bytes = {dictionary_bytes_.data(), image.size()};
  }
  const Status decoded =
      dictionary_.open(image, leaf(), static_cast<std::uint64_t>(page().num_values()), context_->limits);
  dictionary_page_ = {page().body,        page().stored_size(),      image.size(),
                      dictionary_.size(), page().module.has_value(), image,
                      page().offset,      page().place.page};
  if (decoded) return {};
  if (decoded.error().rule != Rule::dictionary_entry_count)
    return page_fault(PageFault::in_bytes(decoded.error()));
  return page_fault(PageFault::in_header(Rule::dictionary_entry_count, "dictionary_page_header.num_values",
                                         entries_of(page().num_values(), decoded.error())));
}

/// Returns true if the counts of a v2 page without lists contradict each other and the page is lost
/// therefore.
bool DataPages::counts_amiss() {
  const DataPageHeaderV2& header = page().header.data_page_header_v2;
  return page().is_v2() && leaf().max_repetition == 0 && header.has(DataPageHeaderV2::id_num_rows) &&
         header.num_rows != header.num_values && is_misread();
}

PageResult<void> DataPages::read_parts() {
  // page/num-values
  if (counts_amiss()) {
    const DataPageHeaderV2& header = page().header.data_page_header_v2;
    return page_fault(PageFault::in_header(Rule::page_num_values, "data_page_header_v2.num_values",
                                           contrast(header.num_values, header.num_rows)));
  }
  const PageResult<View> image = open_body(image_);
  if (!image) return page_fault(*image.error());
  const Result<DataPageParts> parts = split_data_page(page(), *image, leaf());
  if (!parts) return page_fault(PageFault::in_bytes(parts.error()));
  parts_ = *parts;
  if (!may_have_length_prefixes(page(), parts_)) return {};
  const LevelReader levels(context_->schema, leaf_);  // large, and rarely needed
  (void)skip_length_prefixes(page(), levels, parts_);
  return {};
}

}  // namespace parqproof
