// Changes of the levels and values of one data page.
#include <algorithm>

#include "codec/base/append.hpp"
#include "codec/base/bits.hpp"
#include "codec/base/cursor.hpp"
#include "codec/encoding/values.hpp"
#include "conformance/fault/changes.hpp"
#include "conformance/fault/stored_values.hpp"

namespace parqproof::fault {
namespace {

/// Returns true if these bytes, or with their length, could be BIT_PACKED definition levels.
bool may_be_packed(File& file, const Site& site, const Bytes& levels) {
  const auto count = static_cast<std::uint64_t>(file.page_of(site).num_values);
  const std::uint64_t packed = ceil_div(count * bit_width_for(file.leaf_of(site).max_definition), 8);
  return packed == levels.size() || packed == levels.size() + 4;
}

/// Replaces `size` bytes at `at`.
void replace(Bytes& bytes, std::size_t at, std::size_t size, const Bytes& by) {
  const auto from = bytes.begin() + static_cast<std::ptrdiff_t>(at);
  bytes.erase(from, from + static_cast<std::ptrdiff_t>(size));
  bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(at), by.begin(), by.end());
}

/// Position and size of the ULEB128 number `ordinal` of a section that begins with such numbers, and its
/// value.
struct NumberInBytes {
  std::size_t at = 0;
  std::size_t size = 0;
  std::uint64_t value = 0;
};
std::optional<NumberInBytes> number_in(const Bytes& bytes, std::int64_t ordinal) {
  Cursor cursor(View{bytes}, {});
  for (;; --ordinal) {
    const std::size_t at = cursor.position();
    const auto number = cursor.uleb<std::uint64_t>();
    if (!number) return std::nullopt;
    if (ordinal == 0) return NumberInBytes{at, number->length, number->value};
  }
}

/// Returns true if the last byte of a section of DELTA_BINARY_PACKED is one of a miniblock.
bool ends_in_miniblock(const Bytes& section) {
  Cursor cursor(View{section}, {});
  const auto block = cursor.uleb<std::uint64_t>();
  const auto miniblocks = block ? cursor.uleb<std::uint64_t>() : block;
  const auto count = miniblocks ? cursor.uleb<std::uint64_t>() : miniblocks;
  const auto first = count ? cursor.uleb<std::uint64_t>() : count;
  if (!first || miniblocks->value == 0 || count->value == 0) return false;
  const std::uint64_t in_miniblock = block->value / miniblocks->value;
  std::uint64_t last = 0;  // bytes of the last miniblock
  for (std::uint64_t left = count->value - 1; left != 0 && in_miniblock != 0;) {
    if (!cursor.uleb<std::uint64_t>()) return false;  // the min delta
    const auto widths = cursor.take(static_cast<std::size_t>(miniblocks->value));
    if (!widths) return false;
    for (std::size_t i = 0; i < widths->size() && left != 0; ++i) {
      last = in_miniblock * widths->bytes[i] / 8;
      if (!cursor.take(static_cast<std::size_t>(last))) return false;
      left -= std::min(left, in_miniblock);
    }
  }
  return last != 0 && cursor.remaining() == 0;
}

/// Bytes of a ULEB128 number above those that 64 bits need.
constexpr unsigned kLongVarint = 11;

/// The header of a repeated run of the hybrid.
Bytes one_run(std::uint64_t count) {
  Bytes bytes;
  append_uleb(bytes, count << 1);
  return bytes;
}

/// Opens a data page with values of the encoding of the change, edits its values, and sets it again.
template <typename Edit>
bool edit_values(File& file, const Site& site, const Change& change, Edit&& edit) {
  const PageInfo& page = file.page_of(site);
  file.unchanged = true;
  if (static_cast<std::int32_t>(page.encoding) != change.encoding ||
      stored_count(file, site).value_or(0) == 0)
    return false;
  auto image = file.image_of(site);
  file.unchanged = !image || image->values.empty() || !edit(image->values);
  return !file.unchanged && file.set_image(site, *image);
}

/// The same for its definition levels in the hybrid.
template <typename Edit>
bool edit_levels(File& file, const Site& site, Edit&& edit) {
  const auto encoding = file.tree_of(site).number("data_page_header.definition_level_encoding");
  const bool is_hybrid = !encoding || *encoding == static_cast<std::int64_t>(Encoding::RLE);
  if (file.page_of(site).num_values == 0 || !is_hybrid) return false;
  auto image = file.image_of(site);
  file.unchanged = !image || image->definition.empty() || !edit(image->definition);
  return !file.unchanged && file.set_image(site, *image);
}

}  // namespace

bool set_value_byte(File& file, const Site& site, const Change& change) {
  return edit_values(file, site, change, [&](Bytes& values) {
    const auto byte = static_cast<std::uint8_t>(change.number & 0xFF);
    const auto at = static_cast<std::size_t>(change.number >> 8);
    if (at >= values.size() || values[at] == byte) return false;
    values[at] = byte;
    return true;
  });
}

bool set_last_value_bits(File& file, const Site& site, const Change& change) {
  return edit_values(file, site, change, [&](Bytes& values) {
    const auto bits = static_cast<std::uint8_t>(change.number);
    // Eight booleans have no padding.
    if ((values.back() & bits) != 0 || stored_count(file, site).value_or(0) % 8 == 0) return false;
    values.back() |= bits;
    return true;
  });
}

bool cut_values(File& file, const Site& site, const Change& change) {
  return edit_values(file, site, change, [&](Bytes& values) {
    if (values.size() <= static_cast<std::size_t>(change.number)) return false;
    // Else the byte is of the header, or of the widths of equal deltas.
    if (change.encoding == static_cast<std::int32_t>(Encoding::DELTA_BINARY_PACKED) &&
        !ends_in_miniblock(values))
      return false;
    values.resize(values.size() - static_cast<std::size_t>(change.number));
    return true;
  });
}

bool lengthen_values(File& file, const Site& site, const Change& change) {
  const Node& leaf = file.leaf_of(site);
  const std::uint32_t width =
      fixed_width(leaf.type, static_cast<std::uint32_t>(std::max(leaf.type_length, 0)));
  if (leaf.type == Type::FIXED_LEN_BYTE_ARRAY && width == 0) return false;
  return edit_values(file, site, change, [&](Bytes& values) {
    values.insert(values.end(), static_cast<std::size_t>(change.number), std::uint8_t{0});
    // Else they could be in PLAIN, or the only one be longer.
    const std::uint64_t count = stored_count(file, site).value_or(0);
    return values.size() != width * count && !(leaf.type == Type::FIXED_LEN_BYTE_ARRAY && count == 1);
  });
}

bool add_to_header_number(File& file, const Site& site, const Change& change) {
  return edit_values(file, site, change, [&](Bytes& values) {
    const auto number = number_in(values, change.number >> 32);
    if (!number) return false;
    Bytes encoded;
    append_uleb(encoded,
                number->value + static_cast<std::uint64_t>(static_cast<std::int32_t>(change.number)));
    replace(values, number->at, number->size, encoded);
    return true;
  });
}

bool pad_header_number(File& file, const Site& site, const Change& change) {
  return edit_values(file, site, change, [&](Bytes& values) {
    const auto number = number_in(values, change.number);
    if (!number) return false;
    Bytes encoded;
    append_uleb(encoded, number->value, kLongVarint);
    replace(values, number->at, number->size, encoded);
    return true;
  });
}

bool index_out_of_range(File& file, const Site& site, const Change& change) {
  const Chunk& chunk = file.chunk_of(site);
  const auto dictionary = std::ranges::find_if(
      chunk.pages, [&](std::uint32_t page) { return file.pages()[page].is_dictionary(); });
  if (dictionary == chunk.pages.end()) return false;
  const std::int64_t entries = file.pages()[*dictionary].num_values;
  if (entries > UINT8_MAX) return false;
  return edit_values(file, site, change, [&](Bytes& values) {
    values = one_run(static_cast<std::uint64_t>(file.page_of(site).num_values));
    values.insert(values.begin(), 8);  // the bit width
    values.push_back(static_cast<std::uint8_t>(entries));
    return true;
  });
}

bool index_run_cut(File& file, const Site& site, const Change& change) {
  return edit_values(file, site, change, [&](Bytes& values) {
    values = one_run(static_cast<std::uint64_t>(file.page_of(site).num_values));
    values.insert(values.begin(), 8);
    return true;
  });
}

bool level_run_cut(File& file, const Site& site, const Change& /*change*/) {
  const auto count = static_cast<std::uint64_t>(file.page_of(site).num_values);
  return edit_levels(file, site, [&](Bytes& levels) {
    levels = one_run(count);
    return !may_be_packed(file, site, levels);
  });
}

bool lengthen_levels(File& file, const Site& site, const Change& /*change*/) {
  // Without values, the length of the levels is known.
  if (stored_count(file, site).value_or(0) == 0) return false;
  return edit_levels(file, site, [](Bytes& levels) {
    levels.push_back(0);
    return true;
  });
}

bool level_above_max(File& file, const Site& site, const Change& change) {
  const std::uint32_t max = file.leaf_of(site).max_definition;
  const unsigned width = bit_width_for(max);
  const bool fits = max + 1 < 1U << width;
  if (fits != (change.number != 0)) return false;
  return edit_levels(file, site, [&](Bytes& levels) {
    const auto run = number_in(levels, 0);
    // Not a repeated run; or of one entry, which could be of a schema with one more level.
    if (!run || (run->value & 1) != 0 || run->size >= levels.size() || run->value < 4) return false;
    Bytes runs = one_run(1);
    runs.push_back(static_cast<std::uint8_t>(max + 1));
    const Bytes rest = one_run((run->value >> 1) - 1);
    runs.insert(runs.end(), rest.begin(), rest.end());
    replace(levels, 0, run->size, runs);
    return true;
  });
}

bool shorten_level_run(File& file, const Site& site, const Change& change) {
  return edit_levels(file, site, [&](Bytes& levels) {
    const auto run = number_in(levels, 0);
    const std::int64_t count = run ? static_cast<std::int64_t>(run->value >> 1) + change.number : 0;
    if (!run || (run->value & 1) != 0 || count <= 0 || run->size + 1 != levels.size()) return false;
    Bytes encoded;
    append_uleb(encoded, static_cast<std::uint64_t>(count) << 1);
    replace(levels, 0, run->size, encoded);
    return !may_be_packed(file, site, levels);
  });
}

bool index_run(File& file, const Site& site, const Change& change) {
  return edit_values(file, site, change, [&](Bytes& values) {
    const std::int64_t count = file.page_of(site).num_values + change.number;
    if (count < 0) return false;
    values = change.number == INT32_MIN ? Bytes() : one_run(static_cast<std::uint64_t>(count));
    values.insert(values.begin(), 8);  // the bit width
    values.push_back(0);
    return true;
  });
}

bool long_index_varint(File& file, const Site& site, const Change& change) {
  return edit_values(file, site, change, [&](Bytes& values) {
    constexpr std::size_t kBytes = 13;  // not those of a number in PLAIN
    values.assign(kBytes, 0xFF);
    values[0] = 8;  // the bit width
    return true;
  });
}

bool alp_vector_byte(File& file, const Site& site, const Change& change) {
  constexpr std::size_t kHeaderBytes = 7;
  return edit_values(file, site, change, [&](Bytes& values) {
    if (values.size() < kHeaderBytes + 4) return false;
    const std::size_t at = kHeaderBytes + load_le<std::uint32_t>(values.data() + kHeaderBytes) +
                           static_cast<std::size_t>(change.number >> 8);
    if (at >= values.size()) return false;
    values[at] = static_cast<std::uint8_t>(change.number & 0xFF);
    return true;
  });
}

bool last_byte(File& file, const Site& site, const Change& change) {
  return edit_stored_value(file, site, [&](Bytes& value) {
    if (value.empty()) return false;
    value.back() = static_cast<std::uint8_t>(change.number);
    return true;
  });
}

bool cut_json(File& file, const Site& site, const Change& /*change*/) {
  return edit_stored_value(file, site, [](Bytes& value) {
    if (value.size() < 2 || (value.back() != '}' && value.back() != ']' && value.back() != '"')) return false;
    value.back() = ' ';
    return true;
  });
}

}  // namespace parqproof::fault
