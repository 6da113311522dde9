#pragma once

#include <string>
#include <string_view>

namespace parqproof {

/// A path as a URI reference (RFC 3986): relative as it is, absolute with the scheme `file`. Bytes that are
/// not allowed in a URI path become %XX.
[[nodiscard]] std::string uri_of_path(std::string_view path);

}  // namespace parqproof
