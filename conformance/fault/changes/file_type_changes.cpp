// Changes of FILE groups: of their fields, and of one value of a field.
#include <algorithm>
#include <cctype>
#include <string_view>

#include "conformance/fault/changes.hpp"
#include "conformance/fault/stored_values.hpp"

namespace parqproof::fault {
namespace {

bool is_hex_letter(std::uint8_t byte) { return byte >= 'a' && byte <= 'f'; }

/// Returns true for a checksum whose algorithm defines its digits.
bool has_digits(const Bytes& checksum) {
  constexpr std::string_view kAlgorithms[] = {"SHA-256:", "CRC32C:", "CRC32:", "MD5:"};
  return std::ranges::any_of(kAlgorithms, [&](std::string_view algorithm) {
    return text_of(checksum).starts_with(algorithm) && checksum.size() > algorithm.size();
  });
}

/// Returns true if the field `inline` of the group has bytes wherever this leaf has a value.
bool has_inline_bytes(File& file, const Site& site) {
  const Schema& schema = file.schema();
  const std::uint32_t group = file.leaf_of(site).parent;
  const std::uint32_t row_group = file.chunk_of(site).row_group;
  const std::uint32_t max = file.leaf_of(site).max_definition;
  const auto mine = definition_levels(file, row_group, file.leaf_of(site).leaf);
  for (std::uint32_t leaf = 0; mine && leaf < schema.leaf_count(); ++leaf) {
    if (schema.leaf(leaf).parent != group || text_of(schema.leaf(leaf).name) != "inline") continue;
    const auto bytes = definition_levels(file, row_group, leaf);
    return bytes && std::ranges::equal(*mine, *bytes, [&](std::uint32_t level, std::uint32_t of_bytes) {
             return level < max || of_bytes == max;
           });
  }
  return false;
}

}  // namespace

bool checksum_digit(File& file, const Site& site, const Change& /*change*/) {
  return has_inline_bytes(file, site) && edit_stored_value(file, site, [](Bytes& checksum) {
           if (!has_digits(checksum)) return false;
           checksum.back() = checksum.back() == '0' ? '1' : '0';
           return true;
         });
}

bool checksum_upper_case(File& file, const Site& site, const Change& /*change*/) {
  return edit_stored_value(file, site, [](Bytes& checksum) {
    const auto colon = std::ranges::find(checksum, ':');
    const auto letter = std::find_if(colon, checksum.end(), is_hex_letter);
    if (!has_digits(checksum) || letter == checksum.end()) return false;
    *letter = static_cast<std::uint8_t>(std::toupper(*letter));
    return true;
  });
}

bool replace_byte(File& file, const Site& site, const Change& change) {
  return edit_stored_value(file, site, [&](Bytes& value) {
    const auto at = std::ranges::find(value, static_cast<std::uint8_t>(change.number));
    if (at == value.end()) return false;
    *at = static_cast<std::uint8_t>(change.text[0]);
    return true;
  });
}

bool replace_value(File& file, const Site& site, const Change& change) {
  return edit_stored_value(file, site, [&](Bytes& value) {
    value.assign(change.text.begin(), change.text.end());
    return true;
  });
}

bool file_field_without_string(File& file, const Site& site, const Change& /*change*/) {
  model::Tree& footer = file.footer();
  for (const char* const field : {"logicalType", "converted_type"}) {
    if (const auto found = footer.find(field, site.node)) footer.remove(*found);
  }
  return true;
}

}  // namespace parqproof::fault
