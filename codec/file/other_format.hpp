#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "codec/base/source.hpp"

namespace parqproof {

/// What a file is that neither begins nor ends as a Parquet file does.
struct OtherFormat {
  std::string name;    ///< with its article: "a gzip stream"
  std::string advice;  ///< the evidence, and what makes a Parquet file of it, where that is known
};

/// The format of the first `end` bytes of a file, by its beginning and a little of what is packed in it;
/// nothing where the bytes do not tell.
[[nodiscard]] std::optional<OtherFormat> other_format(const Source& source, std::uint64_t end);

}  // namespace parqproof
