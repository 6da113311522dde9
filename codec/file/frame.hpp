#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "codec/base/large_pages.hpp"
#include "codec/base/limits.hpp"
#include "codec/base/source.hpp"
#include "codec/format/column_chunk.hpp"
#include "codec/rules/finding.hpp"

namespace parqproof {

/// Bytes around the footer (README.md#file-format): the two magics and the footer length.
inline constexpr std::uint64_t kMagicBytes = 4;
inline constexpr std::uint32_t kPlainMagic = 0x31524150;      ///< PAR1 as a little-endian number
inline constexpr std::uint32_t kEncryptedMagic = 0x45524150;  ///< PARE: the footer is encrypted
inline constexpr std::uint64_t kFooterTailBytes = 8;
/// Min size of a file: two magics, the footer length, and a FileMetaData of 14 bytes.
inline constexpr std::uint64_t kMinFileBytes = 26;

/// The footer and the fields around it.
struct Frame {
  enum class State : std::uint8_t {
    footer,     ///< `footer` has the bytes of an unencrypted footer
    encrypted,  ///< the footer is present but encrypted, and there is no key for it
    sealed,    ///< the footer is encrypted and cannot be decrypted with the key: the findings have the reason
    proposed,  ///< the footer has a form that only a proposal defines
    lost,      ///< there is no footer; the findings have the reason
    limit,     ///< the footer is larger than Limits::footer_bytes()
    unreadable,  ///< the source could not be read
  };
  State state = State::lost;
  std::uint64_t end = 0;            ///< one past the tail magic
  std::uint64_t footer_offset = 0;  ///< first byte of the footer; the bytes before it belong to data
  LargeBytes bytes;
  View footer;  ///< bytes of the footer, owned by `bytes`; Space::module if it was decrypted
  View crypto;  ///< an encrypted file's FileCryptoMetaData and what follows it up to the footer length
  std::shared_ptr<const OpenedMetadata>
      opened;  ///< encrypted column metadata that was decrypted; may be null
};

/// Returns true if PAR1 or PARE is at `offset`; false if that cannot be read.
[[nodiscard]] bool has_magic(const Source& source, std::uint64_t offset);

/// Returns the bytes after a footer of `length` bytes: its length, and PAR1.
[[nodiscard]] std::array<std::uint8_t, kFooterTailBytes> footer_tail(std::uint64_t length) noexcept;

/// Returns the footer length in the last kFooterTailBytes bytes of a file; nullopt if they do not end with
/// PAR1.
[[nodiscard]] std::optional<std::uint64_t> stated_footer_length(std::span<const std::uint8_t> tail) noexcept;

/// Reads magics, footer length and footer. `end` is one past the tail magic: the size of the source, or a
/// smaller offset to use an earlier footer. `most_zeros`: as of other_format().
[[nodiscard]] Frame read_frame(const Source& source, std::uint64_t end, const Limits& limits,
                               Findings& findings, std::uint64_t most_zeros = UINT64_MAX);

}  // namespace parqproof
