#include "conformance/footer/column_orders.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "codec/thrift/locate.hpp"
#include "codec/thrift/reader.hpp"

namespace parqproof {
namespace {

bool is_float(const Node& leaf) {
  return leaf.type == Type::FLOAT || leaf.type == Type::DOUBLE ||
         (leaf.type == Type::FIXED_LEN_BYTE_ARRAY && leaf.logical.kind == LogicalKind::FLOAT16);
}

/// Returns the rule that an order breaks because it does not suit the type of the leaf.
std::optional<Rule> broken_by(const ColumnOrder& order, const Node& leaf) {
  // The meaning of the values is unknown.
  if (leaf.logical.is_unknown || leaf.logical.is_misfit || leaf.logical.is_conflict) return {};
  if (order.has(ColumnOrder::id_IEEE_754_TOTAL_ORDER) && !is_float(leaf))
    return Rule::footer_column_order_ieee754;
  if (order.has(ColumnOrder::id_INT96_TIMESTAMP_ORDER) && leaf.type != Type::INT96)
    return Rule::footer_column_order_int96;
  if (order.has(ColumnOrder::id_TYPE_ORDER) && is_float(leaf)) return Rule::footer_column_order_float;
  return {};
}

/// The contrast of such a rule: the type and the types that the order suits, or two orders.
Contrast contrast_of(Rule rule, const Node& leaf) {
  const std::string_view type = kTypeEnum.name_of(static_cast<int>(leaf.type));
  if (rule == Rule::footer_column_order_float) {
    const bool half = leaf.type == Type::FIXED_LEN_BYTE_ARRAY;
    return contrast("TYPE_ORDER", "IEEE_754_TOTAL_ORDER", std::string(half ? "FLOAT16" : type));
  }
  return contrast(type, rule == Rule::footer_column_order_int96 ? "INT96" : "FLOAT, DOUBLE or FLOAT16");
}

/// Calls `each(order, index)` for the orders of the list, up to the first that is truncated. An order nearly
/// always has the same bytes as the one before, which are then skipped; only its offset differs.
template <typename Each>
void for_each_order(const thrift::List& list, const Limits& limits, Each&& each) {
  thrift::Reader reader(list.bytes, {}, limits);
  ColumnOrder order;
  std::span<const std::uint8_t> last;
  for (std::uint32_t i = 0; i < list.count; ++i) {
    const View rest = reader.rest();
    const bool same = !last.empty() && rest.size() >= last.size() &&
                      std::memcmp(rest.data(), last.data(), last.size()) == 0;
    if (!(same ? reader.pass_over() : reader.read(order))) return;
    last = rest.bytes.first(static_cast<std::size_t>(reader.offset() - rest.base));
    order.fields.offset = rest.base;
    each(static_cast<const ColumnOrder&>(order), i);
  }
}

}  // namespace

void check_column_orders(FileCheck& check) {
  ParsedFooter& footer = FooterPhase::of(check);
  if (!footer.schema_usable) return;
  const thrift::List& list = footer.meta.column_orders;
  const std::size_t leaves = footer.schema.leaf_count();
  footer.orders.assign(leaves, Order::none);
  if (!footer.meta.has(FileMetaData::id_column_orders)) return;
  if (list.count != leaves) {
    FindingSite::of_file_metadata(check).report(Rule::footer_column_orders_length, "column_orders",
                                                contrast(list.count, leaves));
  }
  for_each_order(list, check.options.limits, [&](const ColumnOrder& order, std::uint32_t i) {
    if (i >= leaves || !footer.schema.leaf(i).readable) return;
    if (std::popcount(order.fields.present) != 1) return;  // judged as a union
    const Node& leaf = footer.schema.leaf(i);
    if (list.count == leaves) footer.orders[i] = order_of(leaf, order);
    const std::optional<Rule> rule = broken_by(order, leaf);
    if (!rule || !check.outcome.findings.wants(*rule)) return;
    const FindingSite site{check.outcome.findings,
                           {-1, static_cast<std::int32_t>(i), -1},
                           footer.footer_from(order.fields.offset),
                           ColumnOrder::kType,
                           "column_orders[" + std::to_string(i) + "]"};
    site.report(*rule, "", contrast_of(*rule, leaf));
  });
}

void check_bounds_have_orders(FileCheck& check) {
  if (check.footer.meta.fields.mentions(FileMetaData::id_column_orders)) return;
  if (!check.outcome.findings.wants(Rule::footer_column_orders_present)) return;
  ColumnChunk chunk;
  for (const ChunkClaim& claim : check.footer.chunks) {
    if (!check.footer.reread(claim, check.options.limits, chunk)) continue;
    const Statistics& bounds = chunk.meta_data.statistics;
    const bool stated =
        chunk.has(ColumnChunk::id_meta_data) && chunk.meta_data.has(ColumnMetaData::id_statistics);
    const std::array<std::pair<std::string_view, bool>, 3> sites{{
        {"meta_data.statistics.max_value", stated && bounds.has(Statistics::id_max_value)},
        {"meta_data.statistics.min_value", stated && bounds.has(Statistics::id_min_value)},
        {"column_index_offset", chunk.has(ColumnChunk::id_column_index_offset)},
    }};
    const FindingSite site = FindingSite::of_chunk(check, claim);
    std::string_view first;
    std::uint64_t first_at = UINT64_MAX;
    for (const auto& [path, set] : sites) {
      if (!set) continue;
      const std::uint64_t at = thrift::locate(site.bytes, ColumnChunk::kType, path).value;
      if (at < first_at) {
        first = path;
        first_at = at;
      }
    }
    if (first.empty()) continue;
    site.report(Rule::footer_column_orders_present, first,
                contrast(first.substr(first.rfind('.') + 1), "no bound without column_orders"));
    return;
  }
  FooterPhase::of(check).bounds_lack_orders = true;
}

}  // namespace parqproof
