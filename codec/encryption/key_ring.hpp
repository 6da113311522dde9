#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "codec/base/bytes.hpp"
#include "codec/encryption/key_material.hpp"
#include "codec/encryption/module.hpp"

namespace parqproof::encryption {

/// Keys that the caller has, for any file. No output has any of them.
struct KeyRing {
  std::optional<Bytes> footer_key;
  std::map<std::string, Bytes, std::less<>> column_keys;  ///< by dotted path
  std::map<std::string, Bytes, std::less<>> keys;         ///< by key_metadata
  std::map<std::string, Bytes, std::less<>> master_keys;  ///< by id: see key_material.hpp
  std::optional<std::string> aad_prefix;
  std::string origin;  ///< path of the file with the keys, for commands that take it; empty: none
  /// Key material that the key tools store next to a file, by its reference.
  std::map<std::string, std::string, std::less<>> external_material;

  [[nodiscard]] FoundKey of_footer(View key_metadata) const;
  [[nodiscard]] FoundKey of_column(std::string_view path, View key_metadata) const;
  /// Returns true if these bytes are in column_keys.
  [[nodiscard]] bool is_of_some_column(const Bytes& key) const;

 private:
  [[nodiscard]] FoundKey by_metadata(View key_metadata) const;
};

}  // namespace parqproof::encryption
