#include "codec/rules/finding.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace parqproof {
namespace {

/// A sort key by place in the file: findings in the body of a page follow those in its header.
auto place_in_file(const Finding& finding) {
  const bool in_page = finding.space == Space::page;
  return std::tuple(finding.file_position(), in_page, in_page ? finding.offset : 0);
}

bool is_error(Rule rule) { return info(rule).severity == Severity::error; }

void cut(std::string& text, std::size_t most) {
  if (text.size() <= most) return;
  text.resize(most);
  text += "...";
}

}  // namespace

void FindingValue::shorten(std::size_t most) {
  if (auto* const phrase = std::get_if<Phrase>(&value_)) cut(phrase->text, most);
  if (auto* const literal = std::get_if<Literal>(&value_)) cut(literal->text, most);
}

std::string general_field(std::string_view field) {
  std::string out;
  for (std::size_t at = 0; at < field.size(); ++at) {
    out += field[at];
    if (field[at] != '[') continue;
    const std::size_t end = field.find_first_not_of("0123456789", at + 1);
    if (end == field.npos || end == at + 1 || field[end] != ']') continue;
    out += '*';
    at = end - 1;
  }
  return out;
}

/// Returns true if the finding is to be kept; otherwise counts it, unless it is a consequence.
bool Findings::keep(const Finding& finding) {
  if (finding.caused_by) return consequences_ < kept_;
  if ((is_error(finding.rule) ? errors_ : list_.size() - errors_ - consequences_) < kept_) return true;
  const auto [count, fresh] = count_of({finding.rule, finding.place.leaf, general_field(finding.field)});
  if (!fresh) *count += finding.times;
  return fresh;
}

/// The counter of the likeness, and true if the counter is new.
std::pair<std::uint64_t*, bool> Findings::count_of(Likeness likeness) {
  if (dropped_.size() >= kept_ && !dropped_.contains(likeness))
    likeness = {likeness.rule, -1, std::string(Likeness::kOtherFields)};
  const auto [at, fresh] = dropped_.try_emplace(std::move(likeness), 0);
  return {&at->second, fresh};
}

void Findings::add(Finding finding) {
  if (!wants(finding.rule)) return;
  if (!finding.caused_by) broken_.set(static_cast<std::size_t>(finding.rule));
  const bool once = reported_once(finding.rule);
  const bool in_chunk = finding.place.row_group >= 0 && finding.place.leaf >= 0;
  if (once || in_chunk) {
    const std::int32_t row_group = once ? -1 : finding.place.row_group;
    const std::int32_t leaf = once ? -1 : finding.place.leaf;
    const auto [at, fresh] = first_.try_emplace(
        {finding.rule, row_group, leaf, finding.space == Space::metadata, finding.caused_by}, list_.size());
    if (!fresh) {
      Finding& first = list_[at->second];
      const bool same_chunk = in_chunk && first.place.row_group == finding.place.row_group &&
                              first.place.leaf == finding.place.leaf;
      const std::uint64_t times = first.times + (once && same_chunk ? 0 : finding.times);
      if (place_in_file(finding) < place_in_file(first)) first = std::move(finding);
      first.times = times;
      return;
    }
    if (!keep(finding)) {
      first_.erase(at);
      return;
    }
  } else if (!keep(finding)) {
    return;
  }
  count(finding);
  list_.push_back(std::move(finding));
}

void Findings::count(const Finding& kept) {
  if (kept.caused_by) {
    ++consequences_;
  } else if (is_error(kept.rule)) {
    ++errors_;
  }
}

bool Findings::counts_again(Rule rule, const Place& place, Space space) noexcept {
  const auto at = first_.find({rule, -1, -1, space == Space::metadata, {}});
  if (at == first_.end() || !wants(rule) || !reported_once(rule)) return false;
  Finding& first = list_[at->second];
  const bool same_chunk = place.row_group >= 0 && place.leaf >= 0 &&
                          first.place.row_group == place.row_group && first.place.leaf == place.leaf;
  if (!same_chunk) ++first.times;
  return true;
}

void Findings::attribute(Rule cause, std::size_t from,
                         const std::function<bool(const Finding&)>& is_consequence) {
  const auto begin = list_.begin() + static_cast<std::ptrdiff_t>(from);
  const auto is_new = [&](const Finding& one) { return !one.caused_by && is_consequence(one); };
  if (std::none_of(begin, list_.end(), is_new)) return;
  std::vector<Finding> again(std::make_move_iterator(begin), std::make_move_iterator(list_.end()));
  list_.erase(begin, list_.end());
  std::erase_if(first_, [&](const auto& one) { return one.second >= from; });
  recount();
  for (Finding& finding : again) {
    if (is_new(finding)) finding.caused_by = cause;
    add(std::move(finding));
  }
}

void Findings::fold() {
  first_.clear();
  std::erase_if(list_, [](const Finding& one) { return one.caused_by.has_value(); });
  recount();
}

/// Computes broken_ and the numbers of findings from list_ again.
void Findings::recount() {
  errors_ = consequences_ = 0;
  for (const Finding& finding : list_) count(finding);
  if (!dropped_.empty()) return;
  broken_.reset();
  for (const Finding& finding : primary()) broken_.set(static_cast<std::size_t>(finding.rule));
}

void Findings::merge(Findings&& other) {
  broken_ |= other.broken_;
  for (Finding& finding : other.list_) add(std::move(finding));
  for (const auto& [likeness, times] : other.dropped_) *count_of(likeness).first += times;
}

void Findings::hand_over_metadata(Findings& to) {
  first_.clear();
  const auto rest = std::ranges::stable_partition(
      list_, [](const Finding& finding) { return finding.space != Space::metadata; });
  for (Finding& finding : rest) {
    finding.space = Space::file;
    to.add(std::move(finding));
  }
  list_.erase(rest.begin(), rest.end());
  recount();
}

bool Findings::has_error_at(const Place& place) const {
  return std::ranges::any_of(
      list_, [&](const Finding& one) { return !one.caused_by && one.place == place && is_error(one.rule); });
}

void Findings::sort() {
  first_.clear();
  std::ranges::stable_sort(list_, [](const Finding& a, const Finding& b) {
    const auto key = [](const Finding& finding) { return std::tuple(place_in_file(finding), finding.rule); };
    return key(a) < key(b);
  });
}

}  // namespace parqproof
