#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/base/text.hpp"
#include "conformance/diagnosis/transfer/hypotheses.hpp"

namespace parqproof {
namespace {

using Shift = std::optional<std::int64_t>;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kSmallest = 512;
constexpr std::uint64_t kMostBlocks = 4096;
/// The blocks that a finding lists.
constexpr std::size_t kListed = 4;
/// Blocks of the other write between two blocks of the file.
constexpr std::int64_t kMostBetween = 64;

/// Returns true if a header at `offset` is so close to the end of its block that it may end in the next one.
constexpr bool may_end_in_next_block(std::uint64_t offset, std::uint64_t block_size) noexcept {
  constexpr std::uint64_t kHeaderRoom = 64;
  return offset % block_size + kHeaderRoom > block_size;
}

/// The places of the blocks of a file. Offsets are those that the footer states; a block is `shift` bytes
/// after its offset in the file at hand.
class BlockPlaces {
 public:
  /// `tail`: the shift of the bytes after the last block.
  BlockPlaces(StructureProbe& probe, std::uint64_t size, std::uint64_t count, std::int64_t tail)
      : shifts(count), probe_(probe), size_(size), tail_(tail) {}

  /// Finds the shifts of blocks by their structures: `search(offset, is_at)` returns one at which
  /// `is_at(shift)` is true. Returns false if a structure is at none, except for those that may end in the
  /// next block.
  template <typename Search>
  bool find(std::span<const Region> stated, Search&& search) {
    const auto locate = [&](std::uint64_t offset, auto&& is_at) {
      if (offset / size_ >= shifts.size()) return is_at(tail_);
      Shift& shift = shifts[static_cast<std::size_t>(offset / size_)];
      if (shift) return is_at(*shift);
      shift = search(offset, is_at);
      return shift.has_value();
    };
    return std::ranges::all_of(stated, [&](const Region& one) {
      if (probe_.exhausted()) return false;
      const auto is_at = [&](std::int64_t by) { return probe_.is_at(one, by); };
      const bool has_pages = one.kind == Region::Kind::column_chunk;
      const std::uint64_t missing = has_pages                   ? probe_.end_of_pages(one, locate)
                                    : locate(one.offset, is_at) ? one.end()
                                                                : one.offset;
      return missing >= one.end() || may_end_in_next_block(missing, size_) ||
             missing / size_ >= shifts.size() ||
             (!has_pages && one.offset / size_ != (one.end() - 1) / size_);
    });
  }

  /// The parts of the file in its order, when all shifts are known; `end` is that of the file at hand.
  [[nodiscard]] std::vector<Stretch> stretches(std::uint64_t end) const {
    std::vector<Stretch> out;
    for (std::size_t block = 0; block <= shifts.size(); ++block) {
      const bool is_last = block == shifts.size();
      const std::uint64_t begin =
          std::min(end, block * size_ + static_cast<std::uint64_t>(is_last ? tail_ : *shifts[block]));
      const std::uint64_t stop = is_last ? end : std::min(end, begin + size_);
      if (!out.empty() && out.back().end == begin)
        out.back().end = stop;
      else if (begin != stop)
        out.push_back({begin, stop, 0});
    }
    return out;
  }

  std::vector<Shift> shifts;

 private:
  StructureProbe& probe_;
  std::uint64_t size_;
  std::int64_t tail_;
};

/// Blocks without a structure keep their places; one that cannot has the place that is left. Returns false if
/// two blocks have one place, if several cannot keep theirs, or if none is moved.
bool complete_order(std::vector<Shift>& shifts, std::int64_t size) {
  std::vector<bool> taken(shifts.size());
  const auto take = [&](std::size_t block) {
    const auto place = static_cast<std::size_t>(static_cast<std::int64_t>(block) + *shifts[block] / size);
    const bool is_free = !taken[place];
    taken[place] = true;
    return is_free;
  };
  bool is_moved = false;
  for (std::size_t block = 0; block < shifts.size(); ++block) {
    if (shifts[block] && !take(block)) return false;
    is_moved = is_moved || shifts[block].value_or(0) != 0;
  }
  std::optional<std::size_t> open;
  for (std::size_t block = 0; block < shifts.size(); ++block) {
    if (shifts[block]) continue;
    shifts[block] = 0;
    if (take(block)) continue;
    if (open) return false;
    open = block;
  }
  if (open) {
    const auto place = std::ranges::find(taken, false) - taken.begin();
    shifts[*open] = (place - static_cast<std::int64_t>(*open)) * size;
  }
  return is_moved;
}

Explanation reordered(const Source& source, std::uint64_t size, const BlockPlaces& blocks) {
  std::size_t moved = 0;
  ByteRange bytes;
  std::string detail;
  for (std::size_t block = 0; block < blocks.shifts.size(); ++block) {
    const std::int64_t shift = *blocks.shifts[block];
    if (shift == 0) continue;
    const std::uint64_t begin = block * size;
    if (moved == 0) bytes.begin = begin;
    bytes.end = begin + size;
    if (++moved <= kListed)
      detail += fmt::format("{} of byte {} is at byte {}", moved == 1 ? ": the block" : ", that", begin,
                            begin + static_cast<std::uint64_t>(shift));
  }
  if (moved > kListed) detail += fmt::format(", and {} more", moved - kListed);
  return {.cause = damage_finding(Rule::file_block_order, bytes,
                                  contrast(counted(moved, "block") + " of " + counted(size, "byte"),
                                           "blocks in their order", std::move(detail))),
          .restored = made_of(source, blocks.stretches(source.size()))};
}

/// Fills the blocks in which no structure begins, halfway between their neighbours. Returns false if the
/// blocks are not apart.
bool fill_between(std::vector<Shift>& shifts, std::int64_t size, std::int64_t last) {
  if (!shifts.front()) shifts.front() = 0;
  if (!shifts.back()) shifts.back() = last;
  for (std::size_t block = 1; block < shifts.size(); ++block) {
    if (shifts[block]) continue;
    std::size_t next = block;
    while (!shifts[next]) ++next;
    const std::int64_t before = *shifts[block - 1];
    const std::int64_t steps = (*shifts[next] - before) / size;
    shifts[block] = before + steps / static_cast<std::int64_t>(next - block + 1) * size;
  }
  return std::ranges::is_sorted(shifts) && *shifts.front() != *shifts.back();
}

}  // namespace

std::vector<std::uint64_t> block_sizes(std::uint64_t file_size) {
  std::vector<std::uint64_t> sizes;
  for (const std::uint64_t count : {5U, 10U, 15U, 20U, 25U, 50U, 100U}) sizes.push_back(count * kMiB);
  for (std::uint64_t size = kSmallest; size <= 64 * kMiB; size *= 2) sizes.push_back(size);
  std::erase_if(sizes,
                [&](std::uint64_t size) { return file_size / size < 2 || file_size / size > kMostBlocks; });
  std::ranges::sort(sizes, std::ranges::greater());
  return sizes;
}

Explanations find_moved_blocks(const Evidence& evidence) {
  const Source& source = evidence.source;
  StructureProbe probe(evidence.as_is);
  for (const std::uint64_t size : block_sizes(source.size())) {
    const auto step = static_cast<std::int64_t>(size);
    const auto count = static_cast<std::int64_t>(source.size() / size);
    BlockPlaces blocks(probe, size, source.size() / size, 0);
    const auto search = [&](std::uint64_t offset, auto&& is_at) -> Shift {
      if (is_at(0)) return 0;
      if (may_end_in_next_block(offset, size)) return std::nullopt;
      const auto block = static_cast<std::int64_t>(offset / size);
      for (std::int64_t other = 0; other < count && !probe.exhausted(); ++other) {
        if (is_at((other - block) * step)) return (other - block) * step;
      }
      return std::nullopt;
    };
    if (blocks.find(evidence.stated, search) && !probe.exhausted() && complete_order(blocks.shifts, step))
      return {reordered(source, size, blocks)};
    if (probe.exhausted()) break;
  }
  return {};
}

Explanations find_interleaved_write(const Evidence& evidence) {
  const Source& source = evidence.source;
  Explanations out;
  if (evidence.data_end >= evidence.footer) return out;
  const std::uint64_t more = evidence.footer - evidence.data_end;
  const auto last = static_cast<std::int64_t>(more);
  StructureProbe probe(evidence.as_is);
  // From one byte on, the other write has ended, and everything is at the last shift.
  const auto attempt = [&](std::uint64_t size, auto&& shift_of) {
    const auto step = static_cast<std::int64_t>(size);
    BlockPlaces blocks(probe, size, evidence.data_end / size + 1, last);
    for (std::size_t block = 0; block < blocks.shifts.size(); ++block) blocks.shifts[block] = shift_of(block);
    std::int64_t reached = 0;
    const auto search = [&](std::uint64_t, auto&& is_at) -> Shift {
      for (std::int64_t at = reached; at <= last && at <= reached + kMostBetween * step; at += step) {
        if (is_at(at)) return reached = at;
      }
      return is_at(last) ? Shift(reached = last) : std::nullopt;
    };
    if (!blocks.find(evidence.stated, search) || !fill_between(blocks.shifts, step, last)) return;
    std::vector<Stretch> stretches = blocks.stretches(source.size());
    const std::size_t places = stretches.size() - (stretches.front().begin == 0 ? 1 : 0);
    if (places < 2) return;  // find_shifts()
    const ByteRange bytes{stretches[0].begin == 0 ? stretches[0].end : 0, stretches.back().begin};
    out.push_back(
        {.cause = moved_finding(
             Rule::file_bytes_inserted, bytes, more,
             fmt::format(" of another write, in blocks of {} among those of the file, which is in {}",
                         counted(size, "byte"), counted(stretches.size(), "part"))),
         .restored = made_of(source, std::move(stretches)),
         .is_exact = true});
  };
  for (const std::uint64_t size : block_sizes(source.size())) {
    if (more < size / 2) continue;
    // Each block follows one of the other write; the first of all is of the other write, or not.
    for (const std::size_t first : {1U, 0U}) {
      attempt(size, [&](std::size_t block) -> Shift {
        return std::min(last, static_cast<std::int64_t>((block + first) * size));
      });
    }
    if (out.empty()) attempt(size, [](std::size_t) -> Shift { return std::nullopt; });
    if (!out.empty() || probe.exhausted()) break;
  }
  return out;
}

}  // namespace parqproof
