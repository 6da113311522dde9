#pragma once

#include <cstdint>
#include <span>

namespace parqproof {

/// Returns the CRC-32 (the one of gzip) of a page body as stored (parquet.thrift#PageHeader.crc). `before`:
/// that of the bytes of the body before these.
[[nodiscard]] std::uint32_t crc32(std::span<const std::uint8_t> bytes, std::uint32_t before = 0) noexcept;

/// Returns the CRC-32C (Castagnoli), which some writers stored although the format requires CRC-32.
[[nodiscard]] std::uint32_t crc32c(std::span<const std::uint8_t> bytes) noexcept;

}  // namespace parqproof
