#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/base/text.hpp"
#include "conformance/diagnosis/transfer/hypotheses.hpp"

namespace parqproof {
namespace {

using Stretch = RestoredSource::Stretch;

/// Blocks of the other write between two blocks of the file.
constexpr std::uint64_t kMostBetween = 64;

/// The places of the blocks of a file among those of another write. Offsets are those that the footer states;
/// a byte is `shift` bytes behind its offset in the file at hand. From one byte on, the other write has
/// ended, and everything is at the last shift.
class Interleaving {
 public:
  /// `last_shift`: that of the footer.
  Interleaving(StructureProbe& probe, std::uint64_t size, std::uint64_t data_end, std::uint64_t last_shift)
      : probe_(probe), size_(size), last_shift_(last_shift), shifts_(data_end / size + 1) {}

  /// Each block is behind one of the other write; the first of all is of the other write, or not. Returns
  /// false if the structures are at no such places.
  bool alternate(std::span<const Region> stated, bool other_is_first) {
    for (std::size_t block = 0; block < shifts_.size(); ++block)
      shifts_[block] = std::min(last_shift_, (block + (other_is_first ? 1 : 0)) * size_);
    return find(stated);
  }

  /// Finds the places of the blocks by their structures; returns false if these are at none.
  bool find(std::span<const Region> stated) {
    for (const Region& one : stated) {
      if (probe_.exhausted()) return false;
      if (one.kind == Region::Kind::column_chunk ? !follow_pages(one) : !is_found(one)) return false;
    }
    return fill();
  }

  /// The parts of the file in its order; `end` is that of the file at hand.
  [[nodiscard]] std::vector<Stretch> stretches(std::uint64_t end) const {
    std::vector<Stretch> out;
    for (std::size_t block = 0; block < shifts_.size(); ++block) {
      const std::uint64_t begin = block * size_ + *shifts_[block];
      const bool is_last = block + 1 == shifts_.size() || *shifts_[block] == last_shift_;
      const std::uint64_t stop = is_last ? end : begin + size_;
      if (!out.empty() && out.back().end == begin) {
        out.back().end = stop;
      } else {
        out.push_back({begin, stop, 0});
      }
      if (is_last) break;
    }
    return out;
  }

 private:
  [[nodiscard]] bool may_straddle(std::uint64_t offset) const noexcept {
    return may_end_in_next_block(offset, size_);
  }

  /// Finds the shift of the block of `offset` at which `is_at(shift)` is true. A block whose structures may
  /// all end in the next one is left open.
  template <typename IsAt>
  bool locate(std::uint64_t offset, IsAt&& is_at) {
    std::optional<std::uint64_t>& shift = shifts_[static_cast<std::size_t>(offset / size_)];
    if (shift) return is_at(static_cast<std::int64_t>(*shift));
    const std::uint64_t from = reached_;
    for (std::uint64_t at = from; at <= last_shift_ && at <= from + kMostBetween * size_; at += size_) {
      if (!is_at(static_cast<std::int64_t>(at))) continue;
      shift = reached_ = at;
      return true;
    }
    if (!is_at(static_cast<std::int64_t>(last_shift_))) return false;
    shift = reached_ = last_shift_;
    return true;
  }

  bool is_found(const Region& one) {
    return locate(one.offset, [&](std::int64_t by) { return probe_.is_at(one, by); }) ||
           one.offset / size_ != (one.end() - 1) / size_;
  }

  bool follow_pages(const Region& chunk) {
    const std::uint64_t end = probe_.end_of_pages(
        chunk, [this](std::uint64_t offset, auto&& is_at) { return locate(offset, is_at); });
    return end >= chunk.end() || may_straddle(end);
  }

  /// Fills the blocks in which no structure begins, halfway between their neighbours.
  bool fill() {
    if (!shifts_.front()) shifts_.front() = 0;
    if (!shifts_.back()) shifts_.back() = last_shift_;
    for (std::size_t block = 1; block < shifts_.size(); ++block) {
      if (shifts_[block]) continue;
      std::size_t next = block;
      while (!shifts_[next]) ++next;
      const std::uint64_t before = *shifts_[block - 1];
      const std::uint64_t steps = (*shifts_[next] - before) / size_;
      shifts_[block] = before + steps / (next - block + 1) * size_;
    }
    return std::ranges::is_sorted(shifts_) && *shifts_.front() != *shifts_.back();
  }

  StructureProbe& probe_;
  std::uint64_t size_;
  std::uint64_t last_shift_;
  std::uint64_t reached_ = 0;
  std::vector<std::optional<std::uint64_t>> shifts_;  // of each block
};

}  // namespace

Explanations find_interleaved_write(const Evidence& evidence) {
  const Source& source = evidence.as_is.input.source;
  Explanations out;
  std::uint64_t data_end = 0;
  for (const Region& one : evidence.stated) data_end = std::max(data_end, one.end());
  const std::uint64_t footer = evidence.as_is.footer.frame.footer_offset;
  if (data_end >= footer) return out;
  StructureProbe probe(evidence.as_is);
  const auto add = [&](const Interleaving& blocks, std::uint64_t size) {
    std::vector<Stretch> stretches = blocks.stretches(source.size());
    const std::size_t places = stretches.size() - (stretches.front().begin == 0 ? 1 : 0);
    if (places < 2) return;  // find_shifts()
    Explanation found;
    found.cause = damage_finding(
        Rule::file_bytes_inserted, {stretches[0].begin == 0 ? stretches[0].end : 0, stretches.back().begin},
        contrast(count_of_bytes(footer - data_end), count_of_bytes(0),
                 " of another write, in blocks of " + counted(size, "byte") +
                     " among those of the file, which is in " + counted(stretches.size(), "part")));
    found.restored = std::make_unique<StretchSource>(source, std::move(stretches));
    found.is_exact = true;
    out.push_back(std::move(found));
  };
  for (const std::uint64_t size : block_sizes(source.size())) {
    if (footer - data_end < size / 2) continue;
    for (const bool other_is_first : {true, false}) {
      Interleaving blocks(probe, size, data_end, footer - data_end);
      if (blocks.alternate(evidence.stated, other_is_first)) add(blocks, size);
    }
    if (out.empty()) {
      Interleaving blocks(probe, size, data_end, footer - data_end);
      if (blocks.find(evidence.stated)) add(blocks, size);
    }
    if (!out.empty() || probe.exhausted()) break;
  }
  return out;
}

}  // namespace parqproof
