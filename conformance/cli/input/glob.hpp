#pragma once

#include <string_view>

namespace parqproof::cli {

/// Returns true if a path matches a pattern: `*` any bytes but '/', `**` any bytes, `?` one byte but '/',
/// `[a-z]` and `[!a-z]` one of these, or none of these. A pattern without '/' is matched with the last name
/// of the path; `**/` at the front also matches no folder.
[[nodiscard]] bool path_fits(std::string_view pattern, std::string_view path);

/// Returns true if any text matches a pattern, in which '/' is a byte like others.
[[nodiscard]] bool text_fits(std::string_view pattern, std::string_view text);

}  // namespace parqproof::cli
