#include "codec/write/summary.hpp"

#include <algorithm>
#include <vector>

#include "codec/base/append.hpp"
#include "codec/file/frame.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/format/footer_visitor.hpp"
#include "codec/thrift/emitter.hpp"
#include "codec/write/metadata.hpp"

namespace parqproof {
namespace {

/// Takes the row groups of a footer into a list, with the path of their file.
class RowGroupsOf final : public FooterVisitor {
 public:
  RowGroupsOf(std::string_view path, thrift::ListBuilder<RowGroup>& out)
      : FooterVisitor({.schema = false}), path_(view_of(path)), out_(out) {}

 private:
  void begin_columns() override { columns_ = {}; }
  [[nodiscard]] bool column(ColumnChunk& chunk, const Element& at) override {
    thrift::set(chunk, ColumnChunk::id_file_path);
    chunk.file_path = path_;
    columns_.add(chunk);
    return at.complete;
  }
  [[nodiscard]] bool row_group(RowGroup& group, const Element& at) override {
    group.columns = columns_.list();
    out_.add(group);
    return at.complete;
  }

  View path_;
  thrift::ListBuilder<RowGroup>& out_;
  thrift::ListBuilder<ColumnChunk> columns_;
};

bool is_equal(const thrift::List& one, const thrift::List& other) {
  return one.count == other.count && std::ranges::equal(one.bytes.bytes, other.bytes.bytes);
}

}  // namespace

WriteStatus write_summary(std::span<const SummarizedFile> files, bool row_groups, const Limits& limits,
                          Sink& sink) {
  if (files.empty()) return std::unexpected("a summary of no files has no schema");
  FileMetaData summary;
  thrift::ListBuilder<RowGroup> groups;
  std::int64_t rows = 0;
  for (const SummarizedFile& file : files) {
    FileMetaData meta;
    thrift::Reader reader(file.footer, {}, limits);
    if (!reader.read(meta) || reader.faults() != 0)
      return std::unexpected(file.path + ": its footer cannot be read");
    if (&file == &files.front()) {
      summary = meta;
    } else if (!is_equal(meta.schema, summary.schema) ||
               !is_equal(meta.column_orders, summary.column_orders)) {
      return std::unexpected(file.path + ": its schema is not that of " + files.front().path);
    }
    rows += meta.num_rows;
    thrift::Reader again(meta.row_groups.bytes, {}, limits);
    if (row_groups && !RowGroupsOf(file.path, groups).visit_row_groups(again, meta))
      return std::unexpected(file.path + ": its row groups cannot be read");
  }
  summary.row_groups = groups.list();
  summary.num_rows = row_groups ? rows : 0;
  std::vector<std::uint8_t> bytes;
  append_le(bytes, kPlainMagic, 4);
  if (WriteStatus begun = sink.write(bytes); !begun) return begun;
  return write_footer(summary, sink);
}

}  // namespace parqproof
