#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "codec/base/source.hpp"

namespace parqproof {

/// The format of a file that neither begins nor ends like a Parquet file.
struct OtherFormat {
  std::string name;    ///< with its article: "a gzip stream"
  std::string advice;  ///< the evidence, and how to make a Parquet file of it, if known
};

/// Detects the format of the first `end` bytes of a file from its beginning and the beginning of its
/// compressed content; nullopt if it is not recognized.
[[nodiscard]] std::optional<OtherFormat> other_format(const Source& source, std::uint64_t end);

}  // namespace parqproof
