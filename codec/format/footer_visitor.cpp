#include "codec/format/footer_visitor.hpp"

namespace parqproof {

bool FooterVisitor::visit(thrift::Reader& reader, FileMetaData& meta) {
  reader.set_handler(this);
  return reader.read(meta);
}

bool FooterVisitor::visit_row_groups(thrift::Reader& reader, const FileMetaData& meta) {
  reader.set_handler(this);
  return reader.elements(*FileMetaData::kType.find("row_groups"), meta.row_groups);
}

bool FooterVisitor::takes(const thrift::Field& list) const {
  return (lists_.columns && list.name == "columns") || (lists_.row_groups && list.name == "row_groups") ||
         (lists_.schema && list.name == "schema");
}

void FooterVisitor::begin(thrift::Reader& reader, const thrift::Field& list, std::uint32_t count) {
  if (list.name == "columns") return begin_columns();
  if (list.name == "schema") return begin_schema(reader, count);
  passes_row_groups_over_ = !begin_row_groups(reader, count);
}

bool FooterVisitor::element(thrift::Reader& reader, const thrift::Field& list, std::uint32_t index) {
  if (list.name == "columns") return read_column(reader, index);
  if (list.name == "row_groups") return read_row_group(reader, index);
  const bool complete = reader.read(schema_element_);
  return schema_element(schema_element_, {reader, index, complete}) && complete;
}

bool FooterVisitor::read_row_group(thrift::Reader& reader, std::uint32_t index) {
  if (passes_row_groups_over_) return reader.pass_over();
  row_group_ = index;
  if (!begin_row_group(reader, index)) return false;
  const bool complete = read_at(reader, group_, {static_cast<std::int32_t>(index), -1, -1}, {});
  return row_group(group_, {reader, index, complete}) && complete;
}

bool FooterVisitor::read_column(thrift::Reader& reader, std::uint32_t index) {
  ColumnChunk* const chunk = begin_column(reader, index, chunk_);
  if (chunk == nullptr) return reader.pass_over();
  const auto group = static_cast<std::int32_t>(row_group_);
  const bool complete =
      read_at(reader, *chunk, {group, static_cast<std::int32_t>(index), -1}, {group, -1, -1});
  if (opened_ != nullptr) open_metadata(*chunk, opened_, *limits_);
  return column(*chunk, {reader, index, complete}) && complete;
}

template <typename Struct>
bool FooterVisitor::read_at(thrift::Reader& reader, Struct& out, const Place& place, const Place& outer) {
  if (placing_ == Placing::file_metadata) return reader.read(out);
  const std::uint32_t base = reader.rebase();
  reader.set_place(place);
  const bool complete = reader.read(out);
  reader.restore(base);
  reader.set_place(outer);
  return complete;
}

}  // namespace parqproof
