#include "tests/hostile/hostile_file.hpp"

#include "codec/base/append.hpp"

namespace support {

using namespace parqproof;
using thrift::Wire;

namespace {

Bytes varint(std::uint64_t value) {
  Bytes out;
  thrift::Emitter(out).varint(value);
  return out;
}

Bytes four(std::uint64_t value) {
  Bytes out;
  append_le(out, value, 4);
  return out;
}

std::int64_t size_of(const Bytes& bytes) { return static_cast<std::int64_t>(bytes.size()); }

/// Type and sizes of a page. -1: uncompressed as stored.
Struct& begin_header(Struct& header, PageType type, const Bytes& body, std::int64_t uncompressed) {
  return header.i32(1, static_cast<std::int64_t>(type))
      .i32(2, uncompressed < 0 ? size_of(body) : uncompressed)
      .i32(3, size_of(body));
}

}  // namespace

Struct& Struct::integer(int id, Wire wire, std::int64_t value) {
  emitter_.field_header(static_cast<std::int16_t>(id), wire);
  emitter_.integer(value);
  return *this;
}
Struct& Struct::flag(int id, bool value) {
  emitter_.field_header(static_cast<std::int16_t>(id), value ? Wire::bool_true : Wire::bool_false);
  return *this;
}
Struct& Struct::text(int id, std::string_view value) {
  emitter_.field_header(static_cast<std::int16_t>(id), Wire::binary);
  return name(value);
}
Struct& Struct::begin(int id) {
  emitter_.field_header(static_cast<std::int16_t>(id), Wire::struct_);
  emitter_.begin_struct();
  return *this;
}
Struct& Struct::end() {
  emitter_.end_struct();
  return *this;
}
Struct& Struct::list(int id, Wire wire, std::uint64_t count) {
  emitter_.field_header(static_cast<std::int16_t>(id), Wire::list);
  emitter_.list_header(wire, count);
  return *this;
}
Struct& Struct::element() {
  emitter_.begin_struct();
  return *this;
}
Struct& Struct::number(std::int64_t value) {
  emitter_.integer(value);
  return *this;
}
Struct& Struct::name(std::string_view value) {
  emitter_.binary(support::text(value));
  return *this;
}
Struct& Struct::raw(const Bytes& bytes) {
  emitter_.raw(bytes);
  return *this;
}
Bytes Struct::bytes() {
  emitter_.end_struct();
  return out_;
}

Bytes data_page(std::int64_t num_values, Encoding encoding, const Bytes& body, std::int64_t uncompressed) {
  constexpr auto rle = static_cast<std::int64_t>(Encoding::RLE);
  Struct header;
  begin_header(header, PageType::DATA_PAGE, body, uncompressed)
      .begin(5)
      .i32(1, num_values)
      .i32(2, static_cast<std::int64_t>(encoding))
      .i32(3, rle)
      .i32(4, rle)
      .end();
  return header.bytes() + body;
}

Bytes dictionary_page(std::int64_t num_values, const Bytes& body, std::int64_t uncompressed) {
  Struct header;
  begin_header(header, PageType::DICTIONARY_PAGE, body, uncompressed)
      .begin(7)
      .i32(1, num_values)
      .i32(2, static_cast<std::int64_t>(Encoding::PLAIN))
      .end();
  return header.bytes() + body;
}

Bytes run(std::uint64_t count, std::uint8_t value) { return varint(count << 1) + Bytes{value}; }

Bytes sized(const Bytes& bytes) { return four(bytes.size()) + bytes; }

void add_schema(Struct& footer) {
  footer.i32(1, 1).list(2, Wire::struct_, 2);
  footer.element().text(4, "root").i32(5, 1).end();
  footer.element().i32(1, 1).i32(3, 0).text(4, "a").end();
}

void begin_row_group(Struct& footer, std::int64_t num_values, std::int64_t uncompressed,
                     std::int64_t compressed) {
  footer.element().list(1, Wire::struct_, 1).element().i64(2, 0).begin(3);
  footer.i32(1, 1).list(2, Wire::i32, 1).number(0).list(3, Wire::binary, 1).name("a");
  footer.i32(4, 0).i64(5, num_values).i64(6, uncompressed).i64(7, compressed).i64(9, 4).end();
}

Bytes file_of(const Bytes& footer, const Bytes& before) {
  return text("PAR1") + before + footer + four(footer.size()) + text("PAR1");
}

namespace {

/// Appends the pages of a row group to `before`, and its metadata to the footer.
void add_row_group(Struct& footer, Bytes& before, const std::vector<HostileColumn>& columns,
                   std::int64_t rows) {
  footer.element().list(1, Wire::struct_, columns.size());
  std::int64_t total = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const HostileColumn& column = columns[i];
    const std::int64_t start = 4 + size_of(before);
    before = before + column.dictionary + column.pages;
    const std::int64_t stored = 4 + size_of(before) - start;
    const std::int64_t uncompressed = column.uncompressed < 0 ? stored : column.uncompressed;
    total += uncompressed;
    footer.element().i64(2, 0).begin(3);
    footer.i32(1, static_cast<std::int64_t>(column.type)).list(2, Wire::i32, column.encodings.size());
    for (const Encoding encoding : column.encodings) footer.number(static_cast<std::int64_t>(encoding));
    footer.list(3, Wire::binary, 1).name("c" + std::to_string(i));
    footer.i32(4, static_cast<std::int64_t>(column.codec)).i64(5, column.num_values);
    footer.i64(6, uncompressed).i64(7, stored).i64(9, start + size_of(column.dictionary));
    if (!column.dictionary.empty()) footer.i64(11, start);
    footer.end().end();
  }
  footer.i64(2, total).i64(3, rows).end();
}

}  // namespace

Bytes file_of(const std::vector<HostileColumn>& columns, std::int64_t rows, std::int64_t groups) {
  Bytes before;
  Struct footer;
  footer.i32(1, 1).list(2, Wire::struct_, columns.size() + 1);
  footer.element().text(4, "root").i32(5, static_cast<std::int64_t>(columns.size())).end();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    footer.element().i32(1, static_cast<std::int64_t>(columns[i].type));
    if (columns[i].type_length >= 0) footer.i32(2, columns[i].type_length);
    footer.i32(3, columns[i].repeated   ? 2
                  : columns[i].optional ? 1
                                        : 0)
        .text(4, "c" + std::to_string(i))
        .end();
  }
  footer.i64(3, rows * groups).list(4, Wire::struct_, static_cast<std::uint64_t>(groups));
  for (std::int64_t group = 0; group < groups; ++group) add_row_group(footer, before, columns, rows);
  footer.text(6, "hostile version 1 (build 0)");
  return file_of(footer.bytes(), before);
}

}  // namespace support
