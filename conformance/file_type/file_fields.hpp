#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace parqproof {

/// Returns the offset of the first byte that is not of a URI reference (RFC 3986); nullopt if the text is
/// one. A text that ends too early has its size as offset.
[[nodiscard]] std::optional<std::size_t> uri_fault(std::string_view text);

/// Returns true for a media type: type/subtype with parameters (RFC 2045).
[[nodiscard]] bool is_media_type(std::string_view text);

/// Algorithms of checksums (LogicalTypes.md#file).
enum class ChecksumAlgorithm : std::uint8_t { unknown, etag, md5, crc32, crc32c, sha256 };

/// A checksum as it is stored: `algorithm:digest`.
struct StoredChecksum {
  ChecksumAlgorithm algorithm = ChecksumAlgorithm::unknown;
  std::string_view name;  ///< of the algorithm
  std::string_view digest;
  std::size_t digits = 0;  ///< hex digits that the digest must have; 0: it is opaque
};
/// Returns nullopt if the text has no colon behind a name.
[[nodiscard]] std::optional<StoredChecksum> stored_checksum(std::string_view text);
/// Returns true if a text is lowercase hex.
[[nodiscard]] bool is_lowercase_hex(std::string_view text);

/// The digest of the bytes in lowercase hex; nullopt if it is not one that is computed. The number of a CRC
/// has its most significant digit first.
[[nodiscard]] std::optional<std::string> digest_of(ChecksumAlgorithm algorithm,
                                                   std::span<const std::uint8_t> bytes);

}  // namespace parqproof
