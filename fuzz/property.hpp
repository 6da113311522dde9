#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parqproof::fuzz {

/// An invariant that holds for any bytes. Each property is a fuzz target, a test that replays its seeds, and
/// a test that draws inputs with RapidCheck.
struct Property {
  std::string name;  ///< name of the target: decode_alp, encode_alp, decode_levels_rle, ...
  /// Returns a description of what does not hold for the bytes, or nothing. It does not throw.
  std::function<std::string(std::span<const std::uint8_t>)> fault;
};

/// Where sections and structures begin, so that an offset that is not absolute is seen.
inline constexpr std::uint64_t kBase = 4;

/// All properties: of each row of the tables of encodings and compression codecs, of each Thrift structure,
/// and of whole files.
[[nodiscard]] const std::vector<Property>& all_properties();

/// The property with this name, or null.
[[nodiscard]] const Property* find_property(std::string_view name);

/// The name of the property of a table row: `what`, and the name of the row in lower case.
[[nodiscard]] std::string property_name(std::string_view what, std::string_view row);

/// The parts of all_properties().
void add_value_properties(std::vector<Property>& properties);
void add_level_properties(std::vector<Property>& properties);
void add_compression_properties(std::vector<Property>& properties);
void add_struct_properties(std::vector<Property>& properties);
void add_rule_properties(std::vector<Property>& properties);
void add_leaf_properties(std::vector<Property>& properties);
void add_bloom_properties(std::vector<Property>& properties);
void add_source_properties(std::vector<Property>& properties);
void add_lookup_properties(std::vector<Property>& properties);
void add_variant_properties(std::vector<Property>& properties);
void add_wkb_properties(std::vector<Property>& properties);
void add_file_type_properties(std::vector<Property>& properties);
void add_write_properties(std::vector<Property>& properties);
void add_file_properties(std::vector<Property>& properties);
void add_model_properties(std::vector<Property>& properties);

}  // namespace parqproof::fuzz
