#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codec/base/bytes.hpp"
#include "codec/base/result.hpp"
#include "codec/encryption/aes.hpp"

/// Modules: the parts of a file that are encrypted one by one
/// (Encryption.md#51-encrypted-module-serialization).
namespace parqproof::encryption {

/// Types of modules, with the numbers that AADs have (Encryption.md#442-aad-suffix).
enum class ModuleType : std::uint8_t {
  footer = 0,
  column_metadata = 1,
  data_page = 2,
  dictionary_page = 3,
  data_page_header = 4,
  dictionary_page_header = 5,
  column_index = 6,
  offset_index = 7,
  bloom_filter_header = 8,
  bloom_filter_bitset = 9,
};
inline constexpr std::uint8_t kModuleTypes = 10;

/// Highest ordinal of a row group, column or data page: they are signed numbers of two bytes.
inline constexpr std::int32_t kMaxOrdinal = 32767;

/// A place for a module. Ordinals that the type does not have are not part of the AAD.
struct ModulePlace {
  ModuleType type = ModuleType::footer;
  std::int32_t row_group = 0;
  std::int32_t column = 0;  ///< ordinal of the leaf
  std::int32_t page = 0;    ///< ordinal among the data pages of the chunk

  friend bool operator==(const ModulePlace&, const ModulePlace&) = default;
};

[[nodiscard]] constexpr bool has_page_ordinal(ModuleType type) noexcept {
  return type == ModuleType::data_page || type == ModuleType::data_page_header;
}
/// Returns true for the bodies of pages, which AES_GCM_CTR_V1 encrypts by CTR.
[[nodiscard]] constexpr bool is_page_body(ModuleType type) noexcept {
  return type == ModuleType::data_page || type == ModuleType::dictionary_page;
}

/// "the header of data page 3 of column 1 in row group 0".
[[nodiscard]] std::string describe(const ModulePlace& place);

using Bytes = std::vector<std::uint8_t>;

/// Writes the AAD of a place to `out`: `common`, the AAD prefix and the file identifier, then the rest of the
/// suffix.
void make_aad(std::span<const std::uint8_t> common, const ModulePlace& place, Bytes& out);

inline constexpr std::size_t kModuleLengthBytes = 4;
/// Bytes before the ciphertext, and bytes after it with GCM.
inline constexpr std::size_t kModuleHeadBytes = kModuleLengthBytes + kNonceBytes;
inline constexpr std::size_t kModuleFrameBytes = kModuleHeadBytes + kTagBytes;

enum class Mode : std::uint8_t { gcm, ctr };

[[nodiscard]] constexpr std::size_t frame_bytes(Mode mode) noexcept {
  return mode == Mode::gcm ? kModuleFrameBytes : kModuleHeadBytes;
}

/// A module, cut into its parts.
struct Module {
  View nonce;
  View ciphertext;
  View tag;                  ///< empty with CTR
  std::uint64_t length = 0;  ///< of the module, with the four bytes of its length
};

/// Cuts the module that begins at the first of `bytes`, which may have further bytes. Error:
/// encryption/module-length (found: the length; expected: the largest possible one, or the smallest, negated,
/// if the length is smaller).
[[nodiscard]] Result<Module> cut_module(View bytes, Mode mode);

/// Cuts a module of `length` bytes after those of its length, whatever they state. Precondition: `bytes` has
/// so many, and they suffice for the frame.
[[nodiscard]] Module cut_module_of(View bytes, std::uint64_t length, Mode mode);

/// Appends the module of `plaintext` to `out`. Returns false without a valid key.
[[nodiscard]] bool append_module(Aes& key, Mode mode, std::span<const std::uint8_t, kNonceBytes> nonce,
                                 std::span<const std::uint8_t> aad, std::span<const std::uint8_t> plaintext,
                                 Bytes& out);

}  // namespace parqproof::encryption
