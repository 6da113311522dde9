#pragma once

#include <cstdint>
#include <span>

namespace parqproof {

/// CRC-32 as in gzip, of a page body as stored (parquet.thrift#PageHeader.crc).
[[nodiscard]] std::uint32_t crc32(std::span<const std::uint8_t> bytes) noexcept;

/// CRC-32C (Castagnoli): not what the format asks for, but what some writers have put there.
[[nodiscard]] std::uint32_t crc32c(std::span<const std::uint8_t> bytes) noexcept;

}  // namespace parqproof
