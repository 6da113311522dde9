// Changes of the levels and values of one data page.
#include <algorithm>

#include "codec/base/append.hpp"
#include "codec/base/bits.hpp"
#include "codec/base/cursor.hpp"
#include "conformance/fault/changes.hpp"
#include "conformance/fault/stored_values.hpp"

namespace parqproof::fault {
namespace {

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
  if (static_cast<std::int32_t>(page.encoding) != change.encoding || page.num_values == 0) return false;
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
    if ((values.back() & bits) != 0) return false;
    values.back() |= bits;
    return true;
  });
}

bool cut_values(File& file, const Site& site, const Change& change) {
  return edit_values(file, site, change, [&](Bytes& values) {
    if (values.size() <= static_cast<std::size_t>(change.number)) return false;
    values.resize(values.size() - static_cast<std::size_t>(change.number));
    return true;
  });
}

bool lengthen_values(File& file, const Site& site, const Change& change) {
  return edit_values(file, site, change, [&](Bytes& values) {
    values.insert(values.end(), static_cast<std::size_t>(change.number), std::uint8_t{0});
    return true;
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
  const unsigned width = bit_width_for(file.leaf_of(site).max_definition);
  return edit_levels(file, site, [&](Bytes& levels) {
    levels = one_run(count);
    // Else these bytes, or with their length, could be BIT_PACKED levels.
    const std::uint64_t packed = ceil_div(count * width, 8);
    return packed != levels.size() && packed != levels.size() + 4;
  });
}

bool lengthen_levels(File& file, const Site& site, const Change& /*change*/) {
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
    if (!run || (run->value & 1) != 0 || run->size >= levels.size()) return false;  // not a repeated run
    levels[run->size] = static_cast<std::uint8_t>(max + 1);
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
    return true;
  });
}

}  // namespace parqproof::fault
