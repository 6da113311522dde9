#include "conformance/diagnosis/cut_footer.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/format/footer_visitor.hpp"
#include "codec/page/page_search.hpp"
#include "codec/schema/schema.hpp"
#include "codec/thrift/locate.hpp"
#include "codec/thrift/reader.hpp"

namespace parqproof {
namespace {

/// Number of zeros appended to the bytes. Without them a truncated list would be rejected, because it states
/// more elements than there are bytes.
constexpr std::size_t kPadding = std::size_t{1} << 16;

/// Collects the schema elements and row groups before the padding.
class Pieces final : public FooterVisitor {
 public:
  explicit Pieces(std::uint64_t end) noexcept : FooterVisitor({.columns = false}), end_(end) {}

  CutFooter out;
  Schema schema;
  bool has_root = false;

 private:
  void begin_schema(thrift::Reader& /*reader*/, std::uint32_t count) override { elements_ = count; }
  [[nodiscard]] bool begin_row_groups(thrift::Reader& /*reader*/, std::uint32_t count) override {
    out.row_groups = count;
    return true;
  }
  [[nodiscard]] bool schema_element(SchemaElement& element, const Element& at) override {
    if (!is_there(at)) return false;
    if (at.index == 0) has_root = element.has(SchemaElement::id_num_children) && element.num_children >= 0;
    schema.add(element);
    out.complete_schema = at.index + 1 == elements_;
    return has_root;
  }
  [[nodiscard]] bool row_group(RowGroup& group, const Element& at) override {
    if (!is_there(at)) return false;
    ++out.complete_row_groups;
    const std::int64_t rows =
        group.has(RowGroup::id_num_rows) ? std::max<std::int64_t>(group.num_rows, 0) : 0;
    out.rows_of_complete_row_groups = saturating_add(out.rows_of_complete_row_groups, rows);
    return true;
  }
  [[nodiscard]] bool is_there(const Element& at) const { return at.complete && at.reader.offset() <= end_; }

  std::uint64_t end_;
  std::uint32_t elements_ = 0;
};

}  // namespace

bool may_be_footer(View bytes) {
  constexpr std::size_t kNeeded = 4;
  constexpr std::uint8_t kNextList = 0x19;  // a list whose field id is one above that of the field before it
  if (bytes.size() < kNeeded) return false;
  const std::uint8_t* const byte = bytes.data();
  return byte[0] == kNextI32 && (byte[1] == 2 || byte[1] == 4) && byte[2] == kNextList &&
         (byte[3] & 0x0F) == 12;
}

std::optional<CutFooter> read_cut_footer(View bytes, const Limits& limits) {
  std::vector<std::uint8_t> padded(bytes.size() + kPadding);
  std::ranges::copy(bytes.bytes, padded.begin());
  Pieces pieces(bytes.end());
  thrift::Reader reader({padded, bytes.base, bytes.space}, {}, limits);
  FileMetaData meta;
  (void)pieces.visit(reader, meta);
  if (!pieces.has_root) return std::nullopt;
  CutFooter out = std::move(pieces.out);
  out.offset = bytes.base;
  out.read_to = std::min(reader.offset(), bytes.end());
  const thrift::Extent rows = thrift::locate(bytes, FileMetaData::kType, "num_rows");
  if (out.complete_schema && meta.has(FileMetaData::id_num_rows) && meta.num_rows >= 0 &&
      rows.end < out.read_to)
    out.rows = meta.num_rows;
  Schema& schema = pieces.schema;
  schema.finish();
  out.columns_found = schema.leaf_count();
  if (schema.fault() == Schema::Fault::none || schema.fault() == Schema::Fault::too_few) {
    for (std::size_t leaf = 0; leaf < std::min(schema.leaf_count(), CutFooter::kListed); ++leaf) {
      const std::string_view type = kTypeEnum.name_of(static_cast<std::int64_t>(schema.leaf(leaf).type));
      out.columns.push_back(schema.dotted_path(schema.leaf_index(leaf)) + " " + std::string(type));
    }
  }
  return out;
}

}  // namespace parqproof
