// Changes of one value, or of the metadata of one row, of a Variant.
#include <algorithm>
#include <utility>

#include "codec/base/text.hpp"
#include "codec/variant/shredding.hpp"
#include "conformance/fault/changes.hpp"
#include "conformance/fault/stored_values.hpp"
#include "conformance/fault/variant_values.hpp"

namespace parqproof::fault {
namespace {

using variant::Item;
using variant::Kind;
using variant::Metadata;

constexpr std::uint32_t largest(unsigned width) { return UINT32_MAX >> 8 * (4 - width); }

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
    if (!read_metadata(bytes, metadata) || metadata.is_ascending()) return false;
    bytes[0] |= Metadata::kSorted;
    return true;
  });
}

bool variant_metadata_offset(File& file, const Site& site, const Change& /*change*/) {
  return edit_stored_value(file, site, [](Bytes& bytes) {
    Metadata metadata;
    if (!read_metadata(bytes, metadata)) return false;
    const unsigned width = metadata.width();
    put_number(bytes, 1 + std::size_t{width} * (metadata.size() + 1), width, largest(width));
    return true;
  });
}

bool variant_name_utf8(File& file, const Site& site, const Change& /*change*/) {
  const auto group = variant::group_around(file.schema(), file.leaf_of(site));
  if (!group || group->is_shredded()) return false;  // a shredded field would lose its name
  return edit_stored_value(file, site, [](Bytes& bytes) {
    Metadata metadata;
    if (!read_metadata(bytes, metadata) || !metadata.is_ascending() ||
        metadata.name(metadata.size() - 1).empty())
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
    put_number(value, begin + item.ids + std::size_t{item.count - 1} * item.id_width, item.id_width,
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
      put_number(value, begin + item.ids + std::size_t{i} * item.id_width, item.id_width, ids[1 - i]);
      put_number(value, begin + item.offsets + std::size_t{i} * item.offset_width, item.offset_width,
                 offsets[1 - i]);
    }
    return true;
  });
}

bool variant_offset(File& file, const Site& site, const Change& /*change*/) {
  return edit_items(file, site, [](Bytes& value, const Item& item, std::size_t begin) {
    if (!is_container(item.kind) || item.count == 0) return false;
    put_number(value, begin + item.offsets, item.offset_width, largest(item.offset_width));
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

bool variant_field_twice(File& file, const Site& site, const Change& /*change*/) {
  return edit_items(file, site, [](Bytes& value, const Item& item, std::size_t begin) {
    if (item.kind != Kind::object || item.count < 2) return false;
    put_number(value, begin + item.ids + item.id_width, item.id_width, item.id(0));
    return true;
  });
}

}  // namespace parqproof::fault
