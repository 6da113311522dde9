#include "conformance/rewrite/rebuilt_footer.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>
#include <utility>

#include "codec/base/append.hpp"
#include "codec/base/text.hpp"
#include "codec/file/frame.hpp"
#include "codec/format/footer_visitor.hpp"
#include "codec/page/chunk_extent.hpp"
#include "codec/page/page_walk.hpp"
#include "codec/schema/schema.hpp"
#include "codec/thrift/emitter.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/diagnosis/remains.hpp"
#include "conformance/report/words/wording.hpp"
#include "conformance/rewrite/assigned_pages.hpp"

namespace parqproof {
namespace {

/// Zeros after a truncated footer: without them a truncated list states more elements than there are bytes.
constexpr std::size_t kPadding = std::size_t{1} << 16;

/// The readable part of a footer.
struct FooterPart {
  thrift::ListBuilder<SchemaElement> schema;
  std::vector<SchemaElement> elements;  // refer to `bytes`
  bool has_schema = false;              // all elements
  thrift::ListBuilder<RowGroup> row_groups;
  std::uint32_t row_groups_read = 0;
  std::uint32_t row_groups_stated = 0;
  std::int64_t rows = 0;
  std::uint64_t end_of_pages = kMagicBytes;
  std::vector<std::optional<CompressionCodec>> codecs;  // by leaf, of the first row group
  std::vector<std::pair<std::string, std::optional<std::string>>> key_values;
  std::vector<std::uint8_t> bytes;
};

class PartReader final : public FooterVisitor {
 public:
  PartReader(FooterPart& out, std::uint64_t end, std::uint64_t file_size)
      : FooterVisitor({.columns = true}), out_(out), end_(end), file_size_(file_size) {}

 private:
  void begin_schema(thrift::Reader& /*reader*/, std::uint32_t count) override { elements_ = count; }
  [[nodiscard]] bool begin_row_groups(thrift::Reader& /*reader*/, std::uint32_t count) override {
    out_.row_groups_stated = count;
    return true;
  }
  [[nodiscard]] bool schema_element(SchemaElement& element, const Element& at) override {
    if (!is_there(at)) return false;
    out_.schema.add(element);
    out_.elements.push_back(element);
    out_.has_schema = at.index + 1 == elements_;
    return true;
  }
  void begin_columns() override {
    columns_ = {};
    count_ = 0;
    end_of_pages_ = kMagicBytes;
  }
  [[nodiscard]] bool column(ColumnChunk& chunk, const Element& at) override {
    if (!is_there(at)) return false;
    columns_.add(chunk);
    ++count_;
    if (out_.row_groups_read == 0) out_.codecs.emplace_back(chunk.meta_data.codec);
    const std::int64_t start = chunk_start(chunk.meta_data).offset;
    if (start <= 0 || chunk.has(ColumnChunk::id_file_path)) return true;
    const ChunkExtent extent = chunk_extent(static_cast<std::uint64_t>(start),
                                            chunk.meta_data.total_compressed_size, 0, file_size_);
    end_of_pages_ = std::max(end_of_pages_, extent.metadata_end);
    return true;
  }
  [[nodiscard]] bool row_group(RowGroup& group, const Element& at) override {
    if (!is_there(at)) return false;
    RowGroup copy = group;
    copy.columns = columns_.list();
    copy.fields.present |= 1U << RowGroup::id_columns;
    out_.row_groups.add(copy);
    ++out_.row_groups_read;
    out_.end_of_pages = std::max(out_.end_of_pages, end_of_pages_);
    if (group.has(RowGroup::id_num_rows)) out_.rows += std::max<std::int64_t>(group.num_rows, 0);
    return true;
  }
  [[nodiscard]] bool is_there(const Element& at) const { return at.complete && at.reader.offset() <= end_; }

  FooterPart& out_;
  std::uint64_t end_;
  std::uint64_t file_size_;
  std::uint32_t elements_ = 0;
  thrift::ListBuilder<ColumnChunk> columns_;
  std::uint32_t count_ = 0;
  std::uint64_t end_of_pages_ = kMagicBytes;
};

/// Reads a footer of `length` bytes, of which the bytes up to `read_to` are intact.
bool read_part(const Source& source, std::uint64_t offset, std::uint64_t read_to, std::uint64_t file_size,
               const Limits& limits, FooterPart& out) {
  if (read_to <= offset || read_to - offset > limits.footer_bytes()) return false;
  const auto length = static_cast<std::size_t>(read_to - offset);
  out.bytes.assign(length + kPadding, 0);
  if (!source.read(offset, std::span(out.bytes).first(length))) return false;
  PartReader part(out, read_to, file_size);
  thrift::Reader reader({out.bytes, offset, Space::file}, {}, limits);
  FileMetaData meta;
  (void)part.visit(reader, meta);
  if (meta.has(FileMetaData::id_key_value_metadata) && meta.fields.end <= read_to) {
    thrift::for_each<KeyValue>(meta.key_value_metadata, limits, [&](const KeyValue& one, std::uint32_t) {
      std::optional<std::string> value;
      if (one.has(KeyValue::id_value)) value = std::string(text_of(one.value));
      out.key_values.emplace_back(text_of(one.key), std::move(value));
    });
  }
  return !out.elements.empty();
}

/// Returns true if a page is where the first row group has one.
bool begins_with_pages(const Source& source, const FooterPart& part, const Limits& limits) {
  bool begins = true;
  thrift::for_each<RowGroup>(part.row_groups.list(), limits, [&](const RowGroup& group, std::uint32_t i) {
    if (i != 0) return;
    begins = false;
    thrift::for_each<ColumnChunk>(group.columns, limits, [&](const ColumnChunk& chunk, std::uint32_t) {
      const std::int64_t start = chunk_start(chunk.meta_data).offset;
      if (begins || start <= 0 || static_cast<std::uint64_t>(start) >= source.size()) return;
      PageReader reader(source, limits, 0);
      const RegionMap alone;
      const ChunkExtent extent = chunk_extent(static_cast<std::uint64_t>(start),
                                              chunk.meta_data.total_compressed_size, 0, source.size());
      begins = PageWalk(reader, alone, extent, {}).starts_with_page();
    });
  });
  return begins;
}

/// Returns true if both have the same names, types and repetitions, as far as `part` goes.
bool agrees(const FooterPart& part, const FooterPart& sibling) {
  if (part.elements.size() > sibling.elements.size()) return false;
  for (std::size_t i = 0; i < part.elements.size(); ++i) {
    const SchemaElement& one = part.elements[i];
    const SchemaElement& other = sibling.elements[i];
    if (i == 0 ? one.num_children != other.num_children
               : text_of(one.name) != text_of(other.name) || one.type != other.type ||
                     one.type_length != other.type_length || one.repetition_type != other.repetition_type ||
                     one.num_children != other.num_children)
      return false;
  }
  return true;
}

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
    Schema schema;
    for (const SchemaElement& element : schema_from_->elements) schema.add(element);
    schema.finish();
    if (schema.fault() != Schema::Fault::none || schema.leaf_count() == 0) {
      out_.why = "its schema is no tree with columns";
      return std::move(out_);
    }
    add_row_groups(schema);
    out_.file = std::make_unique<RebuiltSource>(source_, footer());
    return std::move(out_);
  }

 private:
  /// The last complete footer, or the longest readable part of one.
  void find_remains() {
    CheckOptions options;
    options.limits = limits_;
    FileCheck check(source_, options, RuleSet{});
    Remains remains = search_remains(check);
    for (auto footer = remains.footers.rbegin(); footer != remains.footers.rend() && !own_; ++footer) {
      take_own(footer->offset, footer->offset + footer->length);
      if (own_) {
        out_.notes.push_back("the footer is lost; a complete one is at byte " + std::to_string(footer->offset));
        data_end_ = source_.size();
      }
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
    if (read_part(source_, offset, read_to, source_.size(), limits_, part) &&
        begins_with_pages(source_, part, limits_))
      own_ = std::move(part);
  }

  bool find_schema() {
    if (sibling_ != nullptr) {
      Findings passed_over({});
      const Frame frame = read_frame(*sibling_, sibling_->size(), limits_, passed_over);
      FooterPart part;
      if (frame.state != Frame::State::footer ||
          !read_part(*sibling_, frame.footer_offset, frame.footer.end(), sibling_->size(), limits_, part) ||
          !part.has_schema) {
        out_.why = "--schema-from: its footer cannot be read";
        return false;
      }
      sibling_part_ = std::move(part);
    }
    if (own_ && sibling_part_ && !agrees(*own_, *sibling_part_)) {
      out_.why = "--schema-from: its schema differs from what is left of the footer";
      return false;
    }
    if (own_ && own_->has_schema) {
      schema_from_ = &*own_;
    } else if (sibling_part_) {
      schema_from_ = &*sibling_part_;
      out_.notes.emplace_back("the schema is that of the file of --schema-from");
    } else {
      out_.why = own_ ? "the footer is lost, and so is a part of the schema; --schema-from FILE takes it from "
                        "a file with the same schema"
                      : "the footer is lost, and the schema with it; --schema-from FILE takes it from a file "
                        "with the same schema";
      return false;
    }
    if (!own_) {
      own_.emplace();
      data_end_ = source_.size();
    }
    return true;
  }

  void add_row_groups(const Schema& schema) {
    if (own_->row_groups_read != 0)
      out_.notes.push_back(counted(own_->row_groups_read, "row group") + " with " +
                           counted(static_cast<std::uint64_t>(own_->rows), "row") +
                           " are as in what is left of the footer");
    const FooterPart& model =
        own_->codecs.size() == schema.leaf_count() || !sibling_part_ ? *own_ : *sibling_part_;
    std::vector<std::optional<CompressionCodec>> codecs = model.codecs;
    codecs.resize(schema.leaf_count());
    PageFit fit(source_, schema, limits_);
    std::uint64_t groups = 0;
    std::uint64_t rows = 0;
    std::uint64_t pages_left = 0;
    std::uint64_t bytes_left = 0;
    bool is_ambiguous = false;
    for (const PageChain& chain :
         find_page_chains(source_, own_->end_of_pages, data_end_, ends_at_footer_, limits_)) {
      const AssignedPages assigned = assign_pages(schema, codecs, fit, chain);
      RowGroupMaker maker(schema, chain);
      std::uint64_t left = chain.pages.size();
      std::uint64_t left_bytes = chain.bytes();
      for (const AssignedRowGroup& group : assigned.row_groups) {
        maker.add(group, own_->row_groups);
        ++groups;
        rows += group.rows;
        for (const AssignedChunk& chunk : group.chunks) {
          left -= chunk.end - chunk.first;
          for (std::size_t i = chunk.first; i < chunk.end; ++i)
            left_bytes -= chain.pages[i].end() - chain.pages[i].offset;
        }
      }
      is_ambiguous = is_ambiguous || assigned.is_ambiguous;
      pages_left += left;
      bytes_left += left_bytes;
    }
    own_->rows += static_cast<std::int64_t>(rows);
    if (groups != 0) {
      out_.notes.push_back(counted(groups, "row group") + " with " + counted(rows, "row") +
                           (groups == 1 ? " was" : " were") + " found by page headers");
      out_.notes.emplace_back(
          schema.leaf_count() == 1
              ? "guessed: where these row groups begin and end"
              : "guessed: their pages are of the columns in the order of the schema; the pages decode as values of "
                "their columns, all columns of a row group have the same number of rows, and no other assignment "
                "fits");
    }
    if (pages_left != 0)
      out_.notes.push_back(counted(pages_left, "page") + " with " + counted(bytes_left, "byte") +
                           " left out, because " +
                           (fit.is_exhausted() ? "too many assignments to columns were tried"
                            : is_ambiguous     ? "they fit the columns in more than one way"
                                               : "no complete row group fits them"));
  }

  [[nodiscard]] std::vector<std::uint8_t> footer() const {
    FileMetaData meta;
    meta.version = 2;
    meta.schema = schema_from_->schema.list();
    meta.num_rows = own_->rows;
    meta.row_groups = own_->row_groups.list();
    meta.fields.present = 1U << FileMetaData::id_version | 1U << FileMetaData::id_schema |
                          1U << FileMetaData::id_num_rows | 1U << FileMetaData::id_row_groups;
    thrift::ListBuilder<KeyValue> key_values;
    const auto add = [&](const FooterPart& from, bool all) {
      for (const auto& [key, value] : from.key_values) {
        if (!all && key != "ARROW:schema") continue;
        KeyValue one;
        const auto view = [](const std::string& text) {
          return View{{reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, 0, Space::file};
        };
        one.key = view(key);
        one.fields.present = 1U << KeyValue::id_key;
        if (value) {
          one.value = view(*value);
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
    if (meta.key_value_metadata.count != 0)
      meta.fields.present |= 1U << FileMetaData::id_key_value_metadata;
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
  const FooterPart* schema_from_ = nullptr;
  std::uint64_t data_end_ = 0;
  bool ends_at_footer_ = false;
};

}  // namespace

RebuiltSource::RebuiltSource(const Source& file, std::vector<std::uint8_t> footer)
    : file_(file), footer_(std::move(footer)) {
  append_le(footer_, footer_.size(), 4);
  append_le(footer_, kPlainMagic, 4);
}

bool RebuiltSource::read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept {
  if (offset > size() || into.size() > size() - offset) return false;
  const std::uint64_t size = file_.size();
  const auto first = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), size - std::min(size, offset)));
  if (first != 0 && !file_.read(offset, into.first(first))) return false;
  if (first < into.size())
    std::memcpy(into.data() + first, footer_.data() + (offset + first - size), into.size() - first);
  for (std::uint64_t at = offset; at < kMagicBytes && at - offset < into.size(); ++at)
    into[static_cast<std::size_t>(at - offset)] = static_cast<std::uint8_t>(kPlainMagic >> (8 * at));
  return true;
}

bool is_footer_lost(const Source& source, const Limits& limits) {
  Findings passed_over({});
  const Frame frame = read_frame(source, source.size(), limits, passed_over);
  if (frame.state != Frame::State::footer) return frame.state == Frame::State::lost;
  thrift::Reader reader(frame.footer, {}, limits);
  FileMetaData meta;
  return !reader.read(meta) || !meta.has(FileMetaData::id_schema) || !meta.has(FileMetaData::id_row_groups);
}

RebuiltFooter rebuild_footer(const Source& source, const Source* sibling, const Limits& limits) {
  return Rebuilding(source, sibling, limits).run();
}

}  // namespace parqproof
