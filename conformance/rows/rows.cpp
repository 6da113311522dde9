#include "conformance/rows/rows.hpp"

#include <algorithm>
#include <optional>

#include "codec/base/bits.hpp"
#include "codec/file/frame.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/rules/rule.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/rows/assembler.hpp"

namespace parqproof {
namespace {

/// What a cursor takes at least, whatever its pages are.
constexpr std::uint64_t kCursorBytes = std::uint64_t{160} << 10;

class RowWriter {
 public:
  RowWriter(const Source& source, const RowOptions& options, Out& out, Trouble& trouble)
      : source_(source),
        options_(options),
        out_(out),
        trouble_(trouble),
        judge_(trouble.judge()),
        found_(RuleSet{}.set()) {}

  RowsOutcome run() {
    RowsOutcome outcome;
    if (!read_footer() || !read_schema()) {
      outcome.end = RowsEnd::trouble;
      return outcome;
    }
    fields_ = make_fields(schema_, options_.view, options_.columns, outcome.column);
    if (!outcome.column.empty()) {
      outcome.end = RowsEnd::no_column;
      return outcome;
    }
    ReadingContext context{source_, schema_, options_.limits, frame_.footer_offset, frame_.footer, trouble_,
                           {},      0};
    outcome.end = fits_in_memory() ? row_groups(context) : RowsEnd::trouble;
    if (outcome.end == RowsEnd::trouble && trouble_.finding() != nullptr) {
      const std::int32_t leaf = trouble_.finding()->place.leaf;
      if (leaf >= 0) outcome.column = schema_.dotted_path(schema_.leaf_index(static_cast<std::size_t>(leaf)));
      if (trouble_.finding()->place.page >= 0) outcome.file = file_of(static_cast<std::size_t>(leaf));
    }
    return outcome;
  }

 private:
  enum class Step : std::uint8_t { on, done, trouble, cancelled };

  [[nodiscard]] View footer_from(std::uint64_t offset) const noexcept {
    return frame_.footer.from(static_cast<std::size_t>(offset - frame_.footer.base));
  }
  /// Something in the footer that rows depend on is not there: what the reader found in its bytes says why.
  bool lacks(std::uint64_t from, std::uint64_t to, std::string_view what) {
    if (!trouble_.adopt(found_, from, to))
      judge_.at(Rule::thrift_required_field, {}, from, to - from, seen("absent", what));
    return false;
  }

  bool read_footer() {
    frame_ = read_frame(source_, source_.size(), options_.limits, found_);
    if (frame_.state == Frame::State::unreadable) {
      trouble_.words("the file could not be read");
      return false;
    }
    if (frame_.state != Frame::State::footer) return lacks(0, UINT64_MAX, "a footer");
    const View footer = frame_.footer;
    thrift::Reader reader(footer, {&found_, {}, {}}, options_.limits);
    if (!reader.read(meta_)) return lacks(0, UINT64_MAX, "a footer that can be read");
    if (!meta_.has(FileMetaData::id_schema)) return lacks(footer.base, footer.end(), "schema");
    return meta_.has(FileMetaData::id_row_groups) || lacks(footer.base, footer.end(), "row_groups");
  }

  bool read_schema() {
    thrift::for_each<SchemaElement>(
        meta_.schema, options_.limits, [&](const SchemaElement& element, std::uint32_t) {
          if (element.type == Type::FIXED_LEN_BYTE_ARRAY && element.has(SchemaElement::id_type) &&
              (!element.has(SchemaElement::id_type_length) || element.type_length < 0))
            without_length_.push_back(static_cast<std::uint32_t>(schema_.nodes().size()));
          schema_.add(element);
        });
    schema_.finish();
    if (schema_.fault() != Schema::Fault::none) return no_tree();
    if (schema_.depth() <= options_.limits.schema_depth) return true;
    judge_.at(Rule::limit_schema_depth, {}, frame_.footer.base, 0,
              seen(schema_.depth(), options_.limits.schema_depth));
    return false;
  }

  bool no_tree() {
    const auto at_element = [&](Rule rule, std::string_view found, std::string_view expected) {
      const std::uint32_t index = schema_.fault_index();
      judge_.field(rule, {}, footer_from(schema_.nodes()[index].offset), SchemaElement::kType, "",
                   seen(found, expected), "schema[" + std::to_string(index) + "]");
    };
    switch (schema_.fault()) {
      case Schema::Fault::none:
      case Schema::Fault::empty:
        judge_.field(Rule::footer_schema_nonempty, {}, frame_.footer, FileMetaData::kType, "schema",
                     seen(0, "1 or more"));
        break;
      case Schema::Fault::root_not_group:
        at_element(Rule::schema_root_is_group, "no group", "a group");
        break;
      case Schema::Fault::group_or_leaf:
        at_element(Rule::schema_group_or_leaf, "both or none of type and num_children", "one of them");
        break;
      case Schema::Fault::negative_children:
        at_element(Rule::schema_num_children_negative, "a negative number", "0 or more");
        break;
      case Schema::Fault::left_over:
        at_element(Rule::schema_tree, "elements left over", "none");
        break;
      case Schema::Fault::too_few:
        at_element(Rule::schema_tree, "fewer elements than num_children asks for", "as many");
        break;
    }
    return false;
  }

  bool fits_in_memory() {
    const std::uint64_t needed = fields_.leaves.size() * kCursorBytes;
    if (needed <= options_.limits.memory_bytes) return true;
    judge_.field(Rule::limit_memory, {}, frame_.footer, FileMetaData::kType, "schema",
                 seen(needed, options_.limits.memory_bytes));
    return false;
  }

  bool leaf_is_readable(std::size_t leaf) {
    const std::uint32_t index = schema_.leaf_index(leaf);
    if (!schema_.leaf(leaf).readable)
      return lacks(frame_.footer.base, frame_.footer.end(), "the type or repetition of a column");
    if (!std::ranges::binary_search(without_length_, index)) return true;
    judge_.field(Rule::schema_type_length, {-1, static_cast<std::int32_t>(leaf), -1},
                 footer_from(schema_.leaf(leaf).offset), SchemaElement::kType, "type_length",
                 seen("absent or negative", "0 or more"), "schema[" + std::to_string(index) + "]");
    return false;
  }

  RowsEnd row_groups(ReadingContext& context) {
    for (const std::size_t leaf : fields_.leaves) {
      if (!leaf_is_readable(leaf)) return RowsEnd::trouble;
    }
    Assembler assembler(context, fields_);
    budget_.earn(source_.size());
    Step step = Step::on;
    thrift::for_each<RowGroup>(meta_.row_groups, options_.limits,
                               [&](const RowGroup& group, std::uint32_t index) {
                                 if (step == Step::on) step = row_group(assembler, group, index);
                               });
    return step == Step::trouble     ? RowsEnd::trouble
           : step == Step::cancelled ? RowsEnd::cancelled
                                     : RowsEnd::whole;
  }

  [[nodiscard]] bool enough() const noexcept {
    return row_ >= options_.end || written_ >= options_.limit || out_.closed();
  }

  Step row_group(Assembler& assembler, const RowGroup& group, std::uint32_t index) {
    if (enough()) return Step::done;
    const Place place{static_cast<std::int32_t>(index), -1, -1};
    const View bytes = footer_from(group.fields.offset);
    if (!group.has(RowGroup::id_num_rows) || !group.has(RowGroup::id_columns)) {
      (void)lacks(group.fields.offset, group.fields.end, "num_rows and columns");
      return Step::trouble;
    }
    if (group.num_rows < 0) {
      judge_.field(Rule::row_group_num_rows_negative, place, bytes, RowGroup::kType, "num_rows",
                   seen(group.num_rows, "0 or more"));
      return Step::trouble;
    }
    if (group.columns.count != schema_.leaf_count()) {
      judge_.field(Rule::row_group_column_count, place, bytes, RowGroup::kType, "columns",
                   seen(group.columns.count, schema_.leaf_count()));
      return Step::trouble;
    }
    const auto rows = static_cast<std::uint64_t>(group.num_rows);
    if (row_ + rows <= options_.first) {  // its rows are not asked for
      row_ += rows;
      return Step::on;
    }
    if (fields_.leaves.empty()) return rows_without_columns(place, bytes, rows);
    if (!chunks_of(group, index) || !assembler.open(chunks_)) return Step::trouble;
    std::uint64_t here = 0;
    for (;; ++here) {
      if (enough()) return Step::done;
      if (options_.cancelled != nullptr && options_.cancelled->load(std::memory_order_relaxed))
        return Step::cancelled;
      const bool wanted = row_ >= options_.first;
      const Assembler::Step step = wanted ? assembler.next(text_) : assembler.skip();
      if (step == Assembler::Step::trouble) return Step::trouble;
      if (step == Assembler::Step::end) break;
      if (wanted) write();
      ++row_;
    }
    if (here == rows) return Step::on;
    judge_.field(Rule::row_group_num_rows, place, bytes, RowGroup::kType, "num_rows", seen(rows, here));
    return Step::trouble;
  }

  /// Rows of no columns take no bytes, so the number of those that are believed depends on the file's size.
  Step rows_without_columns(const Place& place, View bytes, std::uint64_t rows) {
    text_.clear();
    text_ = fields_.root.children.empty() ? "{}" : empty_row(fields_.root);
    for (std::uint64_t here = 0; here < rows; ++here, ++row_) {
      if (enough()) return Step::done;
      if (options_.cancelled != nullptr && options_.cancelled->load(std::memory_order_relaxed))
        return Step::cancelled;
      if (!budget_.spend(1)) {
        judge_.field(Rule::limit_work, place, bytes, RowGroup::kType, "num_rows",
                     seen(rows, budget_.limit()));
        return Step::trouble;
      }
      if (row_ >= options_.first) write();
    }
    return Step::on;
  }
  /// A row of groups that have no columns.
  static std::string empty_row(const Field& group) {
    std::string text = "{";
    for (const Field& child : group.children) {
      if (text.size() > 1) text += ',';
      text += child.key;
      text += child.repetition == FieldRepetitionType::REPEATED   ? "[]"
              : child.repetition == FieldRepetitionType::OPTIONAL ? "null"
                                                                  : empty_row(child);
    }
    return text + '}';
  }

  void write() {
    text_ += '\n';
    out_ << text_;
    text_.pop_back();
    ++written_;
  }

  bool chunks_of(const RowGroup& group, std::uint32_t index) {
    chunks_.clear();
    files_.clear();
    std::size_t wanted = 0;
    bool sound = true;
    thrift::for_each<ColumnChunk>(
        group.columns, options_.limits, [&](const ColumnChunk& chunk, std::uint32_t leaf) {
          if (!sound || wanted == fields_.leaves.size() || fields_.leaves[wanted] != leaf) return;
          ++wanted;
          sound = chunk_of(chunk, {static_cast<std::int32_t>(index), static_cast<std::int32_t>(leaf), -1});
        });
    return sound;
  }

  /// Where the pages of a chunk are.
  bool chunk_of(const ColumnChunk& chunk, const Place& place) {
    using Id = ColumnMetaData::Id;
    const ColumnMetaData& meta = chunk.meta_data;
    const Node& leaf = schema_.leaf(static_cast<std::size_t>(place.leaf));
    const auto fault = [&](Rule rule, std::string_view path, Seen what) {
      judge_.field(rule, place, footer_from(chunk.fields.offset), ColumnChunk::kType, path, std::move(what));
      return false;
    };
    if (chunk.fields.mentions(ColumnChunk::id_crypto_metadata))
      return fault(Rule::file_encrypted_column, "crypto_metadata", seen("encrypted", "plain"));
    if (!chunk.fields.mentions(ColumnChunk::id_meta_data))
      return fault(Rule::column_chunk_meta_data, "meta_data", seen("absent", "ColumnMetaData"));
    for (const Id id : {Id::id_num_values, Id::id_total_compressed_size, Id::id_data_page_offset,
                        Id::id_codec, Id::id_type}) {
      if (!meta.has(id)) return lacks(chunk.fields.offset, chunk.fields.end, "the column metadata");
    }
    if (meta.type != leaf.type) {
      return fault(Rule::column_chunk_type, "meta_data.type",
                   seen(kTypeEnum.name_of(static_cast<int>(meta.type)),
                        kTypeEnum.name_of(static_cast<int>(leaf.type))));
    }
    if (meta.num_values < 0)
      return fault(Rule::column_chunk_sizes_negative, "meta_data.num_values",
                   seen(meta.num_values, "0 or more"));
    if (meta.total_compressed_size < 0)
      return fault(Rule::column_chunk_sizes_negative, "meta_data.total_compressed_size",
                   seen(meta.total_compressed_size, "0 or more"));
    if (!can_decompress(meta.codec)) return lacks(chunk.fields.offset, chunk.fields.end, "a known codec");
    ChunkPlace pages;
    pages.struct_offset = chunk.fields.offset;
    pages.row_group = static_cast<std::uint32_t>(place.row_group);
    pages.num_values = meta.num_values;
    pages.codec = meta.codec;
    pages.source = &source_;
    if (!in_named_file(chunk, place, pages)) return false;
    if (meta.num_values != 0 && !extent(meta, fault, pages)) return false;
    chunks_.push_back(pages);
    return true;
  }

  /// Finds the file that holds the chunk, where that is another one.
  bool in_named_file(const ColumnChunk& chunk, const Place& place, ChunkPlace& pages) {
    files_.emplace_back();
    if (!chunk.has(ColumnChunk::id_file_path) || chunk.file_path.empty()) return true;
    const std::string group =
        "the data of row group " + std::to_string(place.row_group) + " is in another file";
    if (options_.folder == nullptr) {
      trouble_.words(group);
      return false;
    }
    std::string path = plain_path(text_of(chunk.file_path));
    if (path == options_.folder->own_name()) return true;
    std::string why;
    pages.source = options_.folder->share(path, why);
    files_.back() = options_.folder->beside(path);
    if (pages.source == nullptr) trouble_.words(group + ", " + files_.back() + ": " + why);
    return pages.source != nullptr;
  }

  /// The file that holds the current chunk of a leaf, where that is another one.
  [[nodiscard]] std::string file_of(std::size_t leaf) const {
    const auto at = std::ranges::lower_bound(fields_.leaves, leaf);
    const auto index = static_cast<std::size_t>(at - fields_.leaves.begin());
    return index < files_.size() ? files_[index] : std::string();
  }

  template <typename Fault>
  bool extent(const ColumnMetaData& meta, const Fault& fault, ChunkPlace& pages) const {
    const std::int64_t data = meta.data_page_offset;
    const std::int64_t dictionary =
        meta.has(ColumnMetaData::id_dictionary_page_offset) ? meta.dictionary_page_offset : 0;
    const bool at_dictionary = dictionary > 0 && (data <= 0 || dictionary < data);
    const std::int64_t start = at_dictionary ? dictionary : data;
    const bool here = pages.source == &source_;
    const auto begin = static_cast<std::int64_t>(here ? kMagicBytes : 0);
    const auto end = static_cast<std::int64_t>(here ? frame_.footer_offset : pages.source->size());
    if (start < begin || start >= end) {
      return fault(Rule::file_region_inside,
                   at_dictionary ? "meta_data.dictionary_page_offset" : "meta_data.data_page_offset",
                   seen(start, std::to_string(begin) + " to " + std::to_string(end - 1)));
    }
    pages.start = static_cast<std::uint64_t>(start);
    pages.end = pages.start + static_cast<std::uint64_t>(std::min(meta.total_compressed_size, end - start));
    return true;
  }

  const Source& source_;
  const RowOptions& options_;
  Out& out_;
  Trouble& trouble_;
  const Judge& judge_;
  Findings found_;  // what the readers of the footer say; little of it keeps rows from being read
  Frame frame_;
  FileMetaData meta_;
  Schema schema_;
  std::vector<std::uint32_t> without_length_;  // FIXED_LEN_BYTE_ARRAY nodes, in order
  Fields fields_;
  std::vector<ChunkPlace> chunks_;
  std::vector<std::string> files_;  // beside chunks_: the files that hold them, where they are others
  Budget budget_{options_.limits.work};
  std::string text_;
  std::uint64_t row_ = 0;
  std::uint64_t written_ = 0;
};

}  // namespace

RowsOutcome write_rows(const Source& source, const RowOptions& options, Out& out, Trouble& trouble) {
  return RowWriter(source, options, out, trouble).run();
}

}  // namespace parqproof
