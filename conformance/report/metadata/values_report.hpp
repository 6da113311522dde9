#pragma once

#include <string>

#include "codec/base/source.hpp"
#include "conformance/report/bytes/footer_bytes.hpp"
#include "conformance/report/out.hpp"

namespace parqproof {

/// What a file says of its row groups and column chunks, as people read it: sizes with units, bounds of
/// statistics, of page indexes and of dictionaries by logical type. It judges nothing: what is shown is what
/// the file claims, but for the dictionary, whose entries are read. It works up to the first byte of the
/// footer that cannot be read. What is returned is how far the footer was whole; `why` says what is in the
/// way.
[[nodiscard]] DumpEnd write_footer_values(const Source& source, const std::string& path, Out& out,
                                          std::string& why);

}  // namespace parqproof
