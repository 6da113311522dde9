#include "conformance/footer/file_metadata_rules.hpp"

#include <array>
#include <bit>
#include <cctype>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "codec/base/text.hpp"
#include "codec/thrift/locate.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/footer/footer_reader.hpp"
#include "conformance/footer/known_writer_rules.hpp"
#include "conformance/footer/proposals.hpp"
#include "conformance/statistics/stated_sizes.hpp"
#include "conformance/statistics/stated_statistics.hpp"

namespace parqproof {
namespace {

enum class CreatedBy : std::uint8_t { complete, without_build, unreadable };

/// Parses created_by as the comment of the field describes it: application, the word version, a version, a
/// build in parentheses. Each "version" in the text may be that word; parentheses are searched for once.
CreatedBy parse_created_by(std::string_view text) {
  constexpr std::string_view kWord = "version";
  const auto space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  std::size_t open = 0;   // the last parenthesis found; it is never the first character
  std::size_t close = 0;  // its closing parenthesis
  for (std::size_t at = text.find(kWord); at != text.npos; at = text.find(kWord, at + 1)) {
    if (at == 0 || !space(text[at - 1])) continue;
    if (open > at) continue;  // the next parenthesis after this word is the same
    open = text.find('(', at);
    if (open == text.npos) return CreatedBy::without_build;
    if (close < open) close = text.find(')', open);
    if (close != text.size() - 1) continue;
    std::string_view build = text.substr(open + 1);
    while (!build.empty() && space(build.front())) build.remove_prefix(1);
    if (build.starts_with("build")) return CreatedBy::complete;
  }
  return CreatedBy::unreadable;
}

/// Returns true if the file has the name of a schema file that other files share.
bool is_common_metadata(std::string_view path) {
  return path.substr(path.rfind('/') + 1) == "_common_metadata";
}

/// Rules of the members of FileMetaData, after they were read.
class FooterRules {
 public:
  explicit FooterRules(FileCheck& check) : check_(check), footer_(check.footer), meta_(check.footer.meta) {}

  /// Judges the number of row groups.
  void row_groups() const {
    if (footer_.row_groups_complete && meta_.row_groups.count == 0) {
      site_.report(Rule::file_no_row_groups, "row_groups", contrast(0, or_more(1)));
    }
    if (meta_.row_groups.count != 0 && is_common_metadata(check_.input.path)) {
      site_.report(Rule::summary_common_metadata, "row_groups",
                   contrast(counted(meta_.row_groups.count, "row group"), 0));
    }
  }

  void version() const {
    if (!meta_.has(FileMetaData::id_version)) return;
    if (meta_.version == 2) {
      site_.report(Rule::footer_version_one, "version", contrast(2, 1));
    } else if (meta_.version != 1) {
      site_.report(Rule::footer_version, "version", contrast(meta_.version, "1 or 2"));
    }
  }

  void created_by() const {
    if (meta_.fields.mentions(FileMetaData::id_created_by) && !meta_.has(FileMetaData::id_created_by)) return;
    const std::string_view text = text_of(meta_.created_by);
    if (text.empty()) {
      site_.report(Rule::footer_created_by_missing, "created_by",
                   contrast("none", "the writer's name and version"));
      return;
    }
    switch (parse_created_by(text)) {
      case CreatedBy::complete:
        break;
      case CreatedBy::without_build:
        site_.report(Rule::footer_created_by_build, "created_by", contrast(text, "... (build HASH)"));
        break;
      case CreatedBy::unreadable:
        site_.report(Rule::footer_created_by_format, "created_by",
                     contrast(text, "APPLICATION version VERSION (build HASH)"));
        break;
    }
  }

  /// footer/exact-length. A signature may follow the struct.
  void length() const {
    const std::uint64_t rest = footer_.frame.footer.end() - meta_.fields.end;
    // Any bytes may follow a struct that was misread.
    if (rest == 0 || file_is_lost(check_) || meta_.has(FileMetaData::id_encryption_algorithm)) return;
    report_at(check_.outcome.findings, Rule::footer_exact_length, {}, meta_.fields.end, rest,
              contrast(rest, 0));
  }

  void keys() const {
    if (!meta_.has(FileMetaData::id_key_value_metadata)) return;
    check_keys(check_, {}, meta_.key_value_metadata, "key_value_metadata");
  }

  /// Compares the row count of the file with its row groups.
  void num_rows() const {
    if (!meta_.has(FileMetaData::id_num_rows)) return;
    if (meta_.num_rows < 0) {
      site_.report(Rule::footer_num_rows_negative, "num_rows", contrast(meta_.num_rows, or_more(0)));
      return;
    }
    std::int64_t stated = 0;  // sum over the row groups
    std::int64_t held = 0;    // sum over their columns
    for (std::size_t i = 0; i < footer_.row_groups.size(); ++i) {
      const RowGroupClaim& group = footer_.row_groups[i];
      if (!group.has_num_rows || group.num_rows < 0) return;  // reported for the row group
      const auto truth = check_.outcome.true_rows.find(i);
      stated = saturating_add(stated, group.num_rows);
      held = saturating_add(held, truth != check_.outcome.true_rows.end() ? truth->second : group.num_rows);
    }
    // A wrong row group has its own finding; the file may agree with it or with its columns.
    if (footer_.row_groups_complete && stated != meta_.num_rows && held != meta_.num_rows) {
      site_.report(Rule::footer_num_rows, "num_rows", contrast(meta_.num_rows, stated));
    }
  }

 private:
  FileCheck& check_;
  const ParsedFooter& footer_;
  const FileMetaData& meta_;
  FindingSite site_ = FindingSite::of_file_metadata(check_);
};

/// Returns true if the list is present and its header could be read.
bool is_there(const FileMetaData& meta, FileMetaData::Id id, const thrift::List& list) {
  return meta.fields.mentions(id) && list.bytes.base != 0;
}

/// Without its metadata the file is lost; metadata that is nested too deep to be read was not checked.
void lose_file(FileCheck& check, bool too_deep) {
  if (too_deep) {
    check.outcome.not_run.push_back({"file", "the footer is nested deeper than the limit", {}, {}});
  } else {
    check.outcome.lost.push_back({LostPart::file, {}});
  }
}

bool is_float(const Node& leaf) {
  return leaf.type == Type::FLOAT || leaf.type == Type::DOUBLE ||
         (leaf.type == Type::FIXED_LEN_BYTE_ARRAY && leaf.logical.kind == LogicalKind::FLOAT16);
}

/// Returns the rule that an order breaks because it does not suit the type of the leaf, or the edition.
std::optional<Rule> broken_by(const ColumnOrder& order, const Node& leaf, Edition edition) {
  if (order.has(ColumnOrder::id_INT96_TIMESTAMP_ORDER) &&
      !is_defined(Addition::int96_timestamp_order, edition))
    return Rule::edition_undefined;
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
  if (rule == Rule::edition_undefined) return undefined(Addition::int96_timestamp_order);
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

/// Reads column_orders into ParsedFooter::orders, and judges each entry by the type of its leaf:
/// footer/column-orders-length, footer/column-order-*. Without a usable schema there are no orders.
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
    const std::optional<Rule> rule = broken_by(order, leaf, check.options.edition);
    if (list.count == leaves && rule != Rule::edition_undefined) footer.orders[i] = order_of(leaf, order);
    if (!rule || !check.outcome.findings.wants(*rule)) return;
    const FindingSite site{check.outcome.findings,
                           {-1, static_cast<std::int32_t>(i), -1},
                           footer.footer_from(order.fields.offset),
                           ColumnOrder::kType,
                           "column_orders[" + std::to_string(i) + "]"};
    site.report(*rule, "", contrast_of(*rule, leaf));
  });
}

/// footer/column-orders-present, once per file at the first bound. The footer must have been read to its
/// stop byte, so that absent fields are known to be absent.
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
        {"column_index_offset",
         chunk.has(ColumnChunk::id_column_index_offset) && chunk.column_index_offset != 0},
    }};
    const FindingSite site = FindingSite::of_chunk(check, claim);
    std::string_view first;
    std::uint64_t first_at = UINT64_MAX;
    for (const auto& [path, set] : sites) {
      if (!set) continue;
      const std::uint64_t at = site.locate(path).value;
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

}  // namespace

void check_frame(FileCheck& check, std::uint64_t end) {
  constexpr std::uint64_t kMostAtTierFooter = std::uint64_t{1} << 18;
  const std::uint64_t most_zeros = check.options.tier == Tier::footer ? kMostAtTierFooter : UINT64_MAX;
  FooterPhase::of(check).frame =
      read_frame(check.input.source, end, check.options.limits, check.outcome.findings, most_zeros);
}

void check_footer(FileCheck& check) {
  ParsedFooter& footer = FooterPhase::of(check);
  FileMetaData& meta = footer.meta;
  const FooterRules rules(check);

  FooterLists lists(check);
  lists.set_opened(footer.frame.opened.get(), check.options.limits);
  thrift::Reader reader(footer.frame.footer, {&check.outcome.findings, {}, {}}, check.options.limits);
  const bool is_complete = lists.visit(reader, meta);
  if (is_there(meta, FileMetaData::id_schema, meta.schema) && !lists.finish_schema()) {
    lose_file(check, reader.too_deep());
    return;
  }
  if (is_there(meta, FileMetaData::id_row_groups, meta.row_groups)) {
    lists.finish_row_groups();
    rules.row_groups();
  }
  // limit/schema-depth has its own entry in not_run.
  const bool too_deep = footer.schema_too_deep(check.options.limits);
  if (!is_complete || !footer.row_groups_complete || (!footer.schema_usable && !too_deep))
    lose_file(check, reader.too_deep());

  check_column_orders(check);
  check_unknown_columns(check);
  if (is_complete && reader.sound()) check_bounds_have_orders(check);
  check_statistics(check);
  check_size_statistics(check);
  rules.version();
  if (is_complete) {
    rules.created_by();
    rules.length();
    check_flatbuffer_footer(check);
  }
  rules.keys();
  check_known_writer(check);
}

void check_num_rows(FileCheck& check) { FooterRules(check).num_rows(); }

}  // namespace parqproof
