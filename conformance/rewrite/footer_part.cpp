#include "conformance/rewrite/footer_part.hpp"

#include "codec/file/frame.hpp"
#include "codec/format/chunk_start.hpp"
#include "codec/format/footer_visitor.hpp"
#include "codec/page/page_walk.hpp"
#include "codec/thrift/reader.hpp"

namespace parqproof {
namespace {

/// Zeros after a truncated footer: without them a truncated list states more elements than there are bytes.
constexpr std::size_t kPadding = std::size_t{1} << 16;

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
    const bool is_located =
        meta.has(ColumnMetaData::id_type) && meta.has(ColumnMetaData::id_codec) &&
        meta.has(ColumnMetaData::id_num_values) && meta.num_values >= 0 &&
        meta.has(ColumnMetaData::id_total_compressed_size) && meta.total_compressed_size >= 0 &&
        start >= static_cast<std::int64_t>(kMagicBytes) && static_cast<std::uint64_t>(start) < file_size_ &&
        static_cast<std::uint64_t>(meta.total_compressed_size) < file_size_ &&
        !chunk.has(ColumnChunk::id_file_path);
    current_.is_usable = current_.is_usable && is_located;
    if (is_located) {
      stated.begin = static_cast<std::uint64_t>(start);
      stated.end = stated.begin + static_cast<std::uint64_t>(meta.total_compressed_size);
    }
    const auto reach = [&](std::int64_t offset, std::int32_t length) {
      if (offset > 0 && length > 0)
        out_.end_of_structures = std::max(
            out_.end_of_structures, static_cast<std::uint64_t>(offset) + static_cast<std::uint64_t>(length));
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

}  // namespace

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

bool begins_with_page(const Source& source, std::uint64_t begin, std::uint64_t end, const Limits& limits) {
  if (begin >= source.size()) return false;
  PageReader reader(source, limits, 0);
  const RegionMap alone;
  end = std::min(std::max(end, begin), source.size());
  return PageWalk(reader, alone, {begin, end, end, 0}, {}).starts_with_page();
}

bool begins_with_pages(const Source& source, const StatedRowGroup& group, const Limits& limits) {
  return std::ranges::any_of(group.chunks, [&](const StatedChunk& chunk) {
    return chunk.begin == chunk.end || begins_with_page(source, chunk.begin, chunk.end, limits);
  });
}

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

bool make_schema(const FooterPart& part, Schema& out) {
  for (const SchemaElement& element : part.elements) out.add(element);
  out.finish();
  return part.has_schema && out.fault() == Schema::Fault::none && out.leaf_count() != 0;
}

}  // namespace parqproof
