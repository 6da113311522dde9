#include "codec/encryption/key_ring.hpp"

#include <algorithm>

namespace parqproof::encryption {

FoundKey KeyRing::by_metadata(View key_metadata) const {
  const std::string_view text = text_of(key_metadata);
  if (const auto at = keys.find(text); at != keys.end()) return at->second;
  return unwrap_key(text, master_keys, external_material);
}

FoundKey KeyRing::of_footer(View key_metadata) const {
  return footer_key ? *footer_key : by_metadata(key_metadata);
}

FoundKey KeyRing::of_column(std::string_view path, View key_metadata) const {
  if (const auto at = column_keys.find(path); at != column_keys.end()) return at->second;
  return by_metadata(key_metadata);
}

bool KeyRing::is_of_some_column(const Bytes& key) const {
  return std::ranges::any_of(column_keys, [&](const auto& one) { return one.second == key; });
}

}  // namespace parqproof::encryption
