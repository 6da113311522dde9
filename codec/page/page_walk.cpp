#include "codec/page/page_walk.hpp"

#include <algorithm>
#include <string>

#include "codec/base/bits.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {

namespace {

// Max bytes of a header after the end of its chunk according to total_compressed_size. Without this limit,
// each of thousands of tiny chunks could read the same megabytes as a header.
constexpr std::uint64_t kMaxHeaderBytesPastChunk = std::uint64_t{16} << 10;

}  // namespace

PageWalk::PageWalk(PageReader& reader, const RegionMap& regions, const ChunkExtent& extent,
                   const Place& place)
    : reader_(reader), regions_(regions), extent_(extent), place_(place), offset_(extent.start) {
  place_.page = 0;
  reader_.enter(place);
  reader_.read_ahead_to(extent_.metadata_end);
}

std::uint64_t PageWalk::max_header_end(std::uint64_t offset, std::uint64_t bound) const noexcept {
  return std::min(bound, std::max(extent_.metadata_end, offset) + kMaxHeaderBytesPastChunk);
}

bool PageWalk::read_probe(std::uint64_t offset, std::uint64_t bound) {
  has_probe_ = false;
  if (offset >= bound) return false;
  const PageReader::State state = reader_.read_header(offset, max_header_end(offset, bound), {}, page_);
  const bool has_valid_header =
      state == PageReader::State::read && page_.sound && (page_.has_member() || page_.has_unknown_type());
  has_probe_ = has_valid_header && page_.can_be_skipped() && page_.end() <= bound && page_.num_values() >= 0;
  return has_probe_;
}

bool PageWalk::starts_with_page() { return read_probe(extent_.start, extent_.data_end); }

void PageWalk::begin_at_one_of(std::initializer_list<std::uint64_t> offsets,
                               std::int64_t total_compressed_size) {
  for (const std::uint64_t offset : offsets) {
    if (offset == extent_.start || offset >= extent_.data_end || !read_probe(offset, extent_.data_end))
      continue;
    extent_ = chunk_extent(offset, total_compressed_size, extent_.num_values, extent_.data_end);
    offset_ = offset;
    break;
  }
  reader_.read_ahead_to(extent_.metadata_end);
}

void PageWalk::move_past_page() noexcept {
  if (!on_page_) return;
  on_page_ = false;
  if (page_.is_data() && page_.has_member())
    entries_ = saturating_add(entries_, std::max<std::int64_t>(page_.num_values(), 0));
  offset_ = page_.end();
  ++place_.page;
}

void PageWalk::resume(std::uint64_t offset, std::int32_t ordinal) noexcept {
  on_page_ = has_probe_ = false;
  resumed_ = true;
  if (offset != reader_.next_header()) reader_.expect_any_page();
  offset_ = offset;
  place_.page = ordinal;
}

PageWalk::Step PageWalk::stop_at(Loss loss) noexcept {
  loss_ = loss;
  return Step::lost;
}

PageFault PageWalk::fault(Step step) const {
  const std::string_view field = "compressed_page_size";
  if (step == Step::unreadable) return PageFault::source_unreadable();
  if (step == Step::limit && page_.too_deep) {
    // thrift/nesting-depth
    const std::uint32_t limit = reader_.limits().nesting;
    return PageFault::in_bytes({.offset = offset_, .rule = Rule::thrift_nesting_depth},
                               contrast(std::uint64_t{limit} + 1, limit));
  }
  if (step == Step::limit) {
    // limit/page-size
    return PageFault::in_bytes({.offset = offset_, .rule = Rule::limit_page_size},
                               contrast("a page header", reader_.limits().page_header_bytes()));
  }
  switch (loss_) {
    case Loss::none:
    case Loss::framing:
    case Loss::module:
      break;
    case Loss::size_missing:
      return PageFault::in_header(Rule::thrift_required_field, field, contrast(kAbsent, field));
    case Loss::size_negative:
      // page/size-negative
      return PageFault::in_header(Rule::page_size_negative, field,
                                  contrast(page_.header.compressed_page_size, or_more(0)));
    case Loss::beyond_bound:
      // page/within-chunk
      return PageFault::in_header(Rule::page_within_chunk, field,
                                  contrast(page_.header.compressed_page_size, at_most(bound_ - page_.body)));
  }
  // page/within-chunk
  return PageFault::in_bytes({.offset = offset_, .rule = Rule::page_within_chunk},
                             contrast("nothing", "a page header"));
}

PageWalk::Step PageWalk::next(Findings* findings) {
  move_past_page();
  loss_ = Loss::none;
  const bool has_all_entries = entries_ >= extent_.num_values;
  if (offset_ >= extent_.data_end || (offset_ == extent_.metadata_end && (has_all_entries || resumed_)))
    return Step::end;
  // The metadata requires a page until num_values entries were read or total_compressed_size is reached. If
  // num_values is 0, it requires pages up to total_compressed_size.
  const bool past_metadata_end = offset_ >= extent_.metadata_end;
  const bool is_required = !past_metadata_end && (!has_all_entries || extent_.num_values == 0);
  if (!is_required && offset_ != extent_.start && regions_.starts_at(offset_)) return Step::end;
  const std::uint64_t next_region = regions_.next_start(offset_, extent_.data_end);
  bound_ = std::max(extent_.metadata_end, next_region);
  // A valid page that the metadata does not require is part of the chunk: the metadata is wrong.
  if (!is_required && !read_probe(offset_, past_metadata_end ? next_region : extent_.metadata_end))
    return Step::end;

  const std::uint64_t header_bound = max_header_end(offset_, is_required ? bound_ : extent_.data_end);
  page_.place = place_;
  // A header with faults is read again, to report them.
  const bool has_header =
      has_probe_ && page_.offset == offset_ && page_.body <= header_bound && page_.faults == 0;
  has_probe_ = false;
  if (!has_header) {
    switch (reader_.read_header(offset_, header_bound, {findings, place_, {}}, page_)) {
      case PageReader::State::read:
        break;
      case PageReader::State::framing_lost:
        return stop_at(reader_.sealed_end() != 0 ? Loss::module : Loss::framing);
      case PageReader::State::limit:
        return Step::limit;
      case PageReader::State::unreadable:
        return Step::unreadable;
    }
  }
  if (!page_.header.has(PageHeader::id_compressed_page_size)) return stop_at(Loss::size_missing);
  if (!page_.can_be_skipped()) return stop_at(Loss::size_negative);
  if (page_.end() > bound_) return stop_at(Loss::beyond_bound);
  on_page_ = true;
  return Step::page;
}

}  // namespace parqproof
