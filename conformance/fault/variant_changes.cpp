// Changes of one value, or of the metadata of one row, of a Variant.
#include <algorithm>
#include <utility>

#include "codec/base/text.hpp"
#include "codec/variant/shredding.hpp"
#include "conformance/fault/changes.hpp"
#include "conformance/fault/stored_values.hpp"

namespace parqproof::fault {
namespace {

using variant::Item;
using variant::Kind;
using variant::Metadata;
using variant::Part;

void put(Bytes& bytes, std::size_t at, unsigned width, std::uint32_t number) {
  for (unsigned i = 0; i < width; ++i) bytes[at + i] = static_cast<std::uint8_t>(number >> 8 * i);
}
constexpr std::uint32_t largest(unsigned width) { return UINT32_MAX >> 8 * (4 - width); }

/// Reads metadata; false if it cannot be read or has no strings.
bool read(const Bytes& bytes, Metadata& metadata) {
  variant::NoFaults faults;
  return !bytes.empty() && metadata.read(View{bytes}, faults) && metadata.size() != 0;
}

/// Calls `edit(item, begin)` for the values in a value, outermost first, until it returns true. `begin` is
/// the position of the item, whose bytes may be changed.
template <typename Edit>
bool edit_item(Bytes& value, Edit&& edit) {
  std::vector<std::pair<std::size_t, std::size_t>> open{{0, value.size()}};
  std::size_t left = 1000;  // a limit of time: offsets may name values many times
  while (!open.empty() && left-- > 0) {
    const auto [begin, end] = open.back();
    open.pop_back();
    Item item;
    const auto bytes = std::span<const std::uint8_t>(value).subspan(begin, end - begin);
    if (bytes.empty() || variant::read_item(bytes, item).reason != variant::Unreadable::Reason::none)
      continue;
    if (edit(item, begin)) return true;
    for (std::uint32_t i = 0; is_container(item.kind) && i < std::min(item.count, 100U); ++i) {
      const std::size_t at = begin + item.values + item.offset(i);
      if (at > begin && at < end) open.emplace_back(at, end);
    }
  }
  return false;
}

/// Edits the first item for which `edit(value, item, begin)` returns true.
template <typename Edit>
bool edit_items(File& file, const Site& site, Edit&& edit) {
  return edit_stored_value(file, site, [&](Bytes& value) {
    return edit_item(value, [&](const Item& item, std::size_t begin) { return edit(value, item, begin); });
  });
}

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

/// The rows in which a leaf that is not repeated has a value; empty if its chunk has several data pages.
std::vector<std::size_t> rows_of(File& file, std::uint32_t row_group, std::uint32_t leaf) {
  std::vector<std::size_t> rows;
  const std::uint32_t max = file.schema().leaf(leaf).max_definition;
  const auto levels = definition_levels(file, row_group, leaf);
  for (std::size_t row = 0; levels && row < levels->size(); ++row) {
    if ((*levels)[row] == max) rows.push_back(row);
  }
  return rows;
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

bool variant_metadata_byte(File& file, const Site& site, const Change& change) {
  return edit_stored_value(file, site, [&](Bytes& bytes) {
    if (bytes.empty()) return false;
    if (change.text == "version") {
      bytes[0] = static_cast<std::uint8_t>((bytes[0] & ~Metadata::kVersionMask) | change.number);
    } else {
      bytes[0] = static_cast<std::uint8_t>(bytes[0] | change.number);
    }
    return true;
  });
}

bool variant_sorted_flag(File& file, const Site& site, const Change& /*change*/) {
  return edit_stored_value(file, site, [](Bytes& bytes) {
    Metadata metadata;
    if (!read(bytes, metadata) || metadata.is_ascending()) return false;
    bytes[0] |= Metadata::kSorted;
    return true;
  });
}

bool variant_metadata_offset(File& file, const Site& site, const Change& /*change*/) {
  return edit_stored_value(file, site, [](Bytes& bytes) {
    Metadata metadata;
    if (!read(bytes, metadata)) return false;
    const unsigned width = metadata.width();
    put(bytes, 1 + std::size_t{width} * (metadata.size() + 1), width, largest(width));
    return true;
  });
}

bool variant_name_utf8(File& file, const Site& site, const Change& /*change*/) {
  const auto group = variant::group_around(file.schema(), file.leaf_of(site));
  if (!group || group->is_shredded()) return false;  // a shredded field would lose its name
  return edit_stored_value(file, site, [](Bytes& bytes) {
    Metadata metadata;
    if (!read(bytes, metadata) || !metadata.is_ascending() || metadata.name(metadata.size() - 1).empty())
      return false;
    bytes[metadata.strings_begin() + metadata.offset(metadata.size()) - 1] = 0xFF;  // the last name still
    return true;
  });
}

bool variant_unknown_type(File& file, const Site& site, const Change& /*change*/) {
  return edit_stored_value(file, site, [](Bytes& value) {
    if (value.empty()) return false;
    value[0] = variant::first_byte(variant::Basic::primitive, variant::kLastPrimitive + 20);
    return true;
  });
}

bool variant_decimal_scale(File& file, const Site& site, const Change& change) {
  return edit_items(file, site, [&](Bytes& value, const Item& item, std::size_t begin) {
    if (!is_decimal(item.kind)) return false;
    value[begin + item.payload] = static_cast<std::uint8_t>(change.number);
    return true;
  });
}

bool variant_text_utf8(File& file, const Site& site, const Change& /*change*/) {
  return edit_items(file, site, [](Bytes& value, const Item& item, std::size_t begin) {
    if (item.kind != Kind::string || item.data().empty()) return false;
    value[begin + static_cast<std::size_t>(item.size) - 1] = 0xFF;
    return true;
  });
}

bool variant_field_id(File& file, const Site& site, const Change& /*change*/) {
  return edit_items(file, site, [](Bytes& value, const Item& item, std::size_t begin) {
    if (item.kind != Kind::object || item.count == 0) return false;
    put(value, begin + item.ids + std::size_t{item.count - 1} * item.id_width, item.id_width,
        largest(item.id_width));
    return true;
  });
}

bool variant_field_order(File& file, const Site& site, const Change& /*change*/) {
  return edit_items(file, site, [](Bytes& value, const Item& item, std::size_t begin) {
    if (item.kind != Kind::object || item.count < 2) return false;
    const std::uint32_t ids[] = {item.id(0), item.id(1)};
    const std::uint32_t offsets[] = {item.offset(0), item.offset(1)};
    for (std::uint32_t i = 0; i < 2; ++i) {
      put(value, begin + item.ids + std::size_t{i} * item.id_width, item.id_width, ids[1 - i]);
      put(value, begin + item.offsets + std::size_t{i} * item.offset_width, item.offset_width,
          offsets[1 - i]);
    }
    return true;
  });
}

bool variant_offset(File& file, const Site& site, const Change& /*change*/) {
  return edit_items(file, site, [](Bytes& value, const Item& item, std::size_t begin) {
    if (!is_container(item.kind) || item.count == 0) return false;
    put(value, begin + item.offsets, item.offset_width, largest(item.offset_width));
    return true;
  });
}

bool variant_reserved_bit(File& file, const Site& site, const Change& /*change*/) {
  return edit_items(file, site, [](Bytes& value, const Item& item, std::size_t begin) {
    if (!is_container(item.kind) || item.reserved_bits() != 0) return false;
    value[begin] |= 0x80;
    return true;
  });
}

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
  const std::vector<std::size_t> rows = rows_of(file, row_group, file.leaf_of(site).leaf);
  std::vector<std::pair<const Part*, std::vector<bool>>> fields;
  for (const Part& part : group->top.parts) {
    auto with = rows_with(file, row_group, part);
    if (with && !part.name.empty() && part.name.back() < 'z') fields.emplace_back(&part, std::move(*with));
  }
  std::size_t ordinal = 0;  // of the value
  return edit_stored_value(file, site, [&](Bytes& bytes) {
    Metadata metadata;
    if (ordinal == rows.size()) return false;
    const std::size_t row = rows[ordinal++];
    if (!read(bytes, metadata)) return false;
    for (const auto& [part, with] : fields) {
      const auto id = metadata.find(part->name);
      if (!id || row >= with.size() || !with[row]) continue;
      const bool was_ascending = metadata.is_ascending();
      std::uint8_t& last = bytes[metadata.strings_begin() + metadata.offset(*id + 1) - 1];
      ++last;
      Metadata after;
      if (read(bytes, after) && after.is_ascending() == was_ascending &&
          !std::ranges::binary_search(group->top.names, after.name(*id)))
        return true;
      --last;
    }
    return false;
  });
}

}  // namespace parqproof::fault
