#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codec/base/text.hpp"
#include "conformance/diagnosis/transfer/hypotheses.hpp"

namespace parqproof {
namespace {

/// A trial reads the file once.
constexpr std::size_t kMostCuts = 4;

/// The structures [first, last) of the footer.
struct Cut {
  std::size_t first = 0;
  std::size_t last = 0;
  ByteRange bytes;  ///< in the file as it was
};

/// Finds what is missing, there twice or in another order as whole structures.
class CutFinder {
 public:
  explicit CutFinder(const Evidence& evidence)
      : evidence_(evidence), stated_(evidence.stated), probe_(evidence.as_is) {}

  Explanations run() {
    std::uint64_t reach = kMagicBytes;
    for (const Region& one : stated_) {
      if (one.offset < reach) return {};
      reach = one.end();
    }
    while (in_front_ < stated_.size() && probe_.is_at(stated_[in_front_], 0)) ++in_front_;
    const std::uint64_t data_end = evidence_.data_end;
    const std::uint64_t footer = evidence_.footer;
    if (in_front_ == stated_.size() && footer >= data_end) return {};
    if (footer < data_end)
      find_missing(data_end - footer);
    else if (footer > data_end)
      find_twice(footer - data_end);
    else
      find_swapped();
    return probe_.exhausted() ? Explanations() : std::move(out_);
  }

 private:
  /// Returns the first structure from which on all are `shift` bytes after their offsets.
  std::size_t first_behind(std::int64_t shift) {
    std::size_t first = stated_.size();
    while (first > 0 && probe_.is_at(stated_[first - 1], shift)) --first;
    return first;
  }

  void find_missing(std::uint64_t count) {
    const std::size_t behind = first_behind(-static_cast<std::int64_t>(count));
    for (std::size_t first = 0; first <= in_front_ && first < stated_.size(); ++first) {
      const std::uint64_t begin = stated_[first].offset;
      for (std::size_t last = first + 1; last <= stated_.size(); ++last) {
        const std::uint64_t next = last == stated_.size() ? evidence_.data_end : stated_[last].offset;
        const std::uint64_t end = stated_[last - 1].end();
        if (end > begin + count) break;
        if (last < behind || (end != begin + count && next != begin + count)) continue;
        if (is_enough(first, last)) add_missing({first, last, {begin, begin + count}});
        break;
      }
    }
  }

  /// Returns false if one structure with a wrong size would look alike.
  [[nodiscard]] bool is_enough(std::size_t first, std::size_t last) const {
    const auto chunks =
        std::ranges::count(stated_.subspan(first, last - first), Region::Kind::column_chunk, &Region::kind);
    return chunks >= 2 || (chunks == 1 && stated_.size() - last >= 2);
  }

  void find_twice(std::uint64_t count) {
    const std::size_t behind = first_behind(static_cast<std::int64_t>(count));
    for (std::size_t last = std::max<std::size_t>(behind, 1); last <= std::min(in_front_, stated_.size());
         ++last) {
      const std::uint64_t end = last == stated_.size() ? stated_[last - 1].end() : stated_[last].offset;
      const auto first = std::ranges::lower_bound(stated_, end - std::min(end, count), {}, &Region::offset);
      if (first != stated_.end() && first->offset + count == end && probe_.repeats(end, count))
        add_twice({static_cast<std::size_t>(first - stated_.begin()), last, {end - count, end}});
    }
  }

  /// Neighbouring row groups.
  void find_swapped() {
    std::vector<Cut> groups;
    for (std::size_t i = 0; i < stated_.size(); ++i) {
      const Region& one = stated_[i];
      if (one.kind != Region::Kind::column_chunk) break;
      if (groups.empty() || stated_[groups.back().first].row_group != one.row_group)
        groups.push_back({i, i, {one.offset, 0}});
      groups.back().last = i + 1;
      groups.back().bytes.end = one.end();
    }
    for (std::size_t i = 0; i < groups.size() && groups[i].first <= in_front_; ++i) {
      for (std::size_t k = i + 1; k < groups.size(); ++k) {
        if (groups[k].last > in_front_) find_swapped(std::span(groups).subspan(i, k - i + 1));
      }
    }
  }

  /// Adds the first and the last of these row groups if they are in each other's place. The bytes after the
  /// first may have moved with it.
  void find_swapped(std::span<const Cut> groups) {
    const Cut& first = groups.front();
    const Cut& second = groups.back();
    const auto between = static_cast<std::int64_t>(groups[1].bytes.begin - first.bytes.end);
    const auto shift_of = [](std::uint64_t from, std::uint64_t to) {
      return static_cast<std::int64_t>(to) - static_cast<std::int64_t>(from);
    };
    if (!are_at(second, shift_of(second.bytes.begin, first.bytes.begin))) return;
    const std::int64_t back = shift_of(first.bytes.end, second.bytes.end);
    for (const std::int64_t moved : {between, std::int64_t{0}}) {
      const std::int64_t longer = back - shift_of(first.bytes.end, second.bytes.begin) -
                                  shift_of(first.bytes.begin, first.bytes.end) - moved;
      if (!are_at(first, back - moved)) continue;
      const auto stay = groups.subspan(1, groups.size() - 2);
      if (std::ranges::all_of(stay, [&](const Cut& one) { return are_at(one, longer); }))
        return add_swapped(first, second, static_cast<std::uint64_t>(moved));
    }
  }

  bool are_at(const Cut& group, std::int64_t shift) {
    return std::ranges::all_of(stated_.subspan(group.first, group.last - group.first),
                               [&](const Region& one) { return probe_.is_at(one, shift); });
  }

  [[nodiscard]] std::string name_of(const Cut& cut) const {
    const Region& first = stated_[cut.first];
    const Region& last = stated_[cut.last - 1];
    const bool begins = cut.first == 0 || stated_[cut.first - 1].row_group != first.row_group;
    const bool ends = cut.last == stated_.size() || stated_[cut.last].row_group != last.row_group;
    if (begins && ends && first.row_group == last.row_group)
      return fmt::format("row group {}", first.row_group);
    return fmt::format("{} from row group {}, leaf {} on", counted(cut.last - cut.first, "structure"),
                       first.row_group, first.leaf);
  }

  void add(Explanation one) {
    if (out_.size() < kMostCuts) out_.push_back(std::move(one));
  }

  void add_missing(const Cut& cut) {
    const std::uint64_t count = cut.bytes.size();
    add({.cause = moved_finding(Rule::file_bytes_missing, {cut.bytes.begin, cut.bytes.begin}, count,
                                fmt::format(" at byte {}: {}", cut.bytes.begin, name_of(cut))),
         .restored = made_of(evidence_.source,
                             {{0, cut.bytes.begin, count}, {cut.bytes.begin, evidence_.source.size(), 0}}),
         .gone = {cut.bytes}});
  }

  void add_twice(const Cut& cut) {
    const std::uint64_t end = cut.bytes.end;
    add(inserted(evidence_, {end, end + cut.bytes.size()},
                 fmt::format(" at byte {}, which repeat those in front of them: {} is there twice", end,
                             name_of(cut))));
  }

  /// `moved`: so many bytes after the first have moved with it.
  void add_swapped(const Cut& first, const Cut& second, std::uint64_t moved) {
    // In the file at hand.
    const std::uint64_t second_end = first.bytes.begin + second.bytes.size();
    const std::uint64_t first_begin = second.bytes.end - moved - first.bytes.size();
    add({.cause =
             damage_finding(Rule::file_block_order, {first.bytes.begin, second.bytes.end},
                            contrast(fmt::format("row groups {} and {}", stated_[first.first].row_group,
                                                 stated_[second.first].row_group),
                                     "row groups in their order",
                                     fmt::format(": the first follows the second, at byte {}", first_begin))),
         .restored = made_of(evidence_.source, {{0, first.bytes.begin, 0},
                                                {first_begin, second.bytes.end, 0},
                                                {second_end, first_begin, 0},
                                                {first.bytes.begin, second_end, 0},
                                                {second.bytes.end, evidence_.source.size(), 0}})});
  }

  const Evidence& evidence_;
  std::span<const Region> stated_;
  StructureProbe probe_;
  std::size_t in_front_ = 0;  // so many structures are at their offsets, up to the first that is not
  Explanations out_;
};

}  // namespace

Explanations find_whole_structures(const Evidence& evidence) {
  if (evidence.stated.empty()) return {};
  return CutFinder(evidence).run();
}

}  // namespace parqproof
