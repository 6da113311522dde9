#include "conformance/state/chunk_scope.hpp"

#include <algorithm>

#include "codec/page/header_faults.hpp"

namespace parqproof {
namespace {

/// The reason why the values of a column cannot be decoded; empty if they can. column-chunk/type was judged
/// with the footer.
std::string_view doubt_about(const ColumnMetaData& meta, const Node& leaf) {
  if (meta.has(ColumnMetaData::id_type) && meta.type != leaf.type)
    return "the physical types in the column metadata and in the schema differ";
  return {};
}

}  // namespace

ChunkScope::ChunkScope(const Context& file, const ChunkClaim& stated, const ColumnChunk& metadata,
                       Findings& findings, ChunkServices& shared, const PageIndex& index,
                       std::optional<FilterBitset> bitset)
    : context(file),
      claim(stated),
      chunk(metadata),
      leaf(file.footer.schema.leaf(stated.leaf)),
      site(FindingSite::of_chunk(findings, file.footer, stated)),
      place(place_of(stated)),
      doubt(doubt_about(metadata.meta_data, leaf)),
      services(shared),
      page_index(index),
      filter(bitset) {}

FindingSite ChunkScope::column_index_site() const {
  return {site.findings, place, page_index.column.bytes, ColumnIndex::kType, "column_index"};
}

FindingSite ChunkScope::offset_index_site() const {
  return {site.findings, place, page_index.offset.bytes, OffsetIndex::kType, "offset_index"};
}

Order ChunkScope::stated_order() const noexcept {
  const std::vector<Order>& orders = context.footer.orders;
  return claim.leaf < orders.size() ? orders[claim.leaf] : Order::none;
}

ValueSpec ChunkScope::value_spec(Encoding encoding, std::uint64_t count) const noexcept {
  ValueSpec spec;
  spec.encoding = encoding;
  spec.type = leaf.type;
  spec.type_length = static_cast<std::uint32_t>(std::max(leaf.type_length, 0));
  spec.count = count;
  return spec;
}

void ChunkPosition::pass(const Page& page) noexcept {
  const bool in_doubt = !page.sound || !page.header.has(PageHeader::id_type);
  if (in_doubt || page.has_unknown_type() || type_by_member(page)) data_page.reset();  // it may hold data
  if (page.is_data() && data_page) ++*data_page;
}

std::uint32_t ChunkScope::width() const noexcept {
  return fixed_width(leaf.type, static_cast<std::uint32_t>(std::max(leaf.type_length, 0)));
}

}  // namespace parqproof
