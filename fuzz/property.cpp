#include "fuzz/property.hpp"

#include <algorithm>
#include <cctype>

namespace parqproof::fuzz {

const std::vector<Property>& all_properties() {
  static const std::vector<Property> all = [] {
    std::vector<Property> properties;
    add_value_properties(properties);
    add_level_properties(properties);
    add_compression_properties(properties);
    add_struct_properties(properties);
    add_rule_properties(properties);
    add_leaf_properties(properties);
    add_bloom_properties(properties);
    add_source_properties(properties);
    add_variant_properties(properties);
    add_wkb_properties(properties);
    add_file_type_properties(properties);
    add_write_properties(properties);
    add_file_properties(properties);
    add_model_properties(properties);
    add_lookup_properties(properties);
    return properties;
  }();
  return all;
}

std::string property_name(std::string_view what, std::string_view row) {
  std::string name(what);
  for (const char letter : row) name += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return name;
}

const Property* find_property(std::string_view name) {
  const auto found = std::ranges::find(all_properties(), name, &Property::name);
  return found == all_properties().end() ? nullptr : &*found;
}

}  // namespace parqproof::fuzz
