#pragma once

#include <string>
#include <string_view>

namespace parqproof {

/// A path as a URI reference (RFC 3986): relative as it is, absolute with the scheme `file`. Every byte that
/// a path of a URI cannot hold is written as %XX, so that any bytes can be told.
[[nodiscard]] std::string uri_of_path(std::string_view path);

}  // namespace parqproof
