#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <vector>

#include "codec/format/footer_visitor.hpp"
#include "codec/schema/annotations.hpp"
#include "codec/schema/schema.hpp"
#include "codec/thrift/reader.hpp"
#include "codec/variant/judge.hpp"
#include "codec/variant/shredding.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/json_writer.hpp"
#include "conformance/report/metadata/metadata.hpp"
#include "conformance/report/words/field_text.hpp"

namespace parqproof {
namespace {

/// The elements of the footer's schema as a tree, with their ids; other lists of the footer are passed over.
class SchemaReading final : public FooterVisitor {
 public:
  explicit SchemaReading(const Source& source)
      : FooterVisitor({.row_groups = false, .columns = false}), footer_(find_footer(source, encrypted_)) {
    if (footer_.end != DumpEnd::complete) return;
    FileMetaData meta;
    Findings findings(framing_rules());
    const Limits limits;
    thrift::Reader reader(footer_.bytes, {&findings, {}, {}}, limits);
    if (!visit(reader, meta)) {
      footer_.end = DumpEnd::stopped;
      footer_.stop = stop_of(findings);
    }
    schema_.finish();
  }

  [[nodiscard]] const Schema& schema() const noexcept { return schema_; }
  [[nodiscard]] const Nodes& nodes() const noexcept { return schema_.nodes(); }
  [[nodiscard]] std::optional<std::int32_t> id(std::uint32_t index) const { return ids_[index]; }
  /// Returns true if the elements are a tree, even if the rest of the footer cannot be read.
  [[nodiscard]] bool is_tree() const noexcept {
    return !nodes().empty() && schema_.fault() == Schema::Fault::none;
  }
  [[nodiscard]] ShownFooter end() const {
    if (footer_.end != DumpEnd::complete || is_tree()) return shown(footer_);
    return {DumpEnd::stopped,
            fmt::format("the elements are not a tree because of schema[{}]: see `parqproof check`",
                        schema_.fault_index())};
  }

 private:
  [[nodiscard]] bool schema_element(SchemaElement& element, const Element& at) override {
    if (!at.complete) return false;
    schema_.add(element);
    ids_.push_back(element.has(SchemaElement::id_field_id) ? std::optional(element.field_id) : std::nullopt);
    return true;
  }

  std::vector<std::uint8_t> encrypted_;
  FooterBytes footer_;
  Schema schema_;
  std::vector<std::optional<std::int32_t>> ids_;
};

/// What the fields of VARIANT groups hold (VariantShredding.md#value-shredding), by the ordinals of their
/// schema elements.
class VariantFields {
 public:
  /// "value" of "$.a".
  struct Field {
    std::string_view part;
    std::string path;
  };

  explicit VariantFields(const Schema& schema) : schema_(schema) {
    for (std::uint32_t node = 0; node < schema.nodes().size(); ++node) {
      if (!variant::is_variant(schema.nodes()[node])) continue;
      const auto group = variant::find_group(schema, node, [](auto&&...) {});
      if (!group) continue;
      add(schema.leaf_index(group->metadata), "metadata", "$");
      add(group->top, "$");
    }
  }
  [[nodiscard]] const Field* find(std::uint32_t node) const {
    const auto field = fields_.find(node);
    return field == fields_.end() ? nullptr : &field->second;
  }

 private:
  void add(std::uint32_t node, std::string_view part, const std::string& path) {
    fields_[node] = {part, path};
  }
  // The depth of the schema, which has a limit, bounds the recursion.
  void add(const variant::Part& part, const std::string& path) {
    if (part.value) add(schema_.leaf_index(*part.value), "value", path);
    if (part.typed == variant::Part::Typed::none) return;
    add(part.typed_node, "typed_value", path);
    for (const variant::Part& below : part.parts) {
      std::string inner = path;
      if (part.typed == variant::Part::Typed::array) {
        inner += "[*]";
      } else {
        variant::append_field(inner, below.name);
      }
      add(below, inner);
    }
  }

  const Schema& schema_;
  std::map<std::uint32_t, Field> fields_;
};

std::string lower(std::string_view name) {
  std::string text(name);
  std::ranges::transform(text, text.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

std::string_view repetition_of(const Node& node) {
  return kFieldRepetitionTypeEnum.name_of(static_cast<int>(node.repetition));
}

std::string crs_of(const Schema& schema, std::uint32_t index) {
  const View crs = schema.crs(index);
  return crs.empty() ? std::string(kDefaultCrs) : std::string(text_of(crs));
}

/// The physical type in the message syntax.
std::string type_text(const Node& leaf) {
  if (leaf.type == Type::BYTE_ARRAY) return "binary";
  const std::string name = lower(kTypeEnum.name_of(static_cast<int>(leaf.type)));
  return leaf.type == Type::FIXED_LEN_BYTE_ARRAY ? fmt::format("{}({})", name, leaf.type_length) : name;
}

std::string indent(std::size_t depth) { return std::string(2 * depth, ' '); }

void write_node(Out& out, const SchemaReading& reading, const VariantFields& variants, SchemaDetail detail,
                std::uint32_t index, std::size_t depth) {
  const Node& node = reading.nodes()[index];
  out << indent(depth) << lower(repetition_of(node)) << " " << (node.is_leaf ? type_text(node) : "group")
      << " " << printable(text_of(node.name));
  const std::string annotation = annotation_text(reading.schema(), index);
  if (!annotation.empty()) out << " (" << printable(annotation) << ")";
  if (const auto id = reading.id(index)) out << fmt::format(" = {}", *id);
  out << (node.is_leaf ? ";" : " {");
  if (detail == SchemaDetail::levels) {
    out << fmt::format("  // R:{} D:{}", node.max_repetition, node.max_definition);
    if (node.is_leaf) out << fmt::format(" leaf {}", node.leaf);
    if (const VariantFields::Field* const field = variants.find(index))
      out << ", " << field->part << " of " << printable(field->path);
  }
  out << "\n";
}

void write_tree(Out& out, const SchemaReading& reading, SchemaDetail detail) {
  const Nodes& nodes = reading.nodes();
  std::vector<std::uint32_t> ends;  // ends of the open groups below the root
  const auto close = [&] {
    out << indent(ends.size()) << "}\n";
    ends.pop_back();
  };
  const VariantFields variants(reading.schema());
  out << "message " << printable(text_of(nodes[0].name)) << " {\n";
  for (std::uint32_t i = 1; i < nodes.size() && !out.closed(); ++i) {
    while (!ends.empty() && ends.back() <= i) close();
    write_node(out, reading, variants, detail, i, ends.size() + 1);
    if (!nodes[i].is_leaf) ends.push_back(nodes[i].end);
  }
  while (!ends.empty()) close();
  out << "}\n";
}

/// Members of the logical type of a node.
void write_logical_type(JsonWriter& json, const Schema& schema, std::uint32_t index) {
  const ResolvedType& type = schema.nodes()[index].logical;
  json.member("kind", name_of(type.kind));
  switch (type.kind) {
    case LogicalKind::DECIMAL:
      json.member("precision", type.precision);
      json.member("scale", type.scale);
      break;
    case LogicalKind::TIME:
    case LogicalKind::TIMESTAMP:
      json.member("unit", name_of(type.unit));
      json.member("is_adjusted_to_utc", static_cast<bool>(type.is_adjusted_to_utc));
      break;
    case LogicalKind::INTEGER:
      json.member("bit_width", type.bit_width);
      json.member("is_signed", static_cast<bool>(type.is_signed));
      break;
    case LogicalKind::VARIANT:
      if (type.specification_version != 0) json.member("specification_version", type.specification_version);
      break;
    case LogicalKind::GEOGRAPHY:
      json.member("crs", crs_of(schema, index));
      json.member("algorithm", kEdgeInterpolationAlgorithmEnum.name_of(type.algorithm));
      break;
    case LogicalKind::GEOMETRY:
      json.member("crs", crs_of(schema, index));
      break;
    default:
      break;
  }
}

/// The members of a node except its children.
void write_node(JsonWriter& json, const SchemaReading& reading, const VariantFields& variants,
                std::uint32_t index) {
  const Node& node = reading.nodes()[index];
  json.member("name", text_of(node.name));
  if (index != 0) json.member("repetition", repetition_of(node));
  if (node.is_leaf) {
    json.member("type", kTypeEnum.name_of(static_cast<int>(node.type)));
    if (node.type == Type::FIXED_LEN_BYTE_ARRAY) json.member("type_length", node.type_length);
  }
  if (node.logical.kind != LogicalKind::none)
    json.object("logical_type", [&] { write_logical_type(json, reading.schema(), index); });
  if (node.logical.converted >= 0)
    json.member("converted_type", kConvertedTypeEnum.name_of(node.logical.converted));
  if (const VariantFields::Field* const field = variants.find(index)) {
    json.object("variant", [&] {
      json.member("part", field->part);
      json.member("path", field->path);
    });
  }
  if (const auto id = reading.id(index)) json.member("field_id", *id);
  json.member("max_repetition_level", node.max_repetition);
  json.member("max_definition_level", node.max_definition);
  json.member("offset", node.offset);
  if (!node.is_leaf) return;
  json.member("leaf", node.leaf);
  json.array("path", reading.schema().path(index), [&](const View& name) { json.string(text_of(name)); });
}

/// Each node as an object; `fields` of a group is an array of its children.
void write_tree(JsonWriter& json, const SchemaReading& reading) {
  const Nodes& nodes = reading.nodes();
  const VariantFields variants(reading.schema());
  std::vector<std::uint32_t> ends;  // ends of the open groups
  const auto close = [&] {
    json.end();
    json.end();
    ends.pop_back();
  };
  for (std::uint32_t i = 0; i < nodes.size() && !json.closed(); ++i) {
    while (!ends.empty() && ends.back() <= i) close();
    json.begin_object();
    write_node(json, reading, variants, i);
    if (nodes[i].is_leaf) {
      json.end();
      continue;
    }
    json.key("fields");
    json.begin_array();
    ends.push_back(nodes[i].end);
  }
  while (!ends.empty()) close();
}

}  // namespace

std::string annotation_text(const Schema& schema, std::uint32_t index) {
  const ResolvedType& type = schema.nodes()[index].logical;
  if (type.is(ConvertedType::MAP_KEY_VALUE)) return "MAP_KEY_VALUE";
  const std::string_view name = name_of(type.kind);
  switch (type.kind) {
    case LogicalKind::none:
      return {};
    case LogicalKind::DECIMAL:
      return fmt::format("{}({},{})", name, type.precision, type.scale);
    case LogicalKind::TIME:
    case LogicalKind::TIMESTAMP:
      return fmt::format("{}({},{})", name, name_of(type.unit), type.is_adjusted_to_utc);
    case LogicalKind::INTEGER:
      return fmt::format("{}({},{})", name, static_cast<int>(type.bit_width),
                         static_cast<bool>(type.is_signed));
    case LogicalKind::VARIANT:
      return type.specification_version == 0
                 ? std::string(name)
                 : fmt::format("{}({})", name, static_cast<int>(type.specification_version));
    case LogicalKind::GEOMETRY:  // without parameters, all defaults
      return schema.crs(index).empty() ? std::string(name)
                                       : fmt::format("{}({})", name, crs_of(schema, index));
    case LogicalKind::GEOGRAPHY:
      return schema.crs(index).empty() &&
                     type.algorithm == static_cast<int>(EdgeInterpolationAlgorithm::SPHERICAL)
                 ? std::string(name)
                 : fmt::format("{}({},{})", name, crs_of(schema, index),
                               kEdgeInterpolationAlgorithmEnum.name_of(type.algorithm));
    default:
      return std::string(name);
  }
}

ShownFooter write_schema_text(const Source& source, SchemaDetail detail, Out& out) {
  const SchemaReading reading(source);
  if (reading.is_tree()) write_tree(out, reading, detail);
  return reading.end();
}

ShownFooter write_schema_json(const Source& source, const std::string& path, Out& out) {
  const SchemaReading reading(source);
  const ShownFooter end = reading.end();
  JsonWriter json(out, 1);
  json.begin_object();
  json.member("path", path);
  if (reading.is_tree()) {
    json.member("leaves", reading.schema().leaf_count());
    json.key("schema");
    write_tree(json, reading);
  }
  if (!end.why.empty()) json.member("stopped", end.why);
  json.end();
  return end;
}

}  // namespace parqproof
