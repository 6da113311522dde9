#include "conformance/rewrite/rebuilt_footer.hpp"

#include <algorithm>
#include <cstdlib>
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

/// A column chunk as a footer states it.
struct StatedChunk {
  ColumnChunk chunk;  // refers to FooterPart::bytes
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// A row group as a footer states it.
struct StatedRowGroup {
  RowGroup group;
  std::vector<StatedChunk> chunks;
  bool is_usable = true;  // its metadata says where its pages are

  [[nodiscard]] std::uint64_t begin() const {
    return std::ranges::min(chunks, {}, &StatedChunk::begin).begin;
  }
  [[nodiscard]] std::uint64_t end() const { return std::ranges::max(chunks, {}, &StatedChunk::end).end; }
};

/// The readable part of a footer.
struct FooterPart {
  std::vector<SchemaElement> elements;  // refer to `bytes`
  bool has_schema = false;              // all elements
  std::vector<StatedRowGroup> row_groups;
  std::uint32_t row_groups_stated = 0;
  std::vector<std::pair<std::string, std::optional<std::string>>> key_values;
  std::vector<std::uint8_t> bytes;
  std::uint64_t end_of_structures = 0;
  thrift::List column_orders;  // refers to `bytes`; empty if not all of it can be read

  [[nodiscard]] std::size_t leaves() const {
    return static_cast<std::size_t>(std::ranges::count_if(elements, [](const SchemaElement& one) {
      return one.has(SchemaElement::id_type) && !(one.has(SchemaElement::id_num_children) && one.num_children > 0);
    }));
  }
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
    out_.elements.push_back(element);
    out_.has_schema = at.index + 1 == elements_;
    return true;
  }
  void begin_columns() override { current_ = {}; }
  [[nodiscard]] bool column(ColumnChunk& chunk, const Element& at) override {
    if (!is_there(at)) return false;
    StatedChunk stated{chunk, 0, 0};
    const ColumnMetaData& meta = chunk.meta_data;
    const std::int64_t start = chunk_start(meta).offset;
    const bool is_located = meta.has(ColumnMetaData::id_type) && meta.has(ColumnMetaData::id_codec) &&
                            meta.has(ColumnMetaData::id_num_values) && meta.num_values >= 0 &&
                            meta.has(ColumnMetaData::id_total_compressed_size) &&
                            meta.total_compressed_size >= 0 && start >= static_cast<std::int64_t>(kMagicBytes) &&
                            static_cast<std::uint64_t>(start) < file_size_ &&
                            static_cast<std::uint64_t>(meta.total_compressed_size) < file_size_ &&
                            !chunk.has(ColumnChunk::id_file_path);
    current_.is_usable = current_.is_usable && is_located;
    if (is_located) {
      stated.begin = static_cast<std::uint64_t>(start);
      stated.end = stated.begin + static_cast<std::uint64_t>(meta.total_compressed_size);
    }
    const auto reach = [&](std::int64_t offset, std::int32_t length) {
      if (offset > 0 && length > 0)
        out_.end_of_structures =
            std::max(out_.end_of_structures, static_cast<std::uint64_t>(offset) + static_cast<std::uint64_t>(length));
    };
    out_.end_of_structures = std::max(out_.end_of_structures, stated.end);
    reach(chunk.column_index_offset, chunk.column_index_length);
    reach(chunk.offset_index_offset, chunk.offset_index_length);
    reach(meta.bloom_filter_offset, meta.bloom_filter_length);
    current_.chunks.push_back(std::move(stated));
    return true;
  }
  [[nodiscard]] bool row_group(RowGroup& group, const Element& at) override {
    if (!is_there(at)) return false;
    current_.group = group;
    current_.is_usable = current_.is_usable && group.has(RowGroup::id_num_rows) && group.num_rows >= 0 &&
                         current_.chunks.size() == out_.leaves() && !current_.chunks.empty();
    out_.row_groups.push_back(std::move(current_));
    current_ = {};
    return true;
  }
  [[nodiscard]] bool is_there(const Element& at) const { return at.complete && at.reader.offset() <= end_; }

  FooterPart& out_;
  std::uint64_t end_;
  std::uint64_t file_size_;
  std::uint32_t elements_ = 0;
  StatedRowGroup current_;
};

/// Reads a footer of `length` bytes, of which the bytes up to `read_to` are intact.
bool read_part(const Source& source, std::uint64_t offset, std::uint64_t read_to, const Limits& limits,
               FooterPart& out) {
  if (read_to <= offset || read_to - offset > limits.footer_bytes()) return false;
  const auto length = static_cast<std::size_t>(read_to - offset);
  out.bytes.assign(length + kPadding, 0);
  if (!source.read(offset, std::span(out.bytes).first(length))) return false;
  PartReader part(out, read_to, source.size());
  thrift::Reader reader({out.bytes, offset, Space::file}, {}, limits);
  FileMetaData meta;
  (void)part.visit(reader, meta);
  if (meta.has(FileMetaData::id_column_orders) && meta.fields.end <= read_to)
    out.column_orders = meta.column_orders;
  if (meta.has(FileMetaData::id_key_value_metadata) && meta.fields.end <= read_to) {
    thrift::for_each<KeyValue>(meta.key_value_metadata, limits, [&](const KeyValue& one, std::uint32_t) {
      std::optional<std::string> value;
      if (one.has(KeyValue::id_value)) value = std::string(text_of(one.value));
      out.key_values.emplace_back(text_of(one.key), std::move(value));
    });
  }
  return !out.elements.empty();
}

/// Returns true if a page begins at the offset.
bool begins_with_page(const Source& source, std::uint64_t begin, std::uint64_t end, const Limits& limits) {
  if (begin >= source.size()) return false;
  PageReader reader(source, limits, 0);
  const RegionMap alone;
  end = std::min(std::max(end, begin), source.size());
  return PageWalk(reader, alone, {begin, end, end, 0}, {}).starts_with_page();
}

/// Returns true if a row group begins with a page.
bool begins_with_pages(const Source& source, const StatedRowGroup& group, const Limits& limits) {
  return std::ranges::any_of(group.chunks, [&](const StatedChunk& chunk) {
    return chunk.begin == chunk.end || begins_with_page(source, chunk.begin, chunk.end, limits);
  });
}

/// The pages of a chunk by their headers.
struct WalkedChunk {
  std::vector<Page> pages;
  bool is_exact = false;  // they end where the chunk does
  std::optional<Page> beyond = {};  // the page after them, which ends after the chunk
};

WalkedChunk walk_chunk(const Source& source, std::uint64_t begin, std::uint64_t end, const Limits& limits) {
  WalkedChunk out;
  if (end > source.size()) return out;
  PageReader reader(source, limits, 0);
  const RegionMap alone;
  PageWalk walk(reader, alone, {begin, end, end, 0}, {});
  std::uint64_t at = begin;
  PageWalk::Step step = PageWalk::Step::page;
  while (at < end && (step = walk.next(nullptr)) == PageWalk::Step::page && walk.page().sound) {
    out.pages.push_back(walk.page());
    at = walk.page().end();
  }
  if (at < end && step == PageWalk::Step::lost && walk.loss() == PageWalk::Loss::beyond_bound)
    out.beyond = walk.page();
  out.is_exact = at == end;
  return out;
}

/// Returns true if both have the same names, types and repetitions, as far as `part` goes. Damage to a schema
/// changes it from some element on.
bool agrees(const FooterPart& part, const FooterPart& sibling) {
  constexpr std::size_t kSure = 2;
  const std::size_t count = part.has_schema ? part.elements.size() : std::min(part.elements.size(), kSure);
  if (count > sibling.elements.size()) return false;
  for (std::size_t i = 0; i < count; ++i) {
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

/// A schema that is a tree with columns.
bool make_schema(const FooterPart& part, Schema& out) {
  for (const SchemaElement& element : part.elements) out.add(element);
  out.finish();
  return part.has_schema && out.fault() == Schema::Fault::none && out.leaf_count() != 0;
}

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
    const bool is_moved = relocate();
    const bool is_damaged = own_->row_groups.size() < own_->row_groups_stated ||
                            std::ranges::any_of(own_->row_groups, [&](const StatedRowGroup& group) {
                              return !group.is_usable || is_doubtful(group);
                            });
    if (!is_damaged && !is_moved) return std::move(out_);
    make_row_groups();
    return finish();
  }

 private:
  RebuiltFooter finish() {
    out_.file = std::make_unique<RebuiltSource>(source_, footer(), std::move(lost_));
    return std::move(out_);
  }

  /// The last complete footer, or the longest readable part of one.
  void find_remains() {
    CheckOptions options;
    options.limits = limits_;
    FileCheck check(source_, options, RuleSet{});
    Remains remains = search_remains(check);
    data_end_ = source_.size();
    for (auto footer = remains.footers.rbegin(); footer != remains.footers.rend() && !own_; ++footer) {
      take_own(footer->offset, footer->offset + footer->length);
      if (own_)
        out_.notes.push_back("the footer is lost; a complete one is at byte " + std::to_string(footer->offset));
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

  /// Finds column chunks that follow missing or inserted bytes. Pages that fill a chunk exactly are the
  /// evidence, at one distance for all chunks up to the footer.
  bool relocate() {
    std::vector<StatedChunk*> chunks;
    for (StatedRowGroup& group : own_->row_groups) {
      if (!group.is_usable) continue;
      for (StatedChunk& chunk : group.chunks) {
        if (chunk.begin < chunk.end) chunks.push_back(&chunk);
      }
    }
    std::ranges::sort(chunks, {}, &StatedChunk::begin);
    std::size_t first = 0;  // after the chunks that are at their places
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      if (walk_chunk(source_, chunks[i]->begin, chunks[i]->end, limits_).is_exact) first = i + 1;
    }
    std::optional<std::int64_t> distance;
    const std::int64_t by_footer =
        static_cast<std::int64_t>(data_end_) - static_cast<std::int64_t>(own_->end_of_structures);
    if (first == chunks.size()) {
      if (by_footer == 0 || chunks.empty()) return false;
      suspect_last_page(*chunks.back());
      forget_indexes();
      out_.notes.push_back(counted(static_cast<std::uint64_t>(std::abs(by_footer)), "byte") +
                           (by_footer < 0 ? " missing" : " inserted") +
                           " after the start of the last column chunk: indexes and filters are not used");
      return true;
    }
    const auto is_at = [&](const StatedChunk& chunk, std::int64_t by) {
      const std::int64_t begin = static_cast<std::int64_t>(chunk.begin) + by;
      const std::int64_t end = static_cast<std::int64_t>(chunk.end) + by;
      return begin >= static_cast<std::int64_t>(kMagicBytes) && end <= static_cast<std::int64_t>(data_end_) &&
             walk_chunk(source_, static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(end), limits_)
                 .is_exact;
    };
    constexpr std::int64_t kMostBytes = std::int64_t{1} << 20;
    const StatedChunk& last = *chunks.back();
    if (by_footer != 0 && std::abs(by_footer) <= kMostBytes &&
        (first + 1 == chunks.size() || is_at(last, by_footer)))
      distance = by_footer;
    if (!distance && first + 1 < chunks.size()) distance = nearest(last, first == 0 ? kMagicBytes : chunks[first - 1]->end);
    if (!distance) return false;
    const auto by = static_cast<std::uint64_t>(*distance);  // modulo 2^64
    // The bytes are missing or inserted in the first chunk that is not at its place, or before it.
    std::size_t moved = chunks.size();
    while (moved > first && is_at(*chunks[moved - 1], *distance)) --moved;
    for (std::size_t i = first; i < moved; ++i) {
      const bool begins = begins_with_page(source_, chunks[i]->begin, chunks[i]->end, limits_);
      const bool is_last = i + 1 == moved || !begins_with_page(source_, chunks[i + 1]->begin, chunks[i + 1]->end, limits_);
      if (!begins || i != first || !is_last) {
        if (!begins) move(*chunks[i], by);
        continue;
      }
      chunks[i]->end += by;
      lose_broken_page(*chunks[i]);
    }
    for (std::size_t i = moved; i < chunks.size(); ++i) move(*chunks[i], by);
    if (moved == first && first != 0) suspect_last_page(*chunks[first - 1]);
    forget_indexes();
    out_.notes.push_back(std::string(*distance < 0 ? "missing" : "inserted") + " bytes: the column chunks from byte " +
                         std::to_string(chunks[std::min(moved, chunks.size() - 1)]->begin) + " on have moved by " +
                         counted(static_cast<std::uint64_t>(std::abs(*distance)), "byte"));
    return true;
  }

  void forget_indexes() {
    for (StatedRowGroup& group : own_->row_groups) {
      for (StatedChunk& chunk : group.chunks) correct(chunk);
    }
  }

  static void move(StatedChunk& chunk, std::uint64_t by) {
    chunk.begin += by;
    chunk.end += by;
  }

  /// The nearest place after `from` that a chunk fits exactly.
  [[nodiscard]] std::optional<std::int64_t> nearest(const StatedChunk& chunk, std::uint64_t from) {
    constexpr std::uint64_t kWindow = std::uint64_t{1} << 12;
    const std::uint64_t length = chunk.end - chunk.begin;
    for (std::uint64_t away = 1; away <= kWindow; ++away) {
      for (const std::uint64_t begin : {chunk.begin - away, chunk.begin + away}) {
        if (begin < from || begin > data_end_ || length > data_end_ - begin) continue;
        if (walk_chunk(source_, begin, begin + length, limits_).is_exact)
          return static_cast<std::int64_t>(begin - chunk.begin);
      }
    }
    return std::nullopt;
  }

  /// Bytes are missing or inserted after the start of the last page of a chunk. The sizes in its headers fill
  /// the chunk all the same; a structure that follows at its place shows that the page is intact.
  void suspect_last_page(const StatedChunk& chunk) {
    const std::uint64_t after = end_of_structure(source_, chunk.end, data_end_, limits_);
    if (after == chunk.end) lose_broken_page(chunk);
  }

  /// Bytes are missing or inserted in the last page that can be reached, or in the header after it. Without a
  /// checksum the page counts as lost, because its values may have moved.
  void lose_broken_page(const StatedChunk& chunk) {
    if (chunk.end <= chunk.begin) return;
    const WalkedChunk walked = walk_chunk(source_, chunk.begin, chunk.end, limits_);
    if (walked.pages.empty() && !walked.beyond) return;
    const Page& page = walked.beyond ? *walked.beyond : walked.pages.back();
    // Damage to its first bytes would count as damage to the page before it.
    constexpr std::uint64_t kKept = 2;
    if (!page.header.has(PageHeader::id_crc)) lost_.emplace_back(page.offset + kKept, page.body);
  }

  /// Writes the place of a chunk into its metadata, and leaves out its indexes, whose offsets are wrong.
  static void correct(StatedChunk& chunk) {
    ColumnChunk& out = chunk.chunk;
    ColumnMetaData& meta = out.meta_data;
    const auto by = static_cast<std::int64_t>(chunk.begin) - chunk_start(meta).offset;
    meta.data_page_offset += by;
    if (meta.has(ColumnMetaData::id_dictionary_page_offset) && meta.dictionary_page_offset > 0)
      meta.dictionary_page_offset += by;
    meta.total_compressed_size = static_cast<std::int64_t>(chunk.end - chunk.begin);
    for (const auto id : {ColumnChunk::id_offset_index_offset, ColumnChunk::id_offset_index_length,
                          ColumnChunk::id_column_index_offset, ColumnChunk::id_column_index_length})
      out.fields.present &= ~(1U << id);
    meta.fields.present &=
        ~(1U << ColumnMetaData::id_bloom_filter_offset | 1U << ColumnMetaData::id_bloom_filter_length |
          1U << ColumnMetaData::id_index_page_offset);
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
      out_.notes.emplace_back(
          schema_.leaf_count() == 1
              ? "guessed: where these row groups begin and end"
              : "guessed: their pages are of the columns in the order of the schema; the pages decode as values of "
                "their columns, all columns of a row group have the same number of rows, and no other assignment "
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

RebuiltSource::RebuiltSource(const Source& file, std::vector<std::uint8_t> footer,
                             std::vector<std::pair<std::uint64_t, std::uint64_t>> lost)
    : file_(file), footer_(std::move(footer)), lost_(std::move(lost)) {
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
  for (const auto& [begin, end] : lost_) {
    for (std::uint64_t at = std::max(begin, offset); at < std::min(end, offset + into.size()); ++at)
      into[static_cast<std::size_t>(at - offset)] = 0;
  }
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
