#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "codec/base/source.hpp"
#include "conformance/policy/options.hpp"

namespace parqproof {

/// A file with other values and names that breaks the same rules.
struct Scrubbed {
  std::vector<std::uint8_t> bytes;
  std::size_t names = 0;           ///< names that were replaced
  std::uint64_t values = 0;        ///< values of pages that were replaced
  std::uint64_t opaque_pages = 0;  ///< pages that cannot be read: only text in them is replaced
};

/// Replaces the values and names of a file: in the schema and in paths, in key-value metadata, in dictionary,
/// data and index pages, statistics, column indexes and Bloom filters. Lengths, order, equality and signs of
/// values stay, and so do created_by and everything else. `options` judges the file before and after. The
/// error is the reason why there is no such file.
[[nodiscard]] std::expected<Scrubbed, std::string> scrub(const Source& source, const CheckOptions& options);

}  // namespace parqproof
