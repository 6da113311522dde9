#pragma once

#include <string>

#include "codec/base/source.hpp"
#include "conformance/report/bytes/footer_bytes.hpp"
#include "conformance/report/out.hpp"

namespace parqproof {

/// Prints readable row groups and column chunks: sizes with units; bounds of statistics, of page indexes and
/// of dictionaries by logical type. It checks no rules: everything is as stated in the file, except
/// dictionary entries, which are read. It stops at the first byte of the footer that cannot be read; then the
/// result is not DumpEnd::complete, and `why` is the reason.
[[nodiscard]] DumpEnd write_footer_values(const Source& source, const std::string& path, Out& out,
                                          std::string& why);

}  // namespace parqproof
