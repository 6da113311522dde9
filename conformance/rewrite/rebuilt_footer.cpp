#include "conformance/rewrite/rebuilt_footer.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <string_view>
#include <utility>

#include "codec/base/composed_source.hpp"
#include "codec/base/text.hpp"
#include "codec/file/frame.hpp"
#include "codec/format/footer_visitor.hpp"
#include "codec/page/chunk_extent.hpp"
#include "codec/page/page_walk.hpp"
#include "codec/schema/schema.hpp"
#include "codec/thrift/emitter.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/diagnosis/doubts.hpp"
#include "conformance/report/words/wording.hpp"
#include "conformance/rewrite/assigned_pages.hpp"
#include "conformance/rewrite/footer_part.hpp"
#include "conformance/rewrite/moved_chunks.hpp"

namespace parqproof {
namespace {

/// Makes the metadata of a row group whose pages were assigned.
class RowGroupMaker {
 public:
  RowGroupMaker(const Schema& schema, const PageChain& chain) : schema_(schema), chain_(chain) {}

  void add(const AssignedRowGroup& assigned, thrift::ListBuilder<RowGroup>& out) {
    thrift::ListBuilder<ColumnChunk> columns;
    RowGroup group;
    for (std::size_t leaf = 0; leaf < assigned.chunks.size(); ++leaf) {
      const AssignedChunk& chunk = assigned.chunks[leaf];
      add_chunk(chunk, leaf, columns, group);
    }
    group.columns = columns.list();
    group.num_rows = static_cast<std::int64_t>(assigned.rows);
    group.fields.present = 1U << RowGroup::id_columns | 1U << RowGroup::id_total_byte_size |
                           1U << RowGroup::id_num_rows | 1U << RowGroup::id_total_compressed_size;
    out.add(group);
  }

 private:
  void add_chunk(const AssignedChunk& assigned, std::size_t leaf, thrift::ListBuilder<ColumnChunk>& out,
                 RowGroup& group) const {
    ColumnChunk chunk;
    ColumnMetaData& meta = chunk.meta_data;
    meta.type = schema_.leaf(leaf).type;
    meta.codec = assigned.codec;
    thrift::ListBuilder<View> path;
    for (const View& name : schema_.path(schema_.leaf_index(leaf))) path.add(name);
    meta.path_in_schema = path.list();
    std::set<Encoding> used{Encoding::RLE};
    for (std::size_t i = assigned.first; i < assigned.end; ++i) {
      const Page& page = chain_.pages[i];
      meta.total_compressed_size += static_cast<std::int64_t>(page.end() - page.offset);
      meta.total_uncompressed_size +=
          static_cast<std::int64_t>(page.body - page.offset) + page.header.uncompressed_page_size;
      if (page.is_dictionary()) {
        used.insert(page.header.dictionary_page_header.encoding);
        meta.dictionary_page_offset = static_cast<std::int64_t>(page.offset);
        continue;
      }
      used.insert(page.encoding());
      if (meta.data_page_offset == 0) meta.data_page_offset = static_cast<std::int64_t>(page.offset);
      meta.num_values += page.num_values();
    }
    thrift::ListBuilder<Encoding> encodings;
    for (const Encoding encoding : used) encodings.add(encoding);
    meta.encodings = encodings.list();
    using M = ColumnMetaData;
    meta.fields.present = 1U << M::id_type | 1U << M::id_encodings | 1U << M::id_path_in_schema |
                          1U << M::id_codec | 1U << M::id_num_values | 1U << M::id_total_uncompressed_size |
                          1U << M::id_total_compressed_size | 1U << M::id_data_page_offset;
    if (meta.dictionary_page_offset != 0) meta.fields.present |= 1U << M::id_dictionary_page_offset;
    chunk.fields.present = 1U << ColumnChunk::id_file_offset | 1U << ColumnChunk::id_meta_data;
    group.total_byte_size += meta.total_uncompressed_size;
    group.total_compressed_size += meta.total_compressed_size;
    out.add(chunk);
  }

  const Schema& schema_;
  const PageChain& chain_;
};

/// Makes the footer of one file.
class Rebuilding {
 public:
  Rebuilding(const Source& source, const Source* sibling, const Limits& limits)
      : source_(source), sibling_(sibling), limits_(limits) {}

  RebuiltFooter run() {
    find_remains();
    if (!find_schema()) return std::move(out_);
    if (!own_) own_.emplace();
    make_row_groups();
    return finish();
  }

  RebuiltFooter correct() {
    Findings passed_over({});
    const Frame frame = read_frame(source_, source_.size(), limits_, passed_over);
    FooterPart part;
    if (frame.state != Frame::State::footer ||
        !read_part(source_, frame.footer_offset, frame.footer.end(), limits_, part))
      return std::move(out_);
    own_ = std::move(part);
    if (std::ranges::any_of(own_->row_groups, [](const StatedRowGroup& group) {
          return std::ranges::any_of(group.chunks, [](const StatedChunk& chunk) {
            return chunk.chunk.has(ColumnChunk::id_file_path) ||
                   chunk.chunk.fields.mentions(ColumnChunk::id_crypto_metadata);
          });
        }))
      return std::move(out_);
    data_end_ = frame.footer_offset;
    ends_at_footer_ = true;
    if (!find_schema()) return std::move(out_);
    const bool is_moved = MovedChunks(source_, *own_, data_end_, limits_, lost_, out_.notes).relocate();
    const bool is_damaged =
        own_->row_groups.size() < own_->row_groups_stated ||
        std::ranges::any_of(
            own_->row_groups,
            [&](const StatedRowGroup& group) { return !group.is_usable || is_doubtful(group); });
    if (!is_damaged && !is_moved) return std::move(out_);
    make_row_groups();
    return finish();
  }

 private:
  RebuiltFooter finish() {
    const std::vector<std::uint8_t> bytes = footer();
    const std::array tail = footer_tail(bytes.size());
    auto file = std::make_unique<ComposedSource>();
    file->add(std::span(tail).last(kMagicBytes));
    std::ranges::sort(lost_);
    std::uint64_t at = std::min(kMagicBytes, source_.size());
    for (const auto& [begin, end] : lost_) {
      if (end <= at) continue;
      file->add(source_, at, std::max(begin, at)).add_zeros(end - std::max(begin, at));
      at = end;
    }
    file->add(source_, at, source_.size()).add(bytes).add(tail);
    out_.file = std::move(file);
    return std::move(out_);
  }

  /// The last complete footer, or the longest readable part of one.
  void find_remains() {
    CheckOptions options;
    options.limits = limits_;
    FileCheck check(source_, options, RuleSet{});
    const Remains remains = diagnosis().search_remains(check).value_or(Remains());
    data_end_ = source_.size();
    for (auto footer = remains.footers.rbegin(); footer != remains.footers.rend() && !own_; ++footer) {
      take_own(footer->offset, footer->offset + footer->length);
      if (own_)
        out_.notes.push_back("the footer is lost; a complete one is at byte " +
                             std::to_string(footer->offset));
    }
    if (own_ || !remains.cut_footer) return;
    take_own(remains.cut_footer->offset, remains.cut_footer->read_to);
    if (!own_) return;
    data_end_ = remains.cut_footer->offset;
    ends_at_footer_ = true;
    out_.notes.push_back("the footer is lost; its bytes from " + std::to_string(remains.cut_footer->offset) +
                         " to " + std::to_string(remains.cut_footer->read_to) + " can be read");
  }

  void take_own(std::uint64_t offset, std::uint64_t read_to) {
    FooterPart part;
    if (read_part(source_, offset, read_to, limits_, part) &&
        (part.row_groups.empty() || std::ranges::any_of(part.row_groups, [&](const StatedRowGroup& group) {
           return group.is_usable && begins_with_pages(source_, group, limits_);
         })))
      own_ = std::move(part);
  }

  bool find_schema() {
    if (sibling_ != nullptr) {
      Findings passed_over({});
      const Frame frame = read_frame(*sibling_, sibling_->size(), limits_, passed_over);
      FooterPart part;
      Schema schema;
      if (frame.state != Frame::State::footer ||
          !read_part(*sibling_, frame.footer_offset, frame.footer.end(), limits_, part) ||
          !make_schema(part, schema)) {
        out_.why = "--schema-from: its footer cannot be read";
        return false;
      }
      sibling_part_ = std::move(part);
    }
    if (own_ && make_schema(*own_, schema_)) {
      if (sibling_part_ && !agrees(*own_, *sibling_part_)) {
        out_.why = "--schema-from: its schema differs from what is left of the footer";
        return false;
      }
      elements_ = &own_->elements;
      return true;
    }
    if (sibling_part_) {
      if (own_) {
        own_->has_schema = false;
        if (!agrees(*own_, *sibling_part_)) {
          out_.why = "--schema-from: its schema differs from what is left of the footer";
          return false;
        }
      }
      schema_ = Schema();
      (void)make_schema(*sibling_part_, schema_);
      elements_ = &sibling_part_->elements;
      out_.notes.emplace_back("the schema is that of the file of --schema-from");
      if (own_) {
        for (StatedRowGroup& group : own_->row_groups)
          group.is_usable = group.is_usable && group.chunks.size() == schema_.leaf_count();
      }
      return true;
    }
    out_.lacks_schema = true;
    out_.why = std::string("the footer is lost, and ") + (own_ ? "a part of the schema" : "the schema") +
               " with it; --schema-from FILE takes it from a file with the same schema";
    return false;
  }

  /// Returns true if the pages of a row group are not as its metadata says.
  [[nodiscard]] bool is_doubtful(const StatedRowGroup& group) const {
    for (std::size_t leaf = 0; leaf < group.chunks.size(); ++leaf) {
      const StatedChunk& chunk = group.chunks[leaf];
      const WalkedChunk walked = walk_chunk(source_, chunk.begin, chunk.end, limits_);
      std::int64_t values = 0;
      for (const Page& page : walked.pages) values += page.is_data() ? page.num_values() : 0;
      const ColumnMetaData& meta = chunk.chunk.meta_data;
      if (!walked.is_exact || values != meta.num_values || leaf >= schema_.leaf_count() ||
          meta.type != schema_.leaf(leaf).type ||
          (schema_.leaf(leaf).max_repetition == 0 && values != group.group.num_rows))
        return true;
    }
    return false;
  }

  /// Lists the row groups that are usable, and those that are found between and after them.
  void make_row_groups() {
    codecs_.assign(schema_.leaf_count(), std::nullopt);
    for (const FooterPart* const part : {sibling_part_ ? &*sibling_part_ : nullptr, &*own_}) {
      if (part == nullptr) continue;
      for (const StatedRowGroup& group : part->row_groups) {
        if (!group.is_usable || group.chunks.size() != codecs_.size()) continue;
        for (std::size_t i = 0; i < codecs_.size(); ++i) codecs_[i] = group.chunks[i].chunk.meta_data.codec;
        break;
      }
    }
    PageFit fit(source_, schema_, limits_);
    std::uint64_t from = kMagicBytes;
    std::uint64_t stated = 0;
    std::uint64_t stated_rows = 0;
    bool is_missing = false;  // a row group may be missing before the next one
    const auto use = [&](const StatedRowGroup& group) {
      from = std::max(from, group.end());
      thrift::ListBuilder<ColumnChunk> columns;
      for (const StatedChunk& chunk : group.chunks) columns.add(chunk.chunk);
      RowGroup copy = group.group;
      copy.columns = columns.list();
      copy.fields.present |= 1U << RowGroup::id_columns;
      copy.fields.present &= ~(1U << RowGroup::id_file_offset | 1U << RowGroup::id_ordinal);
      row_groups_.add(copy);
      ++stated;
      stated_rows += static_cast<std::uint64_t>(copy.num_rows);
    };
    std::vector<const StatedRowGroup*> doubtful;
    // Row groups whose metadata is doubtful are used if none are found in their place.
    const auto settle = [&](std::uint64_t to, bool has_clean_end) {
      const std::uint64_t before = found_;
      if (is_missing && to > from) find_between(from, to, has_clean_end, fit);
      if (found_ == before) {
        for (const StatedRowGroup* const group : doubtful) use(*group);
      }
      doubtful.clear();
      is_missing = false;
    };
    for (const StatedRowGroup& group : own_->row_groups) {
      const bool begins = group.is_usable && begins_with_pages(source_, group, limits_);
      if (!begins || is_doubtful(group)) {
        is_missing = true;
        if (begins) doubtful.push_back(&group);
        continue;
      }
      settle(group.begin(), true);
      use(group);
    }
    if (own_->row_groups.size() < own_->row_groups_stated || own_->row_groups_stated == 0 || !ends_at_footer_)
      is_missing = true;
    settle(data_end_, ends_at_footer_);
    if (stated != 0)
      out_.notes.push_back(counted(stated, "row group") + " with " + counted(stated_rows, "row") +
                           (stated == 1 ? " is" : " are") + " as in what is left of the footer");
    rows_ += stated_rows + found_rows_;
    note_found(fit);
  }

  void find_between(std::uint64_t from, std::uint64_t to, bool has_clean_end, PageFit& fit) {
    for (const PageChain& chain : find_page_chains(source_, from, to, has_clean_end, limits_)) {
      const AssignedPages assigned = assign_pages(schema_, codecs_, fit, chain);
      RowGroupMaker maker(schema_, chain);
      std::uint64_t left = chain.pages.size();
      std::uint64_t left_bytes = chain.bytes();
      for (const AssignedRowGroup& group : assigned.row_groups) {
        maker.add(group, row_groups_);
        ++found_;
        found_rows_ += group.rows;
        for (const AssignedChunk& chunk : group.chunks) {
          left -= chunk.end - chunk.first;
          for (std::size_t i = chunk.first; i < chunk.end; ++i)
            left_bytes -= chain.pages[i].end() - chain.pages[i].offset;
        }
      }
      is_ambiguous_ = is_ambiguous_ || assigned.is_ambiguous;
      pages_left_ += left;
      bytes_left_ += left_bytes;
    }
  }

  void note_found(const PageFit& fit) {
    if (found_ != 0) {
      out_.notes.push_back(counted(found_, "row group") + " with " + counted(found_rows_, "row") +
                           (found_ == 1 ? " was" : " were") + " found by page headers");
      out_.notes.emplace_back(schema_.leaf_count() == 1
                                  ? "guessed: where these row groups begin and end"
                                  : "guessed: their pages are of the columns in the order of the schema; the "
                                    "pages decode as values of "
                                    "their columns, all columns of a row group have the same number of rows, "
                                    "and no other assignment "
                                    "fits");
    }
    if (pages_left_ != 0)
      out_.notes.push_back(counted(pages_left_, "page") + " with " + counted(bytes_left_, "byte") +
                           " left out, because " +
                           (fit.is_exhausted() ? "too many assignments to columns were tried"
                            : is_ambiguous_    ? "they fit the columns in more than one way"
                                               : "no complete row group fits them"));
  }

  [[nodiscard]] std::vector<std::uint8_t> footer() const {
    FileMetaData meta;
    meta.version = 2;
    thrift::ListBuilder<SchemaElement> elements;
    for (const SchemaElement& element : *elements_) elements.add(element);
    meta.schema = elements.list();
    meta.num_rows = static_cast<std::int64_t>(rows_);
    meta.row_groups = row_groups_.list();
    meta.fields.present = 1U << FileMetaData::id_version | 1U << FileMetaData::id_schema |
                          1U << FileMetaData::id_num_rows | 1U << FileMetaData::id_row_groups;
    thrift::ListBuilder<KeyValue> key_values;
    const auto add = [&](const FooterPart& from, bool all) {
      for (const auto& [key, value] : from.key_values) {
        if (!all && key != "ARROW:schema") continue;
        KeyValue one;
        one.key = view_of(key);
        one.fields.present = 1U << KeyValue::id_key;
        if (value) {
          one.value = view_of(*value);
          one.fields.present |= 1U << KeyValue::id_value;
        }
        key_values.add(one);
      }
    };
    if (!own_->key_values.empty()) {
      add(*own_, true);
    } else if (sibling_part_) {
      add(*sibling_part_, false);  // others may describe its rows
    }
    meta.key_value_metadata = key_values.list();
    if (meta.key_value_metadata.count != 0) meta.fields.present |= 1U << FileMetaData::id_key_value_metadata;
    if (own_->column_orders.count == schema_.leaf_count()) {
      meta.column_orders = own_->column_orders;
      meta.fields.present |= 1U << FileMetaData::id_column_orders;
    }
    std::vector<std::uint8_t> out;
    thrift::emit(meta, out);
    return out;
  }

  const Source& source_;
  const Source* sibling_;
  const Limits& limits_;
  RebuiltFooter out_;
  std::optional<FooterPart> own_;
  std::optional<FooterPart> sibling_part_;
  Schema schema_;
  const std::vector<SchemaElement>* elements_ = nullptr;
  std::vector<std::optional<CompressionCodec>> codecs_;
  thrift::ListBuilder<RowGroup> row_groups_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> lost_;
  std::uint64_t data_end_ = 0;
  bool ends_at_footer_ = false;
  std::uint64_t rows_ = 0;
  std::uint64_t found_ = 0;
  std::uint64_t found_rows_ = 0;
  std::uint64_t pages_left_ = 0;
  std::uint64_t bytes_left_ = 0;
  bool is_ambiguous_ = false;
};

}  // namespace

bool is_footer_lost(const Source& source, const Limits& limits) {
  Findings passed_over({});
  const Frame frame = read_frame(source, source.size(), limits, passed_over);
  if (frame.state != Frame::State::footer) return frame.state == Frame::State::lost;
  thrift::Reader reader(frame.footer, {}, limits);
  FileMetaData meta;
  if (!reader.read(meta) || !meta.has(FileMetaData::id_schema) || !meta.has(FileMetaData::id_row_groups))
    return true;
  Schema schema;
  thrift::for_each<SchemaElement>(meta.schema, limits,
                                  [&](const SchemaElement& element, std::uint32_t) { schema.add(element); });
  schema.finish();
  return schema.fault() != Schema::Fault::none;
}

RebuiltFooter correct_footer(const Source& source, const Source* sibling, const Limits& limits) {
  return Rebuilding(source, sibling, limits).correct();
}

RebuiltFooter rebuild_footer(const Source& source, const Source* sibling, const Limits& limits) {
  return Rebuilding(source, sibling, limits).run();
}

}  // namespace parqproof
