#include "conformance/check/footer.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "codec/thrift/reader.hpp"
#include "conformance/check/statistics_claims.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kShortElement = 8;      // bytes of a SchemaElement
constexpr std::size_t kManyElements = 65536;  // room for more is made when they are there
constexpr std::size_t kShortChunk = 32;       // bytes of a ColumnChunk; shorter ones are possible, but odd

/// Takes the long lists of a footer while it is read: the schema, the row groups and their column chunks,
/// each through one reused struct. Columns need the schema; row groups that stand before it have to wait.
class FooterLists final : public thrift::ElementHandler {
 public:
  explicit FooterLists(FileCheck& context) : context_(context) {}

  [[nodiscard]] bool takes(const thrift::Field& list) const override {
    return list.name == "columns" || list.name == "row_groups" || list.name == "schema";
  }
  void begin(thrift::Reader& reader, const thrift::Field& list, std::uint32_t count) override {
    if (list.name == "schema") {
      context_.facts.schema.reserve(
          std::min({std::size_t{count}, reader.rest().size() / kShortElement, kManyElements}));
    } else if (list.name == "row_groups") {
      const bool has_schema = context_.facts.meta.schema.bytes.base != 0;
      postponed_ = may_wait_ && !has_schema;
      if (postponed_) return;
      if (has_schema) finish_schema();
      make_room(count, reader.rest().size());
      context_.facts.row_groups_whole = true;
    }
  }
  [[nodiscard]] bool element(thrift::Reader& reader, const thrift::Field& list,
                             std::uint32_t index) override {
    if (list.name == "columns") return column(reader, index);
    if (list.name == "schema") return schema_element(reader);
    if (postponed_) return reader.pass_over();
    context_.facts.row_groups_whole = row_group(reader, index);
    return context_.facts.row_groups_whole;
  }

  /// Ends the schema and judges it, once. False where the list was not read to its end.
  bool finish_schema() {
    if (std::exchange(schema_finished_, true)) return schema_whole_;
    context_.facts.schema.finish();
    if (schema_whole_) check_schema(context_);
    return schema_whole_;
  }

  /// Reads the row groups that had to wait, if they did.
  void read_postponed() {
    if (!postponed_) return;
    may_wait_ = false;
    const FileMetaData& meta = context_.facts.meta;
    thrift::Reader list(meta.row_groups.bytes, {&context_.outcome.findings, {}, {}}, context_.options.limits);
    list.set_handler(this);
    context_.facts.row_groups_whole = list.elements(*FileMetaData::kType.find("row_groups"), meta.row_groups);
  }

 private:
  bool schema_element(thrift::Reader& reader) {
    schema_whole_ = reader.read(element_);
    if (!schema_whole_) return false;
    context_.facts.schema.add(element_);
    check_schema_element(context_, element_, field_ids_);
    return true;
  }

  /// Room for the chunks that are there if each row group has one for each leaf, each with a region of its
  /// own; no more than `bytes` can hold.
  void make_room(std::size_t groups, std::size_t bytes) {
    const std::size_t most = bytes / kShortChunk;
    const std::size_t chunks = std::min(std::min(groups, most) * context_.facts.schema.leaf_count(), most);
    context_.facts.chunks.reserve(chunks);
    context_.facts.regions.reserve(chunks);
  }

  bool column(thrift::Reader& reader, std::uint32_t index) {
    const std::uint32_t base = reader.rebase();
    reader.set_place({static_cast<std::int32_t>(row_group_), static_cast<std::int32_t>(index), -1});
    const bool whole = reader.read(chunk_);
    reader.restore(base);
    reader.set_place({static_cast<std::int32_t>(row_group_), -1, -1});
    if (whole) check_column_chunk(context_, chunk_, row_group_, index, chunks_before_);
    return whole;
  }

  /// Takes back what the columns of a row group left that is not judged.
  void forget_chunks(std::size_t first_chunk, std::size_t first_region) {
    context_.facts.chunks.resize(first_chunk);
    context_.facts.regions.resize(first_region);
    context_.outcome.regions_known = false;
  }

  /// A row group whose columns claim values has rows, whatever it says: row-group/num-rows.
  [[nodiscard]] bool has_values(const RowGroupClaim& claim) const {
    const auto chunks = std::span(context_.facts.chunks).subspan(claim.first_chunk, claim.chunk_count);
    return std::ranges::any_of(chunks, [](const ChunkClaim& chunk) { return chunk.num_values > 0; });
  }

  bool row_group(thrift::Reader& reader, std::uint32_t index) {
    row_group_ = index;
    RowGroupClaim claim;
    claim.first_chunk = context_.facts.chunks.size();
    claim.struct_offset = reader.offset();
    const std::size_t first_region = context_.facts.regions.size();
    const std::uint32_t base = reader.rebase();
    reader.set_place({static_cast<std::int32_t>(index), -1, -1});
    const bool whole = reader.read(group_);
    reader.restore(base);
    reader.set_place({});
    if (!whole) {
      forget_chunks(claim.first_chunk, first_region);
      return false;
    }

    claim.chunk_count = context_.facts.chunks.size() - claim.first_chunk;
    claim.has_num_rows = group_.has(RowGroup::id_num_rows);
    claim.num_rows = group_.num_rows;
    claim.has_total_byte_size = group_.has(RowGroup::id_total_byte_size);
    claim.total_byte_size = group_.total_byte_size;
    claim.has_total_compressed_size = group_.has(RowGroup::id_total_compressed_size);
    claim.total_compressed_size = group_.total_compressed_size;
    claim.has_file_offset = group_.has(RowGroup::id_file_offset);
    claim.file_offset = group_.file_offset;
    if (group_.has(RowGroup::id_sorting_columns)) {
      thrift::for_each<SortingColumn>(group_.sorting_columns, context_.options.limits,
                                      [&](const SortingColumn& column, std::uint32_t i) {
                                        if (i == 0 && column.has(SortingColumn::id_column_idx))
                                          claim.first_sorting_column = column.column_idx;
                                      });
    }

    const Judge judge(context_.outcome.findings);
    const Place place{static_cast<std::int32_t>(index), -1, -1};
    const View bytes = context_.facts.footer_from(claim.struct_offset);
    const auto fault = [&](Rule rule, std::string_view path, Seen what) {
      judge.field(rule, place, bytes, RowGroup::kType, path, std::move(what));
    };
    claim.judged = context_.facts.schema_usable;
    if (group_.has(RowGroup::id_columns) && context_.facts.schema_usable &&
        group_.columns.count != context_.facts.schema.leaf_count()) {
      // row-group/column-count
      fault(Rule::row_group_column_count, "columns",
            seen(group_.columns.count, context_.facts.schema.leaf_count()));
      claim.judged = false;
    }
    // A list that is there twice has been reported; its chunks are more than the columns.
    if (claim.chunk_count != context_.facts.schema.leaf_count()) claim.judged = false;
    if (!claim.judged) {
      forget_chunks(claim.first_chunk, first_region);
      claim.chunk_count = 0;
      context_.outcome.lost.push_back({"column chunk", place, {}});  // which of them is which cannot be told
    }
    if (claim.has_num_rows && claim.num_rows < 0) {
      fault(Rule::row_group_num_rows_negative, "num_rows", seen(claim.num_rows, "0 or more"));
    } else if (claim.has_num_rows && claim.num_rows == 0 && !has_values(claim)) {
      fault(Rule::row_group_empty, "num_rows", seen(0, "1 or more"));
    }
    if (group_.has(RowGroup::id_ordinal) && group_.ordinal != static_cast<std::int64_t>(index)) {
      fault(Rule::row_group_ordinal, "ordinal", seen(group_.ordinal, index));
    }
    ordinals_ += group_.fields.mentions(RowGroup::id_ordinal) ? 1 : 0;
    if (!group_.fields.mentions(RowGroup::id_ordinal) && without_ordinal_ == kNone) {
      without_ordinal_ = context_.facts.row_groups.size();
    }
    context_.facts.row_groups.push_back(claim);
    return true;
  }

 public:
  /// row-group/ordinal-consistent, once all were seen.
  void finish_row_groups() const {
    if (ordinals_ == 0 || without_ordinal_ == kNone) return;
    const RowGroupClaim& claim = context_.facts.row_groups[without_ordinal_];
    Judge(context_.outcome.findings)
        .field(Rule::row_group_ordinal_consistent, {static_cast<std::int32_t>(without_ordinal_), -1, -1},
               context_.facts.footer_from(claim.struct_offset), RowGroup::kType, "ordinal",
               seen("absent", std::to_string(ordinals_) + " row groups have one"));
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  FileCheck& context_;
  SchemaElement element_;
  bool schema_whole_ = true;
  bool schema_finished_ = false;
  bool may_wait_ = true;    // row groups, for a schema
  bool postponed_ = false;  // they do
  std::unordered_set<std::int32_t> field_ids_;
  ChunksBefore chunks_before_;
  RowGroup group_;
  ColumnChunk chunk_;
  std::uint32_t row_group_ = 0;
  std::size_t ordinals_ = 0;
  std::size_t without_ordinal_ = kNone;
};

enum class CreatedBy : std::uint8_t { complete, without_build, unreadable };

/// Reads created_by as the field's comment describes it: application, the word version, a version, a build in
/// parentheses.
CreatedBy parse_created_by(std::string_view text) {
  constexpr std::string_view kWord = "version";
  const auto space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  bool judged = false;
  std::size_t open = 0;   // the parenthesis that was judged last
  std::size_t close = 0;  // the one that ends it
  for (std::size_t at = text.find(kWord); at != text.npos; at = text.find(kWord, at + 1)) {
    if (at == 0 || !space(text[at - 1])) continue;
    if (judged && open > at) continue;  // the parenthesis that follows is the same
    open = text.find('(', at);
    if (open == text.npos) return CreatedBy::without_build;
    judged = true;
    if (close < open) close = text.find(')', open);
    if (close != text.size() - 1) continue;
    std::string_view build = text.substr(open + 1);
    while (!build.empty() && space(build.front())) build.remove_prefix(1);
    if (build.starts_with("build")) return CreatedBy::complete;
  }
  return CreatedBy::unreadable;
}

void check_created_by(const Context& context, const Judge& judge) {
  const FileMetaData& meta = context.facts.meta;
  const auto fault = [&](Rule rule, Seen what) {
    judge.field(rule, {}, context.facts.frame.footer, FileMetaData::kType, "created_by", std::move(what));
  };
  if (meta.fields.mentions(FileMetaData::id_created_by) && !meta.has(FileMetaData::id_created_by)) return;
  if (meta.created_by.empty()) {
    fault(Rule::footer_created_by_missing, seen("none", "the writer's name and version"));
    return;
  }
  switch (parse_created_by(text_of(meta.created_by))) {
    case CreatedBy::complete:
      break;
    case CreatedBy::without_build:
      fault(Rule::footer_created_by_build, seen(text_of(meta.created_by), "... (build HASH)"));
      break;
    case CreatedBy::unreadable:
      fault(Rule::footer_created_by_format,
            seen(text_of(meta.created_by), "APPLICATION version VERSION (build HASH)"));
      break;
  }
}

/// Whether the file's name is that of a schema that other files share.
bool is_common_metadata(std::string_view path) {
  return path.substr(path.rfind('/') + 1) == "_common_metadata";
}

}  // namespace

void check_keys(FileCheck& context, const Place& place, const thrift::List& pairs, std::string_view path) {
  std::unordered_set<std::string_view> keys;
  thrift::for_each<KeyValue>(pairs, context.options.limits, [&](const KeyValue& pair, std::uint32_t i) {
    if (!pair.has(KeyValue::id_key) || keys.insert(text_of(pair.key)).second) return;
    Judge(context.outcome.findings)
        .field(Rule::footer_key_unique, place, context.facts.footer_from(pair.fields.offset), KeyValue::kType,
               "key", seen(text_of(pair.key), "a key of its own"),
               std::string(path) + "[" + std::to_string(i) + "]");
  });
}

void check_footer(FileCheck& context) {
  const View footer = context.facts.frame.footer;
  const Limits& limits = context.options.limits;
  const Judge judge(context.outcome.findings);
  const auto fault = [&](Rule rule, std::string_view path, Seen what) {
    judge.field(rule, {}, footer, FileMetaData::kType, path, std::move(what));
  };
  FileMetaData& meta = context.facts.meta;

  FooterLists lists(context);
  thrift::Reader reader(footer, {&context.outcome.findings, {}, {}}, limits);
  reader.set_handler(&lists);
  const bool whole = reader.read(meta);

  if (meta.fields.mentions(FileMetaData::id_schema) && meta.schema.bytes.base != 0 &&
      !lists.finish_schema()) {
    context.outcome.lost.push_back({"file", {}, {}});
    return;
  }
  if (meta.fields.mentions(FileMetaData::id_row_groups) && meta.row_groups.bytes.base != 0) {
    lists.read_postponed();
    lists.finish_row_groups();
    if (context.facts.row_groups_whole && meta.row_groups.count == 0) {
      fault(Rule::file_no_row_groups, "row_groups", seen(0, "1 or more"));
    }
    if (meta.row_groups.count != 0 && is_common_metadata(context.facts.path)) {
      fault(Rule::summary_common_metadata, "row_groups",
            seen(std::to_string(meta.row_groups.count) + " row groups", 0));
    }
  }
  if (!context.facts.row_groups_whole || !context.facts.schema_usable)
    context.outcome.lost.push_back({"file", {}, {}});

  check_column_orders(context);
  if (whole) check_bounds_have_orders(context);
  check_statistics(context);
  if (meta.has(FileMetaData::id_version)) {
    if (meta.version != 1 && meta.version != 2)
      fault(Rule::footer_version, "version", seen(meta.version, "1 or 2"));
    if (meta.version == 2) fault(Rule::footer_version_one, "version", seen(2, 1));
  }
  if (whole) {
    check_created_by(context, judge);
    const std::uint64_t rest = footer.end() - meta.fields.end;
    if (rest != 0 && !meta.has(FileMetaData::id_encryption_algorithm)) {
      judge.at(Rule::footer_exact_length, {}, meta.fields.end, rest, seen(rest, 0));
    }
  }
  if (meta.has(FileMetaData::id_key_value_metadata)) {
    check_keys(context, {}, meta.key_value_metadata, "key_value_metadata");
  }
}

void check_num_rows(FileCheck& context) {
  const Judge judge(context.outcome.findings);
  const FileMetaData& meta = context.facts.meta;
  if (!meta.has(FileMetaData::id_num_rows)) return;
  const auto fault = [&](Rule rule, Seen what) {
    judge.field(rule, {}, context.facts.frame.footer, FileMetaData::kType, "num_rows", std::move(what));
  };
  if (meta.num_rows < 0) {
    fault(Rule::footer_num_rows_negative, seen(meta.num_rows, "0 or more"));
    return;
  }
  std::int64_t sum = 0;
  std::int64_t true_sum =
      0;  // a row group that lies has been named; the file may agree with it or with the truth
  for (const RowGroupClaim& group : context.facts.row_groups) {
    if (!group.has_num_rows || group.num_rows < 0) return;  // reported there; a sum would be partial
    sum = saturating_add(sum, group.num_rows);
    true_sum = saturating_add(true_sum, group.true_rows.value_or(group.num_rows));
  }
  if (context.facts.row_groups_whole && sum != meta.num_rows && true_sum != meta.num_rows) {
    fault(Rule::footer_num_rows, seen(meta.num_rows, sum));
  }
}

}  // namespace parqproof
