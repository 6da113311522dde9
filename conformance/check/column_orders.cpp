#include <array>
#include <bit>
#include <string>
#include <string_view>
#include <utility>

#include "codec/thrift/locate.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/check/footer.hpp"

namespace parqproof {
namespace {

bool is_float(const Node& leaf) {
  return leaf.type == Type::FLOAT || leaf.type == Type::DOUBLE ||
         (leaf.type == Type::FIXED_LEN_BYTE_ARRAY && leaf.logical.kind == LogicalKind::FLOAT16);
}

}  // namespace

void check_column_orders(Context& context) {
  if (!context.schema_usable) return;
  const Judge judge(context.findings);
  const FileMetaData& meta = context.meta;
  context.orders.assign(context.schema.leaf_count(), Order::none);
  if (!meta.has(FileMetaData::id_column_orders)) return;
  if (meta.column_orders.count != context.schema.leaf_count()) {
    judge.field(Rule::footer_column_orders_length, {}, context.frame.footer, FileMetaData::kType,
                "column_orders", seen(meta.column_orders.count, context.schema.leaf_count()));
  }
  thrift::for_each<ColumnOrder>(
      meta.column_orders, context.options.limits, [&](const ColumnOrder& order, std::uint32_t i) {
        if (i >= context.schema.leaf_count() || !context.schema.leaf(i).readable) return;
        if (std::popcount(order.fields.present) != 1) return;  // the union's own rule has spoken
        const Node& leaf = context.schema.leaf(i);
        if (meta.column_orders.count == context.schema.leaf_count())
          context.orders[i] = order_of(leaf, order);
        Rule rule{};
        if (order.has(ColumnOrder::id_IEEE_754_TOTAL_ORDER) && !is_float(leaf)) {
          rule = Rule::footer_column_order_ieee754;
        } else if (order.has(ColumnOrder::id_INT96_TIMESTAMP_ORDER) && leaf.type != Type::INT96) {
          rule = Rule::footer_column_order_int96;
        } else if (order.has(ColumnOrder::id_TYPE_ORDER) && is_float(leaf)) {
          rule = Rule::footer_column_order_float;
        } else {
          return;
        }
        if (!judge.wants(rule)) return;
        judge.field(rule, {-1, static_cast<std::int32_t>(i), -1}, context.footer_from(order.fields.offset),
                    ColumnOrder::kType, "", seen(kTypeEnum.name_of(static_cast<int>(leaf.type)), ""),
                    "column_orders[" + std::to_string(i) + "]");
      });
}

void check_bounds_have_orders(Context& context) {
  const Judge judge(context.findings);
  if (context.meta.fields.mentions(FileMetaData::id_column_orders)) return;
  if (!judge.wants(Rule::footer_column_orders_present)) return;
  ColumnChunk chunk;
  for (const ChunkClaim& claim : context.chunks) {
    if (!reread(context, claim, chunk)) continue;
    const Statistics& bounds = chunk.meta_data.statistics;
    const bool stated =
        chunk.has(ColumnChunk::id_meta_data) && chunk.meta_data.has(ColumnMetaData::id_statistics);
    const std::array<std::pair<std::string_view, bool>, 3> sites{{
        {"meta_data.statistics.max_value", stated && bounds.has(Statistics::id_max_value)},
        {"meta_data.statistics.min_value", stated && bounds.has(Statistics::id_min_value)},
        {"column_index_offset", chunk.has(ColumnChunk::id_column_index_offset)},
    }};
    const View bytes = context.footer_from(claim.struct_offset);
    std::string_view first;
    std::uint64_t first_at = UINT64_MAX;
    for (const auto& [path, set] : sites) {
      if (!set) continue;
      const std::uint64_t at = thrift::locate(bytes, ColumnChunk::kType, path).value;
      if (at < first_at) {
        first = path;
        first_at = at;
      }
    }
    if (first.empty()) continue;
    judge.field(Rule::footer_column_orders_present, place_of(claim), bytes, ColumnChunk::kType, first,
                seen(first.substr(first.rfind('.') + 1), "no bound without column_orders"));
    return;
  }
  context.bounds_lack_orders = true;
}

}  // namespace parqproof
