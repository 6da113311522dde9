#include "conformance/row_group/group_cursors.hpp"

#include <utility>

#include "codec/base/text.hpp"

namespace parqproof {
namespace {

/// Returns the reason why columns cannot be read a second time, or are not worth it; empty if they can.
std::string obstacle(FileCheck& check, const RowGroupClaim& group, std::size_t first, std::size_t last) {
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
  if (check.outcome.work.afford(bytes)) return {};
  return too_much_work(check, check.footer.chunks[group.first_chunk + first], "column chunks");
}

}  // namespace

std::string too_much_work(FileCheck& check, const ChunkClaim& claim, std::string_view what) {
  const WorkBudget& work = check.outcome.work;
  if (!check.outcome.findings.broke(Rule::limit_work)) {
    FindingSite::of_chunk(check, claim)
        .report(Rule::limit_work, "",
                contrast(counted(work.spent(), "byte") + " of " + std::string(what), work.ceiling()));
  }
  return "it takes more work than the bytes of the file are worth";
}

std::optional<StoredChunk> stored_chunk(const FileCheck& check, const RowGroupClaim& group,
                                        std::size_t leaf) {
  const std::size_t index = group.first_chunk + leaf;
  const ChunkTotal tally = check.tally(index);
  const ChunkClaim& claim = check.footer.chunks[index];
  ColumnChunk chunk;
  if (!check.footer.reread(claim, check.options.limits, chunk)) return std::nullopt;
  StoredChunk stored;
  stored.row_group = claim.row_group;
  stored.source = &check.input.source;
  stored.extent = {tally.start, tally.end, tally.end, tally.values};
  stored.codec = chunk.meta_data.codec;
  return stored;
}

GroupCursors::GroupCursors(FileCheck& check, const RowGroupClaim& group, std::size_t first, std::size_t last)
    : check_(check), group_(group), first_(first), context_{check.footer.schema, check.options.limits} {
  for (std::size_t leaf = first; leaf < last; ++leaf)
    cursors_.push_back(std::make_unique<ColumnCursor>(context_, leaf, kHeaderReadAhead));
}

bool GroupCursors::open() {
  for (std::size_t i = 0; i < cursors_.size(); ++i) {
    const std::optional<StoredChunk> stored = stored_chunk(check_, group_, first_ + i);
    if (!stored) return false;
    if (const PageResult<void> opened = cursors_[i]->open(*stored); !opened) return false;
  }
  return true;
}

bool GroupCursors::advance(std::size_t leaf) {
  ColumnCursor& moved = *cursors_[leaf - first_];
  return !moved.at_end() && moved.next() && moved.settle();
}

GroupCursors::ValuePage GroupCursors::page_of(std::size_t leaf) const {
  const ColumnCursor& of = (*this)[leaf];
  const std::span<const std::uint8_t> value = of.value();
  ValuePage page{of.place(), of.page().offset, of.parts().values, false};
  if (is_dictionary_encoding(of.parts().encoding)) {
    const DictionaryPage& dictionary = of.pages().dictionary_page();
    page.place.page = dictionary.ordinal;
    page.offset = dictionary.header;
    page.values = dictionary.image;
  }
  // Compared as numbers, because the value may be in other memory than the section.
  const auto begin = reinterpret_cast<std::uintptr_t>(value.data());
  const auto first = reinterpret_cast<std::uintptr_t>(page.values.data());
  page.has_value = begin >= first && begin + value.size() <= first + page.values.size();
  return page;
}

View GroupCursors::value(std::size_t leaf) const {
  const ValuePage page = page_of(leaf);
  const std::span<const std::uint8_t> value = (*this)[leaf].value();
  if (!page.has_value) return {value, page.values.base, page.values.space};
  return page.values.part(static_cast<std::size_t>(value.data() - page.values.data()), value.size());
}

void GroupFindings::report() {
  for (auto& [key, tally] : tallies_) {
    report_in_page(findings_, key.second, tally.place, tally.at, tally.page_offset, std::move(tally.what),
                   tally.times);
  }
  tallies_.clear();
}

void judge_row_groups(FileCheck& check, std::size_t first, std::size_t last,
                      const std::function<std::string(const RowGroupClaim&)>& run,
                      const std::function<void(std::string why, std::int32_t row_group)>& leave_out) {
  for (std::size_t i = 0; i < check.footer.row_groups.size(); ++i) {
    const RowGroupClaim& group = check.footer.row_groups[i];
    if (!group.complete || !check.takes(static_cast<std::uint64_t>(i))) continue;
    std::string why = obstacle(check, group, first, last);
    if (why.empty()) why = run(group);
    if (!why.empty()) leave_out(std::move(why), static_cast<std::int32_t>(i));
  }
}

}  // namespace parqproof
