#pragma once

#include <string_view>

namespace parqproof::cli {

/// Whether a path fits a pattern: `*` any bytes but '/', `**` any bytes, `?` one byte but '/', `[a-z]` and
/// `[!a-z]` one of these, or none of these. A pattern without '/' is about the last name of the path alone;
/// `**/` at the front stands for no folder too.
[[nodiscard]] bool path_fits(std::string_view pattern, std::string_view path);

/// Whether any text fits a pattern, in which '/' is a byte like others.
[[nodiscard]] bool text_fits(std::string_view pattern, std::string_view text);

}  // namespace parqproof::cli
