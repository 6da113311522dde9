#include "conformance/footer/footer_reader.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "conformance/footer/chunk_regions.hpp"
#include "conformance/state/chunk_claim.hpp"
#include "conformance/statistics/stated_sizes.hpp"
#include "conformance/statistics/stated_statistics.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kShortElement = 8;      // bytes of a SchemaElement
constexpr std::size_t kManyElements = 65536;  // room for more is made when they are there
constexpr std::size_t kShortChunk = 32;       // bytes of a ColumnChunk; few are shorter

}  // namespace

bool FooterLists::takes(const thrift::Field& list) const {
  return list.name == "columns" || list.name == "row_groups" || list.name == "schema";
}

void FooterLists::begin(thrift::Reader& reader, const thrift::Field& list, std::uint32_t count) {
  if (list.name == "schema") {
    parsed_.schema.reserve(
        std::min({std::size_t{count}, reader.rest().size() / kShortElement, kManyElements}));
  } else if (list.name == "row_groups") {
    const bool has_schema = parsed_.meta.schema.bytes.base != 0;
    postponed_ = may_postpone_ && !has_schema;
    if (postponed_) return;
    if (has_schema) finish_schema();
    make_room(count, reader.rest().size());
    parsed_.row_groups_complete = true;
  }
}

bool FooterLists::element(thrift::Reader& reader, const thrift::Field& list, std::uint32_t index) {
  if (list.name == "columns") return column(reader, index);
  if (list.name == "schema") return schema_element(reader);
  if (postponed_) return reader.pass_over();
  parsed_.row_groups_complete = row_group(reader, index);
  return parsed_.row_groups_complete;
}

bool FooterLists::finish_schema() {
  if (std::exchange(schema_finished_, true)) return schema_complete_;
  Schema& schema = parsed_.schema;
  schema.finish();
  if (!schema_complete_) return false;
  parsed_.schema_usable =
      schema.fault() == Schema::Fault::none && !parsed_.schema_too_deep(check_.options.limits);
  schema_rules_.tree();
  return true;
}

void FooterLists::finish_row_groups() {
  if (postponed_) {
    may_postpone_ = false;
    const FileMetaData& meta = parsed_.meta;
    thrift::Reader list(meta.row_groups.bytes, {&check_.outcome.findings, {}, {}}, check_.options.limits);
    list.set_handler(this);
    parsed_.row_groups_complete = list.elements(*FileMetaData::kType.find("row_groups"), meta.row_groups);
  }
  group_rules_.judge_all();
}

bool FooterLists::schema_element(thrift::Reader& reader) {
  schema_complete_ = reader.read(element_);
  if (!schema_complete_) return false;
  const std::optional<SchemaChange>& change = check_.input.change;
  if (change && change->index == parsed_.schema.nodes().size()) change->apply(element_);
  parsed_.schema.add(element_);
  schema_rules_.element(element_);
  return true;
}

/// Makes room for the chunks that are there if each row group has one for each leaf, each with a region of
/// its own; no more than `bytes` can hold.
void FooterLists::make_room(std::size_t groups, std::size_t bytes) {
  const std::size_t most = bytes / kShortChunk;
  const std::size_t chunks = std::min(std::min(groups, most) * parsed_.schema.leaf_count(), most);
  parsed_.chunks.reserve(chunks);
  check_.regions.reserve(chunks);
}

bool FooterLists::row_group(thrift::Reader& reader, std::uint32_t index) {
  row_group_ = index;
  signs_ = reader.signs();
  const std::size_t first_chunk = parsed_.chunks.size();
  const std::size_t first_region = check_.regions.size();
  rows_by_levels_ = {};
  const Place place{static_cast<std::int32_t>(index), -1, -1};
  const std::uint32_t base = reader.rebase();
  reader.set_place(place);
  const bool whole = reader.read(group_);  // and its columns
  reader.restore(base);
  reader.set_place({});

  RowGroupClaim claim;
  if (whole) {
    claim = claim_of(group_, check_.options.limits);
    claim.first_chunk = first_chunk;
    claim.chunk_count = parsed_.chunks.size() - first_chunk;
    claim.complete = one_chunk_per_leaf(claim);
  }
  if (!claim.complete) {  // which column a chunk belongs to cannot be told
    parsed_.chunks.resize(first_chunk);
    check_.regions.resize(first_region);
    claim.chunk_count = 0;
    check_.outcome.regions_known = false;
  }
  if (!whole) return false;
  if (!claim.complete && parsed_.schema_usable)
    check_.outcome.lost.push_back({LostPart::column_chunk, place});
  judge_rows_by_levels(claim);
  group_rules_.judge(group_, index, claim);
  parsed_.row_groups.push_back(claim);
  return true;
}

/// A list of columns that is there twice leaves more chunks than its count.
bool FooterLists::one_chunk_per_leaf(const RowGroupClaim& claim) const {
  if (!parsed_.schema_usable) return false;
  const std::size_t leaves = parsed_.schema.leaf_count();
  if (group_.has(RowGroup::id_columns) && group_.columns.count != leaves) return false;
  return claim.chunk_count == leaves;
}

/// A chunk that is read at a wrong place, or behind such a one: its path is that of another column then.
bool FooterLists::out_of_step(const thrift::Reader& reader, bool own_path) const {
  return reader.signs() != signs_ && (chunk_.fields.misread || chunk_.meta_data.fields.misread || !own_path);
}

/// Looks whether something is to be said of the SizeStatistics of the chunk. Where the physical type is in
/// doubt, they are judged by none.
void FooterLists::judge_sizes(ChunkClaim& claim) {
  const ColumnMetaData& meta = chunk_.meta_data;
  const Node& leaf = parsed_.schema.leaf(claim.leaf);
  if (!meta.has(ColumnMetaData::id_size_statistics)) return;
  if (meta.has(ColumnMetaData::id_type) && meta.type != leaf.type) return;
  std::optional<EntryCounts> counts;
  if (check_.options.tier == Tier::footer && claim.has_num_values && claim.num_values >= 0)
    counts = {claim.num_values, std::nullopt};
  const SizeVerdict verdict = verdict_on_sizes(meta, leaf, counts, Judge(check_.outcome.findings));
  claim.sizes_reported = !verdict.faultless;
  claim.rows_from_histogram = verdict.rows.has_value();
  if (!verdict.rows) return;
  RowsByLevels& all = rows_by_levels_;
  if (!all.rows) all.rows = verdict.rows;
  all.differ = all.differ || *all.rows != *verdict.rows;
}

/// size-statistics/rows: where chunks do not agree with their row group, they are judged one by one.
void FooterLists::judge_rows_by_levels(const RowGroupClaim& claim) {
  const auto& [rows, differ] = rows_by_levels_;
  const bool stated = claim.has_num_rows && claim.num_rows >= 0;
  if (!rows || !stated || (!differ && *rows == claim.num_rows)) return;
  for (std::size_t i = 0; i < claim.chunk_count; ++i) {
    ChunkClaim& chunk = parsed_.chunks[claim.first_chunk + i];
    chunk.sizes_reported = chunk.sizes_reported || chunk.rows_from_histogram;
  }
}

bool FooterLists::column(thrift::Reader& reader, std::uint32_t index) {
  const std::uint32_t base = reader.rebase();
  reader.set_place({static_cast<std::int32_t>(row_group_), static_cast<std::int32_t>(index), -1});
  const bool whole = reader.read(chunk_);
  reader.restore(base);
  reader.set_place({static_cast<std::int32_t>(row_group_), -1, -1});
  if (!whole) return false;

  ChunkState state = state_of(parsed_, chunk_, index);
  const bool own_path =
      state < ChunkState::unknown_type || is_path_of(chunk_.meta_data, parsed_.schema.leaf(index));
  const bool bare = state == ChunkState::without_metadata && reader.signs() != signs_;
  if (bare || out_of_step(reader, own_path)) state = ChunkState::unreadable_metadata;
  ChunkClaim claim = claim_of(chunk_, state, row_group_, index);
  file_paths_.take(chunk_, claim);
  chunk_rules_.judge(chunk_, state, claim, own_path);
  // Statistics of another column are judged by none.
  if (!own_path) claim.has_statistics = false;
  if (claim.has_statistics) {
    const SoundStatistics statistics =
        sound_statistics(parsed_.schema.leaf(index), claim, chunk_.meta_data.statistics);
    claim.sound_statistics = statistics.sound;
    claim.lacks_nan_count = statistics.lacks_nan_count;
  }
  if (own_path && has_leaf(state)) judge_sizes(claim);
  claim.placeable = state == ChunkState::usable && claim.file != 0;
  if (state == ChunkState::usable && claim.file == 0) place_pages(check_, chunk_, claim);
  if (has_metadata(state)) chunk_rules_.offsets(chunk_, claim);
  if (claim.file == 0) place_indexes(check_, chunk_, claim);
  parsed_.chunks.push_back(claim);
  return true;
}

}  // namespace parqproof
