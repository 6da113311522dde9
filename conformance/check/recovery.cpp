#include "conformance/check/recovery.hpp"

namespace parqproof {

void Recovery::took(const Page& page) noexcept {
  if (page.is_data() && !first_data_) first_data_ = page.ordinal();
  last_page_ = page.offset;
  walked_bytes_ += page.end() - page.offset;
}

const PageStarts& Recovery::starts(const PageWalk& walk) {
  if (!starts_)
    starts_.emplace(offset_index_, walk.extent().start, walk.extent().claimed_end, first_data_offset_,
                    source_, limits_);
  return *starts_;
}

bool Recovery::denies(const PageWalk& walk, const Page& page) {
  return starts(walk).contradicts(page.offset, page.end());
}

Recovery::Action Recovery::lost(const PageWalk& walk, bool astray) {
  // A wrong size makes the walk go back to an earlier offset; this bounds how much is walked again.
  constexpr std::uint64_t kTimes = 4;
  const bool affordable = walked_bytes_ <= kTimes * (walk.extent().claimed_end - walk.extent().start);
  if (astray && !affordable) return Action::proceed;
  const std::optional<PageStarts::Jump> found = starts(walk).beyond(
      {walk.at(), affordable ? last_page_ : walk.at(), walk.ordinal(), first_data_, astray});
  if (!found) return astray ? Action::proceed : Action::give_up;
  jump_ = *found;
  has_jumped_ = true;
  passed_over_ += jump_.ordinal - walk.ordinal();
  return Action::jump;
}

}  // namespace parqproof
