#include "conformance/footer/footer_reader.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "conformance/footer/chunk_regions.hpp"
#include "conformance/geo/geo_columns.hpp"
#include "conformance/state/chunk_claim.hpp"
#include "conformance/statistics/stated_sizes.hpp"
#include "conformance/statistics/stated_statistics.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kShortElement = 8;      // bytes of a SchemaElement
constexpr std::size_t kManyElements = 65536;  // room for more is reserved when they are read
constexpr std::size_t kShortChunk = 32;       // bytes of a ColumnChunk; few are shorter

void apply(const SchemaChange& change, SchemaElement& element) {
  switch (change.field) {
    case SchemaElement::id_type:
      element.type = static_cast<Type>(change.value);
      break;
    case SchemaElement::id_type_length:
      element.type_length = change.value;
      break;
    case SchemaElement::id_repetition_type:
      element.repetition_type = static_cast<FieldRepetitionType>(change.value);
      break;
    default:
      element.num_children = change.value;
  }
}

}  // namespace

void FooterLists::begin_schema(thrift::Reader& reader, std::uint32_t count) {
  parsed_.schema.reserve(std::min({std::size_t{count}, reader.rest().size() / kShortElement, kManyElements}));
}

bool FooterLists::begin_row_groups(thrift::Reader& reader, std::uint32_t count) {
  const bool has_schema = parsed_.meta.schema.bytes.base != 0;
  postponed_ = may_postpone_ && !has_schema;
  if (postponed_) return false;
  if (has_schema) finish_schema();
  make_room(count, reader.rest().size());
  parsed_.row_groups_complete = true;
  return true;
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
    parsed_.row_groups_complete = visit_row_groups(list, meta);
  }
  group_rules_.judge_all();
  add_page_regions(check_);
}

bool FooterLists::schema_element(SchemaElement& element, const Element& at) {
  schema_complete_ = at.complete;
  if (!schema_complete_) return false;
  const std::optional<SchemaChange>& change = check_.input.change;
  if (change && change->index == parsed_.schema.nodes().size()) apply(*change, element);
  parsed_.schema.add(element);
  schema_rules_.element(element);
  return true;
}

/// Reserves room for one chunk for each leaf of each row group, each with one region unless they are added
/// later, up to the number that fits in `bytes`.
void FooterLists::make_room(std::size_t groups, std::size_t bytes) {
  const std::size_t most = bytes / kShortChunk;
  const std::size_t chunks = std::min(std::min(groups, most) * parsed_.schema.leaf_count(), most);
  parsed_.chunks.reserve(chunks);
  if (check_.options.tier != Tier::footer) check_.regions.reserve(chunks);
}

bool FooterLists::begin_row_group(thrift::Reader& reader, std::uint32_t /*index*/) {
  signs_ = reader.signs();
  first_chunk_ = parsed_.chunks.size();
  first_region_ = check_.regions.size();
  rows_by_levels_ = {};
  return true;
}

bool FooterLists::row_group(RowGroup& group, const Element& at) {
  RowGroupClaim claim;
  if (at.complete) {
    claim = claim_of(group, check_.options.limits);
    claim.first_chunk = first_chunk_;
    claim.chunk_count = parsed_.chunks.size() - first_chunk_;
    claim.complete = one_chunk_per_leaf(group, claim);
  }
  if (!claim.complete) {  // the column of each chunk is unknown
    parsed_.chunks.resize(first_chunk_);
    check_.regions.resize(first_region_);
    claim.chunk_count = 0;
    check_.outcome.regions_known = false;
  }
  parsed_.row_groups_complete = at.complete;
  if (!at.complete) return false;
  const Place place{static_cast<std::int32_t>(at.index), -1, -1};
  if (!claim.complete && parsed_.schema_usable)
    check_.outcome.lost.push_back({LostPart::column_chunk, place});
  judge_rows_by_levels(claim);
  group_rules_.judge(group, at.index, claim);
  parsed_.row_groups.push_back(claim);
  return true;
}

/// A duplicate list of columns leaves more chunks than its count.
bool FooterLists::one_chunk_per_leaf(const RowGroup& group, const RowGroupClaim& claim) const {
  if (!parsed_.schema_usable) return false;
  const std::size_t leaves = parsed_.schema.leaf_count();
  if (group.has(RowGroup::id_columns) && group.columns.count != leaves) return false;
  return claim.chunk_count == leaves;
}

/// Marks chunks whose SizeStatistics must be judged. If the physical type is in doubt, they are not judged.
void FooterLists::judge_sizes(const ColumnMetaData& meta, ChunkClaim& claim) {
  const Node& leaf = parsed_.schema.leaf(claim.leaf);
  if (!meta.has(ColumnMetaData::id_size_statistics)) return;
  if (meta.has(ColumnMetaData::id_type) && meta.type != leaf.type) return;
  std::optional<EntryCounts> counts;
  if (check_.options.tier == Tier::footer && claim.has_num_values && claim.num_values >= 0)
    counts.emplace(claim.num_values, std::nullopt);
  const SizeVerdict verdict = verdict_on_sizes(meta, leaf, counts, check_.outcome.findings);
  claim.sizes_reported = !verdict.faultless;
  claim.rows_from_histogram = verdict.rows.has_value();
  if (!verdict.rows) return;
  RowsByLevels& all = rows_by_levels_;
  if (!all.rows) all.rows = verdict.rows;
  all.differ = all.differ || *all.rows != *verdict.rows;
}

/// size-statistics/rows: if chunks differ from their row group, they are judged separately.
void FooterLists::judge_rows_by_levels(const RowGroupClaim& claim) {
  const auto& [rows, differ] = rows_by_levels_;
  const bool stated = claim.has_num_rows && claim.num_rows >= 0;
  if (!rows || !stated || (!differ && *rows == claim.num_rows)) return;
  for (std::size_t i = 0; i < claim.chunk_count; ++i) {
    ChunkClaim& chunk = parsed_.chunks[claim.first_chunk + i];
    chunk.sizes_reported = chunk.sizes_reported || chunk.rows_from_histogram;
  }
}

bool FooterLists::column(ColumnChunk& chunk, const Element& at) {
  if (!at.complete) return false;
  const ColumnMetaData& meta = chunk.meta_data;
  ChunkState state = state_of(parsed_, chunk, at.index);
  const bool visible = is_visible(parsed_, chunk, state, at.index);
  const bool has_path = state >= ChunkState::unknown_type || visible;
  const bool own_path = !has_path || is_path_of(meta, parsed_.schema.leaf(at.index));
  // After a misread in the row group, a chunk may be read at a wrong place, too; its path is then that of
  // another column.
  const bool follows_misread = at.reader.signs() != signs_;
  const bool misread = chunk.fields.misread || meta.fields.misread || !own_path;
  if (follows_misread && (misread || state == ChunkState::without_metadata))
    state = ChunkState::unreadable_metadata;
  ChunkClaim claim = claim_of(chunk, state, row_group_index(), at.index);
  file_paths_.take(chunk, claim);
  chunk_rules_.judge(chunk, state, claim, own_path);
  // Statistics of another column are not judged.
  if (!own_path) claim.has_statistics = false;
  if (claim.has_statistics) {
    const SoundStatistics statistics =
        sound_statistics(parsed_.schema.leaf(at.index), claim, meta.statistics);
    claim.sound_statistics = statistics.sound;
    claim.lacks_nan_count = statistics.lacks_nan_count;
  }
  if (own_path && has_leaf(state)) {
    judge_sizes(meta, claim);
    if (meta.has(ColumnMetaData::id_geospatial_statistics))
      judge_geospatial_statistics(FindingSite::of_chunk(check_, claim), parsed_.schema, at.index, meta);
  }
  claim.placeable = state == ChunkState::usable && claim.file != 0;
  if (state == ChunkState::usable && claim.file == 0) place_pages(check_, chunk, claim);
  if (visible && claim.file == 0) place_sealed_pages(check_, chunk, claim);
  if (has_metadata(state) || visible) chunk_rules_.offsets(chunk, claim);
  if (claim.file == 0) place_indexes(check_, chunk, claim);
  parsed_.chunks.push_back(claim);
  return true;
}

}  // namespace parqproof
