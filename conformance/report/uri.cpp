#include "conformance/report/uri.hpp"

#include <fmt/format.h>

#include <cctype>

namespace parqproof {

std::string uri_of_path(std::string_view path) {
  constexpr std::string_view kAllowed =
      "-._~/!$&'()*+,;=@";  // in addition to letters and digits; a colon could end a scheme
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char letter : path) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool plain = byte < 0x80 && (std::isalnum(byte) != 0 || kAllowed.find(letter) != kAllowed.npos);
    if (plain) {
      uri += letter;
    } else {
      uri += fmt::format("%{:02X}", byte);
    }
  }
  return uri;
}

}  // namespace parqproof
