#include "conformance/rewrite/shred/shredded_schema.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "codec/rules/rule.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/variant/variant_groups.hpp"

namespace parqproof {
namespace {

/// The VARIANT group at a dotted path; nullopt if there is none, or more than one.
std::optional<std::uint32_t> group_at(const Schema& schema, std::string_view path) {
  std::optional<std::uint32_t> found;
  for (const std::uint32_t node : variant_groups(schema)) {
    if (schema.dotted_path(node) != path) continue;
    if (found) return std::nullopt;
    found = node;
  }
  return found;
}

/// Number of the columns of a Variant.
std::size_t parts_of(const variant::Group& group) {
  return 1 + (group.top.value ? 1 : 0) + (group.top.typed_last - group.top.typed_first);
}

/// The element of the source, with what only the source has.
void keep_field_id(const SchemaElement& from, SchemaElement& to) {
  if (!from.has(SchemaElement::id_field_id)) return;
  thrift::set(to, SchemaElement::id_field_id);
  to.field_id = from.field_id;
}

/// The columns of a group that is emitted: the group itself and its fields keep the field ids that they have.
class Emitted {
 public:
  Emitted(const SchemaElement& group, const ShreddedType& type) {
    ShreddedType named = type;
    named.name = text_of(group.name);
    emit_variant_group(named, group.repetition_type, made_);
  }

  [[nodiscard]] std::uint32_t count() const noexcept { return made_.list().count; }
  /// `stored`: the elements of the group in the source, by their names.
  void add_to(thrift::ListBuilder<SchemaElement>& out, const std::vector<SchemaElement>& stored,
              const Limits& limits) const {
    thrift::for_each<SchemaElement>(made_.list(), limits, [&](const SchemaElement& made, std::uint32_t i) {
      SchemaElement element = made;
      if (i == 0) {
        element = stored.front();
        element.num_children = made.num_children;
      } else if (i <= 2) {  // metadata and value
        const auto same = std::ranges::find_if(stored.begin() + 1, stored.end(), [&](const auto& one) {
          return text_of(one.name) == text_of(made.name);
        });
        if (same != stored.end()) keep_field_id(*same, element);
      }
      out.add(element);
    });
  }

 private:
  thrift::ListBuilder<SchemaElement> made_;
};

}  // namespace

std::string ShreddedSchema::find_group(const Schema& source, const Schema& part, const ShredOption& option) {
  const std::string of_column = "--shred: " + option.column + ": ";
  const std::optional<std::uint32_t> node = group_at(source, option.column);
  const std::optional<std::uint32_t> part_node = group_at(part, option.column);
  if (!node || !part_node) return "--shred: no VARIANT is named '" + option.column + "'";
  // A shape that is wrong does not matter if the values can be put together.
  const auto ignore = [](Rule, std::uint32_t, std::string_view, const Contrast&) {};
  std::optional<variant::Group> group = variant::find_group(source, *node, ignore);
  if (!group) return of_column + "its columns are not those of a Variant";
  if (parts_of(*group) != group->last - group->first)
    return of_column + "it has columns that are not those of a Variant";
  const std::size_t first = part.nodes()[*part_node].leaf;
  if (std::ranges::find(planned_, *part_node, &Planned::node) != planned_.end())
    return of_column + "it is given twice";
  planned_.push_back({*part_node, first, std::move(*group), option.type});
  return {};
}

std::string ShreddedSchema::plan(const Schema& source, const thrift::List& elements,
                                 const std::vector<ShredOption>& options, const Limits& limits,
                                 const Find& find) {
  Schema part;
  std::vector<SchemaElement> stored;
  thrift::for_each<SchemaElement>(elements, limits, [&](const SchemaElement& one, std::uint32_t) {
    part.add(one);
    stored.push_back(one);
  });
  part.finish();
  for (const ShredOption& option : options) {
    if (std::string why = find_group(source, part, option); !why.empty()) return why;
    Planned& planned = planned_.back();
    if (option.form != ShredOption::Form::found) continue;
    std::optional<ShreddedType> found = find(planned.source, planned.first);
    if (!found) {
      is_complete_ = false;
      return {};
    }
    planned.type = std::move(*found);
  }
  std::ranges::sort(planned_, {}, &Planned::node);
  return emit(part, stored, limits);
}

std::string ShreddedSchema::emit(const Schema& part, const std::vector<SchemaElement>& stored,
                                 const Limits& limits) {
  std::vector<std::uint32_t> nodes;  // of the groups, in the schema that is written
  auto next = planned_.begin();
  std::uint32_t emitted = 0;
  for (std::uint32_t i = 0; i < stored.size();) {
    const Node& node = part.nodes()[i];
    if (next == planned_.end() || next->node != i) {
      if (node.is_leaf) pieces_.push_back({std::nullopt, node.leaf});
      elements_.add(stored[i++]);
      ++emitted;
      continue;
    }
    nodes.push_back(emitted);
    const Emitted group(stored[i], next->type);
    group.add_to(elements_, {stored.begin() + i, stored.begin() + node.end}, limits);
    emitted += group.count();
    pieces_.push_back({nodes.size() - 1, next->first});
    i = node.end;
    ++next;
  }
  thrift::for_each<SchemaElement>(elements_.list(), limits,
                                  [this](const SchemaElement& one, std::uint32_t) { schema_.add(one); });
  schema_.finish();
  if (!nodes.empty() && schema_.depth() > limits.schema_depth)
    return "--shred: the columns are nested deeper than --max-depth";
  const auto ignore = [](Rule, std::uint32_t, std::string_view, const Contrast&) {};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::optional<variant::Group> written = variant::find_group(schema_, nodes[i], ignore);
    if (!written) return "--shred: the columns are not those of a Variant";
    groups_.push_back({std::move(planned_[i].source), std::move(*written)});
  }
  return {};
}

std::size_t ShreddedSchema::columns_of(const Piece& piece) const {
  return piece.group ? groups_[*piece.group].written.last - groups_[*piece.group].written.first : 1;
}

std::size_t ShreddedSchema::source_of(std::size_t written) const {
  for (const Piece& piece : pieces_) {
    const std::size_t columns = columns_of(piece);
    if (written < columns) return piece.leaf;
    written -= columns;
  }
  return 0;
}

std::optional<std::size_t> ShreddedSchema::written_of(std::size_t leaf) const {
  std::size_t written = 0;
  for (const Piece& piece : pieces_) {
    if (piece.leaf == leaf && !piece.group) return written;
    written += columns_of(piece);
  }
  return std::nullopt;
}

std::vector<ChunkForm> ShreddedSchema::forms(const std::vector<ChunkForm>& source) const {
  std::vector<ChunkForm> out;
  for (const Piece& piece : pieces_) {
    if (!piece.group) {
      out.push_back(source[piece.leaf]);
      continue;
    }
    const auto& [from, to] = groups_[*piece.group];
    const ChunkForm& metadata = source[piece.leaf + from.metadata - from.first];
    const ChunkForm& value = from.top.value ? source[piece.leaf + *from.top.value - from.first] : metadata;
    ChunkForm typed = value;
    typed.has_dictionary = true;
    typed.has_bloom_filter = false;
    typed.encoding = Encoding::PLAIN;
    for (std::size_t leaf = to.first; leaf < to.last; ++leaf)
      out.push_back(leaf == to.metadata ? metadata : leaf == to.top.value ? value : typed);
  }
  return out;
}

}  // namespace parqproof
