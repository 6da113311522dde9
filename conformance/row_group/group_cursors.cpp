#include "conformance/row_group/group_cursors.hpp"

#include <utility>

namespace parqproof {
namespace {

constexpr std::uint64_t kAhead = std::uint64_t{1} << 16;  // read-ahead size at a page header

}  // namespace

GroupCursors::GroupCursors(FileCheck& check, const RowGroupClaim& group, std::size_t first, std::size_t last)
    : check_(check), group_(group), first_(first), context_{check.footer.schema, check.options.limits} {
  for (std::size_t leaf = first; leaf < last; ++leaf)
    cursors_.push_back(std::make_unique<ColumnCursor>(context_, leaf, kAhead));
}

std::string GroupCursors::obstacle(FileCheck& check, const RowGroupClaim& group, std::size_t first,
                                   std::size_t last) {
  std::uint64_t bytes = 0;
  for (std::size_t leaf = first; leaf < last; ++leaf) {
    const std::size_t index = group.first_chunk + leaf;
    const ChunkTotal tally = check.tally(index);
    const ChunkClaim& claim = check.footer.chunks[index];
    if (claim.file != 0) return "a column is in another file";
    if (!claim.readable || !tally.walked || !tally.sums_known || !tally.rows || tally.may_have_more_entries)
      return "a column is incomplete";
    if (tally.rows != check.tally(group.first_chunk + first).rows) return "its columns differ in their rows";
    bytes += tally.end - tally.start;
  }
  return check.outcome.work.afford(bytes) ? "" : "it takes more work than the bytes of the file are worth";
}

bool GroupCursors::open() {
  for (std::size_t i = 0; i < cursors_.size(); ++i) {
    const std::size_t index = group_.first_chunk + first_ + i;
    const ChunkTotal tally = check_.tally(index);
    const ChunkClaim& claim = check_.footer.chunks[index];
    ColumnChunk chunk;
    if (!check_.footer.reread(claim, check_.options.limits, chunk)) return false;
    StoredChunk stored;
    stored.row_group = claim.row_group;
    stored.source = &check_.input.source;
    stored.extent = {tally.start, tally.end, tally.end, tally.values};
    stored.codec = chunk.meta_data.codec;
    if (const PageResult<void> opened = cursors_[i]->open(stored); !opened) return false;
  }
  return true;
}

bool GroupCursors::advance(std::size_t leaf) {
  ColumnCursor& moved = *cursors_[leaf - first_];
  return !moved.at_end() && moved.next() && moved.settle();
}

bool GroupCursors::is_stored(std::size_t leaf) const {
  const ColumnCursor& of = (*this)[leaf];
  const View section = of.parts().values;
  const std::span<const std::uint8_t> value = of.value();
  // Compared as numbers, because the value may be in other memory than the section.
  const auto begin = reinterpret_cast<std::uintptr_t>(value.data());
  const auto first = reinterpret_cast<std::uintptr_t>(section.data());
  return begin >= first && begin + value.size() <= first + section.size();
}

View GroupCursors::value(std::size_t leaf) const {
  const ColumnCursor& of = (*this)[leaf];
  const View section = of.parts().values;
  if (!is_stored(leaf)) return {of.value(), section.base, section.space};
  return section.part(static_cast<std::size_t>(of.value().data() - section.data()), of.value().size());
}

}  // namespace parqproof
