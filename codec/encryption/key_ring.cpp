#include "codec/encryption/key_ring.hpp"

#include "codec/encryption/key_material.hpp"

namespace parqproof::encryption {

std::optional<Bytes> KeyRing::by_metadata(View key_metadata) const {
  const std::string_view text = text_of(key_metadata);
  if (const auto at = keys.find(text); at != keys.end()) return at->second;
  if (text.empty() || master_keys.empty()) return std::nullopt;
  return unwrap_key(text, master_keys, external_material);
}

std::optional<Bytes> KeyRing::of_footer(View key_metadata) const {
  return footer_key ? footer_key : by_metadata(key_metadata);
}

std::optional<Bytes> KeyRing::of_column(std::string_view path, View key_metadata) const {
  if (const auto at = column_keys.find(path); at != column_keys.end()) return at->second;
  return by_metadata(key_metadata);
}

}  // namespace parqproof::encryption
