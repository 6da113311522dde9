// Changes of one value, or of one row, of a shredded Variant.
#include <algorithm>
#include <utility>

#include "codec/variant/shredding.hpp"
#include "conformance/fault/changes.hpp"
#include "conformance/fault/stored_values.hpp"
#include "conformance/fault/variant_values.hpp"

namespace parqproof::fault {
namespace {

using variant::Item;
using variant::Kind;
using variant::Metadata;
using variant::Part;

/// The place in the Variant whose `value` is this leaf; null if there is none.
const Part* part_of(const Part& part, std::uint32_t leaf) {
  if (part.value == leaf) return &part;
  for (const Part& one : part.parts) {
    if (const Part* const found = part_of(one, leaf)) return found;
  }
  return nullptr;
}

/// Replaces a value in a `value` column that has a typed_value of this kind next to it by another one.
bool replace_next_to(File& file, const Site& site, Part::Typed typed, bool was_object, const Bytes& by) {
  const std::uint32_t leaf = file.leaf_of(site).leaf;
  const auto group = variant::group_around(file.schema(), file.leaf_of(site));
  const Part* const part = group ? part_of(group->top, leaf) : nullptr;
  if (part == nullptr || part->typed != typed) return false;
  return edit_stored_value(file, site, [&](Bytes& value) {
    const bool is_object =
        !value.empty() && (value[0] & variant::kBasicMask) == static_cast<unsigned>(variant::Basic::object);
    if (is_object != was_object) return false;
    value = by;
    return true;
  });
}

/// The rows in which an object has a shredded field; nullopt if they are not known.
std::optional<std::vector<bool>> rows_with(File& file, std::uint32_t row_group, const Part& field) {
  if (!field.value || field.typed != Part::Typed::primitive) return std::nullopt;
  const auto values = definition_levels(file, row_group, static_cast<std::uint32_t>(*field.value));
  const auto typed = definition_levels(file, row_group, static_cast<std::uint32_t>(field.typed_first));
  if (!values || !typed || values->size() != typed->size()) return std::nullopt;
  std::vector<bool> rows;
  rows.reserve(values->size());
  for (std::size_t row = 0; row < values->size(); ++row)
    rows.push_back((*values)[row] >= field.value_definition || (*typed)[row] >= field.typed_definition);
  return rows;
}

constexpr std::uint8_t kInt8 =
    variant::first_byte(variant::Basic::primitive, static_cast<unsigned>(Kind::int8));
constexpr std::uint8_t kObject = variant::first_byte(variant::Basic::object, 0);
constexpr std::uint8_t kArray = variant::first_byte(variant::Basic::array, 0);

}  // namespace

bool number_for_object(File& file, const Site& site, const Change& /*change*/) {
  return replace_next_to(file, site, Part::Typed::object, true, {kInt8, 1});
}

bool object_not_typed(File& file, const Site& site, const Change& /*change*/) {
  return replace_next_to(file, site, Part::Typed::object, false, {kObject, 0, 0});
}

bool array_not_typed(File& file, const Site& site, const Change& /*change*/) {
  return replace_next_to(file, site, Part::Typed::array, false, {kArray, 0, 0});
}

bool rename_shredded(File& file, const Site& site, const Change& /*change*/) {
  const auto group = variant::group_around(file.schema(), file.leaf_of(site));
  if (!group || group->top.typed != Part::Typed::object || file.leaf_of(site).max_repetition != 0)
    return false;
  const std::uint32_t row_group = file.chunk_of(site).row_group;
  const auto rows = entries_with_values(file, site);
  std::vector<std::pair<const Part*, std::vector<bool>>> fields;
  for (const Part& part : group->top.parts) {
    auto with = rows_with(file, row_group, part);
    if (with && !part.name.empty() && part.name.back() < 'z') fields.emplace_back(&part, std::move(*with));
  }
  return edit_numbered_value(file, site, [&](Bytes& bytes, std::size_t ordinal) {
    Metadata metadata;
    if (ordinal >= rows.size() || !read_metadata(bytes, metadata)) return false;
    for (const auto& [part, with] : fields) {
      const auto id = metadata.find(part->name);
      const bool is_present =
          std::ranges::any_of(rows[ordinal], [&](std::size_t row) { return row < with.size() && with[row]; });
      if (!id || !is_present) continue;
      const bool was_ascending = metadata.is_ascending();
      std::uint8_t& last = bytes[metadata.strings_begin() + metadata.offset(*id + 1) - 1];
      ++last;
      Metadata after;
      if (read_metadata(bytes, after) && after.is_ascending() == was_ascending &&
          !std::ranges::binary_search(group->top.names, after.name(*id)))
        return true;
      --last;
    }
    return false;
  });
}

bool shredded_field_in_value(File& file, const Site& site, const Change& /*change*/) {
  const Node& leaf = file.leaf_of(site);
  const auto group = variant::group_around(file.schema(), leaf);
  const Part* const part = group ? part_of(group->top, leaf.leaf) : nullptr;
  if (part == nullptr || part->typed != Part::Typed::object || leaf.max_repetition != 0) return false;
  const auto rows = entries_with_values(file, site);
  const auto all =
      values_by_entry(file, file.chunk_of(site).row_group, static_cast<std::uint32_t>(group->metadata));
  if (!all) return false;
  return edit_numbered_value(file, site, [&](Bytes& value, std::size_t ordinal) {
    Metadata metadata;
    Item item;
    if (ordinal >= rows.size() || rows[ordinal].empty() || rows[ordinal].front() >= all->size()) return false;
    const auto& of_row = (*all)[rows[ordinal].front()];
    const bool is_same = std::ranges::all_of(
        rows[ordinal], [&](std::size_t row) { return row < all->size() && (*all)[row] == of_row; });
    if (!of_row || !is_same || !read_metadata(*of_row, metadata)) return false;
    if (value.empty() || variant::read_item(value, item).reason != variant::Unreadable::Reason::none ||
        item.kind != Kind::object)
      return false;
    for (std::uint32_t i = 0; i < item.count; ++i) {
      for (const std::string_view name : part->names) {
        const auto id = metadata.find(name);
        // The fields of an object are in the order of their names.
        const auto is_below = [&](std::uint32_t other) {
          return item.id(other) < metadata.size() && metadata.name(item.id(other)) < name;
        };
        if (!id || (i != 0 && !is_below(i - 1)) || (i + 1 < item.count && is_below(i + 1))) continue;
        put_number(value, item.ids + std::size_t{i} * item.id_width, item.id_width, *id);
        return true;
      }
    }
    return false;
  });
}

bool top_value_missing(File& file, const Site& site, const Change& /*change*/) {
  const Node& leaf = file.leaf_of(site);
  const auto group = variant::group_around(file.schema(), leaf);
  if (!group || group->top.value != leaf.leaf || !group->is_shredded() || leaf.max_repetition != 0)
    return false;
  const std::uint32_t row_group = file.chunk_of(site).row_group;
  const Part& top = group->top;
  const auto typed =
      top.typed == Part::Typed::array || file.schema().leaf(top.typed_first).max_repetition != 0
          ? std::nullopt
          : definition_levels(file, row_group, static_cast<std::uint32_t>(top.typed_first));
  const auto own = definition_levels(file, site);
  if (!typed || !own) return false;
  std::size_t first = 0;  // row of the page
  for (const Site& page : data_pages_of(file, row_group, leaf.leaf)) {
    if (page.index == site.index) break;
    first += static_cast<std::size_t>(file.page_of(page).num_values);
  }
  for (std::size_t entry = 0; entry < own->size(); ++entry) {
    if (first + entry >= typed->size() || (*own)[entry] != top.value_definition ||
        (*typed)[first + entry] >= top.typed_definition)
      continue;
    if (make_null(file, site, entry)) return true;
  }
  return false;
}

}  // namespace parqproof::fault
