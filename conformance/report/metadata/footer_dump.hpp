#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "codec/base/source.hpp"
#include "conformance/report/bytes/footer_bytes.hpp"
#include "conformance/report/out.hpp"

namespace parqproof {

/// Prints the footer as stored: every field in the order of the bytes with its name, value and offset,
/// including unknown fields. It checks no rules, and stops at the first byte that cannot be read.
[[nodiscard]] DumpEnd dump_footer_text(const Source& source, const std::string& path, Out& out);
[[nodiscard]] DumpEnd dump_footer_json(const Source& source, const std::string& path, Out& out);

}  // namespace parqproof
