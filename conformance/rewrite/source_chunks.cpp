#include "conformance/rewrite/source_chunks.hpp"

#include <algorithm>

#include "codec/page/page_reader.hpp"
#include "codec/page/page_walk.hpp"
#include "codec/rules/rule.hpp"
#include "codec/thrift/reader.hpp"

namespace parqproof {
namespace {

/// Pages of a chunk that are looked at for its form.
constexpr int kPages = 64;

bool has_statistics(const Page& page) {
  return page.is_v2() ? page.header.data_page_header_v2.has(DataPageHeaderV2::id_statistics)
                      : page.header.data_page_header.has(DataPageHeader::id_statistics);
}

}  // namespace

SourceChunks::SourceChunks(RowFooter& footer, RowChunks& chunks, const std::vector<std::size_t>& leaves,
                           const Limits& limits, bool lose)
    : FooterVisitor({.schema = false}),
      footer_(footer),
      chunks_(chunks),
      leaves_(leaves),
      limits_(limits),
      lose_(lose),
      forms_(leaves.size()) {
  set_opened(footer.opened(), limits_);
}

bool SourceChunks::read(ReadingFailure& failure) {
  failure_ = &failure;
  thrift::Reader reader(footer_.meta().row_groups.bytes, {}, limits_);
  // The list was intact when the footer was read; the reader stops early at a row group that cannot be read.
  return visit_row_groups(reader, footer_.meta()) || (failure.finding() == nullptr && failure.why().empty());
}

ColumnChunk* SourceChunks::begin_column(thrift::Reader& reader, std::uint32_t index,
                                        ColumnChunk& /*reused*/) {
  if (wanted_ == leaves_.size() || leaves_[wanted_] != index) return nullptr;
  if (wanted_ == columns_.size()) columns_.emplace_back();
  signs_ = reader.signs();
  return &columns_[wanted_++].chunk;
}

bool SourceChunks::column(ColumnChunk& /*chunk*/, const Element& at) {
  columns_[wanted_ - 1].in_doubt = at.reader.signs() != signs_;
  return true;
}

bool SourceChunks::row_group(RowGroup& group, const Element& at) {
  if (!at.complete) return false;
  SourceRowGroup found;
  const Place place{static_cast<std::int32_t>(at.index), -1, -1};
  const FindingSite site{failure_->findings(), place, footer_.bytes_from(group.fields.offset),
                         RowGroup::kType};
  if (group.has(RowGroup::id_num_rows) && group.num_rows >= 0)
    found.rows = static_cast<std::uint64_t>(group.num_rows);
  const std::size_t count = footer_.schema().leaf_count();
  if (!group.has(RowGroup::id_columns) || group.columns.count != count) {
    site.report(Rule::row_group_column_count, "columns", contrast(group.columns.count, count));
    if (!lose_) return false;
    (void)failure_->release();
    groups_.push_back(std::move(found));
    return true;
  }
  if (group.has(RowGroup::id_sorting_columns)) {
    bool is_known = true;  // an order that cannot be judged ends the sorting columns
    thrift::for_each<SortingColumn>(group.sorting_columns, limits_, [&](const SortingColumn& one, auto) {
      is_known = is_known && one.column_idx >= 0 && one.has(SortingColumn::id_column_idx) &&
                 one.has(SortingColumn::id_descending) && one.has(SortingColumn::id_nulls_first);
      if (is_known)
        found.sorting.push_back({static_cast<std::size_t>(one.column_idx), one.descending, one.nulls_first});
    });
  }
  const auto lose = [this](std::size_t) { (void)failure_->release(); };
  if (!chunks_.find(columns_, leaves_, at.index,
                    lose_ ? std::function<void(std::size_t)>(lose) : std::function<void(std::size_t)>()))
    return false;
  for (std::size_t i = 0; i < chunks_.all().size(); ++i) {
    found.chunks.push_back({chunks_.all()[i].stored, chunks_.all()[i].metadata,
                            columns_[i].chunk.has(ColumnChunk::id_offset_index_offset)});
    if (!forms_[i].known) look_at(columns_[i].chunk, found.chunks.back().stored, leaves_[i], forms_[i]);
  }
  groups_.push_back(std::move(found));
  return true;
}

/// Reads page headers up to the first page of values that are not indices.
void SourceChunks::look_at(const ColumnChunk& chunk, const StoredChunk& stored, std::size_t leaf,
                           ChunkForm& form) const {
  if (stored.extent.start >= stored.extent.metadata_end) return;
  form.codec = stored.codec;
  form.has_bloom_filter = chunk.meta_data.has(ColumnMetaData::id_bloom_filter_offset);
  form.has_page_index = chunk.has(ColumnChunk::id_offset_index_offset);
  PageReader reader(*stored.source, limits_, 0);
  const RegionMap regions;
  PageWalk walk(reader, regions, stored.extent, chunk_place(stored, leaf));
  for (int i = 0; i < kPages && walk.next(nullptr) == PageWalk::Step::page; ++i) {
    const Page& page = walk.page();
    if (page.header.type == PageType::DICTIONARY_PAGE) form.has_dictionary = true;
    if (page.header.type != PageType::DATA_PAGE && page.header.type != PageType::DATA_PAGE_V2) continue;
    form.known = true;
    form.page_version = page.is_v2() ? 2 : 1;
    form.has_checksums = form.has_checksums || page.header.has(PageHeader::id_crc);
    form.has_page_statistics = form.has_page_statistics || has_statistics(page);
    if (is_dictionary_encoding(page.encoding())) continue;
    form.encoding = page.encoding();
    break;
  }
}

}  // namespace parqproof
