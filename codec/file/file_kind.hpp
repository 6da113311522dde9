#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "codec/base/source.hpp"

namespace parqproof {

/// Returns the kind of a file that is not a Parquet file, such as "an HTML page"; empty if it is not
/// recognized. Its first bytes are the evidence: 32 suffice for most kinds, 512 for all; for text and zeros,
/// all given bytes are examined.
[[nodiscard]] std::string_view file_kind(std::span<const std::uint8_t> head) noexcept;

/// The format of a file that neither begins nor ends like a Parquet file.
struct OtherFormat {
  std::string name;    ///< with its article: "a gzip stream"
  std::string advice;  ///< the evidence, and how to make a Parquet file of it, if known
};

/// Detects the format of the first `end` bytes of a file from its beginning and the beginning of its
/// compressed content; nullopt if it is not recognized. More than `most_zeros` bytes are not read to see that
/// all are zero.
[[nodiscard]] std::optional<OtherFormat> other_format(const Source& source, std::uint64_t end,
                                                      std::uint64_t most_zeros);

}  // namespace parqproof
