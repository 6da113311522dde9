#include "fuzz/variant/shredding.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "codec/thrift/reader.hpp"
#include "codec/variant/assembly.hpp"
#include "codec/write/file_writer.hpp"
#include "codec/write/variant/variant_schema.hpp"
#include "codec/write/variant/variant_shredder.hpp"
#include "conformance/check/check.hpp"
#include "fuzz/property.hpp"

namespace parqproof::fuzz {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::size_t kMostRows = 200;
constexpr std::size_t kMaxValueBytes = std::size_t{1} << 22;  // bytes of a value

/// The entries of shredded columns, one after the other.
class ShreddedEntries final : public variant::Columns {
 public:
  ShreddedEntries(const Schema& schema, const std::vector<ShreddedColumn>& columns) : schema_(schema) {
    for (const ShreddedColumn& column : columns) at_.push_back({column.entries()});
  }

  [[nodiscard]] std::uint32_t repetition(std::size_t leaf) const override {
    return at_end(leaf) ? 0 : at_[leaf].entries.repetition[at_[leaf].entry];
  }
  [[nodiscard]] std::uint32_t definition(std::size_t leaf) const override {
    return at_[leaf].entries.definition[at_[leaf].entry];
  }
  [[nodiscard]] View value(std::size_t leaf) const override {
    const ValueBatch& values = at_[leaf].entries.values;
    const std::uint64_t i = at_[leaf].value;
    if (values.form == ValueBatch::Form::byte_arrays)
      return {{values.byte_arrays[i].data, values.byte_arrays[i].size}};
    if (values.form == ValueBatch::Form::booleans) return {{values.booleans + i, 1}};
    const Node& node = schema_.leaf(leaf);
    const std::uint32_t width =
        fixed_width(node.type, static_cast<std::uint32_t>(std::max(node.type_length, 0)));
    return {{values.fixed + i * width, width}};
  }
  [[nodiscard]] bool advance(std::size_t leaf) override {
    At& at = at_[leaf];
    if (at.entries.definition[at.entry] == schema_.leaf(leaf).max_definition) ++at.value;
    ++at.entry;
    return true;
  }
  [[nodiscard]] bool at_end(std::size_t leaf) const { return at_[leaf].entry == at_[leaf].entries.count; }

 private:
  struct At {
    Entries entries;
    std::uint64_t entry = 0;
    std::uint64_t value = 0;
  };

  const Schema& schema_;
  std::vector<At> at_;
};

/// The rows of a Variant: the elements of an array.
std::vector<Bytes> rows_of(Bytes value) {
  variant::Item item;
  (void)variant::read_item(value, item);
  if (item.kind != variant::Kind::array || item.count == 0) return {value};
  std::vector<Bytes> rows;
  for (std::uint32_t i = 0; i < item.count && rows.size() < kMostRows; ++i) {
    const Bytes rest = value.subspan(item.values + item.offset(i));
    variant::Item element;
    (void)variant::read_item(rest, element);
    rows.push_back(rest.first(static_cast<std::size_t>(element.size)));
  }
  return rows;
}

struct Canonical {
  std::vector<std::uint8_t> metadata;
  std::vector<std::uint8_t> value;
  bool operator==(const Canonical&) const = default;
};

/// Returns nullopt if the value has no room.
std::optional<Canonical> finished(variant::Builder& builder) {
  Canonical out;
  return builder.finish(out.metadata, out.value) ? std::optional(std::move(out)) : std::nullopt;
}

std::string write(const thrift::List& schema, const std::vector<ShreddedColumn>& columns,
                  std::vector<std::uint8_t>& out) {
  MemorySink sink(out);
  FileWriter writer(sink, {}, schema);
  if (const WriteStatus begun = writer.begin(); !begun) return begun.error();
  if (const WriteStatus begun = writer.begin_row_group(); !begun) return begun.error();
  for (const ShreddedColumn& column : columns) {
    const std::expected<ChunkWriter*, std::string> to = writer.next_column();
    if (!to) return to.error();
    if (const WriteStatus added = (*to)->add(column.entries()); !added) return added.error();
  }
  if (const WriteStatus ended = writer.end_row_group(); !ended) return ended.error();
  const WriteStatus finished = writer.finish();
  return finished ? std::string() : finished.error();
}

}  // namespace

std::string shredding_fault(Bytes metadata, Bytes value, const Limits& limits) {
  const auto depth = static_cast<std::uint32_t>(limits.schema_depth);
  const std::vector<Bytes> rows = rows_of(value);
  VariantSchemaFinder finder;
  for (std::size_t i = 0; i < rows.size(); i += 2) finder.add(metadata, rows[i]);
  SchemaElement root;
  thrift::set(root, SchemaElement::id_name, SchemaElement::id_num_children);
  root.num_children = 1;
  thrift::ListBuilder<SchemaElement> elements;
  elements.add(root);
  constexpr std::size_t kMostColumns = 20;
  ShreddedType type = finder.find(kMostColumns);
  type.name = "v";
  emit_variant_group(type, FieldRepetitionType::REQUIRED, elements);
  Schema schema;
  thrift::for_each<SchemaElement>(elements.list(), limits,
                                  [&](const SchemaElement& one, std::uint32_t) { schema.add(one); });
  schema.finish();
  if (schema.fault() != Schema::Fault::none) return "the schema that is found is no tree";
  std::string fault;
  const std::optional<variant::Group> group =
      variant::find_group(schema, 1, [&](Rule rule, std::uint32_t, std::string_view, const Contrast&) {
        fault = "the schema that is found breaks " + std::string(info(rule).id);
      });
  if (!fault.empty() || !group)
    return fault.empty() ? "the schema that is found is none of a Variant" : fault;
  VariantShredder shredder(schema, *group, depth);
  for (const Bytes row : rows) {
    if (const WriteStatus added = shredder.add(metadata, row, 0); !added) return added.error();
  }
  std::vector<std::uint8_t> file;
  if (fault = write(elements.list(), shredder.columns(), file); !fault.empty()) return fault;
  CheckOptions options;
  options.limits = limits;
  for (const ReportedFinding& found : check(MemorySource(file), "written", options).findings) {
    const std::string_view id = info(found.finding.rule).id;
    if (id.starts_with("variant/")) continue;  // of the value
    if (found.severity != Severity::info || id.starts_with("shredding/"))
      return "the file breaks " + std::string(id) + ", field " + found.finding.field;
  }
  ShreddedEntries entries(schema, shredder.columns());
  variant::Assembly assembly(*group, depth);
  variant::NoRowFaults ignored;
  variant::NoFaults no_faults;
  variant::Metadata names;
  names.read({metadata}, no_faults);
  for (const Bytes row : rows) {
    variant::Builder original;
    original.clear(kMaxValueBytes);
    const bool is_copied = original.copy(names, row, depth);
    variant::Builder assembled;
    assembled.clear(kMaxValueBytes);
    const variant::AssemblyEnd end = assembly.read(entries, ignored, &assembled);
    if (!is_copied) return {};  // values that offsets share take more than the limit
    if (end != variant::AssemblyEnd::complete || !assembled.is_complete())
      return "the parts of a row cannot be put together";
    if (finished(original) != finished(assembled)) return "the parts of a row are another value";
  }
  for (std::size_t leaf = 0; leaf < schema.leaf_count(); ++leaf) {
    if (!entries.at_end(leaf)) return "a column has more entries than rows";
  }
  return {};
}

}  // namespace parqproof::fuzz
