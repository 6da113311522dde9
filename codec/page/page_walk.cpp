#include "codec/page/page_walk.hpp"

#include <algorithm>
#include <string>

#include "codec/base/bits.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {

namespace {

// A header may extend so far beyond the end of its chunk in the metadata. Without the limit, thousands of
// chunks of a few bytes could each read the same megabytes as a header.
constexpr std::uint64_t kMaxHeaderBytesPastClaim = std::uint64_t{16} << 10;

}  // namespace

PageWalk::PageWalk(PageReader& reader, const RegionMap& regions, const ChunkExtent& extent,
                   const Place& place)
    : reader_(reader), regions_(regions), extent_(extent), place_(place), at_(extent.start) {
  place_.page = 0;
  reader_.read_ahead_to(extent_.claimed_end);
}

std::uint64_t PageWalk::header_end(std::uint64_t offset, std::uint64_t bound) const noexcept {
  return std::min(bound, std::max(extent_.claimed_end, offset) + kMaxHeaderBytesPastClaim);
}

bool PageWalk::plausible(std::uint64_t offset, std::uint64_t bound) {
  probed_ = false;
  if (offset >= bound) return false;
  const PageReader::State state = reader_.read_header(offset, header_end(offset, bound), {}, page_);
  const bool sound = state == PageReader::State::read && page_.sound && page_.can_be_passed() &&
                     page_.end() <= bound && page_.num_values() >= 0 &&
                     (page_.has_member() || page_.has_unknown_type());
  probed_ = sound;
  return sound;
}

bool PageWalk::starts_with_page() { return plausible(extent_.start, extent_.data_end); }

void PageWalk::begin_at_one_of(std::initializer_list<std::uint64_t> offsets,
                               std::int64_t total_compressed_size) {
  for (const std::uint64_t offset : offsets) {
    if (offset == extent_.start || offset >= extent_.data_end || !plausible(offset, extent_.data_end))
      continue;
    const bool fits = total_compressed_size <= static_cast<std::int64_t>(extent_.data_end - extent_.start);
    extent_ = chunk_extent(offset, fits ? total_compressed_size : -1, extent_.num_values, extent_.data_end);
    at_ = offset;
    break;
  }
  reader_.read_ahead_to(extent_.claimed_end);
}

void PageWalk::pass() noexcept {
  if (!on_page_) return;
  on_page_ = false;
  if (page_.is_data() && page_.has_member())
    entries_ = saturating_add(entries_, std::max<std::int64_t>(page_.num_values(), 0));
  at_ = page_.end();
  ++place_.page;
}

void PageWalk::resume(std::uint64_t offset, std::int32_t ordinal) noexcept {
  on_page_ = probed_ = false;
  resumed_ = true;
  at_ = offset;
  place_.page = ordinal;
}

PageWalk::Step PageWalk::lose(Loss loss) noexcept {
  loss_ = loss;
  return Step::lost;
}

PageFault PageWalk::fault(Step step) const {
  const std::string_view field = "compressed_page_size";
  if (step == Step::unreadable) return PageFault::source_unreadable();
  // limit/page-size
  if (step == Step::limit && !page_.too_deep) {
    return PageFault::in_bytes({.offset = at_, .rule = Rule::limit_page_size},
                               contrast("a page header", reader_.limits().page_header_bytes()));
  }
  switch (loss_) {
    case Loss::none:
    case Loss::framing:
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
  return PageFault::in_bytes({.offset = at_, .rule = Rule::page_within_chunk},
                             contrast("nothing", "a page header"));
}

PageWalk::Step PageWalk::next(Findings* findings) {
  pass();
  loss_ = Loss::none;
  const bool met = entries_ >= extent_.num_values;
  if (at_ >= extent_.data_end || (at_ == extent_.claimed_end && (met || resumed_))) return Step::end;
  const bool past_claim = at_ >= extent_.claimed_end;
  const bool called_for = !past_claim && (!met || extent_.num_values == 0);
  if (!called_for && at_ != extent_.start && regions_.starts_at(at_)) return Step::end;
  const std::uint64_t next_region = regions_.next_start(at_, extent_.data_end);
  bound_ = std::max(extent_.claimed_end, next_region);
  // The metadata requires no further page, but there is one: the metadata is wrong.
  if (!called_for && !plausible(at_, past_claim ? next_region : extent_.claimed_end)) return Step::end;

  const std::uint64_t header_bound = header_end(at_, called_for ? bound_ : extent_.data_end);
  page_.place = place_;
  const bool known = probed_ && page_.offset == at_ && page_.body <= header_bound && page_.faults == 0;
  probed_ = false;
  if (!known) {
    switch (reader_.read_header(at_, header_bound, {findings, place_, {}}, page_)) {
      case PageReader::State::read:
        break;
      case PageReader::State::framing_lost:
        return lose(Loss::framing);
      case PageReader::State::limit:
        return Step::limit;
      case PageReader::State::unreadable:
        return Step::unreadable;
    }
  }
  if (!page_.header.has(PageHeader::id_compressed_page_size)) return lose(Loss::size_missing);
  if (!page_.can_be_passed()) return lose(Loss::size_negative);
  if (page_.end() > bound_) return lose(Loss::beyond_bound);
  on_page_ = true;
  return Step::page;
}

}  // namespace parqproof
