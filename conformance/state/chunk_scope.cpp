#include "conformance/state/chunk_scope.hpp"

#include <algorithm>

#include "codec/page/header_faults.hpp"

namespace parqproof {
namespace {

/// The reason why the values of a column cannot be decoded; empty if they can. column-chunk/type was judged
/// with the footer.
std::string_view undecodable_reason_of(const ColumnMetaData& meta, const Node& leaf) {
  if (meta.has(ColumnMetaData::id_type) && meta.type != leaf.type)
    return "the physical types in the column metadata and in the schema differ";
  return {};
}

}  // namespace

ChunkScope::ChunkScope(const Context& file_context, const ChunkClaim& chunk_claim,
                       const ColumnChunk& column_chunk, Findings& findings, ChunkServices& chunk_services,
                       const PageIndex& indexes, std::optional<FilterBitset> filter_bitset)
    : context(file_context),
      claim(chunk_claim),
      chunk(column_chunk),
      leaf(file_context.footer.schema.leaf(chunk_claim.leaf)),
      site(FindingSite::of_chunk(findings, file_context.footer, chunk_claim)),
      place(place_of(chunk_claim)),
      undecodable_reason(undecodable_reason_of(column_chunk.meta_data, leaf)),
      services(chunk_services),
      page_index(indexes),
      filter(filter_bitset) {}

FindingSite ChunkScope::column_index_site() const {
  return {site.findings, place, page_index.column.bytes, ColumnIndex::kType, "column_index"};
}

FindingSite ChunkScope::offset_index_site() const {
  return {site.findings, place, page_index.offset.bytes, OffsetIndex::kType, "offset_index"};
}

Order ChunkScope::column_order() const noexcept {
  const std::vector<Order>& orders = context.footer.orders;
  return claim.leaf < orders.size() ? orders[claim.leaf] : Order::none;
}

bool ChunkScope::is_damaged(Encoding encoding) const noexcept {
  return kEncodingEnum.name_of(static_cast<int>(encoding)).empty() && lists_defined_encodings(meta());
}

ValueSpec ChunkScope::value_spec(Encoding encoding, std::uint64_t count) const noexcept {
  ValueSpec spec;
  spec.encoding = encoding;
  spec.type = leaf.type;
  spec.type_length = static_cast<std::uint32_t>(std::max(leaf.type_length, 0));
  spec.count = count;
  return spec;
}

void ChunkPosition::move_past(const Page& page) noexcept {
  const bool in_doubt = !page.sound || !page.header.has(PageHeader::id_type);
  if (in_doubt || page.has_unknown_type() || type_by_member(page)) data_page.reset();  // it may hold data
  if (page.is_data() && data_page) ++*data_page;
}

std::uint32_t ChunkScope::value_bytes() const noexcept {
  return fixed_width(leaf.type, static_cast<std::uint32_t>(std::max(leaf.type_length, 0)));
}

}  // namespace parqproof
