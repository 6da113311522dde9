#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "codec/encryption/module.hpp"

namespace parqproof {

/// A key with what readers find it by.
struct WriteKey {
  encryption::Bytes bytes;    ///< 16, 24 or 32
  std::string metadata = {};  ///< key_metadata; empty: none
};

/// How a file is encrypted (Encryption.md#5-file-format).
struct EncryptionOptions {
  /// gcm: AES_GCM_V1; ctr: AES_GCM_CTR_V1, which encrypts the bodies of pages by CTR.
  encryption::Mode page_mode = encryption::Mode::gcm;
  bool encrypted_footer = true;  ///< false: a plaintext footer with a signature
  WriteKey footer_key;
  std::map<std::size_t, WriteKey> column_keys = {};  ///< by ordinal of the leaf
  /// Columns without a key of their own are encrypted with that of the footer; false: not at all.
  bool other_columns = true;
  std::string aad_prefix = {};   ///< empty: none
  bool store_aad_prefix = true;  ///< false: readers supply it
  /// For tests: makes nonces and file identifier from this number. They are random otherwise, as they must be
  /// where two files share a key.
  std::optional<std::uint64_t> seed = std::nullopt;

  [[nodiscard]] bool encrypts(std::size_t leaf) const { return other_columns || column_keys.contains(leaf); }
};

}  // namespace parqproof
