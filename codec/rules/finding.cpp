#include "codec/rules/finding.hpp"

#include <algorithm>
#include <utility>

namespace parqproof {

void Findings::add(Finding finding) {
  if (!wants(finding.rule)) return;
  seen_.set(static_cast<std::size_t>(finding.rule));
  if (finding.place.row_group >= 0 && finding.place.leaf >= 0) {
    const auto [at, fresh] =
        first_.try_emplace({finding.rule, finding.place.row_group, finding.place.leaf}, list_.size());
    if (!fresh && at->second < list_.size()) {
      list_[at->second].times += finding.times;
      return;
    }
  }
  if (list_.size() >= kKept) {
    ++dropped_;
    return;
  }
  list_.push_back(std::move(finding));
}

void Findings::merge(Findings&& other) {
  seen_ |= other.seen_;
  dropped_ += other.dropped_;
  for (Finding& finding : other.list_) add(std::move(finding));
}

void Findings::sort() {
  first_.clear();
  std::ranges::stable_sort(list_, [](const Finding& a, const Finding& b) {
    const auto key = [](const Finding& f) {
      return std::tuple(f.file_position(), f.space == Space::page, f.space == Space::page ? f.offset : 0,
                        f.rule);
    };
    return key(a) < key(b);
  });
}

}  // namespace parqproof
