#pragma once

#include <cstdint>

#include "codec/format/column_chunk.hpp"
#include "codec/format/file_meta_data.hpp"
#include "codec/format/row_group.hpp"
#include "codec/format/schema_element.hpp"
#include "codec/thrift/reader.hpp"

namespace parqproof {

/// Reads the long lists of a footer element by element, each through one reused struct, so that the memory it
/// takes does not grow with the footer: the schema, the row groups, and their column chunks. A class that
/// derives from it names the lists and receives their elements.
class FooterVisitor : private thrift::ElementHandler {
 public:
  /// Reads a FileMetaData; the lists that are not visited stay in it. False where the framing is lost, or
  /// where the visitor ended the reading.
  [[nodiscard]] bool visit(thrift::Reader& reader, FileMetaData& meta);
  /// Reads the row groups of a FileMetaData that was read before; `reader` is at the first of them. Returns
  /// as visit() does.
  [[nodiscard]] bool visit_row_groups(thrift::Reader& reader, const FileMetaData& meta);

  /// Column chunks are completed with this metadata (open_metadata()), which outlives the visitor; may be
  /// null.
  void set_opened(const OpenedMetadata* opened, const Limits& limits) noexcept {
    opened_ = opened;
    limits_ = &limits;
  }

 protected:
  /// The lists that are visited. Columns are those of row groups that are visited.
  struct Lists {
    bool schema = true;
    bool row_groups = true;
    bool columns = true;
  };
  /// Where findings are placed, and their paths begin.
  enum class Placing : std::uint8_t {
    file_metadata,
    element,  ///< the row group or the column chunk
  };
  /// An element of a list: its ordinal, and the reader, which has gone past it.
  struct Element {
    thrift::Reader& reader;
    std::uint32_t index = 0;
    bool complete = false;  ///< false: the framing was lost in it, and it holds the fields up to there
  };

  explicit FooterVisitor(Lists lists, Placing placing = Placing::file_metadata) noexcept
      : lists_(lists), placing_(placing) {}

  // So many elements follow. False passes the row groups over.
  virtual void begin_schema(thrift::Reader& /*reader*/, std::uint32_t /*count*/) {}
  [[nodiscard]] virtual bool begin_row_groups(thrift::Reader& /*reader*/, std::uint32_t /*count*/) {
    return true;
  }
  virtual void begin_columns() {}

  /// A row group follows, and its columns before row_group(). False ends the reading.
  [[nodiscard]] virtual bool begin_row_group(thrift::Reader& /*reader*/, std::uint32_t /*index*/) {
    return true;
  }
  /// The struct that column `index` is read into; null passes the column over. `reused`: that of the visitor.
  [[nodiscard]] virtual ColumnChunk* begin_column(thrift::Reader& /*reader*/, std::uint32_t /*index*/,
                                                  ColumnChunk& reused) {
    return &reused;
  }

  // False ends the reading, as an element that is not complete does.
  [[nodiscard]] virtual bool schema_element(SchemaElement& /*element*/, const Element& /*at*/) {
    return true;
  }
  [[nodiscard]] virtual bool row_group(RowGroup& /*group*/, const Element& /*at*/) { return true; }
  [[nodiscard]] virtual bool column(ColumnChunk& /*chunk*/, const Element& /*at*/) { return true; }

  /// The ordinal of the row group that is read.
  [[nodiscard]] std::uint32_t row_group_index() const noexcept { return row_group_; }

 private:
  [[nodiscard]] bool takes(const thrift::Field& list) const final;
  void begin(thrift::Reader& reader, const thrift::Field& list, std::uint32_t count) final;
  [[nodiscard]] bool element(thrift::Reader& reader, const thrift::Field& list, std::uint32_t index) final;
  [[nodiscard]] bool read_row_group(thrift::Reader& reader, std::uint32_t index);
  [[nodiscard]] bool read_column(thrift::Reader& reader, std::uint32_t index);
  template <typename Struct>
  [[nodiscard]] bool read_at(thrift::Reader& reader, Struct& out, const Place& place, const Place& outer);

  Lists lists_;
  Placing placing_;
  bool passes_row_groups_over_ = false;
  std::uint32_t row_group_ = 0;
  SchemaElement schema_element_;
  RowGroup group_;
  ColumnChunk chunk_;
  const OpenedMetadata* opened_ = nullptr;
  const Limits* limits_ = nullptr;
};

}  // namespace parqproof
