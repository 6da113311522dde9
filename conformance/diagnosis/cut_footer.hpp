#pragma once

#include <cstdint>
#include <optional>

#include "codec/base/bytes.hpp"
#include "codec/base/limits.hpp"
#include "conformance/result/file_report.hpp"

namespace parqproof {

/// A quick test for a FileMetaData: version 1 or 2, and then the schema, a list of structs.
[[nodiscard]] bool may_be_footer(View bytes);

/// Reads what is left of the FileMetaData that `bytes` begin with, up to the first byte that cannot be read:
/// the schema first, then the row groups as far as they go. Nothing where not even the root of a schema
/// stands there.
[[nodiscard]] std::optional<CutFooter> read_cut_footer(View bytes, const Limits& limits);

}  // namespace parqproof
