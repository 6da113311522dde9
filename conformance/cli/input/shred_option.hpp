#pragma once

#include <string>

#include "conformance/rewrite/shred/shred_options.hpp"

namespace parqproof::cli {

/// Parses the value of --shred: COLUMN, COLUMN=none or COLUMN=SCHEMA, or calls refuse(). SCHEMA is JSON: a
/// text is a primitive type, null a field without typed_value, an object an object with these fields, an
/// array with one entry an array.
[[nodiscard]] ShredOption read_shred_option(const std::string& text);

}  // namespace parqproof::cli
