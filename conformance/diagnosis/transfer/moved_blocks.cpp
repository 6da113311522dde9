#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "codec/base/text.hpp"
#include "conformance/diagnosis/stated_structures.hpp"
#include "conformance/diagnosis/transfer/hypotheses.hpp"

namespace parqproof {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kSmallest = 512;
constexpr std::uint64_t kMostBlocks = 4096;
/// The blocks that a finding lists.
constexpr std::size_t kListed = 4;

/// Finds for each block of one size the block that its structures are in.
class BlockOrder {
 public:
  BlockOrder(StructureProbe& probe, std::uint64_t file_size, std::uint64_t size)
      : probe_(probe), size_(size), sources_(file_size / size, kUnknown) {}

  /// Returns false if the structures contradict each other, or no block is moved.
  bool find(std::span<const Region> stated) {
    for (const Region& one : stated) {
      if (!(one.kind == Region::Kind::column_chunk ? follow_pages(one) : is_found(one)) || probe_.exhausted())
        return false;
    }
    return complete();
  }

  /// The block that the bytes of each block are in.
  [[nodiscard]] const std::vector<std::size_t>& sources() const noexcept { return sources_; }

 private:
  static constexpr std::size_t kUnknown = ~std::size_t{0};

  [[nodiscard]] std::int64_t shift(std::size_t block, std::size_t source) const noexcept {
    return (static_cast<std::int64_t>(source) - static_cast<std::int64_t>(block)) *
           static_cast<std::int64_t>(size_);
  }

  /// Finds the block that has what `is_at(shift)` looks for at `offset`. Returns false if there is none, or
  /// if it may end in the next block.
  template <typename IsAt>
  bool locate(std::uint64_t offset, IsAt&& is_at) {
    const auto block = static_cast<std::size_t>(offset / size_);
    if (block >= sources_.size()) return is_at(0);
    std::size_t& source = sources_[block];
    if (source != kUnknown) return is_at(shift(block, source));
    if (is_at(0)) {
      source = block;
      return true;
    }
    if (may_end_in_next_block(offset, size_)) return false;
    for (std::size_t other = 0; other < sources_.size() && !probe_.exhausted(); ++other) {
      if (!is_at(shift(block, other))) continue;
      source = other;
      return true;
    }
    return false;
  }

  [[nodiscard]] bool may_straddle(std::uint64_t offset) const noexcept {
    return may_end_in_next_block(offset, size_) || offset / size_ >= sources_.size();
  }

  bool is_found(const Region& one) {
    const bool fits = one.offset / size_ == (one.end() - 1) / size_;
    return locate(one.offset, [&](std::int64_t by) { return probe_.is_at(one, by); }) || !fits ||
           may_straddle(one.offset);
  }

  bool follow_pages(const Region& chunk) {
    const std::uint64_t end = probe_.end_of_pages(
        chunk, [this](std::uint64_t offset, auto&& is_at) { return locate(offset, is_at); });
    return end >= chunk.end() || may_straddle(end);
  }

  /// Blocks without a structure keep their places; one that cannot has the place that is left.
  bool complete() {
    std::vector<bool> taken(sources_.size());
    bool is_moved = false;
    for (std::size_t block = 0; block < sources_.size(); ++block) {
      if (sources_[block] == kUnknown) continue;
      if (taken[sources_[block]]) return false;
      taken[sources_[block]] = true;
      is_moved = is_moved || sources_[block] != block;
    }
    if (!is_moved) return false;
    std::vector<std::size_t> open;
    for (std::size_t block = 0; block < sources_.size(); ++block) {
      if (sources_[block] != kUnknown) continue;
      if (taken[block]) {
        open.push_back(block);
      } else {
        sources_[block] = block;
        taken[block] = true;
      }
    }
    if (open.size() > 1) return false;
    if (!open.empty())
      sources_[open.front()] = static_cast<std::size_t>(std::ranges::find(taken, false) - taken.begin());
    return true;
  }

  StructureProbe& probe_;
  std::uint64_t size_;
  std::vector<std::size_t> sources_;
};

Explanation reordered(const Source& source, std::uint64_t size, const std::vector<std::size_t>& sources) {
  std::vector<RestoredSource::Stretch> stretches;
  const auto add = [&](std::uint64_t begin, std::uint64_t end) {
    if (!stretches.empty() && stretches.back().end == begin)
      stretches.back().end = end;
    else if (begin != end)
      stretches.push_back({begin, end, 0});
  };
  std::size_t moved = 0;
  ByteRange bytes;
  std::string detail;
  for (std::size_t block = 0; block < sources.size(); ++block) {
    const std::uint64_t from = sources[block] * size;
    add(from, from + size);
    if (sources[block] == block) continue;
    if (moved == 0) bytes.begin = block * size;
    bytes.end = (block + 1) * size;
    if (++moved > kListed) continue;
    detail += (moved == 1 ? ": the block of byte " : ", that of byte ") + std::to_string(block * size) +
              " is at byte " + std::to_string(from);
  }
  if (moved > kListed) detail += ", and " + std::to_string(moved - kListed) + " more";
  add(sources.size() * size, source.size());
  Explanation out;
  out.cause = damage_finding(Rule::file_block_order, bytes,
                             contrast(counted(moved, "block") + " of " + counted(size, "byte"),
                                      "blocks in their order", std::move(detail)));
  out.restored = std::make_unique<StretchSource>(source, std::move(stretches));
  return out;
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

std::optional<Explanation> find_moved_blocks(const Evidence& evidence) {
  const Source& source = evidence.as_is.input.source;
  StructureProbe probe(evidence.as_is);
  for (const std::uint64_t size : block_sizes(source.size())) {
    BlockOrder order(probe, source.size(), size);
    if (order.find(evidence.stated)) return reordered(source, size, order.sources());
    if (probe.exhausted()) break;
  }
  return std::nullopt;
}

}  // namespace parqproof
